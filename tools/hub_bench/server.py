"""Start a real JupyterHub for the bench, on 127.0.0.1 and in a temporary folder, and end all its processes with it."""

import importlib.util
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import psutil
from nb.files import COURSE, PUBLISHED

from hub_bench import processes

PROXY = "configurable-http-proxy"
FOLDER = "ATTENTION_HUB"  # an environment variable with the hub's folder, by which each process of the hub is found
SETTINGS = "settings.json"  # the file there with config.py's settings
ENDS = 30  # seconds for the hub to end by itself before it is killed
STARTS = 60


class Hub(NamedTuple):
    """A running hub: its address, the password of all students, and its temporary folder."""

    url: str
    password: str
    folder: Path

    @property
    def homes(self) -> Path:
        """The Path of the folder that holds a home for each student."""
        return self.folder / "homes"

    def processes(self) -> list[processes.Process]:
        """Return the processes of this hub and its students."""
        return processes.find(FOLDER, str(self.folder))


def missing() -> list[str]:
    """Return a sentence for each requirement of the hub that is missing here, [] if none; most say how to get it."""
    lines = []
    if not sys.platform.startswith("linux"):
        lines.append("This is not Linux, which alone tells how much memory each process takes.")
    if importlib.util.find_spec("jupyterhub") is None:
        lines.append("JupyterHub is missing from this Python. `make bench-hub` makes an environment that has it.")
    if proxy() is None:
        node = "Install Node.js 18 or later and npm (Debian: `apt-get install npm`)"
        lines.append(f"{PROXY} is missing. {node}, then `make bench-hub` fetches it.")
    if not any(PUBLISHED.glob("*.ipynb")):
        lines.append("The notebooks are missing.")
    return lines


def proxy() -> str | None:
    """Return the path of configurable-http-proxy, or None if it is not there.

    It is sought in this environment, where `make bench-hub` puts it, and then in the PATH.
    """
    return shutil.which(PROXY, path=Path(sys.prefix) / "node_modules" / ".bin") or shutil.which(PROXY)


@contextmanager
def serve():
    """Start a Hub for the `with` block, yield it when it answers, and end it. Errors: RuntimeError if it never does."""
    with tempfile.TemporaryDirectory(prefix="attention-hub-", ignore_cleanup_errors=True) as folder:
        ports, password = _free_ports(3), secrets.token_hex()
        hub = Hub(f"http://127.0.0.1:{ports[0]}", password, Path(folder))
        settings = {"ports": ports, "password": password, "proxy": proxy()}
        Path(folder, SETTINGS).write_text(json.dumps(settings))
        environment = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
        path = os.pathsep.join([str(COURSE / "tools"), str(COURSE)])
        environment |= {"PYTHONPATH": path, "HOME": folder, FOLDER: folder}
        log = Path(folder, "log.txt")
        with log.open("w") as lines:
            process = subprocess.Popen(
                [sys.executable, "-m", "jupyterhub", "--config", Path(__file__).with_name("config.py")],
                cwd=folder, env=environment, stdout=lines, stderr=lines, start_new_session=True,
            )  # fmt: skip
        try:
            _wait_for(process, f"{hub.url}/hub/api/", log)
            yield hub
        finally:
            _end(process, hub)


def _end(process: subprocess.Popen, hub: Hub):
    """Ask a hub's process to end, which ends its students' servers, and kill whatever is left of the hub."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # so that a second Ctrl-C leaves no process behind
    try:
        process.terminate()
        try:
            process.wait(ENDS)
        except subprocess.TimeoutExpired:
            process.kill()
        while left := hub.processes():
            for other in left:
                with suppress(psutil.NoSuchProcess):
                    other.process.kill()
            time.sleep(0.1)
        process.wait()
    finally:
        signal.signal(signal.SIGINT, before)


def _free_ports(count: int) -> list[int]:
    """Return the numbers of `count` ports on 127.0.0.1 that are free now."""
    with ExitStack() as stack:
        probes = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [probe.getsockname()[1] for probe in probes]


def _wait_for(process: subprocess.Popen, address: str, log: Path):
    """Wait until a hub's process answers at an address. Errors: RuntimeError with its log, if it ends or takes long."""
    end = time.monotonic() + STARTS
    while process.poll() is None and time.monotonic() < end:
        try:
            return urllib.request.urlopen(address, timeout=STARTS).close()
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"JupyterHub did not start:\n{log.read_text()}")

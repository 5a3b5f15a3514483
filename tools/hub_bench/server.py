"""Start a real JupyterHub for the bench, on 127.0.0.1 and in a temporary folder, and end all its processes with it."""

import importlib.util
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
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import psutil
from nb.files import COURSE, PUBLISHED

from hub_bench import processes

PROXY = "configurable-http-proxy"
ENDS = 30  # seconds for the hub to end by itself before it is killed
STARTS = 60


class Names(NamedTuple):
    """The environment variables through which config.py gets its settings."""

    folder: str = "ATTENTION_HUB"  # also set for every process of the hub, which is found by it
    ports: str = "ATTENTION_HUB_PORTS"
    password: str = "ATTENTION_HUB_PASSWORD"
    proxy: str = "ATTENTION_HUB_PROXY"


SETTINGS = Names()


class Hub(NamedTuple):
    """A running hub. url: its address. password: that of all students. folder: its temporary folder."""

    url: str
    password: str
    folder: Path

    @property
    def homes(self):
        """The path of the folder that holds a home for each student."""
        return self.folder / "homes"

    def processes(self):
        """Return the processes of this hub and its students, as a list of processes.Process."""
        return processes.find(SETTINGS.folder, str(self.folder))


def missing():
    """Return a list of lines, one for each requirement of the hub that is missing here, with how to get it."""
    lines = []
    if not sys.platform.startswith("linux"):
        lines.append("This is not Linux, which alone tells how much memory each process takes.")
    if importlib.util.find_spec("jupyterhub") is None:
        lines.append("JupyterHub is missing from this Python. `make bench-hub` makes an environment that has it.")
    if proxy() is None:
        lines.append(
            f"{PROXY} is missing. Install Node.js 18 or later and npm (Debian: `apt-get install npm`), "
            "then `make bench-hub` fetches it."
        )
    if not any(PUBLISHED.glob("*.ipynb")):
        lines.append("The notebooks are missing.")
    return lines


def proxy():
    """Return the path of the proxy program, or None.

    It is in this environment, where `make bench-hub` installs it, or on the PATH.
    """
    return shutil.which(PROXY, path=Path(sys.prefix) / "node_modules" / ".bin") or shutil.which(PROXY)


@contextmanager
def serve():
    """Start a hub for the `with` block, yield it as a Hub when it answers, and end it afterwards.

    Errors: RuntimeError with its log if it does not start.
    """
    with tempfile.TemporaryDirectory(prefix="attention-hub-", ignore_cleanup_errors=True) as folder:
        ports, password = _free_ports(3), secrets.token_hex()
        hub = Hub(f"http://127.0.0.1:{ports[0]}", password, Path(folder))
        environment = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ} | {
            "HOME": folder,
            "PYTHONPATH": os.pathsep.join([str(COURSE / "tools"), str(COURSE)]),
            SETTINGS.folder: folder,
            SETTINGS.ports: " ".join(map(str, ports)),
            SETTINGS.password: password,
            SETTINGS.proxy: proxy(),
        }
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


def _end(process, hub):
    """Ask the hub to end, which ends its students' servers, and kill whatever is left."""
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


def _free_ports(count):
    """Return the numbers of `count` ports on 127.0.0.1 that are free now, as a list."""
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()


def _wait_for(process, address, log):
    """Wait until the hub answers at an address.

    process: the hub's Popen object. log: the path of its log. Errors: RuntimeError with the log, after about STARTS
    seconds or when the process has ended.
    """
    end = time.monotonic() + STARTS
    while process.poll() is None and time.monotonic() < end:
        try:
            return urllib.request.urlopen(address, timeout=STARTS).close()
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"JupyterHub did not start:\n{log.read_text()}")

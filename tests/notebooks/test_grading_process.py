"""What a stranger's code may do: nothing beyond its own small folder, on systems that know how to see to it."""

import json
import os
import platform
import subprocess
import sys
import time

import grading_process
import nbformat
import pytest
from notebook_files import COURSE, NotebookError

TRIES = """
import json, os, socket, sys
def tried(what):
    try:
        what()
        return "done"
    except Exception as error:
        return type(error).__name__
"""
LIMITED = TRIES + (
    "import limited; limited.limit()\n"
    "big = lambda: open('big', 'wb').write(bytes(2**25))\n"
    "print(json.dumps([tried(what) for what in (os.fork, socket.socket, lambda: os.kill(os.getppid(), 0), "
    "lambda: bytearray(2**32), big, lambda: [open(os.devnull) for _ in range(500)])]))"
)
CONFINED = TRIES + (
    "print(json.dumps([os.listdir(), tried(lambda: open('mine', 'w')), tried(lambda: open(sys.argv[1], 'w')), "
    "tried(lambda: os.unlink(sys.argv[1])), tried(lambda: socket.create_connection(('127.0.0.1', 9), 1))]))"
)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux knows all limits")
@pytest.mark.skipif(platform.machine() not in ("x86_64", "aarch64"), reason="calls have other numbers here")
def test_a_limited_process_stays_alone_and_small(tmp_path):
    refused = ["PermissionError"] * 3 + ["MemoryError", "OSError", "OSError"]
    paths = os.environ | {"PYTHONPATH": str(COURSE / "tools")}
    run = subprocess.run(
        [sys.executable, "-c", LIMITED], cwd=tmp_path, env=paths, capture_output=True, text=True, check=True
    )
    assert json.loads(run.stdout) == refused
    assert (tmp_path / "big").stat().st_size < 2**25


def test_a_confined_process_can_change_nothing_but_its_folder(tmp_path):
    if not grading_process.find_way().confined:
        pytest.skip("this system does not let a process be confined")
    folder, other = tmp_path / "own", tmp_path / "other"
    folder.mkdir()
    (folder / "given").write_text("kept")
    other.write_text("untouched")
    command = [*grading_process.UNSHARE, sys.executable, str(COURSE / "tools" / "confined.py"), str(folder)]
    run = subprocess.run([*command, "-c", CONFINED, str(other)], capture_output=True, text=True, check=True)
    assert json.loads(run.stdout) == [["given"], "done", "OSError", "OSError", "OSError"]
    assert other.read_text() == "untouched" and os.listdir(folder) == ["given"]


ENGINE = """#!{python}
import json, os, pathlib, subprocess, sys, time
here = pathlib.Path({folder!r})
with open(here / "calls", "a") as calls:
    calls.write(json.dumps(sys.argv) + "\\n")
if "sleeping" in sys.argv:
    time.sleep(60)
if "missing" in sys.argv:
    print("Error: no image missing", file=sys.stderr)
    sys.exit(125)
if sys.argv[1] == "run":
    at = sys.argv.index("/course/tools/grade_submission.py")
    os.environ["PYTHONPATH"] = os.pathsep.join([{course!r}, {tools!r}])
    sys.exit(subprocess.run([{python!r}, {tools!r} + "/grade_submission.py", *sys.argv[at + 1:]]).returncode)
"""


@pytest.fixture
def podman(tmp_path, monkeypatch):
    """In place of podman, a program that writes down how it was called and runs the grader; returns the calls."""
    program = tmp_path / "bin" / "podman"
    program.parent.mkdir()
    texts = {"python": sys.executable, "folder": str(tmp_path), "course": str(COURSE), "tools": str(COURSE / "tools")}
    source = ENGINE.replace("{python}", texts["python"], 1)
    for name, text in texts.items():
        source = source.replace(f"{{{name}!r}}", repr(text))
    program.write_text(source)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    return lambda: [json.loads(line) for line in (tmp_path / "calls").read_text().splitlines()]


@pytest.fixture
def notebook():
    cells = ["from course_utils import checks", "def my_scores(query, keys):\n    return keys @ query"]
    cells.append("checks.scores(my_scores)")
    written = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    return nbformat.writes(written).encode()


def test_a_system_without_namespaces_grades_as_well(monkeypatch, notebook):
    monkeypatch.setattr(grading_process, "_can_confine", lambda user=None: False)
    way = grading_process.find_way()
    assert "with your rights" in way.words and not way.confined
    ended = grading_process.run(way, notebook, "unused")
    assert ended.how is None and '"status": "passed"' in ended.printed


def test_root_grades_as_nobody_or_is_warned(monkeypatch, notebook):
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    monkeypatch.setattr(grading_process, "_can_confine", lambda user=None: True)
    way = grading_process.find_way()
    assert way.user == grading_process.NOBODY and "ran as nobody" in way.words
    for systems_that_cannot in (lambda user=None: user is None, lambda user=None: False):
        monkeypatch.setattr(grading_process, "_can_confine", systems_that_cannot)
        way = grading_process.find_way()
        assert way.user is None and "You are root" in way.words


def test_a_container_gets_nothing_of_this_machine(podman, notebook):
    way = grading_process.find_way("attention-course")
    ended = grading_process.run(way, notebook, "grading-1", ("scores", "weights"))
    assert ended.how is None and '"status": "passed"' in ended.printed
    ((program, *arguments),) = podman()
    before, after = arguments[: arguments.index("attention-course")], arguments[arguments.index("attention-course") :]
    assert program.endswith("podman") and before[:4] == ["run", "--rm", "--interactive", "--name=grading-1"]
    assert after[1:] == ["/course/tools/grade_submission.py", "scores", "weights"]
    wanted = ["network=none", "read-only", "memory=3g", "memory-swap=3g", "pids-limit=64", "cpus=1", "cap-drop=ALL"]
    wanted += ["security-opt=no-new-privileges", "user=65534:65534", "tmpfs=/tmp:rw,size=64m,mode=1777"]
    assert {f"--{one}" for one in wanted} <= set(before)
    lent = [one.removeprefix("--volume=") for one in before if one.startswith("--volume=")]
    assert lent == [f"{COURSE / part}:/course/{part}:ro" for part in ("course_utils", "tools", "data")]
    assert "--env=COURSE_PROGRESS=off" in before and "--privileged" not in before


def test_a_container_that_does_not_end_is_removed(podman, notebook, monkeypatch):
    monkeypatch.setattr(grading_process, "SECONDS", 2)
    start = time.monotonic()
    ended = grading_process.run(grading_process.find_way("sleeping"), notebook, "grading-7")
    assert ended == ("", "The notebook took longer than 2 seconds and was stopped here.")
    assert time.monotonic() - start < 20
    assert podman()[-1][1:] == ["rm", "--force", "grading-7"]


def test_a_container_that_cannot_start_is_nobodys_fault(podman, notebook):
    with pytest.raises(NotebookError, match="podman could not start the container: Error: no image missing"):
        grading_process.run(grading_process.find_way("missing"), notebook, "grading-1")


def test_without_podman_and_docker_there_is_no_container(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotebookError, match="needs podman or docker"):
        grading_process.find_way("attention-course")


def test_the_grader_inherits_no_secret(monkeypatch, tmp_path):
    monkeypatch.setenv("MY_PASSWORD", "secret")
    environment = grading_process._environment(str(tmp_path))
    assert "MY_PASSWORD" not in environment and environment["HOME"] == str(tmp_path)
    assert environment["COURSE_PROGRESS"] == "off" and environment["PYTHONHASHSEED"] == "0"

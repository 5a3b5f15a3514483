"""Test that kernels which write one progress file at the same time lose nothing, and that no lock stops a check."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from typed_answers import my_scores, wrong_scores

from course_utils import checks, progress

ROOT = Path(progress.COURSE)
BEGIN = """
import sys
from types import SimpleNamespace
from course_utils import progress
from course_utils.checks import record
from course_utils.checks.report import Report
from course_utils.widgets import Predict

def passes(name):
    exercise = SimpleNamespace(name=name, forms=[SimpleNamespace(name=f"{name}_solution")])
    record.keep(exercise, "an answer", Report(name, "passed", "passed: right."))

def predicts(name):
    Predict(name, "Which?", "a", choices=["a", "b"]).guess = 1

progress.PATIENCE = 300  # this is about what the lock keeps, however busy the machine is
print("ready", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def work(work, tmp_path_factory, monkeypatch):
    """Change to a learner's folder, set a temporary folder for the locks, and return the former.

    The note about a missing lock has not been shown yet.
    """
    temporary = str(tmp_path_factory.mktemp("temporary"))
    monkeypatch.setattr(progress, "said_unlocked", False)
    monkeypatch.setattr(tempfile, "tempdir", temporary)
    monkeypatch.setenv("TMPDIR", temporary)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return work


def kept(folder):
    return json.loads((folder / "progress.json").read_text("utf-8"))


def at_once(folder, *programs):
    """Run programs in processes that start together, and read the progress file while they run."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": folder}
    kernels = [subprocess.Popen([sys.executable, "-c", BEGIN + program], **pipes) for program in programs]
    try:
        assert [kernel.stdout.readline() for kernel in kernels] == ["ready\n"] * len(kernels)
        for kernel in kernels:
            kernel.stdin.write("go\n")
            kernel.stdin.flush()
        while any(kernel.poll() is None for kernel in kernels):
            time.sleep(0.005)  # leave the processors to the kernels
            if (folder / "progress.json").exists():
                kept(folder)  # fails if the file is half written
        assert [kernel.returncode for kernel in kernels] == [0] * len(kernels)
    finally:
        for kernel in kernels:
            kernel.kill()
            kernel.communicate()


@pytest.mark.timed
def test_two_kernels_at_once_keep_every_pass_and_every_prediction(work):
    at_once(work, *(f"for n in range(100): passes(f'{name}-{{n}}'); predicts(f'{name}-{{n}}')" for name in "ab"))
    names = {f"{name}-{number}" for name in "ab" for number in range(100)}
    assert {*kept(work)["passed"]} == names == {*kept(work)["tries"]} == {*kept(work)["predictions"]}
    assert sorted(path.name for path in work.iterdir()) == ["01_mine.ipynb", "progress.json"]


def test_the_lock_lies_in_a_folder_of_the_users_own_and_not_beside_the_notebooks(work):
    checks.scores(my_scores)
    (folder,) = Path(tempfile.gettempdir()).iterdir()
    assert len([*folder.iterdir()]) == 1 and not [*work.glob("*.lock")]
    if os.name == "posix":
        assert folder.stat().st_mode & 0o777 == 0o700 and folder.name.endswith(f"-{os.getuid()}")
    (work / "link").symlink_to(work)
    assert progress._lock_path(work / "link" / "progress.json") == progress._lock_path(work / "progress.json")
    assert progress._lock_path(work / "other.json") != progress._lock_path(work / "progress.json")


def assert_one_note(work, words):
    """Check that the next check is kept and has a note with these words, and the one after it has no note."""
    report = checks.scores(my_scores)
    assert report.status == "passed" and kept(work)["passed"] == ["scores"]
    (note,) = report.notes
    assert note.startswith("progress.json was changed without a lock, because ") and words in note
    assert checks.weights(wrong_scores).notes == [] and kept(work)["tries"]["weights"] == 1


@pytest.mark.skipif(os.name != "posix", reason="fcntl is POSIX's")
def test_a_lock_that_another_kernel_holds_is_waited_for_and_then_passed_over(work, monkeypatch):
    import fcntl

    monkeypatch.setattr(progress, "PATIENCE", 0.1)
    with open(progress._lock_path(work / "progress.json"), "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert_one_note(work, "another notebook was using it for more than 0.1 seconds")


def of_a_stranger(locks):
    locks.mkdir(mode=0o700)
    os.chown(locks, 20001, 20001)


# what stands where the folder of the locks should be, put there by a function of its path -> the reason in the note
IN_THE_WAY = {
    "nothing, and no temporary folder": (lambda locks: locks.parent.rmdir(), "No such file or directory"),
    "a file": (lambda locks: locks.touch(), "File exists"),
    "a link, as of another user": (lambda locks: locks.symlink_to(Path.cwd()), "is not yours alone"),
    "a folder for all": (lambda locks: (locks.mkdir(), locks.chmod(0o777)), "is not yours alone"),
    "a stranger's folder": pytest.param(of_a_stranger, "is not yours alone", marks=pytest.mark.needs_root),
}


@pytest.mark.skipif(os.name != "posix", reason="on Windows each user has a temporary folder")
@pytest.mark.parametrize("happens, words", IN_THE_WAY.values(), ids=IN_THE_WAY)
def test_where_no_lock_can_be_made_progress_is_kept_without(work, happens, words):
    happens(Path(tempfile.gettempdir()) / f"attention-course-{os.getuid()}")
    assert_one_note(work, words)
    assert not [*Path(tempfile.gettempdir()).rglob("*.lock")]


@pytest.mark.skipif(os.name != "posix", reason="fcntl is POSIX's")
@pytest.mark.parametrize("reason", ["No space left on device", "Input/output error"])
def test_a_system_that_cannot_lock_is_said(work, monkeypatch, reason):
    import fcntl

    def refuse(*arguments):
        raise OSError(5, reason)

    monkeypatch.setattr(fcntl, "flock", refuse)
    assert_one_note(work, reason)


def test_an_environment_without_filelock_is_said(work, monkeypatch):
    monkeypatch.setitem(sys.modules, "filelock", None)
    assert_one_note(work, "filelock")


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps a folder that is in use")
def test_a_folder_that_was_deleted_stops_no_check(work):
    (work / "01_mine.ipynb").unlink()
    work.rmdir()
    assert checks.scores(my_scores).status == "passed" and "Nothing is kept here." in str(checks.progress())

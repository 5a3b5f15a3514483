"""Test that interrupted grading keeps what is graded, and that the notebooks of a student share one time limit."""

import os
import signal
import sys
import threading
from types import SimpleNamespace

import pytest
from grading import grade, runner
from nb.files import NotebookError

from course_utils.stopping import stoppable

SIGNALS = {name: getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}


@pytest.fixture
def signals():
    """Give the signals that interrupt grading the handlers of a program that a terminal starts; return the handlers."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        pytest.skip("no signal reaches the tests here")
    usual = {"SIGINT": signal.default_int_handler, "SIGTERM": signal.SIG_DFL, "SIGHUP": signal.SIG_DFL}
    before = {name: signal.signal(SIGNALS[name], handler) for name, handler in usual.items()}
    yield usual
    for name, handler in before.items():
        signal.signal(SIGNALS[name], handler)


@pytest.fixture
def waits_for(submitted, monkeypatch):
    """Return a function that has the grader wait after `interrupt()`, from the second notebook on, to be stopped."""
    heard, done = [], threading.Event()

    def replace(interrupt, after: int):
        monkeypatch.setattr(grade.os, "cpu_count", lambda: 1)
        left = iter(range(after))

        def run(way, data, name, exercises, seconds, stop):
            if next(left, None) is not None:
                return submitted.right
            interrupt()
            heard.append(stop.wait(60))
            done.set()
            return runner.GraderRun("", runner.STOPPED)

        monkeypatch.setattr(runner, "run", run)

    yield replace
    assert done.wait(60) and heard == [True]


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_what_is_graded_is_written_and_the_rest_is_not_graded(submitted, waits_for, signals, name):
    """A signal ends grading: one notebook is graded, one was running, one has not begun, and one cannot be read."""
    submitted.put("ben.ipynb"), (submitted.folder / "chris.pdf").write_bytes(b"%PDF")
    waits_for(lambda: os.kill(os.getpid(), SIGNALS[name]), after=1)
    with stoppable("Stopped."):  # as in tools/notebooks.py
        lines, is_complete = grade.grade(submitted.folder)
    assert not is_complete
    assert lines[-1].startswith("Stopped: 2 of 4 notebooks are graded. The others are `not graded`")
    rows = {row["student"]: row for row in submitted.table(grade.TABLE)}
    status = {student: row["status"] for student, row in rows.items()}
    assert status == {"anna": "passed", "ben": "not graded", "chris": "unreadable", "zoe": "not graded"}
    assert rows["zoe"]["message"] == runner.STOPPED
    points = {row["identifier"]: (row["points"], row["scores"]) for row in submitted.table(grade.STUDENTS)}
    assert points == {"anna": ("1", "1"), "ben": ("", ""), "chris": ("0", "0"), "zoe": ("", "")}
    page = (submitted.folder / "feedback" / "zoe.html").read_text("utf-8")
    assert "Not graded" in page and " points" not in page
    assert {name: signal.getsignal(number) for name, number in SIGNALS.items()} == signals


def test_where_nothing_is_graded_nothing_is_written(submitted, waits_for, signals):
    waits_for(lambda: os.kill(os.getpid(), signal.SIGINT), after=0)
    with pytest.raises(NotebookError, match="Stopped: nothing is graded, and nothing was written"):
        grade.grade(submitted.folder)
    assert not (submitted.folder / grade.TABLE).exists()


def test_an_error_stops_the_others_too(submitted, monkeypatch):
    """A container that cannot start ends grading at once, while another notebook waits."""
    waits, stopped = threading.Event(), []

    def run(way, data, name, exercises, seconds, stop):
        if name.endswith("-0"):
            waits.set()
            stopped.append(stop.wait(60))
            return runner.GraderRun("", runner.STOPPED)
        assert waits.wait(60)
        raise NotebookError("podman could not start the container")

    monkeypatch.setattr(grade.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(runner, "run", run)
    with pytest.raises(NotebookError, match="could not start"):
        grade.grade(submitted.folder)
    assert stopped == [True]


def test_the_notebooks_of_a_student_share_one_time_limit(submitted, monkeypatch):
    """Each notebook takes 400 seconds of the 600: the second has 200 left, and the third does not run."""
    for name in ("anna.ipynb", "zoe.ipynb"):
        (submitted.folder / name).unlink()
    for name in "abc":
        submitted.put(f"ben/{name}.ipynb")
    clock, given = [0.0], []

    def run(way, data, name, exercises, seconds, stop):
        given.append(seconds)
        clock[0] += 400
        return submitted.right

    monkeypatch.setattr(grade, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(runner, "run", run)
    grade.grade(submitted.folder)
    assert given == [runner.WALL_SECONDS, runner.WALL_SECONDS - 400] == [600, 200]
    rows = submitted.table(grade.TABLE)
    assert [row["status"] for row in rows] == ["passed", "passed", "not reached"]
    assert rows[2]["message"].startswith("Not run: this student's other notebooks took the 600 seconds")

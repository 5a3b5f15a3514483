"""Test how one submission is graded: unconfined, in the sandbox with its time limits, and in a container."""

import json
import os
import shlex
import sys
import threading

import nbformat
import pytest
from grading import runner
from grading.findings import parse_findings, rows
from nb.files import COURSE, NotebookError

ENGINE = """import json, os, pathlib, subprocess, sys, time
here = pathlib.Path({folder!r})
with open(here / "calls", "a") as calls:
    calls.write(json.dumps(sys.argv) + "\\n")
if "sleeping" in sys.argv:
    time.sleep(3600)
if "missing" in sys.argv:
    print("Error: no image missing", file=sys.stderr)
    sys.exit(125)
if sys.argv[1] == "run":
    at = sys.argv.index("/course/tools/grade_submission.py")
    os.environ.update(one.removeprefix("--env=").split("=", 1) for one in sys.argv if one.startswith("--env="))
    os.environ["PYTHONPATH"] = os.pathsep.join([{course!r}, {tools!r}])
    sys.exit(subprocess.run([{python!r}, {tools!r} + "/grade_submission.py", *sys.argv[at + 1:]]).returncode)
"""


@pytest.fixture
def podman(tmp_path, monkeypatch):
    """Put a fake podman on the PATH, which runs the grader; return a function for its calls, lists of arguments."""
    program = tmp_path / "bin" / "podman"
    program.parent.mkdir()
    texts = {"python": sys.executable, "folder": str(tmp_path), "course": str(COURSE), "tools": str(COURSE / "tools")}
    script = tmp_path / "podman.py"
    script.write_text(ENGINE.format(**texts))
    # A shell script, since the path of Python in a line "#!…" may hold no space and only so many letters.
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(script))} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    return lambda: [json.loads(line) for line in (tmp_path / "calls").read_text().splitlines()]


@pytest.fixture(scope="module")
def notebook():
    """Return the content of a notebook: a right answer, one of the course's own, and some in cells that are no code."""
    cell, words = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    cells = [
        cell("from course_utils import checks\ndef my_scores(query, keys):\n    return keys @ query"),
        cell("checks.scores(my_scores)"),
        cell("another = checks.context_vector\nmy_context_vector = another.solution"),
        cell("checks.context_vector(my_context_vector)"),
        words("def my_weights(scores):\n    return scores"),
        cell("checks.weights(my_weights)"),
        nbformat.v4.new_raw_cell("checks.softmax(my_softmax)"),
    ]
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells)).encode()


def test_a_notebook_that_waits_without_an_end_is_stopped_by_the_clock_on_the_wall(notebook, monkeypatch):
    """Without a sandbox, since one that is killed before it has begun may leave its program running to the end."""
    monkeypatch.setattr(runner, "WALL_SECONDS", 0)
    ended = runner.run(runner.find_way(unconfined=True), notebook, "unused")
    assert ended == ("", "The notebook had not ended after 0 seconds by the clock and was stopped here.")


def test_a_run_that_is_stopped_says_so(notebook):
    stop = threading.Event()
    stop.set()
    ended = runner.run(runner.find_way(unconfined=True), notebook, "unused", stop=stop)
    assert ended == ("", runner.STOPPED)


def test_what_a_container_says_of_a_notebook_and_gets_of_this_machine(podman, notebook):
    names = ("scores", "context_vector", "weights", "softmax")
    ended = runner.run(runner.find_way("attention-course"), notebook, "grading-1", names)
    assert ended.failure is None
    scores, context, weights, softmax = rows("anna", "a.ipynb", names, parse_findings(ended.output), None)
    assert scores.status == "passed"
    assert (context.status, context.mistake) == ("not attempted", "course-solution")
    assert weights.status == "failed"
    assert weights.message.startswith("`my_weights` stands in a Markdown cell, which is not run: make it a code cell. ")
    assert softmax.status == "missing" and softmax.message.startswith("`checks.softmax` stands in a raw cell")
    ((_, *arguments),) = podman()
    before, after = arguments[: arguments.index("attention-course")], arguments[arguments.index("attention-course") :]
    assert before[:4] == ["run", "--rm", "--interactive", "--name=grading-1"]
    assert after[1:] == ["/course/tools/grade_submission.py", *names]
    wanted = ["network=none", "read-only", "memory=3g", "memory-swap=3g", "pids-limit=64", "cpus=1", "cap-drop=ALL"]
    wanted += ["security-opt=no-new-privileges", "user=65534:65534", "tmpfs=/tmp:rw,size=64m,mode=1777"]
    assert {f"--{one}" for one in wanted} <= set(before)
    lent = [one.removeprefix("--volume=") for one in before if one.startswith("--volume=")]
    assert lent == [f"{COURSE / part}:/course/{part}:ro" for part in ("course_utils", "lessons", "tools", "data")]
    assert "--env=COURSE_PROGRESS=off" in before and "--privileged" not in before


def test_a_container_that_does_not_end_is_removed(podman, notebook, monkeypatch):
    monkeypatch.setattr(runner, "WALL_SECONDS", 2)
    ended = runner.run(runner.find_way("sleeping"), notebook, "grading-7")
    assert ended == ("", "The notebook had not ended after 2 seconds by the clock and was stopped here.")
    assert podman()[-1][1:] == ["rm", "--force", "grading-7"]


def test_a_container_that_cannot_start_is_nobodys_fault(podman, notebook):
    with pytest.raises(NotebookError, match="podman could not start the container: Error: no image missing"):
        runner.run(runner.find_way("missing"), notebook, "grading-1")


def test_without_podman_and_docker_there_is_no_container(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotebookError, match="needs podman or docker"):
        runner.find_way("attention-course")


def test_the_grader_inherits_no_secret(monkeypatch, tmp_path):
    monkeypatch.setenv("MY_PASSWORD", "secret")
    environment = runner._environment(tmp_path)
    assert "MY_PASSWORD" not in environment and environment["HOME"] == str(tmp_path)
    assert environment["COURSE_PROGRESS"] == "off" and environment["PYTHONHASHSEED"] == "0"

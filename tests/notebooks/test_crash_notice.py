"""Test that a killed kernel is reported once, that other ends are not, and that no mark file can stop a notebook."""

import json
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import nbformat
import pytest
from jupyter_client import KernelManager

from course_utils import crash_notice, session

START = "from course_utils import session; session.start()"
ALONE = "from course_utils import crash_notice; crash_notice.without_leave(get_ipython()) or None"  # faster
START_TIMEOUT = 120  # seconds


class Notebook:
    """An empty notebook in a learner's folder, a Path, whose kernels this process starts in place of a Jupyter server.

    name: of its file. environment: variables for the kernels. start: what the first cell runs; a test may change it.
    """

    def __init__(self, folder, name="04_mine.ipynb", **environment):
        self.marks, self.kernels, self.start = folder / crash_notice.FOLDER, [], START
        nbformat.write(nbformat.v4.new_notebook(), folder / name)
        self.folder, self.environment = folder, os.environ | {"JPY_SESSION_NAME": str(folder / name)} | environment
        self.environment.pop("COURSE_PROGRESS")  # set to off for all tests

    def begin(self) -> str:
        """Start a kernel and connect to it; return what the notebook's first cell shows."""
        self.manager = KernelManager(shutdown_wait_time=120)  # the most seconds to wait; a kernel normally ends sooner
        self.manager.start_kernel(cwd=str(self.folder), env=self.environment)
        self.kernels.append(self.manager)
        return self.talk()

    # Connect to the current kernel, run the notebook's first cell in it, and return what the cell shows.
    def talk(self):
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(START_TIMEOUT)
        return self.run(self.start)

    def run(self, code: str) -> str:
        """Run code in the kernel and return the text that it prints, displays or raises."""
        said = []

        def hear(message):
            content = message["content"]
            said.append(content.get("text") or content.get("data", {}).get("text/plain") or content.get("evalue") or "")

        self.client.execute_interactive(code, output_hook=hear)
        return "".join(said)

    def pid(self):
        return int(self.run("import os; print(os.getpid())").split()[-1])

    def kill(self):
        os.kill(self.pid(), signal.SIGKILL)
        self.wait_for_the_end()

    def wait_for_the_end(self):
        self.manager.provisioner.process.wait()

    def spin(self):
        """Start a cell that never ends and ignores interrupts; return once it runs."""
        cell = self.client.execute("while True:\n    try:\n        while True: pass\n    except BaseException: pass")
        while True:
            message = self.client.get_iopub_msg()
            if message["msg_type"] == "execute_input" and message["parent_header"]["msg_id"] == cell:
                return


@pytest.fixture
def notebook(tmp_path):
    one = Notebook(tmp_path)
    yield one
    for manager in one.kernels:
        manager.shutdown_kernel(now=True)


TOLD = "The last kernel of this notebook was ended from outside"


def test_a_killed_kernel_is_told_of_once(notebook):
    notebook.start = ALONE
    assert notebook.begin() == "" and len(list(notebook.marks.iterdir())) == 1
    notebook.kill()
    notebook.start = START
    assert notebook.begin().startswith(TOLD)
    assert notebook.run(START) == "" and len(list(notebook.marks.iterdir())) == 1  # the first cell is run again
    notebook.manager.shutdown_kernel()
    notebook.start = ALONE
    assert notebook.begin() == ""


def test_a_restart_a_shutdown_and_quit_are_by_leave(notebook):
    notebook.start = ALONE
    notebook.begin()
    notebook.manager.restart_kernel()
    assert not notebook.marks.exists() and notebook.talk() == ""
    notebook.spin()
    notebook.manager.request_shutdown(restart=True)
    while notebook.marks.exists():
        time.sleep(0.01)
    notebook.manager.restart_kernel(now=True)  # Jupyter kills a kernel that does not end when asked to
    assert notebook.talk() == ""
    notebook.client.execute("quit()")
    notebook.wait_for_the_end()
    assert not notebook.marks.exists()
    assert notebook.begin() == ""


def test_a_notebook_open_twice_tells_of_the_kernel_that_was_killed_alone(notebook):
    notebook.start = ALONE
    notebook.begin()
    first = notebook.client
    assert notebook.begin() == "" and len(list(notebook.marks.iterdir())) == 2
    notebook.kill()
    assert notebook.begin() == "True" and len(list(notebook.marks.iterdir())) == 2
    first.execute_interactive("1")


# The tests below start no kernels. They write mark files and check what the next start reports.


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Let this process stand in for a notebook's kernel; return a namespace of begin, marks and folder.

    begin() starts it and returns whether the previous kernel was killed. marks: the folder of the mark files.
    folder: the notebook's folder.
    """
    monkeypatch.delenv("COURSE_PROGRESS")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "04_mine.ipynb"))
    monkeypatch.setattr(crash_notice.atexit, "register", lambda leave: None)
    (tmp_path / "04_mine.ipynb").touch()
    marks = tmp_path / crash_notice.FOLDER
    return SimpleNamespace(
        marks=marks,
        begin=lambda: crash_notice.without_leave(SimpleNamespace(has_trait=lambda name: False)),
        folder=tmp_path,
    )


# Write the mark file of a kernel and server that no longer run; `said` replaces entries of it.
def leave_mark(here, name="04_mine.5.json", **said):
    here.marks.mkdir(exist_ok=True)
    gone = "1 1 of another start"
    (here.marks / name).write_text(json.dumps({"kernel": gone, "server": gone, "kills": None} | said))


# Return how a mark file names this process.
def us():
    return crash_notice._process(os.getpid())


@pytest.mark.parametrize("server_runs", [True, False])
def test_it_is_told_of_once_if_the_server_still_runs_and_else_not(here, server_runs):
    leave_mark(here, **({"server": us()} if server_runs else {}))
    assert here.begin() is server_runs and here.begin() is False
    assert [file.name for file in here.marks.iterdir()] == [f"04_mine.{os.getpid()}.json"]


@pytest.mark.parametrize(("boot", "kills", "told"), [("a", 3, True), ("a", 2, False), ("b", 3, False)])
def test_with_its_server_gone_a_kill_for_memory_is_told_of(here, monkeypatch, tmp_path, boot, kills, told):
    """A memory limit of a container or of a student's whole server ends the server together with the kernel."""
    monkeypatch.setattr(crash_notice, "BOOT", tmp_path / "boot")
    monkeypatch.setattr(crash_notice, "COUNTS", tmp_path / "vmstat")
    (tmp_path / "boot").write_text(f"{boot}\n")
    (tmp_path / "vmstat").write_text(f"nr_free_pages 5\noom_kill {kills}\n")
    leave_mark(here, kills=["a", 2])
    assert here.begin() is told


def test_a_number_of_a_process_that_another_has_now_is_no_running_kernel(here):
    leave_mark(here, kernel=f"{os.getpid()} 1 {us().split()[-1]}", server=us())
    assert here.begin() is True


def test_a_process_split_off_takes_no_mark_away(here, monkeypatch):
    left = []
    monkeypatch.setattr(crash_notice.atexit, "register", left.append)
    here.begin()
    monkeypatch.setattr(crash_notice.os, "getpid", lambda: 5)
    left[0]()
    assert here.marks.exists()
    monkeypatch.undo()
    left[0]()
    assert not here.marks.exists()


def test_the_marks_of_other_notebooks_stay(here):
    leave_mark(here, "04_mine.copy.5.json", server=us())
    leave_mark(here, "05_other.5.json", server=us())
    assert here.begin() is False and len(list(here.marks.iterdir())) == 3


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"[]", b"null", b"\xff", b"{}", b"[" * 10**5, b'{"kernel": 5, "server": [], "kills": "x"}',
     b'{"kernel": "x", "server": "9999999999999999999999 a", "kills": [1]}', b'{"kernel": "\xc2\xb2 a"}'],
)  # fmt: skip
def test_a_damaged_mark_is_removed_and_nothing_said(here, damage):
    here.marks.mkdir()
    for name in ("04_mine.5.json", f"04_mine.{os.getpid()}.json"):
        (here.marks / name).write_bytes(damage)
    assert here.begin() is False
    assert [file.name for file in here.marks.iterdir()] == [f"04_mine.{os.getpid()}.json"]


def test_a_mark_that_cannot_be_read_or_written_stops_nothing(here):
    (here.marks / "04_mine.5.json").mkdir(parents=True)
    assert here.begin() is False
    for file in here.marks.glob("*.*"):
        file.rmdir() if file.is_dir() else file.unlink()
    here.marks.rmdir()
    here.marks.write_text("a file in the folder's place")
    assert here.begin() is False


@pytest.mark.parametrize("name", ["", "console-1", "/home/me/script.py"])
def test_without_a_notebook_no_mark_is_left(here, monkeypatch, name):
    monkeypatch.setenv("JPY_SESSION_NAME", name)
    assert here.begin() is False and not here.marks.exists()


def test_where_no_progress_is_kept_no_mark_is_left(here, monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", "off")
    assert here.begin() is False and not here.marks.exists()
    monkeypatch.delenv("COURSE_PROGRESS")
    monkeypatch.chdir(crash_notice.progress.COURSE / "notebooks")
    assert here.begin() is False and not (crash_notice.progress.COURSE / "notebooks" / crash_notice.FOLDER).exists()


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="this system has no such state")
def test_a_process_that_has_ended_and_is_not_yet_cleared_away_does_not_run():
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    process = crash_notice._process(child.pid)
    assert process and crash_notice._runs(process)
    child.stdin.close()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # it has ended but is not reaped yet
    assert not crash_notice._runs(process)
    child.wait()


def test_elsewhere_than_on_linux_processes_are_told_apart_too(monkeypatch):
    monkeypatch.setattr(crash_notice.sys, "platform", "darwin")
    assert us() == us() != crash_notice._process(os.getppid())
    assert crash_notice._runs(us()) and crash_notice._process(2**22 + 1) is None


def test_the_word_says_what_to_do_and_is_heard(monkeypatch):
    bundles = []
    monkeypatch.setattr(session, "display", lambda data, raw: bundles.append(data))
    session._tell_of_the_last_kernel()
    ((shown, text),) = [(data["text/html"], data["text/plain"]) for data in bundles]
    assert text.startswith(TOLD) and "<" not in text and "Running Terminals and Kernels" in text
    assert 'role="group" aria-label="The last kernel"' in shown

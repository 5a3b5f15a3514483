"""Test that a stopped command ends in one line, cleans up, and leaves no process running."""

import os
import signal
import subprocess
import sys
import time

import nbformat
import psutil  # comes with ipykernel
import pytest
from nb.files import COURSE
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

pytestmark = [pytest.mark.timed, pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")]

# A command that prints "ready", and waits. When it is stopped it prints "cleaning", and after a line of input, "clean".
WAIT = """
from course_utils.stopping import stoppable

@stoppable("Stopped: all is clean.")
def main():
    try:
        print("ready", flush=True)
        input()
    finally:
        print("cleaning", flush=True)
        print("clean" + input(), flush=True)

main()
"""
# A command beside which processes work for hours. It prints "ready" once two of them have used some processor time.
BESIDE = """
import psutil, sys, threading, time
from nb import processes
from course_utils.stopping import stoppable

def watch():
    while sum(sum(one.cpu_times()[:2]) > 0 for one in psutil.Process().children(recursive=True)) < 2:
        time.sleep(0.05)
    print("ready", flush=True)

@stoppable("Stopped.")
def main():
    threading.Thread(target=watch, daemon=True).start()
    {beside}

main()
"""
POOL = """with processes.ProcessPool(2, {method!r}) as pool:
        list(pool.map(sum, 8 * [range(10**14)]))"""
PROGRAM = """processes.GRACE = 0.1
    processes.error_output([sys.executable, "-c", {program!r}], 600)"""
SLEEPERS = (
    "import subprocess, sys, time; {}subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']).wait()"
)
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); "


@pytest.fixture
def start():
    """Return start(*command, **options), which starts a command in a group of processes, and returns its Popen.

    options: as for `subprocess`. The group is killed after the test.
    """
    started = []

    def start(*command, **options):
        # A shell may ignore Ctrl-C for background jobs, and subprocesses inherit that; so restore the default here.
        options.setdefault("preexec_fn", lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        environment = os.environ | {"PYTHONPATH": str(COURSE / "tools")}
        started.append(
            subprocess.Popen([sys.executable, *command], start_new_session=True, env=environment, **pipes, **options)
        )
        return started[-1]

    yield start
    for process in started:
        for one in [*below(process.pid), process]:
            one.kill()
        process.communicate()


def below(pid: int) -> list:
    """Return the psutil.Process of each process that one has started, and that these have started; [] if it ended."""
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def runs(process) -> bool:
    """Return whether a psutil.Process still runs."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_stopped_command_cleans_up_and_says_one_line(start, name):
    process = start("-c", WAIT)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(getattr(signal, name))
    assert process.stdout.readline() == "cleaning\n"
    if name != "SIGINT":
        process.send_signal(signal.SIGHUP)  # closing a terminal may send two signals
    printed, said = process.communicate("\n")
    assert (printed, said, process.returncode) == ("clean\n", "Stopped: all is clean.\n", 1)


def test_a_command_without_hangup_goes_on(start):
    process = start("-c", WAIT, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGHUP)
    printed, said = process.communicate("\n\n")
    assert (printed, said, process.returncode) == ("cleaning\nclean\n", "", 0)


@pytest.mark.parametrize(
    "beside",
    [POOL.format(method=method) for method in ("spawn", None)]
    + [PROGRAM.format(program=SLEEPERS.format(first)) for first in ("", STUBBORN)],
    ids=["new processes", "copies", "a program", "a program that does not stop"],
)
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_what_works_beside_a_stopped_command_ends_with_it(start, beside, name):
    process = start("-c", BESIDE.format(beside=beside))
    assert process.stdout.readline() == "ready\n"
    others = below(process.pid)
    # A terminal sends Ctrl-C to the whole group, `kill` its signal to one process.
    (os.killpg if name == "SIGINT" else os.kill)(process.pid, getattr(signal, name))
    _, said = process.communicate()
    assert (said, process.returncode) == ("Stopped.\n", 1)
    assert len(others) >= 2 and not any(map(runs, psutil.wait_procs(others, timeout=60)[1]))


@pytest.mark.parametrize(
    "command, name, words",
    [
        pytest.param(
            *(
                ["editions.py", "slides"],
                "SIGTERM",
                "each file that was written is whole. Run this again for the others.",
            ),
            marks=pytest.mark.needs_slides,
        ),
        (["notebooks.py", "run"], "SIGINT", "notebooks that had not run to the end are as they were."),
    ],
    ids=["slides", "run"],
)
def test_a_stopped_run_leaves_no_kernel_and_no_half_of_a_file(start, tmp_path, command, name, words):
    cells = [new_markdown_cell("# 1 · A page"), new_code_cell("import time\nopen('begun', 'w')\ntime.sleep(600)")]
    cells[1].metadata.tags = ["widget"]
    notebooks, begun = tmp_path / "notebooks", tmp_path / "notebooks" / "begun"
    notebooks.mkdir()
    nbformat.write(new_notebook(cells=cells), notebooks / "01_page.ipynb")
    before = (notebooks / "01_page.ipynb").read_bytes()
    into = ["--into", tmp_path / "build" / "slides"] if "slides" in command else []
    process = start(COURSE / "tools" / command[0], command[1], notebooks, *into)
    while not begun.exists() and process.poll() is None:
        time.sleep(0.05)
    kernels = below(process.pid)
    (os.killpg if name == "SIGINT" else os.kill)(process.pid, getattr(signal, name))
    _, said = process.communicate()
    assert (said, process.returncode) == (f"Stopped: {words}\n", 1)
    assert kernels and not any(map(runs, kernels))
    begun.unlink()
    left = {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert left.pop("01_page.ipynb") == before and not {name for name in left if ".part" in name or ".html" in name}

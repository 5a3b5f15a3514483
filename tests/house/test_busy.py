"""Test tools/busy.py: busy loops run as long as the command does, and are gone after it, however it ends."""

import os
import signal
import subprocess
import sys
import time

import busy
import psutil  # comes with ipykernel
import pytest
from nb.files import COURSE

pytestmark = pytest.mark.timed

BUSY = [sys.executable, COURSE / "tools" / "busy.py"]
# A program that waits until each busy loop beside it has used 0.1 s of CPU time, prints their ids, and reads a line.
LOOK = """
import os, psutil
this = psutil.Process()
loops = [one for one in this.parent().children() if one.pid != this.pid]
while any(one.cpu_times().user < 0.1 for one in loops):
    pass
print(*[one.pid for one in loops], flush=True)
input()
"""


def start(*command, **options):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([*BUSY, *command], **pipes, **options)


def runs(pid):
    try:
        return psutil.Process(int(pid)).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_the_loops_are_busy_beside_the_command_and_gone_after_it():
    with start(sys.executable, "-c", LOOK) as process:
        loops = process.stdout.readline().split()
        assert len(loops) == 2 * os.cpu_count() and all(map(runs, loops))
        _, said = process.communicate("\n")
    assert (process.returncode, said) == (0, "")
    assert not any(map(runs, loops))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_the_loops_end_where_it_is_killed():
    with start(sys.executable, "-c", LOOK) as process:
        loops = process.stdout.readline().split()
        process.kill()
        process.wait()
        process.communicate("\n")  # returns once the loops have closed their stderr, so they are ending
    assert len(loops) == 2 * os.cpu_count()
    while any(map(runs, loops)):
        time.sleep(0.01)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_ctrl_c_ends_the_command_and_the_loops():
    # A shell may ignore Ctrl-C for background jobs, and subprocesses inherit that; so restore the default here.
    heard = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    with start(sys.executable, "-c", LOOK, start_new_session=True, **heard) as process:
        loops = process.stdout.readline().split()
        os.killpg(process.pid, signal.SIGINT)  # a terminal sends Ctrl-C to the whole group
        _, said = process.communicate()
    assert process.returncode not in (None, 0) and said.count("Traceback") == 1  # only the command's own traceback
    assert not any(map(runs, loops))


@pytest.mark.parametrize("code", [0, 7])
def test_the_exit_code_is_the_commands(code):
    assert busy.run_beside(0, [sys.executable, "-c", f"raise SystemExit({code})"]) == code


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_the_exit_code_tells_a_signal_as_a_shell_does():
    assert busy.run_beside(0, ["sh", "-c", "kill -KILL $$"]) == 128 + signal.SIGKILL


def test_a_command_that_is_not_there_is_said():
    # with its folder: where a folder of PATH is another user's, the system says that permission is denied
    run = subprocess.run([*BUSY, "./no-such-command"], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (127, "./no-such-command cannot be run: No such file or directory.\n")
    assert "needs a command" in subprocess.run(BUSY, capture_output=True, text=True).stderr

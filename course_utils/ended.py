"""Whether this notebook's last kernel ended without leave, as one does that the system stops for its memory.

A kernel leaves a mark beside the learner's progress, and takes it away when it ends by leave: shut down, restarted, or
closed because it was idle. A mark that stays is told of if the server that ran the kernel still runs, or if the system
has stopped anything for its memory since. Else the server or the computer ended with the kernel, and nothing is said.
"""

import atexit
import json
import os
import sys
from pathlib import Path

from course_utils import progress

FOLDER = ".running"  # a mark for each kernel: <notebook>.<process>.json
BOOT, COUNTS = Path("/proc/sys/kernel/random/boot_id"), Path("/proc/vmstat")


def without_leave(shell):
    """Leave this kernel's mark, and return whether the notebook's last kernel ended without leave: True once for each.

    shell: IPython's. Where no progress is kept, or the notebook is not known, nothing is left, and False returned.
    """
    notebook, kept = Path(os.environ.get("JPY_SESSION_NAME", "")), progress.path()  # Jupyter's server sets the name
    if notebook.suffix != ".ipynb" or kept is None:
        return False
    try:
        return _begin(shell, kept.with_name(FOLDER), notebook.stem)
    except OSError:  # a folder that cannot be written, or a full disk
        return False


def _begin(shell, folder, notebook):
    pid = os.getpid()
    own = folder / f"{notebook}.{pid}.json"
    mark = {"kernel": _process(pid), "server": _process(os.getppid()), "kills": _kills()}
    if mark["kernel"] is None or _read(own).get("kernel") == mark["kernel"]:
        return False  # processes cannot be told apart here, or this one has left its mark
    ended = [_ended_without_leave(one) for one in folder.glob("*.json") if one.stem.rpartition(".")[0] == notebook]
    folder.mkdir(parents=True, exist_ok=True)
    own.write_text(json.dumps(mark), "utf-8")

    def leave(_=None):
        if os.getpid() == pid:  # and not a process that the learner's code has split off
            _remove(own)

    atexit.register(leave)
    if shell.has_trait("exit_now"):  # set when a shutdown is asked for: a cell that still runs then is ended by force
        shell.observe(leave, "exit_now")
    return any(ended)


def _ended_without_leave(file):
    """Whether a mark is of a kernel that ended while its server ran, or for its memory; removes marks that are done."""
    mark = _read(file)
    if _runs(mark.get("kernel")):
        return False  # the same notebook, open twice
    _remove(file)
    return _runs(mark.get("server")) or _killed_since(mark.get("kills"))


def _read(file):
    """What a mark says; nothing, if it cannot be read."""
    try:
        mark = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return mark if isinstance(mark, dict) else {}


def _remove(file):
    try:
        file.unlink(missing_ok=True)
        file.parent.rmdir()
    except OSError:  # there are other marks
        pass


def _process(pid):
    """A process as text that no other has, not even a later one with its number; None if it does not run."""
    try:
        if sys.platform == "linux":
            state, *numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            began = numbers[18]  # in ticks since the computer was started
            return None if state == "Z" else f"{pid} {began} {BOOT.read_text().strip()}"
        import psutil  # comes with ipykernel

        return f"{pid} {psutil.Process(pid).create_time()}"
    except Exception:  # there is none, it may not be asked about, or the system tells it otherwise
        return None


def _runs(process):
    pid = process.partition(" ")[0] if isinstance(process, str) else ""
    return pid.isdecimal() and _process(int(pid)) == process


def _kills():
    """How often Linux has stopped a process for memory since the computer was started, as [start, number], or None."""
    try:
        counts = dict(line.split() for line in COUNTS.read_text().splitlines())
        return [BOOT.read_text().strip(), int(counts["oom_kill"])]
    except (OSError, ValueError, KeyError):
        return None


def _killed_since(kills):
    now = _kills()
    try:
        return kills[0] == now[0] and kills[1] < now[1]
    except (TypeError, LookupError):
        return False

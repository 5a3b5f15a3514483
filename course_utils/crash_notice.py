"""Detect that this notebook's previous kernel was killed (for example out of memory) instead of shut down.

A kernel writes a marker file beside the learner's progress, and removes it when it ends normally: shut down, restarted,
or culled because it was idle. A marker that is left behind counts as a killed kernel if the server that ran the kernel
still runs, or if the system has killed any process for memory since the kernel started. Otherwise, the server or the
computer ended together with the kernel, and nothing is reported.
"""

import atexit
import json
import os
import sys
from pathlib import Path

from course_utils import progress
from course_utils.files import read_json

FOLDER = ".running"  # holds a marker for each kernel: <notebook>.<process id>.json
BOOT, COUNTS = Path("/proc/sys/kernel/random/boot_id"), Path("/proc/vmstat")


def without_leave(shell) -> bool:
    """Write this kernel's marker file, and return whether the notebook's previous kernel was killed.

    True is returned once for each killed kernel, since its marker is then removed. This kernel's marker is removed when
    it ends normally. shell: the InteractiveShell of IPython. Where no progress is kept, or the name of the notebook is
    not known, nothing is written, and False is returned; likewise if the files cannot be read or written.
    """
    notebook, kept = Path(os.environ.get("JPY_SESSION_NAME", "")), progress.path()  # Jupyter's server sets the variable
    if notebook.suffix != ".ipynb" or kept is None:
        return False
    try:
        return _begin(shell, kept.with_name(FOLDER), notebook.stem)
    except OSError:  # a folder that cannot be written, or a full disk
        return False


def _begin(shell, folder: Path, notebook: str) -> bool:
    """Write this kernel's marker, and return whether another marker of the notebook is of a killed kernel.

    shell: the InteractiveShell of IPython. folder: that of the markers. notebook: its file name without suffix. Markers
    of kernels that no longer run are removed, and this kernel's will be when it ends. A second call in the same kernel,
    or one on a system that cannot identify processes, only returns False. Errors: OSError.
    """
    pid = os.getpid()
    own = folder / f"{notebook}.{pid}.json"
    mark = {"kernel": _process(pid), "server": _process(os.getppid()), "kills": _kills()}
    if mark["kernel"] is None or _read(own).get("kernel") == mark["kernel"]:
        return False  # this system cannot identify processes, or this kernel has written its marker already
    ended = [_ended_without_leave(one) for one in folder.glob("*.json") if one.stem.rpartition(".")[0] == notebook]
    folder.mkdir(parents=True, exist_ok=True)
    own.write_text(json.dumps(mark), "utf-8")

    def leave(_=None):
        """Remove this kernel's marker, unless this is a fork: a callback of atexit and of a trait; `_` is ignored."""
        if os.getpid() == pid:  # not in a process that the learner's code has forked
            _remove(own)

    atexit.register(leave)
    if shell.has_trait("exit_now"):  # set when a shutdown is requested: a kernel with a running cell may be killed then
        shell.observe(leave, "exit_now")
    return any(ended)


def _ended_without_leave(file: Path) -> bool:
    """Return whether the kernel of the marker `file` was killed; remove the marker, unless the kernel still runs.

    It was if it has ended, and its server still runs or the system has since killed a process for lack of memory.
    """
    mark = _read(file)
    if _runs(mark.get("kernel")):
        return False  # the same notebook is open twice
    _remove(file)
    return _runs(mark.get("server")) or _killed_since(mark.get("kills"))


def _read(file: Path) -> dict:
    """Return the content of a marker, a JSON file; {} if it cannot be read, or holds no JSON object."""
    mark = read_json(file)
    return mark if isinstance(mark, dict) else {}


def _remove(file: Path) -> None:
    """Remove a marker if it exists, and its folder if that is then empty. An OSError is ignored."""
    try:
        file.unlink(missing_ok=True)
        file.parent.rmdir()
    except OSError:  # the folder holds other markers
        pass


def _process(pid: int) -> str | None:
    """Return a text that identifies the process with an id, even from a later process with the same id.

    Return None if the process does not run, or if this system does not say.
    """
    try:
        if sys.platform == "linux":
            state, *numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            began = numbers[18]  # start time, in clock ticks since the computer was started
            return None if state == "Z" else f"{pid} {began} {BOOT.read_text().strip()}"
        import psutil  # comes with ipykernel

        return f"{pid} {psutil.Process(pid).create_time()}"
    except Exception:  # there is no such process, access to it is denied, or /proc has another format
        return None


def _runs(process) -> bool:
    """Return whether a process still runs. process: what `_process` returned for it; for anything else, False."""
    pid = process.partition(" ")[0] if isinstance(process, str) else ""
    return pid.isdecimal() and _process(int(pid)) == process


def _kills() -> list | None:
    """Return [boot id (str), how many processes Linux has killed for lack of memory since boot]; None if not known."""
    try:
        counts = dict(line.split() for line in COUNTS.read_text().splitlines())
        return [BOOT.read_text().strip(), int(counts["oom_kill"])]
    except (OSError, ValueError, KeyError):
        return None


def _killed_since(kills) -> bool:
    """Return whether Linux killed a process for lack of memory since `_kills` returned `kills`; False if not known."""
    now = _kills()
    try:
        return kills[0] == now[0] and kills[1] < now[1]
    except (TypeError, LookupError):
        return False

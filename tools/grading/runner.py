"""Run the grader on one notebook: in a sandbox, in a container, or unconfined with the caller's rights."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

from nb.files import COURSE, NotebookError

from grading import sandbox

TOOLS = Path(__file__).resolve().parents[1]
GRADER = TOOLS / "grade_submission.py"
SECONDS = 60  # CPU seconds for one notebook; a right one takes five
WALL_SECONDS = 600  # wall-clock seconds for all notebooks of one student, for code that waits or a machine that is busy
STOPPED = "Grading was stopped before this notebook had ended."
MOST_READ = 2**20  # bytes of the grader's output; a hundred exercises fill a tenth of it
OUT_OF_TIME = (-signal.SIGXCPU, 128 + signal.SIGXCPU) if hasattr(signal, "SIGXCPU") else ()  # bare, and in a sandbox
ENGINES = ("podman", "docker")
IN_THE_IMAGE = "/course"  # the path of the course inside a container
ENGINE_FAILED = range(125, 128)  # exit codes of podman and docker when they cannot start the command
INHERITED = ("PATH", "LANG", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "ATEN_CPU_CAPABILITY")
SETTINGS = {
    "OMP_NUM_THREADS": "1",
    "COURSE_PROGRESS": "off",  # so that a student's pass is not recorded as the caller's
    "PYTHONHASHSEED": "0",  # so that sets are ordered alike in every run
    "PYTHONIOENCODING": "utf-8",
}


class Way(NamedTuple):
    """A way to run the grader. protection: a sentence or two on what it protects from.

    engine, image: "podman" or "docker" and the container image; None without a container. sandbox: None without one.
    """

    protection: str
    engine: str | None = None
    image: str | None = None
    sandbox: tuple | None = None


class GraderRun(NamedTuple):
    """One run of the grader. output: what it printed. failure: how it ended, a sentence; None if normally."""

    output: str
    failure: str | None


def find_way(image: str | None = None, unconfined=False) -> Way:
    """Return the way to run notebooks here: in a container of this image, with the caller's rights, or in a sandbox."""
    if image:
        engine = next(filter(shutil.which, ENGINES), None)
        if engine is None:
            raise NotebookError("--in needs podman or docker, and neither is on the PATH: install one of them.")
        return Way(
            f"Each notebook ran in a container of its own ({engine}), without network, and could change nothing.",
            engine,
            image,
        )
    if unconfined:
        protection = "Each notebook ran with your rights: it could read and change your files, and use the network."
        return Way(f"{protection} See the guide.")
    sandboxed = sandbox.find(_environment(sandbox.FOLDER))
    return Way(sandboxed.protection, sandbox=sandboxed)


def container_command(way: Way, name: str, exercises=()) -> list[str]:
    """Return the command line that grades a notebook in a container, which reads some folders of the course."""
    lent = [f"--volume={COURSE / part}:{IN_THE_IMAGE}/{part}:ro" for part in sandbox.LENT]
    settings = _settings() | {"HOME": "/tmp", "PYTHONPATH": f"{IN_THE_IMAGE}:{IN_THE_IMAGE}/tools"}
    return [
        *(way.engine, "run", "--rm", "--interactive", f"--name={name}"),
        *("--network=none", "--read-only", "--tmpfs=/tmp:rw,size=64m,mode=1777"),
        *("--memory=3g", "--memory-swap=3g", "--cpus=1", "--pids-limit=64"),
        *("--cap-drop=ALL", "--security-opt=no-new-privileges", "--security-opt=label=disable"),
        *("--user=65534:65534", "--workdir=/tmp", *lent),
        "--entrypoint=python",  # a hub's image would start by copying the notebooks
        *(f"--env={key}={value}" for key, value in settings.items()),
        *(way.image, f"{IN_THE_IMAGE}/tools/{GRADER.name}", *exercises),
    ]


def run(way: Way, data: bytes, name: str, exercises=(), seconds=None, stop=None) -> GraderRun:
    """Run the grader on the content of a notebook's file; return what it printed and how it ended.

    name: of the container, different for each notebook. exercises: those to grade; if empty, all. seconds: on the wall
    clock. stop: a threading.Event that kills it. Errors: NotebookError if the container cannot be started.
    """
    seconds, stop = WALL_SECONDS if seconds is None else seconds, stop or threading.Event()
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryFile() as submission,
        tempfile.TemporaryFile() as printed,
        tempfile.TemporaryFile() as errors,
    ):
        submission.write(data)
        submission.seek(0)
        if way.engine:
            command, options = container_command(way, name, exercises), {}
        else:
            command, options = _local_command(way, [str(GRADER), *exercises], Path(folder))
        process = subprocess.Popen(
            command,
            stdin=submission,
            stdout=printed,
            stderr=errors if way.engine else subprocess.DEVNULL,
            start_new_session=True,  # so that its child processes can be killed with it
            **options,
        )
        end, is_too_much = time.monotonic() + seconds, False
        try:
            while (code := process.poll()) is None and time.monotonic() < end and not (is_too_much or stop.wait(0.05)):
                is_too_much = os.fstat(printed.fileno()).st_size > MOST_READ
        finally:
            _kill(process, way, name)
        printed.seek(0), errors.seek(0)
        output = printed.read(MOST_READ)
        if way.engine and code in ENGINE_FAILED and not output:
            words = errors.read(2000).decode("utf-8", "replace").strip().splitlines() or ["it gave no reason"]
            raise NotebookError(f"{way.engine} could not start the container: {words[-1]}")
    failure = STOPPED if code is None and stop.is_set() else _failure(code, len(output), seconds)
    return GraderRun(output.decode("utf-8", "replace"), failure)


def _local_command(way: Way, arguments: list[str], folder: Path) -> tuple[list, dict]:
    """Return (command line, keyword arguments of `subprocess`) to run Python without a container; `folder` is empty."""
    import matplotlib  # imported here, since no container needs it; an answer that draws would build the lists anew

    font_lists = [shutil.copy(path, folder) for path in Path(matplotlib.get_cachedir()).glob("fontlist-*.json")]
    if way.sandbox is None:
        return [sys.executable, *arguments], {"cwd": folder, "env": _environment(folder)}
    folder.chmod(0o755)  # so that the user nobody can read the font lists
    options = {"cwd": "/", "env": _environment(sandbox.FOLDER)} | way.sandbox.user_options()
    return way.sandbox.command(arguments, map(Path, font_lists)), options


def _settings() -> dict[str, str]:
    return SETTINGS | {"GRADING_SECONDS": str(SECONDS)}


def _environment(folder) -> dict[str, str]:
    """Return the grader's environment: `folder` as home, settings, and those of our variables that hold no secret."""
    paths = [str(TOOLS), str(COURSE), *filter(None, [os.environ.get("PYTHONPATH")])]
    ours = {name: os.environ[name] for name in INHERITED if name in os.environ}
    places = {name: str(folder) for name in ("HOME", "USERPROFILE", "TMPDIR", "TEMP", "MPLCONFIGDIR")}
    return ours | _settings() | places | {"PYTHONPATH": os.pathsep.join(paths)}


def _kill(process: subprocess.Popen, way: Way, name: str):
    """Kill a process with all that it has started, and its container, `name`."""
    if way.engine and process.poll() is None:
        subprocess.run([way.engine, "rm", "--force", name], capture_output=True)
    if hasattr(os, "killpg"):
        try:
            os.killpg(process.pid, 9)
        except ProcessLookupError:
            pass  # the whole group has ended already
    else:
        process.kill()
    process.wait()


def _failure(code: int | None, length: int, seconds: float) -> str | None:
    """Return how the grader ended, a sentence; None if normally. code: its exit code, None if it was killed."""
    if length >= MOST_READ:
        return "The notebook printed more than there is room for and was stopped here."
    if code == 0:
        return None
    if code is None:
        return f"The notebook had not ended after {seconds:.0f} seconds by the clock and was stopped here."
    if code in OUT_OF_TIME:
        return f"The notebook computed for more than {SECONDS} seconds and was stopped here."
    return "The process that ran the notebook broke off here: a crash, or an exit that the code asked for."

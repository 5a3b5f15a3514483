"""Run the grader on one notebook, in a process that can harm nobody, as far as the system lets: three ways to do it."""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import NamedTuple

from confined import UNSHARE
from notebook_files import COURSE, NotebookError

TOOLS = Path(__file__).parent
GRADER = TOOLS / "grade_submission.py"
SECONDS = 60  # for one notebook; a right one takes five
MOST_READ = 2**20  # bytes of findings; a hundred exercises fill a tenth of it
ENGINES = ("podman", "docker")
IN_THE_IMAGE = "/course"  # where a container finds the course
LENT = ("course_utils", "tools", "data")  # what it is given of the course, to be read
ENGINE_FAILED = range(125, 128)  # what podman and docker exit with when they could not start the command
NOBODY = 65534  # the user whom no file belongs to
AS_ROOT = (
    " You are root, so it could read every file of this machine, and what it read may stand in its table and on its "
    "page: grade as a user of its own."
)
INHERITED = ("PATH", "LANG", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "ATEN_CPU_CAPABILITY")
SETTINGS = {
    "OMP_NUM_THREADS": "1",
    "COURSE_PROGRESS": "off",  # a pass of a student's is no pass of yours
    "PYTHONHASHSEED": "0",  # the same order of everything, each time
    "PYTHONIOENCODING": "utf-8",
}


class Way(NamedTuple):
    """A way to run the grader. engine, image: podman or docker, and what it runs; None for a process of this system.

    confined: whether that process is sealed off. words: what the way protects from. user: whom it runs as, a number;
    None for who has called.
    """

    engine: str | None
    image: str | None
    confined: bool
    words: str
    user: int | None = None


class Ended(NamedTuple):
    """What the grader printed, as text, and a word on how it ended; None if it ended as it should."""

    printed: str
    how: str | None


def find_way(image=None):
    """The best way there is; with an image, a container of it. Errors: NotebookError if nothing runs containers."""
    if image:
        engine = next(filter(shutil.which, ENGINES), None)
        if engine is None:
            raise NotebookError("--in needs podman or docker, and neither is on the PATH: install one of them.")
        words = f"Each notebook ran in a container of its own ({engine}), without network, and could change nothing."
        return Way(engine, image, False, words)
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if is_root and _can_confine(NOBODY):
        return Way(None, None, True, "Each notebook ran as nobody, without network, and could change no file.", NOBODY)
    warning = AS_ROOT if is_root else ""
    if _can_confine():
        return Way(None, None, True, f"Each notebook ran without network, and could change no file.{warning}")
    words = f"Each notebook ran with your rights: it could read and change your files. See the guide.{warning}"
    return Way(None, None, False, words)


def container_command(way, name, exercises=()):
    """The command line of a container for one notebook: nothing of this machine but the course, and that to be read."""
    lent = [f"--volume={COURSE / part}:{IN_THE_IMAGE}/{part}:ro" for part in LENT]
    settings = SETTINGS | {"HOME": "/tmp", "PYTHONPATH": f"{IN_THE_IMAGE}:{IN_THE_IMAGE}/tools"}
    return [
        *(way.engine, "run", "--rm", "--interactive", f"--name={name}"),
        "--network=none",
        "--read-only",
        "--tmpfs=/tmp:rw,size=64m,mode=1777",
        *("--memory=3g", "--memory-swap=3g", "--cpus=1", "--pids-limit=64"),
        *("--cap-drop=ALL", "--security-opt=no-new-privileges", "--security-opt=label=disable"),
        *("--user=65534:65534", "--workdir=/tmp"),
        "--entrypoint=python",  # an image of a hub begins with a student's copies
        *lent,
        *(f"--env={key}={value}" for key, value in settings.items()),
        *(way.image, f"{IN_THE_IMAGE}/tools/{GRADER.name}", *exercises),
    ]


def run(way, data, name, exercises=()):
    """Run the grader on the bytes of a notebook. name: of the container, another for each. exercises: those to grade.

    Errors: NotebookError if podman or docker cannot start it.
    """
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as said:
        given.write(data)
        given.seek(0)
        for font_list in () if way.engine else _font_lists():
            shutil.copy(font_list, folder)
        if way.user is not None:
            os.chown(folder, way.user, way.user)
        process = subprocess.Popen(
            container_command(way, name, exercises) if way.engine else _command(way, folder, exercises),
            cwd=folder,  # what an answer writes goes with it
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=said if way.engine else subprocess.DEVNULL,
            env=None if way.engine else _environment(folder),
            start_new_session=True,  # so that what it starts ends with it
            **_whom(way.user),
        )
        printed, ended = _watched(process, way, name)
        said.seek(0)
        if way.engine and ended in ENGINE_FAILED and not printed:
            words = said.read(2000).decode("utf-8", "replace").strip().splitlines() or ["it gave no reason"]
            raise NotebookError(f"{way.engine} could not start the container: {words[-1]}")
    return Ended(printed.decode("utf-8", "replace"), _how(ended, len(printed)))


def _command(way, folder, exercises):
    before = [*UNSHARE, sys.executable, str(TOOLS / "confined.py"), folder] if way.confined else [sys.executable]
    return [*before, str(GRADER), *exercises]


def _environment(folder):
    """No more of ours than Python needs: a key or a password in a variable is nobody's business."""
    paths = [str(TOOLS), str(COURSE), *filter(None, [os.environ.get("PYTHONPATH")])]
    ours = {name: os.environ[name] for name in INHERITED if name in os.environ}
    places = {name: folder for name in ("HOME", "USERPROFILE", "TMPDIR", "TEMP", "MPLCONFIGDIR")}
    return ours | SETTINGS | places | {"PYTHONPATH": os.pathsep.join(paths)}


def _font_lists():
    """What matplotlib has found out about fonts: without it, an answer that draws would wait for it."""
    import matplotlib  # here, since no container needs it

    return Path(matplotlib.get_cachedir()).glob("fontlist-*.json")


def _watched(process, way, name):
    """What a process prints, up to a limit, and its exit code; None where it took too long or said too much."""
    printed, too_much = bytearray(), threading.Event()

    def read():
        while chunk := process.stdout.read1(2**16):
            printed.extend(chunk)
            if len(printed) > MOST_READ:
                too_much.set()
                _end(process, way, name)
                return

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        ended = process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        ended = None
    finally:
        _end(process, way, name)
    reader.join(5)  # whatever got away may hold the other end of the pipe
    return bytes(printed[:MOST_READ]), None if too_much.is_set() else ended


def _end(process, way, name):
    """End the process and whatever it has started."""
    if way.engine and process.poll() is None:
        subprocess.run([way.engine, "rm", "--force", name], capture_output=True)
    if hasattr(os, "killpg"):
        try:
            os.killpg(process.pid, 9)
        except ProcessLookupError:
            pass  # all of it has ended
    else:
        process.kill()
    process.wait()


def _how(ended, length):
    if ended == 0:
        return None
    if length >= MOST_READ:
        return "The notebook printed more than there is room for and was stopped here."
    if ended is None:
        return f"The notebook took longer than {SECONDS} seconds and was stopped here."
    return "The process that ran the notebook broke off here: a crash, or an exit that the code asked for."


def _whom(user):
    return {} if user is None else {"user": user, "group": user, "extra_groups": ()}


def _can_confine(user=None):
    """Whether this system gives a process of a user's a view of its own, and lets it read the course."""
    if sys.platform != "linux" or shutil.which(UNSHARE[0]) is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        if user is not None:
            os.chown(folder, user, user)
        trial = [
            *UNSHARE,
            sys.executable,
            str(TOOLS / "confined.py"),
            folder,
            "-c",
            "import course_utils.course, numpy",
        ]
        options = {"env": _environment(folder), "cwd": folder, "capture_output": True} | _whom(user)
        try:
            return subprocess.run(trial, check=False, **options).returncode == 0
        except PermissionError:  # somebody who may not even start this Python
            return False

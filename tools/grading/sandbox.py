"""Make a sandbox with bubblewrap for programs that are not trusted; find out by trying what this machine allows."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from nb.files import COURSE, NotebookError

FOLDER = "/submission"  # the working directory in a sandbox, a tmpfs
ROOM = 64 * 2**20  # bytes of that tmpfs
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/nix", "/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives")
LENT = ("course_utils", "lessons", "tools", "data")  # folders of the course that the sandbox can read
# /proc is made read-only, since root in the sandbox could write to /proc/sys. Some containers allow no new /proc; then
# the sandbox has none.
PROC = ("--proc", "/proc", "--remount-ro", "/proc")
NOBODY = 65534  # the user id of nobody, who owns no files
# systemd, where it is there, limits memory a second time, including kernel memory that no process limit counts.
SCOPE = "--scope --quiet --collect -p MemoryMax=3G -p MemorySwapMax=0 -p TasksMax=256".split()
TRIAL = "import sys, torch, course_utils.course; from grading.resource_limits import limit; sys.exit(not limit(60))"
NOT_HERE = """\
Nothing was graded. To grade a notebook is to run it, and here nothing would keep it from your files, from the network
and from other programs: {why}. There are three ways on:
- {how}
- run each notebook in a container: the option --in IMAGE;
- let the notebooks run with your own rights, if you trust all who wrote them: the option --unconfined."""


class Sandbox(NamedTuple):
    """A sandbox that works. before: the start of its command line. user: the id to start it as; None for the caller."""

    protection: str
    before: tuple
    user: int | None

    def command(self, arguments: list, files=()) -> list:
        """Return the command line that runs Python with these arguments in the sandbox, which can read `files`, too."""
        binds = [("--ro-bind", path, f"{FOLDER}/{path.name}") for path in files]
        return [*self.before, *(part for bind in binds for part in bind), sys.executable, *arguments]

    def user_options(self) -> dict:
        return {} if self.user is None else {"user": self.user, "group": self.user, "extra_groups": ()}


def find(environment: dict[str, str]) -> Sandbox:
    """Return the first sandbox in which the grader starts, rather as nobody and with a /proc. Errors: NotebookError."""
    if sys.platform != "linux":
        raise NotebookError(NOT_HERE.format(why="bubblewrap needs Linux", how="grade on Linux, in a sandbox;"))
    if not shutil.which("bwrap"):
        how = "install bubblewrap, which makes a sandbox (Debian and Ubuntu: apt install bubblewrap);"
        raise NotebookError(NOT_HERE.format(why="bubblewrap is not installed", how=how))
    for user in (NOBODY, None) if os.geteuid() == 0 else (None,):
        scope = _memory_scope(user)
        for proc in (PROC, ()):
            sandbox = Sandbox(_protection(user, scope), (*scope, *_bubblewrap(proc)), None if scope else user)
            problem = _try(sandbox, environment)
            if problem is None:
                return sandbox
    how = "allow user namespaces, which a sandbox is made of;"
    raise NotebookError(NOT_HERE.format(why=f"bubblewrap could make no sandbox ({problem})", how=how))


def _try(sandbox: Sandbox, environment: dict) -> str | None:
    """Start the grader in a sandbox as a trial; return None if it starts, else the last line of its errors."""
    options = {"cwd": "/", "env": environment, "capture_output": True} | sandbox.user_options()
    try:
        trial = subprocess.run(sandbox.command(["-c", TRIAL]), **options)
    except PermissionError as error:  # the user nobody has no permission to start bubblewrap
        return error.strerror
    lines = trial.stderr.decode("utf-8", "replace").strip().splitlines() or ["it gave no reason"]
    return lines[-1] if trial.returncode else None


def _protection(user: int | None, scope: tuple) -> str:
    identity, counted = "as nobody, " if user else "", ", which systemd counts as well" if scope else ""
    return (
        f"Each notebook ran in a sandbox of its own (bubblewrap), {identity}without network, "
        f"with 2 GB of memory{counted}. It could read the system's programs, Python and the course, and change nothing."
    )


def _memory_scope(user: int | None) -> tuple:
    """Return the start of a command line that has systemd limit the memory of what follows; () if it cannot."""
    owner = ["--user"] if os.geteuid() else [f"--uid={user}", f"--gid={user}"] if user else []
    scope = (shutil.which("systemd-run"), *SCOPE, *owner)
    works = scope[0] and subprocess.run([*scope, "true"], capture_output=True).returncode == 0
    return scope if works else ()


def _bubblewrap(proc: tuple) -> tuple:
    """Return the start of a command line that runs what follows it in a sandbox. proc: the options that mount /proc."""
    libraries = Path(importlib.util.find_spec("torch").origin).parents[1]
    read = [*SYSTEM, sys.base_prefix, sys.prefix, libraries, *(COURSE / part for part in LENT)]
    return (
        *(shutil.which("bwrap"), "--unshare-all", "--unshare-user"),
        *("--cap-drop", "ALL", "--new-session", "--die-with-parent"),
        *(part for path in dict.fromkeys(map(str, read)) for part in ("--ro-bind-try", path, path)),
        *("--dev", "/dev", "--remount-ro", "/dev", *proc),
        *("--perms", "0700", "--size", str(ROOM), "--tmpfs", FOLDER, "--chdir", FOLDER),
        *("--remount-ro", "/"),  # otherwise the root of the sandbox would be a tmpfs without a limit
    )

#!/usr/bin/env python3
"""Install the course: into .venv, for your own computer, or part by part into the Python that runs this.

    python3 tools/install.py                            into .venv, as `make env` does
    python3 tools/install.py packages hub course        for a container, a hub's machine, Binder

It needs Python alone. pip follows the settings that you gave it. On Linux, PyTorch's build without CUDA is taken,
200 MB instead of 3 GB: PyTorch's own index has it, and uv knows where that is. With TORCH=cuda in the environment, or
where that index does not answer, pip takes its own choice.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

COURSE = Path(__file__).resolve().parents[1]
VENV = COURSE / ".venv"
LOCK = COURSE / "requirements.lock"
STAMP = VENV / LOCK.name  # a copy of the lock, written last: without it, the installation is not whole
PYTHONS = (3, 11), (3, 13)
UV = "uv>=0.8,<1"
PATIENCE = 7  # seconds for uv to ask PyTorch's index
QUICK = {"UV_HTTP_TIMEOUT": "5", "UV_HTTP_CONNECT_TIMEOUT": "5", "UV_HTTP_RETRIES": "0"}  # of uv; in seconds
NO_ANSWER = (
    "PyTorch's own index did not answer: {why}. So pip installs PyTorch; its default build for Linux takes about 3 GB, "
    "unless pip's settings name a source of a smaller one."
)
AGAIN = "{command} stopped. Run the same again: it goes on from here. If that does not help, delete .venv first."


class Stopped(Exception):
    """The installation cannot go on; the message says why, and what to do."""


def environment() -> None:
    """Make .venv and install the course into it, or take up an installation that broke off; nothing if it is whole."""
    if not PYTHONS[0] <= sys.version_info[:2] <= PYTHONS[1]:
        found = f"{sys.executable} is {sys.version_info[0]}.{sys.version_info[1]}"
        raise Stopped(f"The course needs Python 3.11, 3.12 or 3.13; {found}. Name another: make lab PYTHON=python3.12")
    is_whole = STAMP.is_file() and STAMP.read_bytes() == LOCK.read_bytes()
    if is_whole and not os.environ.get("TORCH"):
        return
    if importlib.util.find_spec("ensurepip") is None:
        raise Stopped("ensurepip is not available. On Debian and Ubuntu: sudo apt install python3-venv")
    STAMP.unlink(missing_ok=True)
    _forget_half_installed()
    _run(sys.executable, "-m", "venv", VENV)
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    packages(python, "--no-compile")  # Python compiles what it imports: to compile all takes as long as to install it
    _pip(python, "--quiet", "--no-deps", "--no-build-isolation", "--editable", COURSE)
    shutil.copyfile(LOCK, STAMP)


def packages(python, *options) -> None:
    torch(python)
    _pip(python, *options, "--requirement", LOCK)


def hub(python) -> None:
    _pip(python, "--no-cache-dir", "--requirement", COURSE / "deploy" / "hub.lock", "--constraint", LOCK)


def course(python) -> None:
    """Install the course, and the models' weights, for students who cannot write here.

    Editable, because the code finds its data beside itself; compiled now, because students could not store that.
    """
    _pip(python, "--no-deps", "--no-build-isolation", "--editable", COURSE)
    _run(python, "-m", "course_utils.fetch")
    _run(python, "-m", "compileall", "-q", COURSE / "course_utils", COURSE / "lessons", COURSE / "tools")
    _run(python, "-c", "from course_utils.models import minilm, smollm; minilm.load(), smollm.load()")


PARTS = {"packages": lambda python: packages(python, "--no-cache-dir"), "hub": hub, "course": course}


def torch(python) -> None:
    """Install PyTorch without CUDA where that is wanted, so that pip finds PyTorch installed; else leave it to pip.

    It is wanted on Linux where the lock's version is not there yet. TORCH in the environment, "cuda" or "cpu", changes
    that.
    """
    asked, found = os.environ.get("TORCH", ""), _installed(python, "torch")
    if asked not in ("", "cpu", "cuda"):
        raise Stopped(f"TORCH={asked} is not known: choose cpu or cuda.")
    version = next(line[7:] for line in LOCK.read_text("utf-8").splitlines() if line.startswith("torch=="))
    without_cuda = f"{version}+cpu"
    if asked == "cuda" and found == without_cuda:
        _run(python, "-m", "pip", "uninstall", "--quiet", "--yes", "torch")
    if asked == "cuda" or not sys.platform.startswith("linux"):
        return
    if found == without_cuda or (found == version and not asked):
        return
    if why := _by_uv(python, f"torch=={version}"):
        print(NO_ANSWER.format(why=why), flush=True)


def _by_uv(python, requirement: str) -> str:
    """Install one package from PyTorch's index of builds without CUDA; return "", or the reason why it did not work."""
    pip = [python, "-m", "pip", "--quiet"]
    options = {"stdin": subprocess.DEVNULL, "env": os.environ | QUICK}
    with tempfile.TemporaryFile() as said:  # not a pipe, which a child of a process that was killed would hold
        if subprocess.run([*pip, "install", "--retries=0", "--timeout=5", UV], stdout=said, stderr=said).returncode:
            return "uv, which asks it, could not be installed"
        uv = [python, "-m", "uv", "pip", "install", "--python", python, "--no-deps", "--torch-backend=cpu"]
        try:
            said.truncate(0)
            asks = subprocess.run([*uv, "--dry-run", requirement], stderr=said, timeout=PATIENCE, **options)
            # After an answer, the download may take its time.
            if asks.returncode == 0 and subprocess.run([*uv, "--reinstall", requirement], **options).returncode == 0:
                return ""
            said.seek(0)
            lines = said.read().decode("utf-8", "replace").strip().splitlines()
            return lines[-1].replace("cause:", "").strip() if asks.returncode and lines else "uv stopped"
        except subprocess.TimeoutExpired:
            return f"{PATIENCE} seconds passed"
        finally:
            subprocess.run([*pip, "uninstall", "--yes", "uv"], stdout=said, stderr=said)


def _installed(python, name: str) -> str:
    """Return the version of an installed package, such as "2.13.0+cpu"; "" if there is none."""
    code = (
        "import sys, importlib.metadata as m; print(next((d.version for d in m.distributions(name=sys.argv[1])), ''))"
    )
    return subprocess.run([python, "-c", code, name], stdout=subprocess.PIPE, text=True).stdout.strip()


def _forget_half_installed() -> None:
    """Delete the records of packages whose installation was killed, which pip cannot mend; it writes RECORD last."""
    for record in (*VENV.glob("lib/*/site-packages/*.dist-info"), *VENV.glob("Lib/site-packages/*.dist-info")):
        if not (record / "RECORD").is_file():
            shutil.rmtree(record)


def _pip(python, *arguments) -> None:
    _run(python, "-m", "pip", "install", *arguments)


def _run(*command) -> None:
    if subprocess.run(command).returncode:
        name = command[2] if command[1] == "-m" else Path(command[0]).name
        raise Stopped(AGAIN.format(command=name))


def main(names: list[str]) -> int:
    if unknown := [name for name in names if name not in PARTS]:
        print(f"There is no part {unknown[0]}: choose from packages, hub and course.", file=sys.stderr)
        return 2
    try:
        if not names:
            environment()
        for name in names:
            PARTS[name](sys.executable)
        if names:
            # With these two packages, jsonschema checks one kind of web address by a grammar, which nobody here needs.
            # It costs each server 0.7 s when it starts, and 17 MB.
            _run(sys.executable, "-m", "pip", "uninstall", "--quiet", "--yes", "rfc3987-syntax", "lark")
    except Stopped as stopped:
        print(stopped, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(AGAIN.format(command="\nThe installation"), file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

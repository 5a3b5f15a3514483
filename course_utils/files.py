"""Write and read files so that an interruption leaves no half of one, and damage to a record costs nothing else."""

import contextlib
import itertools
import json
import os
import secrets
import shutil
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
LOCK, TEMPORARY = ".lock", ".fetch-"  # what `temporary_folder` makes: a file that stays, and folders that begin so


def folder(name: str) -> Path:
    """Return the path of a folder of the course, "data" or "lessons": of the clone, or in the package if installed."""
    installed = PACKAGE / name
    return installed if installed.is_dir() else PACKAGE.parent / name


def display_path(path: str | Path) -> str:
    """Return a path with /, relative if it lies below the current folder."""
    path = Path(path)
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else path.as_posix()


def write_atomically(path: Path, data: bytes) -> None:
    """Write bytes into a file in one step, so that nobody reads half of it; missing folders are made.

    If the path is a link, the file that it leads to is written. Errors: OSError.
    """
    path = Path(path).resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    # a random name, not the process id: two machines may share the disk, and have processes with the same id
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        part.write_bytes(data)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def read_record(path: Path, valid) -> tuple[dict, Path | None]:
    """Return (what is valid in a record, a JSON file; the Path of a copy of the file if it was damaged, else None).

    A record is damaged if it is no JSON object, or if `valid` leaves out any of it. The copy has its bytes, and a name
    that no file had: "progress.json.damaged", then "progress.json.damaged.2". It lies beside the file that a link leads
    to. The record itself stays as it is, for the caller to write. A missing file is {}, and so is one without JSON.
    valid: a function from the dict in the file to one with its valid entries. Errors: OSError.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return {}, None
    try:
        found = json.loads(data)
        record = valid(found) if isinstance(found, dict) else {}
        json.dumps(record, indent=1)  # brackets can be nested so deep that they are read, but not written again
    except (ValueError, RecursionError):
        found, record = None, {}
    return record, None if record == found else _keep_copy(path.resolve(), data)


def read_json(path: Path):
    """Return what a JSON file holds; None if it is missing or cannot be read, as after a power cut."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def _keep_copy(path: Path, data: bytes) -> Path:
    names = (f"{path.name}.damaged{'' if number == 1 else f'.{number}'}" for number in itertools.count(1))
    copy = next(copy for copy in map(path.with_name, names) if not copy.exists())
    write_atomically(copy, data)
    return copy


@contextlib.contextmanager
def temporary_folder(folder: Path):
    """Return a context manager that makes a temporary folder in a folder for its `with` block, and then removes it.

    `as` gets its Path: a file written there can be moved in one step. One process at a time is in such a block for the
    same folder; any other prints that it waits. So a folder that is already there was left by a killed process, and is
    removed. Where the disk has no locks, nobody waits, and such leftovers stay.
    Errors: OSError if the folder cannot be written to.
    """
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(_alone_in(folder))
        except TimeoutError:
            print(f"Waiting for another process, which works in {display_path(folder)}/ ...", flush=True)
            held.enter_context(_alone_in(folder, timeout=-1))
        yield Path(held.enter_context(tempfile.TemporaryDirectory(dir=folder, prefix=TEMPORARY)))


def remove_leftovers(folder: Path) -> None:
    """Remove temporary folders that killed processes have left in a folder, unless a process is at work there.

    What cannot be removed stays; no error is raised.
    """
    if any(folder.glob(f"{TEMPORARY}*")):
        with contextlib.suppress(OSError), _alone_in(folder):
            pass


@contextlib.contextmanager
def _alone_in(folder: Path, timeout=0.0):
    """Return a context manager that holds the lock of a folder, and removes the temporary folders in it beforehand.

    timeout: seconds to wait for the lock; negative to wait forever. Errors: TimeoutError if another process holds the
    lock for longer, PermissionError if the folder cannot be written to.
    """
    import filelock  # here, since it takes 10 ms and few callers need it

    # On the same disk as the folder, since several machines may share that. The system ends a killed process's lock.
    lock = filelock.FileLock(folder / LOCK, timeout=timeout)
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(lock)
        except (PermissionError, TimeoutError):
            raise
        except (OSError, NotImplementedError):
            pass  # the disk has no locks
        else:
            for left in folder.glob(f"{TEMPORARY}*"):
                shutil.rmtree(left, ignore_errors=True)
        yield

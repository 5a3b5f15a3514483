"""Read and write a learner's progress: one small file beside the notebooks. Nothing of it leaves the machine."""

import contextlib
import hashlib
import json
import os
import secrets
import stat
import tempfile
from pathlib import Path

from course_utils import language

COURSE = Path(__file__).resolve().parents[1]
NAME = "progress.json"
PATIENCE = 2.0  # seconds to wait for another kernel that is writing the same file
said_unlocked = False  # whether this kernel has told its learner that it could not lock the file


def path() -> Path | None:
    """Return the path of the progress file: in the current folder if that holds notebooks, else in the course's work/.

    Copies in another language lie in a folder of their own; their file is that of the folder around it.

    Return None where no progress is kept: if the current folder is gone, or lies in notebooks/ or build/, whose
    notebooks are nobody's own copies, and where COURSE_PROGRESS is "off", as tests and tools set it.
    """
    try:
        here = Path.cwd()
    except OSError:  # the folder was deleted
        return None
    nobodys = any(here.is_relative_to(COURSE / folder) for folder in ("notebooks", "build"))
    if nobodys or os.environ.get("COURSE_PROGRESS") == "off":
        return None
    home = here.parent if here.name in language.available() else here  # copies in any language share one file
    return home / NAME if any(here.glob("*.ipynb")) else COURSE / "work" / NAME


def change(file, update=lambda kept: kept):
    """Replace the content of a progress file by what `update` makes of it.

    The file is locked meanwhile, so that two kernels that pass exercises at the same moment record both. If no lock can
    be made, or another kernel holds it for longer than PATIENCE, the change is made without a lock, and a note says so
    once in each kernel. A damaged file is renamed, a note says so, and the content is then empty.
    Returns (new content, a dict; notes for the learner, a list of sentences, which is usually empty).
    file: its Path; a missing file counts as empty, and is written only if the content changes.
    update: a function from the content, a dict, to a new one. The content: `passed`, the names of exercises in the
    order in which they were passed; `tries`, a dict from the name of each exercise that was tried to how often it was
    checked until it passed; `predictions`, a dict from the name of each prediction to the guess, the truth, and how far
    off it was. A file of an earlier version has no `tries`; any other keys of a file are kept.
    Errors: OSError if the file cannot be read or written, or if a damaged file cannot be set aside.
    """
    with _locked(file) as unlocked:
        kept, damaged = _read(file)
        changed = update(kept)
        if changed != kept:
            _write(file, changed)
    return changed, unlocked + damaged


def read(file: Path) -> tuple[dict, list]:
    """Return (content, notes for the learner) of a progress file, as `change` does.

    Nothing is written, but a damaged file is renamed. Errors: those of `change`.
    """
    return change(file)


@contextlib.contextmanager
def _locked(file: Path):
    """Return a context manager that holds the lock of a file within the `with` block.

    `as` gets a list of notes for the learner: empty if the file is locked; with a sentence if it could not be locked,
    unless this kernel has said so before. The block runs in either case.
    """
    global said_unlocked
    notes = []
    with contextlib.ExitStack() as held:
        try:
            import filelock  # here, since it takes 10 ms and a notebook may need none

            held.enter_context(filelock.FileLock(_lock_path(file), timeout=PATIENCE, poll_interval=0.01))
        except (OSError, RuntimeError, ImportError) as error:
            notes += [] if said_unlocked else [_without_lock(file, error)]
            said_unlocked = True
        yield notes


def _lock_path(file: Path) -> Path:
    """Return the path of a file's lock, and make its folder: a temporary one, as locks on a network disk can hang.

    Errors: OSError if the folder cannot be made, or is not the user's alone.
    """
    user = f"-{os.getuid()}" if hasattr(os, "getuid") else ""  # on Windows each user has a temporary folder
    folder = Path(tempfile.gettempdir(), f"attention-course{user}")
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    # In a folder that others may write to, someone could place a link.
    if user and not (stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077):
        raise PermissionError(None, f"{folder} is not yours alone")
    return folder / f"{hashlib.sha256(os.fsencode(os.path.realpath(file))).hexdigest()[:32]}.lock"


def _without_lock(file: Path, error: Exception) -> str:
    """Return a note for the learner that a file was changed without a lock, because of an error."""
    why = f"no lock could be made ({getattr(error, 'strerror', None) or error})"
    if isinstance(error, TimeoutError):
        why = f"another notebook was using it for more than {PATIENCE:g} seconds"
    return (
        f"{display_path(file)} was changed without a lock, because {why}. If two notebooks change it at the same "
        "moment, one of the changes may be lost: run that check again."
    )


def _read(file: Path) -> tuple[dict, list]:
    """Return (content of a progress file, list of notes for the learner), as `change` describes them.

    A missing file has empty content. So has a damaged one, which is renamed to "….damaged", and a note says so.
    """
    empty = {"passed": [], "predictions": {}}
    try:
        found = json.loads(file.read_bytes())
        kept = empty | found
        passed, tries, predictions = found["passed"], found.get("tries", {}), kept["predictions"]
        if not isinstance(passed, list) or not all(isinstance(name, str) for name in passed):
            raise ValueError
        if not isinstance(tries, dict) or not all(type(number) is int and number > 0 for number in tries.values()):
            raise ValueError
        if not isinstance(predictions, dict):
            raise ValueError
        return kept | {"passed": list(dict.fromkeys(passed))}, []
    except FileNotFoundError:
        return empty, []
    except (ValueError, TypeError, KeyError, RecursionError):
        aside = file.with_name(file.name + ".damaged")
        os.replace(file, aside)
        return empty, [
            f"{display_path(file)} was damaged and is now {aside.name}. A new one is begun: run your checks again."
        ]


def _write(file: Path, kept: dict) -> None:
    """Write content as JSON into a file, and make its folder. Errors: OSError.

    A temporary file is renamed to it, so that a reader never sees, and a stopped kernel never leaves, half a file.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    # a random name, not the process id: two machines may share the disk, and have processes with the same id
    part = file.with_name(f".{file.name}.{secrets.token_hex(4)}.part")
    try:
        part.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        os.replace(part, file)
    finally:
        part.unlink(missing_ok=True)


def display_path(file: Path) -> str:
    """Return a path as text, relative to the current folder if the file lies below it, else unchanged."""
    return file.relative_to(Path.cwd()).as_posix() if file.is_relative_to(Path.cwd()) else file.as_posix()

"""Read and write a learner's progress: one small file beside the notebooks. Nothing of it leaves the machine."""

import contextlib
import datetime
import hashlib
import json
import os
import stat
import tempfile
from pathlib import Path

from course_utils import language
from course_utils.files import display_path, read_record, write_atomically

COURSE = Path(__file__).resolve().parents[1]
NAME = "progress.json"
PATIENCE = 2.0  # seconds to wait for another kernel that is writing the same file
said_unlocked = False  # whether this kernel has told its learner that it could not lock the file


def path() -> Path | None:
    """Return the path of the progress file: in the current folder if that holds notebooks, else in the course's work/.

    Where the course is installed as a package alone, without work/, it is always in the current folder. Copies in
    another language lie in a folder of their own; their file is that of the folder around it.

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
    is_at_home = any(here.glob("*.ipynb")) or not (COURSE / "lessons").is_dir()
    return home / NAME if is_at_home else COURSE / "work" / NAME


def change(file, update=lambda kept: kept):
    """Replace the content of a progress file by what `update` makes of it.

    The file is locked meanwhile, so that two kernels that pass exercises at the same moment record both. If no lock can
    be made, or another kernel holds it for longer than PATIENCE, the change is made without a lock, and a note says so
    once in each kernel. Of a damaged file all valid entries are kept; a note names the copy of it as it was.
    Returns (new content, a dict; notes for the learner, a list of sentences, which is usually empty).
    file: its Path; a missing file counts as empty, and is written only if the content changes.
    update: a function from the content, a dict, to a new one. The content: `passed`, the names of exercises in the
    order in which they were passed; `tries`, a dict from the name of each exercise that was tried to how often it was
    checked until it passed; `predictions`, a dict from the name of each prediction to the guess, the truth, and how far
    off it was; `quizzes`, a dict from the topic of each quiz to a dict from a question's number, "1", to that of the
    choice, an int; `reports`, a dict from the name of each exercise that was tried to a dict of what the check said
    last until it passed: `day`, such as "2026-11-27", and `words`, as `sentences.as_data` returns them. A file may lack
    `tries`, `quizzes` and `reports`; any other keys of a file are kept.
    Errors: OSError if the file cannot be read or written, or if a damaged file cannot be copied.
    """
    with _locked(file) as unlocked:
        found, copy = read_record(file, _valid)
        kept = {"passed": [], "predictions": {}} | found
        kept["passed"] = list(dict.fromkeys(kept["passed"]))
        changed = update(kept)
        if copy or changed != kept:
            write_atomically(file, json.dumps(changed, indent=1).encode() + b"\n")
    return changed, unlocked + ([_damaged(file, copy, found)] if copy else [])


def read(file: Path) -> tuple[dict, list]:
    """Return (content, notes for the learner) of a progress file, as `change` does.

    Nothing is written unless the file is damaged. Errors: those of `change`.
    """
    return change(file)


def keep(kind: str, name: str, value) -> str:
    """Store a value of a view in the progress file, if any, over an earlier one; return a message for the reader.

    kind: "predictions" or "quizzes". The message is "" unless something went wrong; no OSError is raised.
    """
    file = path()
    if file is None:
        return ""
    try:
        _, notes = change(file, lambda kept: kept | {kind: kept.get(kind, {}) | {name: value}})
    except OSError as error:
        template = "It could not be kept in {file}: {error}."
        return language.say(template, file=display_path(file), error=error.strerror)
    return " ".join(notes)


def kept(kind: str, name: str) -> dict:
    """Return what `keep` has stored for a view; {} if there is nothing, or nothing that can be read."""
    file = path()
    try:
        content, _ = read(file) if file else ({}, [])
    except OSError:  # the next `keep` says so
        return {}
    return _of(dict, content.get(kind, {}).get(name))


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
    if isinstance(error, TimeoutError):
        template = (
            "{file} was changed without a lock, because another notebook was using it for more than {seconds} seconds. "
            "If two notebooks change it at the same moment, one of the changes may be lost: run that check again."
        )
        return language.say(template, file=display_path(file), seconds=f"{PATIENCE:g}")
    template = (
        "{file} was changed without a lock, because no lock could be made ({reason}). If two notebooks change it at "
        "the same moment, one of the changes may be lost: run that check again."
    )
    return language.say(template, file=display_path(file), reason=getattr(error, "strerror", None) or error)


def _valid(found: dict) -> dict:
    """Return a dict with the valid entries of a progress file's content, a dict; its unknown keys stay as they are."""
    valid = dict(found)
    if "predictions" in found:
        valid["predictions"] = _of(dict, found["predictions"])
    if "quizzes" in found:
        quizzes = _of(dict, found["quizzes"])
        valid["quizzes"] = {topic: chosen for topic, chosen in quizzes.items() if isinstance(chosen, dict)}
    if "passed" in found:
        valid["passed"] = [name for name in _of(list, found["passed"]) if isinstance(name, str)]
    if "tries" in found:
        tries = _of(dict, found["tries"])
        valid["tries"] = {name: number for name, number in tries.items() if type(number) is int and number > 0}
    if "reports" in found:
        valid["reports"] = {name: said for name, said in _of(dict, found["reports"]).items() if _is_report(said)}
    return valid


def _is_report(found) -> bool:
    try:
        datetime.date.fromisoformat(found["day"])
        return isinstance(found["words"], str | list | dict)
    except (LookupError, TypeError, ValueError):
        return False


def _of(kind: type, value):
    return value if isinstance(value, kind) else kind()


def _damaged(file: Path, copy: Path, found: dict) -> str:
    """Return a note for the learner that a file was damaged. copy: where it is now. found: what could be read of it."""
    places = {"file": display_path(file), "copy": display_path(copy)}
    if any(found.values()):
        return language.say("{file} was damaged and is now {copy}. All that could be read is in the new one.", **places)
    return language.say("{file} was damaged and is now {copy}. A new one is begun: run your checks again.", **places)

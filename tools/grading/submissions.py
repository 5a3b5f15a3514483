"""Read the notebooks that students handed in; for a file that cannot be read, say why."""

import os
import stat
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from nb.files import NotebookError, display_path

from grading.printable import cut, distinct, harmless, printable

PAGES = "feedback"  # students' feedback pages are written here, so nothing in it was handed in
ENDING = ".ipynb"
LARGEST = 20 * 2**20  # bytes of a notebook; a whole one with outputs has two million
MOST, ROOM = 40, 60 * 2**20  # the most notebooks of one student, and bytes of them, as all are in memory
LONGEST = 200  # the most characters of a path that are shown
LINK = "It is a link, and links are not followed: hand in the file itself."
FOLDER = "It is a folder with the name of a notebook: hand in the notebook itself."
NO_FILE = "It is no file that can be read, but a pipe, a socket or a device: hand in a file."
TOO_LARGE = f"The file is larger than {LARGEST // 2**20} MB: clear the outputs, and hand it in again."
FLAGS = [getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")]  # no waiting for a pipe, no links


class Submission(NamedTuple):
    """A notebook that was handed in, or whatever lies in a notebook's place.

    student, file: names that can be printed, each different from all others. data: the file's bytes, or None; then
    `why` is a sentence on what is wrong with it.
    """

    student: str
    file: str
    data: bytes | None
    why: str | None


def read_submissions(folder: Path) -> list[Submission]:
    """Read all notebooks below a folder, sorted by path: student.ipynb, or any in a folder with the student's name.

    A link, a folder or an unreadable file in a notebook's place gets a Submission with the reason. All files are read
    here, before any submitted code runs. At most MOST notebooks and about ROOM bytes are read for one student: a
    notebook beyond that gets a Submission with the reason, and from notebook MOST + 2 on, notebooks are left out.
    Errors: NotebookError if there is no notebook, or if the folder itself cannot be read.
    """
    try:
        problems = dict(sorted(_walk(folder)))
    except FileNotFoundError:
        problems = {}
    except OSError as error:
        reason = f"cannot be read ({error.strerror}): name the folder of notebooks."
        raise NotebookError(f"{display_path(folder)} {reason}") from None
    if not problems:
        reason = "holds no notebooks: put each student's there, as name.ipynb or in a folder name/."
        raise NotebookError(f"{display_path(folder)} {reason}")
    students = distinct({_student(path): printable(_student(path)) or "(no name)" for path in problems}, harmless)
    files = distinct({path: cut(printable(path), LONGEST) for path in problems}, harmless)
    counts, sizes, submissions = Counter(), Counter(), []
    for path, why in problems.items():
        student, data = _student(path), None
        counts[student] += 1
        if counts[student] > MOST + 1:
            continue
        if counts[student] > MOST or sizes[student] > ROOM:
            why = why or f"Of one student, no more than {MOST} notebooks are graded, and {ROOM // 2**20} MB of them."
        elif not why:
            data, why = _read(os.path.join(folder, path))
            sizes[student] += len(data or b"")
        submissions.append(Submission(students[student], files[path], data, why))
    return submissions


def _student(path: str) -> str:
    """Return the student's name in a path relative to the folder: its first folder, else the file without .ipynb."""
    top, _, below = path.partition("/")
    return top if below else top.removesuffix(ENDING)


def _walk(folder: Path):
    """Yield (path, None) for each notebook below a folder, in any order, or (path, a sentence) if it cannot be read.

    The paths are texts relative to the folder. A folder that cannot be read is yielded too; hidden files and folders,
    and the top folder PAGES, are not. Errors: OSError if the top folder cannot be read. Folders wait in a list instead
    of a recursion, since a student can nest them more deeply than Python can call.
    """
    waiting = [""]
    while waiting:
        parent = waiting.pop()
        try:
            with os.scandir(os.path.join(folder, parent)) as entries:
                for entry in entries:
                    path = f"{parent}/{entry.name}" if parent else entry.name
                    if entry.name.startswith(".") or path == PAGES:
                        continue
                    if entry.is_dir(follow_symlinks=False) and not entry.name.endswith(ENDING):
                        waiting.append(path)
                    elif entry.name.endswith(ENDING) or (entry.is_symlink() and not entry.is_file()):
                        yield path, _obstacle(entry)
        except OSError as error:
            if not parent:
                raise
            yield parent, f"The folder cannot be read ({error.strerror})."


def _obstacle(entry: os.DirEntry) -> str | None:
    """Return a sentence why an entry in a notebook's place cannot be read; None if it is a regular file."""
    if entry.is_symlink():
        return LINK
    if entry.is_dir(follow_symlinks=False):
        return FOLDER
    return None if entry.is_file(follow_symlinks=False) else NO_FILE


def _read(path) -> tuple[bytes | None, str | None]:
    """Read the file at a path; return (its bytes, None), or (None, a sentence why it cannot be read).

    A link is not followed. A file above LARGEST bytes is refused, of which at most LARGEST + 1 are read.
    """
    try:
        with open(os.open(path, os.O_RDONLY | sum(FLAGS)), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None, NO_FILE
            data = file.read(LARGEST + 1)
    except OSError as error:
        return None, f"The file cannot be read ({error.strerror})."
    return (data, None) if len(data) <= LARGEST else (None, TOO_LARGE)

"""Read what students handed in: the notebooks, also those in zip archives; for anything else, say what was found."""

import os
import stat
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from nb.files import NotebookError, display_path

from grading import archives, kinds
from grading.archives import Unreadable
from grading.printable import cut, distinct, harmless, printable

# What grading writes into the folder of submissions, so nobody handed it in
PAGES = "feedback"
TABLE, STUDENTS = "grades.csv", "students.csv"
LARGEST = 20 * 2**20  # bytes of a notebook or an archive; a whole notebook with outputs has two million
MOST, ROOM = 40, 60 * 2**20  # the most notebooks and archives of one student, and their bytes, as all are in memory
DEPTH = 2  # an archive in an archive is opened, and no further one
LONGEST = 200  # the most characters of a path that are shown
LINK = "It is a link, and links are not followed: hand in the file itself."
FOLDER = "It is a folder with the name of a notebook: hand in the notebook itself."
NO_FILE = "It is no file that can be read, but a pipe, a socket or a device: hand in a file."
TOO_LARGE = f"The file is larger than {LARGEST // 2**20} MB: clear the outputs, and hand it in again."
TOO_DEEP = "It is an archive in an archive in an archive: hand in the notebook itself."
TOO_MANY = f"Of one student, no more than {MOST} notebooks are graded, and {ROOM // 2**20} MB of them."
FLAGS = [getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")]  # no waiting for a pipe, no links


class Submission(NamedTuple):
    """A notebook that was handed in, or whatever lies in its place. why: what is wrong where there is no data.

    student, file: names that can be printed, each different from all others.
    """

    student: str
    file: str
    data: bytes | None
    why: str | None


class Entry(NamedTuple):
    """A file. path: with /, relative to the folder of submissions. place: for the system. why: if it cannot be read."""

    path: str
    place: str
    why: str | None

    def read(self, most: int) -> bytes:
        """Return at most `most` bytes from the start of the file; a link is not followed. Errors: Unreadable."""
        if self.why:
            raise Unreadable(self.why)
        try:
            with open(os.open(self.place, os.O_RDONLY | sum(FLAGS)), "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise Unreadable(NO_FILE)
                return file.read(most)
        except OSError as error:
            raise Unreadable(f"The file cannot be read ({error.strerror}).") from None


def read_submissions(folder: Path) -> list[Submission]:
    """Read all that was handed in below a folder: student.ipynb, or any notebooks in a folder with the student's name.

    Each entry of the folder gives at least one Submission: where it has no notebook, also in zip archives, one with the
    reason. All files are read here, before any submitted code runs: of one student at most MOST notebooks and archives
    and about ROOM bytes. Hidden entries, and what grading has written, are not read. Errors: NotebookError.
    """
    try:
        with os.scandir(folder) as entries:
            tops = sorted((entry for entry in entries if not _is_ours(entry)), key=lambda entry: entry.name)
    except FileNotFoundError:
        tops = []
    except OSError as error:
        reason = f"cannot be read ({error.strerror}): name the folder of notebooks."
        raise NotebookError(f"{display_path(folder)} {reason}") from None
    if not tops:
        reason = "holds no notebooks: put each student's there, as name.ipynb or in a folder name/."
        raise NotebookError(f"{display_path(folder)} {reason}")
    students = defaultdict(_Student)
    for top in tops:
        students[top.name if _is_folder(top) else kinds.stem(top.name)].hand_in(top)
    found = sorted((path, name, data, why) for name, student in students.items() for path, data, why in student.found)
    names = distinct({name: printable(name) or "(no name)" for name in students}, harmless)
    files = distinct({path: cut(printable(path), LONGEST) for path, *_ in found}, harmless)
    return [Submission(names[name], files[path], data, why) for path, name, data, why in found]


class _Student:
    """What one student has handed in. found: a list of (path, bytes or None, why they are missing or None)."""

    def __init__(self):
        self.found, self._count, self._size = [], 0, 0

    def hand_in(self, top: os.DirEntry):
        """Add to `found` what an entry of the folder of submissions holds; if that is no notebook, say what it is."""
        before, others = len(self.found), []
        self._add(_entries(top), "", others, depth=0)
        if len(self.found) > before:
            return
        if self._count > MOST:
            why = TOO_MANY
        elif others and others[0][0] == top.name:
            why = kinds.instead_of(others[0][1])
        else:
            why = kinds.nothing_in("folder" if _is_folder(top) else "archive", others, f"{top.name}/")
        self.found.append((top.name, None, why))

    def _add(self, files, inside: str, others: list, depth: int):
        """Add the notebooks among files, Entries or archives.Members, and those in archives among them.

        inside: the path of the archive that holds them, and a /. others: gets (path, words) for each other file.
        """
        for file in files:
            path, name = inside + file.path, file.path.rpartition("/")[2]
            try:
                kind = kinds.kind(name, file.read(kinds.HEAD))
                if kind in (kinds.NOTEBOOK, kinds.ARCHIVE):
                    data = self._read(file)
                elif kinds.NAMED.search(name):
                    raise Unreadable(kinds.instead_of(kind))
                if kind == kinds.NOTEBOOK:
                    self.found.append((path, data, None))
                elif kind != kinds.ARCHIVE:
                    others.append((path, kind))
                elif depth == DEPTH:
                    raise Unreadable(TOO_DEEP)
                else:
                    self._add(archives.members(data), f"{path}/", others, depth + 1)
            except Unreadable as error:
                self.found.append((path, None, str(error)))
            if self._count > MOST:
                return

    def _read(self, file) -> bytes:
        """Return the content of a notebook or an archive, an Entry or a Member. Errors: Unreadable, also at a limit."""
        self._count += 1
        if self._count > MOST or self._size > ROOM:
            raise Unreadable(TOO_MANY)
        data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise Unreadable(TOO_LARGE)
        self._size += len(data)
        return data


def _is_ours(entry: os.DirEntry) -> bool:
    is_table = entry.name in (TABLE, STUDENTS) and not entry.is_dir(follow_symlinks=False)
    return entry.name.startswith(".") or entry.name == PAGES or is_table


def _is_folder(entry: os.DirEntry) -> bool:
    """Return whether an entry is a folder that does not have the name of a notebook."""
    return entry.is_dir(follow_symlinks=False) and not entry.name.lower().endswith(kinds.ENDING)


def _entries(top: os.DirEntry) -> list[Entry]:
    """Return an entry of the folder of submissions as an Entry, or if it is a folder, the files in it, sorted by path.

    Folders wait in a list, since a student can nest them more deeply than Python can call.
    """
    found, waiting = [], [(top.name, top)]
    while waiting:
        path, entry = waiting.pop()
        if not _is_folder(entry):
            found.append(Entry(path, entry.path, _obstacle(entry)))
            continue
        try:
            with os.scandir(entry.path) as entries:
                waiting += [(f"{path}/{inner.name}", inner) for inner in entries if not inner.name.startswith(".")]
        except OSError as error:
            found.append(Entry(path, entry.path, f"The folder cannot be read ({error.strerror})."))
    return sorted(found)


def _obstacle(entry: os.DirEntry) -> str | None:
    if entry.is_symlink():
        return LINK
    if entry.is_dir(follow_symlinks=False):
        return FOLDER
    return None if entry.is_file(follow_symlinks=False) else NO_FILE

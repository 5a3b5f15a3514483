"""List the files in a zip archive from a student. Nothing is unpacked onto the disk, and no file is read whole."""

import io
import stat
import zipfile
from typing import NamedTuple

MOST_FILES = 10_000
LOCKED = "The archive is locked with a password: hand in the notebook itself."
PACKED = "The archive is packed in a way that is not opened here: make a usual zip, or hand in the notebook itself."
LEAVES = "Its path leads out of the archive: hand in the notebook itself."
MANY = f"The archive holds more than {MOST_FILES:,} files: hand in the notebook itself."
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # of the others, zipfile unpacks more than it is asked for


class Unreadable(Exception):
    """A file or an archive cannot be read. Its message is a sentence that says why, and what to do."""


class Member(NamedTuple):
    """A file in an archive. path: in the archive, with /. archive, info: of zipfile."""

    path: str
    archive: zipfile.ZipFile
    info: zipfile.ZipInfo

    def read(self, most: int) -> bytes:
        """Return at most `most` bytes from the start of the file. Errors: Unreadable."""
        if stat.S_ISLNK(self.info.external_attr >> 16):
            raise Unreadable("It is a link in an archive: hand in the file itself.")
        if self.path.startswith("/") or ".." in self.path.split("/"):
            raise Unreadable(LEAVES)
        if self.info.flag_bits & 1:
            raise Unreadable(LOCKED)
        if self.info.compress_type not in METHODS:
            raise Unreadable(PACKED)
        try:
            with self.archive.open(self.info) as file:
                return file.read(most)
        except Exception as error:
            raise _damaged(error) from None


def members(data: bytes) -> list[Member]:
    """Return the files in the content of a zip archive by their paths, without hidden ones. Errors: Unreadable."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except Exception as error:  # whatever zipfile trips over
        raise _damaged(error) from None
    infos = archive.infolist()
    if len(infos) > MOST_FILES:
        raise Unreadable(MANY)
    files = {info.filename.replace("\\", "/"): info for info in infos if not info.is_dir()}
    return [Member(path, archive, files[path]) for path in sorted(files) if not _is_hidden(path)]


def _is_hidden(path: str) -> bool:
    parts = path.split("/")
    return "__MACOSX" in parts or any(part.startswith(".") and part not in (".", "..") for part in parts)


def _damaged(error: Exception) -> Unreadable:
    return Unreadable(f"The archive cannot be opened ({type(error).__name__}): hand in the notebook itself.")

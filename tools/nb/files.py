"""Find notebooks, and write files atomically; this module imports nothing slow."""

import os
from pathlib import Path

COURSE = Path(__file__).resolve().parents[2]
PUBLISHED = COURSE / "notebooks"
OWN = COURSE / "work"


class NotebookError(Exception):
    """An error that the user can put right; its message says how."""


def find_notebooks(paths) -> list[Path]:
    """Return the paths of the notebooks in some files or folders (not below), each once, in the order given.

    paths: strings or Paths; if empty or None, the published notebooks. Errors: NotebookError for a path that does not
    exist, that is not a notebook, or that is a folder without any.
    """
    notebooks = []
    for path in map(Path, paths or [PUBLISHED]):
        name = display_path(path)
        if path.is_dir():
            contents = sorted(path.glob("*.ipynb"))
            if not contents:
                raise NotebookError(f"{name} holds no notebooks: name a .ipynb file, or a folder that has some.")
            notebooks += contents
        elif not path.exists():
            raise NotebookError(f"{name} does not exist: check the path; without one, all notebooks are taken.")
        elif path.suffix != ".ipynb":
            raise NotebookError(f"{name} is not a notebook: name a file that ends in .ipynb, or a folder.")
        else:
            notebooks.append(path)
    return list(dict.fromkeys(notebooks))


def display_path(path: str | Path) -> str:
    """Return a path with /, relative if it lies below the current folder."""
    path = Path(path)
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else path.as_posix()


def write_atomically(path: Path, data: bytes):
    """Write bytes into a file in one step, so that nobody reads half of it; missing folders are made.

    If the path is a link, the file that it leads to is written.
    """
    path = Path(path).resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)

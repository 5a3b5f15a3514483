"""Find notebooks; this module imports nothing slow, and passes on what the package has for files."""

from pathlib import Path

from course_utils.files import display_path as display_path
from course_utils.files import write_atomically as write_atomically

COURSE = Path(__file__).resolve().parents[2]
PUBLISHED = COURSE / "notebooks"
OWN = COURSE / "work"


class NotebookError(Exception):
    """An error that the user can put right; its message says how."""


def find_notebooks(paths) -> list[Path]:
    """Return the paths of the notebooks in some files or folders (not below), each once. Errors: NotebookError.

    Without paths, the published ones; a number, such as "04", is the one with this number.
    """
    notebooks = []
    for path in map(Path, paths or [PUBLISHED]):
        name = display_path(path)
        if path.is_dir():
            contents = sorted(path.glob("*.ipynb"))
            if not contents:
                raise NotebookError(f"{name} holds no notebooks: name a .ipynb file, or a folder that has some.")
            notebooks += contents
        elif not path.exists() and name.isdecimal() and (numbered := list(PUBLISHED.glob(f"{int(name):02}_*.ipynb"))):
            notebooks += numbered
        elif not path.exists():
            raise NotebookError(f"{name} does not exist: check the path; without one, all notebooks are taken.")
        elif path.suffix != ".ipynb":
            raise NotebookError(f"{name} is not a notebook: name a file that ends in .ipynb, or a folder.")
        else:
            notebooks.append(path)
    return list(dict.fromkeys(notebooks))

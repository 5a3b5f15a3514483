"""Find an exercise in the published notebooks: its cells, and the heading above it."""

import re
from functools import cache
from typing import NamedTuple

from course_utils import course
from nb.files import PUBLISHED
from nb.format import read_notebook, tags

ASKED = re.compile(r"^checks\.(\w+)\(", re.MULTILINE)  # in a cell with the tag check
HEADING = re.compile(r"##+ (?!Your turn\b)(.+)")
_page = cache(lambda file: read_notebook(PUBLISHED / f"{file}.ipynb"))


class Place(NamedTuple):
    """An exercise in its notebook: all cells of that notebook, and the indices of three of them.

    heading: of the last one above that is not "Your turn". prompt, check: of its own cells.
    """

    notebook: course.Notebook
    cells: list
    heading: int
    prompt: int
    check: int

    @property
    def under(self):
        return HEADING.match(self.cells[self.heading].source)[1].strip()

    @property
    def stubs(self):
        """The nbformat code cells between prompt and check in which a learner writes the answer, a list."""
        inside = self.cells[self.prompt : self.check]
        return [cell for cell in inside if cell.cell_type == "code" and "exercise" in tags(cell)]


def find(name: str) -> Place:
    """Return where the exercise `name` stands in the course. Errors: StopIteration if there is no such exercise."""
    notebook = next(notebook for notebook in course.notebooks() if name in notebook.exercises)
    cells = _page(notebook.file).cells
    check = next(i for i, cell in enumerate(cells) if "check" in tags(cell) and f"checks.{name}(" in cell.source)
    words = [i for i in range(check) if cells[i].cell_type == "markdown"]
    prompt = max(i for i in words if "exercise" in tags(cells[i]))
    heading = max(i for i in words if i < prompt and HEADING.match(cells[i].source))
    return Place(notebook, cells, heading, prompt, check)

"""Find an exercise in the published notebooks: its cells, and the heading above it."""

import re
from functools import cache
from typing import NamedTuple

from course_utils import course
from nb.files import PUBLISHED
from nb.format import read_notebook, tags

HEADING = re.compile(r"##+ (?!Your turn\b)(.+)")


class Place(NamedTuple):
    """One exercise: its notebook, all cells of that notebook, and the indices of three of them.

    heading: the last heading above the exercise that is not "Your turn". prompt, check: the cells with its prompt and
    its check.
    """

    notebook: course.Notebook
    cells: list
    heading: int
    prompt: int
    check: int

    @property
    def under(self):
        """Return the text of the heading above the exercise, without #, a str."""
        return HEADING.match(self.cells[self.heading].source)[1].strip()

    @property
    def stubs(self):
        """Return a list of the nbformat code cells between prompt and check in which a learner writes the answer."""
        inside = self.cells[self.prompt : self.check]
        return [cell for cell in inside if cell.cell_type == "code" and "exercise" in tags(cell)]


def find(name):
    """Return the Place of an exercise of the course: its notebook, and where its cells stand there.

    name: the exercise's. Errors: StopIteration if there is no such exercise.
    """
    notebook = next(notebook for notebook in course.notebooks() if name in notebook.exercises)
    cells = _page(notebook.file).cells
    check = next(i for i, cell in enumerate(cells) if "check" in tags(cell) and f"checks.{name}(" in cell.source)
    words = [i for i in range(check) if cells[i].cell_type == "markdown"]
    prompt = max(i for i in words if "exercise" in tags(cells[i]))
    heading = max(i for i in words if i < prompt and HEADING.match(cells[i].source))
    return Place(notebook, cells, heading, prompt, check)


@cache
def _page(file):
    """Return the published notebook whose file is called `file`, without ending, as a NotebookNode."""
    return read_notebook(PUBLISHED / f"{file}.ipynb")

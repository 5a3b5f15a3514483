"""The definitions in a page's solution cells, written from the exercises' files: there is one truth for a solution."""

import re
from functools import cache

from notebook_files import COURSE

from course_utils import course
from course_utils.checks.form import definition

SOLUTION = re.compile(r"^(?:def |class )?(\w+(?:_solution|Solution))\b", re.MULTILINE)  # as it is defined, at the top
EXERCISES = COURSE / "course_utils" / "exercises"


def renew(notebook, stem):
    """Put the definitions of the exercises' files into the solution cells of the notebook `stem`, in place."""
    for cell, stands, belongs in differing(notebook.cells, stem):
        cell.source = cell.source.replace(stands, belongs)


def differing(cells, stem):
    """Yield (cell, what it defines, what the exercise's file defines) for every solution that is not as in its file."""
    for cell in cells:
        if cell.cell_type == "code" and "solution" in cell.metadata.get("tags", []):
            for name, belongs in _solutions(stem).items():
                try:
                    stands = definition(cell.source + "\n", name)
                except (LookupError, SyntaxError):
                    continue
                if stands.rstrip("\n") != belongs:
                    yield cell, stands.rstrip("\n"), belongs


def missing(cells, stem):
    """The names of the solutions that no solution cell of the page defines."""
    sources = [cell.source + "\n" for cell in cells if "solution" in cell.metadata.get("tags", [])]
    return [name for name in _solutions(stem) if not any(_defines(source, name) for source in sources)]


def _defines(source, name):
    try:
        return bool(definition(source, name))
    except (LookupError, SyntaxError):
        return False


@cache
def _solutions(stem):
    """name -> definition, of every exercise of a notebook of the course; {} for any other notebook."""
    found = {}
    for one in course.notebooks():
        for exercise in one.exercises if one.file == stem else ():
            text = (EXERCISES / one.topic / f"{exercise}.py").read_text("utf-8")
            found |= {name: definition(text, name).rstrip("\n") for name in SOLUTION.findall(text)}
    return found

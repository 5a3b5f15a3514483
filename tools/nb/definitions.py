"""Keep the definitions in solution cells equal to those in the exercises' files, which are their only source."""

import re
from functools import cache

from course_utils import course
from course_utils.checks.form import definition
from nb.files import COURSE
from nb.format import tags

SOLUTION = re.compile(r"^(?:def |class )?(\w+(?:_solution|Solution))\b", re.MULTILINE)  # a definition at the top level
EXERCISES = COURSE / "course_utils" / "exercises"


def renew(notebook, stem):
    """Update the definitions in the solution cells of a notebook from the exercises' files, in place.

    stem: the notebook's file name without ending, such as "04_causal_masking".
    """
    for cell, stored, current in differing(notebook.cells, stem):
        cell.source = cell.source.replace(stored, current)


def differing(cells, stem):
    """Yield (cell, its definition, the definition in the exercise's file) for each solution that differs.

    cells: of the notebook whose file name without ending is `stem`. Both definitions are source. A solution that the
    cells do not define is left out.
    """
    for cell in cells:
        if cell.cell_type == "code" and "solution" in tags(cell):
            for name, current in _solutions(stem).items():
                try:
                    stored = definition(cell.source + "\n", name)
                except (LookupError, SyntaxError):
                    continue
                if stored.rstrip("\n") != current:
                    yield cell, stored.rstrip("\n"), current


def missing(cells, stem):
    """Return the names of the solutions that no cell tagged solution defines, as a list.

    cells: of the notebook whose file name without ending is `stem`.
    """
    sources = [cell.source + "\n" for cell in cells if "solution" in tags(cell)]
    return [name for name in _solutions(stem) if not any(_defines(source, name) for source in sources)]


def _defines(source, name):
    """Return whether a source defines a name as function, class or variable; False if it is not Python."""
    try:
        return bool(definition(source, name))
    except (LookupError, SyntaxError):
        return False


@cache
def _solutions(stem):
    """Return name -> source of the definition, for all solutions of the exercises of a notebook.

    stem: its file name without ending. {} comes back if it is not in the course.
    """
    definitions = {}
    for notebook in course.notebooks():
        for exercise in notebook.exercises if notebook.file == stem else ():
            text = (EXERCISES / notebook.topic / f"{exercise}.py").read_text("utf-8")
            definitions |= {name: definition(text, name).rstrip("\n") for name in SOLUTION.findall(text)}
    return definitions

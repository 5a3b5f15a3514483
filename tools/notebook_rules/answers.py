"""Rules about cells that answer an exercise of their page: they must say so, since an assignment leaves them out."""

import re

import notebook_answers

from course_utils import course


def cells_that_answer_say_so(notebook):
    """Check that a cell which shows code of a right answer, after the exercise, names the exercise in its metadata."""
    for name, at in _exercises(notebook).items():
        for cell in notebook.cells[at:]:
            pieces = [] if name in notebook_answers.marked(cell) else _shown(notebook, cell, name, at)
            if pieces:
                yield (
                    cell,
                    f"shows `{pieces[0]}`, which answers the exercise {name}: write it into the cell's metadata, "
                    f'"answers": ["{name}"], and an assignment leaves the cell out',
                )


def marks_mean_something(notebook):
    """Check that each exercise which a cell says it answers is asked above it, on the same page."""
    exercises = _exercises(notebook)
    for cell in notebook.cells:
        names = cell.metadata.get("answers", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            yield cell, f'"answers" must be a list of names of exercises, got {names!r}'
            continue
        for name in names:
            if name not in exercises:
                yield cell, f'"answers" names {name!r}, which is no exercise of this page'
            elif cell.number <= exercises[name]:
                yield cell, f'"answers" names {name!r}, which is asked only below it'


def _exercises(notebook):
    """Return exercise -> number of the cell that checks it, for a notebook of the course."""
    listed = {name for one in course.notebooks() if one.file == notebook.path.stem for name in one.exercises}
    checks = [cell for cell in notebook.code_cells if "check" in cell.tags]
    found = {name: cell.number for cell in checks for name in re.findall(r"\bchecks\.(\w+)\(", cell.source)}
    return {name: number for name, number in found.items() if name in listed}


def _shown(notebook, cell, name, at):
    """Return the pieces of code in a cell that answer an exercise, unless they stand above cell number `at` too."""
    return notebook_answers.shown(cell.node, name, [one.node for one in notebook.cells[: at - 1]])

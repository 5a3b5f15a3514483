"""The rules about cells that answer an exercise of their page: an assignment leaves them out, if they say so."""

import re

import notebook_answers

from course_utils import course


def cells_that_answer_say_so(notebook):
    """A cell after an exercise that shows the code of a right answer names the exercise in its metadata."""
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
    """What a cell says it answers is an exercise of its page, asked above it."""
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
    """The exercises of a page of the course, each with the number of the cell that checks it."""
    listed = {name for one in course.notebooks() if one.file == notebook.path.stem for name in one.exercises}
    checks = [cell for cell in notebook.code_cells if "check" in cell.tags]
    found = {name: cell.number for cell in checks for name in re.findall(r"\bchecks\.(\w+)\(", cell.source)}
    return {name: number for name, number in found.items() if name in listed}


def _shown(notebook, cell, name, at):
    return notebook_answers.shown(cell.node, name, [one.node for one in notebook.cells[: at - 1]])

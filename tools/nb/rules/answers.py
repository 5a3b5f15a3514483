"""Rules about cells that answer an exercise of their page: they must say so, since an assignment leaves them out."""

import re

from course_utils import course
from nb.answers import answer_pieces, marked


def cells_that_answer_say_so(notebook):
    """Yield (cell, message) for each cell below an exercise that shows code of its answer without naming the exercise.

    A cell names the exercises that it answers in its metadata, under "answers". Code that already stands above the
    exercise's check is not counted.
    """
    for name, at in _exercises(notebook).items():
        for cell in notebook.cells[at:]:
            pieces = [] if name in marked(cell) else _pieces(notebook, cell, name, at)
            if pieces:
                yield (
                    cell,
                    f"shows `{pieces[0]}`, which answers the exercise {name}: write it into the cell's metadata, "
                    f'"answers": ["{name}"], and an assignment leaves the cell out',
                )


def marks_mean_something(notebook):
    """Yield (cell, message) for each "answers" that is not a list of names, and for each wrong name in such a list.

    A name in a cell's "answers" is wrong if it is no exercise of this page, or if the exercise's check is not above
    the cell.
    """
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
    """Return a dict from the name of each exercise of a notebook to the number of the cell that checks it.

    Only exercises that the course lists for this notebook count; for a notebook outside the course, the dict is empty.
    """
    listed = {name for page in course.notebooks() if page.file == notebook.path.stem for name in page.exercises}
    checks = [cell for cell in notebook.code_cells if "check" in cell.tags]
    numbers = {name: cell.number for cell in checks for name in re.findall(r"\bchecks\.(\w+)\(", cell.source)}
    return {name: number for name, number in numbers.items() if name in listed}


def _pieces(notebook, cell, name, at):
    """Return a sorted list of the pieces of code in a cell that also stand in a right answer to an exercise.

    name: the exercise's name. at: the number of the cell that checks it; code that stands above it is not counted.
    """
    return answer_pieces(cell.node, name, [above.node for above in notebook.cells[: at - 1]])

"""Rules about cells that answer an exercise of their page: they must say so, since an assignment leaves them out."""

import re

from course_utils import course
from nb.answers import answer_pieces, marked
from nb.rules.model import Notebook


def cells_that_answer_say_so(notebook: Notebook):
    """Yield (Cell, message) for each cell below an exercise that shares code with its answer, but does not name it.

    A cell names exercises in its metadata, under "answers". What a cell above the check has as well does not count.
    """
    for name, at in _exercises(notebook).items():
        above = [cell.node for cell in notebook.cells[: at - 1]]
        for cell in notebook.cells[at:]:
            if name not in marked(cell) and (pieces := answer_pieces(cell.node, name, above)):
                mark = f'its metadata, "answers": ["{name}"], and an assignment leaves the cell out'
                yield cell, f"shows `{pieces[0]}`, which answers the exercise {name}: write it into {mark}"


def marks_mean_something(notebook: Notebook):
    """Yield (Cell, message) for each metadata entry "answers" that is no list of texts, and each wrong name in a list.

    A name is wrong if it is no exercise of this page, or if the exercise's check does not stand above the cell.
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


def _exercises(notebook: Notebook) -> dict[str, int]:
    """Return name -> `number` of the Cell that checks it, for each exercise that the course lists for this notebook."""
    listed = {name for page in course.notebooks() if page.file == notebook.path.stem for name in page.exercises}
    checks = [cell for cell in notebook.code_cells if "check" in cell.tags]
    numbers = {name: cell.number for cell in checks for name in re.findall(r"\bchecks\.(\w+)\(", cell.source)}
    return {name: number for name, number in numbers.items() if name in listed}

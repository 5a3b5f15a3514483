"""Rules about cells that answer an exercise of their page.

They must say so, since an assignment leaves them out, and must not be in sight of a learner who still tries.
"""

import re

from nb import outcomes
from nb.answers import answer_pieces, marked
from nb.rules.model import Notebook

IN_SIGHT = 4  # cells below a check; a learner who writes an answer sees about so many


def cells_that_answer_say_so(notebook: Notebook):
    """Yield (Cell, message) for each cell below an exercise that shares code with its answer, but does not name it."""
    for name, at in _exercises(notebook).items():
        above = [cell.node for cell in notebook.cells[: at - 1]]
        for cell in notebook.cells[at:]:
            if name not in marked(cell) and (pieces := answer_pieces(cell.node, name, above)):
                mark = f'its metadata, "answers": ["{name}"], and an assignment leaves the cell out'
                yield cell, f"shows `{pieces[0]}`, which answers the exercise {name}: write it into {mark}"


def answers_are_out_of_sight(notebook: Notebook):
    """Yield (Cell, message) for each cell at most IN_SIGHT below a check that answers it and is not folded."""
    for name, at in _exercises(notebook).items():
        for cell in notebook.cells[at : at + IN_SIGHT]:
            hidden = cell.metadata.get("jupyter", {}).get("source_hidden")
            is_folded = hidden if cell.is_code else outcomes.parts(cell.source)[1]
            if name in marked(cell) and not is_folded:
                where = f"{cell.number - at} below its check, where a learner sees it"
                yield cell, f"answers {name}, {where}: call checks.{name}.solution, fold the cell, or move it"


def marks_mean_something(notebook: Notebook):
    """Yield (Cell, message) for each metadata entry "answers" that does not list exercises asked above."""
    exercises = _exercises(notebook)
    for cell in notebook.cells:
        names = cell.metadata.get("answers", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            yield cell, f'"answers" must be a list of names of exercises, as ["causal_mask"], got {names!r}'
            continue
        for name in names:
            if name not in exercises:
                yield cell, f'"answers" names {name!r}, which is no exercise of this page: drop it'
            elif cell.number <= exercises[name]:
                yield cell, f'"answers" names {name!r}, which is asked only below it: drop the name'


def _exercises(notebook: Notebook) -> dict[str, int]:
    listed = {name for page in notebook.listed for name in page.exercises}
    checks = [cell for cell in notebook.code_cells if "check" in cell.tags]
    numbers = {name: cell.number for cell in checks for name in re.findall(r"\bchecks\.(\w+)\(", cell.source)}
    return {name: number for name, number in numbers.items() if name in listed}

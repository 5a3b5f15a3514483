"""Run notebooks with disturbed arithmetic, to find the cells that would fail on another processor."""

import copy
from functools import partial
from pathlib import Path

from nb.files import NotebookError, display_path
from nb.format import code_cells, tags
from nb.outputs import differences
from nb.run import CELL_TIMEOUT, cell_name, execute, forget_outputs, side_by_side

TREMBLING = Path(__file__).with_name("trembling.py")
START = "__import__('runpy').run_path({path!r})['start']({seed})\n"  # defines no name in the notebook


def tremble(paths, jobs, seed, timeout=CELL_TIMEOUT):
    """Run notebooks with disturbed arithmetic, without storing them; return a list of lines on what has changed.

    There is a line for each cell whose outputs do not match the stored ones, and for each cell that failed, with which
    its notebook ends. paths: of the notebooks. jobs: how many run at once. seed: of the disturbance. timeout: seconds
    for each cell.
    """
    lines = side_by_side(paths, jobs, partial(_tremble, seed=seed, timeout=timeout))
    return [line for of_one_notebook in lines for line in of_one_notebook]


async def _tremble(path, stored, bar, seed, timeout):
    """Run one notebook with disturbed arithmetic; return its lines, as `tremble` does.

    stored: the notebook as read from `path`; a copy of it is run. bar: a tqdm bar, moved on by each cell.
    """
    notebook = copy.deepcopy(stored)
    forget_outputs(notebook)
    for first_cell in code_cells(notebook)[:1]:
        first_cell.source = START.format(path=str(TREMBLING), seed=seed) + first_cell.source
    errors = []
    try:
        await execute(notebook, path.resolve().parent, timeout, bar)
    except NotebookError as error:
        errors = [f"{display_path(path)}: {error}"]
    return [*_mismatches(path, stored, notebook), *errors]


def _mismatches(path, stored, notebook):
    """Yield a line for each cell whose new outputs do not match the stored ones."""
    for number, (old, new) in enumerate(zip(stored.cells, notebook.cells, strict=True), 1):
        if _is_compared(new) and (mismatches := differences(old.outputs, new.outputs)):
            yield f"{display_path(path)}: {cell_name(number, old)}: {' '.join(mismatches)}"


def _is_compared(cell):
    """Return whether a cell is code that ran to its end, and is not tagged as one whose outputs differ between runs."""
    ran = cell.cell_type == "code" and cell.execution_count is not None
    return ran and "nbval-ignore-output" not in tags(cell) and not _raised(cell)


def _raised(cell):
    return any(output.output_type == "error" for output in cell.outputs)

"""Run notebooks with disturbed arithmetic, to find the cells that would fail on another processor."""

import asyncio
import copy
from pathlib import Path

from nb.files import NotebookError, display_path
from nb.format import code_cells, tags
from nb.outputs import differences
from nb.run import CELL_TIMEOUT, cell_name, execute, forget_outputs, side_by_side

TREMBLING = Path(__file__).with_name("trembling.py")
START = "__import__('runpy').run_path({path!r})['Trembling']({seed}).__enter__()\n"  # defines no name in the notebook


def tremble(paths: list[Path], jobs: int, seed: int) -> list[str]:
    """Run notebooks with disturbed arithmetic, storing none; return a line for each cell that changed or failed."""

    async def run(path, stored, bar):
        notebook, errors = copy.deepcopy(stored), []
        forget_outputs(notebook)
        for first_cell in code_cells(notebook)[:1]:
            first_cell.source = START.format(path=str(TREMBLING), seed=seed) + first_cell.source
        try:
            await execute(notebook, path.resolve().parent, CELL_TIMEOUT, bar)
        except NotebookError as error:
            errors = [f"{display_path(path)}: {error}"]
        return [*_mismatches(path, stored, notebook), *errors]

    return asyncio.run(side_by_side(paths, jobs, run))


def _mismatches(path: Path, stored, notebook):
    """Yield a line for each cell that ran, is compared by nbval, and has other outputs than in `stored`."""
    for number, (old, new) in enumerate(zip(stored.cells, notebook.cells, strict=True), 1):
        ran = new.cell_type == "code" and new.execution_count is not None and "nbval-ignore-output" not in tags(new)
        if ran and not any(output.output_type == "error" for output in new.outputs):
            if mismatches := differences(old.outputs, new.outputs):
                yield f"{display_path(path)}: {cell_name(number, old)}: {' '.join(mismatches)}"

"""Make the form of a notebook that is handed out: stubs and checks, no solutions, no results."""

import copy

from notebook_files import COURSE, PUBLISHED, NotebookError, write_atomically
from notebook_format import clean, read_notebook, to_bytes

ASSIGNMENTS = COURSE / "build" / "assignments"


def without_solutions(notebook):
    """Return a copy without solution cells and outputs, and the number of solutions left out."""
    handed_out = clean(copy.deepcopy(notebook))
    handed_out.cells = [cell for cell in handed_out.cells if "solution" not in cell.metadata.get("tags", [])]
    for cell in handed_out.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return handed_out, len(notebook.cells) - len(handed_out.cells)


def write_assignment(number):
    """Write notebook `number` ("04") to build/assignments/; return the path and the number of solutions left out.

    Errors: NotebookError if there is no such notebook.
    """
    found = sorted(PUBLISHED.glob(f"{number:0>2}_*.ipynb"))
    if len(found) != 1:
        there = ", ".join(path.name[:2] for path in sorted(PUBLISHED.glob("*.ipynb")))
        raise NotebookError(f"There is no notebook {number!r}. Name one by its number: {there}.")
    handed_out, removed = without_solutions(read_notebook(found[0]))
    path = ASSIGNMENTS / found[0].name
    write_atomically(path, to_bytes(handed_out))
    return path, removed

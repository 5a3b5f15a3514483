"""Run cells of a notebook in this process, for tests that check the variables the cells define."""

from nb.files import PUBLISHED
from nb.format import read_notebook


def path_of(topic):
    """Return the Path of the published notebook about a topic, its file name without number and suffix."""
    (path,) = PUBLISHED.glob(f"??_{topic}.ipynb")
    return path


def code_cells(path):
    """Return the code cells of the notebook at a path, a list of nbformat's cells."""
    return [cell for cell in read_notebook(path).cells if cell.cell_type == "code"]


def run_cells(cells, names=None, change=lambda source: source):
    """Run code cells of nbformat in order and return their namespace, a dict from name to value.

    names: the namespace to run them in, which is changed; None: a new one. change: a function from the source of a cell
    to the one to run. Errors: what the cells raise.
    """
    names = {"__name__": "__main__"} if names is None else names
    for cell in cells:
        exec(compile(change(cell.source), cell.id, "exec"), names)
    return names

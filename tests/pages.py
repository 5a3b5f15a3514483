"""Run cells of a notebook in this process, for tests that look at what they leave behind."""

from notebook_files import PUBLISHED
from notebook_format import read_notebook


def of(topic):
    """The path of the notebook about a topic, whatever its number is."""
    (path,) = PUBLISHED.glob(f"??_{topic}.ipynb")
    return path


def code_cells(path):
    return [cell for cell in read_notebook(path).cells if cell.cell_type == "code"]


def run(cells, names=None, change=lambda source: source):
    """Run code cells one after the other, each source changed first; returns the names they leave, added to `names`."""
    names = {"__name__": "__main__"} if names is None else names
    for cell in cells:
        exec(compile(change(cell.source), cell.id, "exec"), names)
    return names

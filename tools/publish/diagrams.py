"""Find the pictures that a deck takes from other notebooks: the diagram that grows, and the one on its cover."""

import re
from pathlib import Path

from nb.files import find_notebooks
from nb.format import code_cells, read_notebook

from publish.outputs import as_html

DIAGRAM = re.compile(r"^plots\.flow\(", re.MULTILINE)
PICTURE = re.compile(r"<img[^>]*>")


def pictures_before(path: Path, notebook, known: dict | tuple = ()) -> tuple[str, str]:
    """Return (the picture of a deck's cover, the last diagram before the notebook), as HTML, "" for none.

    The cover has this notebook's own diagram, or else the picture of a sentence in the first notebook. known: path ->
    NotebookNode, of those not to be read from files.
    """

    def read(other):
        return known[other] if other in known else read_notebook(other)

    listed = find_notebooks([path.parent])
    earlier = [diagram_of(read(other)) for other in listed if other.name < path.name]
    sentences = [as_html(cell.outputs) for cell in read(listed[0]).cells if "widgets.SentenceView(" in cell.source]
    emblem = diagram_of(notebook) or next((found[0] for found in map(PICTURE.search, sentences) if found), "")
    return emblem, next(filter(None, reversed(earlier)), "")


def growing(before: str, after: str) -> str:
    """Return the HTML of the figure `after` with two pictures: that of the figure `before`, a step later its own."""
    earlier, now = (PICTURE.search(figure)[0] for figure in (before, after))
    first = earlier.replace("<img", '<img class="earlier" aria-hidden="true"')
    then = now.replace("<img", '<img class="now"')
    return after.replace(now, f'<div class="states">{first}{then}</div>', 1)


def diagram_of(notebook) -> str:
    """Return the HTML of the course's diagram, as the first cell of a NotebookNode that draws it stores it, or ""."""
    diagrams = [cell for cell in code_cells(notebook) if DIAGRAM.search(cell.source)]
    return as_html(diagrams[0].outputs) if diagrams else ""

"""Find the pictures that a deck takes from other notebooks: the diagram that grows, and the one on its cover."""

import re

from nb.files import find_notebooks
from nb.format import code_cells, read_notebook

from publish.outputs import as_html

DIAGRAM = re.compile(r"^plots\.flow\(", re.MULTILINE)
PICTURE = re.compile(r"<img[^>]*>")


def pictures_before(path, notebook):
    """Return (picture for a deck's cover, the diagram that grows, as the last notebook before leaves it).

    Both are HTML; "" if there is none. The cover has this notebook's own diagram, or else the sentence of the first
    notebook. path: of the notebook. notebook: as read from there.
    """
    listed = find_notebooks([path.parent])
    earlier = [diagram_of(read_notebook(other)) for other in listed if other.name < path.name]
    emblem = diagram_of(notebook) or _sentence_of(read_notebook(listed[0]))
    return emblem, next(filter(None, reversed(earlier)), "")


def growing(before, after):
    """Return an HTML figure with two states: the picture of the figure `before`, and one step later that of `after`."""
    earlier, now = (PICTURE.search(figure)[0] for figure in (before, after))
    first = earlier.replace("<img", '<img class="earlier" aria-hidden="true"')
    then = now.replace("<img", '<img class="now"')
    return after.replace(now, f'<div class="states">{first}{then}</div>', 1)


def diagram_of(notebook):
    """Return the HTML of a notebook's first cell with `plots.flow`, the diagram that grows; "" if there is none."""
    diagrams = [cell for cell in code_cells(notebook) if DIAGRAM.search(cell.source)]
    return as_html(diagrams[0].outputs) if diagrams else ""


def _sentence_of(notebook):
    """Return the HTML of the first picture of a sentence that a notebook stores; "" if there is none."""
    pictures = (as_html(cell.outputs) for cell in notebook.cells if "widgets.SentenceView(" in cell.source)
    return next((PICTURE.search(picture)[0] for picture in pictures if PICTURE.search(picture)), "")

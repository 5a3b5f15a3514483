"""Find the pictures that a deck takes from other notebooks: the diagram that grows, and the one on its cover."""

import re

from nb.files import find_notebooks
from nb.format import code_cells, read_notebook

from publish.outputs import as_html

DIAGRAM = re.compile(r"^plots\.flow\(", re.MULTILINE)
PICTURE = re.compile(r"<img[^>]*>")


def pictures_before(path, notebook, known=()):
    """Return (the picture of a deck's cover, the last diagram before the notebook), two strs of HTML, "" for none.

    The cover has this notebook's own diagram, or else the sentence of the first notebook; the second is the course's
    diagram as the last notebook before leaves it. path: of the notebook, a Path. notebook: the NotebookNode read from
    there. known: a dict, path -> NotebookNode, of notebooks that need not be read from their files; in another language
    than English, the translated ones.
    """

    def read(other):
        """Return the NotebookNode of another notebook. other: its Path."""
        return known[other] if other in known else read_notebook(other)

    listed = find_notebooks([path.parent])
    earlier = [diagram_of(read(other)) for other in listed if other.name < path.name]
    emblem = diagram_of(notebook) or _sentence_of(read(listed[0]))
    return emblem, next(filter(None, reversed(earlier)), "")


def growing(before, after):
    """Return the HTML of a figure with two states: the picture of `before`, and one step later that of `after`.

    before, after: the HTML of two figures; the result is `after` with both pictures in it.
    """
    earlier, now = (PICTURE.search(figure)[0] for figure in (before, after))
    first = earlier.replace("<img", '<img class="earlier" aria-hidden="true"')
    then = now.replace("<img", '<img class="now"')
    return after.replace(now, f'<div class="states">{first}{then}</div>', 1)


def diagram_of(notebook):
    """Return the HTML of the course's diagram, `plots.flow`, as the first cell that calls it stores it; "" without one.

    notebook: a NotebookNode.
    """
    diagrams = [cell for cell in code_cells(notebook) if DIAGRAM.search(cell.source)]
    return as_html(diagrams[0].outputs) if diagrams else ""


def _sentence_of(notebook):
    """Return the HTML of the first picture that a view of a sentence stores in a NotebookNode; "" if there is none."""
    pictures = (as_html(cell.outputs) for cell in notebook.cells if "widgets.SentenceView(" in cell.source)
    return next((PICTURE.search(picture)[0] for picture in pictures if PICTURE.search(picture)), "")

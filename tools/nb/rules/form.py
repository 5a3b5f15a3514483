"""Rules about the form of a notebook: stored content, title, tags, slides."""

import re

from nb.format import clean, read_notebook, to_bytes
from nb.rules.model import Cell, Notebook

TAGS = {"setup", "exercise", "check", "solution", "figure", "widget", "lab-only", "copied", "nbval-ignore-output"}
SLIDE_TYPES = {"slide", "subslide", "fragment", "skip", "-"}
LAYOUTS = {"beside", "question", "statement", "table", "text", "whole"}  # besides cover, which the title cell gets
NEVER_A_SLIDE = {"setup", "exercise", "check", "solution"}  # tags of code; an exercise's prompt may be a slide

TITLE = re.compile(r"# (\d+) · \S")
BULLET = re.compile(r"^\s*[-*] \S", re.MULTILINE)


def is_clean(notebook: Notebook):
    """Yield (None, message) if a notebook's file is not byte for byte what `clean` would store."""
    if to_bytes(clean(read_notebook(notebook.path))) != notebook.path.read_bytes():
        yield None, "holds more than content (widget state, timings, an editor's metadata): run `clean`"


def title(notebook: Notebook):
    """Yield (Cell or None, message) for each fault in the file's name, the title and the objectives."""
    cell = notebook.cells[0] if notebook.cells else None
    number = re.match(r"\d\d(?=_)", notebook.path.name)
    if number is None:
        yield None, "the file name must start with two digits and an underscore, as in 03_trainable_weights.ipynb"
    if cell is None or cell.is_code:
        yield cell, "the first cell must be Markdown and start with `# N · Title`"
        return
    heading = TITLE.match(cell.source)
    if heading is None or (number and int(heading[1]) != int(number[0])):
        wanted = int(number[0]) if number else "N"
        yield cell, f"the title must read `# {wanted} · Title`, with the number of the file"
    if len(BULLET.findall(cell.source)) < 3:
        yield cell, "the title cell needs at least three objectives as a list: `- Write …`"


def tags(cell: Cell):
    """Yield a message for each tag of a cell that is not in TAGS, since nbval silently ignores a misspelt tag."""
    for tag in cell.tags:
        if tag not in TAGS:
            yield f"unknown tag {tag!r}: use one of {', '.join(sorted(TAGS))}"


def ignored_outputs_have_a_reason(cell: Cell):
    """Yield a message if a cell is tagged nbval-ignore-output and its metadata has no "reason"."""
    if "nbval-ignore-output" in cell.tags and not str(cell.metadata.get("reason") or "").strip():
        yield 'tag nbval-ignore-output needs a "reason" in the cell\'s metadata: say what changes from run to run'


def after_names_cells_above(notebook: Notebook):
    """Yield (Cell, message) for each cell whose metadata entry "after" is no list of ids of code cells above it."""
    above = []
    for cell in notebook.cells:
        wanted = cell.metadata.get("after", [])
        if not isinstance(wanted, list) or not set(map(str, wanted)) <= set(above):
            yield cell, 'its metadata entry "after" must be a list of ids of code cells above it, which are run first'
        if cell.is_code:
            above.append(cell.id)


def slides(notebook: Notebook):
    """Yield (Cell, message) for each cell with an unknown slide type or layout, or with one its tags forbid."""
    for cell in notebook.cells:
        slideshow = cell.metadata.get("slideshow")
        slide_type = slideshow.get("slide_type") if isinstance(slideshow, dict) else None
        if slide_type == "notes":
            yield cell, f"speaker notes stand in lessons/{notebook.path.stem[3:]}/teaching.md, not in the notebook"
        elif slide_type not in SLIDE_TYPES:
            yield cell, f"slideshow.slide_type must be one of {', '.join(sorted(SLIDE_TYPES))}, got {slide_type!r}"
        elif slideshow.get("layout", "text") not in LAYOUTS:
            yield cell, f"slideshow.layout must be one of {', '.join(sorted(LAYOUTS))}, got {slideshow['layout']!r}"
        elif "lab-only" in cell.tags and slide_type != "skip":
            needs = "needs a kernel, and is no slide: slide_type must be skip"
            yield cell, f"a cell tagged lab-only {needs}, got {slide_type!r}"
        elif cell.is_code and slide_type != "skip" and NEVER_A_SLIDE.intersection(cell.tags):
            yield cell, f"code tagged {', '.join(cell.tags)} is no slide: slide_type must be skip, got {slide_type!r}"


def solutions_are_hidden(cell: Cell):
    """Yield a message if a cell tagged solution is not collapsed."""
    if "solution" in cell.tags and not cell.metadata.get("jupyter", {}).get("source_hidden"):
        yield 'a solution must be collapsed: write "jupyter": {"source_hidden": true} into the cell\'s metadata'

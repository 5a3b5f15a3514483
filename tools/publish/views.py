"""Collect the HTML of a notebook's live views, with their data in it, by running the notebook."""

import ast
import asyncio
import hashlib
import json
import os

from nb.files import COURSE, NotebookError, write_atomically
from nb.format import WIDGET_VIEW, code_cells, tags
from nb.run import CELL_TIMEOUT, execute, side_by_side
from nbformat.v4 import new_code_cell, new_notebook

# By default an output leaves out the HTML of a view, which is needed here.
ASK_FOR_HTML = """
from course_utils.widgets.view import View
View.html_in_notebooks = True
"""
SHOWS_ONLY = {"plots", "checks", "quiz"}  # a cell that only calls one of these defines nothing for later cells


def collect(notebooks, cache, jobs):
    """Run notebooks to collect the HTML of their live views; return the pair (views, problems).

    notebooks: a dict, path -> notebook. cache: the folder that keeps what was collected. jobs: how many notebooks run
    at once. views: a dict, path -> {id of a cell: [HTML of each of its views]}; {} for a notebook without views, and
    for one that failed before its last view. problems: a list with a line for each failure.
    """
    views, course = {}, _state_of_the_course()

    async def run(path, notebook, bar):
        """Collect the views of one notebook, from the cache if there; return [], or [line] if a cell fails."""
        stored = cache / f"{path.stem}.{_digest(course, json.dumps([cell.source for cell in notebook.cells]))}.json"
        views[path] = json.loads(stored.read_text("utf-8")) if stored.exists() else {}
        if stored.exists() or not notebook.cells:
            bar.update(len(notebook.cells))
            return []
        try:
            await execute(notebook, path.resolve().parent, CELL_TIMEOUT, bar)
        except NotebookError as error:
            return [f"{path.name}: its views stay pictures. {error}"]
        found = {cell.id: [_html(output) for output in cell.outputs if _html(output)] for cell in notebook.cells}
        views[path] = {cell_id: htmls for cell_id, htmls in found.items() if htmls}
        for old in cache.glob(f"{path.stem}.*.json"):
            old.unlink()
        write_atomically(stored, json.dumps(views[path]).encode())
        return []

    read = {path: _up_to_the_last_view(notebook) for path, notebook in notebooks.items()}.get
    return views, asyncio.run(side_by_side(notebooks, jobs, run, read))


def shared_files():
    """Return a dict, file name -> bytes, of what all pages' views share: a page loads both before its first view."""
    from course_utils import widgets  # noqa: F401 (importing it registers all kinds of view)
    from course_utils.widgets import view

    return {"views.js": view.shared_script().encode(), "views.css": view.shared_style().encode()}


def _html(output):
    """Return the HTML of a view in a cell's output, or None if the output shows no view."""
    data = output.get("data", {})
    return data.get("text/html") if WIDGET_VIEW in data else None


def _up_to_the_last_view(notebook):
    """Return a new notebook with ASK_FOR_HTML and the code cells up to the last one tagged widget, without outputs.

    Cells that only show something (see `_shows_only`) are left out. Without a cell tagged widget, it has no cells.
    """
    cells = code_cells(notebook)
    last = max((number for number, cell in enumerate(cells, 1) if "widget" in tags(cell)), default=0)
    needed = [cell for cell in cells[:last] if not _shows_only(cell.source)]
    first = [new_code_cell(ASK_FOR_HTML)] if needed else []
    return new_notebook(cells=first + [new_code_cell(cell.source, id=cell.id) for cell in needed])


def _shows_only(source):
    """Return whether a cell's source is nothing but one call of a function of `plots`, `checks` or `quiz`."""
    match ast.parse(source).body:
        case [ast.Expr(ast.Call(ast.Attribute(ast.Name(module))))]:
            return module in SHOWS_ONLY
    return False


def _state_of_the_course():
    """Return a digest of the package's code but the checks, and of the names and sizes of the data files."""
    code = [path for path in sorted((COURSE / "course_utils").rglob("*")) if path.suffix in (".py", ".js", ".css")]
    code = [path for path in code if path.parent.name != "checks"]
    data = [path for path in sorted((COURSE / "data").rglob("*")) if path.is_file()]
    return _digest(*(path.read_bytes() for path in code), *(f"{path.name} {os.stat(path).st_size}" for path in data))


def _digest(*parts):
    """Return 16 hex digits of the SHA-256 of strings and bytes."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part if isinstance(part, bytes) else part.encode())
    return whole.hexdigest()[:16]

"""Collect the HTML of a notebook's live views, with their data in it, from a run of the notebook."""

import ast
import asyncio
import hashlib
import json
import os

from nb.files import COURSE, NotebookError, write_atomically
from nb.format import LIVE_HTML, code_cells, tags
from nb.run import CELL_TIMEOUT, execute, side_by_side
from nbformat.v4 import new_code_cell, new_notebook

ASK_FOR_HTML = {"COURSE_LIVE_HTML": LIVE_HTML}  # by default an output leaves out a view's live HTML, needed here
CACHE = COURSE / "build" / "views"
SHOWS_ONLY = {"plots", "checks", "quiz"}  # a cell that only calls one of these defines nothing for later cells


def collect(notebooks, cache, jobs):
    """Collect the HTML of the live views of notebooks: from a cache, or from a run of those not in it.

    Returns (views, problems). views: a dict, path -> {id of a cell: [HTML of each of its views]}; {} for a notebook
    without views, and for one that failed before its last view. problems: a list with a line for each failure.
    notebooks: a dict, path (a Path) -> NotebookNode. cache: the folder that keeps the HTML, a Path. jobs: how many
    notebooks run at once.
    """
    views, course = {}, state_of_the_course()

    async def run(path, notebook, bar):
        """Add a notebook's views, cached or from a run, to `views`; return [], or a line about a failure in a list.

        Called by `side_by_side`, which says what the arguments are.
        """
        stored = _stored(cache, path, notebook, course)
        views[path] = json.loads(stored.read_text("utf-8")) if stored.exists() else {}
        if stored.exists() or not notebook.cells:
            bar.update(len(notebook.cells))
            return []
        try:
            await execute(notebook, path.resolve().parent, CELL_TIMEOUT, bar, ASK_FOR_HTML)
        except NotebookError as error:
            return [f"{path.name}: its views stay pictures. {error}"]
        views[path] = _keep(stored, path, {cell.id: cell.outputs for cell in notebook.cells})
        return []

    read = {path: _up_to_the_last_view(notebook) for path, notebook in notebooks.items()}.get
    return views, asyncio.run(side_by_side(notebooks, jobs, run, read))


def keep(path, notebook, outputs, cache=CACHE):
    """Keep the live HTML of a notebook's views for `collect`, from a run that asked for it with ASK_FOR_HTML.

    path: of the notebook, a Path. outputs: a dict, id of a cell -> list of its outputs, for each cell that ran without
    failure. Nothing is kept if a cell that `collect` would run is missing. cache: as for `collect`.
    """
    needed = _up_to_the_last_view(notebook)
    ids = [cell.id for cell in needed.cells]
    if ids and outputs.keys() >= set(ids):
        stored = _stored(cache, path, needed, state_of_the_course())
        _keep(stored, path, {cell_id: outputs[cell_id] for cell_id in ids})


def _keep(stored, path, outputs):
    """Write the views in the outputs of a notebook into a file of the cache, in place of older files, and return them.

    Returns a dict, id of a cell -> [HTML of each of its views]. stored: the Path of the file. path: of the notebook.
    outputs: as for `keep`.
    """
    found = {cell_id: [one.data[LIVE_HTML] for one in every if LIVE_HTML in one.get("data", {})]
             for cell_id, every in outputs.items()}  # fmt: skip
    views = {cell_id: htmls for cell_id, htmls in found.items() if htmls}
    for old in stored.parent.glob(f"{path.stem}.*.json"):
        old.unlink(missing_ok=True)
    write_atomically(stored, json.dumps(views).encode())
    return views


def _stored(cache, path, needed, course):
    """Return the Path of the file in the cache for a notebook's views; it changes with what the views depend on.

    cache: the folder, a Path. path: of the notebook. needed: a NotebookNode of its cells that run. course: a digest of
    the course's code, as `state_of_the_course` returns it.
    """
    return cache / f"{path.stem}.{digest(course, json.dumps([cell.source for cell in needed.cells]))}.json"


def shared_files():
    """Return a dict, file name -> bytes, of the script and the style that the views of all pages share."""
    from course_utils import widgets  # noqa: F401 (importing it registers all kinds of view)
    from course_utils.widgets import view

    return {"views.js": view.shared_script().encode(), "views.css": view.shared_style().encode()}


def _up_to_the_last_view(notebook):
    """Return a new NotebookNode with the code cells of one up to the last one tagged widget, without outputs.

    Cells that only show something (see `_shows_only`) are left out. Without a cell tagged widget, it has no cells.
    """
    cells = code_cells(notebook)
    last = max((number for number, cell in enumerate(cells, 1) if "widget" in tags(cell)), default=0)
    needed = [cell for cell in cells[:last] if not _shows_only(cell.source)]
    return new_notebook(cells=[new_code_cell(cell.source, id=cell.id) for cell in needed])


def _shows_only(source):
    """Return whether a cell's source is nothing but one call of a function of `plots`, `checks` or `quiz`."""
    match ast.parse(source).body:
        case [ast.Expr(ast.Call(ast.Attribute(ast.Name(module))))]:
            return module in SHOWS_ONLY
    return False


def state_of_the_course():
    """Return a digest, a str, of the package's Python but the checks, and of the names and sizes of the data files.

    The views' JavaScript and CSS do not belong to it: they stand in files that all pages share (`shared_files`).
    """
    code = [path for path in sorted((COURSE / "course_utils").rglob("*.py")) if path.parent.name != "checks"]
    data = [path for path in sorted((COURSE / "data").rglob("*")) if path.is_file()]
    return digest(*(path.read_bytes() for path in code), *(f"{path.name} {os.stat(path).st_size}" for path in data))


def digest(*parts):
    """Return the first 16 hex digits of the SHA-256 of some strings and bytes, a str."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part if isinstance(part, bytes) else part.encode())
    return whole.hexdigest()[:16]

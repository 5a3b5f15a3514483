"""Collect the HTML of a notebook's live views, with their data in it, by running the notebook."""

import ast
import asyncio
import hashlib
import json
import os

from nb.files import COURSE, NotebookError, write_atomically
from nb.format import WIDGET_VIEW, code_cells, tags
from nb.run import CELL_TIMEOUT, execute
from nbformat.v4 import new_code_cell, new_notebook
from tqdm import tqdm

# By default an output leaves out the HTML of a view, which is needed here.
ASK_FOR_HTML = """
from course_utils.widgets.view import View
View.html_in_notebooks = True
"""
SHOWS_ONLY = {"plots", "checks", "quiz"}  # a cell that only calls one of these defines nothing for later cells


def collect(notebooks, cache, jobs):
    """Run notebooks to collect the HTML of their live views; return the pair (views, problems).

    notebooks: path -> notebook. cache: the folder that keeps what was collected. jobs: how many notebooks run at once.
    views: path -> {id of a cell: [HTML of each of its views]}, {} for a notebook that failed before its last view.
    problems: a line for each of those.
    """
    return asyncio.run(_collect(notebooks, cache, jobs))


def shared_files():
    """Return the files that all pages' views share: name -> bytes. A page loads both before its first view."""
    from course_utils import widgets  # noqa: F401 (importing it registers all kinds of view)
    from course_utils.widgets import view

    return {"views.js": view.shared_script().encode(), "views.css": view.shared_style().encode()}


async def _collect(notebooks, cache, jobs):
    """Do the work of `collect`, whose parameters and result it shares."""
    free, views, problems, code = asyncio.Semaphore(jobs), {}, [], _state_of_the_course()
    wanted = {path: _up_to_the_last_view(notebook) for path, notebook in notebooks.items()}
    with tqdm(total=sum(map(len, wanted.values())), unit="cell", desc="views", disable=None, leave=False) as bar:

        async def run(path, cells):
            """Collect the views of one notebook into `views`, from the cache if its code and the course are unchanged.

            path: of the notebook. cells: what `_up_to_the_last_view` gives. A failure goes into `problems`.
            """
            stored = cache / f"{path.stem}.{_digest(code, json.dumps([cell.source for cell in cells]))}.json"
            if stored.exists() or not cells:
                bar.update(len(cells))
                views[path] = json.loads(stored.read_text("utf-8")) if cells else {}
                return
            try:
                async with free:
                    views[path] = await _views_of(path, cells, bar)
            except NotebookError as error:
                views[path] = {}
                problems.append(f"{path.name}: its views stay pictures. {error}")
                return
            for old in cache.glob(f"{path.stem}.*.json"):
                old.unlink()
            write_atomically(stored, json.dumps(views[path]).encode())

        await asyncio.gather(*(run(path, cells) for path, cells in wanted.items()))
    return views, problems


async def _views_of(path, cells, bar):
    """Run cells as a notebook; return id of a cell -> [HTML of each of its views], for the cells that show a view.

    path: of the notebook, in whose folder the cells run. bar: a tqdm bar, moved on by each cell. Errors: NotebookError
    if a cell fails.
    """
    notebook = new_notebook(cells=[new_code_cell(ASK_FOR_HTML), *cells])
    await execute(notebook, path.resolve().parent, CELL_TIMEOUT, bar)
    html_of = {cell.id: [_html(output) for output in cell.outputs if _html(output)] for cell in cells}
    return {cell_id: views for cell_id, views in html_of.items() if views}


def _html(output):
    """Return the HTML of a view in a cell's output, or None if the output shows no view."""
    data = output.get("data", {})
    return data.get("text/html") if WIDGET_VIEW in data else None


def _up_to_the_last_view(notebook):
    """Return new code cells up to the last with the tag widget, without outputs; [] if there is no such cell.

    Cells that only show something are left out.
    """
    cells = code_cells(notebook)
    places = [number for number, cell in enumerate(cells, 1) if "widget" in tags(cell)]
    return [
        new_code_cell(cell.source, id=cell.id)
        for cell in cells[: max(places, default=0)]
        if not _shows_only(cell.source)
    ]


def _shows_only(source):
    """Check whether a cell's source is nothing but one call of a function of `plots`, `checks` or `quiz`."""
    match ast.parse(source).body:
        case [ast.Expr(ast.Call(ast.Attribute(ast.Name(module))))]:
            return module in SHOWS_ONLY
    return False


def _state_of_the_course():
    """Return a digest of what a view may depend on beside its notebook.

    That is the package's code without the checks, and the names and sizes of the data files.
    """
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

"""Collect the HTML of a notebook's live views, with their data in it, from a run of the notebook."""

import ast
import asyncio
import copy
import hashlib
import json
import os
from pathlib import Path

from nb.files import COURSE, NotebookError, write_atomically
from nb.format import LIVE_HTML, clean, code_cells, tags
from nb.run import CELL_TIMEOUT, execute, side_by_side
from nbformat import from_dict
from nbformat.v4 import new_code_cell, new_notebook

from course_utils.files import read_json

ASK_FOR_HTML = {"COURSE_LIVE_HTML": LIVE_HTML}  # by default an output leaves out a view's live HTML, needed here
CACHE = COURSE / "build" / "views"
SHOWS_ONLY = {"plots", "checks", "quiz"}  # a cell that only calls one of these defines nothing for later cells


def collect(notebooks: dict, cache: Path, jobs: int) -> tuple[dict, list[str]]:
    """Collect the HTML of the live views of notebooks: from a cache, or from a run of those not in it, `jobs` at once.

    Return (views, problems). views: path -> {id of a cell: [HTML of each of its views]}; {} for a notebook that failed.
    problems: a line for each failure. notebooks: path -> NotebookNode. cache: the folder that keeps the outputs.
    """
    views, course = {path: {} for path in notebooks}, state_of_the_course()

    async def run(path, notebook, bar):
        """Add a notebook's views to `views`; return [] or [a failure]."""
        stored = kept_in(cache, path, notebook.cells, course)
        try:
            views[path] = live(await kept_or_run(path, notebook.cells, stored, bar)) if notebook.cells else {}
            return []
        except NotebookError as error:
            return [f"{path.name}: its views stay pictures. {error}"]

    read = {path: _up_to_the_last_view(notebook) for path, notebook in notebooks.items()}.get
    return views, asyncio.run(side_by_side(notebooks, jobs, run, read))


async def kept_or_run(path: Path, cells: list, stored: Path, bar, may_run=True) -> dict[str, list] | None:
    """Return id of a cell -> its outputs: from a file of a cache, or from a run of these cells, then kept.

    path: the notebook's. bar: as for `execute`. None comes back if nothing is kept and it may not run. Errors:
    NotebookError if it fails.
    """
    kept = read_json(stored)
    if kept is not None:
        bar.update(len(cells))
    elif may_run:
        made = new_notebook(cells=copy.deepcopy(cells))
        await execute(made, path.resolve().parent, CELL_TIMEOUT, bar, ASK_FOR_HTML)
        kept = {cell.id: cell.outputs for cell in clean(made).cells}
        replace(stored, json.dumps(kept).encode())
    return from_dict(kept)


def live(outputs: dict[str, list]) -> dict[str, list[str]]:
    """Take the live HTML out of outputs, id of a cell -> a list, and return id of a cell -> [HTML of each view]."""
    taken = {
        id: [output.data.pop(LIVE_HTML) for output in every if LIVE_HTML in output.get("data", {})]
        for id, every in outputs.items()
    }
    return {id: htmls for id, htmls in taken.items() if htmls}


def keep(path: Path, notebook, outputs: dict[str, list]):
    """Keep what `collect` needs of a notebook, from a run that asked for it with ASK_FOR_HTML.

    outputs: id of a cell -> its outputs, for each cell that ran without failure. Nothing is kept if one is missing.
    """
    needed = _up_to_the_last_view(notebook).cells
    if needed and all(cell.id in outputs for cell in needed):
        stored = kept_in(CACHE, path, needed, state_of_the_course())
        replace(stored, json.dumps({cell.id: outputs[cell.id] for cell in needed}).encode())


def replace(stored: Path, data: bytes):
    """Write a file of a cache in place of those with another digest."""
    for old in stored.parent.glob(f"{stored.name.partition('.')[0]}.*.json"):
        old.unlink(missing_ok=True)
    write_atomically(stored, data)


def kept_in(cache: Path, path: Path, cells: list, state: str) -> Path:
    """Return the file in a cache for the outputs of some cells of a notebook. state: a digest of all else."""
    return cache / f"{path.stem}.{digest('outputs', state, json.dumps([cell.source for cell in cells]))}.json"


def shared_files() -> dict[str, bytes]:
    """Return file name -> content of the script and the style that the views of all pages share."""
    from course_utils import widgets  # noqa: F401 (importing it registers all kinds of view)
    from course_utils.widgets.shared import view

    return {"views.js": view.shared_script().encode(), "views.css": view.shared_style().encode()}


def _up_to_the_last_view(notebook):
    """Return a new NotebookNode with the code cells of one up to the last view, without those that only show."""
    cells = code_cells(notebook)
    last = max((number for number, cell in enumerate(cells, 1) if "widget" in tags(cell)), default=0)
    needed = [cell for cell in cells[:last] if not _shows_only(cell.source)]
    return new_notebook(cells=[new_code_cell(cell.source, id=cell.id) for cell in needed])


def _shows_only(source: str) -> bool:
    """Return whether a cell's source is nothing but one call of a function of SHOWS_ONLY."""
    match ast.parse(source).body:
        case [ast.Expr(ast.Call(ast.Attribute(ast.Name(module))))]:
            return module in SHOWS_ONLY
    return False


def state_of_the_course() -> str:
    """Return a digest of the package's Python but the checks, and of the names and sizes of the data files.

    The views' JavaScript and CSS do not belong to it: they stand in files that all pages share (`shared_files`).
    """
    patterns = ("course_utils/**/*.py", "lessons/*.py", "lessons/*/exercises/*.py", "lessons/*/quiz.json")
    code = [path for pattern in patterns for path in sorted(COURSE.glob(pattern)) if path.parent.name != "checks"]
    data = [path for path in sorted((COURSE / "data").rglob("*")) if path.is_file()]
    return digest(*(path.read_bytes() for path in code), *(f"{path.name} {os.stat(path).st_size}" for path in data))


def digest(*parts: str | bytes) -> str:
    whole = b"".join(part if isinstance(part, bytes) else part.encode() for part in parts)
    return hashlib.sha256(whole).hexdigest()[:16]

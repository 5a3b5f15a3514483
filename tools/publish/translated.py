"""Translate notebooks into the current language, with their outputs and live views from a run, which a cache keeps."""

import asyncio
import copy
from pathlib import Path

from nb.files import NotebookError
from nb.format import LIVE_HTML, clean, code_cells, read_notebook, tags, to_bytes
from nb.run import CELL_TIMEOUT, execute, side_by_side
from nb.translation.notebook import translated
from nbformat.v4 import new_notebook

from course_utils import language
from publish.questions import quiz_name
from publish.views import ASK_FOR_HTML, digest, kept_in, replace, state_of_the_course
from publish.words import CATALOGUES


def run(notebooks: dict, cache: Path, jobs: int, numbers=()) -> tuple[dict, dict, list[str]]:
    """Return (notebooks, views, problems): translated notebooks with outputs, and the rest as `views.collect` does.

    A notebook whose run fails keeps the outputs of the English one, and has no live views. notebooks: path -> English
    NotebookNode. cache, jobs: as for `collect`. numbers: of the notebooks that may run, such as "04"; any other that is
    not in the cache keeps the English outputs, too. If there are none, all may run.
    """
    views, state = {}, _state()
    read = {path: translated(notebook, path.stem) for path, notebook in notebooks.items()}

    async def run_one(path, notebook, bar):
        """Put outputs, cached or from a run, into a notebook, and its views into `views`; return [] or [a failure]."""
        shown = [cell for cell in code_cells(notebook) if "check" not in tags(cell) and not quiz_name(cell)]
        cells = [cell for cell in shown if cell.source.strip()]
        stored, problems = kept_in(cache, path, cells, state), []
        if made := _kept(stored):
            bar.update(len(cells))
        elif numbers and path.stem[:2] not in numbers:
            made = notebooks[path]
        else:
            made = new_notebook(cells=copy.deepcopy(cells))
            try:
                await execute(made, path.resolve().parent, CELL_TIMEOUT, bar, ASK_FOR_HTML)
                replace(stored, to_bytes(clean(made)))
            except NotebookError as error:
                problems = [f"{path.name}: its outputs stay English. {error}"]
                made = notebooks[path]
        outputs, views[path] = {cell.id: cell.outputs for cell in code_cells(made)}, {}
        for cell in code_cells(notebook):
            cell.outputs = outputs.get(cell.id, [])
            live = [output.data.pop(LIVE_HTML) for output in cell.outputs if LIVE_HTML in output.get("data", {})]
            views[path] |= {cell.id: live} if live else {}
        return problems

    problems = asyncio.run(side_by_side(notebooks, jobs, run_one, read.get))
    return read, views, problems


def _kept(stored: Path):
    """Return the notebook in a file of the cache; None if it is missing or cannot be read, as after a power cut."""
    try:
        return read_notebook(stored)
    except NotebookError:
        return None


def _state() -> str:
    """Return a digest of what outputs in the current language depend on, beside the notebook's own cells."""
    paths = [language.path(language.current(), name) for name in CATALOGUES]
    return digest(state_of_the_course(), *(path.read_bytes() for path in paths if path.exists()))

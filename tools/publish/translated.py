"""Translate notebooks into the current language, with their outputs and live views from a run, which a cache keeps."""

import asyncio
from pathlib import Path

from nb.files import NotebookError
from nb.format import code_cells, tags
from nb.run import side_by_side
from nb.translation.notebook import translated

from course_utils import language
from publish.questions import quiz_name
from publish.views import digest, kept_in, kept_or_run, live, state_of_the_course
from publish.words import CATALOGUES


def run(notebooks: dict, cache: Path, jobs: int, numbers=()) -> tuple[dict, dict, list[str]]:
    """Return (notebooks, views, problems): translated notebooks with outputs, and the rest as `views.collect` does.

    A notebook whose run fails keeps the English outputs, and has no live views; so does one that is not in the cache
    and not in `numbers`, such as "04", if there are any. notebooks: path -> English NotebookNode.
    """
    catalogues = [language.path(language.current(), name) for name in CATALOGUES]
    views, state = {}, digest(state_of_the_course(), *(path.read_bytes() for path in catalogues if path.exists()))
    read = {path: translated(notebook, path.stem) for path, notebook in notebooks.items()}

    async def run_one(path, notebook, bar):
        """Put outputs, cached or from a run, into a notebook, and its views into `views`; return [] or [a failure]."""
        shown = [cell for cell in code_cells(notebook) if "check" not in tags(cell) and not quiz_name(cell)]
        cells, problems = [cell for cell in shown if cell.source.strip()], []
        may_run = not numbers or path.stem[:2] in numbers
        try:
            outputs = await kept_or_run(path, cells, kept_in(cache, path, cells, state), bar, may_run)
        except NotebookError as error:
            outputs, problems = None, [f"{path.name}: its outputs stay English. {error}"]
        outputs = outputs or {cell.id: cell.outputs for cell in code_cells(notebooks[path])}
        views[path] = live(outputs)
        for cell in code_cells(notebook):
            cell.outputs = outputs.get(cell.id, [])
        return problems

    problems = asyncio.run(side_by_side(notebooks, jobs, run_one, read.get))
    return read, views, problems

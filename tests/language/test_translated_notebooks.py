"""Run each translated notebook, and compare the numbers in its outputs with the stored English ones."""

import asyncio
import re
from types import SimpleNamespace

import pytest
from nb.files import PUBLISHED
from nb.format import code_cells, read_notebook, tags
from nb.run import CELL_TIMEOUT, execute
from nb.translation.notebook import translated

from course_utils import language

STORED = sorted(path.stem for path in (language.FOLDER / "zh_Hans" / "notebooks").glob("*.po"))


def texts(cell):
    """Return what a cell has printed or shown as text, as one str."""
    return "\n".join(output.get("text") or output["data"].get("text/plain", "") for output in cell.outputs)


def numbers(text):
    """Return the numbers in a text, sorted: a sentence may name them in another order."""
    return sorted(re.findall(r"\d+(?:\.\d+)?", text))


@pytest.mark.parametrize("name", STORED)
def test_a_translated_notebook_runs_and_shows_the_same_numbers(name, chinese):
    page = read_notebook(PUBLISHED / f"{name}.ipynb")
    other = translated(page, name)
    asyncio.run(execute(other, PUBLISHED, CELL_TIMEOUT, SimpleNamespace(update=lambda: None)))
    pairs = zip(code_cells(page), code_cells(other), strict=True)
    compared = [(ours, theirs) for ours, theirs in pairs if "nbval-ignore-output" not in tags(ours)]
    assert [ours.id for ours, theirs in compared if numbers(texts(ours)) != numbers(texts(theirs))] == []
    assert any("\u4e00" <= letter <= "\u9fff" for _, theirs in compared for letter in texts(theirs))

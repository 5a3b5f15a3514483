"""Run translated notebooks: what they print is what the English ones do, but for the words that are translated.

`make test` runs a few, `make test-zh` all.
"""

import asyncio
import os
import re
import unicodedata
from itertools import pairwise
from types import SimpleNamespace

import pytest
from nb.files import PUBLISHED
from nb.format import code_cells, read_notebook, tags
from nb.outputs import difference
from nb.run import CELL_TIMEOUT, execute
from nb.translation import catalogues, notebook
from nbformat.v4 import new_notebook

from course_utils import course, fonts, language

ALL = [
    (code, page.file)
    for code in language.available()
    for page in course.notebooks()
    if language.path(code, f"notebooks/{page.topic}").exists()
]
FEW = ("00_start_here", "01_dot_product_attention", "04_causal_masking")
RUN = [(code, FEW) for code in language.available()]
if os.environ.get("ALL_TRANSLATED"):
    RUN = [(folder, (name,)) for folder, name in ALL]
WORD = re.compile(r"[a-z_]{2,}\w*")
VALUE = re.compile(r"-?\d+(?:\.\d+|\.(?=[],]))?|\b(?:True|False|nan|inf)\b")  # a full stop is no part of a number


@pytest.fixture(autouse=True)
def english_afterwards():
    yield
    language.use("en")


def lines(cell) -> list[str]:
    """Return the lines that an nbformat code cell has printed or shown as text, but for that on missing fonts."""
    shown = [output.get("text") or output["data"].get("text/plain", "") for output in cell.outputs]
    note = fonts.note()
    if note:  # "" where no letter is missing
        shown = [text.replace(f"{note}\n", "") for text in shown if text != f"{note}\n"]
    return "\n".join(shown).split("\n")


def values(text: str) -> str:
    """Return the numbers, True, False, nan and inf in a text, sorted and joined: a sentence may name them otherwise."""
    return " ".join(sorted(VALUE.findall(text)))


def new_words(ours: list[str], theirs: list[str]) -> set[str]:
    """Return the Latin words of a translated cell's output, lines, that the English one does not have."""
    known = "\n".join(ours).lower()
    return {word for word in WORD.findall("\n".join(theirs).lower()) if word not in known}


def columns(line):
    """Return where the values of a printed line begin and end: a list of (first column, column behind the last)."""
    shown = ""
    for letter in line:
        width = 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        shown += " " * (8 - len(shown) % 8) if letter == "\t" else letter * width
    return [value.span() for value in VALUE.finditer(shown)]


def stand_below(one, other):
    """Return whether the values of a printed line stand below those of another; None if they are not as many."""
    spans, others = columns(one), columns(other)
    if len(spans) != len(others) or not spans:
        return None
    return all(a == c or b == d for (a, b), (c, d) in zip(spans, others, strict=True))


def out_of_line(ours, theirs):
    """Return the lines of `theirs` whose values do not stand below those of the line before, as they do in `ours`."""
    pairs = zip(pairwise(ours), pairwise(theirs), strict=False)
    return [there[1] for here, there in pairs if stand_below(*here) and stand_below(*there) is False]


def differing(ours, theirs) -> list:
    """Return what differs between the output of an nbformat code cell and of its translation, or is out of line."""
    a, b = lines(ours), lines(theirs)
    found = [*new_words(a, b)]
    if "nbval-ignore-output" not in tags(ours):
        pairs = zip(a, b, strict=False)
        found += [len(a) - len(b), *(difference(values(x), values(y)) for x, y in pairs)]
    if "print(" in ours.source:
        found += out_of_line(a, b)
    assert "Glyph" not in "\n".join(b)  # matplotlib's warning of a letter that no font has
    return list(filter(None, found))


@pytest.mark.parametrize(("folder", "names"), RUN)
def test_translated_notebooks_print_what_the_english_ones_do(folder, names):
    """One kernel runs the notebooks, one after the other, since loading PyTorch takes longer than most of them."""
    language.use(folder)
    pages = {name: read_notebook(PUBLISHED / f"{name}.ipynb") for name in names}
    others = [notebook.translated(page, name) for name, page in pages.items()]
    cells = [cell for other in others for cell in other.cells]
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"  # two notebooks may have a cell of one name
    together = new_notebook(cells=cells, metadata=others[0].metadata)
    asyncio.run(execute(together, PUBLISHED, CELL_TIMEOUT, SimpleNamespace(update=lambda: None)))
    found = {}
    for name, other in zip(pages, others, strict=True):
        for ours, theirs in zip(code_cells(pages[name]), code_cells(other), strict=True):
            found[f"{name}: {ours.id}"] = differing(ours, theirs)
    assert {cell: differences for cell, differences in found.items() if differences} == {}


@pytest.mark.needs_font
@pytest.mark.parametrize(("folder", "name"), ALL)
def test_figures_have_a_font_for_each_letter_of_translated_code(folder, name):
    page = read_notebook(PUBLISHED / f"{name}.ipynb")
    cells = {cell.id for cell in code_cells(page)}
    done = [one.string for one in catalogues.read(folder, f"notebooks/{name[3:]}") if one.context in cells]
    assert done and [text for text in done if fonts.drawable(text) != text] == []

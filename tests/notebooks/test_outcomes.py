"""Test the fold over the words that tell how a prediction turned out, and who sees these words without it."""

import pytest
from grading.lead_up import lead_up
from nb import outcomes
from nb.exercises import find
from nb.files import find_notebooks
from nb.format import read_notebook
from nb.rules.minutes import minutes
from nb.rules.model import Cell
from nb.translation.notebook import texts, translated
from nbformat.v4 import new_markdown_cell

from course_utils import language

PARTS = ("## A heading", "Four.\n\n$$2 + 2$$", "Now the other one.")
FOLDED = """## A heading

<details><summary>What it shows</summary>

Four.

$$2 + 2$$

</details>

Now the other one."""


@pytest.fixture
def in_chinese():
    language.use("zh")
    yield
    language.use(language.ENGLISH)


def test_the_words_above_in_and_below_the_fold():
    assert outcomes.folded(*PARTS) == FOLDED and outcomes.parts(FOLDED) == PARTS
    assert outcomes.opened(FOLDED) == "\n\n".join(PARTS)


@pytest.mark.parametrize("parts", [("", "Four.", ""), ("A.", "Four.", ""), ("", "Four.", "B."), ("A.\n\nB.", "", "")])
def test_parts_may_be_missing(parts):
    assert outcomes.parts(outcomes.folded(*parts)) == parts


def test_other_details_stand_in_the_fold_or_outside_it():
    other = "<details><summary>A hint</summary>Count.</details>"
    assert outcomes.parts(outcomes.folded(other, f"Four.\n\n{other}", other)) == (other, f"Four.\n\n{other}", other)
    assert outcomes.parts(other) == (other, "", "")


def test_the_summary_is_in_the_language_and_no_text_to_translate(in_chinese):
    cell = new_markdown_cell(FOLDED, id="a")
    assert texts(cell) == ["A heading", "Four.", "Now the other one."]
    (chinese,) = translated({"cells": [cell]}, "no page")["cells"]
    assert "<summary>What it shows</summary>" not in chinese["source"]
    assert outcomes.parts(chinese["source"])[1] == PARTS[1]


@pytest.mark.parametrize("path", find_notebooks([]), ids=lambda path: path.stem)
def test_a_translated_notebook_has_the_same_folds(path, in_chinese):
    notebook = read_notebook(path)
    both = zip(notebook.cells, translated(notebook, path.stem).cells, strict=True)
    folds = [[bool(part) for cell in pair for part in outcomes.parts(cell.source)] for pair in both]
    assert sum(fold[1] for fold in folds) > 2 and all(fold[:3] == fold[3:] for fold in folds)


def test_folded_words_count_as_read():
    words = "word " * 150
    assert minutes([Cell(1, new_markdown_cell(outcomes.folded("", words, "")))]) == pytest.approx(1)


def test_what_leads_up_to_an_exercise_has_no_such_fold():
    place = find("masked_weights")
    above = [outcomes.parts(cell.source)[1] for cell in place.cells[place.heading : place.prompt]]
    (told,) = filter(None, above[-1:])
    text = lead_up("masked_weights", place, ["masked_weights"])
    assert told in text and outcomes.SUMMARY not in text

"""Test the rules about cells that answer an exercise of their page."""

import nbformat
import pytest
from good_notebook import HIDDEN
from nb.outcomes import folded
from nb.rules import answers
from nb.rules.model import Notebook
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

PAGE = "04_causal_masking.ipynb"  # the rules know the exercises of this notebook and their answers
ROW_AND_COLUMN = "place = torch.arange(9)\nopen = place[None, :] <= place[:, None]"
CHECKED = new_code_cell("checks.causal_mask(my_causal_mask)", metadata={"tags": ["check"]})
ANSWERED, MARKED = new_code_cell(ROW_AND_COLUMN), {"answers": ["causal_mask"]}
SHOWN = "shows `place[None, :] <= place[:, None]`, which answers the exercise causal_mask"
ANSWERS = {  # name -> (cells of the page, parts of the only finding, if any)
    "the answer": ([CHECKED, ANSWERED], [SHOWN]),
    "other names": ([CHECKED, new_code_cell("a[None, :] <= a[:, None]")], ["answers the exercise causal_mask"]),
    "marked": ([CHECKED, new_code_cell(ROW_AND_COLUMN, metadata=MARKED)], []),
    "other code": ([CHECKED, new_code_cell("place[None, :] < place[:, None]")], []),
    "no exercise": ([CHECKED, new_code_cell("1", metadata={"answers": ["causal_task"]})], ["which is no exercise"]),
    "no list": ([CHECKED, new_code_cell("1", metadata={"answers": "causal_mask"})], ["must be a list"]),
    "what stood above is no secret": ([ANSWERED, CHECKED, new_code_cell(ROW_AND_COLUMN)], []),
    "a mark above its exercise": ([new_code_cell("1", metadata=MARKED), CHECKED], ["is asked only below it"]),
}


@pytest.mark.parametrize("case", ANSWERS)
def test_a_cell_that_answers_an_exercise_says_so(tmp_path, case):
    cells, words = ANSWERS[case]
    nbformat.write(new_notebook(cells=cells), tmp_path / PAGE)
    page = Notebook.read(tmp_path / PAGE)
    found = [*answers.cells_that_answer_say_so(page), *answers.marks_mean_something(page)]
    assert len(found) == len(words) and all(part in found[0][1] for part in words)


FILLER = [new_markdown_cell("Words.") for _ in range(3)]
SEEN = {  # name -> (cells below the check, the number of findings)
    "code": ([new_code_cell("1", metadata=MARKED)], 1),
    "code, the last in sight": ([*FILLER, new_code_cell("1", metadata=MARKED)], 1),
    "further down": ([*FILLER, new_markdown_cell("On."), new_code_cell("1", metadata=MARKED)], 0),
    "folded code": ([new_code_cell("1", metadata=MARKED | HIDDEN)], 0),
    "words": ([new_markdown_cell("A triangle.", metadata=MARKED)], 1),
    "folded words": ([new_markdown_cell(folded("", "A triangle.", "On."), metadata=MARKED)], 0),
    "of another exercise": ([new_code_cell("1", metadata={"answers": ["who_sees"]})], 0),
}


@pytest.mark.parametrize(("below", "count"), SEEN.values(), ids=SEEN)
def test_an_answer_in_sight_of_its_check_is_found(tmp_path, below, count):
    nbformat.write(new_notebook(cells=[CHECKED, *below]), tmp_path / PAGE)
    found = list(answers.answers_are_out_of_sight(Notebook.read(tmp_path / PAGE)))
    assert [cell.number for cell, _ in found] == [1 + len(below)] * count
    assert all(f"answers causal_mask, {len(below)} below its check" in words for _, words in found)

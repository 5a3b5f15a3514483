"""Test that an assignment sheet has the chosen exercises and what leads up to them, but nothing that answers them."""

import contextlib
import io
import re

import pytest
from grading import assignment
from grading.lead_up import LEFT_OUT
from grading.points import read_points
from nb.answers import answer_pieces, marked
from nb.exercises import find
from nb.files import PUBLISHED, NotebookError
from nb.format import clean, read_notebook, to_bytes
from nb.slices import Code
from nbformat.v4 import new_code_cell

from course_utils import checks, course

CODE = re.compile(r"```python\n(.*?)\n```", re.DOTALL)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(assignment, "ASSIGNMENTS", tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", course.notebooks(), ids=lambda page: page.file)
def test_a_sheet_of_all_exercises_of_a_notebook(page):
    """The sheet calls every check, and shows no solution and no cell that answers one of its exercises."""
    chosen = assignment.choose([page.number])
    made = assignment.sheet(chosen, None, "a.ipynb")
    assert tuple(chosen) == page.exercises == tuple(Code(made).calls)
    assert to_bytes(clean(made)) == to_bytes(made)
    words = "\n".join(cell.source for cell in made.cells)
    assert not re.search(r"\w_solution\b|\wSolution\b", words)
    for cell in find(chosen[0]).cells:
        assert not (marked(cell) and cell.source in words), cell.id
    places = {name: find(name) for name in chosen}
    above = {name: {cell.source for cell in one.cells[one.heading : one.prompt]} for name, one in places.items()}
    for source in CODE.findall(words):
        cell = new_code_cell(source)
        assert not [name for name in chosen if source not in above[name] and answer_pieces(cell, name)], source


def test_what_an_exercise_builds_on_is_told_and_what_another_asks_for_is_not():
    """The class Scorer leads up to self_attention but answers qk_scores: with both on a sheet it must be left out."""
    alone = assignment.sheet(["self_attention"], None, "a.ipynb").cells
    both = assignment.sheet(["qk_scores", "self_attention"], None, "a.ipynb").cells
    words, fewer = ("\n".join(cell.source for cell in cells) for cells in (alone, both))
    assert "class Scorer(" in words and "class Scorer(" not in fewer
    assert fewer.count(LEFT_OUT.source) > words.count(LEFT_OUT.source)


def test_untouched_it_runs_to_its_end():
    """On a sheet of all exercises of the course, the check of each untouched stub must say "not attempted yet"."""
    chosen = assignment.choose([page.number for page in course.notebooks()])
    names, said = {}, io.StringIO()
    with contextlib.redirect_stdout(said):
        for cell in assignment.sheet(chosen, "all", "a.ipynb").cells:
            if cell.cell_type == "code":
                exec(compile(cell.source, cell.id, "exec"), names)
    assert said.getvalue().count("not attempted yet") == len(chosen) == len(checks.all())


def test_the_answer_just_below_an_exercise_is_not_on_its_sheet(folder):
    """The notebook *Causal masking* shows a solution of causal_mask right below it; the sheet must not have it."""
    path, _, chosen = assignment.write_assignment(["my_masked_weights", "my_causal_mask", "causal_mask"])
    assert chosen == ["causal_mask", "masked_weights"]
    assert path == folder / "assignment_masked_weights_causal_mask.ipynb"
    words = "\n".join(cell.source for cell in read_notebook(path).cells)
    assert "place[:, None]" not in words and "The zeros have the form of a triangle" in words
    [loop] = [cell for cell in read_notebook(PUBLISHED / "04_causal_masking.ipynb").cells if "by_loop =" in cell.source]
    assert "Ten zeros: 4, 3, 2, 1 and none." in words and loop.outputs[0].text in words  # the lead-up stays
    assert words.count(f"hand in **this file**, `{path.name}`") == 2 and "into the folder `work`" in words


def test_what_a_value_is_made_of_is_given():
    made = assignment.sheet(assignment.choose(["00"]), None, "a.ipynb")
    given = {cell.id.removesuffix("-given"): cell.source for cell in made.cells if cell.id.endswith("-given")}
    assert given.keys() == {"means", "mix", "shares"} and given["means"].startswith("table = torch.tensor([[1.0")
    assert given["mix"].startswith("other = torch.tensor([[1.0, 0.0, 2.0, 5.0],\n")  # line break as in the notebook


def test_exercises_of_several_notebooks_have_one_setup_and_a_name(folder):
    path, points, chosen = assignment.write_assignment(["07", "my_qk_scores", "MyStackedHeads"], "week_2")
    assert path.name == "assignment_week_2.ipynb"
    assert chosen[:2] == ["qk_scores", "stacked_heads"] and len(chosen) == 7
    cells = read_notebook(path).cells
    assert cells[0].source.startswith("# Assignment: week 2\n\n7 exercises, ")
    (setup,) = [cell.source for cell in cells if "setup" in cell.metadata.get("tags", [])]
    assert setup.startswith("import textwrap\n\nimport torch\n") and setup.endswith("\n\nsession.start()")
    assert read_points(points) == dict.fromkeys(chosen, 1)


def test_the_file_is_called_as_it_was_asked_for(folder):
    assert assignment.write_assignment(["4"])[0].name == "assignment_04_causal_masking.ipynb"
    many = assignment.write_assignment(["my_scores", "00", "02", "gqa"])[0]
    assert many.name == "assignment_scores_and_3_more.ipynb"


@pytest.mark.parametrize(
    ("words", "name", "said"),
    [
        (["my_causl_mask"], None, "'my_causl_mask'. Did you mean causal_mask"),
        (["77"], None, "no notebook '77'. The exercises are: .*Notebooks go by number: 00, 01"),
        (["04"], "../04", "cannot be called '../04'"),
    ],
)
def test_what_cannot_be_made(folder, words, name, said):
    with pytest.raises(NotebookError, match=said):
        assignment.write_assignment(words, name)
    assert not list(folder.iterdir())

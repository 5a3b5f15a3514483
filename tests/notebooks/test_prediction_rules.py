"""Test that `check` finds what gives a prediction away, and what is wrong with the words that tell its outcome."""

import pytest
from good_notebook import FIGURE, HEADING, SETUP, SHOWS, check, good, slide, text
from nb.outcomes import folded
from nb.rules.predictions import CALLOUT
from nbformat.v4 import new_code_cell, new_markdown_cell

PROMPT = f"## Next one\n\n{CALLOUT}\n\n**Predict first.** Who?\n\n</div>"
TELLS = {
    "assert a > b": "an assertion stands below a prediction",
    "assert_close(a, b)\nprint(a)": "an assertion stands below a prediction",
    'print("none of them")': "stands in the code already",
    "print('right', 0.97)": "stands in the code already",
    "print(f'less than 10 %: {a}')": "stands in the code already",
}


def asking(source="print(a)"):
    """Return a good notebook with a prediction, and with this source in the code cell below it, which answers it."""
    notebook = good()
    notebook.cells[HEADING].source, notebook.cells[SHOWS].source = PROMPT, source
    notebook.cells[HEADING].metadata["outcome"] = [notebook.cells[SHOWS].id]
    return notebook


@pytest.mark.parametrize(("source", "words"), TELLS.items())
def test_what_gives_a_prediction_away_is_found(tmp_path, source, words):
    notebook = asking(source)
    [line] = check(tmp_path, notebook)
    assert words in line and notebook.cells[SHOWS].id in line
    notebook.cells[HEADING].source = "## Next one"  # without a prediction the cell is allowed
    del notebook.cells[HEADING].metadata["outcome"]
    assert check(tmp_path, notebook) == []


HEAD = "print('tokens  weights')\nfor row in a:\n    print(*row)"


@pytest.mark.parametrize(
    "source", ["print(a)", "print(f'{a:.2f}  on {b}')", "print('head', a.sum(dim=-1))", "a.shape", HEAD]
)
def test_what_is_computed_below_a_prediction_may_be_shown(tmp_path, source):
    assert check(tmp_path, asking(source)) == []


def test_a_figure_below_a_prediction_that_has_a_caption_is_folded(tmp_path):
    notebook = good()
    notebook.cells[SHOWS].source = "widgets.Predict('who', 'Who?', who, choices='ab')"  # a view can ask, too
    notebook.cells[SHOWS].metadata["outcome"] = [notebook.cells[FIGURE].id]
    assert check(tmp_path, notebook) == []
    notebook.cells[FIGURE].source = "plots.line(caption='It is a.')"
    [line] = check(tmp_path, notebook)
    assert "fold the cell" in line and notebook.cells[FIGURE].id in line
    notebook.cells[FIGURE].metadata["jupyter"] = {"source_hidden": True}
    assert check(tmp_path, notebook) == []


TOLD = SHOWS + 1  # the place of a cell that tells the outcome
FORMULA = "One.\n\n$$x$$\n\nSo it is.\n\nTwo."  # two paragraphs, the first with a formula in it


def telling():
    """Return a notebook of `asking` in which a cell at TOLD tells the outcome, by FORMULA."""
    notebook = asking()
    notebook.cells.insert(TOLD, new_markdown_cell(folded("", FORMULA, "On."), id="told", metadata=slide("-")))
    notebook.cells[HEADING].metadata["outcome"].append("told")
    return notebook


def prediction(notebook):
    return notebook.cells[HEADING].metadata


def no_output(notebook):
    notebook.cells[SHOWS].update(source="a = 1", outputs=[])
    notebook.cells.insert(SHOWS, new_code_cell("a.shape", metadata=slide("-"), outputs=[text()]))
    for number, cell in enumerate((cell for cell in notebook.cells if cell.cell_type == "code"), start=1):
        cell.execution_count = number


def another_form(notebook):
    prediction(notebook).outcome.pop()
    notebook.cells[TOLD].source = "<details><summary>What it shows</summary>One.</details>"


# what is wrong -> (a function that changes a notebook, part of the finding)
OUTCOMES = {
    "no callout": (
        lambda one: one.cells[HEADING].update(source="## Next one\n\n**Predict first.** Who?"),
        "in a callout",
    ),
    "none named": (lambda one: prediction(one).update(outcome={"told": 1}), "name the cells that answer it"),
    "no such cell": (lambda one: prediction(one).outcome.append("away"), "names 'away', which is no cell"),
    "order": (lambda one: prediction(one).outcome.reverse(), "in another order than they have"),
    "open": (lambda one: one.cells[TOLD].update(source=FORMULA), "no words are folded"),
    "long": (lambda one: one.cells[TOLD].update(source=folded("", f"{FORMULA}\n\nThree.", "")), "3 paragraphs"),
    "above the result": (lambda one: one.cells.insert(SHOWS, one.cells.pop(TOLD)), "above which stands no result"),
    "on no page": (lambda one: one.cells[TOLD].metadata.update(slide("skip", "lab-only")), "or on no web page"),
    "no output": (no_output, "which shows nothing"),
    "not named": (lambda one: prediction(one).outcome.pop(), "no prediction names the cell"),
    "another form": (another_form, "must stand so"),
    "no prediction": (lambda one: one.cells[SETUP].metadata.update(outcome=["told"]), "a cell that asks"),
}


@pytest.mark.parametrize(("place", "found"), [(TOLD, 1), (TOLD + 1, 0)], ids=["above the answer", "below it"])
def test_code_further_down_is_read_as_far_as_the_last_answer(tmp_path, place, found):
    notebook = telling()
    notebook.cells.insert(place, new_code_cell("assert a", id="guards", metadata=slide("-")))
    for number, cell in enumerate((cell for cell in notebook.cells if cell.cell_type == "code"), start=1):
        cell.execution_count = number
    lines = check(tmp_path, notebook)
    assert len(lines) == found and all("an assertion stands" in line and "guards" in line for line in lines)
    notebook.cells[place].metadata["jupyter"] = {"source_hidden": True}
    assert not any("an assertion stands" in line for line in check(tmp_path, notebook))


@pytest.mark.parametrize(("change", "words"), OUTCOMES.values(), ids=OUTCOMES)
def test_what_is_wrong_with_an_outcome_is_found(tmp_path, change, words):
    notebook = telling()
    assert check(tmp_path, notebook) == []
    change(notebook)
    found = check(tmp_path, notebook)
    assert any(words in line for line in found), found
    is_unnamed = words == "name the cells that answer it"  # then its folds belong to no prediction either
    in_order = words == "above which stands no result"  # and is named in another order, too
    assert len(found) == 1 + is_unnamed + in_order

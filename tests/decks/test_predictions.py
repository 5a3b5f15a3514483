"""Test that no answer to a prediction is in sight: it is folded on web pages, and among the answers on paper."""

import pytest
from bs4 import BeautifulSoup
from nb.files import find_notebooks
from nb.format import read_notebook
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

pytest.importorskip("latex2mathml", reason="the extra `slides` is not installed: make slides installs it")
pytest.importorskip("pyreveal", reason="the extra `slides` is not installed: make slides installs it")

from publish.article import article  # noqa: E402
from publish.questions import answering, asks  # noqa: E402

ASKS = new_markdown_cell("**Predict first.** How many?")
SAYS = new_markdown_cell("Four, as you see.")


def code(source="2 + 2", output="four", tags=()):
    outputs = [new_output("execute_result", {"text/plain": output})] if output else []
    return new_code_cell(source, outputs=outputs, metadata={"tags": list(tags)})


def answers(*cells) -> list[str]:
    """Return the sources of the nbformat cells that answer a prediction."""
    return [cell.source for cell, answers in answering(cells) if answers]


def test_words_before_the_result_and_results_after_the_words_answer_too():
    leading, later = new_markdown_cell("Turn the switch."), code("3 + 3", "six")
    assert answers(code("1"), ASKS, leading, code(), SAYS, later) == [leading.source, "2 + 2", SAYS.source, "3 + 3"]


def test_a_comment_at_the_start_of_a_code_cell_is_no_heading():
    assert answers(ASKS, code("# each (2, 3)\n2 + 2"), SAYS) == ["# each (2, 3)\n2 + 2", SAYS.source]


def test_an_answer_ends_at_a_heading_a_prediction_and_the_way_on():
    for end in ("## And on", "**Next:** [1 · A title](01_dot_product_attention.ipynb)"):
        assert answers(ASKS, code(), new_markdown_cell(end), code("3")) == ["2 + 2"]
    assert answers(ASKS, code(), ASKS, code("3")) == ["2 + 2", "3"]


def test_a_heading_before_the_result_stays_open_and_its_words_do_not():
    heading = new_markdown_cell("## Training\n\nIt finds four.")
    found = list(answering([ASKS, heading, code(), SAYS]))
    assert [(cell.source.strip(), answers) for cell, answers in found[1:]] == [
        ("## Training", False), ("It finds four.", True), ("2 + 2", True), (SAYS.source, True)
    ]  # fmt: skip


def test_an_exercise_stays_open_and_an_answer_may_come_below_it():
    prompt = new_markdown_cell("### Your turn · 3 minutes", metadata={"tags": ["exercise"]})
    exercise = [prompt, code("...", "", ["exercise"]), code("check", "", ["check"]), code("one", "", ["solution"])]
    assert answers(ASKS, *exercise, code(), SAYS) == ["2 + 2", SAYS.source]
    assert answers(ASKS, code(), *exercise, code("3")) == ["2 + 2"]


def test_a_prediction_in_a_view_may_come_after_other_lines():
    assert asks(code('share = found["one head"]\nwidgets.Predict("name", "How many?", share)'))
    assert not asks(code("def ask():\n    widgets.Predict()"))


@pytest.fixture(scope="module", params=find_notebooks([]), ids=lambda path: path.stem)
def page(request):
    """Return, for each notebook in turn, (the top-level elements of its web page, in order, the notebook)."""
    notebook = read_notebook(request.param)
    views = {cell.id: ["<form></form>"] for cell in notebook.cells if cell.cell_type == "code" and asks(cell)}
    made = BeautifulSoup(article(notebook, views, request.param.parent)[0], "html.parser")
    return [part for part in made.children if part.name], notebook


def shows(part) -> bool:
    """Return whether an element of BeautifulSoup shows a result: a figure, a view, or what a cell printed."""
    return part.select_one(".result") is not None or "result" in part["class"]


def asks_for_one(part):
    return part["class"] == ["prose"] and "Predict first." in part.get_text() or part.find("form") is not None


def is_open(part) -> bool:
    """Return whether an element may stand open between a prediction and its answer: a bare heading or an exercise."""
    if part.name == "pre":
        return "..." in part.get_text()
    if part["class"] == ["prose"]:
        only_heading = [child.name for child in part.children if child.name] in (["h2"], ["h3"])
        return only_heading or "Your turn" in part.get_text()
    return part["class"] in (["lab"], ["solution"])


def after_each_prediction(parts: list):
    """Yield (the element of a prediction, the elements between it and the next one, a list) for each prediction."""
    places = [place for place, part in enumerate(parts) if asks_for_one(part)]
    for place, end in zip(places, [*places[1:], None], strict=True):
        yield parts[place], parts[place + 1 : end]


def test_nothing_stands_open_between_a_prediction_and_its_answer(page):
    parts, notebook = page
    assert sum(map(asks_for_one, parts)) == sum(map(asks, notebook.cells)) > 0
    for asked, below in after_each_prediction(parts):
        folds = [place for place, part in enumerate(below) if part["class"] == ["answer"]]
        first = next((place for place in folds if shows(below[place])), None)
        assert first is not None, f"no result in a fold answers: {asked.get_text()[-200:]}"
        shut = [part for part in below[:first] if part["class"] == ["answer"] or is_open(part)]
        wrong = [part.get_text()[:200] for part in below[:first] if part not in shut]
        assert wrong == [], "stands open between a prediction and its answer"


def test_an_answer_ends_where_something_else_begins(page):
    parts, _ = page
    for part, following in zip(parts, [*parts[1:], None], strict=True):
        if part["class"] == ["answer"] and following is not None:
            begins = following.find(["h2", "h3"]) or asks_for_one(following) or "Next:" in following.get_text()
            assert begins, f"stands open right below an answer: {following.get_text()[:200]}"


def test_each_answer_has_a_result(page):
    parts, _ = page
    for part in parts:
        assert part["class"] != ["answer"] or shows(part), part.get_text()[:300]

"""Test that no answer to a prediction is in sight on a web page, and that nothing on it asks for a kernel it lacks.

No page tells a reader to run, type or restart something, on a screen or on paper.
"""

import ast
import builtins
import re
from itertools import takewhile

import pytest
from bs4 import BeautifulSoup
from nb import outcomes
from nb.files import COURSE, find_notebooks
from nb.format import read_notebook
from nb.outcomes import folded
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from publish import around, site
from publish.markup import markdown
from publish.questions import answering, asks, readable

pytestmark = pytest.mark.needs_slides

# Phrases that make sense only with a kernel, a cell to write in, or the reader's own copy.
NEEDS_A_KERNEL = re.compile(
    r"shift \+ enter|restart kernel|in the menu|(this|the) cell (below|above)|(grey|next|first|both|that) cells?\b"
    r"|\bruns? (it|this|that|the|both) (cell|page)|run again|\btype a|you can start|set .{0,20} to true|make (lab|data)"
    r"|your (own )?(copy|copies|computer|machine|kernel|numbers|sentence)\b|this computer|of your own|no module named",
    re.IGNORECASE,
)  # fmt: skip
SAYS_WHERE = "In JupyterLab, "
ABOUT_LATER = {  # sentences about what readers will do elsewhere
    "take away a checklist for code of your own",
    "Code of your own #",
    "Code of your own",
    "show, with your own numbers, that PyTorch computes the same;",
}
BLOCKS = ["p", "li", "h1", "h2", "h3", "td", "summary", "figcaption", "pre"]


def needing_a_kernel(page: BeautifulSoup) -> list[str]:
    """Return the sentences and printed lines of a page that need a kernel and do not say so."""
    typed = page.select('section.own, li:has(> a[href="#your-own-sentence"])')  # the page itself reads what is typed
    for part in typed:
        part.decompose()
    blocks = [block.get_text() for block in page(BLOCKS) if block.get("class") != ["code"]]
    sentences = [part.strip() for block in blocks for part in re.split(r"(?<=[.!?])\s+|\n", block)]
    found = [one for one in sentences if NEEDS_A_KERNEL.search(one) and not one.startswith(SAYS_WHERE)]
    return [one for one in found if one not in ABOUT_LATER]


def parsed(page: str):
    """Return a BeautifulSoup of HTML without its spans, which colour code and are most of its elements."""
    return BeautifulSoup(re.sub(r"</?span[^>]*>", "", page), "html.parser")


@pytest.fixture(scope="module", params=find_notebooks([]), ids=lambda path: path.stem)
def page(request):
    """Return, for each notebook in turn, (its web page, the top-level elements of the article there, the notebook)."""
    notebook = read_notebook(request.param)
    views = [cell for cell in notebook.cells if "widget" in cell.metadata.get("tags", []) or asks(cell)]
    alive = {cell.id: ["<form></form>" if asks(cell) else '<p class="result"></p>'] for cell in views}
    page = parsed(site.notebook_page(request.param, notebook, alive, around.values(0))[0])
    below = page.find("a", download=True).parent.find_next_siblings()
    return page, list(takewhile(lambda part: part.name not in ("nav", "section"), below)), notebook


def test_no_page_speaks_of_what_it_has_not(page):
    assert needing_a_kernel(page[0]) == []


def test_cells_for_jupyterlab_alone_are_on_no_page():
    tags = {"metadata": {"tags": ["lab-only"]}}
    shown = new_output("stream", text="You can start.")
    cells = [new_markdown_cell("# 0 · Start here"), new_markdown_cell("Press **Shift + Enter**.", **tags)]
    notebook = new_notebook(cells=[*cells, new_code_cell("session.check()", outputs=[shown], **tags)])
    path = COURSE / "notebooks" / "00_start_here.ipynb"
    page = site.notebook_page(path, notebook, {}, around.values(0))[0]
    assert "Shift" not in page and "session.check" not in page and "You can start" not in page


def test_the_phrases_are_found_but_none_on_the_start_page_before_it_tells_how_to_install():
    said = "<p>Click on the grey cell below, and press <b>Shift + Enter</b>. In JupyterLab, type a word.</p>"
    assert needing_a_kernel(parsed(said)) == ["Click on the grey cell below, and press Shift + Enter."]
    assert needing_a_kernel(parsed("<pre class='output'>All is here. You can start.</pre>")) == ["You can start."]
    page = site.start_page(around.values(0), site.steps_of({}))
    assert needing_a_kernel(parsed(page.split('id="on-your-own-machine"')[0])) == []


# predictions

SAYS = new_markdown_cell(folded("", "Four, as you see.", "Now the other one."), id="says")


def asking(*ids):
    return new_markdown_cell("**Predict first.** How many?", metadata={"outcome": ids})


def code(source="2 + 2", output="four", tags=(), **given):
    outputs = [new_output("execute_result", {"text/plain": output})] if output else []
    return new_code_cell(source, outputs=outputs, metadata={"tags": list(tags)}, **given)


def parts(*cells) -> list[tuple]:
    """Return (source, whether it answers) for each part of the cells but the first."""
    return [(cell.source, answers) for cell, answers in answering(cells)][1:]


def test_all_that_stands_above_the_last_named_words_answers_and_what_teaches_on_is_open():
    leading = new_markdown_cell("Turn the switch.")
    assert parts(asking("says"), leading, code(), SAYS, code("3 + 3")) == [
        (leading.source, True), ("2 + 2", True), ("Four, as you see.", True), ("Now the other one.", False),
        ("3 + 3", False)
    ]  # fmt: skip
    # a result below the words may answer too
    assert parts(asking("says", "later"), code(), SAYS, code("3 + 3", id="later"), code("1")) == [
        ("2 + 2", True), ("Four, as you see.\n\nNow the other one.", True), ("3 + 3", True), ("1", False)
    ]  # fmt: skip
    opened = ("Four, as you see.\n\nNow the other one.", False)
    assert parts(asking(), code(), SAYS) == [("2 + 2", False), opened]  # nothing is named: folds are opened


def test_headings_and_exercises_stay_open_and_an_answer_may_come_below_them():
    heading = new_markdown_cell("## Training\n\nIt finds four.")
    found = parts(asking("says"), heading, code("# each (2, 3)\n2 + 2"), SAYS)
    assert found[:3] == [("## Training", False), ("It finds four.", True), ("# each (2, 3)\n2 + 2", True)]
    prompt = new_markdown_cell("### Your turn · 3 minutes", metadata={"tags": ["exercise"]})
    exercise = [prompt, code("...", "", ["exercise"]), code("check", "", ["check"]), code("one", "", ["solution"])]
    found = parts(asking("says"), *exercise, code(), SAYS)
    assert [source for source, answers in found if answers] == ["2 + 2", "Four, as you see."]


def test_a_prediction_in_a_view_may_come_after_other_lines():
    assert asks(code('share = found["one head"]\nwidgets.Predict("name", "How many?", share)'))
    assert not asks(code("def ask():\n    widgets.Predict()"))


def shows(part) -> bool:
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
    _, parts, notebook = page
    assert sum(map(asks_for_one, parts)) == sum(map(asks, notebook.cells)) > 0
    for asked, below in after_each_prediction(parts):
        folds = [place for place, part in enumerate(below) if part["class"] == ["answer"]]
        first = next((place for place in folds if shows(below[place])), None)
        assert first is not None, f"no result in a fold answers: {asked.get_text()[-200:]}"
        shut = [part for part in below[:first] if part["class"] == ["answer"] or is_open(part)]
        wrong = [part.get_text()[:200] for part in below[:first] if part not in shut]
        assert wrong == [], "stands open between a prediction and its answer"
    assert [part.get_text()[:300] for part in parts if part["class"] == ["answer"] and not shows(part)] == []


def test_words_that_tell_an_outcome_are_in_a_fold_alone(page):
    _, parts, notebook = page
    stands_open = "".join(words_of(part) for part in parts if part["class"] != ["answer"])
    in_folds = "".join(words_of(part) for part in parts if part["class"] == ["answer"])
    sources = [outcomes.parts(cell.source)[1] for cell in notebook.cells if cell.cell_type == "markdown"]
    told = [words_of(paragraph) for source in sources if source for paragraph in parsed(markdown(source))("p")]
    assert len(told) > 1
    assert [words for words in told if words in stands_open or words not in in_folds] == []


def words_of(part) -> str:
    return "".join(part.get_text().split())


def test_the_set_up_names_all_that_it_imports_for_the_code_below(page):
    _, parts, notebook = page
    summaries = [part.summary for part in parts if part["class"] == ["code-of"]]
    named = {code.get_text() for summary in summaries if "imports" in summary.get_text() for code in summary("code")}
    trees = [ast.parse(cell.source) for cell in readable(notebook.cells) if cell.cell_type == "code"]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    bound |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    used = {node.id for node in names} - bound
    assert used - set(dir(builtins)) <= named and "plots" in named

"""Test in JupyterLab that no outcome of a prediction is in sight before anything has run, in copies as learners get.

COURSE_NOTEBOOKS has the numbers of the notebooks to look at, such as "00 05", or "all".
"""

import os

import lab_server
import pytest
from nb import outcomes
from nb.copies import copy_notebooks
from nb.files import PUBLISHED, find_notebooks
from nb.format import read_notebook
from nbformat.v4 import new_code_cell, new_markdown_cell

SIZES = [(1366, 768), (1280, 720)]  # pixels, of windows on small laptops
NUMBERS = os.environ.get("COURSE_NOTEBOOKS", "01 04 15")
PATHS = [path for path in find_notebooks([]) if NUMBERS == "all" or path.stem[:2] in NUMBERS.split()]

# Scroll the question in cell number `asked` to a quarter of the window, and return for the cells with the numbers in
# `told`: how many blocks of words their folds hold, and the words of those blocks that are in sight.
LOOK = """([asked, told]) => {
    const cells = window.jupyterapp.shell.currentWidget.content.widgets.map(({ node }) => node);
    const scrolled = cells[0].closest(".jp-WindowedPanel-outer");
    const question = cells[asked].querySelector(".jp-RenderedMarkdown > div") ?? cells[asked];
    scrolled.scrollTop += question.getBoundingClientRect().top - innerHeight / 4;
    const inSight = (block) => {
        const { top, bottom, height } = block.getBoundingClientRect();
        return block.checkVisibility() && height > 0 && bottom > 0 && top < innerHeight;
    };
    const folds = told.flatMap((at) => [...cells[at].querySelectorAll(".jp-RenderedMarkdown > details")]);
    const blocks = folds.flatMap((fold) => [...fold.querySelectorAll(":scope :is(p, li, tr, pre)")]);
    return {
        folds: folds.length,
        blocks: blocks.length,
        seen: blocks.filter(inSight).map(({ textContent }) => textContent),
        summaries: folds.filter((fold) => inSight(fold.querySelector("summary"))).length,
    };
}"""
ALL_RENDERED = """() => window.jupyterapp.shell.currentWidget.content.widgets.every(
    ({ model, node }) => model.type !== "markdown" || node.querySelector(".jp-RenderedMarkdown")?.childElementCount
)"""


@pytest.fixture(scope="module")
def copies(lab):
    copy_notebooks(PUBLISHED, lab.home / "copies")
    return "copies"


def looked(page, path):
    """Yield (id, what LOOK returns, the number of cells that tell its outcome) for each prediction of a notebook."""
    cells = read_notebook(path).cells
    numbers = {cell.id: number for number, cell in enumerate(cells) if cell.cell_type == "markdown"}
    for number, cell in enumerate(cells):
        if names := outcomes.named(cell):
            told = [numbers[name] for name in names if name in numbers]
            yield cell.id, page.evaluate(LOOK, [number, told]), len(told)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_no_outcome_is_in_sight_before_the_cell_has_run(lab, lab_page, copies, path):
    page = lab_page
    lab.show(page, f"{copies}/{path.name}")
    page.wait_for_function(ALL_RENDERED)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("(height) => innerHeight === height", arg=height)
        found = list(looked(page, path))
        assert len(found) > 2
        for name, seen, told in found:
            assert seen["seen"] == [], f"{name}: in sight"
            assert seen["folds"] == told and seen["blocks"] >= told, f"{name}: JupyterLab shows no fold"
        assert sum(seen["summaries"] > 0 for _, seen, _ in found) > 1  # the window does reach the folds
    page.locator(".jp-RenderedMarkdown summary", has_text=outcomes.SUMMARY).first.click()
    assert any(seen["seen"] for _, seen, _ in looked(page, path)), "a fold that is opened shows no words"
    lab_server.shut_down(page)


MAKE = """from course_utils.widgets import Predict
def ask(name):
    return Predict(name, "Who wins?", "cold", choices=["a", "cold", "wind"])"""


def test_a_commit_opens_the_fold_below_it_and_no_other(lab, lab_page, expect):
    page = lab_page
    hint, told = "<details><summary>Hint</summary>Count.</details>", outcomes.folded("", "The cold wins.", "")
    first, second = (new_code_cell(f'ask("{name}")') for name in ("first", "second"))
    texts = [new_markdown_cell(text) for text in (hint, told, told)]
    cells = [new_code_cell(MAKE), first, *texts[:2], second, texts[2]]
    lab_server.write(lab.home / "told.ipynb", cells)
    lab.show(page, "told.ipynb")
    lab_server.run(page)
    folds, view = page.locator(".jp-MarkdownCell details"), page.locator(".av-predict").first
    view.get_by_label("wind").check()
    view.get_by_role("button", name="Commit").click()
    expect(folds.nth(1)).to_have_attribute("open", "")
    for closed in (0, 2):
        expect(folds.nth(closed)).not_to_have_attribute("open", "")
    lab_server.shut_down(page)

"""Test that web pages and handouts, which have no kernel, never tell a reader to run, type or restart something."""

import re

import pytest
from bs4 import BeautifulSoup
from nb.files import COURSE, find_notebooks
from nb.format import read_notebook
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

pytest.importorskip("latex2mathml", reason="the extra `slides` is not installed: make slides installs it")
pytest.importorskip("pyreveal", reason="the extra `slides` is not installed: make slides installs it")

from publish import around, site  # noqa: E402
from publish.handout import handout_html  # noqa: E402

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


def needing_a_kernel(page: str) -> list[str]:
    """Return the sentences and printed lines of an HTML page that need a kernel and do not say so."""
    made = BeautifulSoup(page, "html.parser")
    typed = made.select('section.own, li:has(> a[href="#your-own-sentence"])')  # the page itself reads what is typed
    for part in typed:
        part.decompose()
    blocks = [block.get_text() for block in made(BLOCKS) if block.get("class") != ["code"]]
    sentences = [part.strip() for block in blocks for part in re.split(r"(?<=[.!?])\s+|\n", block)]
    found = [one for one in sentences if NEEDS_A_KERNEL.search(one) and not one.startswith(SAYS_WHERE)]
    return [one for one in found if one not in ABOUT_LATER]


@pytest.mark.parametrize("path", find_notebooks([]), ids=lambda path: path.stem)
def test_no_page_and_no_handout_speaks_of_what_it_has_not(path):
    notebook = read_notebook(path)
    alive = {cell.id: ["<form></form>"] for cell in notebook.cells if "widget" in cell.metadata.get("tags", [])}
    assert needing_a_kernel(site.notebook_page(path, notebook, alive, around.values(0))[0]) == []
    assert needing_a_kernel(handout_html(notebook, path.parent)) == []


def test_the_start_page_asks_for_no_kernel_before_it_tells_how_to_install():
    page = site.start_page(around.values(0), site.steps_of({}))
    assert needing_a_kernel(page.split('id="on-your-own-machine"')[0]) == []


def test_cells_for_jupyterlab_alone_are_on_no_page():
    tags = {"metadata": {"tags": ["lab-only"]}}
    shown = new_output("stream", text="You can start.")
    cells = [new_markdown_cell("# 0 · Start here"), new_markdown_cell("Press **Shift + Enter**.", **tags)]
    notebook = new_notebook(cells=[*cells, new_code_cell("session.check()", outputs=[shown], **tags)])
    path = COURSE / "notebooks" / "00_start_here.ipynb"
    for page in (site.notebook_page(path, notebook, {}, around.values(0))[0], handout_html(notebook, path.parent)):
        assert "Shift" not in page and "session.check" not in page and "You can start" not in page


def test_the_phrases_are_found():
    said = "<p>Click on the grey cell below, and press <b>Shift + Enter</b>. In JupyterLab, type a word.</p>"
    assert needing_a_kernel(said) == ["Click on the grey cell below, and press Shift + Enter."]
    assert needing_a_kernel("<pre class='output'>Everything is here. You can start.</pre>") == ["You can start."]

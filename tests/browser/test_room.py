"""Test that in JupyterLab a view fits the notebook's panel together with its controls and its question."""

import itertools

import lab_server
import room_pages
from nbformat.v4 import new_code_cell, new_markdown_cell

LEAST = 11  # px: the smallest letters that are still legible
# Scroll each view's question to the panel's upper edge; return what is below its lower edge and the smallest letters.
MEASURE = """() => {
  const panel = document.querySelector(".jp-WindowedPanel-outer");
  const views = [...panel.querySelectorAll(".av")].filter((view) => !view.parentElement.closest(".av"));
  return views.map((view) => {
    const cell = view.closest(".jp-Cell");
    const blocks = cell.previousElementSibling.querySelectorAll(".jp-RenderedMarkdown > :is(h2, h3, p, ul, ol, div)");
    const question = view.matches(".av-predict") ? view : [...blocks].at(-1) ?? cell;
    panel.scrollTop += question.getBoundingClientRect().top - panel.getBoundingClientRect().top;
    const edge = panel.getBoundingClientRect().bottom;
    const isSeen = (part) => part.checkVisibility() && !part.closest(".av-heard");
    const parts = [...view.querySelectorAll("*")].filter(isSeen);
    const isText = (part) => [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const units = (part) => part.ownerSVGElement?.viewBox.baseVal?.width;
    const drawn = (part) => (units(part) ? part.ownerSVGElement.getBoundingClientRect().width / units(part) : 1);
    const sizes = parts.filter(isText).map((part) => parseFloat(getComputedStyle(part).fontSize) * drawn(part));
    return {
      below: Math.max(...parts.map((part) => part.getBoundingClientRect().bottom)) - edge,
      right: Math.max(...parts.map((part) => part.getBoundingClientRect().right)) - panel.getBoundingClientRect().right,
      controls: view.querySelectorAll("input, select, button, [role=radio], [role=slider]").length,
      letters: Math.min(...sizes),
    };
  });
}"""


def test_a_view_fits_the_panel_with_its_question_and_its_controls(lab, lab_page):
    cells, names, page = [new_code_cell(room_pages.START)], [], lab_page
    for name, needs, question, code, fold in room_pages.cells():
        cells += [new_code_cell(needs), new_markdown_cell(question), new_code_cell(code, metadata=fold)]
        names.append(name)
    lab_server.write(lab.home / "room.ipynb", cells)
    lab.show(page, "room.ipynb")
    lab_server.run(page)
    page.wait_for_function("n => document.querySelectorAll('.av :is(svg, fieldset)').length >= n", arg=len(names))
    wrong = []

    def fits():
        wrong[:] = [
            (name, view)
            for name, view in zip(names, page.evaluate(MEASURE), strict=True)
            if view["below"] > 0 or view["right"] > 0 or view["letters"] < LEAST or not view["controls"]
        ]
        return not wrong

    toggle = "window.jupyterapp.commands.execute('application:toggle-left-area')"
    for sidebar, size in itertools.product(("closed", "open"), ((1366, 768), (1280, 720))):
        page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        page.evaluate(f"window.jupyterapp.shell.leftCollapsed === {str(sidebar == 'open').lower()} && {toggle}")
        assert lab_server.wait_until(fits), (size, sidebar, wrong)
    page.evaluate(f"window.jupyterapp.shell.leftCollapsed || {toggle}")
    lab_server.shut_down(page)


def test_a_view_takes_the_room_that_folded_code_leaves(open_notebook):
    page = open_notebook(
        [room_pages.START, "\n".join([*["#"] * 12, "widgets.HeadsView(weak.attn_weights[3], weak.tokens)"])]
    )
    page.set_viewport_size({"width": 1280, "height": 720})
    canvas = page.locator(".av-heatmap canvas").first
    before = canvas.bounding_box()["height"]
    page.evaluate("window.jupyterapp.commands.execute('notebook:hide-all-cell-code')")
    assert lab_server.wait_until(lambda: canvas.bounding_box()["height"] > before + 50)
    page.set_viewport_size({"width": 1280, "height": 330})  # then the map keeps its least height, and the view scrolls
    assert lab_server.wait_until(lambda: canvas.bounding_box()["height"] == 180)  # 12 for each of the 15 rows

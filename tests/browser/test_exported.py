"""Test views in exported pages: they work side by side without kernel or network; without scripts a picture stays."""

import nbconvert
import nbformat
import numpy as np
import pytest
from heads_page import HeadsPage
from pixels import assert_pixels, colours

from course_utils.widgets import HeadsView, StepScrubber

TOKENS = [*"abcde"]
WEIGHTS = np.random.default_rng(0).dirichlet(np.ones(5), (3, 2, 5)).astype("f4")  # (layers, heads, queries, keys)
HIGH = float(WEIGHTS.max())


def assert_alive(page):
    """Check that each of three views of a page reacts to its own controls alone."""
    views = [HeadsPage(page, number) for number in range(3)]
    for view in views:
        assert_pixels(view.cells, colours(WEIGHTS[0, 0], HIGH))
        view.head(1).click()
        assert_pixels(view.cells, colours(WEIGHTS[0, 1], HIGH))
        view.page.keyboard.press("ArrowLeft")
        assert_pixels(view.cells, colours(WEIGHTS[0, 0], HIGH))
    views[0].select("layer").select_option("2")
    assert_pixels(views[0].cells, colours(WEIGHTS[2, 0], HIGH))
    views[-1].root.get_by_role("slider", name="step").fill("1")
    assert_pixels(views[-1].cells, colours(WEIGHTS[1, 0], HIGH))


@pytest.mark.parametrize("template", ["basic", "lab"])
def test_notebooks_through_nbconvert_without_network(open_html, template):
    cells = []
    steps = StepScrubber(WEIGHTS, TOKENS, curves={"x": [1, 2, 3]})
    for view in (HeadsView(WEIGHTS, TOKENS), HeadsView(WEIGHTS, TOKENS), steps):
        data, metadata = view._repr_mimebundle_()
        del data["application/vnd.jupyter.widget-view+json"]  # stored notebooks do not have this entry
        data["text/html"] = view.to_html()
        output = nbformat.v4.new_output("display_data", data, metadata=metadata)
        cells.append(nbformat.v4.new_code_cell("view", outputs=[output]))
    local = {"mathjax_url": "", "require_js_url": "", "jquery_url": ""}
    exporter = nbconvert.HTMLExporter(template_name=template, **local)
    html, _ = exporter.from_notebook_node(nbformat.v4.new_notebook(cells=cells))
    assert_alive(open_html(html))


def test_the_picture_stands_in_where_scripts_do_not_run(browser, tmp_path):
    (tmp_path / "page.html").write_text(HeadsView(WEIGHTS, TOKENS).to_html(), encoding="utf-8")
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto((tmp_path / "page.html").as_uri())
    picture = page.get_by_role("img", name="HeadsView: 3 layers x 2 heads, 5 queries x 5 keys")
    assert picture.is_visible()
    assert picture.bounding_box()["width"] > 100
    page.context.close()

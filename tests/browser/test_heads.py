"""Test HeadsView and StepScrubber in a real JupyterLab: mouse and keyboard."""

import re

import numpy as np
import pytest
from heads_page import HeadsPage
from pixels import assert_pixels, colours

from course_utils.widgets import HeadsView
from course_utils.widgets.shared.head_weights import pack

TOKENS = "The cat sat on a mat".split()
WEIGHTS = np.random.default_rng(0).dirichlet(np.ones(6), (3, 4, 6)).astype("f4")  # (layers, heads, queries, keys)
HIGH = float(WEIGHTS.max())
MAKE = """import numpy as np
from course_utils.widgets import HeadsView, StepScrubber
weights = np.random.default_rng(0).dirichlet(np.ones(6), (3, 4, 6)).astype("f4")
tokens = "The cat sat on a mat".split()"""
SHOW = "view = HeadsView(weights, tokens)\nview"
SCRUB = """curves = {"loss": [2.5, 1.25, float("nan")], "accuracy": [0.1, 0.5, 0.9]}
StepScrubber(weights, tokens, steps=[0, 10, 50], curves=curves)"""


def assert_shows(view, layer, head):
    assert_pixels(view.cells, colours(WEIGHTS[layer, head], HIGH))
    for number in range(4):
        assert_pixels(view.thumbs.nth(number), colours(WEIGHTS[layer, number], HIGH))


def test_choosing_by_mouse(open_notebook, expect):
    view = HeadsPage(open_notebook([MAKE, SHOW]))
    assert_shows(view, 0, 0)
    view.head(2).click()
    expect(view.head(2)).to_be_checked()
    assert_shows(view, 0, 2)
    view.select("layer").select_option("1")
    assert_shows(view, 1, 2)
    view.select("query").select_option("3 on")
    expect(view.status).to_have_text("query on · row sum 1.00")
    view.heatmap.click(position=view.place(4, 5))
    expect(view.select("query")).to_have_value("4 a")
    expect(view.status).to_have_text(f"query a → mat {WEIGHTS[1, 2, 4, 5]:.2f} · row sum 1.00")
    view.heatmap.hover(position=view.place(0, 1))
    expect(view.status).to_have_text(f"query The → cat {WEIGHTS[1, 2, 0, 1]:.2f} · row sum 1.00")


@pytest.mark.parametrize(("width", "are_there"), [(1400, True), (900, False), (360, False)])
def test_links_stand_beside_the_map_or_not_at_all(open_html, page, expect, width, are_there):
    page.set_viewport_size({"width": width, "height": 900})
    view = HeadsPage(open_html(HeadsView(WEIGHTS, TOKENS).to_html()))
    expect(view.links).to_be_visible(visible=are_there)
    heads, cells = view.root.locator(".av-heads").bounding_box(), view.cells.bounding_box()
    assert cells["x"] + cells["width"] < width  # the map is not cut off
    if not are_there:
        return
    assert view.links.bounding_box()["y"] < cells["y"] + cells["height"] and heads["x"] < cells["x"]
    view.links.click(position=view.place_of_query(2))
    expect(view.select("query")).to_have_value("2 sat")
    expect(view.status).to_contain_text("query sat")


@pytest.mark.parametrize("size", [(1280, 720), (1400, 900), (640, 360)])  # 640 by 360 is 1280 by 720 at a zoom of 200 %
def test_controls_and_map_are_seen_together(open_html, page, size):
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    weights = np.full((6, 12, 15, 15), 1 / 15)
    view = HeadsPage(open_html(HeadsView(weights, [f"word{i}" for i in range(15)]).to_html()))
    controls, cells = view.select("query").bounding_box(), view.cells.bounding_box()
    assert cells["y"] + cells["height"] - controls["y"] < height
    assert cells["height"] >= 125


def test_choosing_by_keyboard(open_notebook, expect):
    page = open_notebook([MAKE, SHOW])
    view = HeadsPage(page)
    view.head(0).focus()
    for key, head in {"ArrowRight": 1, "ArrowLeft": 0, "ArrowUp": 0, "End": 0}.items():
        page.keyboard.press(key)
        expect(view.head(head)).to_be_checked()
        expect(view.head(head)).to_be_focused()
        assert_shows(view, 0, head)
    page.keyboard.press("Tab")
    expect(view.heatmap).to_be_focused()  # all heads together are one Tab stop
    for key, cell in {"ArrowDown": (1, 0), "ArrowRight": (1, 1), "ArrowUp": (0, 1), "ArrowLeft": (0, 0)}.items():
        page.keyboard.press(key)
        row, column = (TOKENS[i] for i in cell)
        expect(view.status).to_contain_text(f"query {row} → {column} {WEIGHTS[0, 0][cell]:.2f}")
    view.select("layer").focus()
    page.keyboard.press("ArrowDown")
    assert_shows(view, 1, 0)
    view.select("query").focus()
    page.keyboard.press("ArrowDown")
    expect(view.status).to_contain_text("query cat")
    assert page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex") == 1  # JupyterLab got no key


def test_scrubbing(open_notebook, expect):
    page = open_notebook([MAKE, SCRUB])
    view, slider = HeadsPage(page), page.get_by_role("slider", name="step")
    assert_shows(view, 0, 0)
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert_shows(view, 1, 0)
    expect(slider).to_have_attribute("aria-valuetext", "step 10, loss 1.25, accuracy 0.50")
    box = slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2, steps=8)
    page.mouse.up()
    assert_shows(view, 2, 0)
    expect(page.get_by_role("img", name="Curve at step 50, loss nan, accuracy 0.90")).to_be_visible()
    view.head(3).click()
    assert_shows(view, 2, 3)


def test_twelve_heads_of_256_tokens(open_notebook, expect):
    """Weights too large to send as float32 are sent as bytes, and every head and cell can still be chosen and read."""
    large = "weights = np.random.default_rng(1).dirichlet(np.ones(256) / 20, (12, 256)).astype('f4')"
    page = open_notebook([MAKE, f"{large}\nHeadsView(weights, [f't{{i}}' for i in range(256)])"])
    weights = np.random.default_rng(1).dirichlet(np.ones(256) / 20, (12, 256)).astype("f4")
    high = float(weights.max())
    sent = np.frombuffer(pack(weights, high), "u1").reshape(weights.shape) * high / 254
    view = HeadsPage(page)
    assert view.thumbs.count() == 12
    view.head(7).click()
    assert_pixels(view.cells, colours(sent[7], high))
    view.heatmap.click(position=view.place(200, 31))
    row, column = map(int, re.findall(r"t(\d+)", view.status.inner_text()))
    assert abs(row - 200) <= 1 and abs(column - 31) <= 1  # a cell is less than two pixels high
    expect(view.status).to_contain_text(f"query t{row} → t{column} {sent[7, row, column]:.2f}")
    page.keyboard.press("ArrowDown")
    expect(view.status).to_contain_text(f"query t{row + 1} → t{column} {sent[7, row + 1, column]:.2f} · row sum 1.00")
    expect(view.status).not_to_contain_text("not 1")

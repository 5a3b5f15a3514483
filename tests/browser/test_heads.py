"""Test HeadsView and StepScrubber in pages without kernel and network: mouse, keyboard, and all that they draw."""

import io
import re
from xml.etree import ElementTree

import nbconvert
import nbformat
import numpy as np
import pytest
from heads_page import HeadsPage
from lab_server import wait_until
from PIL import Image
from pixels import GREY, assert_pixels, colours

from course_utils.theme import SIGNED_MAP
from course_utils.widgets import HeadsView, StepScrubber
from course_utils.widgets.shared.head_weights import pack

TOKENS = "The cat sat on a mat".split()
RANDOM = np.random.default_rng(0)
WEIGHTS = RANDOM.dirichlet(np.ones(6), (3, 4, 6)).astype("f4")  # (layers, heads, queries, keys)
FIRST, SECOND = WEIGHTS[:2]
HIGH = float(WEIGHTS.max())
CURVES = {"loss": [2.5, 1.25, float("nan")], "accuracy": [0.1, 0.5, 0.9]}


@pytest.fixture
def draw(open_html):
    return lambda *given, of=HeadsView, **named: HeadsPage(open_html(of(*given, **named).to_html()))


def assert_shows(view, layer, head, numbers=range(4)):
    assert_pixels(view.cells, colours(WEIGHTS[layer, head], HIGH))
    for number in numbers:
        assert_pixels(view.thumbs.nth(number), colours(WEIGHTS[layer, number], HIGH))


def test_choosing_by_mouse(draw, expect):
    view = draw(WEIGHTS, TOKENS)
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


def test_links_stand_beside_the_map_or_not_at_all_and_controls_and_map_are_seen_together(draw, page, expect):
    view = draw(np.full((6, 12, 15, 15), 1 / 15), [f"word{i}" for i in range(15)])

    def is_seen_whole(width, height):
        controls, cells = view.select("query").bounding_box(), view.cells.bounding_box()
        tall = cells["y"] + cells["height"] - controls["y"]
        # where it is narrow, the controls take several lines, and a reader scrolls
        return cells["x"] + cells["width"] < width and cells["height"] >= 125 and (width == 360 or tall < height)

    # 640 by 360 is 1280 by 720 at a zoom of 200 %
    for width, height in ((1280, 720), (640, 360), (900, 900), (360, 900), (1400, 900)):
        page.set_viewport_size({"width": width, "height": height})
        if width in (360, 900, 1400):
            expect(view.links).to_be_visible(visible=width == 1400)
        assert wait_until(lambda size=(width, height): is_seen_whole(*size)), (width, height)
    heads, cells = view.root.locator(".av-heads").bounding_box(), view.cells.bounding_box()
    assert view.links.bounding_box()["y"] < cells["y"] + cells["height"] and heads["x"] < cells["x"]
    view.links.click(position=view.place_of_query(2))
    expect(view.select("query")).to_have_value("2 word2")
    expect(view.status).to_contain_text("query word2")


def test_choosing_by_keyboard(draw, page, expect):
    view = draw(WEIGHTS, TOKENS)
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
    view.select("layer").press("ArrowDown")
    assert_shows(view, 1, 0)
    view.select("query").press("ArrowDown")
    expect(view.status).to_contain_text("query cat")


def test_scrubbing_and_what_a_screen_reader_is_told(draw, page, expect):
    view = draw(WEIGHTS, TOKENS, of=StepScrubber, steps=[0, 10, 50], curves=CURVES)
    slider = page.get_by_role("slider", name="step")
    view.head(1).click()
    expect(view.root.get_by_role("table", name="step 0, head 1, row of The")).to_be_attached()  # shown after a delay
    told = view.root.aria_snapshot()
    rows = [f'row "{token} {weight:.2f}"' for token, weight in zip(TOKENS, FIRST[1, 0], strict=True)]
    for line in (
        *rows,
        'slider "step": "0"',
        'img "Curve at step 0, loss 2.50, accuracy 0.10"',
        'combobox "query"',
        'option "0 The" [selected]',
        'radiogroup "Head"',
        'radio "head 1, entropy',
        "status: query The · row sum 1.00",
        'application "Heatmap of step 0, head 1, 6 queries by 6 keys, The. Arrow keys move."',
        'table "step 0, head 1, row of The"',
    ):
        assert line in told, told
    assert told.count("[checked]") == 1
    view.heatmap.press("ArrowRight")
    assert f"The to cat: {FIRST[1, 0, 1]:.2f}" in view.root.aria_snapshot()
    view.select("query").select_option("3 on")
    expect(view.root.get_by_role("table", name="step 0, head 1, row of on")).to_be_attached()
    slider.press("ArrowRight")
    assert_shows(view, 1, 1)
    expect(slider).to_have_attribute("aria-valuetext", "step 10, loss 1.25, accuracy 0.50")
    box = slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2, steps=8)
    page.mouse.up()
    assert_shows(view, 2, 1)
    expect(page.get_by_role("img", name="Curve at step 50, loss nan, accuracy 0.90")).to_be_visible()


def test_twelve_heads_of_256_tokens(draw, page, expect):
    """Weights too large to send as float32 are sent as bytes, and every head and cell can still be chosen and read."""
    weights = np.random.default_rng(1).dirichlet(np.ones(256) / 20, (12, 256)).astype("f4")
    high = float(weights.max())
    sent = np.frombuffer(pack(weights, high), "u1").reshape(weights.shape) * high / 254
    view = draw(weights, [f"t{i}" for i in range(256)])
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


def test_comparing_two_runs(draw):
    view, high = draw(FIRST, TOKENS, compare=SECOND), float(WEIGHTS[:2].max())
    view.head(2).click()
    shown = view.select("show")
    assert_pixels(view.cells, colours(FIRST[2], high))
    assert not view.second.is_visible()
    shown.select_option("second")
    assert_pixels(view.cells, colours(SECOND[2], high))
    assert_pixels(view.thumbs.nth(3), colours(SECOND[3], high))
    shown.select_option("side by side")
    assert_pixels(view.cells, colours(FIRST[2], high))
    assert_pixels(view.second_cells, colours(SECOND[2], high))
    assert view.second.is_visible()
    shown.select_option("difference")
    spread = float(np.abs(SECOND - FIRST).max())
    for canvas, head in ((view.cells, 2), (view.thumbs.nth(0), 0)):
        assert_pixels(canvas, colours(SECOND[head] - FIRST[head], spread, -spread, SIGNED_MAP))
    assert not view.second.is_visible()
    view.heatmap.click(position=view.place(1, 4))
    assert f"query cat → a {SECOND[2, 1, 4] - FIRST[2, 1, 4]:.2f}" in view.status.inner_text()


def test_rectangular_weights_with_right_to_left_and_wide_tokens(draw):
    weights = RANDOM.dirichlet(np.ones(5), (2, 3)).astype("f4")
    queries, keys = ["שלום", "مرحبا", "kleine"], ["日本語", "👩‍👩‍👧", "e\u0301", "barks", "."]
    view = draw(weights, queries, keys)
    view.heatmap.click(position=view.place(1, 4))
    assert_pixels(view.cells, colours(weights[0], float(weights.max())))
    assert view.status.inner_text().startswith(f"query مرحبا → . {weights[0, 1, 4]:.2f}")
    assert view.links.locator("text").all_text_contents() == queries + keys


def test_one_token_and_one_head(draw):
    view = draw([[[1.0]]], ["alone"])
    assert_pixels(view.cells, colours([[1.0]], 1.0))
    assert view.status.inner_text() == "query alone · row sum 1.00"
    assert not view.thumbs.first.is_visible()  # with one head there is nothing to choose


def test_nan_is_grey_and_counted_and_another_sum_than_1_is_said(draw):
    weights = FIRST / 2
    weights[1, 2, 3] = weights[1, 4] = np.nan
    view = draw(weights, TOKENS)
    assert "row sum 0.50 (not 1: " in view.status.inner_text() and "nan" not in view.status.inner_text()
    view.head(1).click()
    expected = colours(weights[1], float(np.nanmax(weights)))
    assert_pixels(view.cells, expected)
    assert (expected[2, 3] == GREY["light"]).all()
    assert "7 nan, in grey" in view.status.inner_text()
    view.heatmap.hover(position=view.place(2, 3))
    assert "→ on nan" in view.status.inner_text()


def test_markup_in_tokens_is_text_and_stands_in_saved_pictures(draw):
    tokens = ["<img src=x onerror=window.ran=1>", "</script><script>window.ran=1</script>", "&amp;", "<!--<script>"]
    view = draw(WEIGHTS[0, :, :4, :4], tokens)
    for index, token in enumerate(tokens):
        view.select("query").select_option(f"{index} {token}")
        assert f"query {token} " in view.status.inner_text()
    assert view.page.evaluate("window.ran") is None
    assert not view.root.locator("img, script").count()
    saved = {}
    view.root.locator(".av-more summary").click()
    for kind in ("PNG", "SVG"):
        with view.page.expect_download() as download:
            view.root.get_by_role("button", name=kind).click()
        assert download.value.suggested_filename == f"attention.{kind.lower()}"
        saved[kind] = download.value.path().read_bytes()
    root = ElementTree.fromstring(saved["SVG"])
    words = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"<!--<script>", "&amp;", "query", "key", "head 0"} <= words
    picture = Image.open(io.BytesIO(saved["PNG"]))
    assert picture.size == (2 * int(float(root.get("width"))), 2 * int(float(root.get("height"))))
    assert len(picture.getcolors(1_000_000)) > 30  # not blank: the colours of cells, marks and letters


def test_an_error_is_said_in_the_view(open_html):
    page = open_html(HeadsView(FIRST, TOKENS).to_html().replace('"shape": [1, 4, 6, 6]', '"shape": [1, 4, 6, 60]'))
    assert page.get_by_role("alert").inner_text().startswith("This view could not be drawn: ")


def test_each_view_of_a_notebook_that_nbconvert_has_exported_reacts_to_its_own_controls_alone(open_html):
    cells = []
    for made in (HeadsView(WEIGHTS, TOKENS), HeadsView(WEIGHTS, TOKENS), StepScrubber(WEIGHTS, TOKENS)):
        data, metadata = made._repr_mimebundle_()
        del data["application/vnd.jupyter.widget-view+json"]  # stored notebooks do not have this entry
        output = nbformat.v4.new_output("display_data", data | {"text/html": made.to_html()}, metadata=metadata)
        cells.append(nbformat.v4.new_code_cell("view", outputs=[output]))
    local = {"mathjax_url": "", "require_js_url": "", "jquery_url": ""}
    exporter = nbconvert.HTMLExporter(template_name="lab", **local)
    page = open_html(exporter.from_notebook_node(nbformat.v4.new_notebook(cells=cells))[0])
    views = [HeadsPage(page, number) for number in range(3)]
    for view in views:
        assert_shows(view, 0, 0, numbers=())
        view.head(1).click()
        assert_shows(view, 0, 1, numbers=())
    views[0].select("layer").select_option("2")
    views[2].root.get_by_role("slider", name="step").fill("1")
    for view, layer in zip(views, (2, 0, 1), strict=True):
        assert_shows(view, layer, 1, numbers=())


def test_the_picture_stands_in_where_scripts_do_not_run(browser, tmp_path):
    (tmp_path / "page.html").write_text(HeadsView(WEIGHTS, TOKENS).to_html(), encoding="utf-8")
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto((tmp_path / "page.html").as_uri())
    picture = page.get_by_role("img", name="HeadsView: 3 layers x 4 heads, 6 queries x 6 keys")
    assert picture.is_visible() and picture.bounding_box()["width"] > 100
    page.context.close()

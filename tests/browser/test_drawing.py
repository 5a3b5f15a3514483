"""Test what HeadsView draws, from a file without network: two runs, rectangles, nan, tokens of many scripts, …"""

import io
from xml.etree import ElementTree

import numpy as np
import pytest
from heads_page import HeadsPage
from PIL import Image
from pixels import GREY, assert_pixels, colours

from course_utils.theme import SIGNED_MAP
from course_utils.widgets import HeadsView, StepScrubber

TOKENS = "The cat sat on a mat".split()
RANDOM = np.random.default_rng(0)
FIRST, SECOND = (RANDOM.dirichlet(np.ones(6), (4, 6)).astype("f4") for _ in range(2))
HIGH = float(max(FIRST.max(), SECOND.max()))


@pytest.fixture
def draw(open_html):
    """Return draw(weights, tokens, …), which opens that HeadsView from a file and returns its HeadsPage."""
    return lambda *arguments, **named: HeadsPage(open_html(HeadsView(*arguments, **named).to_html()))


def test_comparing_two_runs(draw):
    view = draw(FIRST, TOKENS, compare=SECOND)
    view.head(2).click()
    shown = view.select("show")
    assert_pixels(view.cells, colours(FIRST[2], HIGH))
    assert not view.second.is_visible()
    shown.select_option("second")
    assert_pixels(view.cells, colours(SECOND[2], HIGH))
    assert_pixels(view.thumbs.nth(3), colours(SECOND[3], HIGH))
    shown.select_option("side by side")
    assert_pixels(view.cells, colours(FIRST[2], HIGH))
    assert_pixels(view.second_cells, colours(SECOND[2], HIGH))
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


def test_markup_in_tokens_is_text(draw):
    tokens = ["<img src=x onerror=window.ran=1>", "</script><script>window.ran=1</script>", "&amp;", "<!--<script>"]
    view = draw(np.full((2, 4, 4), 0.25), tokens)
    for index, token in enumerate(tokens):
        view.select("query").select_option(f"{index} {token}")
        assert f"query {token} " in view.status.inner_text()
    assert view.page.evaluate("window.ran") is None
    assert not view.root.locator("img, script").count()


def test_saving_pictures(draw):
    view = draw(FIRST, ["<The>", "&cat", *TOKENS[2:]])
    saved = {}
    view.root.locator(".av-more summary").click()
    for kind in ("PNG", "SVG"):
        with view.page.expect_download() as download:
            view.root.get_by_role("button", name=kind).click()
        assert download.value.suggested_filename == f"attention.{kind.lower()}"
        saved[kind] = download.value.path().read_bytes()
    root = ElementTree.fromstring(saved["SVG"])
    words = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"<The>", "&cat", "query", "key", "head 0"} <= words
    picture = Image.open(io.BytesIO(saved["PNG"]))
    assert picture.size == (2 * int(float(root.get("width"))), 2 * int(float(root.get("height"))))
    assert len(picture.getcolors(1_000_000)) > 30  # not blank: the colours of cells, marks and letters


def test_what_a_screen_reader_is_told(open_html, expect):
    page = open_html(
        StepScrubber(np.stack([FIRST, SECOND]), TOKENS, steps=[0, 10], curves={"loss": [1, 0.5]}).to_html()
    )
    view = HeadsPage(page)
    view.head(1).click()
    expect(view.root.get_by_role("table", name="step 0, head 1, row of The")).to_be_attached()  # shown after a delay
    told = page.locator(".av").aria_snapshot()
    rows = [f'row "{token} {weight:.2f}"' for token, weight in zip(TOKENS, FIRST[1, 0], strict=True)]
    for line in (
        *rows,
        'slider "step": "0"',
        'img "Curve at step 0, loss 1.00"',
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
    view.heatmap.focus()
    page.keyboard.press("ArrowRight")
    assert f"The to cat: {FIRST[1, 0, 1]:.2f}" in page.locator(".av").aria_snapshot()
    view.select("query").select_option("3 on")
    expect(view.root.get_by_role("table", name="step 0, head 1, row of on")).to_be_attached()


def test_an_error_is_said_in_the_view(open_html):
    html = HeadsView(FIRST, TOKENS).to_html().replace('"shape": [1, 4, 6, 6]', '"shape": [1, 4, 6, 60]')
    page = open_html(html)
    assert page.get_by_role("alert").inner_text().startswith("This view could not be drawn: ")

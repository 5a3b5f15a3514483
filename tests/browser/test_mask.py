"""Test MaskPainter: mouse and keyboard toggle cells, and the weights drawn are those that torch computes."""

import lab_server
import numpy as np
import pytest
import torch
from heads_page import HeadsPage
from pixels import assert_pixels, colours, mask_colours

from course_utils.attention import causal_mask, softmax
from course_utils.widgets import MaskPainter

TOKENS = ["the", "cat", "<b>", "on", "mat"]
SCORES = torch.tensor(np.random.default_rng(1).normal(size=(5, 5)) * 2, dtype=torch.float32)
MAKE = f"""import torch
from course_utils.widgets import MaskPainter
scores = torch.tensor({SCORES.tolist()})
painter = MaskPainter(scores, {TOKENS})
painter"""


def assert_shows(view, mask):
    """Check that the two pictures show the mask and the weights that the course's softmax computes with it."""
    assert_pixels(view.cells, mask_colours(mask))
    assert_pixels(view.second_cells, colours(softmax(SCORES.double().masked_fill(~mask, -torch.inf)).numpy(), 1.0))


def test_painting_in_an_exported_page(open_html, expect):
    page = open_html(MaskPainter(SCORES, TOKENS).to_html())
    view, mask = HeadsPage(page), causal_mask(5)
    assert_shows(view, mask)
    for row, column in [(4, 0), (4, 2), (0, 3), (4, 0)]:
        view.heatmap.click(position=view.place(row, column))
        mask[row, column] = ~mask[row, column]
        assert_shows(view, mask)
    for _ in range(2):  # go up to row 2
        view.heatmap.press("ArrowUp")
    for key in (" ", "Enter", "Enter"):
        view.heatmap.press(key)
    mask[2, 0] = False
    assert_shows(view, mask)
    expect(view.heatmap).to_have_attribute(
        "aria-label", "Heatmap of may attend, 5 queries by 5 keys, <b> to the: False. Arrow keys move."
    )
    weight = softmax(SCORES.masked_fill(~mask, -torch.inf))[2, 0]
    expect(view.status).to_have_text(f"query <b> → the {weight:.2f} · row sum 1.00")


def test_a_row_with_nothing_open_is_shown_for_what_it_is(open_html, expect):
    page = open_html(MaskPainter(SCORES, TOKENS).to_html())
    view, mask = HeadsPage(page), causal_mask(5)
    view.heatmap.click(position=view.place(0, 0))
    mask[0, 0] = False
    assert_shows(view, mask)
    expect(view.status).to_contain_text("query ∅ the → the 0.00 · row sum 0.00")
    expect(view.root).to_contain_text("∅: nothing to attend to, weights 0. Plain softmax: nan.")
    assert "∅ the" in view.heatmap.locator("svg").inner_html() and "∅ the" in view.second.locator("svg").inner_html()


def test_both_pictures_follow_a_switch_of_theme(open_html):
    page = open_html(MaskPainter(SCORES, TOKENS).to_html())
    view, mask = HeadsPage(page), causal_mask(5)
    weights = softmax(SCORES.double().masked_fill(~mask, -torch.inf)).numpy()
    for theme in ("light", "dark", "light"):
        page.emulate_media(color_scheme=theme)
        assert_pixels(view.cells, mask_colours(mask, theme))
        assert_pixels(view.second_cells, colours(weights, 1.0, theme=theme))


def test_presets(open_html):
    page = open_html(MaskPainter(SCORES, TOKENS, torch.eye(5).bool()).to_html())
    view, everything = HeadsPage(page), torch.ones(5, 5).bool()
    assert_shows(view, torch.eye(5).bool())
    for name, mask in {"everything": everything, "nothing": ~everything, "causal": causal_mask(5)}.items():
        page.get_by_role("button", name=name).click()
        assert_shows(view, mask)
    page.get_by_role("button", name="invert").press("Enter")
    assert_shows(view, ~causal_mask(5))


def test_huge_scores_stay_exact(open_html):
    mask = torch.tensor([[True, False], [True, True]])
    page = open_html(MaskPainter(torch.tensor([[-5000.0, 5000.0], [3000.0, 3000.0]]), ["a", "b"], mask).to_html())
    assert_pixels(HeadsPage(page).second_cells, colours([[1, 0], [0.5, 0.5]], 1.0))


def test_the_mask_goes_to_python_and_back_and_a_copy_follows(open_notebook):
    page = open_notebook([MAKE, "painter"])
    first, second, mask = HeadsPage(page), HeadsPage(page, 1), causal_mask(5)
    first.heatmap.click(position=first.place(0, 3))
    mask[0, 3] = True
    assert_shows(first, mask)
    assert_shows(second, mask)
    assert lab_server.in_kernel(page, "str(painter.mask.tolist())") == repr(str(mask.tolist()))
    lab_server.in_kernel(page, "setattr(painter, 'mask', torch.eye(5).bool()) or 0")
    for view in (first, second):
        assert_shows(view, torch.eye(5).bool())


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_control_has_a_role_and_a_name(open_html, theme):
    page = open_html(MaskPainter(SCORES, TOKENS).to_html(), theme)
    told = page.locator(".av").aria_snapshot()
    picture = 'application "Heatmap of may attend, 5 queries by 5 keys, mat. Arrow keys move."'
    buttons = [f'button "{name}"' for name in ("causal", "everything", "nothing", "invert")]
    for part in (*buttons, 'combobox "query"', picture, "status: query mat"):
        assert part in told, told

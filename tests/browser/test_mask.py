"""Test MaskPainter: mouse and keyboard toggle cells, and the weights drawn are those that torch computes."""

import numpy as np
import torch
from heads_page import HeadsPage
from pixels import assert_pixels, colours, mask_colours

from course_utils.attention import causal_mask, softmax
from course_utils.widgets import MaskPainter

TOKENS = ["the", "cat", "<b>", "on", "mat"]
SCORES = torch.tensor(np.random.default_rng(1).normal(size=(5, 5)) * 2, dtype=torch.float32)


def assert_shows(view, mask):
    """Check that the two pictures show the mask and the weights that the course's softmax computes with it."""
    assert_pixels(view.cells, mask_colours(mask))
    assert_pixels(view.second_cells, colours(softmax(SCORES.double().masked_fill(~mask, -torch.inf)).numpy(), 1.0))


def test_painting_in_an_exported_page(open_html, expect):
    page = open_html(MaskPainter(SCORES, TOKENS).to_html())
    view, mask = HeadsPage(page), causal_mask(5)
    assert_shows(view, mask)
    for row, column in [(4, 0), (4, 2), (1, 3), (4, 0)]:
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
    view.heatmap.click(position=view.place(0, 0))  # then its row has nothing open
    mask[0, 0] = False
    assert_shows(view, mask)
    expect(view.status).to_contain_text("query ∅ the → the 0.00 · row sum 0.00")
    expect(view.root).to_contain_text("∅: nothing to attend to, weights 0. Plain softmax: nan.")
    assert "∅ the" in view.heatmap.locator("svg").inner_html() and "∅ the" in view.second.locator("svg").inner_html()


def test_both_pictures_and_their_letters_follow_a_switch_of_theme(open_html, expect):
    page = open_html(MaskPainter(SCORES, TOKENS).to_html())
    view, mask = HeadsPage(page), causal_mask(5)
    weights = softmax(SCORES.double().masked_fill(~mask, -torch.inf)).numpy()
    for theme, ink in (("light", "rgb(0, 0, 0)"), ("dark", "rgb(255, 255, 255)"), ("light", "rgb(0, 0, 0)")):
        page.emulate_media(color_scheme=theme)
        expect(view.heatmap.locator("svg text").first).to_have_css("fill", ink)
        assert_pixels(view.cells, mask_colours(mask, theme))
        assert_pixels(view.second_cells, colours(weights, 1.0, theme=theme))


def test_the_roles_and_names_of_all_controls_and_the_presets(open_html):
    page = open_html(MaskPainter(SCORES, TOKENS, torch.eye(5).bool()).to_html())
    view, everything = HeadsPage(page), torch.ones(5, 5).bool()
    assert_shows(view, torch.eye(5).bool())
    presets = {"everything": everything, "nothing": ~everything, "causal": causal_mask(5), "invert": ~causal_mask(5)}
    told = page.locator(".av").aria_snapshot()
    picture = 'application "Heatmap of may attend, 5 queries by 5 keys, mat. Arrow keys move."'
    for part in (*(f'button "{name}"' for name in presets), 'combobox "query"', picture, "status: query mat"):
        assert part in told, told
    for name, mask in presets.items():
        page.get_by_role("button", name=name).press("Enter")
        assert_shows(view, mask)

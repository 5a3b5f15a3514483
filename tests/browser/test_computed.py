"""Test that the pages compute the view of a moved word as torch does, for any numbers."""

import pytest
import torch

from course_utils import data

pytest.importorskip("latex2mathml", reason="the extra `slides` is not installed: make test-browser installs it")

from publish.computed import WORD, MovedWord  # noqa: E402


def test_moving_a_word_gives_the_weights_of_torch(open_html, expect):
    page = open_html(MovedWord().to_html())
    tokens, inputs = data.load("six_tokens")
    sliders = page.get_by_role("slider")
    assert sliders.count() == inputs.shape[1]
    for place, at in enumerate((77, 3, 40)):
        sliders.nth(place).fill(str(at))
    numbers = [float(shown) for shown in page.locator(".av-lab output").all_inner_texts()]
    assert len({*numbers, *inputs[WORD].tolist()}) == 6, "no number has moved"
    moved = inputs.clone()
    moved[WORD] = torch.tensor(numbers)
    weights = torch.softmax(moved @ moved.T, dim=-1)
    shown = page.locator(".av-heatmap svg text").filter(has_text="0.")
    row = [f"{weight:.2f}" for weight in weights[WORD]]
    expect(page.locator(".av-heard td")).to_have_text(row)
    cells = [f"{weight:.2f}" for weight in weights.flatten()]
    assert shown.all_text_contents()[-len(cells) :] == cells
    expect(page.get_by_text("replays")).to_have_count(0)

"""Test AttentionLab in an exported page, without a kernel: it replays the steps that the page stores."""

import numpy as np
import torch
from heads_page import HeadsPage
from lab_weights import TOKENS, assert_shows, slider, weights
from publish import computed

from course_utils import data
from course_utils.widgets import AttentionLab
from course_utils.widgets.shared.head_weights import pack


def stored(values):
    """Return the weights as an exported page stores them, rounded to 254 steps."""
    high = np.float64(max(1.0, values.max()))
    return np.frombuffer(pack(values, high, limit=0), "u1").reshape(values.shape) * high / 254


def test_an_exported_page_replays_stored_steps(open_html, expect):
    def attend(temperature, hidden, causal):
        if hidden == 3:
            raise ValueError("<b>3</b> is too many")
        return weights(temperature, hidden) * (1 - 0.5 * causal)

    lab = AttentionLab(attend, TOKENS, temperature=(0.1, 5.0, 1.0), hidden=(0, 3), causal=False)
    lab.head, lab.query = 1, 2
    stops = lab._plan()[0][0].values
    assert len(stops) == 8 and 1.0 in stops
    page = open_html(lab.to_html())
    view, error = HeadsPage(page), page.get_by_role("alert")
    expect(page.get_by_text("Saved page: it replays 64 stored steps.")).to_be_visible()
    expect(page.get_by_role("button", name="Run again")).to_be_hidden()
    told = page.locator(".av").aria_snapshot()
    for part in ('slider "temperature": "1"', 'slider "hidden": "0"', 'checkbox "causal"', 'combobox "query"'):
        assert part in told, told
    assert "status: query" in told
    assert_shows(view, weights(), head=1)
    expect(view.select("query")).to_have_value("2 c")
    slider(page, "temperature").press("Home")
    for temperature in stops:
        expect(slider(page, "temperature")).to_have_attribute("aria-valuetext", f"{temperature:.4g}")
        assert_shows(view, stored(weights(temperature)), head=1)
        slider(page, "temperature").press("ArrowRight")
    expect(view.select("query")).to_have_value("2 c")
    view.head(0).click()
    page.get_by_role("checkbox", name="causal").press("Space")
    assert_shows(view, stored(weights(5.0) / 2))
    slider(page, "hidden").press("End")
    expect(error).to_have_text("ValueError: <b>3</b> is too many")
    slider(page, "hidden").press("ArrowLeft")
    expect(error).to_be_hidden()
    assert_shows(view, stored(weights(5.0, 2) / 2))


def test_with_many_controls_an_exported_page_moves_one_at_a_time(open_html, expect):
    sliders = {name: (1.0, 2.0) for name in "abcdefg"}
    page = open_html(AttentionLab(lambda **moved: weights(np.prod([*moved.values()])), TOKENS, **sliders).to_html())
    view = HeadsPage(page)
    expect(page.get_by_text("one control moved at a time")).to_be_visible()
    slider(page, "b").press("End")
    assert_shows(view, stored(weights(2.0)))
    slider(page, "c").press("ArrowRight")
    expect(slider(page, "b")).to_have_attribute("aria-valuetext", "1")  # back at its start
    expect(slider(page, "c")).to_have_attribute("aria-valuetext", "1.12")
    assert_shows(view, stored(weights(1.12)))


def test_with_other_heads_the_map_keeps_within_its_room(open_html, page, expect):
    """The map must fit the page beside or below the heads, after a change from few heads to many and back."""
    page.set_viewport_size({"width": 1000, "height": 900})
    made = AttentionLab(
        lambda heads: torch.full((heads, 12, 12), 1 / 12), [f"word{i}" for i in range(12)], heads=[2, 72]
    )
    view = HeadsPage(open_html(made.to_html()))
    for heads in (2, 72, 2):
        view.select("heads").select_option(str(heads))
        expect(view.thumbs).to_have_count(heads)
        cells, last = view.cells.bounding_box(), view.thumbs.last.bounding_box()
        assert cells["x"] + cells["width"] < 1000
        assert cells["x"] > last["x"] or cells["y"] > last["y"]  # beside the heads, or below them


def test_moving_a_word_gives_the_weights_of_torch(open_html, expect):
    page = open_html(computed.MovedWord().to_html())
    tokens, inputs = data.load("six_tokens")
    sliders = page.get_by_role("slider")
    assert sliders.count() == inputs.shape[1]
    for place, at in enumerate((77, 3, 40)):
        sliders.nth(place).fill(str(at))
    numbers = [float(shown) for shown in page.locator(".av-lab output").all_inner_texts()]
    assert len({*numbers, *inputs[computed.WORD].tolist()}) == 6, "no number has moved"
    moved = inputs.clone()
    moved[computed.WORD] = torch.tensor(numbers)
    weights = torch.softmax(moved @ moved.T, dim=-1)
    shown = page.locator(".av-heatmap svg text").filter(has_text="0.")
    row = [f"{weight:.2f}" for weight in weights[computed.WORD]]
    expect(page.locator(".av-heard td")).to_have_text(row)
    cells = [f"{weight:.2f}" for weight in weights.flatten()]
    assert shown.all_text_contents()[-len(cells) :] == cells
    expect(page.get_by_text("replays")).to_have_count(0)

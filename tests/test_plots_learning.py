"""Figures of notebook 09 draw what they were given, and nothing in them is cut off or too small."""

import matplotlib
import numpy as np
import pytest
import torch
from matplotlib.text import Text

from course_utils import plots, session


@pytest.fixture(autouse=True)
def style():
    with matplotlib.rc_context():
        session.start()
        yield


def vectors(width, seed=0):
    return torch.randn(5, width, generator=torch.Generator().manual_seed(seed))


def over_steps(num_steps=41):
    values = torch.linspace(0, 1, 41)[:, None, None] * torch.linspace(0.2, 1, 8).view(2, 4)
    return plots.heads_over_steps(range(num_steps), {"one step back": values, "induction": 1 - values}, caption="c")


FIGURES = {
    "one stage": lambda: plots.token_vectors({"embedding": vectors(8)}, "ADAPT", caption="c"),
    "three stages": lambda: plots.token_vectors(
        {"came in": vectors(8), "widened": vectors(32, 1), "narrowed": vectors(8, 2)}, "ADAPT", caption="c"
    ),
    "steps": over_steps,
}


@pytest.mark.parametrize("draw", FIGURES.values(), ids=FIGURES)
@pytest.mark.filterwarnings("error")
def test_nothing_is_cut_off_and_text_is_large_enough(draw):
    figure = draw()
    assert figure.caption == "c"
    figure.draw_without_rendering()
    page = figure.bbox.padded(1)
    for text in figure.findobj(Text):
        if text.get_visible() and text.get_text().strip():
            box = text.get_window_extent()
            assert page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1, text
            assert text.get_fontsize() >= 10


def test_a_row_is_a_token_and_all_stages_share_one_scale():
    panels = FIGURES["three stages"]().axes[:3]
    np.testing.assert_allclose(panels[1].collections[0].get_array().reshape(5, 32), vectors(32, 1))
    assert len({panel.collections[0].get_clim() for panel in panels}) == 1
    assert [label.get_text() for label in panels[0].get_yticklabels()] == list("ADAPT")
    assert [panel.get_xlabel() for panel in panels] == ["8 numbers", "32 numbers", "8 numbers"]


def test_a_line_is_a_head_and_a_colour_a_layer():
    first, second = over_steps().axes
    assert len(first.lines) == len(second.lines) == 8
    assert len({line.get_color() for line in first.lines}) == 2
    np.testing.assert_allclose(first.lines[7].get_ydata(), np.linspace(0, 1, 41), atol=1e-6)
    assert [text.get_text() for text in first.get_legend().get_texts()] == ["heads of layer 0", "heads of layer 1"]


def test_labels_that_do_not_fit():
    with pytest.raises(ValueError, match=r"stage 'embedding' of shape \(5, 8\)"):
        plots.token_vectors({"embedding": vectors(8)}, "PLANET", caption="c")
    with pytest.raises(ValueError, match=r"scores 'one step back' of shape \(41, 2, 4\)"):
        over_steps(40)

"""Test that the figures of the notebook watch_heads_learn draw what they are given."""

import numpy as np
import pytest
import torch

from course_utils import plots

pytestmark = pytest.mark.usefixtures("style")


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
    "bars": lambda: plots.heads_bars(torch.rand(2, 4), label="loss", caption="c"),
}


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


def test_a_bar_is_a_head_and_all_layers_share_one_scale():
    values = torch.tensor([[0.1, 0.4, 0.2], [0.3, 0.0, 0.1]])
    panels = plots.heads_bars(values, label="loss", caption="c").axes
    np.testing.assert_allclose([[bar.get_height() for bar in panel.patches] for panel in panels], values)
    assert len({panel.get_ylim() for panel in panels}) == 1 and panels[0].get_ylabel() == "loss"

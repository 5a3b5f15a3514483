"""Test that maps of heads and of changes draw what they are given, name the strongest heads, and show nan in grey."""

import numpy as np
import pytest
import torch
from test_plots import SENTENCE, cells, is_grey, labels

from course_utils import plots

pytestmark = pytest.mark.usefixtures("style")


def scores():
    return torch.rand(6, 12, generator=torch.Generator().manual_seed(1))


def waves(num_places, width):
    return torch.sin(torch.arange(num_places)[:, None] / torch.arange(1, width + 1))


def change_map(changes):
    return plots.change_map(changes, SENTENCE, [3, 4, 5], label="change in %", caption="c")


FIGURES = {
    "heads": lambda: plots.heads_map(scores(), label="score", vmax=1.0),
    "unknown heads": lambda: plots.heads_map(torch.full((6, 12), torch.nan), label="score"),
    "many layers": lambda: plots.heads_map(torch.linspace(0, 1, 270).view(30, 9), label="score"),
    "changes": lambda: change_map(torch.linspace(0, 100, 45).view(3, 15)),
    "unknown changes": lambda: change_map(torch.full((3, 15), torch.nan)),
    "places": lambda: plots.places_map(waves(64, 8), caption="c"),
    "one place": lambda: plots.places_map([[0.0, 0.0]], caption="c"),
}


def test_more_layers_than_twelve_stand_side_by_side_without_numbers():
    values = torch.rand(30, 9)
    figure = plots.heads_map(values, label="score")
    panel = figure.axes[0]
    np.testing.assert_allclose(cells(panel), values.T)
    assert (panel.get_ylabel(), panel.get_xlabel()) == ("head", "layer") and not panel.texts
    assert labels(panel.xaxis)[::29] == ["0", "29"]
    layer, head = divmod(values.argmax().item(), 9)
    assert f"layer {layer} head {head} {values.max():.2f}" in figure.caption


def test_a_row_is_a_layer_and_a_column_a_head_and_the_caption_names_the_strongest():
    panel = FIGURES["heads"]().axes[0]
    np.testing.assert_allclose(cells(panel), scores())
    assert (panel.get_ylabel(), panel.get_xlabel()) == ("layer", "head")
    assert panel.collections[0].get_clim() == (0, 1)
    assert [text.get_text() for text in panel.texts] == [f"{score:.2f}" for score in scores().flatten()]
    values = torch.zeros(6, 12)
    values[3, 1], values[5, 11] = 0.7, 0.5
    assert "Strongest: layer 3 head 1 0.70, layer 5 head 11 0.50" in plots.heads_map(values, label="score").caption
    assert "All are unknown" in FIGURES["unknown heads"]().caption


def test_a_row_is_a_layer_and_a_column_a_token_and_what_is_unknown_is_grey():
    panel = FIGURES["unknown changes"]().axes[0]
    assert (labels(panel.yaxis), labels(panel.xaxis)) == (["3", "4", "5"], SENTENCE) and is_grey(panel)


def test_a_column_is_a_place_and_colours_reach_equally_far_on_both_sides():
    rows = waves(40, 6) * 0.5
    panel = plots.places_map(rows, caption="c").axes[0]
    np.testing.assert_allclose(cells(panel), rows.T)
    low, high = panel.collections[0].get_clim()
    assert low == -high and high == pytest.approx(rows.abs().max().item())
    assert labels(panel.xaxis)[:3] == ["0", "3", "6"]

"""Test the figures that one notebook each has: training, costs, patches, padding; they draw what they are given."""

import numpy as np
import pytest
import torch
from matplotlib.patches import Rectangle
from test_plots import cells, labels

from course_utils import attention, figure_html, plots

QUERIES, KEYS = ["q0", "q1", "q2", "q3"], ["k0", "k1", "k2", "k3", "k4", "k5"]
SIZES = [128, 256, 512, 1024, 2048]

pytestmark = pytest.mark.usefixtures("style")


def vectors(width, seed=0):
    return torch.randn(5, width, generator=torch.Generator().manual_seed(seed))


def over_steps(num_steps=41):
    values = torch.linspace(0, 1, 41)[:, None, None] * torch.linspace(0.2, 1, 8).view(2, 4)
    return plots.heads_over_steps(range(num_steps), {"one step back": values, "induction": 1 - values}, caption="c")


def draw_growth():
    costs = {"square": [3e-3 * size**2 for size in SIZES], "in step": [0.5 * size for size in SIZES]}
    slopes = {"square": 2.0, "in step": 1.0}
    return plots.growth(SIZES, costs, slopes, since=512, xlabel="tokens", ylabel="MB", caption="Two lines.")


def cut(rows=2, columns=3):
    return torch.rand(rows, columns, 3, 8, 8, generator=torch.Generator().manual_seed(1))


def heads():
    scores = torch.randn(2, 5, 4, 6, generator=torch.Generator().manual_seed(1))
    return attention.softmax(scores.masked_fill(~attention.padding_mask([3, 2], 6), -torch.inf))


def draw_heads(valid_lens=(3, 2)):
    return plots.padded_heads(heads(), torch.tensor(valid_lens), QUERIES, KEYS, caption="c")


def draw_masks():
    masks = {"causal": torch.ones(4, 4).tril().bool(), "open": torch.ones(4, 4, dtype=torch.bool)}
    return plots.mask_panels(masks, QUERIES, caption="c")


FIGURES = {
    "one stage": lambda: plots.token_vectors({"embedding": vectors(8)}, "ADAPT", caption="c"),
    "three stages": lambda: plots.token_vectors(
        {"came in": vectors(8), "widened": vectors(32, 1), "narrowed": vectors(8, 2)}, "ADAPT", caption="c"
    ),
    "steps": over_steps,
    "bars of heads": lambda: plots.heads_bars(torch.rand(2, 4), label="loss", caption="c"),
    "patches": lambda: plots.patches({"right": cut(), "wrong": cut(2, 4)}, caption="c"),
    "growth": draw_growth,
    "heads with padding": draw_heads,
    "masks": draw_masks,
}


def test_a_row_is_a_token_and_all_stages_share_one_scale():
    panels = FIGURES["three stages"]().axes[:3]
    np.testing.assert_allclose(cells(panels[1]), vectors(32, 1))
    assert len({panel.collections[0].get_clim() for panel in panels}) == 1
    assert labels(panels[0].yaxis) == list("ADAPT")
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


def test_costs_are_points_where_they_were_measured_and_lines_run_through_them_with_their_slopes():
    panel = draw_growth().axes[0]
    np.testing.assert_allclose(panel.lines[0].get_ydata(), [3e-3 * size**2 for size in SIZES])
    assert panel.lines[0].get_linestyle() == "None" and panel.get_xscale() == panel.get_yscale() == "log"
    for line, points in zip(panel.lines[2:], panel.lines[:2], strict=True):
        np.testing.assert_allclose(line.get_xdata(), SIZES[2:])
        np.testing.assert_allclose(line.get_ydata(), points.get_ydata()[2:])
        assert line.get_color() == points.get_color()
    assert [text.get_text() for text in panel.get_legend().texts] == ["square: slope 2.00", "in step: slope 1.00"]


@pytest.mark.filterwarnings("error")
def test_each_patch_is_drawn_at_its_place_in_its_own_colours_and_the_gaps_are_clear():
    given = cut()
    figure = plots.patches({"right": given, "wrong": cut(2, 4)}, caption="c")
    assert [panel.get_title() for panel in figure.axes] == ["right", "wrong"]
    drawn = figure.axes[0].images[0].get_array()
    assert drawn.shape == (2 * 8 + 1, 3 * 8 + 2, 4)
    np.testing.assert_allclose(drawn[9:, 18:, :3], given[1, 2].permute(1, 2, 0))
    assert drawn[:8, :8, 3].min() == 1 and drawn[8, :, 3].max() == 0 and drawn[:, 8, 3].max() == 0
    svg = figure_html.svg(figure)
    assert svg.count("<image") == 2 and "filter" not in svg  # a photograph is the same on a dark page


def test_all_heads_share_one_scale_and_each_text_has_its_own_padding_hatched():
    weights = heads()
    *panels, colourbar = draw_heads().axes
    for index, (panel, expected) in enumerate(zip(panels, weights.flatten(0, 1), strict=True)):
        assert panel.collections[0].get_clim() == (0, weights.max().item())
        np.testing.assert_allclose(cells(panel), expected)
        hatched = [patch.get_center() for patch in panel.patches if isinstance(patch, Rectangle) and patch.get_hatch()]
        closed = [(key + 0.5, query + 0.5) for query in range(4) for key in range((3, 2)[index // 5], 6)]
        assert np.allclose(hatched, closed)
        assert panel.get_title() == f"text {index // 5}, head {index % 5}"
    assert colourbar.get_ylabel() == "attention weight"


def test_masks_are_drawn_as_they_are():
    panels = draw_masks().axes
    assert [panel.get_title() for panel in panels] == ["causal", "open"]
    np.testing.assert_array_equal(cells(panels[0]), np.tril(np.ones((4, 4))))
    assert cells(panels[1]).min() == 1

"""Test the figures that one notebook each has: training, costs, patches, padding; they draw what they are given."""

import numpy as np
import pytest
import torch
from matplotlib.patches import Rectangle

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


@pytest.fixture
def panel():
    figure = draw_growth()
    assert figure.caption == "Two lines."
    figure.draw_without_rendering()
    return figure.axes[0]


def test_points_are_where_they_were_measured(panel):
    np.testing.assert_allclose(panel.lines[0].get_ydata(), [3e-3 * size**2 for size in SIZES])
    assert panel.lines[0].get_linestyle() == "None" and panel.get_xscale() == panel.get_yscale() == "log"


def test_lines_run_through_the_points_from_there_on(panel):
    for line, points in zip(panel.lines[2:], panel.lines[:2], strict=True):
        np.testing.assert_allclose(line.get_xdata(), SIZES[2:])
        np.testing.assert_allclose(line.get_ydata(), points.get_ydata()[2:])
        assert line.get_color() == points.get_color()


def test_the_slopes_are_written_in_the_legend(panel):
    assert [text.get_text() for text in panel.get_legend().texts] == ["square: slope 2.00", "in step: slope 1.00"]


def test_each_patch_is_drawn_at_its_place_and_the_gaps_are_clear():
    given = cut()
    drawn = plots.patches({"one": given}, caption="c").axes[0].images[0].get_array()
    assert drawn.shape == (2 * 8 + 1, 3 * 8 + 2, 4)
    np.testing.assert_allclose(drawn[9:, 18:, :3], given[1, 2].permute(1, 2, 0))
    assert drawn[:8, :8, 3].min() == 1 and drawn[8, :, 3].max() == 0 and drawn[:, 8, 3].max() == 0


def test_each_title_stands_over_its_picture():
    panels = plots.patches({"right": cut(), "wrong": cut()}, caption="c").axes
    assert [panel.get_title() for panel in panels] == ["right", "wrong"]


@pytest.mark.filterwarnings("error")
def test_a_photograph_has_its_own_colours_on_either_page():
    svg = figure_html.svg(plots.patches({"one": cut()}, caption="c"))
    assert svg.count("<image") == 1 and "filter" not in svg


def test_each_text_has_its_own_padding_hatched_in_every_head():
    *panels, _ = draw_heads().axes
    for index, panel in enumerate(panels):
        hatched = [patch.get_center() for patch in panel.patches if isinstance(patch, Rectangle) and patch.get_hatch()]
        length = (3, 2)[index // 5]
        closed = [(key + 0.5, query + 0.5) for query in range(4) for key in range(length, 6)]
        assert np.allclose(hatched, closed)
        assert panel.get_title() == f"text {index // 5}, head {index % 5}"


def test_all_heads_share_one_scale_and_hold_the_weights():
    weights = heads()
    *panels, colourbar = draw_heads().axes
    for panel, expected in zip(panels, weights.flatten(0, 1), strict=True):
        mesh = panel.collections[0]
        assert mesh.get_clim() == (0, weights.max().item())
        np.testing.assert_allclose(mesh.get_array().reshape(4, 6), expected)
    assert colourbar.get_ylabel() == "attention weight"


def test_masks_are_drawn_as_they_are():
    panels = draw_masks().axes
    assert [panel.get_title() for panel in panels] == ["causal", "open"]
    np.testing.assert_array_equal(panels[0].collections[0].get_array().reshape(4, 4), np.tril(np.ones((4, 4))))
    assert panels[1].collections[0].get_array().min() == 1

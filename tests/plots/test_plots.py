"""Test that figures draw what they are given, and that their digits and colours are readable."""

import numpy as np
import pytest
import torch
from matplotlib.colors import to_hex
from test_theme import contrast, rgb

from course_utils import plots, theme

TOKENS = ["a", "cold", "icy", "wind", "blew", "in"]
SENTENCE = "[CLS] the robot could not climb the hill because it was too weak . [SEP]".split()

pytestmark = pytest.mark.usefixtures("style")


def weights_of(*shape):
    return torch.rand(*shape, generator=torch.Generator().manual_seed(1)).softmax(dim=-1)


def cells(panel):
    mesh = panel.collections[0]
    return mesh.get_array().reshape(len(mesh.get_coordinates()) - 1, -1)


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def is_grey(panel, rows=slice(None)):
    return np.ma.getmaskarray(cells(panel))[rows].all() and panel.get_facecolor()[:3] == pytest.approx((0.75,) * 3)


def test_heads_share_one_scale_and_rows_are_queries_and_values_are_written_where_they_fit():
    weights = torch.stack([weights_of(6, 4), torch.eye(6)[:, :4]])
    *heads, colourbar = plots.attention_heatmap(weights, TOKENS, TOKENS[:4], mark=2).axes
    for panel, weight in zip(heads, weights, strict=True):
        assert panel.collections[0].get_clim() == (0, 1)
        np.testing.assert_allclose(cells(panel), weight)
        assert labels(panel.xaxis) == TOKENS[:4]
        assert [text.get_text() for text in panel.texts] == [f"{value:.2f}" for value in weight.flatten()]
        (frame,) = panel.patches
        assert (frame.get_y(), frame.get_width(), frame.get_height()) == (2, 4, 1)
    assert (heads[0].get_ylabel(), heads[0].get_xlabel(), labels(heads[0].yaxis)) == ("query", "key", TOKENS)
    assert colourbar.get_ylabel() == "attention weight"
    panel = plots.attention_heatmap(weights_of(15, 15), SENTENCE, vmax=1.0).axes[0]
    assert panel.collections[0].get_clim() == (0, 1) and not panel.texts


def test_nan_is_left_grey_and_the_caption_names_the_strongest_link():
    weights = torch.full((6, 6), 0.1)
    weights[1, 2], weights[3] = 0.5, torch.nan
    figure = plots.attention_heatmap(weights, TOKENS)
    assert is_grey(figure.axes[0], 3) and "cold → icy 0.50" in figure.caption


@pytest.mark.parametrize("form", [lambda mask: mask, lambda mask: mask.numpy(), lambda mask: mask.tolist()])
def test_a_mask_may_be_a_tensor_an_array_or_a_list(form):
    mask = torch.ones(3, 3).tril().bool()
    figure = plots.attention_heatmap(torch.eye(3), "abc", mask=form(mask), caption="c")
    assert (np.ma.getmaskarray(cells(figure.axes[0])) == ~mask.numpy()).all()


def test_scores_are_white_at_zero_and_weights_beside_them_take_the_scale_they_are_given():
    scores = torch.tensor([[-3.0, 1.0], [0.0, 2.0]])
    panels = plots.scores_and_weights(scores, weights_of(2, 2), ["a", "b"], vmax=1).axes
    assert [panel.collections[0].get_clim() for panel in panels[:2]] == [(-3, 3), (0, 1)]


@pytest.mark.parametrize(
    ("vector", "foot"), [([1.5, 1.5], [1.8, 0.9]), ([-1.5, -1.0], [-1.6, -0.8]), ([-1.0, 2.0], [0.0, 0.0])]
)
def test_a_shadow_ends_where_the_way_down_meets_the_line_at_a_right_angle(vector, foot):
    bar, way = plots.vectors([[2, 1], vector], "ab", shadow="ba").axes[0].lines[:2]
    np.testing.assert_allclose(bar.get_xydata()[1], foot, atol=1e-12)
    np.testing.assert_allclose(way.get_xydata(), [vector, foot], atol=1e-12)
    assert (np.array(vector) - foot) @ [2, 1] == pytest.approx(0)


def test_mixture_stacks_up_to_the_context_vector():
    weights, values = weights_of(6), torch.randn(6, 3, generator=torch.Generator().manual_seed(2))
    bars = plots.mixture(weights, values, TOKENS).axes[0].patches
    totals = np.zeros(3)
    for bar in bars:
        totals[round(bar.get_y() + bar.get_height() / 2)] += bar.get_width()
    np.testing.assert_allclose(totals, weights @ values, atol=1e-6)


def test_histograms_count_small_numbers_in_the_first_bin_and_each_sums_to_1():
    samples = {"spread": [0.0, 1e-9, 0.01, 20.0], "alike": [0.3, 0.3]}
    panel = plots.histograms(samples, xlabel="x", ylabel="share", low=1e-4, caption="c").axes[0]
    assert [text.get_text() for text in panel.get_legend().get_texts()] == list(samples)
    tops = [part.get_paths()[0].vertices for part in panel.collections]
    assert [top[:, 1].max() for top in tops] == [0.5, 1.0]
    assert [top[:, 0].min() for top in tops] == pytest.approx([1e-4, 1e-4]) and panel.get_xscale() == "log"


def test_curves_differ_in_marker_and_colour_and_stand_in_the_legend_even_without_a_number():
    series = {str(i): np.arange(3.0) * i for i in range(9)}
    lines = plots.curves([1, 2, 4], series, xlabel="x", ylabel="y", caption="c").axes[0].lines
    np.testing.assert_allclose([line.get_ydata() for line in lines], list(series.values()))
    assert [line.get_label() for line in lines] == list(series)
    assert len({(line.get_marker(), line.get_color()) for line in lines}) == 9
    series = {"known": np.arange(3.0), "unknown": np.full(3, np.nan), "known too": np.ones(3)}
    lines = plots.curves([1, 2, 4], series, xlabel="x", ylabel="y", caption="c").axes[0].lines
    found = {line.get_label(): len(line.get_xdata()) for line in lines}
    assert found == {"known": 3, "unknown": 0, "known too": 3} and len({line.get_color() for line in lines}) == 3


def test_points_lie_behind_the_curves_and_stand_in_the_legend():
    series, points = {"a": np.arange(30.0), "b": np.ones(30)}, {"measured": ([1.5, 20], [2, 9])}
    figure = plots.curves(np.arange(30), series, points=points, xlabel="x", ylabel="y", caption="c")
    panel = figure.axes[0]
    np.testing.assert_allclose(panel.collections[0].get_offsets(), [(1.5, 2), (20, 9)])
    assert panel.collections[0].get_zorder() < panel.lines[0].get_zorder()
    assert {text.get_text() for text in figure.legends[0].get_texts()} == {"a", "b", "measured"}
    for wrong in (([1, 2], [1]), ([1, 2], [1, np.nan])):
        with pytest.raises(ValueError, match="'measured'"):
            plots.curves([1, 2], {"a": [1, 2]}, points={"measured": wrong}, xlabel="x", ylabel="y", caption="c")


def test_digits_on_cells_can_be_read_on_either_page():
    """Digits have a WCAG 2 contrast of at least 4.5 on every cell, in the colours of a light page and of a dark one."""
    weights = np.linspace(0, 1, 36).reshape(6, 6)
    weights[2, 3] = np.nan
    for figure in (plots.attention_heatmap(weights, TOKENS), plots.heads_map(weights, label="share", effect=True)):
        panel = figure.axes[0]
        papers = [to_hex(colour) for colour in panel.collections[0].get_facecolors()]
        papers.pop(15)
        for text, paper in zip(panel.texts, papers, strict=True):
            digits = to_hex(text.get_color())
            assert contrast(rgb(paper), rgb(digits)) >= 4.5
            assert contrast(rgb(theme.dark(paper)), rgb(theme.dark(digits))) >= 4.5

"""The figures: what they draw is what they were given, nothing is cut off, and the colours can be told apart."""

import matplotlib
import numpy as np
import pytest
import torch
from matplotlib.text import Text

from course_utils import plots, session

TOKENS = ["a", "cold", "icy", "wind", "blew", "in"]
SENTENCE = "[CLS] the robot could not climb the hill because it was too weak . [SEP]".split()


@pytest.fixture(autouse=True)
def style():
    with matplotlib.rc_context():
        session.start()
        yield


def weights_of(*shape):
    return torch.rand(*shape, generator=torch.Generator().manual_seed(1)).softmax(dim=-1)


FIGURES = {
    "one head": lambda: plots.attention_heatmap(weights_of(6, 6), TOKENS),
    "one head of a sentence": lambda: plots.attention_heatmap(weights_of(15, 15), SENTENCE),
    "three heads with titles": lambda: plots.attention_heatmap(
        weights_of(3, 3, 6), TOKENS[:3], TOKENS, titles=["step 0", "step 100", "step 600"]
    ),
    "seven heads": lambda: plots.attention_heatmap(weights_of(7, 6, 6), TOKENS),
    "twelve heads of a sentence": lambda: plots.attention_heatmap(weights_of(12, 15, 15), SENTENCE),
    "one token": lambda: plots.attention_heatmap(weights_of(1, 1), ["alone"]),
    "scores and weights": lambda: plots.scores_and_weights(torch.randn(6, 6), weights_of(6, 6), TOKENS),
    "bars": lambda: plots.attention_bars({"weak": weights_of(15), "steep": weights_of(15)}, SENTENCE),
    "four rows of bars": lambda: plots.attention_bars({f"t {i}": weights_of(6) for i in range(4)}, TOKENS),
    "vectors": lambda: plots.vectors([[2, 1], [1.5, 1.5], [-1, 2], [-1.5, -1]], "abcd"),
    "mixture": lambda: plots.mixture(weights_of(6), torch.randn(6, 3), TOKENS),
    "curves": lambda: plots.curves(
        [1, 4, 1024], {"a": [1, 4, 1024], "b": [1, 1, 1]}, xlabel="x", ylabel="y", log_x=True, log_y=True, caption="c"
    ),
    "path": lambda: plots.path([f"{i}  a step\nof the way" for i in range(6)], columns=4, caption="c"),
}  # fmt: skip


@pytest.mark.parametrize("draw", FIGURES.values(), ids=FIGURES)
def test_every_figure_has_a_caption_and_cuts_no_text_off(draw):
    figure = draw()
    assert figure.caption
    figure.draw_without_rendering()
    page = figure.bbox.padded(1)
    for text in figure.findobj(Text):
        if text.get_visible() and text.get_text().strip() and text.axes is not None and text.axes.get_visible():
            box = text.get_window_extent()
            inside = page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1
            assert inside, f"{text.get_text()!r} is cut off"


@pytest.mark.parametrize("name", [name for name in FIGURES if name != "twelve heads of a sentence"])
def test_text_is_large_enough_for_the_third_row(name):
    sizes = [text.get_fontsize() for text in FIGURES[name]().findobj(Text) if text.get_text().strip()]
    assert min(sizes) >= 10


def test_heads_share_one_scale_and_it_is_shown():
    weights = torch.stack([weights_of(6, 6), torch.eye(6)])
    *heads, colourbar = plots.attention_heatmap(weights, TOKENS).axes
    for panel, weight in zip(heads, weights, strict=True):
        mesh = panel.collections[0]
        assert mesh.get_clim() == (0, 1)
        np.testing.assert_allclose(mesh.get_array().reshape(6, 6), weight)
    assert colourbar.get_ylabel() == "attention weight"


def test_rows_are_queries_and_columns_are_keys():
    panel = plots.attention_heatmap(weights_of(2, 3), ["q0", "q1"], ["k0", "k1", "k2"]).axes[0]
    assert [label.get_text() for label in panel.get_yticklabels()] == ["q0", "q1"]
    assert [label.get_text() for label in panel.get_xticklabels()] == ["k0", "k1", "k2"]
    assert (panel.get_ylabel(), panel.get_xlabel()) == ("query", "key")


def test_a_marked_query_has_its_row_framed():
    (frame,) = plots.attention_heatmap(weights_of(6, 6), TOKENS, mark=2).axes[0].patches
    assert (frame.get_y(), frame.get_width(), frame.get_height()) == (2, 6, 1)


def test_the_upper_end_of_the_scale_can_be_set():
    panel = plots.attention_heatmap(weights_of(6, 6), TOKENS, vmax=1.0).axes[0]
    assert panel.collections[0].get_clim() == (0, 1)


def test_values_are_written_where_they_fit():
    weights = weights_of(6, 6)
    assert [text.get_text() for text in plots.attention_heatmap(weights, TOKENS).axes[0].texts] == [
        f"{value:.2f}" for value in weights.flatten()
    ]
    assert not plots.attention_heatmap(weights_of(15, 15), SENTENCE).axes[0].texts


def test_the_caption_names_the_strongest_link():
    weights = torch.full((6, 6), 0.1)
    weights[1, 2] = 0.5
    assert "cold → icy 0.50" in plots.attention_heatmap(weights, TOKENS).caption


def test_nan_is_left_grey():
    weights = weights_of(6, 6).clone()
    weights[2] = torch.nan
    panel = plots.attention_heatmap(weights, TOKENS).axes[0]
    assert np.ma.getmaskarray(panel.collections[0].get_array()).reshape(6, 6)[2].all()
    assert panel.get_facecolor()[:3] == pytest.approx((0.75, 0.75, 0.75))


def test_scores_are_white_at_zero():
    left = plots.scores_and_weights(torch.tensor([[-3.0, 1.0], [0.0, 2.0]]), weights_of(2, 2), ["a", "b"]).axes[0]
    assert left.collections[0].get_clim() == (-3, 3)


def test_mixture_stacks_up_to_the_context_vector():
    weights, values = weights_of(6), torch.randn(6, 3, generator=torch.Generator().manual_seed(2))
    bars = plots.mixture(weights, values, TOKENS).axes[0].patches
    totals = np.zeros(3)
    for bar in bars:
        totals[round(bar.get_y() + bar.get_height() / 2)] += bar.get_width()
    np.testing.assert_allclose(totals, weights @ values, atol=1e-6)


def test_parameters_with_gradients_can_be_drawn():
    assert plots.attention_heatmap(weights_of(6, 6).requires_grad_(), TOKENS)


def luminance(name):
    colours = matplotlib.colormaps[name](np.linspace(0, 1, 256))[:, :3]
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def test_the_weights_map_can_be_read_without_hue():
    assert (np.diff(luminance(plots.WEIGHTS_MAP)) < 0).all()


def test_the_scores_map_is_lightest_in_the_middle():
    scores = luminance(plots.SCORES_MAP)
    assert (np.diff(scores[:120]) > 0).all() and (np.diff(scores[136:]) < 0).all()


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda: plots.attention_heatmap(weights_of(6, 5), TOKENS), r"shape \(1, 6, 5\).*need shape \(heads, 6, 6\)"),
        (lambda: plots.attention_heatmap(weights_of(6), TOKENS), r"attn_weights of shape \(6,\)"),
        (lambda: plots.scores_and_weights(torch.rand(5, 5), weights_of(6, 6), TOKENS), "attn_scores of shape"),
        (lambda: plots.attention_bars({"weak": weights_of(5)}, TOKENS), r"row 'weak' of shape \(5,\).*\(6\)"),
        (lambda: plots.vectors(torch.rand(3, 3), "abc"), r"points of shape \(3, 3\).*\(3, 2\)"),
        (lambda: plots.mixture(weights_of(5), torch.rand(6, 3), TOKENS), r"attn_weights of shape \(5,\)"),
        (lambda: plots.mixture(weights_of(6), torch.rand(5, 3), TOKENS), r"values of shape \(5, 3\)"),
    ],
)
def test_labels_that_do_not_fit(draw, words):
    with pytest.raises(ValueError, match=words):
        draw()

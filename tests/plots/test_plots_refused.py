"""Test that a figure refuses what cannot be drawn, in words, and draws what is odd: huge labels, lone surrogates."""

import numpy as np
import pytest
import torch
from shown import rendered
from test_labels_and_weights import NAN, WORDS, even, second_row
from test_plots import TOKENS, weights_of
from test_plots_kinds import QUERIES, cut, draw_heads, over_steps, vectors
from test_plots_maps import change_map

from course_utils import plots

pytestmark = pytest.mark.usefixtures("style")

PLACES = [(torch.rand(3), "two axes"), (torch.rand(0, 8), "one place or more"), ([[torch.nan]], "finite")]


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda: plots.attention_bars({}, WORDS), "rows is empty"),
        (lambda: plots.token_vectors({}, WORDS, caption="c"), "stages is empty"),
        (lambda: plots.mask_panels({}, WORDS, caption="c"), "masks is empty"),
        (lambda: plots.patches({}, caption="c"), "pictures is empty"),
        (lambda: plots.patches({"p": even(0, 2, 3, 2, 2)}, caption="c"), r"picture 'p' of shape \(0, 2, 3, 2, 2\)"),
        (lambda: plots.path([], 3, caption="c"), "steps is empty"),
        (lambda: plots.path(["a"], 0, caption="c"), "columns must be a whole number of at least 1, got 0"),
        (lambda: plots.course_path(0), "columns must be a whole number of at least 1, got 0"),
        (lambda: plots.diagram({"a": (1, 1, "a")}, [("a", "b", "")], size=(2, 2), caption="c"), "to 'b'.*boxes are a"),
        (lambda: plots.heads_over_steps([], {}, caption="c"), "scores is empty"),
        (lambda: plots.heads_over_steps([], {"s": even(0, 2, 2)}, caption="c"), "are empty"),
        (lambda: plots.heads_bars(even(0, 4), label="l", caption="c"), "are empty"),
        (lambda: plots.heads_bars(second_row(NAN), label="l", caption="c"), r"at \[1, 0\] stands nan"),
        (lambda: plots.heads_map(even(0, 4), label="l"), r"shape \(0, 4\) need two axes"),
        (lambda: plots.attention_heatmap([["a", "b"]], WORDS), "attn_weights must be a tensor, or numbers"),
        (lambda: plots.attention_heatmap([[1, 2], [3]], WORDS), "attn_weights must be a tensor, or numbers"),
        (lambda: plots.vectors(even(2, 2), WORDS, shadow=["a", "warm"]), "shadow must name two of the labels a, cold"),
        (lambda: plots.curves([1, 2], {}, xlabel="x", ylabel="y", caption="c"), "series is empty"),
        (lambda: plots.curves([], {"a": []}, xlabel="x", ylabel="y", caption="c"), "are empty"),
        (lambda: plots.curves([1, 2], {"a": [1]}, xlabel="x", ylabel="y", caption="c"), "series 'a' of shape"),
        (lambda: plots.attention_heatmap(weights_of(6, 5), TOKENS), r"shape \(1, 6, 5\).*need shape \(heads, 6, 6\)"),
        (lambda: plots.attention_heatmap(weights_of(6), TOKENS), r"attn_weights of shape \(6,\)"),
        (lambda: plots.scores_and_weights(torch.rand(5, 5), weights_of(6, 6), TOKENS), "attn_scores of shape"),
        (lambda: plots.attention_bars({"weak": weights_of(5)}, TOKENS), r"row 'weak' of shape \(5,\).*\(6\)"),
        (lambda: plots.vectors(torch.rand(3, 3), "abc"), r"points of shape \(3, 3\).*\(3, 2\)"),
        (lambda: plots.mixture(weights_of(5), torch.rand(6, 3), TOKENS), r"attn_weights of shape \(5,\)"),
        (lambda: plots.mixture(weights_of(6), torch.rand(5, 3), TOKENS), r"values of shape \(5, 3\)"),
        (
            lambda: plots.token_vectors({"embedding": vectors(8)}, "PLANET", caption="c"),
            r"stage 'embedding' of shape \(5, 8\)",
        ),
        (lambda: over_steps(40), r"scores 'one step back' of shape \(41, 2, 4\)"),
        (lambda: change_map(torch.rand(2, 15)), r"changes of shape \(2, 15\)"),
        (lambda: plots.heads_map(torch.rand(6), label="score"), r"scores of shape \(6,\)"),
        *((lambda rows=rows: plots.places_map(rows, caption="c"), words) for rows, words in PLACES),
        *((lambda given=given: plots.patches({"one": given}, caption="c"), "picture 'one' ")
          for given in (cut()[0], cut().flatten(2)[..., None], 255 * cut(), -cut())),
        *((lambda lens=lens: draw_heads(lens), "do not fit 2 texts of 6 keys") for lens in [(3,), (3, 7), (-1, 2)]),
        (lambda: plots.mask_panels({"wide": torch.ones(4, 5).bool()}, QUERIES, caption="c"), "mask 'wide'"),
        *(
            (lambda draw=draw, sizes=sizes: draw(*sizes), "room for 1 to 6 tokens and 8 features")
            for draw in (plots.split_paths, plots.merge_paths)
            for sizes in [(7, 2, 3), (0, 2, 3), (4, 3, 3), (4, 0, 3), (4, 4, 2)]
        ),
        (lambda: growth({}, 1), "slopes has none for 'a'"),
        (lambda: growth({"a": 1}, 9), "since=9 leaves fewer than two of the sizes"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused_in_words(draw, words):
    with pytest.raises(ValueError, match=words):
        draw()


def growth(slopes, since):
    return plots.growth([1, 2, 4], {"a": [1, 2, 4]}, slopes, since=since, xlabel="x", ylabel="y", caption="c")


def test_what_is_odd_is_drawn():
    weights = torch.eye(2)
    figure = plots.attention_heatmap(
        weights, WORDS, titles=["\ud800"], label="\ud801", axes="\ud802\ud803", caption="\ud804"
    )
    drawn = rendered(figure)
    assert drawn.caption == "\ufffd" and drawn.texts.count("\ufffd") == 4
    weights = torch.stack([even(2, 2), even(2, 2) * NAN])
    assert "head 1: all nan" in plots.attention_heatmap(weights, WORDS).caption
    rendered(plots.vectors(np.zeros((2, 2)), WORDS, shadow=WORDS))


def test_long_labels_leave_bars_their_room():
    heights = []
    for label in ("a", "a" * 30):
        figure = plots.attention_bars({"one": even(4), "two": even(4)}, [label, *"bcd"])
        figure.draw_without_rendering()
        heights.append(figure.axes[0].get_window_extent().height)
    assert heights[1] > 0.6 * heights[0]

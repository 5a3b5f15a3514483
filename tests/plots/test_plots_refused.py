"""Test the figures' input: wrong input raises a clear error, and any token can be shown."""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from test_plots import TOKENS, weights_of
from test_plots_kinds import QUERIES, cut, draw_heads, over_steps, vectors
from test_plots_maps import change_map

from course_utils import figure_html, plots

pytestmark = pytest.mark.usefixtures("style")

WORDS = ["a", "cold"]
NAN, INF = torch.nan, torch.inf


def even(*shape):
    return torch.full(shape, 0.5)


def last(weights):
    return weights[-1] if len(weights) else weights.flatten()


# Each function draws weights (2, 2), or their second row, under labels.
OF_WEIGHTS = {
    "attention_heatmap": lambda weights, tokens: plots.attention_heatmap(weights, tokens),
    "scores_and_weights": lambda weights, tokens: plots.scores_and_weights(even(*weights.shape), weights, tokens),
    "attention_bars": lambda weights, tokens: plots.attention_bars({"weak": last(weights)}, tokens),
    "mixture": lambda weights, tokens: plots.mixture(last(weights), even(len(weights), 3), tokens),
    "padded_heads": lambda weights, tokens: plots.padded_heads(
        weights[None, None], [len(weights)], tokens, tokens, caption="c"
    ),
}
# Each function draws other numbers (2, 2) under labels.
OF_NUMBERS = {
    "change_map": lambda numbers, tokens: plots.change_map(numbers, tokens, [3, 4], label="l", caption="c"),
    "token_vectors": lambda numbers, tokens: plots.token_vectors({"embedding": numbers}, tokens, caption="c"),
    "vectors": lambda numbers, tokens: plots.vectors(numbers, tokens),
    "mask_panels": lambda numbers, tokens: plots.mask_panels({"m": numbers > 0}, tokens, caption="c"),
}
ALL = OF_WEIGHTS | OF_NUMBERS
PLACES = [(torch.rand(3), "two axes"), (torch.rand(0, 8), "one place or more"), ([[torch.nan]], "finite")]
GREY = ("attention_heatmap", "scores_and_weights", "padded_heads")  # these draw nan in grey


def rendered(figure):
    """Render a figure as a notebook does, with warnings as errors; return a namespace of its texts and its caption."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure_html.svg(figure)
    figure.caption.encode()
    texts = [text.get_text() for text in figure.findobj(lambda part: hasattr(part, "get_text"))]
    return SimpleNamespace(texts=texts, caption=figure.caption)


def second_row(value):
    return torch.tensor([[0.5, 0.5], [value, value]])


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        ([], "(tokens|labels) is empty.*give at least one"),
        (None, "must be a list of labels, one for each token, got None"),
        (5, "must be a list of labels, one for each token, got 5"),
        (["a"], r"do not fit the labels: they need shape"),
    ],
)
def test_labels_that_do_not_fit_are_refused_in_words(name, tokens, words):
    with pytest.raises(ValueError, match=words):
        ALL[name](even(2, 2), tokens)


@pytest.mark.parametrize("name", ALL)
def test_nothing_to_draw_is_refused_in_words(name):
    for numbers, tokens in ((torch.zeros(0, 0), []), (torch.zeros(2, 0), WORDS)):
        with pytest.raises(ValueError, match="empty|do not fit the labels"):
            ALL[name](numbers, tokens)


@pytest.mark.parametrize("name", OF_WEIGHTS)
@pytest.mark.parametrize("value", [-INF, -1.5])
def test_scores_in_place_of_weights_are_refused_by_row_and_value(name, value):
    row = "key 0" if name in ("attention_bars", "mixture") else r"row 1 \(cold\), key 0"
    with pytest.raises(ValueError, match=f"must be shares.* but .*{row} is {value:g}. Give what softmax returns"):
        OF_WEIGHTS[name](second_row(value), WORDS)


@pytest.mark.parametrize("name", OF_WEIGHTS)
@pytest.mark.parametrize("weights", [second_row(NAN), even(2, 2) * NAN, second_row(INF)], ids=["row", "all", "inf"])
def test_nan_is_grey_or_refused_in_words(name, weights):
    if name in GREY:
        assert rendered(OF_WEIGHTS[name](weights, WORDS)).caption
    else:
        with pytest.raises(ValueError, match="must be shares, from 0 on, but key 0 is (nan. A row|inf. Give)"):
            OF_WEIGHTS[name](weights, WORDS)


def test_the_caption_says_where_all_is_nan():
    weights = torch.stack([even(2, 2), even(2, 2) * NAN])
    assert "head 1: all nan" in plots.attention_heatmap(weights, WORDS).caption


@pytest.mark.parametrize("name", OF_WEIGHTS)
def test_what_rounding_leaves_below_0_is_drawn(name):
    rendered(OF_WEIGHTS[name](second_row(-1e-8), WORDS))


@pytest.mark.parametrize("name", ["token_vectors", "vectors"])
@pytest.mark.parametrize("value", [NAN, INF, -INF])
def test_vectors_that_are_not_finite_are_refused_by_place(name, value):
    with pytest.raises(ValueError, match=rf"must hold finite numbers, but at \[1, 0\] stands {value}"):
        OF_NUMBERS[name](second_row(value), WORDS)


@pytest.mark.parametrize("name", ALL)
def test_zeros_and_halves_of_any_type_are_drawn(name):
    rendered(ALL[name](torch.zeros(2, 2), WORDS))
    rendered(ALL[name](even(2, 2).bfloat16(), WORDS))


SHOWN = {  # a token -> its label in a figure
    "a" * 100_000: "a" * 23 + "…",
    "中" * 100_000: None,
    "b\ud800c": "b\ufffdc",
    "\ud83e": "\ufffd",
    "$\\frac$": "$\\frac$",
    "\n\x00": "\\n\\x00",
    7: "7",
    torch.tensor(8): "8",
    None: "None",
    "🤖": "U+1F916",
    "بيت": "بيت",
    "b": "b",
}


@pytest.mark.parametrize("name", ALL)
def test_any_token_is_shown(name):
    for tokens in ([*SHOWN][start : start + 4] for start in range(0, len(SHOWN), 4)):
        shape = {"change_map": (2, 4), "vectors": (4, 2)}.get(name, (4, 4))
        drawn = rendered(ALL[name](even(*shape), tokens))
        assert all(len(text) < 200 for text in drawn.texts) and len(drawn.caption) < 400
        labels = [SHOWN[token] for token in tokens if SHOWN[token]]
        assert [label for label in labels if label not in drawn.texts and f" {label} " not in drawn.texts] == []


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


def test_a_lone_surrogate_anywhere_in_a_figure_is_shown():
    weights = torch.eye(2)
    figure = plots.attention_heatmap(
        weights, WORDS, titles=["\ud800"], label="\ud801", axes="\ud802\ud803", caption="\ud804"
    )
    drawn = rendered(figure)
    assert drawn.caption == "\ufffd" and drawn.texts.count("\ufffd") == 4


def test_long_labels_leave_bars_their_room():
    heights = []
    for label in ("a", "a" * 30):
        figure = plots.attention_bars({"one": even(4), "two": even(4)}, [label, *"bcd"])
        figure.draw_without_rendering()
        heights.append(figure.axes[0].get_window_extent().height)
    assert heights[1] > 0.6 * heights[0]


def test_zero_vectors_are_drawn():
    rendered(plots.vectors(np.zeros((2, 2)), WORDS, shadow=WORDS))


def test_a_figure_is_the_same_file_each_time():
    files = [figure_html.svg(plots.flow("dot_product_attention")) for _ in range(2)]
    assert files[0] == files[1]

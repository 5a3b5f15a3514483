"""Test labels and weights, of figures and of views alike: what does not fit is refused, and any token can be shown."""

import pytest
import torch
from shown import rendered, sent, whole

from course_utils import fonts, inputs, plots
from course_utils.widgets import HeadsView, MaskPainter, Predict, SentenceView, StepScrubber

pytestmark = pytest.mark.usefixtures("style")

WORDS = ["a", "cold"]
NAN, INF = torch.nan, torch.inf


def even(*shape):
    return torch.full(shape, 0.5)


def last(weights):
    return weights[-1] if len(weights) else weights.flatten()


# Each function draws weights (2, 2), or their second row, under labels.
FIGURES_OF_WEIGHTS = {
    "attention_heatmap": lambda weights, tokens: plots.attention_heatmap(weights, tokens),
    "scores_and_weights": lambda weights, tokens: plots.scores_and_weights(even(*weights.shape), weights, tokens),
    "attention_bars": lambda weights, tokens: plots.attention_bars({"weak": last(weights)}, tokens),
    "mixture": lambda weights, tokens: plots.mixture(last(weights), even(len(weights), 3), tokens),
    "padded_heads": lambda weights, tokens: plots.padded_heads(
        weights[None, None], [len(weights)], tokens, tokens, caption="c"
    ),
}
VIEWS_OF_WEIGHTS = {
    "HeadsView": lambda weights, tokens: HeadsView(weights[None], tokens),
    "compare": lambda weights, tokens: HeadsView(torch.zeros_like(weights)[None], tokens, compare=weights[None]),
    "StepScrubber": lambda weights, tokens: StepScrubber(weights[None, None], tokens, curves={"\ud800": [1.0]}),
    "SentenceView": lambda weights, tokens: SentenceView(weights[None], tokens, tokens),
    "two sentences": lambda weights, tokens: SentenceView(
        weights[None], tokens, compare=weights[None], compare_tokens=tokens
    ),
}
# Each function draws other numbers (2, 2) under labels.
FIGURES_OF_NUMBERS = {
    "change_map": lambda numbers, tokens: plots.change_map(numbers, tokens, [3, 4], label="l", caption="c"),
    "token_vectors": lambda numbers, tokens: plots.token_vectors({"embedding": numbers}, tokens, caption="c"),
    "vectors": lambda numbers, tokens: plots.vectors(numbers, tokens),
    "mask_panels": lambda numbers, tokens: plots.mask_panels({"m": numbers > 0}, tokens, caption="c"),
}
VIEWS_OF_NUMBERS = {
    "MaskPainter": lambda numbers, tokens: MaskPainter(numbers, tokens),
    "bars": lambda numbers, tokens: Predict("a", "Why?", numbers[0], bars=tokens),
    "cells": lambda numbers, tokens: Predict("a", "Why?", numbers > 0, rows=tokens),
    "columns": lambda numbers, tokens: Predict("a", "Why?", numbers > 0, rows="ab", columns=tokens),
}
FIGURES, VIEWS = FIGURES_OF_WEIGHTS | FIGURES_OF_NUMBERS, VIEWS_OF_WEIGHTS | VIEWS_OF_NUMBERS
OF_WEIGHTS, ALL = FIGURES_OF_WEIGHTS | VIEWS_OF_WEIGHTS, FIGURES | VIEWS
FINITE = ("attention_bars", "mixture")  # these get one row of weights, and cannot draw nan in grey
NUMBERS_ALL_ALIKE = [name for name in ALL if name not in ("bars", "cells", "columns")]  # no answers to a question
LABELS = {"bars": "labels", "cells": "labels", "columns": "columns"}  # the trait of a view, if it is not `tokens`
MOST_WIDE = {"bars": 24, "cells": 40, "columns": 24}  # letters: these stand in a picture or a table


def shown(name, numbers, tokens):
    """Make a figure or a view, and all that a notebook stores of it; return its labels, a list."""
    made = ALL[name](numbers, tokens)
    if name in FIGURES:
        drawn = rendered(made)
        assert all(len(text) < 200 for text in drawn.texts) and len(drawn.caption) < 400
        return [text.strip() for text in drawn.texts]
    text, page = whole(made)
    assert len(text) < 1000 and len(page) < 200_000
    return sent(made)[LABELS.get(name, "tokens")]


def second_row(value):
    return torch.tensor([[0.5, 0.5], [value, value]])


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("tokens", "of_figures", "of_views"),
    [
        ([], "(tokens|labels) is empty.*give at least one",
         "0 tokens|0 key_tokens|is empty: give at least one label|lie between 0 and -1"),
        (None, "must be a list of labels, one for each token, got None",
         "give one of choices|must be a list of labels.*got None|but columns"),
        (5, *2 * ["must be a list of labels, one for each token, got 5"]),
        (["a"], "do not fit the labels: they need shape",
         "1 tokens|one number for each of the 1 bars|True and False in 1 rows|and 1 columns|as many words"),
    ],
)  # fmt: skip
def test_labels_that_do_not_fit_are_refused_in_words(name, tokens, of_figures, of_views):
    if name == "columns" and tokens is None:
        return  # then the columns take the labels of the rows
    with pytest.raises(ValueError, match=of_figures if name in FIGURES else of_views):
        ALL[name](even(2, 2), tokens)


@pytest.mark.parametrize("name", NUMBERS_ALL_ALIKE)
def test_nothing_to_show_is_refused_in_words(name):
    of_views = "are empty|one label a token; got shape|lie between 0 and -1"
    with pytest.raises(ValueError, match="empty|do not fit the labels" if name in FIGURES else of_views):
        ALL[name](torch.zeros(0, 0), [])
    if name in FIGURES:
        with pytest.raises(ValueError, match="empty|do not fit the labels"):
            ALL[name](torch.zeros(2, 0), WORDS)


@pytest.mark.parametrize("name", OF_WEIGHTS)
@pytest.mark.parametrize("value", [-INF, -1.5])
def test_scores_in_place_of_weights_are_refused_by_row_and_value(name, value):
    whose = "(attn_weights|compare) must be shares" if name in VIEWS else "must be shares"
    place = "key 1" if name in FINITE else r"row 1 \(cold\), key 1"
    with pytest.raises(ValueError, match=f"{whose}.* but .*{place} is {value:g}. Give what softmax returns"):
        OF_WEIGHTS[name](torch.tensor([[0.5, 0.5], [0.1, value]]), WORDS)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("name", OF_WEIGHTS)
@pytest.mark.parametrize("weights", [second_row(NAN), even(2, 2) * NAN, second_row(INF)], ids=["row", "all", "inf"])
def test_nan_and_infinity_are_shown_or_refused_in_words(name, weights):
    if name not in FINITE:
        assert shown(name, weights, WORDS)
    else:
        with pytest.raises(ValueError, match="must be shares, from 0 on, but key 0 is (nan. A row|inf. Give)"):
            OF_WEIGHTS[name](weights, WORDS)


@pytest.mark.parametrize("name", NUMBERS_ALL_ALIKE)
def test_zeros_halves_of_any_type_and_what_rounding_leaves_below_0_are_shown(name):
    for numbers in (torch.zeros(2, 2), even(2, 2).bfloat16(), second_row(-1e-8)):
        assert shown(name, numbers > 0 if name == "MaskPainter" else numbers, WORDS)


@pytest.mark.parametrize("name", ["token_vectors", "vectors"])
@pytest.mark.parametrize("value", [NAN, INF, -INF])
def test_vectors_that_are_not_finite_are_refused_by_place(name, value):
    with pytest.raises(ValueError, match=rf"must hold finite numbers, but at \[1, 0\] stands {value}"):
        ALL[name](second_row(value), WORDS)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("token", "label"),
    [
        ("a" * 100_000, "a" * 79 + "…"),
        ("中" * 100_000, "中" * 39 + "…"),
        ("b\ud800c", "b\ufffdc"),
        ("\ud83e", "\ufffd"),
        ("\ud83e\udd16", "🤖"),  # the two surrogates of one character
        ("🤖" * 10, "🤖" * 10),
        ("\n\x00", "\\n\\x00"),
        ("$\\frac$", "$\\frac$"),
        ("بيت", "بيت"),
        (7, "7"),
        (torch.tensor(8), "8"),
        (None, "None"),
    ],
)
def test_any_token_is_shown(name, token, label):
    label = inputs.cut(fonts.drawable(label)) if name in FIGURES else inputs.cut(label, MOST_WIDE.get(name, 80))
    assert label in shown(name, even(2, 2), [token, "b"])


def test_a_label_is_at_most_24_letters_wide_in_a_figure():
    assert "a" * 23 + "…" in shown("attention_heatmap", even(2, 2), ["a" * 25, "b"])


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("token", ["</script>", "<!--<script>", "</SCRIPT ", "\u2028", '"'])
def test_a_token_cannot_break_out_of_the_page(name, token):
    plain, page = (VIEWS[name](even(2, 2), [first, "b"]).to_html().lower() for first in ("a", token))
    for end in ("</script", "<script", "<!--"):
        assert page.count(end) == plain.count(end)

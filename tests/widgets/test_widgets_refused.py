"""Test the views' input: wrong input raises a clear error, and any token reaches the page and the picture."""

import json

import pytest
import torch
from made_up_writer import MadeUp

from course_utils import inputs, widgets
from course_utils.widgets.shared.view import View

NAN, INF = torch.nan, torch.inf


def even(*shape):
    return torch.full(shape, 0.5)


# Each function shows weights (2, 2) under labels.
OF_WEIGHTS = {
    "HeadsView": lambda weights, tokens: widgets.HeadsView(weights[None], tokens),
    "compare": lambda weights, tokens: widgets.HeadsView(torch.zeros(1, 2, 2), tokens, compare=weights[None]),
    "StepScrubber": lambda weights, tokens: widgets.StepScrubber(weights[None, None], tokens, curves={"\ud800": [1.0]}),
    "SentenceView": lambda weights, tokens: widgets.SentenceView(weights[None], tokens, tokens),
    "two sentences": lambda weights, tokens: widgets.SentenceView(
        weights[None], tokens, compare=weights[None], compare_tokens=tokens
    ),
}
# Each function shows other numbers (2, 2) under labels.
OF_LABELS = {
    "MaskPainter": lambda numbers, tokens: widgets.MaskPainter(numbers, tokens),
    "bars": lambda numbers, tokens: widgets.Predict("a", "Why?", numbers[0], bars=tokens),
    "cells": lambda numbers, tokens: widgets.Predict("a", "Why?", numbers > 0, rows=tokens),
    "columns": lambda numbers, tokens: widgets.Predict("a", "Why?", numbers > 0, rows="ab", columns=tokens),
}
ALL = OF_WEIGHTS | OF_LABELS


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (None, "give one of choices|must be a list of labels.*got None|but columns"),
        (5, "must be a list of labels, one for each token, got 5"),
        ([], "0 tokens|0 key_tokens|is empty: give at least one label|lie between 0 and -1"),
        (["a"], "1 tokens|one number for each of the 1 bars|True and False in 1 rows|and 1 columns|as many words"),
    ],
)
def test_labels_that_do_not_fit_are_refused_in_words(name, tokens, words):
    if name == "columns" and tokens is None:
        return  # then the columns take the labels of the rows
    with pytest.raises(ValueError, match=words):
        ALL[name](even(2, 2), tokens)


@pytest.mark.parametrize("name", OF_WEIGHTS)
@pytest.mark.parametrize("value", [-INF, -1.5])
def test_scores_in_place_of_weights_are_refused_by_row_and_value(name, value):
    weights = torch.tensor([[0.5, 0.5], [0.1, value]])
    with pytest.raises(
        ValueError, match=rf"(attn_weights|compare) must be .*row 1 \(cold\), key 1 is {value:g}. Give what"
    ):
        OF_WEIGHTS[name](weights, ["a", "cold"])


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("name", OF_WEIGHTS)
@pytest.mark.parametrize("value", [NAN, INF, -1e-9])
def test_nan_and_infinity_are_shown_without_a_warning(name, value):
    whole(OF_WEIGHTS[name](torch.full((2, 2), value), "ab"))


def whole(view):
    """Return a view's text and its page; check that all that a notebook stores and a page shows is UTF-8."""
    text, page = repr(view), view.to_html()
    bundle, _ = view._repr_mimebundle_()
    for part in (text, page, bundle["text/html"], view.alt(), json.dumps(sent(view), ensure_ascii=False)):
        part.encode()
    if type(view).picture is not View.picture:
        assert view.picture()[1] < 3000
    return text, page


def sent(view):
    """Return the traits that a view sends to the page, a dict, without bytes and private ones."""
    state = {name: getattr(view, name) for name in view.trait_names(sync=True) if name != "layout"}
    return {name: value for name, value in state.items() if not isinstance(value, bytes) and not name.startswith("_")}


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("token", "label"),
    [
        ("a" * 100_000, "a" * 79 + "…"),
        ("中" * 100_000, "中" * 39 + "…"),
        ("b\ud800c", "b\ufffdc"),
        ("\ud83e", "\ufffd"),
        ("\ud83e\udd16", "🤖"),  # the two surrogates of one character
        ("\n\x00", "\\n\\x00"),
        (7, "7"),
        (torch.tensor(7), "7"),
        ("🤖" * 10, "🤖" * 10),
        ("بيت", "بيت"),
    ],
)
def test_any_token_is_shown(name, token, label):
    view = ALL[name](even(2, 2), [token, "b"])
    text, page = whole(view)
    label = inputs.cut(label, MOST_WIDE.get(name, 80))  # bars, rows and columns stand in a picture or a table
    assert label in json.loads(json.dumps(sent(view)["columns" if name == "columns" else LABELS.get(name, "tokens")]))
    assert len(text) < 1000 and len(page) < 200_000


LABELS = {"bars": "labels", "cells": "labels"}
MOST_WIDE = {"bars": 24, "cells": 40, "columns": 24}  # letters


@pytest.mark.parametrize("token", ["a" * 100_000, "\ud800", "🤖", "中"])
def test_any_token_that_attend_returns_is_shown(token):
    lab = widgets.AttentionLab(lambda: (torch.eye(2), [token, "b"]), [])
    whole(lab)
    assert not lab.answer["error"] and len(lab.answer["tokens"][0]) <= inputs.LONGEST


class Labelled(MadeUp):
    """A made-up language model whose tokens all have one label."""

    def __init__(self, one):
        super().__init__()
        self.label = lambda number: one


@pytest.mark.parametrize("token", ["a" * 100_000, "", " ", "\n\x00", "🤖", "بيت", "</script><!--<script>"])
def test_any_token_that_a_model_writes_is_shown(token):
    view = widgets.Writer(Labelled(token), "the robot", num_new=2)
    text, page = whole(view)
    assert len(text) < 2000 and len(page) < 200_000
    plain = widgets.Writer(Labelled("a"), "the robot").to_html()
    assert page.lower().count("</script") == plain.lower().count("</script")


def test_a_lone_surrogate_anywhere_is_shown():
    views = [
        widgets.Predict("a", "Why \ud800?", "b\ud800", choices=["b\ud800", "c"]),
        widgets.Quiz([{"question": [("", "\ud800")], "choices": []}], "\ud800"),
        widgets.AttentionLab(lambda text, kind: torch.eye(2), "ab", text="\ud800", kind=["\ud801"]),
        widgets.AttentionLab(lambda: 1 / 0, ["\ud800"]),
        widgets.Writer(Labelled("\ud800"), "the robot"),
        widgets.HeadsView(even(2, 1, 2, 2), "ab", axis="\ud800", positions=["\ud800", "b"], group="\ud800"),
    ]
    for view in views:
        whole(view)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: widgets.Predict("a", "q", [], rows=[]), "rows is empty: give at least one label"),
        (lambda: widgets.Predict("a", "q", [[]], rows="a", columns=[]), "columns is empty: give at least one label"),
        (lambda: widgets.Predict("a", "q", [], bars=[]), "bars is empty: give at least one label"),
        (lambda: widgets.Predict("a", "q", "b", choices=[]), "choices is empty: give at least one label"),
        (lambda: widgets.Predict("a", "q", ["x", "y"], bars="ab"), "the truth must be numbers, one for each bar"),
        (lambda: widgets.Predict("a", "q", [NAN, NAN], bars="ab"), "shares that add up to 1"),
        (lambda: widgets.Predict(None, "q", "b", choices="ab"), "name must be of small letters.*got None"),
        (lambda: widgets.Predict("a", "q", "b", choices=["a" * 100_000, "c"]), "^.{0,400}$"),
        (lambda: widgets.StepScrubber(torch.zeros(0, 1, 2, 2), "ab"), "attn_weights are empty"),
        (
            lambda: widgets.RotaryClock([1, 1], [1, 1], [1], most_place=0),
            "most_place must be a whole number of at leas",
        ),
        (lambda: widgets.ScalingLab({4: torch.full((2, 3), -INF)}), "nan or infinity"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words(make, words):
    with pytest.raises(ValueError, match=words):
        make()


ENDS = ("</script", "<script", "<!--")


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("token", ["</script>", "<!--<script>", "</SCRIPT ", "\u2028", '"'])
def test_a_token_cannot_break_out_of_the_page(name, token):
    plain, page = (ALL[name](even(2, 2), [first, "b"]).to_html().lower() for first in ("a", token))
    assert [page.count(end) for end in ENDS] == [plain.count(end) for end in ENDS]


@pytest.mark.parametrize(
    ("make", "name", "value", "last"),
    [
        *((lambda **state: widgets.HeadsView(even(3, 2, 5, 5), "abcde", **state), *case)
          for case in [("layer", -1, 2), ("layer", 3, 2), ("head", 2, 1), ("query", -1, 4), ("query", 5, 4)]),
        *((widgets.ShapeTracer, *case) for case in [("way", 3, 2), ("number", -1, 11), ("number", 12, 11)]),
        *((lambda **state: widgets.RotaryClock([1, 1], [1, 1], [1], most_place=50, **state), f"{name}_place", value, 50)
          for name in ("query", "key") for value in (-1, 51)),
    ],
)  # fmt: skip
def test_a_choice_out_of_range_is_refused(make, name, value, last):
    for refused in (lambda: make(**{name: value}), lambda: setattr(make(), name, value)):
        with pytest.raises(ValueError, match=rf"{name} must lie between 0 and {last}( \(most_place\))?, got {value}"):
            refused()


def test_zeros_are_shown():
    whole(widgets.RotaryClock([0.0, 0.0], [0.0, 0.0], [1.0]))
    whole(widgets.ScalingLab({4: torch.zeros(2, 3)}))
    whole(widgets.HeadsView(torch.zeros(1, 2, 2), "ab"))

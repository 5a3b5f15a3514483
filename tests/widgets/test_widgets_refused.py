"""Test that a view refuses what cannot be shown, in words, and shows what attend, a model or a teacher gives it."""

import pytest
import torch
from made_up_writer import MadeUp
from shown import whole

from course_utils import inputs, widgets

NAN, INF = torch.nan, torch.inf


def even(*shape):
    return torch.full(shape, 0.5)


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
    view, plain = widgets.Writer(Labelled(token), "the robot", num_new=2), widgets.Writer(Labelled("a"), "the robot")
    text, page = whole(view)
    assert len(text) < 2000 and len(page) < 200_000
    assert page.lower().count("</script") == plain.to_html().lower().count("</script")


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
            "most_place must be a whole number of at least 1",
        ),
        (lambda: widgets.ScalingLab({4: torch.full((2, 3), -INF)}), "nan or infinity"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words(make, words):
    with pytest.raises(ValueError, match=words):
        make()


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
    whole(widgets.ScalingLab({4: torch.zeros(2, 3)}))

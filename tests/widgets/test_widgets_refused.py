"""Test that a view refuses what cannot be shown, in words, and shows what attend, a model or a teacher gives it."""

import pytest
import torch
from made_up_writer import MadeUp
from shown import whole

from course_utils import data, inputs, widgets

NAN, INF = torch.nan, torch.inf


def even(*shape):
    return torch.full(shape, 0.5)


@pytest.mark.parametrize("token", ["a" * 100_000, "\ud800", "🤖", "中"])
def test_any_token_that_attend_returns_is_shown(token):
    lab = widgets.AttentionLab(lambda: (torch.eye(2), [token, "b"]), [])
    whole(lab)
    assert not lab.answer["error"] and len(lab.answer["tokens"][0]) <= inputs.LONGEST


class Labelled(MadeUp):
    def __init__(self, one):
        super().__init__()
        self.label = lambda number: one


@pytest.mark.parametrize("token", ["a" * 100_000, "", " ", "\n\x00", "🤖", "بيت", "</script><!--<script>"])
def test_any_token_that_a_model_writes_is_shown(token):
    view, plain = widgets.Writer(Labelled(token), "the robot", num_new=2), widgets.Writer(Labelled("a"), "the robot")
    text, page = whole(view)
    assert len(text) < 2000 and len(page) < 200_000
    assert page.lower().count("</script") == plain.to_html().lower().count("</script")


def test_a_lone_surrogate_anywhere_and_zeros_are_shown():
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
    whole(widgets.ScalingLab({4: torch.zeros(2, 3)}))


class Without(MadeUp):
    def __init__(self, attn_weights):
        super().__init__()
        self.attn_weights = attn_weights

    def write(self, *arguments, **options):
        for token in super().write(*arguments, **options):
            token.attn_weights = self.attn_weights
            yield token


W, LAYERS, ACROSS, SCORES, PAST = even(3, 2, 5, 5), even(3, 2, 4, 4), even(2, 4, 6), even(3, 3), torch.eye(3).bool()
TEXT, SPEEDS, ONES = "the robot could", torch.tensor([1.0, 0.1, 0.01, 0.001]), torch.ones(8)
ROW, WORDS = torch.tensor([0.5, 0.25, 0.25]), ["a", "cold", "wind"]
RECORDED = widgets.Writer(MadeUp(), TEXT, num_new=2).recording()
NUMBERS = data.load("head_numbers")
GIVEN = NUMBERS["weak"]


def heads(weights=W, tokens="abcde", *others, **options):
    return lambda: widgets.HeadsView(weights, tokens, *others, **options)


def sentence(*given, **options):
    return lambda: widgets.SentenceView(*given, **options)


def mask(scores=SCORES, tokens="abc", given=None):
    return lambda: widgets.MaskPainter(scores, tokens, given)


def predict(name="a", truth="a", **form):
    return lambda: widgets.Predict(name, "q", truth, **form)


def clock(*given, **options):
    return lambda: widgets.RotaryClock(*given, **options)


def scaling(scores, **options):
    return lambda: widgets.ScalingLab(scores, **options)


def tracer(*sizes):
    return lambda: widgets.ShapeTracer(*sizes)


def writer(model, *text, **options):
    return lambda: widgets.Writer(model, *text, **options)


def numbered(numbers):
    weak = data.load("sentence_pairs")["weak"]
    return lambda: widgets.SentenceView(weak.attn_weights[3, [1]], weak.tokens, numbers=numbers)


def changed(**parts):
    return numbered(GIVEN._replace(**parts))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (heads(W[0, 0]), r"three axes .* got shape \(5, 5\)"),
        (heads(W[None]), r"three axes .* got shape \(1, 3, 2, 5, 5\)"),
        (heads(W, "abcde", "abc"), r"5 tokens and 3 key_tokens"),
        (heads(W[:, :0]), r"empty, shape \(3, 0, 5, 5\)"),
        (heads("weights"), r"must be a tensor, or numbers in rows of one length, got str"),
        (heads(compare=W[0]), r"compare needs the shape of attn_weights, \(3, 2, 5, 5\), got \(2, 5, 5\)"),
        (heads(numbers=GIVEN), "a view of one head, and this has 3 x 2: give a dict"),
        (lambda: widgets.StepScrubber(W, "abcde", steps=[0, 1]), "steps needs one number .* 3 steps"),
        (lambda: widgets.StepScrubber(W, "abcde", curves={"loss": [1.0] * 4}), "loss needs one number .* 3 steps"),
        (sentence(LAYERS, "abcd", compare_tokens="abcd"), "give its weights too, as compare"),
        (sentence(LAYERS, "abcd", compare=LAYERS, compare_tokens="abcdef"), "as many words as tokens, 4, got 6"),
        (sentence(LAYERS, "abcd", compare=LAYERS[0]), "compare needs the shape of attn_weights"),
        (sentence(LAYERS, "abcd", query=4), "query must lie between 0 and 3, got 4"),
        (sentence(LAYERS, "abcd", head=2), "head must lie between 0 and 1, got 2"),
        (sentence(ACROSS, "abcd", "uvwxyz", guess=True), "guess=True asks for a word of the sentence itself"),
        (sentence(ACROSS, "abcd", "uvwxyz", query=4), "query must lie between 0 and 3, got 4"),
        (numbered(NUMBERS["steep"]), "of another head or sentence.* up to 0.4"),
        (numbered(3), "the numbers of a head need inputs, queries.*int has no inputs"),
        (numbered([GIVEN] * 2), "numbers of each sentence, 1, got those of 2"),
        (changed(keys=GIVEN.keys[1:]), r"keys needs the shape \(15, 32\).*got \(14, 32\)"),
        (changed(W_query=torch.ones(32)), r"inputs needs the shape \(15, 0\)|W_query needs the shape"),
        (changed(bias=GIVEN.bias + 1), r"must give the queries, and is up to 1\.0"),
        (numbered({(1, 0): GIVEN}), r"layers from 0 to 0 and heads from 0 to 0, got \(1, 0\)"),
        (numbered({0: GIVEN}), r"must be pairs \(layer, head\)"),
        (mask(even(2, 3)), r"got shape \(2, 3\) and 3 tokens"),
        (mask("scores"), "attn_scores must be a tensor, or numbers in rows of one length, got str"),
        (mask(SCORES * NAN), "some are nan or inf"),
        (mask(given=torch.ones(3, 3)), r"True = may attend, got torch.float32: try mask == 1"),
        (mask(given=[[True] * 3] * 3), "must be a bool tensor with True = may attend, got list"),
        (mask(given=torch.ones(1, 3).bool()), r"needs the shape of attn_scores, \(3, 3\), got \(1, 3\)"),
        (predict("Who", choices=WORDS), "name must be of small letters, digits and hyphens, got 'Who'"),
        (predict(None, choices=WORDS), "name must be of small letters.*got None"),
        (predict(), "give one of choices, bars, and rows"),
        (predict(choices=WORDS, bars=WORDS), "give one of choices, bars, and rows"),
        (predict(truth="storm", choices=WORDS), r"one of the choices \['a', 'cold', 'wind'\], got 'storm'"),
        (predict(choices=[]), "choices is empty: give at least one label"),
        (predict(choices=["a"]), "two or more, each another"),
        (predict(choices=["a", "a"]), "two or more, each another"),
        (predict(truth="b", choices=["a" * 100_000, "c"]), "^.{0,400}$"),
        (predict(truth=ROW, bars="ab"), r"one number for each of the 2 bars, got shape \(3,\)"),
        (predict(truth=2 * ROW, bars=WORDS), r"shares that add up to 1, got \[1.0, 0.5, 0.5\]"),
        (predict(truth=[1.5, -0.5, 0.0], bars=WORDS), "shares that add up to 1"),
        (predict(truth=[NAN, NAN], bars="ab"), "shares that add up to 1"),
        (predict(truth=["x", "y"], bars="ab"), "the truth must be numbers, one for each bar"),
        (predict(truth=PAST.float(), rows=WORDS), "True and False in 3 rows and 3 columns, got float32"),
        (predict(truth=PAST, rows=WORDS, columns="ab"), r"3 rows and 2 columns, got bool of shape \(3, 3\)"),
        (clock([1, 1], [1, 1], [1], most_place=0), "most_place must be a whole number of at least 1"),
        (clock(even(2, 8), ONES, SPEEDS), r"query needs one axis, got shape \(2, 8\): choose one token"),
        (clock(ONES, ONES[:6], SPEEDS), "two numbers for each of 1 to 16 speeds, got 8, 6 and 4 numbers"),
        (clock(ONES, ONES, ONES), "got 8, 8 and 8"),
        (clock(ONES[:0], ONES[:0], ONES[:0]), "got 0, 0 and 0"),
        (clock(even(34), even(34), even(17)), "got 34, 34 and 17"),
        (clock(ONES, ONES * NAN, SPEEDS), "key must hold finite numbers"),
        (clock("hand", ONES, SPEEDS), "query must be a tensor, or numbers in rows of one length, got str"),
        (scaling({}), "at least one width"),
        (scaling(even(3, 4)), "needs a dict from head_dim to scores"),
        (scaling({"64": even(3, 4)}), "whole number of at least 1, got '64'"),
        (scaling({0: even(3, 4)}), "whole number of at least 1, got 0"),
        (scaling({1: "many"}), "scores of width 1 must be a tensor, or numbers"),
        (scaling({1: even(3, 4), 2: even(3, 5)}), r"one shape, got \(3, 4\) and, for width 2, "),
        (scaling({1: even(3, 1)}), r"2 to 64 keys, got \(3, 1\)"),
        (scaling({1: even(3, 65)}), r"2 to 64 keys, got \(3, 65\)"),
        (scaling({1: even(0, 4)}), r"got \(0, 4\)"),
        (scaling({1: torch.tensor(3.0)}), r"got \(\)"),
        (scaling({1: [1.0, NAN]}), "width 1 hold nan or infinity"),
        (scaling({4: even(2, 3) * -INF}), "nan or infinity"),
        (scaling({1: [1.0, 2.0], 4: [1.0, 2.0]}, head_dim=5), "head_dim must be one of 1, 4, got 5"),
        (scaling({1: [1.0, 2.0]}, temperature=0), "temperature must be one of 0.1, .* 10, got 0"),
        (tracer(0, 2, 2), "num_tokens must be a whole number of at least 1, got 0"),
        (tracer(3, 2.0, 2), "num_heads must be a whole number of at least 1, got 2.0"),
        (tracer(3, 2, True), "head_dim must be a whole number"),
        (tracer(7, 2, 2), "up to 6 tokens and 16 features .* got 7 tokens and 2 \\* 2 = 4 features"),
        (tracer(3, 4, 5), "4 \\* 5 = 20 features"),
        (lambda: widgets.AttentionLab(W[0], "abcde"), "attend must be a function that returns weights, got Tensor"),
        (writer(MadeUp()), "give either a text, .* or recorded"),
        (writer(MadeUp(), TEXT, recorded=RECORDED), "give either a text, .* or recorded"),
        (writer(None, TEXT), "without a model, there must be something recorded"),
        (writer(str.split, TEXT), "the model needs a method ids, .*; got method_descriptor"),
        (writer(MadeUp(), TEXT, num_new=0), "num_new must be a whole number of at least 1, got 0"),
        (writer(MadeUp(), TEXT, most=2.5), "most must be a whole number of at least 1, got 2.5"),
        (writer(MadeUp(), TEXT, temperature=-1.0), "-1.0</b> is below 0"),
        (writer(MadeUp(), TEXT, heads=[(0, 1), (2, 0)]), r"layers from 0 to 1 and .* got \[2, 0\]"),
        (writer(MadeUp(), TEXT, heads=[(0,)]), r"heads must be pairs \(layer, head\), .* got \[0\]"),
        (writer(MadeUp(), TEXT, heads=[3]), "heads must be pairs .* got 3"),
        (writer(Without(None), TEXT), "needs id, logits and attn_weights"),
        (writer(Without(even(2, 3, 9)), TEXT), r"\(num_layers, num_heads, 3\).* got \(2, 3, 9\)"),
        (writer(Without(-even(2, 3, 3)), TEXT), "attn_weights must be shares"),
        (writer(None, recorded={"given": []}), "recorded must be what view.recording"),
        (writer(None, recorded="x"), "recorded must be what view.recording"),
        (writer(None, recorded=RECORDED | {"weights": "AAAA"}), "do not fit its steps"),
        (writer(MadeUp(end=3), TEXT), "nothing to show: the model ended its text at once"),
    ],
)  # fmt: skip
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

"""Test how checks describe wrong numbers that no known mistake explains: true on each input, with a working repair."""

import re

import pytest
import torch
from relations_cases import CASES, GENERATOR, RIGHT, randn

from course_utils import measure
from course_utils.checks.outcome import Outcome, close
from course_utils.checks.relations import explain

NAMES = {"weights": "attn_weights", "causal": "attn_weights", "mask": "mask", "padding": "mask"}


@pytest.fixture(autouse=True)
def the_same_numbers_in_whatever_order_the_tests_run():
    GENERATOR.manual_seed(1)


def seen(rights, wrongs):
    return [(Outcome((wrong,)), Outcome((right,))) for right, wrong in zip(rights, wrongs, strict=True)]


def explanation(rights, wrongs, inputs=None, name="result"):
    return explain((name,), seen(rights, wrongs), inputs or [(randn(2, 9), 13)] * len(rights))


@pytest.mark.parametrize("which, wrong, words", CASES)
def test_says_how_they_lie(which, wrong, words):
    wrongs = [wrong(right) for right in RIGHT[which]]
    message = explanation(RIGHT[which], wrongs, name=NAMES.get(which, "result"))
    assert words in message


REPAIRED = [case for case in CASES if "`." in case[2] and "…" not in case[2] and not case[2].startswith("A ")]


@pytest.mark.parametrize("which, wrong, words", REPAIRED)
def test_the_repair_is_right(which, wrong, words):
    calls = re.findall(r"`((?:\.\w+\([-0-9, ]*\))+)`", words)
    for right in RIGHT[which]:
        repaired = eval("wrong" + "".join(calls), {"wrong": wrong(right)})
        assert calls and close(repaired, right)


@pytest.mark.parametrize(
    "spoil, words, repair",
    [
        (lambda x: x.flatten(0, 1), "`.unflatten(0, …)`", lambda wrong, right: wrong.unflatten(0, right.shape[:2])),
        (lambda x: x.transpose(1, 2).reshape(x.shape), "A `.transpose(1, 2)` is missing",
         lambda wrong, right: wrong.reshape(right.transpose(1, 2).shape).transpose(1, 2)),
    ],
)  # fmt: skip
def test_a_cut_or_a_reshape_is_repaired_with_the_sizes_of_the_right_shape(spoil, words, repair):
    rights = RIGHT["heads"]
    assert words in explanation(rights, [spoil(right) for right in rights])
    assert all(close(repair(spoil(right), right), right) for right in rights)


def test_one_of_the_inputs_came_back():
    inputs = [(randn(n, 4), randn(n, 6), 7) for n in (3, 5)]
    first, second = ([args[index] for args in inputs] for index in (0, 1))
    assert "tensor 2 of those that go in" in explanation([randn(*x.shape) for x in second], second, inputs)
    assert "tensor 1 of those that go in" in explanation([x.mT for x in first], first, inputs)
    assert "the tensor that goes in" in explanation([x + 1 for x in first], first, [(x,) for x in first])


@pytest.mark.parametrize(
    "size, words",
    [
        (lambda x, y, count: x.shape[0], "n is the length along `dim=-2` of tensor 1"),
        (lambda x, y, count: y.shape[1], "n is the length along `dim=-1` of tensor 2"),
        (lambda x, y, count: count, "n is whole number 1 of those that go in"),
    ],
)
def test_a_factor_that_changes_with_the_input_is_named(size, words):
    inputs = [(randn(3, 2), randn(8, 6), 11), (randn(5, 4), randn(9, 7), 13)]
    rights = [randn(10, 12), randn(14, 15)]
    wrongs = [right * size(*args) for right, args in zip(rights, inputs, strict=True)]
    assert words in explanation(rights, wrongs, inputs)


def test_a_factor_that_is_no_size_is_not_named():
    rights = RIGHT["scores"]
    assert explanation(rights, [right * times for right, times in zip(rights, (2.3, 3.1), strict=True)]) is None


def test_a_relation_must_hold_on_every_input():
    first, second = RIGHT["square"]
    assert explanation([first, second], [first.mT, randn(*second.shape)]) is None
    assert explanation([first, second], [first.mT, -second]) is None


def test_axes_are_counted_from_the_end_where_inputs_differ_in_their_number():
    rights = [randn(4, 4), randn(2, 5, 5), randn(2, 3, 6, 6)]
    assert "`.transpose(-2, -1)` puts it right" in explanation(rights, [right.mT for right in rights])


def test_weights_come_before_what_is_made_with_them():
    right, vecs = RIGHT["weights"], RIGHT["heads"]
    pairs = [(Outcome((-v, w.mT)), Outcome((v, w))) for v, w in zip(vecs, right, strict=True)]
    assert "attn weights, rows and columns" in explain(("context_vecs", "attn_weights"), pairs, [()] * 2)
    pairs = [(Outcome((-v, w)), Outcome((v, w))) for v, w in zip(vecs, right, strict=True)]
    assert "context vecs, every sign" in explain(("context_vecs", "attn_weights"), pairs, [()] * 2)


@pytest.mark.parametrize("shape", [(), (1,), (3,), (3, 1), (1, 1, 1, 1)])
def test_too_few_numbers_tell_nothing(shape):
    right = randn(*shape)
    assert explanation([right], [right * 2]) is None


def test_many_small_inputs_tell_as_much_as_a_large_one():
    rights = [torch.tensor(float(n)) for n in (3, 5, 7, 11)]
    assert "2 times" in explanation(rights, [right * 2 for right in rights])


@pytest.mark.parametrize("which", RIGHT)
def test_unrelated_numbers_tell_nothing(which):
    for _ in range(20):
        wrongs = [
            randn(*right.shape) if right.is_floating_point() else randn(*right.shape) > 0 for right in RIGHT[which]
        ]
        assert explanation(RIGHT[which], wrongs) is None
        assert explanation(RIGHT[which], [randn(*right.shape[1:], 2) for right in RIGHT[which]]) is None


def test_unrelated_weights_tell_nothing_though_their_rows_add_up_to_1_and_they_are_causal():
    causal = [(randn(*x.shape) + torch.full(x.shape[1:], -torch.inf).triu(1)).softmax(-1) for x in RIGHT["causal"]]
    assert explanation(RIGHT["causal"], causal, name="attn_weights") is None


FLOATS = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
DTYPES = (*FLOATS, torch.int64, torch.int32, torch.uint8, torch.bool)


def strange(index):
    """Return a tensor of a shape and dtype chosen by `index`; some hold huge numbers, nan and infinity."""
    shape = [(), (0,), (1,), (4,), (3, 3), (2, 0), (2, 3, 3), (2, 1, 1, 3), (1, 2, 2, 2), (1, 1, 1, 1, 2)][index % 10]
    tensor = randn(*shape).double() * (0, 100, 1e300)[index % 3]
    if tensor.numel() > 2 and index % 4 == 0:
        tensor.view(-1)[:2] = torch.tensor([torch.nan, torch.inf], dtype=torch.float64)
    return tensor.to(DTYPES[index % len(DTYPES)])


def test_never_raises():
    for i in range(40):
        for j in range(40):
            pair = [(Outcome((strange(i),)), Outcome((strange(j),)))] * 2
            message = explain(("result",), pair, [(strange(i + 1), 10**400, None, "text", 0)] * 2)
            assert message is None or message.startswith("In your result, ")
    assert explain(("result",), [], []) is None
    assert explain(("result",), [(Outcome(error=ValueError()), Outcome((randn(3),)))], [()]) is None
    complex_ = Outcome((randn(3, 3).to(torch.complex64),))
    assert explain(("result",), [(complex_, Outcome((randn(3, 3),)))], [()]) is None


def test_nan_where_none_should_be_is_left_to_others():
    right = RIGHT["scores"]
    assert explanation(right, [torch.full_like(x, torch.nan) for x in right]) is None


@pytest.mark.timed
@pytest.mark.parametrize("count, shape", [(8, (2, 4, 7, 7)), (1, (60, 60)), (1, (7, 8, 8, 8))])
def test_is_quick(count, shape):
    rights = [randn(*shape) for _ in range(count)]
    for wrongs in (
        [randn(*shape) for _ in rights],
        [x.flatten()[torch.randperm(x.numel())].view(shape) for x in rights],
    ):
        assert measure.seconds(explanation, rights, wrongs) < 0.1  # seconds; it takes about 0.01


def test_slices_have_the_words_of_their_exercise():
    rights = [randn(3, 4, 5), randn(2, 6, 5)]
    for axis, word in enumerate(("picture", "token", "number")):
        pairs = seen(rights, [right.flip(axis) for right in rights])
        words = explain(("patches",), pairs, [()] * 2, ("picture", "token", "number"))
        assert f"the {word}s stand in reversed order along" in words
        assert word not in explain(("patches",), pairs, [()] * 2).replace("numbers", "")

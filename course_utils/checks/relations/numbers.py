"""Relations in which each wrong number is made of the right one: by a factor, a sign, a logarithm, a rounding."""

import math

import torch

from ..outcome import close
from ..sentences import sentence, together

LARGEST = 1_000_000  # a number from here on is not taken for a size
BY_SIZE = {  # the power of a size n that is the factor -> how it comes about
    1: "In your {output}, every number is too large by the factor n: a factor is too many, a division is missing, or "
    "a sum stands for a mean.",
    0.5: "In your {output}, every number is too large by the factor √n: a division by `n ** 0.5` is missing.",
    -1: "In your {output}, every number is too small by the factor n: a factor is missing, a division is too many, or "
    "a mean stands for a sum.",
    -0.5: "In your {output}, every number is too small by the factor √n: a division by `n ** 0.5` is too many, or one "
    "by `n` should be by its root.",
}


def related(template, *, right=torch.positive, yours=torch.positive):
    """Return a relation, a generator function of (pair, about) that yields one (message, pair.expected) if it holds.

    It holds if the tensors `right(pair.expected)` and `yours(pair.got)` are close. pair: a Comparison. about: an About.
    template: of the message, with the place {output}. right, yours: functions from tensor to tensor; by default, they
    change nothing.
    """

    def relation(pair, about):
        if close(yours(pair.got), right(pair.expected)):
            yield about.sentence(template), pair.expected

    return relation


def same_numbers(pair):
    """Return whether a Comparison's two tensors hold the same numbers, each as often, in any order and shape."""
    ours, theirs = pair.got.flatten(), pair.expected.flatten()
    return len(ours) == len(theirs) and close(ours.sort().values, theirs.sort().values)


def axes(tensor):
    """Return the axes of a tensor as a range of negative ints, the last axis first: -1, -2, …."""
    return range(-1, -tensor.dim() - 1, -1)


def unchanged(pair, about):
    """Yield (message, pair.got) for each tensor argument of the input that came back unchanged as the wrong output.

    pair: the Comparison of a wrong output, `got`, with the right one, `expected`. about: the About that words messages.
    """
    for number, tensor in enumerate(pair.tensors, start=1):
        if close(pair.got, tensor):
            look = (
                "Look at the name after `return`, and for a result that you do not keep: `x.transpose(1, 2)` alone "
                "changes nothing."
            )
            message = about.sentence("In your {output}, the tensor that goes in has come back unchanged.")
            if len(pair.tensors) > 1:
                template = "In your {output}, tensor {number} of those that go in has come back unchanged."
                message = about.sentence(template, number=number)
            yield together(message, look), pair.got


def swapped(pair, about):
    """Yield (message, pair.expected) if the right output has only two values, and the wrong one has them swapped.

    pair: the Comparison of a wrong output, `got`, with the right one, `expected`. about: the About that words messages.
    """
    values = torch.tensor([0.0, 1.0]) if about.is_bool else pair.expected.unique()
    if len(values) == 2 and close(pair.got, torch.where(pair.expected == values[0], values[1], values[0])):
        low, high = (bool(value) if about.is_bool else f"{value:g}" for value in values.tolist())
        template = (
            "In your {output}, `{high}` and `{low}` have changed places. Look for a `~` too many or too few, or turn "
            "the comparison around."
        )
        yield about.sentence(template, high=high, low=low), pair.expected


def multiplied(pair, about):
    """Yield (message, pair.expected) if the wrong output is the right one times a number, which the message names.

    Then yield another message for each size n in `_sizes` for which the number is n, √n, 1/n or 1/√n. pair: the
    Comparison of a wrong output, `got`, with the right one, `expected`. about: the About that words messages.
    """
    times = _factor(pair)
    if times is None:
        return
    more, less = (
        "In your {output}, every number is {times} times what it should be. Look for a factor too many, or a division "
        "that is missing.",
        "In your {output}, every number is {times} times what it should be. Look for a division too many, or a factor "
        "that is missing.",
    )
    yield about.sentence(more if abs(times) > 1 else less, times=f"{times:.5g}"), pair.expected
    for size, meaning in _sizes(pair):
        for power, template in BY_SIZE.items():
            if 1 < size < LARGEST and math.isclose(times, size**power, rel_tol=1e-4):
                yield together(about.sentence(template), meaning), pair.expected


def logarithm(pair, about):
    """Yield (message, pair.expected) if the wrong output is the logarithm of the right one, which has no booleans.

    pair: the Comparison of a wrong output, `got`, with the right one, `expected`. about: the About that words messages.
    """
    template = (
        "In your {output}, each number is the logarithm of the right one. Take `torch.exp` of it, or leave a `log` out."
    )
    if not about.is_bool and close(pair.got.exp(), pair.expected):
        yield about.sentence(template), pair.expected


def _factor(pair):
    """Return the float by which `pair.expected` must be multiplied to give `pair.got`; None if there is none.

    pair: a Comparison. None also where the shapes differ.
    """
    if pair.got.shape != pair.expected.shape:
        return None
    usable = pair.got.isfinite() & pair.expected.isfinite()
    got, expected = pair.got[usable].double(), pair.expected[usable].double()
    times = ((got * expected).sum() / (expected * expected).sum()).item()
    if not math.isfinite(times) or abs(times) < 1e-12:
        return None
    return times if close(pair.got, pair.expected * times) and close(pair.got / times, pair.expected) else None


def _sizes(pair):
    """Yield (size, sentence) for each int that may be a factor in a wrong output; the sentence tells what it is.

    They are the length of each axis of each tensor argument, each int argument, and the length of each axis of
    `pair.expected`. pair: a Comparison.
    """
    for number, tensor in enumerate(pair.tensors, start=1):
        for axis in axes(tensor):
            length = "Here n is the length along `dim={axis}` of tensor {number} of those that go in."
            yield tensor.shape[axis], sentence(length, axis=axis, number=number)
    for number, size in enumerate(pair.sizes, start=1):
        yield size, sentence("Here n is whole number {number} of those that go in.", number=number)
    for axis in axes(pair.expected):
        length = sentence("Here n is the length along `dim={axis}` of what comes out.", axis=axis)
        yield pair.expected.shape[axis], length


def plus_constant(pair, about):
    """Yield (message, pair.expected) if the wrong output is the right one plus one constant, which the message names.

    pair: the Comparison of a wrong output, `got`, with the right one, `expected`. about: the About that words messages.
    """
    if pair.got.shape == pair.expected.shape:
        usable = pair.got.isfinite() & pair.expected.isfinite()
        more = (pair.got[usable].double() - pair.expected[usable].double()).mean().item()
        if math.isfinite(more) and close(pair.got, pair.expected + more) and close(pair.got - more, pair.expected):
            template = (
                "In your {output}, {more} is added to every number. Look for a term too many or too few, or one added "
                "twice."
            )
            yield about.sentence(template, more=f"{more:+.4g}"), pair.expected

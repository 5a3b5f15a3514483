"""Relations in which each wrong number is made of the right one: by a factor, a sign, a logarithm, a rounding."""

import math

import torch

from ..outcome import close
from ..sentences import sentence, together
from .wrong_output import WrongOutput

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
    """Return a relation, a generator function that takes a WrongOutput and yields (message, expected) if it holds.

    It holds if the tensors `right(expected)` and `yours(got)` are close: the right output and the wrong one, each after
    a function from tensor to tensor, which by default changes nothing. template: of the message, with {output} in it.
    """

    def relation(wrong):
        if close(yours(wrong.got), right(wrong.expected)):
            yield wrong.about.sentence(template), wrong.expected

    return relation


def same_numbers(wrong: WrongOutput) -> bool:
    """Return whether the wrong and the right output hold the same numbers, each as often, in any order and shape."""
    ours, theirs = wrong.got.flatten(), wrong.expected.flatten()
    return len(ours) == len(theirs) and close(ours.sort().values, theirs.sort().values)


def axes(tensor) -> range:
    """Return the axes of a tensor as a range of negative ints, the last axis first: -1, -2, …."""
    return range(-1, -tensor.dim() - 1, -1)


def unchanged(wrong: WrongOutput):
    """Yield (message, wrong.got) for each tensor argument of the input that came back unchanged as the output."""
    for number, tensor in enumerate(wrong.tensors, start=1):
        if close(wrong.got, tensor):
            look = (
                "Look at the name after `return`, and for a result that you do not keep: `x.transpose(1, 2)` alone "
                "changes nothing."
            )
            message = wrong.about.sentence("In your {output}, the tensor that goes in has come back unchanged.")
            if len(wrong.tensors) > 1:
                template = "In your {output}, tensor {number} of those that go in has come back unchanged."
                message = wrong.about.sentence(template, number=number)
            yield together(message, look), wrong.got


def swapped(wrong: WrongOutput):
    """Yield (message, wrong.expected) if the right output has only two values, and the wrong one has them swapped."""
    values = torch.tensor([0.0, 1.0]) if wrong.about.is_bool else wrong.expected.unique()
    if len(values) == 2 and close(wrong.got, torch.where(wrong.expected == values[0], values[1], values[0])):
        low, high = (bool(value) if wrong.about.is_bool else f"{value:g}" for value in values.tolist())
        template = (
            "In your {output}, `{high}` and `{low}` have changed places. Look for a `~` too many or too few, or turn "
            "the comparison around."
        )
        yield wrong.about.sentence(template, high=high, low=low), wrong.expected


def multiplied(wrong: WrongOutput):
    """Yield (message, wrong.expected) if the wrong output is the right one times a number, which the message names.

    Then yield another message for each size n in `_sizes` for which the number is n, √n, 1/n or 1/√n.
    """
    times = _factor(wrong)
    if times is None:
        return
    more, less = (
        "In your {output}, every number is {times} times what it should be. Look for a factor too many, or a division "
        "that is missing.",
        "In your {output}, every number is {times} times what it should be. Look for a division too many, or a factor "
        "that is missing.",
    )
    yield wrong.about.sentence(more if abs(times) > 1 else less, times=f"{times:.5g}"), wrong.expected
    for size, meaning in _sizes(wrong):
        for power, template in BY_SIZE.items():
            if 1 < size < LARGEST and math.isclose(times, size**power, rel_tol=1e-4):
                yield together(wrong.about.sentence(template), meaning), wrong.expected


def logarithm(wrong: WrongOutput):
    """Yield (message, wrong.expected) if the wrong output is the logarithm of the right one; never for booleans."""
    template = (
        "In your {output}, each number is the logarithm of the right one. Take `torch.exp` of it, or leave a `log` out."
    )
    if not wrong.about.is_bool and close(wrong.got.exp(), wrong.expected):
        yield wrong.about.sentence(template), wrong.expected


def _factor(wrong: WrongOutput) -> float | None:
    """Return the number that times the right output gives the wrong one; None if there is none, or shapes differ."""
    if wrong.got.shape != wrong.expected.shape:
        return None
    usable = wrong.got.isfinite() & wrong.expected.isfinite()
    got, expected = wrong.got[usable].double(), wrong.expected[usable].double()
    times = ((got * expected).sum() / (expected * expected).sum()).item()
    if not math.isfinite(times) or abs(times) < 1e-12:
        return None
    return times if close(wrong.got, wrong.expected * times) and close(wrong.got / times, wrong.expected) else None


def _sizes(wrong: WrongOutput):
    """Yield (size, sentence) for each int that may be a factor in a wrong output; the sentence tells what it is."""
    for number, tensor in enumerate(wrong.tensors, start=1):
        for axis in axes(tensor):
            length = "Here n is the length along `dim={axis}` of tensor {number} of those that go in."
            yield tensor.shape[axis], sentence(length, axis=axis, number=number)
    for number, size in enumerate(wrong.sizes, start=1):
        yield size, sentence("Here n is whole number {number} of those that go in.", number=number)
    for axis in axes(wrong.expected):
        length = sentence("Here n is the length along `dim={axis}` of what comes out.", axis=axis)
        yield wrong.expected.shape[axis], length


def plus_constant(wrong: WrongOutput):
    """Yield (message, wrong.expected) if the wrong output is the right one plus a constant, which the message names."""
    if wrong.got.shape == wrong.expected.shape:
        usable = wrong.got.isfinite() & wrong.expected.isfinite()
        more = (wrong.got[usable].double() - wrong.expected[usable].double()).mean().item()
        if math.isfinite(more) and close(wrong.got, wrong.expected + more) and close(wrong.got - more, wrong.expected):
            template = (
                "In your {output}, {more} is added to every number. Look for a term too many or too few, or one added "
                "twice."
            )
            yield wrong.about.sentence(template, more=f"{more:+.4g}"), wrong.expected

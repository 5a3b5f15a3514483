"""Describe wrong outputs that fit no known mistake: by one simple relation to the right outputs, on every input.

A relation is a generator function. It takes a WrongOutput, and yields (message, part) for each way in which it holds:
the message tells the learner how (an axis, a factor, …), and `part` holds the expected numbers that the output
confirms. It holds on several inputs if it yields the same message on each.
"""

import torch

from .. import outcome
from . import numbers, places, rows
from . import shape as shapes
from .numbers import related
from .wrong_output import AXES, About, wrong_output

__all__ = ["AXES", "explain"]
RELATIONS = (  # the most telling ones come first
    numbers.unchanged,
    shapes.spread,
    rows.all_equal,
    places.filled,
    shapes.permuted,
    places.reversed_along,
    numbers.swapped,
    related(
        "In your {output}, each number is 1 minus the right one. Look for a `1 -` or a `~` too many or too few.",
        right=lambda right: 1 - right,
    ),
    related(
        "In your {output}, every sign is turned around. Look for a minus too many or too few, or a difference taken "
        "the other way round.",
        right=torch.neg,
    ),
    numbers.multiplied,
    related(
        "In your {output}, each number is 1 over the right one. Something is divided the other way round.",
        right=torch.reciprocal,
    ),
    numbers.logarithm,
    related(
        "In your {output}, the numbers are those before softmax: along the last axis, their softmax gives the right "
        "ones. Put it in, or return what comes out of it.",
        yours=rows.softmax,
    ),
    rows.softmax_too_many,
    rows.sums_elsewhere,
    rows.divided,
    numbers.plus_constant,
    places.except_diagonal,
    places.shifted,
    places.except_slice,
    rows.slices_alike,
    places.open_or_hidden,
    shapes.axis_of_one,
    shapes.regrouped,
    shapes.axis_lost,
    rows.repeated,
    shapes.cut_off,
    shapes.misread,
    shapes.elsewhere,
)
MOST = 4_000  # numbers in a tensor that is compared: more would keep the learner waiting


def explain(names, wrong: list[tuple], inputs: list[tuple], parts=None) -> str | None:
    """Return a message on how wrong outputs are related to the right ones, such as "every sign is …", or None.

    names: of the outputs. wrong: (got, expected), two Outcomes, for each wrong input. inputs: the arguments of each.
    Only one output is explained: the first, weights before others, that is wrong on all of them. Return None if no
    relation holds, a call raised, a tensor is not `_fit`, or a nan is not expected. parts: as in About.
    """
    if not wrong or not all(got.tensors and expected.tensors for got, expected in wrong):
        return None
    outputs = list(zip(*(zip(got.tensors, expected.tensors, strict=True) for got, expected in wrong), strict=True))
    if not all(_fit(tensor) for output in outputs for both in output for tensor in both):
        return None
    for name, output in sorted(zip(names, outputs, strict=True), key=lambda named: "weights" not in named[0]):
        if not any(outcome.close(*both) for both in output):  # weights come first: the others are computed from them
            if any(got.isnan().any() and not expected.isnan().any() for got, expected in output):
                return None  # what made the nan must be found first
            about = About(outcome.in_words(name), output, parts)
            outputs = [wrong_output(*both, args, about) for both, args in zip(output, inputs, strict=True)]
            return _first_relation(sorted(outputs, key=lambda wrong: -_distinct(wrong.expected)))
    return None


def _fit(tensor) -> bool:
    return (
        tensor.layout is torch.strided and not tensor.is_complex() and 0 < tensor.numel() <= MOST and tensor.dim() < 5
    )


def _first_relation(outputs: list) -> str | None:
    """Return the message of the first of RELATIONS that holds, with one message, for all WrongOutputs in a list."""
    for relation in RELATIONS:
        confirmed = {words: [part] for words, part in relation(outputs[0])}
        for wrong in outputs[1:]:
            more = dict(relation(wrong)) if confirmed else {}
            confirmed = {words: [*parts, more[words]] for words, parts in confirmed.items() if words in more}
        for words, parts in confirmed.items():
            if _telling(parts, [wrong.expected for wrong in outputs]):
                return words
    return None


def _telling(parts: list, expected: list) -> bool:
    """Return whether a relation confirms too many of the expected numbers to hold by chance.

    expected: the right tensors. parts: the numbers in each that the relation confirms, tensors. Four distinct numbers
    are enough; where fewer are expected at all, all of them must be confirmed, at least two, in 16 or more places.
    """
    number = _distinct(*expected)
    if _distinct(*parts) < max(2, min(4, number)):
        return False
    return number >= 4 or sum(part.numel() for part in parts) >= 16


def _distinct(*tensors) -> int:
    numbers = torch.cat([tensor.flatten().double() for tensor in tensors])
    return len(numbers.nan_to_num(nan=0.5).round(decimals=4).unique())

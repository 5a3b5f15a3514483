"""Describe wrong outputs that fit no known mistake: by one simple relation to the right outputs, on every input.

A relation is a generator function. It takes (pair, about), a Comparison and an About, and yields (message, part) for
each way in which it holds: the message tells the learner how (an axis, a factor, …), and `part` holds the expected
numbers that the output confirms. It holds on several inputs if it yields the same message on each.
"""

from typing import NamedTuple

import torch

from .. import outcome
from ..sentences import sentence
from . import numbers, places, rows
from . import shape as shapes
from .numbers import related

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
    shapes.cut_off,
    shapes.misread,
    shapes.elsewhere,
)
MOST = 4_000  # numbers in a tensor that is compared: more would keep the learner waiting
AXES = {1: ("number",), 2: ("row", "column"), 3: ("table", "row", "column"), 4: ("text", "head", "row", "column")}


class Comparison(NamedTuple):
    """A wrong output on one input, beside the expected one, and what the input consists of.

    got, expected: tensors of floats. tensors: those among the arguments. sizes: the whole numbers among them.
    """

    got: torch.Tensor
    expected: torch.Tensor
    tensors: list
    sizes: list


class About:
    """A description of one output, with the words for it and its parts.

    output: its name in words. pairs: a list of Comparison, one for each wrong input. is_bool: whether booleans are
    expected. is_map: whether the name has "weights" or "mask" in it. dims, got_dims: how many axes the expected and the
    actual output have; None where that differs between inputs. parts: the words for slices, by default those of AXES.
    """

    def __init__(self, output, pairs, is_bool, parts=None):
        self.output, self.is_bool = output, is_bool
        self.is_map = "weights" in output or "mask" in output  # then a row belongs to a query
        self.dims = _common(pair.expected.dim() for pair in pairs)
        self.got_dims = _common(pair.got.dim() for pair in pairs)
        self.parts = parts or AXES[self.dims or 3]

    def sentence(self, template, *, axis=None, index=0, part=None, **places):
        """Return a sentence for the learner, a Sentence: the template with its places filled in.

        {output} becomes the name of the output, {axis} `axis`, {slice} the code of the slice at `index` along `axis`,
        and {part} `part` (default: the word for such a slice, as "column"). axis: a negative int, -1 for the last axis.
        places: the values of all other places. Errors: TypeError for a place without value, or a value without place.
        """
        places["output"] = self.output
        if "{axis}" in template:
            places["axis"] = axis
        if "{part}" in template:
            places["part"] = part or self.part(axis)
        if "{slice}" in template:
            places["slice"] = self.at(axis, index)
        return sentence(template, **places)

    def part(self, axis):
        """Return the word for one slice along an axis, such as "column" for -1. axis: a negative int."""
        return self.parts[axis] if -axis <= len(self.parts) else "text"

    def at(self, axis, index):
        """Return the code of the slice at `index` along `axis`, a negative int, in backticks, such as "`[:, 0]`"."""
        before = None if self.dims is None else self.dims + axis
        if before is None or before > 1:
            return f"`[..., {index}{', :' * (-axis - 1)}]`"
        return f"`[{':, ' * before}{index}]`"


def explain(names, wrong, inputs, parts=None):
    """Return a message on how wrong outputs are related to the right ones, such as "every sign is …", or None.

    names: of the outputs. wrong: a list of (got, expected), two Outcomes, for each wrong input. inputs: a list of the
    arguments of each. Only one output is explained: the first, weights before others, that is wrong on all of them.
    Return None if no relation holds, a call raised, a tensor is not `_fit`, or a nan is not expected. parts: as in
    About.
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
            pairs = [_comparison(*both, args) for both, args in zip(output, inputs, strict=True)]
            pairs.sort(key=lambda pair: -_distinct(pair.expected))  # the first input rules out most relations
            is_bool = all(expected.dtype is torch.bool for _, expected in output)
            return _first_relation(About(outcome.in_words(name), pairs, is_bool, parts), pairs)
    return None


def _fit(tensor):
    """Return whether a tensor can be compared: dense, real, with 1 to MOST numbers and at most four axes."""
    return (
        tensor.layout is torch.strided and not tensor.is_complex() and 0 < tensor.numel() <= MOST and tensor.dim() < 5
    )


def _comparison(got, expected, args):
    """Return the Comparison of two tensors, each as float64 unless it is float32. args: all arguments of that input."""
    ours, theirs = (side if side.dtype in outcome.FLOATS else side.double() for side in (got, expected))
    sizes = [arg for arg in args if isinstance(arg, int) and not isinstance(arg, bool)]
    return Comparison(ours, theirs, [arg for arg in args if torch.is_tensor(arg)], sizes)


def _first_relation(about, pairs):
    """Return the message of the first of RELATIONS that holds, with one message, for all Comparisons in `pairs`.

    Return None if none holds, or only by chance (see `_telling`). about: the About of the output.
    """
    for relation in RELATIONS:
        confirmed = {words: [part] for words, part in relation(pairs[0], about)}
        for pair in pairs[1:]:
            more = dict(relation(pair, about)) if confirmed else {}
            confirmed = {words: [*parts, more[words]] for words, parts in confirmed.items() if words in more}
        for words, parts in confirmed.items():
            if _telling(parts, pairs):
                return words
    return None


def _telling(parts, pairs):
    """Return whether a relation confirms too many of the expected numbers to hold by chance.

    parts: a list of tensors, the expected numbers that it confirms, one for each Comparison in `pairs`. Four distinct
    numbers are enough. Where fewer than four are expected at all, each of them must be confirmed, at least two, in
    sixteen places.
    """
    expected = _distinct(*(pair.expected for pair in pairs))
    if _distinct(*parts) < max(2, min(4, expected)):
        return False
    return expected >= 4 or sum(part.numel() for part in parts) >= 16


def _distinct(*tensors):
    """Return the number of distinct values in all the tensors together, rounded to 4 decimals; nan counts as 0.5."""
    numbers = torch.cat([tensor.flatten().double() for tensor in tensors])
    return len(numbers.nan_to_num(nan=0.5).round(decimals=4).unique())


def _common(numbers):
    """Return the value that all numbers of an iterable have, or None if they differ."""
    numbers = set(numbers)
    return numbers.pop() if len(numbers) == 1 else None

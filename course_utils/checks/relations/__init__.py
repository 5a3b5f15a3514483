"""Describe wrong outputs that fit no known mistake: by one simple relation to the right outputs, on every input.

A relation is a generator function. It takes a Seen and yields (detail, part) for each way in which it holds: `detail`
says how (an axis, a factor, …), and `part` holds the expected numbers that the output confirms. The relation's `say_…`
function takes (about, detail) and returns words that continue a sentence: "In your …, ".
"""

from typing import NamedTuple

import torch

from .. import outcome
from . import numbers, places, rows
from . import shape as shapes
from .numbers import made, undone

# The most telling relations come first. Each row: the relation, and its words, as a text or a `say_…` function.
RELATIONS = (
    (numbers.unchanged, numbers.say_unchanged),
    (shapes.spread, shapes.say_spread),
    (rows.all_equal, rows.say_all_equal),
    (places.filled, places.say_filled),
    (shapes.turned, shapes.say_turned),
    (places.reversed_along, places.say_reversed),
    (numbers.swapped, numbers.say_swapped),
    (numbers.one_minus, numbers.say_one_minus),
    (
        made(lambda right: -right),
        "every sign is turned around. Look for a minus too many or too few, or a difference taken the other way round.",
    ),
    (made(torch.abs), "the minus signs are lost. Look for an `abs`, or a square."),
    (made(torch.relu), "all numbers below 0 have become 0. Look for a `clamp`, a `relu`, or a `max` with 0."),
    (numbers.times_constant, numbers.say_times),
    (numbers.times_size, numbers.say_times_size),
    (numbers.logarithm, numbers.say_logarithm),
    (undone(torch.log), "each number is *e* to the power of the right one. Look for an `exp` too many."),
    (made(torch.square), "each number is the square of the right one. Look for a `** 2`, or a factor used twice."),
    (undone(torch.square), "each number is the square root of the right one. Look for a root too many."),
    (made(torch.reciprocal), "each number is 1 over the right one. Something is divided the other way round."),
    (
        undone(rows.softmax),
        "the numbers are those before softmax: along the last axis, their softmax gives the right ones. Put it in, or "
        "return what comes out of it.",
    ),
    (rows.softmax_too_many, rows.say_softmax_too_many),
    (rows.sums_elsewhere, rows.say_sums_elsewhere),
    (rows.not_divided, rows.say_not_divided),
    (rows.divided, rows.say_divided),
    (numbers.plus_constant, numbers.say_plus),
    (numbers.rounded, numbers.say_rounded),
    (places.except_diagonal, places.say_except_diagonal),
    (places.rolled, places.say_rolled),
    (places.shifted, places.say_shifted),
    (places.only_slice, places.say_only_slice),
    (places.except_slice, places.say_except_slice),
    (rows.rows_alike, rows.say_rows_alike),
    (rows.slices_alike, rows.say_slices_alike),
    (places.in_another_order, places.say_in_another_order),
    (places.off_the_triangle, places.say_off_the_triangle),
    (places.too_much, places.say_too_much),
    (places.too_little, places.say_too_little),
    (shapes.axis_of_one, shapes.say_axis_of_one),
    (shapes.regrouped, shapes.say_regrouped),
    (shapes.axis_lost, shapes.say_axis_lost),
    (shapes.axis_more, shapes.say_axis_more),
    (shapes.cut_off, shapes.say_cut_off),
    (shapes.misread, shapes.say_misread),
    (shapes.elsewhere, shapes.say_elsewhere),
)
MOST = 4_000  # numbers in a tensor that is compared: more would keep the learner waiting
AXES = {1: ("number",), 2: ("row", "column"), 3: ("table", "row", "column"), 4: ("text", "head", "row", "column")}


class Seen(NamedTuple):
    """An input on which the output is wrong: that output, the expected one, and what the input consists of.

    got, expected: tensors of floats. tensors: those among the arguments. sizes: the whole numbers among them.
    """

    got: torch.Tensor
    expected: torch.Tensor
    tensors: list
    sizes: list  # the whole numbers among the arguments


class About:
    """A description of one output, with the words for its parts.

    name: of the output. seen: a list of Seen, one for each wrong input. is_bool: whether booleans are expected. dims,
    got_dims: how many axes the expected and the actual output have; None where that differs between inputs.
    """

    def __init__(self, name, seen, is_bool):
        self.name, self.is_bool = name, is_bool
        self.is_map = "weights" in name or "mask" in name  # then a row belongs to a query
        self.dims = _common(one.expected.dim() for one in seen)
        self.got_dims = _common(one.got.dim() for one in seen)

    def part(self, axis):
        """Return the word for one slice along an axis, such as "column" for -1. axis: counted from the end."""
        return AXES[self.dims or 3][axis] if -axis <= (self.dims or 3) else "text"

    def at(self, axis, index):
        """Return the code that takes one slice out of an axis, such as "`[:, 0]`", in backticks.

        axis: negative, counted from the end. index: of the slice.
        """
        before = None if self.dims is None else self.dims + axis
        if before is None or before > 1:
            return f"`[..., {index}{', :' * (-axis - 1)}]`"
        return f"`[{':, ' * before}{index}]`"


def told(names, wrong, inputs):
    """Return a sentence or two on the relation between the wrong outputs and the right ones, or None if none holds.

    names: of the outputs. wrong: for each wrong input (got, expected), each an Outcome. inputs: the arguments of each.
    """
    if not all(got.tensors and expected.tensors for got, expected in wrong):
        return None
    pairs = [tuple(zip(got.tensors, expected.tensors, strict=True)) for got, expected in wrong]
    if not pairs or not all(_fit(tensor) for outputs in pairs for pair in outputs for tensor in pair):
        return None
    index = _first_wrong(names, pairs)
    if index is None or any(_nan_alone(*outputs[index]) for outputs in pairs):
        return None
    seen = [_seen(*outputs[index], args) for outputs, args in zip(pairs, inputs, strict=True)]
    seen.sort(key=lambda one: -_distinct(one.expected))  # the first input rules out most relations
    about = About(names[index], seen, all(outputs[index][1].dtype is torch.bool for outputs in pairs))
    words = _first_relation(about, seen)
    return words and f"In your {about.name.replace('_', ' ')}, {words}"


def _fit(tensor):
    """Return whether a tensor can be compared: real numbers, at least one and at most MOST, at most four axes."""
    return (
        tensor.layout is torch.strided and not tensor.is_complex() and 0 < tensor.numel() <= MOST and tensor.dim() < 5
    )


def _nan_alone(got, expected):
    """Return whether the output `got` holds nan where `expected` has none: what made the nan must be found first."""
    return bool(got.isnan().any()) and not expected.isnan().any()


def _first_wrong(names, pairs):
    """Return the index of an output that is wrong on every input, or None.

    names: of the outputs. pairs: for each input, a tuple with (got, expected) for each output. Weights come before the
    other outputs, which are computed from them.
    """
    for index in sorted(range(len(names)), key=lambda index: "weights" not in names[index]):
        if not any(outcome.close(*outputs[index]) for outputs in pairs):
            return index
    return None


def _seen(got, expected, args):
    """Return the Seen of one output. got, expected: tensors. args: the arguments of the call."""
    sizes = [arg for arg in args if isinstance(arg, int) and not isinstance(arg, bool)]
    return Seen(_numbers(got), _numbers(expected), [arg for arg in args if torch.is_tensor(arg)], sizes)


def _numbers(tensor):
    """Return a tensor of float32 or float64 as it is, and any other as float64."""
    return tensor if tensor.dtype in outcome.FLOATS else tensor.double()


def _first_relation(about, seen):
    """Return the words of the first relation that holds on all inputs and is too good to be chance, or None.

    about: the About of the output. seen: a list of Seen, one for each wrong input.
    """
    for find, say in RELATIONS:
        found = {detail: [part] for detail, part in find(seen[0])}
        for one in seen[1:]:
            more = dict(find(one)) if found else {}
            found = {detail: [*parts, more[detail]] for detail, parts in found.items() if detail in more}
        for detail, parts in found.items():
            if _telling(parts, seen):
                return say if isinstance(say, str) else say(about, detail)
    return None


def _telling(parts, seen):
    """Return whether a relation confirms too many numbers to hold by chance.

    parts: for each input, a tensor of the expected numbers that the output confirms. seen: a list of Seen. Four
    distinct numbers are enough. Where fewer than four are expected at all, each of them must be confirmed, at least
    two, in sixteen places.
    """
    among = _distinct(*(one.expected for one in seen))
    if _distinct(*parts) < max(2, min(4, among)):
        return False
    return among >= 4 or sum(part.numel() for part in parts) >= 16


def _distinct(*tensors):
    """Return how many distinct numbers there are in some tensors together, rounded to 4 decimals."""
    numbers = torch.cat([tensor.flatten().double() for tensor in tensors])
    return len(numbers.nan_to_num(nan=0.5).round(decimals=4).unique())


def _common(numbers):
    """Return the number to which all given numbers are equal, or None if they differ."""
    numbers = set(numbers)
    return numbers.pop() if len(numbers) == 1 else None

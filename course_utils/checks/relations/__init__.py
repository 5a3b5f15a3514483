"""Say how wrong numbers lie to the right ones, where no known mistake fits: one simple relation, on every input."""

from typing import NamedTuple

import torch

from .. import outcome
from . import numbers, places, rows
from . import shape as shapes
from .numbers import made, undone

# Most telling first. A row: what finds the relation on one input, and its words, which go on from "In your …, ".
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
MOST = 4_000  # numbers in a tensor: the check should not keep anybody waiting
AXES = {1: ("number",), 2: ("row", "column"), 3: ("table", "row", "column"), 4: ("text", "head", "row", "column")}


class Seen(NamedTuple):
    """One wrong input: what came back, what should have, and what went in."""

    got: torch.Tensor
    expected: torch.Tensor
    tensors: list
    sizes: list  # the whole numbers that went in


class About:
    """Words for the parts of an output. dims: how many axes it should have; None where that differs."""

    def __init__(self, name, seen, is_bool):
        self.name, self.is_bool = name, is_bool
        self.is_map = "weights" in name or "mask" in name  # a row is a query
        self.dims = _common(one.expected.dim() for one in seen)
        self.got_dims = _common(one.got.dim() for one in seen)

    def part(self, axis):
        """What stands along an axis, counted from the end: "row", "head"."""
        return AXES[self.dims or 3][axis] if -axis <= (self.dims or 3) else "text"

    def at(self, axis, index):
        """The code that takes one of them out."""
        before = None if self.dims is None else self.dims + axis
        if before is None or before > 1:
            return f"`[..., {index}{', :' * (-axis - 1)}]`"
        return f"`[{':, ' * before}{index}]`"


def told(names, wrong, inputs):
    """How the wrong numbers lie to the right ones, in a sentence or two, or None.

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
    seen.sort(key=lambda one: -_distinct(one.expected))  # the first one rules most relations out
    about = About(names[index], seen, all(outputs[index][1].dtype is torch.bool for outputs in pairs))
    words = _first_relation(about, seen)
    return words and f"In your {about.name.replace('_', ' ')}, {words}"


def _fit(tensor):
    """Whether a tensor is one to be compared: real numbers, not too many, at most four axes."""
    return (
        tensor.layout is torch.strided and not tensor.is_complex() and 0 < tensor.numel() <= MOST and tensor.dim() < 5
    )


def _nan_alone(got, expected):
    """Whether there is nan where none should be: what made it is the first thing to look for."""
    return bool(got.isnan().any()) and not expected.isnan().any()


def _first_wrong(names, pairs):
    """The output that is wrong on each of the inputs; weights before the others, since those are made with them."""
    for index in sorted(range(len(names)), key=lambda index: "weights" not in names[index]):
        if not any(outcome.close(*outputs[index]) for outputs in pairs):
            return index
    return None


def _seen(got, expected, args):
    sizes = [arg for arg in args if isinstance(arg, int) and not isinstance(arg, bool)]
    return Seen(_numbers(got), _numbers(expected), [arg for arg in args if torch.is_tensor(arg)], sizes)


def _numbers(tensor):
    return tensor if tensor.dtype in outcome.FLOATS else tensor.double()


def _first_relation(about, seen):
    """The words of the first relation that holds on all inputs, and cannot be chance."""
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
    """Whether what was found again is too much for chance: four different numbers, or sixteen where all are alike."""
    among = _distinct(*(one.expected for one in seen))
    if _distinct(*parts) < max(2, min(4, among)):
        return False
    return among >= 4 or sum(part.numel() for part in parts) >= 16


def _distinct(*tensors):
    numbers = torch.cat([tensor.flatten().double() for tensor in tensors])
    return len(numbers.nan_to_num(nan=0.5).round(decimals=4).unique())


def _common(numbers):
    numbers = set(numbers)
    return numbers.pop() if len(numbers) == 1 else None

"""Relations in which axes have changed places, were joined, cut, lost, added, or came out too short or too long.

A relation finds (detail, the right numbers that were found again) on one input; its words go on from "In your …, ".
"""

import itertools
import math

import torch

from ..outcome import close
from .numbers import axes, same_numbers

TAKEN = {  # what is left of an axis
    "first": lambda right, axis: right.narrow(axis, 0, 1),
    "last": lambda right, axis: right.narrow(axis, right.shape[axis] - 1, 1),
    "mean": lambda right, axis: right.mean(dim=axis, keepdim=True),
    "sum": lambda right, axis: right.sum(dim=axis, keepdim=True),
}
ENDS = ("first", "last")


def orders(tensor):
    """Every other order of the axes, from the end, without the first that stay; those that move fewest come first."""
    count = tensor.dim()
    found = [order for order in itertools.permutations(range(count)) if order != tuple(range(count))]
    moved = [[axis for axis in range(count) if order[axis] != axis] for order in found]
    short = [tuple(axis - count for axis in order[these[0] :]) for order, these in zip(found, moved, strict=True)]
    return [order for _, order in sorted(zip(map(len, moved), short, strict=True))]


def ordered(tensor, order):
    return tensor.permute((*range(tensor.dim() - len(order)), *order))


def back(order):
    """The order that undoes an order."""
    return tuple(order.index(axis) - len(order) for axis in range(-len(order), 0))


def call(order, dims):
    """The call that brings the axes in an order, as code. dims: how many there are, or None."""
    moved = [place for place, axis in zip(range(-len(order), 0), order, strict=True) if place != axis]
    if len(moved) == 2:
        return f".transpose({_axis(moved[0], dims)}, {_axis(moved[1], dims)})"
    if dims is None:
        return None
    return f".permute({', '.join(map(str, [*range(dims - len(order)), *(dims + axis for axis in order)]))})"


def _axis(axis, dims):
    return axis if dims is None else dims + axis


def turned(one):
    if sorted(one.got.shape) == sorted(one.expected.shape):
        for order in orders(one.expected):
            if close(one.got, ordered(one.expected, order)):
                yield order, one.expected


def say_turned(about, order):
    repair = call(back(order), about.dims)
    puts = f" `{repair}` puts it right." if repair else ""
    if order == (-1, -2):
        query = "A row is a query, a column a key. " if about.is_map else ""
        return (
            f"rows and columns have changed places. {query}Look for a transpose too many or too few, or two operands "
            f"in each other's place.{puts}"
        )
    return f"the axes stand in another order.{puts}"


def spread(one):
    """Where all that stands along an axis is the same: the first of the right ones, the last, their mean or sum."""
    along = axes(one.expected) if one.got.shape == one.expected.shape else ()
    for axis, (how, take) in itertools.product(along, TAKEN.items()):
        taken = take(one.expected, axis)
        if close(one.got, taken.expand_as(one.got)) and (how in ENDS or not _all_same(taken)):
            yield (how, axis), taken


def _all_same(tensor):
    return close(tensor, tensor.flatten()[0].expand_as(tensor))


def say_spread(about, detail):
    how, axis = detail
    part = about.part(axis)
    if how not in ENDS:
        return f"each {part} is the {how} of all right {part}s. Leave the {how} along `dim={axis}` away."
    return (
        f"each {part} is what the {how} alone should be. Look for an index that stays the same, or for what "
        f"should make the {part}s differ."
    )


def axis_of_one(one):
    """Where an axis of length 1 is too many, too few, or in the wrong place."""
    ours, theirs = one.got, one.expected
    if ours.numel() != theirs.numel() or ours.shape == theirs.shape:
        return
    for axis in axes(ours):
        if ours.shape[axis] == 1 and close(ours.squeeze(axis), theirs):
            yield ("squeeze", axis), theirs
    for axis in range(-1, -ours.dim() - 2, -1):
        if close(ours.unsqueeze(axis), theirs):
            yield ("unsqueeze", axis), theirs


def say_axis_of_one(about, detail):
    repair, axis = detail
    if about.got_dims is not None:
        axis += about.got_dims + (repair == "unsqueeze")
    much, does = ("many", "takes it away") if repair == "squeeze" else ("few", "puts it in")
    return f"an axis of length 1 is too {much}, and the numbers are right. `.{repair}({axis})` {does}."


def regrouped(one):
    """Where `reshape` gives the right numbers, perhaps after axes have changed places: (order, how, first, last)."""
    squeezed = one.got.dim() < one.expected.dim() and one.got.squeeze().shape == one.expected.squeeze().shape
    if one.got.shape == one.expected.shape or squeezed or not same_numbers(one):
        return  # the shapes of what was squeezed tell it better
    for order in [(), *orders(one.got)]:
        ours, theirs = ordered(one.got, order), one.expected
        if close(ours.reshape(theirs.shape), theirs):
            for how in (*_joined("flatten", ours.shape, theirs.shape), *_joined("unflatten", theirs.shape, ours.shape)):
                yield (order, *how), theirs
            yield (order, "reshape", 0, 0), theirs


def _joined(how, more, fewer):
    """Yields (how, first, last), counted from the end, for the axes that are one axis in the shape with fewer."""
    for first, last in itertools.combinations(range(len(more)), 2):
        if (*more[:first], math.prod(more[first : last + 1]), *more[last + 1 :]) == tuple(fewer):
            yield how, first - len(more), last - len(more)


def say_regrouped(about, detail):
    order, how, first, last = detail
    turn = f"`{call(order, about.got_dims) or '.permute(…)'}`, then " if order else ""
    at = _axis(last, about.got_dims)
    if how == "flatten":
        first = _axis(first, about.got_dims)
        return f"axes must be joined, and the numbers are right: {turn}`.flatten({first}, {at})`."
    if how == "unflatten":
        pieces = last - first + 1
        return f"axis {at} must be cut into {pieces}, and the numbers are right: {turn}`.unflatten({at}, …)`."
    return f"the numbers are right, and the shape is not: {turn}`.reshape(…)` to the shape that is asked for."


def axis_lost(one):
    """Where of all that stands along an axis, the first came back, the last, the mean or the sum."""
    for axis, (how, take) in itertools.product(axes(one.expected), TAKEN.items()):
        if one.expected.shape[axis] > 1:
            kept = take(one.expected, axis)
            if close(one.got, kept) or close(one.got, kept.squeeze(axis)):
                yield (how, axis), kept


def say_axis_lost(about, detail):
    how, axis = detail
    part = about.part(axis)
    if how not in ENDS:
        return f"the {how} of all {part}s came back. Leave the {how} along `dim={axis}` away."
    return (
        f"only the {how} {part} came back. Look for the index {about.at(axis, 0 if how == 'first' else -1)}, a "
        "`return` inside of a loop, or a name that each round overwrites."
    )


def axis_more(one):
    """Where the right numbers stand several times along a new axis, or once, beside others."""
    if one.got.dim() == one.expected.dim() + 1:
        for axis in axes(one.got):
            right = [close(part, one.expected) for part in one.got.unbind(axis)]
            if all(right):
                yield ("all", axis), one.expected
            elif right[0] or right[-1]:
                yield ("first" if right[0] else "last", axis), one.expected
    elif one.got.dim() == one.expected.dim():
        for axis in axes(one.got):
            times, rest = divmod(one.got.shape[axis], one.expected.shape[axis])
            if times > 1 and not rest and close(one.got, torch.cat([one.expected] * times, dim=axis)):
                yield ("repeated", axis), one.expected


def say_axis_more(about, detail):
    how, axis = detail
    axis = _axis(axis, about.got_dims)
    if how == "repeated":
        return f"the right numbers stand several times along axis {axis}. Look for a `repeat`, `expand` or `cat`."
    if how == "all":
        where = f"along an axis too many, axis {axis}"
        return (
            f"the right numbers stand several times {where}. Look for a `stack`, an `expand`, or an axis of an operand."
        )
    take = f"`.select({axis}, {0 if how == 'first' else -1})`"
    return f"there is an axis too many, axis {axis}. What is asked for is the {how} along it: {take}."


def cut_off(one):
    """Where one axis is too long or too short, and all else is right: (axis, much, end, how many)."""
    same = one.got.dim() == one.expected.dim()
    differ = [axis for axis in axes(one.got) if same and one.got.shape[axis] != one.expected.shape[axis]]
    if len(differ) != 1:
        return
    [axis] = differ
    short, long = sorted((one.got, one.expected), key=lambda tensor: tensor.shape[axis])
    more = long.shape[axis] - short.shape[axis]
    for end, start in (("last", 0), ("first", more)):
        if close(long.narrow(axis, start, short.shape[axis]), short):
            much = "many" if long is one.got else "few"
            yield from (((axis, much, end, number), short) for number in (more, None))


def say_cut_off(about, detail):
    axis, much, end, number = detail
    part = about.part(axis)
    where, stops = ("end", "ends") if end == "last" else ("beginning", "begins")
    count = {1: f"one {part} is", None: f"{part}s are"}.get(number, f"{number} {part}s are")
    look = f"Look at where a range, a slice or a `cat` {stops}, or for a part that is left out."
    return f"{count} too {much} at the {where}, and the others are right. {look}"


def misread(one):
    """Where a `reshape` has cut the right numbers as if their axes stood in another order."""
    if same_numbers(one):
        for order in orders(one.expected):
            if close(one.got, ordered(one.expected, order).reshape(one.got.shape)):
                yield order, one.expected


def say_misread(about, order):
    turn = call(back(order), about.dims)
    return (
        "the right numbers stand in the wrong places: a `reshape` or `view` has cut them while the axes stood in "
        f"another order. {f'A `{turn}`' if turn else 'A `.permute(…)`'} is missing, before it or after it."
    )


def elsewhere(one):
    if one.expected.unique().numel() > 3 and same_numbers(one):
        yield None, one.expected


say_elsewhere = (
    "the right numbers are all there, in the wrong places. `reshape` and `view` only cut anew: look whether axes must "
    "change places before, with `transpose`, and along which axis `cat` or `stack` joins."
)

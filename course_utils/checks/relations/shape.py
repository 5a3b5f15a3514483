"""Relations of the axes: permuted, joined, cut, lost, added, or of the wrong length.

What a relation takes and yields, and what its `say_…` function returns, stands in the package's docstring. An order of
axes is a tuple of negative axes for `permute`, without the leading axes that stay.
"""

import itertools
import math

import torch

from ..outcome import close
from .numbers import axes, same_numbers

TAKEN = {  # ways to reduce an axis to length 1
    "first": lambda right, axis: right.narrow(axis, 0, 1),
    "last": lambda right, axis: right.narrow(axis, right.shape[axis] - 1, 1),
    "mean": lambda right, axis: right.mean(dim=axis, keepdim=True),
    "sum": lambda right, axis: right.sum(dim=axis, keepdim=True),
}
ENDS = ("first", "last")


def orders(tensor):
    """Return every order of a tensor's axes but the one it has, as a list; those that move the fewest axes come first.

    An order is a tuple of negative axes for `permute`, without the leading axes that stay.
    """
    count = tensor.dim()
    found = [order for order in itertools.permutations(range(count)) if order != tuple(range(count))]
    moved = [[axis for axis in range(count) if order[axis] != axis] for order in found]
    short = [tuple(axis - count for axis in order[these[0] :]) for order, these in zip(found, moved, strict=True)]
    return [order for _, order in sorted(zip(map(len, moved), short, strict=True))]


def ordered(tensor, order):
    """Return a tensor with its last axes permuted. order: the new order of these, a tuple of negative axes."""
    return tensor.permute((*range(tensor.dim() - len(order)), *order))


def back(order):
    """Return the order of axes that undoes an order. Both are tuples of negative axes for `permute`."""
    return tuple(order.index(axis) - len(order) for axis in range(-len(order), 0))


def call(order, dims):
    """Return the code that puts the axes into an order, such as ".transpose(1, 2)", or None.

    order: a tuple of negative axes, of the last ones. dims: how many axes there are; where it is None, only a swap of
    two axes can be written, and None comes back for others.
    """
    moved = [place for place, axis in zip(range(-len(order), 0), order, strict=True) if place != axis]
    if len(moved) == 2:
        return f".transpose({_axis(moved[0], dims)}, {_axis(moved[1], dims)})"
    if dims is None:
        return None
    return f".permute({', '.join(map(str, [*range(dims - len(order)), *(dims + axis for axis in order)]))})"


def _axis(axis, dims):
    """Return a negative axis counted from the front, or as it is where `dims`, the number of axes, is None."""
    return axis if dims is None else dims + axis


def turned(one):
    """Yield (order, expected numbers) for each order into which `permute` brings the expected axes to give the output.

    one: a Seen. order: a tuple of negative axes.
    """
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
    """Yield ((how, axis), numbers of one slice) if all slices along an axis are equal, and one made of the right ones.

    one: a Seen. how: a key of TAKEN, which says what each slice is: the "first" or "last" of the right ones, or their
    "mean" or "sum".
    """
    along = axes(one.expected) if one.got.shape == one.expected.shape else ()
    for axis, (how, take) in itertools.product(along, TAKEN.items()):
        taken = take(one.expected, axis)
        if close(one.got, taken.expand_as(one.got)) and (how in ENDS or not _all_same(taken)):
            yield (how, axis), taken


def _all_same(tensor):
    """Return whether all numbers of a tensor are equal."""
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
    """Yield ((repair, axis), expected numbers) if an axis of length 1 is too many or too few, and all else is right.

    one: a Seen. repair: the method that puts it right, "squeeze" or "unsqueeze". axis: its argument.
    """
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
    """Yield ((order, how, first, last), expected numbers) if a reshape of the output gives the right numbers.

    one: a Seen. order: of a permutation of the axes before the reshape, or (). how: "flatten" or "unflatten" of the
    axes from first to last, or "reshape".
    """
    squeezed = one.got.dim() < one.expected.dim() and one.got.squeeze().shape == one.expected.squeeze().shape
    if one.got.shape == one.expected.shape or squeezed or not same_numbers(one):
        return  # a message on the shapes explains a lost axis of length 1 better
    for order in [(), *orders(one.got)]:
        ours, theirs = ordered(one.got, order), one.expected
        if close(ours.reshape(theirs.shape), theirs):
            for how in (*_joined("flatten", ours.shape, theirs.shape), *_joined("unflatten", theirs.shape, ours.shape)):
                yield (order, *how), theirs
            yield (order, "reshape", 0, 0), theirs


def _joined(how, more, fewer):
    """Yield (how, first, last) if the axes of `more` from first to last, joined into one, give the shape `fewer`.

    how: a text that is passed on. more, fewer: shapes. first, last: axes counted from the end.
    """
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
    """Yield ((how, axis), numbers of the slice) if along an axis one slice came back, made of the right ones.

    one: a Seen. how: a key of TAKEN, which says what the slice is: the "first" or "last" of the right ones, or their
    "mean" or "sum".
    """
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
    """Yield ((how, axis), expected numbers) for an axis along which they stand several times, or once beside others.

    one: a Seen. how: "all" if a new axis holds nothing else, "first" or "last" if it holds them there, "repeated" if an
    axis that is expected is several times as long.
    """
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
    """Yield ((axis, much, end, number), the shared numbers) if one axis has a wrong length, and all else is right.

    one: a Seen. much: "many" if the axis is too long, "few" if it is too short. end: where the slices are too many or
    missing, "first" or "last". number: how many these are; then the same with None, for inputs on which it differs.
    """
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
    """Yield (order, expected numbers) for each order of axes whose numbers, cut anew by a `reshape`, are the output.

    one: a Seen. order: a tuple of negative axes, by which the expected output is permuted before the `reshape`.
    """
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
    """Yield (None, expected numbers) if the output holds all of them, and they have more than three distinct values.

    one: a Seen, whose output is wrong: so the numbers stand in the wrong places.
    """
    if one.expected.unique().numel() > 3 and same_numbers(one):
        yield None, one.expected


say_elsewhere = (
    "the right numbers are all there, in the wrong places. `reshape` and `view` only cut anew: look whether axes must "
    "change places before, with `transpose`, and along which axis `cat` or `stack` joins."
)

"""Relations of the axes. An order of axes is a permutation: a tuple of negative axes, without the first that stay."""

import itertools
import math

from ..outcome import close
from ..sentences import sentence, together
from .numbers import axes, same_numbers
from .wrong_output import About, WrongOutput

TAKEN = {  # ways to reduce an axis to length 1
    "first": lambda right, axis: right.narrow(axis, 0, 1),
    "last": lambda right, axis: right.narrow(axis, right.shape[axis] - 1, 1),
    "mean": lambda right, axis: right.mean(dim=axis, keepdim=True),
    "sum": lambda right, axis: right.sum(dim=axis, keepdim=True),
}
SPREAD = {
    "first": "In your {output}, each {part} is what the first alone should be. Look for an index that stays the same, "
    "or for what should make the {part}s differ.",
    "last": "In your {output}, each {part} is what the last alone should be. Look for an index that stays the same, or "
    "for what should make the {part}s differ.",
    "mean": "In your {output}, each {part} is the mean of all right {part}s. A `mean` without `dim` takes all numbers: "
    "name its axis, so that each {part} has its own. Where it has one, a second `mean` is too many.",
    "sum": "In your {output}, each {part} is the sum of all right {part}s. A `sum` without `dim` adds up all numbers: "
    "name its axis, so that each {part} has its own. Where it has one, a second `sum` is too many.",
}
LOST = {
    "first": "In your {output}, only the first {part} came back. Look for the index {slice}, a `return` inside of a "
    "loop, or a name that each round overwrites.",
    "last": "In your {output}, only the last {part} came back. Look for the index {slice}, a `return` inside of a "
    "loop, or a name that each round overwrites.",
    "mean": "In your {output}, the mean of all {part}s came back. A `mean` without `dim` takes all numbers: name "
    "its axis, so that each {part} has its own. Where it has one, a second `mean` is too many.",
    "sum": "In your {output}, the sum of all {part}s came back. A `sum` without `dim` adds up all numbers: name its "
    "axis, so that each {part} has its own. Where it has one, a second `sum` is too many.",
}
OF_ONE = {
    "squeeze": "In your {output}, an axis of length 1 is too many, and the numbers are right. `.squeeze({axis})` takes "
    "it away.",
    "unsqueeze": "In your {output}, an axis of length 1 is too few, and the numbers are right. `.unsqueeze({axis})` "
    "puts it in.",
}
CUT = {  # (whether the axis is too long, the end, whether by one) -> what is wrong
    (True, "last", True): "In your {output}, one {part} is too many at the end, and the others are right.",
    (True, "last", False): "In your {output}, {part}s are too many at the end, and the others are right.",
    (True, "first", True): "In your {output}, one {part} is too many at the beginning, and the others are right.",
    (True, "first", False): "In your {output}, {part}s are too many at the beginning, and the others are right.",
    (False, "last", True): "In your {output}, one {part} is too few at the end, and the others are right.",
    (False, "last", False): "In your {output}, {part}s are too few at the end, and the others are right.",
    (False, "first", True): "In your {output}, one {part} is too few at the beginning, and the others are right.",
    (False, "first", False): "In your {output}, {part}s are too few at the beginning, and the others are right.",
}
LOOK = {
    "last": "Look at where a range, a slice or a `cat` ends, or for a part that is left out.",
    "first": "Look at where a range, a slice or a `cat` begins, or for a part that is left out.",
}


def orders(tensor) -> list[tuple]:
    """Return every permutation of a tensor's axes but the identity, those with fewest moved axes first.

    A tuple has negative axes for `permute`, without the first ones that stay, such as (-1, -2) for a transpose.
    """
    stays = tuple(range(-tensor.dim(), 0))
    every = itertools.permutations(stays)
    moved = {order: [axis != stay for axis, stay in zip(order, stays, strict=True)] for order in every}
    return [order[moved[order].index(True) :] for order in sorted(moved, key=lambda order: sum(moved[order]))[1:]]


def ordered(tensor, order: tuple):
    """Return a tensor with its last axes permuted. order: negative axes, as in `orders`, or () for none."""
    return tensor.permute((*range(tensor.dim() - len(order)), *order))


def back(order: tuple) -> tuple:
    """Return the inverse of a permutation of axes. Both have negative axes, as in `orders`."""
    return tuple(order.index(axis) - len(order) for axis in range(-len(order), 0))


def call(order: tuple, dims: int | None) -> str:
    """Return the code of a permutation, negative axes as in `orders`, such as ".transpose(1, 2)".

    dims: the tensor's number of axes; if None, for unknown, the code has negative axes, or is ".permute(…)".
    """
    moved = [place for place, axis in zip(range(-len(order), 0), order, strict=True) if place != axis]
    if len(moved) == 2:
        return f".transpose({_axis(moved[0], dims)}, {_axis(moved[1], dims)})"
    if dims is None:
        return ".permute(…)"
    return f".permute({', '.join(map(str, [*range(dims - len(order)), *(dims + axis for axis in order)]))})"


def _axis(axis: int, dims: int | None) -> int:
    """Return a negative axis counted from the front; if `dims`, the number of axes, is None, return it as it is."""
    return axis if dims is None else dims + axis


def permuted(wrong: WrongOutput):
    """Yield (message, wrong.expected) for each permutation of axes that turns the right output into the wrong one."""
    if sorted(wrong.got.shape) == sorted(wrong.expected.shape):
        for order in orders(wrong.expected):
            if close(wrong.got, ordered(wrong.expected, order)):
                repair = sentence("`{code}` puts it right.", code=call(back(order), wrong.about.dims))
                if order != (-1, -2):
                    words = [wrong.about.sentence("In your {output}, the axes stand in another order."), repair]
                else:
                    words = [
                        wrong.about.sentence("In your {output}, rows and columns have changed places."),
                        *(["A row is a query, a column a key."] if wrong.about.is_map else []),
                        "Look for a transpose too many or too few, or two operands in each other's place.",
                        repair,
                    ]
                yield together(*words), wrong.expected


def spread(wrong: WrongOutput):
    """Yield (message, taken) for each axis along which every slice of the wrong output is the same tensor, `taken`.

    taken: the first, the last, the mean or the sum of the slices of the right output, as in TAKEN. A mean or a sum does
    not count if all its numbers are equal.
    """
    along = axes(wrong.expected) if wrong.got.shape == wrong.expected.shape else ()
    for axis, (how, take) in itertools.product(along, TAKEN.items()):
        taken = take(wrong.expected, axis)
        all_same = close(taken, taken.flatten()[0].expand_as(taken))
        if close(wrong.got, taken.expand_as(wrong.got)) and (how in LOOK or not all_same):
            yield wrong.about.sentence(SPREAD[how], axis=axis), taken


def axis_of_one(wrong: WrongOutput):
    """Yield (message, wrong.expected) for each axis of length 1 that, put in or taken out, repairs the wrong output."""
    ours, theirs = wrong.got, wrong.expected
    if ours.numel() == theirs.numel() and ours.shape != theirs.shape:
        for axis in axes(ours):
            if ours.shape[axis] == 1 and close(ours.squeeze(axis), theirs):
                yield wrong.about.sentence(OF_ONE["squeeze"], axis=_axis(axis, wrong.about.got_dims)), theirs
        for axis in (*axes(ours), -ours.dim() - 1):
            if close(ours.unsqueeze(axis), theirs):
                dims = wrong.about.got_dims and wrong.about.got_dims + 1
                yield wrong.about.sentence(OF_ONE["unsqueeze"], axis=_axis(axis, dims)), theirs


def regrouped(wrong: WrongOutput):
    """Yield (message, wrong.expected) for each call, such as `flatten`, that gives the wrong output the right shape.

    It may follow a permutation; the numbers must be right then. Yield none if the shapes are equal, or if only axes of
    length 1 are missing.
    """
    squeezed = wrong.got.dim() < wrong.expected.dim() and wrong.got.squeeze().shape == wrong.expected.squeeze().shape
    if wrong.got.shape == wrong.expected.shape or squeezed or not same_numbers(wrong):
        return  # a message on the shapes explains a lost axis of length 1 better
    for order in [(), *orders(wrong.got)]:
        ours, theirs = ordered(wrong.got, order), wrong.expected
        if close(ours.reshape(theirs.shape), theirs):
            turn = call(order, wrong.about.got_dims) if order else ""
            for words in _repairs(ours.shape, theirs.shape, turn, wrong.about):
                yield words, theirs


def _repairs(ours, theirs, turn: str, about: About):
    """Yield a sentence for each call of `flatten`, `unflatten` or `reshape` that makes the shape `theirs` of `ours`."""
    for first, last in _joined(ours, theirs):
        code = f"{turn}.flatten({_axis(first, about.got_dims)}, {_axis(last, about.got_dims)})"
        template = "In your {output}, axes must be joined, and the numbers are right: `{code}`."
        yield about.sentence(template, code=code)
    for first, last in _joined(theirs, ours):
        at = _axis(last, about.got_dims)
        template = "In your {output}, axis {at} must be cut into {pieces}, and the numbers are right: `{code}`."
        yield about.sentence(template, at=at, pieces=last - first + 1, code=f"{turn}.unflatten({at}, …)")
    template = "In your {output}, the numbers are right, and the shape is not: `{code}` to the shape that is asked for."
    yield about.sentence(template, code=f"{turn}.reshape(…)")


def _joined(more, fewer):
    """Yield (first, last), negative axes of the shape `more`: joining the axes from first to last gives `fewer`."""
    for first, last in itertools.combinations(range(len(more)), 2):
        if (*more[:first], math.prod(more[first : last + 1]), *more[last + 1 :]) == tuple(fewer):
            yield first - len(more), last - len(more)


def axis_lost(wrong: WrongOutput):
    """Yield (message, rest) for each axis that the wrong output has lost, or has with length 1, if it equals `rest`."""
    for axis, (how, take) in itertools.product(axes(wrong.expected), TAKEN.items()):
        kept = take(wrong.expected, axis)
        if close(wrong.got, kept) or close(wrong.got, kept.squeeze(axis)):
            yield wrong.about.sentence(LOST[how], axis=axis, index=-1 if how == "last" else 0), kept


def cut_off(wrong: WrongOutput):
    """Yield (message, shorter) if the wrong output only has too many or too few slices at one end of one axis.

    shorter: the shorter of the wrong and the right output. For one slice, yield a message that says so, then one
    without the number.
    """
    same = wrong.got.dim() == wrong.expected.dim()
    differ = [axis for axis in axes(wrong.got) if same and wrong.got.shape[axis] != wrong.expected.shape[axis]]
    if len(differ) != 1:
        return
    [axis] = differ
    short, long = sorted((wrong.got, wrong.expected), key=lambda tensor: tensor.shape[axis])
    more = long.shape[axis] - short.shape[axis]
    for end, start in (("last", 0), ("first", more)):
        if close(long.narrow(axis, start, short.shape[axis]), short):
            for by_one in sorted({more == 1, False}, reverse=True):  # by one on every input, else by any number
                yield together(wrong.about.sentence(CUT[long is wrong.got, end, by_one], axis=axis), LOOK[end]), short


def _misplaced(wrong: WrongOutput) -> bool:
    """Return whether a wrong output holds the right numbers in a wrong order, not only in a wrong shape."""
    return same_numbers(wrong) and not close(wrong.got, wrong.expected.reshape(wrong.got.shape))


def misread(wrong: WrongOutput):
    """Yield (message, wrong.expected) for each permutation that, with a `reshape` after it, gives the wrong output."""
    template = (
        "In your {output}, the right numbers stand in the wrong places: a `reshape` or `view` has cut them while the "
        "axes stood in another order. A `{code}` is missing, before it or after it."
    )
    for order in orders(wrong.expected) if _misplaced(wrong) else ():
        if close(wrong.got, ordered(wrong.expected, order).reshape(wrong.got.shape)):
            yield wrong.about.sentence(template, code=call(back(order), wrong.about.dims)), wrong.expected


def elsewhere(wrong: WrongOutput):
    """Yield (message, wrong.expected) if an output holds the right numbers, four or more distinct, in wrong places."""
    template = (
        "In your {output}, the right numbers are all there, in the wrong places. `reshape` and `view` only cut anew: "
        "look whether axes must change places before, with `transpose`, and along which axis `cat` or `stack` joins."
    )
    if wrong.expected.unique().numel() > 3 and _misplaced(wrong):
        yield wrong.about.sentence(template), wrong.expected

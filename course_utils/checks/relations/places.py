"""Relations in which right numbers stand in the wrong places, or are right in one part of the table alone.

What a relation takes and yields, and what its `say_…` function returns, stands in the package's docstring.
"""

import math

import torch

from ..outcome import close
from .numbers import axes, same_numbers

STEPS = (1, -1, 2, -2)
MOST_PARTS = 16  # slices along an axis, if each is compared with each
NAMES = {0: "first", -1: "last"}


def _along(one, at_least=2):
    """Return the axes with at least this length, as a list of negative numbers; [] if the output's shape is wrong.

    one: a Seen. at_least: the length.
    """
    same = one.got.shape == one.expected.shape
    return [axis for axis in axes(one.got) if one.got.shape[axis] >= at_least] if same else []


def reversed_along(one):
    """Yield (axis, expected numbers) for each axis along which the order is reversed. one: a Seen."""
    for axis in _along(one):
        if close(one.got, one.expected.flip(axis)):
            yield axis, one.expected


def say_reversed(about, axis):
    return (
        f"the {about.part(axis)}s stand in reversed order, the last comes first. Look for a `flip` along `dim={axis}`, "
        "or an index that counts from the wrong end."
    )


def rolled(one):
    """Yield ((axis, step), expected numbers) where the numbers are rolled along an axis by a step of STEPS.

    one: a Seen. What leaves at one end enters at the other.
    """
    for axis in _along(one, 3):
        for step in STEPS:
            if close(one.got, one.expected.roll(step, axis)):
                yield (axis, step), one.expected


def say_rolled(about, detail):
    return f"{_moved(about, *detail)} What falls out at one end comes in at the other. Look for a `roll`."


def shifted(one):
    """Yield ((axis, step), the numbers that are left) where they are moved along an axis by a step of STEPS.

    one: a Seen. It does not matter what fills the places that they have left.
    """
    for axis in _along(one):
        length = one.got.shape[axis]
        for step in STEPS:
            if abs(step) < length:
                kept = one.expected.narrow(axis, max(0, -step), length - abs(step))
                if close(one.got.narrow(axis, max(0, step), length - abs(step)), kept):
                    yield (axis, step), kept


def say_shifted(about, detail):
    look = "Look at where your range or slice begins"
    return f"{_moved(about, *detail)} {look}{', and at the `diagonal` of `tril`' if about.is_map else ''}."


def _moved(about, axis, step):
    """Return a sentence on how far everything is moved along an axis.

    about: an About. step: by how many slices; below 0 towards the beginning.
    """
    far = f"one {about.part(axis)}" if abs(step) == 1 else f"{abs(step)} {about.part(axis)}s"
    here, there = (0, step) if step > 0 else (-step, 0)
    moved = f"what belongs in {about.at(axis, here)} stands in {about.at(axis, there)}"
    return f"everything stands {far} too {'late' if step > 0 else 'early'}: {moved}."


def filled(one):
    """Yield ((axis, end), expected numbers) if only the first (0) or last (-1) slice is right, and the rest is 0.

    one: a Seen. (None, expected numbers) says that only the diagonal is right.
    """
    for axis in _along(one):
        length = one.got.shape[axis]
        for end, rest in ((0, 1), (-1, 0)):
            if (one.got.narrow(axis, rest, length - 1) == 0).all() and _right_at(one, axis, end):
                if (one.expected.narrow(axis, rest, length - 1) != 0).any():
                    yield (axis, end), one.expected
    if _is_square(one):
        diagonal = _diagonal(one)
        if (one.got[~diagonal] == 0).all() and close(one.got[diagonal], one.expected[diagonal]):
            if (one.expected[~diagonal] != 0).any():
                yield None, one.expected


def say_filled(about, detail):
    nothing = "`False`" if about.is_bool else "0"
    if detail is None:
        return f"the diagonal alone is filled, all else is {nothing}. Every row needs all of its columns."
    axis, end = detail
    alone = f"the {NAMES[end]} {about.part(axis)} alone, {about.at(axis, end)}, is filled, all else is {nothing}."
    if end == 0:
        return f"{alone} Your loop may end too early, or a `return` may stand inside of it."
    return f"{alone} What your loop fills may be made anew in each round, inside of the loop."


def except_diagonal(one):
    """Yield (None, the right numbers) if only the diagonal is wrong. one: a Seen."""
    if _is_square(one):
        yield from _all_but(one, _diagonal(one))


def say_except_diagonal(about, _):
    own = " There each token looks at itself." if about.is_map else ""
    return f"the diagonal alone is wrong.{own} Look at the `diagonal` of `tril` or `triu`, or at `<` and `<=`."


def except_slice(one):
    """Yield ((axis, end), the right numbers) if only the first (0) or the last (-1) slice along an axis is wrong.

    one: a Seen.
    """
    for axis in _along(one):
        for end, rest in ((0, 1), (-1, 0)):
            kept = one.expected.narrow(axis, rest, one.got.shape[axis] - 1)
            if close(one.got.narrow(axis, rest, one.got.shape[axis] - 1), kept):
                yield (axis, end), kept


def say_except_slice(about, detail):
    axis, end = detail
    edge = "begins too late" if end == 0 else "ends too early"
    return (
        f"the {NAMES[end]} {about.part(axis)} alone, {about.at(axis, end)}, is wrong. Look at the line that "
        f"makes it, and for a loop or a slice that {edge}."
    )


def only_slice(one):
    """Yield ((axis, end), its numbers) if one head or text, the first (0) or the last (-1), is right, and no other.

    one: a Seen. The axis is one before the last two.
    """
    for axis in _along(one):
        for end in (0, -1) if axis < -2 else ():
            if _right_at(one, axis, end) and sum(_right_at(one, axis, i) for i in range(one.got.shape[axis])) == 1:
                yield (axis, end), one.expected.select(axis, end)


def say_only_slice(about, detail):
    axis, end = detail
    return (
        f"the {NAMES[end]} {about.part(axis)} alone, {about.at(axis, end)}, is right. Look for an index or a "
        "mask that is used for all and fits this one, or for a case among the others that your code leaves out."
    )


def _right_at(one, axis, index):
    """Return whether the output of a Seen is right in the slice at an index of an axis."""
    return close(one.got.select(axis, index), one.expected.select(axis, index))


def _is_square(one):
    """Return whether the output of a Seen has the right shape, and its last two axes one length, which is not 1."""
    return one.got.shape == one.expected.shape and one.got.dim() > 1 and one.got.shape[-1] == one.got.shape[-2] > 1


def _diagonal(one):
    """Return the mask of the diagonal of a Seen's output: bool, with the output's shape, True on the diagonal."""
    return torch.eye(one.got.shape[-1], dtype=torch.bool).expand_as(one.got)


def _all_but(one, wrong):
    """Yield (None, the right numbers) if every number is right where `wrong` is False.

    one: a Seen. wrong: a bool mask of the output's shape.
    """
    if not wrong.all() and close(torch.where(wrong, one.expected, one.got), one.expected):
        yield None, one.expected[~wrong]


def in_another_order(one):
    """Yield (axis, expected numbers) for each axis along which all slices are the expected ones, in another order.

    one: a Seen.
    """
    for axis in _along(one) if same_numbers(one) else ():
        if one.got.shape[axis] > MOST_PARTS:
            continue
        ours, theirs = list(one.got.unbind(axis)), list(one.expected.unbind(axis))
        for mine in ours:
            match = next((i for i, right in enumerate(theirs) if close(mine, right)), None)
            if match is None:
                break
            theirs.pop(match)
        if not theirs:
            yield axis, one.expected


def say_in_another_order(about, axis):
    return (
        f"the {about.part(axis)}s are the right ones, in another order along `dim={axis}`. Look for a sort, or a "
        "loop, `stack` or `reshape` that lines them up otherwise."
    )


def off_the_triangle(one):
    """Yield (side, the right numbers) if all wrong numbers stand on one side of the diagonal, "above" or "below".

    one: a Seen.
    """
    if _is_square(one):
        ones = torch.ones_like(one.got, dtype=torch.bool)
        for side, wrong in (("above", ones.triu(1)), ("below", ones.tril(-1))):
            yield from ((side, right) for _, right in _all_but(one, wrong))


def say_off_the_triangle(about, side):
    who = {"above": "later", "below": "earlier"}[side]
    where = f", where a token looks at {who} ones" if about.is_map else ""
    return f"all that is wrong stands {side} the diagonal{where}. Look at what you do with that part of the table."


def too_much(one):
    """Yield (value, the right numbers) if only places are wrong that should hold the value, 0 or -inf, and do not.

    one: a Seen.
    """
    for value in (0.0, -math.inf) if one.got.shape == one.expected.shape else ():
        yield from ((value, right) for _, right in _all_but(one, (one.expected == value) & (one.got != value)))


def say_too_much(about, value):
    if about.is_bool:
        open_ = ": too much is open" if about.is_map else ""
        return f"some places are `True` that should be `False`, and none the other way round{open_}."
    return f"all is right but for places that should hold {value:g}. Look at what hides them, and when."


def too_little(one):
    """Yield (value, the right numbers) if only places are wrong that hold the value, 0 or -inf, and should not.

    one: a Seen.
    """
    for value in (0.0, -math.inf) if one.got.shape == one.expected.shape else ():
        yield from ((value, right) for _, right in _all_but(one, (one.got == value) & (one.expected != value)))


def say_too_little(about, value):
    if about.is_bool:
        hidden = ": too much is hidden" if about.is_map else ""
        return f"some places are `False` that should be `True`, and none the other way round{hidden}."
    return (
        f"all is right but for places that hold {value:g} and should not: a part is not filled, or too much is hidden."
    )

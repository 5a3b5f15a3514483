"""Relations in which right numbers stand in the wrong places, or are right in one part of the table alone."""

import itertools
import math

import torch

from ..outcome import close
from .numbers import axes, same_numbers

FIRST, LAST = 0, -1
MOST_PARTS = 16  # slices along an axis, if each is compared with each
MOVED = {  # by how many slices everything is moved -> what is wrong
    1: "In your {output}, everything stands one {part} too late: what belongs in {right} stands in {yours}.",
    -1: "In your {output}, everything stands one {part} too early: what belongs in {right} stands in {yours}.",
    2: "In your {output}, everything stands 2 {part}s too late: what belongs in {right} stands in {yours}.",
    -2: "In your {output}, everything stands 2 {part}s too early: what belongs in {right} stands in {yours}.",
}
FILLED = {
    FIRST: "In your {output}, the first {part} alone, {slice}, is filled, all else is {nothing}. Your loop may end too "
    "early, or a `return` may stand inside of it.",
    LAST: "In your {output}, the last {part} alone, {slice}, is filled, all else is {nothing}. What your loop fills "
    "may be made anew in each round, inside of the loop.",
}
WRONG = {
    FIRST: "In your {output}, the first {part} alone, {slice}, is wrong. Look at the line that makes it, and for a "
    "loop or a slice that begins too late.",
    LAST: "In your {output}, the last {part} alone, {slice}, is wrong. Look at the line that makes it, and for a loop "
    "or a slice that ends too early.",
}
RIGHT = {
    FIRST: "In your {output}, the first {part} alone, {slice}, is right.",
    LAST: "In your {output}, the last {part} alone, {slice}, is right.",
}
OFF = {  # (the side of the diagonal, whether a row belongs to a query) -> what is wrong
    ("on", True): "In your {output}, the diagonal alone is wrong. There each token looks at itself.",
    ("on", False): "In your {output}, the diagonal alone is wrong.",
    ("above", True): "In your {output}, all that is wrong stands above the diagonal, where a token looks at later "
    "ones.",
    ("above", False): "In your {output}, all that is wrong stands above the diagonal.",
    ("below", True): "In your {output}, all that is wrong stands below the diagonal, where a token looks at earlier "
    "ones.",
    ("below", False): "In your {output}, all that is wrong stands below the diagonal.",
}
OPEN = {  # what the output is -> what is wrong
    "numbers": "In your {output}, all is right but for places that should hold {value}. Look at what hides them, and "
    "when.",
    "mask": "In your {output}, some places are `True` that should be `False`, and none the other way round: too much "
    "is open.",
    "booleans": "In your {output}, some places are `True` that should be `False`, and none the other way round.",
}
HIDDEN = {
    "numbers": "In your {output}, all is right but for places that hold {value} and should not: a part is not filled, "
    "or too much is hidden.",
    "mask": "In your {output}, some places are `False` that should be `True`, and none the other way round: too much "
    "is hidden.",
    "booleans": "In your {output}, some places are `False` that should be `True`, and none the other way round.",
}


def _along(pair, at_least=2):
    """Return the output's axes with at least `at_least` slices, a list of negative ints; [] if its shape is wrong."""
    same = pair.got.shape == pair.expected.shape
    return [axis for axis in axes(pair.got) if pair.got.shape[axis] >= at_least] if same else []


def reversed_along(pair, about):
    """Yield (words, pair.expected) for each axis along which the output is `pair.expected` in reversed order."""
    template = (
        "In your {output}, the {part}s stand in reversed order, the last comes first. Look for a `flip` along "
        "`dim={axis}`, or an index that counts from the wrong end."
    )
    for axis in _along(pair):
        if close(pair.got, pair.expected.flip(axis)):
            yield about.sentence(template, axis=axis), pair.expected


def rolled(pair, about):
    """Yield (words, pair.expected) for each axis, over 2 long, and step in MOVED by which `roll` gives the output."""
    for axis, step in itertools.product(_along(pair, 3), MOVED):
        if close(pair.got, pair.expected.roll(step, axis)):
            look = "What falls out at one end comes in at the other. Look for a `roll`."
            yield f"{_moved(about, axis, step)} {look}", pair.expected


def shifted(pair, about):
    """Yield (words, the numbers still there) for each axis and step in MOVED by which the right slices are moved.

    Slices moved beyond the end are lost; anything may fill the places left empty. pair: a Comparison. about: an About.
    """
    for axis, step in itertools.product(_along(pair), MOVED):
        length = pair.got.shape[axis] - abs(step)
        if length > 0:
            kept = pair.expected.narrow(axis, max(0, -step), length)
            if close(pair.got.narrow(axis, max(0, step), length), kept):
                look = "Look at where your range or slice begins."
                if about.is_map:
                    look = "Look at where your range or slice begins, and at the `diagonal` of `tril`."
                yield f"{_moved(about, axis, step)} {look}", kept


def _moved(about, axis, step):
    """Return a sentence on how far everything is moved along an axis. step: by how many slices, a key of MOVED."""
    right, yours = about.at(axis, max(0, -step)), about.at(axis, max(0, step))
    return about.sentence(MOVED[step], axis=axis, right=right, yours=yours)


def _ends(pair):
    """Yield (axis, FIRST or LAST, output, expected), both without that end, for each axis of two slices or more."""
    for axis in _along(pair):
        for end, rest in ((FIRST, 1), (LAST, 0)):
            yield axis, end, *(side.narrow(axis, rest, side.shape[axis] - 1) for side in (pair.got, pair.expected))


def filled(pair, about):
    """Yield (words, pair.expected) if the end of an axis, or the diagonal, is right, and all else is 0, wrongly."""
    nothing = "`False`" if about.is_bool else "0"
    for axis, end, ours, theirs in _ends(pair):
        if (ours == 0).all() and _right_at(pair, axis, end) and (theirs != 0).any():
            yield about.sentence(FILLED[end], axis=axis, index=end, nothing=nothing), pair.expected
    if _is_square(pair):
        rest = ~_diagonal(pair)
        if close(pair.got, pair.expected.masked_fill(rest, 0)) and (pair.expected[rest] != 0).any():
            template = (
                "In your {output}, the diagonal alone is filled, all else is {nothing}. Every row needs all of its "
                "columns."
            )
            yield about.sentence(template, nothing=nothing), pair.expected


def only_slice(pair, about):
    """Yield (words, the slice) if, along an axis before the last two, the first slice alone, or the last, is right."""
    for axis, end in itertools.product(_along(pair), (FIRST, LAST)):
        if axis < -2 and _right_at(pair, axis, end):
            if sum(_right_at(pair, axis, index) for index in range(pair.got.shape[axis])) == 1:
                look = (
                    "Look for an index or a mask that is used for all and fits this one, or for a case among the "
                    "others that your code leaves out."
                )
                yield f"{about.sentence(RIGHT[end], axis=axis, index=end)} {look}", pair.expected.select(axis, end)


def except_slice(pair, about):
    """Yield (words, pair.expected without the slice) for each axis whose first slice alone, or last alone, is wrong."""
    for axis, end, ours, theirs in _ends(pair):
        if close(ours, theirs):
            yield about.sentence(WRONG[end], axis=axis, index=end), theirs


def _right_at(pair, axis, index):
    """Return whether the output is right in the slice at an index of an axis. pair: a Comparison of one shape."""
    return close(pair.got.select(axis, index), pair.expected.select(axis, index))


def _is_square(pair):
    """Return whether the output has the right shape, and its last two axes have one length, which is not 1."""
    shape = pair.got.shape
    return shape == pair.expected.shape and len(shape) > 1 and shape[-1] == shape[-2] > 1


def _diagonal(pair):
    """Return the mask of the diagonal of the output: bool, with the output's shape, True on the diagonal."""
    return torch.eye(pair.got.shape[-1], dtype=torch.bool).expand_as(pair.got)


def _all_but(wrong, pair, words):
    """Yield (words, pair.expected[~wrong]) if the output is right, somewhere, wherever the mask `wrong` is False."""
    if not wrong.all() and close(torch.where(wrong, pair.expected, pair.got), pair.expected):
        yield words, pair.expected[~wrong]


def except_diagonal(pair, about):
    """Yield (words, the expected numbers off the diagonal) if only the diagonal of the output is wrong.

    words: the sentence for the learner. The expected numbers are a 1-D tensor. An output of a wrong shape, or with last
    two axes of different lengths, yields nothing. pair: a Comparison. about: an About.
    """
    if _is_square(pair):
        look = "Look at the `diagonal` of `tril` or `triu`, or at `<` and `<=`."
        yield from _all_but(_diagonal(pair), pair, f"{about.sentence(OFF['on', about.is_map])} {look}")


def off_the_triangle(pair, about):
    """Yield (words, all other expected numbers) if the wrong numbers all stand above the diagonal, or all below it."""
    if _is_square(pair):
        everywhere = torch.ones_like(pair.got, dtype=torch.bool)
        for side, wrong in (("above", everywhere.triu(1)), ("below", everywhere.tril(-1))):
            look = "Look at what you do with that part of the table."
            yield from _all_but(wrong, pair, f"{about.sentence(OFF[side, about.is_map])} {look}")


def in_another_order(pair, about):
    """Yield (words, pair.expected) for each axis of MOST_PARTS or less on which the right slices change places."""
    template = (
        "In your {output}, the {part}s are the right ones, in another order along `dim={axis}`. Look for a sort, or a "
        "loop, `stack` or `reshape` that lines them up otherwise."
    )
    for axis in _along(pair) if same_numbers(pair) else ():
        if pair.got.shape[axis] > MOST_PARTS:
            continue
        theirs = list(pair.expected.unbind(axis))
        for mine in pair.got.unbind(axis):
            match = next((index for index, right in enumerate(theirs) if close(mine, right)), None)
            if match is None:
                break
            theirs.pop(match)
        if not theirs:
            yield about.sentence(template, axis=axis), pair.expected


def open_or_hidden(pair, about):
    """Yield (words, right numbers) if all wrong places should hold 0 and do not, or do and should not; or so with -inf.

    right numbers: those of `pair.expected` in all other places, 1-D. pair: a Comparison. about: an About.
    """
    if pair.got.shape != pair.expected.shape:
        return
    what = "numbers" if not about.is_bool else "mask" if about.is_map else "booleans"
    for ours, theirs, templates in ((pair.got, pair.expected, OPEN), (pair.expected, pair.got, HIDDEN)):
        for value in (0.0, -math.inf):
            places = {} if about.is_bool else {"value": f"{value:g}"}
            wrong = (theirs == value) & (ours != value)
            yield from _all_but(wrong, pair, about.sentence(templates[what], **places))

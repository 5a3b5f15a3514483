"""Relations in which right numbers stand in the wrong places, or are right in one part of the table alone."""

import itertools
import math

import torch

from ..outcome import close
from ..sentences import together
from .numbers import axes

FIRST, LAST = 0, -1
MOVED = {  # the step by which everything is moved -> what is wrong
    1: "In your {output}, everything stands one {part} too late: what belongs in {right} stands in {yours}.",
    -1: "In your {output}, everything stands one {part} too early: what belongs in {right} stands in {yours}.",
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
DIAGONAL = {  # whether a row belongs to a query -> what is wrong
    True: "In your {output}, the diagonal alone is wrong. There each token looks at itself.",
    False: "In your {output}, the diagonal alone is wrong.",
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


def _along(pair):
    """Return a list of the axes, negative ints, along which a Comparison's `got` has at least two slices.

    The list is empty if `got` and `expected` differ in shape. pair: the Comparison.
    """
    same = pair.got.shape == pair.expected.shape
    return [axis for axis in axes(pair.got) if same and pair.got.shape[axis] > 1]


def reversed_along(pair, about):
    """Yield (message, pair.expected) for each axis along which the wrong output is the right one in reversed order.

    pair: the Comparison of a wrong output, `got`, with the right one, `expected`. about: the About that words messages.
    """
    template = "In your {output}, the {part}s stand in reversed order along `dim={axis}`: the last comes first."
    for axis in _along(pair):
        if close(pair.got, pair.expected.flip(axis)):
            yield about.sentence(template, axis=axis), pair.expected


def shifted(pair, about):
    """Yield (message, kept) for each axis along which the wrong output is the right one moved by one slice.

    It may have moved either way. kept: the part of `expected` that is still there, a tensor. pair: the Comparison of a
    wrong output, `got`, with the right one, `expected`. about: the About that words messages.
    """
    for axis, step in itertools.product(_along(pair), MOVED):
        length, right, yours = pair.got.shape[axis] - 1, max(0, -step), max(0, step)
        kept = pair.expected.narrow(axis, right, length)
        if close(pair.got.narrow(axis, yours, length), kept):
            look = "Look at where your range or slice begins."
            if about.is_map:
                look = "Look at where your range or slice begins, and at the `diagonal` of `tril`."
            words = about.sentence(MOVED[step], axis=axis, right=about.at(axis, right), yours=about.at(axis, yours))
            yield together(words, look), kept


def _ends(pair):
    """Yield a Comparison's two tensors without the first slice, and without the last slice, of each axis in `_along`.

    Each time, yield (axis, end, got, expected): the negative axis, FIRST or LAST for the slice left out, and the two
    tensors without it. pair: the Comparison.
    """
    for axis in _along(pair):
        for end, rest in ((FIRST, 1), (LAST, 0)):
            yield axis, end, *(side.narrow(axis, rest, side.shape[axis] - 1) for side in (pair.got, pair.expected))


def filled(pair, about):
    """Yield (message, pair.expected) for each axis of which the first or the last slice alone is filled, and rightly.

    All else in the wrong output is 0 (or False), and should not be. Yield one more if so only the diagonal is filled.
    pair: the Comparison of a wrong output, `got`, with the right one, `expected`. about: the About that words messages.
    """
    nothing = "`False`" if about.is_bool else "0"
    for axis, end, ours, theirs in _ends(pair):
        if (ours == 0).all() and _right_at(pair, axis, end) and (theirs != 0).any():
            yield about.sentence(FILLED[end], axis=axis, index=end, nothing=nothing), pair.expected
    if _is_square(pair):
        rest = ~_diagonal(pair)
        if close(pair.got, pair.expected.masked_fill(rest, 0)) and (pair.expected[rest] != 0).any():
            template = (
                "In your {output}, the diagonal alone is filled, all else is {nothing}. Fill what else belongs into "
                "each row."
            )
            yield about.sentence(template, nothing=nothing), pair.expected


def except_slice(pair, about):
    """Yield (message, kept) for each axis along which the wrong output is wrong in its first or its last slice alone.

    kept: `expected` without that slice, a tensor. pair: the Comparison of a wrong output, `got`, with the right one,
    `expected`. about: the About that words messages.
    """
    for axis, end, ours, theirs in _ends(pair):
        if close(ours, theirs):
            yield about.sentence(WRONG[end], axis=axis, index=end), theirs


def _right_at(pair, axis, index):
    """Return whether a Comparison's two tensors, of one shape, agree in the slice at `index` along `axis`."""
    return close(pair.got.select(axis, index), pair.expected.select(axis, index))


def _is_square(pair):
    """Return whether a Comparison's two tensors have the same shape, and its last two sizes are equal, and not 1."""
    shape = pair.got.shape
    return shape == pair.expected.shape and len(shape) > 1 and shape[-1] == shape[-2] > 1


def _diagonal(pair):
    """Return a bool tensor that is True on the diagonal of the last two axes.

    pair: a Comparison, which gives the shape.
    """
    return torch.eye(pair.got.shape[-1], dtype=torch.bool).expand_as(pair.got)


def _all_but(wrong, pair, words):
    """Yield (words, pair.expected[~wrong]) if a Comparison's tensors agree wherever the bool tensor `wrong` is False.

    If it is False nowhere, yield nothing. words: the message for the learner.
    """
    if not wrong.all() and close(torch.where(wrong, pair.expected, pair.got), pair.expected):
        yield words, pair.expected[~wrong]


def except_diagonal(pair, about):
    """Yield (message, kept) if the wrong output is wrong only on the diagonal of its last two axes.

    kept: the numbers of `expected` off the diagonal, a 1-D tensor. pair: the Comparison of a wrong output, `got`, with
    the right one, `expected`. about: the About that words messages.
    """
    if _is_square(pair):
        look = "Look at the `diagonal` of `tril` or `triu`, or at `<` and `<=`."
        yield from _all_but(_diagonal(pair), pair, together(about.sentence(DIAGONAL[about.is_map]), look))


def open_or_hidden(pair, about):
    """Yield (message, kept) if the wrong output is wrong only where 0 should be, or only where it has a 0 by mistake.

    Then do the same for -inf in place of 0. kept: the numbers of `expected` in the other places, a 1-D tensor. pair:
    the Comparison of a wrong output, `got`, with the right one, `expected`. about: the About that words messages.
    """
    if pair.got.shape != pair.expected.shape:
        return
    what = "numbers" if not about.is_bool else "mask" if about.is_map else "booleans"
    for ours, theirs, templates in ((pair.got, pair.expected, OPEN), (pair.expected, pair.got, HIDDEN)):
        for value in (0.0, -math.inf):
            places = {} if about.is_bool else {"value": f"{value:g}"}
            wrong = (theirs == value) & (ours != value)
            yield from _all_but(wrong, pair, about.sentence(templates[what], **places))

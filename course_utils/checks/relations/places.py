"""Relations in which right numbers stand in the wrong places, or are right in one part of the table alone."""

import itertools
import math

import torch

from ..outcome import close
from ..sentences import together
from .numbers import axes
from .wrong_output import WrongOutput

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


def _along(wrong: WrongOutput) -> list[int]:
    """Return the axes, negative, along which the wrong output has at least two slices; [] if its shape is wrong."""
    same = wrong.got.shape == wrong.expected.shape
    return [axis for axis in axes(wrong.got) if same and wrong.got.shape[axis] > 1]


def reversed_along(wrong: WrongOutput):
    """Yield (message, wrong.expected) for each axis along which the wrong output is the right one in reversed order."""
    template = "In your {output}, the {part}s stand in reversed order along `dim={axis}`: the last comes first."
    for axis in _along(wrong):
        if close(wrong.got, wrong.expected.flip(axis)):
            yield wrong.about.sentence(template, axis=axis), wrong.expected


def shifted(wrong: WrongOutput):
    """Yield (message, kept) for each axis along which the wrong output is the right one moved by one slice."""
    for axis, step in itertools.product(_along(wrong), MOVED):
        length, right, yours = wrong.got.shape[axis] - 1, max(0, -step), max(0, step)
        kept = wrong.expected.narrow(axis, right, length)
        if close(wrong.got.narrow(axis, yours, length), kept):
            look = "Look at where your range or slice begins."
            if wrong.about.is_map:
                look = "Look at where your range or slice begins, and at the `diagonal` of `tril`."
            at = {"right": wrong.about.at(axis, right), "yours": wrong.about.at(axis, yours)}
            words = wrong.about.sentence(MOVED[step], axis=axis, **at)
            yield together(words, look), kept


def _ends(wrong: WrongOutput):
    """Yield (axis, end, got, expected) without the first slice, and without the last, of each axis in `_along`."""
    for axis in _along(wrong):
        for end, rest in ((FIRST, 1), (LAST, 0)):
            yield axis, end, *(side.narrow(axis, rest, side.shape[axis] - 1) for side in (wrong.got, wrong.expected))


def filled(wrong: WrongOutput):
    """Yield (message, wrong.expected) for each axis of which the first or the last slice alone is filled, and rightly.

    All else in the wrong output is 0 (or False), and should not be. Yield one more if so only the diagonal is filled.
    """
    nothing = "`False`" if wrong.about.is_bool else "0"
    for axis, end, ours, theirs in _ends(wrong):
        is_right = close(wrong.got.select(axis, end), wrong.expected.select(axis, end))
        if is_right and (ours == 0).all() and (theirs != 0).any():
            yield wrong.about.sentence(FILLED[end], axis=axis, index=end, nothing=nothing), wrong.expected
    if _is_square(wrong):
        rest = ~_diagonal(wrong)
        if close(wrong.got, wrong.expected.masked_fill(rest, 0)) and (wrong.expected[rest] != 0).any():
            template = (
                "In your {output}, the diagonal alone is filled, all else is {nothing}. Fill what else belongs into "
                "each row."
            )
            yield wrong.about.sentence(template, nothing=nothing), wrong.expected


def except_slice(wrong: WrongOutput):
    """Yield (message, kept) for each axis along which the output is wrong in its first or its last slice alone."""
    for axis, end, ours, theirs in _ends(wrong):
        if close(ours, theirs):
            yield wrong.about.sentence(WRONG[end], axis=axis, index=end), theirs


def _is_square(wrong: WrongOutput) -> bool:
    shape = wrong.got.shape
    return shape == wrong.expected.shape and len(shape) > 1 and shape[-1] == shape[-2] > 1


def _diagonal(wrong: WrongOutput) -> torch.Tensor:
    return torch.eye(wrong.got.shape[-1], dtype=torch.bool).expand_as(wrong.got)


def _all_but(places: torch.Tensor, wrong: WrongOutput, words: str):
    """Yield (words, wrong.expected[~places]) if an output is right wherever `places`, a bool tensor, is False."""
    if not places.all() and close(torch.where(places, wrong.expected, wrong.got), wrong.expected):
        yield words, wrong.expected[~places]


def except_diagonal(wrong: WrongOutput):
    """Yield (message, kept) if the output is wrong only on the diagonal of its last two axes."""
    if _is_square(wrong):
        look = "Look at the `diagonal` of `tril` or `triu`, or at `<` and `<=`."
        yield from _all_but(_diagonal(wrong), wrong, together(wrong.about.sentence(DIAGONAL[wrong.about.is_map]), look))


def open_or_hidden(wrong: WrongOutput):
    """Yield (message, kept) if an output is wrong only where 0, or -inf, should be, or stands by mistake."""
    if wrong.got.shape != wrong.expected.shape:
        return
    what = "numbers" if not wrong.about.is_bool else "mask" if wrong.about.is_map else "booleans"
    for ours, theirs, templates in ((wrong.got, wrong.expected, OPEN), (wrong.expected, wrong.got, HIDDEN)):
        for value in (0.0, -math.inf):
            shown = {} if wrong.about.is_bool else {"value": f"{value:g}"}
            places = (theirs == value) & (ours != value)
            yield from _all_but(places, wrong, wrong.about.sentence(templates[what], **shown))

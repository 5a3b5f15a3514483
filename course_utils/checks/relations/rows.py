"""Relations of whole rows: a softmax or division too many or too few; rows, heads or tables that are all the same."""

import torch

from ..outcome import close
from .numbers import axes
from .wrong_output import WrongOutput

LINES = {-1: "row", -2: "column"}  # what a sum along an axis adds up
NOT_DIVIDED = {  # what the sums add up -> what is wrong
    "lines": "In your {output}, the {part}s are not divided by their own sums, so they do not add up to 1. As the last "
    "step, divide by `.sum(dim={axis}, keepdim=True)`.",
    "numbers": "In your {output}, the numbers along `dim={axis}` are not divided by their own sums, so they do not add "
    "up to 1. As the last step, divide by `.sum(dim={axis}, keepdim=True)`.",
}
DIVIDED = {
    "lines": "In your {output}, the {part}s are divided by their sums, and the numbers before that are asked for.",
    "numbers": "In your {output}, the numbers along `dim={axis}` are divided by their sums, and the numbers before "
    "that are asked for.",
}
SUMS = {  # the axis along which the numbers add up to 1 -> what is wrong
    (-2, -1): "In your {output}, all numbers of a table together add up to 1. Each row should: divide along `dim=-1`.",
    -2: "In your {output}, the columns add up to 1, and the rows do not. Look at the `dim` of the softmax, or of the "
    "sum: `dim=-1`.",
    -3: "In your {output}, the numbers along `dim={axis}` add up to 1, and the rows do not. Look at the `dim` of the "
    "softmax, or of the sum: `dim=-1`.",
}
SOFTMAX = {  # whether it is taken twice -> what is wrong
    True: "In your {output}, softmax is taken twice. What comes out of it are the weights already: leave the second "
    "away.",
    False: "In your {output}, softmax is taken, and the numbers before it are asked for. Leave it away.",
}
EQUAL = {  # what all numbers are -> what is wrong
    "bool": "In your {output}, all is `{value}`. Look for a comparison that always comes out the same, or a part that "
    "is missing.",
    "zero": "In your {output}, all is 0. Look whether what you return is what you fill; and a tensor of whole numbers "
    "cuts 0.9 to 0.",
    "other": "In your {output}, all numbers are the same. What should tell them apart is lost on the way, or not used "
    "at all.",
}
ALIKE = {  # what is equal -> what is wrong
    "places": "In your {output}, all places of a row are the same. Something before treats them alike: a sum or a mean "
    "taken too early, one line that fills the whole row, or numbers that were never put in.",
    "numbers": "In your {output}, all numbers of a row are the same. Something before treats them alike: a sum or a "
    "mean taken too early, one line that fills the whole row, or numbers that were never put in.",
    "slices": "In your {output}, all {part}s are the same. What should make them differ is missing: an index, a "
    "length, or the scores.",
}

REPEATED = (
    "In your {output}, the same {part} stands several times along `dim={axis}`. Once is asked for: leave this axis at "
    "length 1, without `expand` or `repeat`."
)


def softmax(numbers):
    """Return the softmax of a tensor along the last axis."""
    return numbers.softmax(dim=-1)


def softmax_too_many(wrong: WrongOutput):
    """Yield (message, wrong.expected) if the wrong output is the softmax of the right one along the last axis."""
    if close(wrong.got, softmax(wrong.expected)):
        yield wrong.about.sentence(SOFTMAX[_adds_up(wrong.expected, -1)]), wrong.expected


def divided(wrong: WrongOutput):
    """Yield (message, wrong.expected) for each axis along which a division by the sums is missing, or is too many."""
    for ours, theirs, templates in ((wrong.got, wrong.expected, NOT_DIVIDED), (wrong.expected, wrong.got, DIVIDED)):
        for axis in axes(ours):
            if close(ours / ours.sum(dim=axis, keepdim=True), theirs):
                template = templates["lines" if axis in LINES else "numbers"]
                yield wrong.about.sentence(template, axis=axis, part=LINES.get(axis)), wrong.expected


def all_equal(wrong: WrongOutput):
    """Yield (message, wrong.expected) if all numbers of the output are equal, two or more, and its shape is right."""
    value = wrong.got.flatten()[0]
    if wrong.got.shape == wrong.expected.shape and wrong.got.numel() > 1 and (wrong.got == value).all():
        if wrong.about.is_bool:
            yield wrong.about.sentence(EQUAL["bool"], value=bool(value)), wrong.expected
        else:
            yield wrong.about.sentence(EQUAL["other" if value else "zero"]), wrong.expected


def slices_alike(wrong: WrongOutput):
    """Yield (message, wrong.expected) for each axis along which all slices of the output are wrongly equal."""
    if wrong.got.shape == wrong.expected.shape:
        for axis in axes(wrong.got):
            if wrong.got.shape[axis] > 1 and _same_along(wrong.got, axis) and not _same_along(wrong.expected, axis):
                what = "slices" if axis < -1 else "places" if wrong.about.is_bool else "numbers"
                yield wrong.about.sentence(ALIKE[what], axis=axis), wrong.expected


def repeated(wrong: WrongOutput):
    """Yield (message, wrong.expected) if the output repeats the right one along an axis, which should have length 1."""
    got, expected = wrong.got, wrong.expected
    if got.dim() == expected.dim() and got.numel() > expected.numel():
        longer = [axis for axis in axes(got) if got.shape[axis] != expected.shape[axis]]
        if len(longer) == 1 and expected.shape[longer[0]] == 1 and close(got, expected.expand_as(got)):
            yield wrong.about.sentence(REPEATED, axis=longer[0]), expected


def _same_along(tensor: torch.Tensor, axis: int) -> bool:
    return close(tensor, tensor.narrow(axis, 0, 1).expand_as(tensor))


def sums_elsewhere(wrong: WrongOutput):
    """Yield (message, wrong.expected) for each axis along which an output sums to 1, where only the last should.

    The axes tried are all but the last, and the last two together. The sums of the right output must be 1 along the
    last axis, where those of the wrong one are not, and not along the axis tried.
    """
    if wrong.got.shape == wrong.expected.shape and wrong.got.dim() > 1:
        if _adds_up(wrong.expected, -1) and not _adds_up(wrong.got, -1):
            for axis in (*axes(wrong.got)[1:], (-2, -1)):
                if _adds_up(wrong.got, axis) and not _adds_up(wrong.expected, axis):
                    yield wrong.about.sentence(SUMS.get(axis, SUMS[-3]), axis=axis), wrong.expected


def _adds_up(tensor, axis) -> bool:
    sums = tensor.sum(dim=axis)
    return close(sums, torch.ones_like(sums))

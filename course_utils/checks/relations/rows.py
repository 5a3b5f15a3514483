"""Relations of whole rows: a softmax or division too many or too few; rows, heads or tables that are all the same.

What a relation takes and yields, and what its `say_…` function returns, stands in the package's docstring.
"""

import torch

from ..outcome import close
from .numbers import axes


def softmax(numbers):
    """Return the softmax of a tensor along the last axis."""
    return numbers.softmax(dim=-1)


def softmax_too_many(one):
    """Yield (twice, expected numbers) if the output is the softmax of the expected output. one: a Seen.

    twice: whether the expected rows add up to 1, and so are the result of a softmax already.
    """
    if close(one.got, softmax(one.expected)):
        yield _adds_up(one.expected, -1), one.expected


def say_softmax_too_many(about, twice):
    if twice:
        return "softmax is taken twice. What comes out of it are the weights already: leave the second away."
    return "softmax is taken, and the numbers before it are asked for. Leave it away."


def not_divided(one):
    """Yield (axis, expected numbers) for each axis along which the output, divided by its sum, is the expected one.

    one: a Seen, with the output and the expected one. The axis is counted from the end: -1 is the last.
    """
    for axis in axes(one.got):
        if close(one.got / one.got.sum(dim=axis, keepdim=True), one.expected):
            yield axis, one.expected


def say_not_divided(about, axis):
    return (
        f"the {_lines(axis)} not divided by their own sums, so they do not add up to 1. As the last step, divide "
        f"by `.sum(dim={axis}, keepdim=True)`."
    )


def divided(one):
    """Yield (axis, expected numbers) for each axis along which the output is the expected one, divided by its sum.

    one: a Seen. The axis is counted from the end: -1 is the last.
    """
    for axis in axes(one.expected):
        if close(one.got, one.expected / one.expected.sum(dim=axis, keepdim=True)):
            yield axis, one.expected


def say_divided(about, axis):
    return f"the {_lines(axis)} divided by their sums, and the numbers before that are asked for."


def _lines(axis):
    """Return the words for the numbers that a sum along an axis adds up, with their verb: "rows are" for -1."""
    return {-1: "rows are", -2: "columns are"}.get(axis, f"numbers along `dim={axis}` are")


def all_equal(one):
    """Yield (whether all is 0, expected numbers) if all numbers of the output are equal. one: a Seen."""
    if one.got.shape == one.expected.shape and one.got.numel() > 1 and (one.got == one.got.flatten()[0]).all():
        yield float(one.got.flatten()[0]) == 0, one.expected


def say_all_equal(about, is_zero):
    if about.is_bool:
        return (
            f"all is `{not is_zero}`. Look for a comparison that always comes out the same, or a part that is missing."
        )
    if is_zero:
        return "all is 0. Look whether what you return is what you fill; and a tensor of whole numbers cuts 0.9 to 0."
    return "all numbers are the same. What should tell them apart is lost on the way, or not used at all."


def rows_alike(one):
    """Yield (-1, expected numbers) if the numbers within each row of the output are equal and should not be.

    one: a Seen.
    """
    yield from _alike(one, [-1])


def say_rows_alike(about, _):
    what = "places" if about.is_bool else "numbers"
    return (
        f"all {what} of a row are the same. Something before treats them alike: a sum or a mean taken too early, one "
        "line that fills the whole row, or numbers that were never put in."
    )


def slices_alike(one):
    """Yield (axis, expected numbers) for each axis but the last along which all slices are equal and should not be.

    one: a Seen. The axis is counted from the end.
    """
    yield from _alike(one, axes(one.got)[1:])


def say_slices_alike(about, axis):
    part = about.part(axis)
    return f"all {part}s are the same. What should make them differ is missing: an index, a length, or the scores."


def _alike(one, among):
    """Yield (axis, expected numbers) for each of some axes along which all slices are equal and should not be.

    one: a Seen. among: these axes, negative numbers.
    """
    if one.got.shape == one.expected.shape:
        for axis in among:
            if -axis <= one.got.dim() and one.got.shape[axis] > 1 and _same_along(one.got, axis):
                if not _same_along(one.expected, axis):
                    yield axis, one.expected


def _same_along(tensor, axis):
    """Return whether all slices of a tensor along an axis are equal."""
    return close(tensor, tensor.narrow(axis, 0, 1).expand_as(tensor))


def sums_elsewhere(one):
    """Yield (axis, expected numbers) for each axis along which the numbers add up to 1 in place of the rows.

    one: a Seen. For whole tables, the axis is (-2, -1).
    """
    if one.got.shape == one.expected.shape and one.got.dim() > 1:
        if _adds_up(one.expected, -1) and not _adds_up(one.got, -1):
            for axis in (*axes(one.got)[1:], (-2, -1)):
                if _adds_up(one.got, axis) and not _adds_up(one.expected, axis):
                    yield axis, one.expected


def _adds_up(tensor, axis):
    """Return whether all sums of a tensor along an axis, or along a tuple of axes, are 1."""
    sums = tensor.sum(dim=axis)
    return close(sums, torch.ones_like(sums))


def say_sums_elsewhere(about, axis):
    if axis == (-2, -1):
        return "all numbers of a table together add up to 1. Each row should: divide along `dim=-1`."
    what = "columns add" if axis == -2 else f"numbers along `dim={axis}` add"
    return f"the {what} up to 1, and the rows do not. Look at the `dim` of the softmax, or of the sum: `dim=-1`."

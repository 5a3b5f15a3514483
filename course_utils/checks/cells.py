"""Cut two tensors to the small tables around their first difference, and write each cell as what it is."""

import math
from typing import NamedTuple

import torch

from .outcome import in_float64, tolerance
from .sentences import Sentence, sentence, together

SIDE = 8  # the most rows and columns of a tensor that are shown
DECIMALS = (2, 4, 8, 12, 16)  # the first with which all cells that differ look different
CUT = "Of {size} rows you see {first} to {last}.", "Of {size} columns you see {first} to {last}."
LARGE = 1e6  # a fraction from here on, such as the lowest number of float32, is written with a power of ten


class Tables(NamedTuple):
    """Two matrices to show. numbers: [expected, got]. words: their cells as text. marks: which of these differ.

    title: what they are, and what differs. cut: sentences on what of them is shown, [] if all is. rows, columns: the
    names or indices of both. named: whether the rows have names of their own.
    """

    title: Sentence
    cut: list[Sentence]
    numbers: list
    words: list
    marks: torch.Tensor
    rows: list
    columns: list
    named: bool


def tables(pair, columns: int) -> Tables:
    """Return the Tables of a Pair with tensors of one shape, none of which is empty.

    They are the first two matrices that differ, cut to SIDE rows, and to as many columns as `columns` says, around the
    first difference.
    """
    sides, where = [pair.expected, pair.got], []
    while sides[0].dim() > 2:
        index = next((i for i, rows in enumerate(zip(*sides, strict=True)) if _differs(*rows).any()), 0)
        sides, where = [side[index] for side in sides], [*where, str(index)]
    if named := bool(pair.places):
        sides = [side[:, None] for side in sides]
    while sides[0].dim() < 2:
        sides = [side[None] for side in sides]
    marks = _differs(*sides)
    first = marks.nonzero()[0].tolist() if marks.any() else (0, 0)
    lengths = (len(pair.places) or SIDE, columns)
    down, along = (_window(*each) for each in zip(sides[0].shape, first, lengths, strict=True))
    title, cut = together(*_title(pair, where, marks.any())), list(_cut((down, along), sides[0].shape))
    sides, marks = [side[down][:, along] for side in sides], marks[down][:, along]
    rows, columns = (list(range(part.start, part.stop)) for part in (down, along))
    rows, columns = (list(pair.places), [""]) if named else (list(map(str, rows)), columns)
    numbers, words = [in_float64(side) for side in sides], _words(pair, sides, marks)
    return Tables(title, cut, numbers, words, marks, rows, columns, named)


def _window(size: int, first: int, most: int) -> slice:
    """Return the slice of an axis that is shown: from its beginning, or around `first`, if that lies farther on."""
    start = 0 if first < most else min(first - most // 2, size - most)
    return slice(start, min(start + most, size))


def _title(pair, where: list[str], differ: bool):
    """Yield the sentences above two tables: what they are, and what differs."""
    if where:
        template = "{name} on {label}, at index {where}."
        yield sentence(template, name=pair.words, label=pair.label, where=", ".join(where))
    else:
        yield sentence("{name} on {label}.", name=pair.words, label=pair.label)
    if differ:
        yield "≠ marks what differs."
    else:
        template = "No number differs, the dtype does: {theirs} is asked for, {ours} came back."
        yield sentence(template, theirs=pair.expected.dtype, ours=pair.got.dtype)


def _cut(window: tuple[slice, slice], shape):
    """Yield a sentence for the rows, and one for the columns, if not all of them are shown."""
    for template, part, size in zip(CUT, window, shape, strict=True):
        if part.stop - part.start < size:
            yield sentence(template, size=size, first=part.start, last=part.stop - 1)


def _differs(expected: torch.Tensor, got: torch.Tensor) -> torch.Tensor:
    return ~torch.isclose(in_float64(got), in_float64(expected), **tolerance(got, expected))


def _words(pair, sides: list, marks: torch.Tensor) -> list:
    """Return the cells of [expected, got] as text: with so many decimals that cells that differ look different."""
    expected, got = sides
    is_whole = bool((pair.expected == in_float64(pair.expected).round()).all())
    has_point = expected.is_floating_point() != got.is_floating_point()  # 1. is no whole number, and no True
    near = (marks & ((in_float64(expected) - in_float64(got)).abs() < 0.01)).any()
    for decimals in DECIMALS[bool(near) :]:
        words = [
            [[_word(cell, is_whole, has_point, decimals) for cell in row] for row in side.tolist()] for side in sides
        ]
        pairs = zip(*(sum(side, []) for side in words), marks.flatten().tolist(), strict=True)
        if not any(mark and ours == theirs for ours, theirs, mark in pairs):
            break
    return words


def _word(number, is_whole: bool, has_point: bool, decimals: int) -> str:
    """Return a number as text. is_whole: whether whole numbers are asked for. has_point: how a whole float ends."""
    if isinstance(number, complex):
        return f"{number:.{decimals}f}"
    if isinstance(number, int) or not math.isfinite(number):  # True is an int
        return str(number)
    if is_whole and number.is_integer() and abs(number) < 10 ** DECIMALS[-1]:
        return f"{number + 0:.0f}{'.' if has_point else ''}"
    return f"{number:.{decimals + 2}g}" if abs(number) >= LARGE else f"{number:.{decimals}f}"

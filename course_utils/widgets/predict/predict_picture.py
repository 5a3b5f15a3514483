"""The static picture of a Predict view before the guess, for pages in which no script runs."""

import textwrap

from course_utils import inputs
from course_utils.widgets.shared.svg import length, rect, text

WIDTH = 600  # pixels
LETTER = 15
ROW = 26
OUTLINE = 'fill="none" stroke="#777777" stroke-width="1.5"'
CENTRED = 'text-anchor="middle"'


def question_picture(question, form, labels, columns):
    """Return (SVG elements, a str; width; height), in pixels, of a question with its choices, empty bars or cells.

    question: a str. form: "choice", "bars" or "cells". labels: those of the choices, bars or rows, and columns: those
    of the columns of cells, both lists of strs.
    """
    lines = textwrap.wrap(question, 68)
    top = 12 + 21 * len(lines)
    room = {"choice": ROW * len(labels), "bars": 95, "cells": ROW * (len(labels) + 1)}[form]
    parts = [text(6, 20 + 21 * i, line, LETTER) for i, line in enumerate(lines)]
    parts += {"choice": _choices, "bars": _bars, "cells": _cells}[form](top, labels, columns)
    return "".join(parts), WIDTH, top + room + 10


def _choices(top, labels, columns):
    """Yield a circle with its label for each of the labels, from `top` (pixels) down, as SVG; columns is not used."""
    for i, label in enumerate(labels):
        y = top + ROW * i
        yield f'<circle cx="14.5" cy="{y + 9.5}" r="6.5" {OUTLINE}/>' + text(29, y + 14, label, LETTER)


def _bars(top, labels, columns):
    """Yield SVG for each label: an empty bar, from `top` (pixels) down, and the label below it. They stand in a row."""
    wide = min(60, (WIDTH - 12) / len(labels))
    for i, label in enumerate(labels):
        x = 6 + wide * i
        size = max(7, min(13, 1.7 * wide / max(1, inputs.width(label))))
        yield rect(x + 0.15 * wide, top, 0.7 * wide, 70, OUTLINE) + text(x + wide / 2, top + 87, label, size, CENTRED)


def _cells(top, labels, columns):
    """Yield the SVG elements of a table of empty cells, from `top` (pixels) down, below its columns' labels."""
    left = 12 + max(length(label, 13) for label in labels)
    wide = max(23, max(length(label, 13) for label in columns) + 8)
    for j, label in enumerate(columns):
        yield text(left + wide * (j + 0.5), top + 16, label, 13, CENTRED)
    for i, label in enumerate(labels):
        y = top + ROW * (i + 1)
        yield text(left - 5, y + 16, label, 13, 'text-anchor="end"')
        yield from (rect(left + wide * j, y, wide - 2, ROW - 2, OUTLINE) for j in range(len(columns)))

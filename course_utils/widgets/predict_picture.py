"""The static picture of a Predict view before the guess, for pages in which no script runs."""

import textwrap

from PIL import Image, ImageDraw

from course_utils import inputs
from course_utils.widgets.lettering import length, write

WIDTH = 1200  # pixels, two for each pixel of the page
INK, LINE = "#111111", "#777777"
LETTER = 30
ROW = 52


def question_image(question, form, labels, columns):
    """Return a PIL image of the question with its choices, empty bars or empty cells.

    form: "choice", "bars" or "cells". labels, columns: as in Predict.
    """
    lines = textwrap.wrap(question, 68)
    top = 24 + 42 * len(lines)
    room = {"choice": ROW * len(labels), "bars": 190, "cells": ROW * (len(labels) + 1)}[form]
    page = Image.new("RGB", (WIDTH, top + room + 20), "white")
    draw = ImageDraw.Draw(page)
    for i, line in enumerate(lines):
        write(draw, (12, 12 + 42 * i), line, LETTER, INK)
    {"choice": _choices, "bars": _bars, "cells": _cells}[form](draw, top, labels, columns)
    return page


def _choices(draw, top, labels, columns):
    """Draw a circle with its label for each choice, from `top` (pixels) down; draw: an ImageDraw."""
    for i, label in enumerate(labels):
        y = top + ROW * i
        draw.ellipse((16, y + 6, 42, y + 32), outline=LINE, width=3)
        write(draw, (58, y), label, LETTER, INK)


def _bars(draw, top, labels, columns):
    """Draw an empty bar for each label, side by side, from `top` (pixels) down; draw: an ImageDraw."""
    wide = min(120, (WIDTH - 24) / len(labels))
    for i, label in enumerate(labels):
        x = 12 + wide * i
        draw.rectangle((x + 0.15 * wide, top, x + 0.85 * wide, top + 140), outline=LINE, width=3)
        size = max(14, min(26, int(1.7 * wide / max(1, inputs.width(label)))))
        write(draw, (x + wide / 2, top + 150), label, size, INK, anchor="ma")


def _cells(draw, top, labels, columns):
    """Draw a table of empty cells, with its labels, from `top` (pixels) down; draw: an ImageDraw."""
    left = 24 + max(length(label, 26) for label in labels)
    wide = max(46, max(length(label, 26) for label in columns) + 16)
    for j, label in enumerate(columns):
        write(draw, (left + wide * (j + 0.5), top + 8), label, 26, INK, anchor="ma")
    for i, label in enumerate(labels):
        y = top + ROW * (i + 1)
        write(draw, (left - 10, y + 8), label, 26, INK, anchor="ra")
        for j in range(len(columns)):
            x = left + wide * j
            draw.rectangle((x, y, x + wide - 4, y + ROW - 4), outline=LINE, width=3)

"""A question that waits for a guess, as a picture for where no script runs."""

import textwrap

from PIL import Image, ImageDraw

from course_utils.widgets.view import letters

WIDTH = 1200  # twice as large as it is shown
INK, LINE = "#111111", "#777777"
LETTER = 30
ROW = 52


def drawn(question, form, labels, columns):
    """Returns a PIL image: the question, and its choices, empty bars or empty cells."""
    lines = textwrap.wrap(question, 68)
    top = 24 + 42 * len(lines)
    room = {"choice": ROW * len(labels), "bars": 190, "cells": ROW * (len(labels) + 1)}[form]
    page = Image.new("RGB", (WIDTH, top + room + 20), "white")
    draw = ImageDraw.Draw(page)
    for i, line in enumerate(lines):
        draw.text((12, 12 + 42 * i), line, fill=INK, font=letters(LETTER))
    {"choice": _choices, "bars": _bars, "cells": _cells}[form](draw, top, labels, columns)
    return page


def _choices(draw, top, labels, columns):
    for i, label in enumerate(labels):
        y = top + ROW * i
        draw.ellipse((16, y + 6, 42, y + 32), outline=LINE, width=3)
        draw.text((58, y), label, fill=INK, font=letters(LETTER))


def _bars(draw, top, labels, columns):
    wide = min(120, (WIDTH - 24) / len(labels))
    for i, label in enumerate(labels):
        x = 12 + wide * i
        draw.rectangle((x + 0.15 * wide, top, x + 0.85 * wide, top + 140), outline=LINE, width=3)
        size = max(14, min(26, int(1.7 * wide / max(1, len(label)))))
        draw.text((x + wide / 2, top + 150), label, fill=INK, font=letters(size), anchor="ma")


def _cells(draw, top, labels, columns):
    left = 24 + max(letters(26).getlength(label) for label in labels)
    wide = max(46, max(letters(26).getlength(label) for label in columns) + 16)
    for j, label in enumerate(columns):
        draw.text((left + wide * (j + 0.5), top + 8), label, fill=INK, font=letters(26), anchor="ma")
    for i, label in enumerate(labels):
        y = top + ROW * (i + 1)
        draw.text((left - 10, y + 8), label, fill=INK, font=letters(26), anchor="ra")
        for j in range(len(columns)):
            x = left + wide * j
            draw.rectangle((x, y, x + wide - 4, y + ROW - 4), outline=LINE, width=3)

"""Heatmaps as a picture, for where no script runs: many small ones on one scale, and large ones with their names."""

import numpy as np
from PIL import Image, ImageDraw

from course_utils import look
from course_utils.widgets.view import letters

SIDE, SMALL_SIDE = 330, 104  # pixels
LETTER = 15
GAP = 18


def drawn(small, large, high, rows, columns, query=None):
    """Returns a PIL image of matrices (num_rows, num_columns), light, on one scale from 0 to high.

    small, large: dicts from a title to a matrix; a single small one is left out. rows, columns: the names at the large
    ones, whose row `query` is framed.
    """
    maps = [_labelled(matrix, rows, columns, high, query, title) for title, matrix in large.items()]
    parts = [_montage(small, high), *maps] if len(small) > 1 else maps
    wide = sum(part.width for part in parts) + GAP * (len(parts) - 1)
    page, left = Image.new("RGB", (wide, max(part.height for part in parts)), "white"), 0
    for part in parts:
        page.paste(part, (left, 0))
        left += part.width + GAP
    return page


def _pixels(matrices, high):
    table = np.frombuffer(look.table(look.WEIGHTS_MAP), "u1").reshape(2, 256, 3)[0]  # the light one
    steps = np.nan_to_num(matrices / (high or 1) * 255).clip(0, 255).round().astype(int)
    return np.where(np.isnan(matrices)[..., None], 0xBF, table[steps]).astype("u1")


def _montage(titled, high):
    matrices = np.stack(list(titled.values()))
    count, rows, columns = matrices.shape
    cell = max(1, SMALL_SIDE // max(rows, columns))
    across = min(count, 4 if count <= 16 else 12)
    wide, tall = columns * cell + 14, rows * cell + 30
    pixels = _pixels(matrices, high)
    page = Image.new("RGB", (across * wide, -(-count // across) * tall), "white")
    draw = ImageDraw.Draw(page)
    for index, title in enumerate(titled):
        x, y = index % across * wide + 7, index // across * tall + 23
        page.paste(Image.fromarray(pixels[index]).resize((columns * cell, rows * cell), Image.NEAREST), (x, y))
        draw.text((x, y - 20), title, fill="black", font=letters(LETTER))
    return page


def _labelled(matrix, row_names, column_names, high, query, title):
    rows, columns = matrix.shape
    cell = max(1, min(40, SIDE // max(rows, columns)))
    left, below = (10 + max(letters(LETTER).getlength(_short(name)) for name in names)
                   for names in (row_names, column_names))  # fmt: skip
    left, top, wide, tall = int(left), 22, columns * cell, rows * cell
    page = Image.new("RGB", (left + wide + 60, top + tall + int(below)), "white")
    page.paste(Image.fromarray(_pixels(matrix, high)).resize((wide, tall), Image.NEAREST), (left, top))
    draw = ImageDraw.Draw(page)
    draw.text((left, 2), title, fill="black", font=letters(LETTER))
    every = -(-LETTER // cell)  # where cells are smaller than letters, only every so many are named
    for i in range(0, rows, every):
        at = left - 6, top + (i + 0.5) * cell
        draw.text(at, _short(row_names[i]), fill="black", font=letters(LETTER), anchor="rm")
    for i in range(0, columns, every):
        name = _turned(_short(column_names[i]))
        page.paste(name, (int(left + (i + 0.5) * cell - name.width / 2), top + tall + 5))
    if query is not None:
        frame = left, top + query * cell, left + wide - 1, top + (query + 1) * cell - 1
        draw.rectangle(frame, outline=look.COLOURS["chosen"].light, width=2)
    _draw_scale(page, left + wide + 10, top, tall, high)
    return page


def _draw_scale(page, x, top, tall, high):
    strip = _pixels(np.linspace(high, 0, 64)[:, None], high)
    page.paste(Image.fromarray(strip).resize((10, tall)), (x, top))
    draw = ImageDraw.Draw(page)
    for value, y, anchor in ((high, top, "la"), (0, top + tall, "ld")):
        draw.text((x + 14, y), f"{value:.2f}", fill="black", font=letters(LETTER), anchor=anchor)


def _turned(text):
    """A name that reads upwards."""
    name = Image.new("RGB", (int(letters(LETTER).getlength(text)) + 1, LETTER + 4), "white")
    ImageDraw.Draw(name).text((0, 0), text, fill="black", font=letters(LETTER))
    return name.transpose(Image.Transpose.ROTATE_90)


def _short(name):
    return name if len(name) <= 12 else f"{name[:11]}…"

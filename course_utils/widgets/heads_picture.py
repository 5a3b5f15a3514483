"""The static picture of a view of heads, for pages in which no script runs: small heatmaps, and large labelled ones."""

import numpy as np
from PIL import Image, ImageDraw

from course_utils import fonts, inputs, theme
from course_utils.widgets.lettering import length, write

SIDE, SMALL_SIDE = 330, 104  # pixels
LETTER = 15
GAP = 18


def heads_image(small, large, high, rows, columns, query=None):
    """Return a PIL image of heatmaps, in the colours of the light theme and on one scale from 0 to `high`.

    small, large: dicts from a title to a matrix (num_rows, num_columns); a single small one is left out. rows, columns:
    the labels of the large ones. query: the number of the row that is framed in the large ones, or None. A large matrix
    of dtype bool is drawn as a mask, with closed cells hatched.
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
    """Return the colours of values from 0 to `high`, as an array (..., 3) of uint8: red, green, blue; nan is grey.

    matrices: an array (...).
    """
    table = np.frombuffer(theme.table(theme.WEIGHTS_MAP), "u1").reshape(2, 256, 3)[0]  # the colours of the light theme
    colours = table[theme.places(np.nan_to_num(matrices), 0, high)]
    return np.where(np.isnan(matrices)[..., None], 0xBF, colours).astype("u1")


def _montage(titled, high):
    """Return a PIL image of small heatmaps in a grid, each with its title above.

    titled: dict from a title to a matrix, all of one shape. high: the upper end of the scale.
    """
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
        write(draw, (x, y - 20), title, LETTER)
    return page


def _labelled(matrix, row_names, column_names, high, query, title):
    """Return a PIL image of one large heatmap, with labels, a scale, and a frame around one row.

    matrix: (num_rows, num_columns); of dtype bool, it is drawn as a mask, without a scale. row_names, column_names: the
    labels. high: the upper end of the scale. query: the number of the framed row, or None. title: the text above.
    """
    rows, columns = matrix.shape
    cell = max(1, min(40, SIDE // max(rows, columns)))
    every = -(-LETTER // cell)  # if cells are smaller than letters, only every n-th has a label
    row_names, column_names = (list(map(_short, names)) for names in (row_names, column_names))
    left, below = (max(length(name, LETTER) for name in names) for names in (row_names, column_names))
    flat = max(map(inputs.width, column_names)) <= 2 and below + 4 < every * cell
    left, below = left + 10, (LETTER if flat else below) + 10
    left, top, wide, tall = int(left), 22, columns * cell, rows * cell
    page = Image.new("RGB", (left + wide + 60, top + tall + int(below)), "white")
    is_mask, draw = matrix.dtype == bool, ImageDraw.Draw(page)
    if is_mask:
        page.paste(_hatched(matrix, cell), (left, top))
    else:
        page.paste(Image.fromarray(_pixels(matrix, high)).resize((wide, tall), Image.NEAREST), (left, top))
    write(draw, (left, 2), title, LETTER)
    for i in range(0, rows, every):
        at = left - 6, top + (i + 0.5) * cell
        write(draw, at, row_names[i], LETTER, anchor="rm")
    for i in range(0, columns, every):
        name = _named(column_names[i], flat)
        page.paste(name, (int(left + (i + 0.5) * cell - name.width / 2), top + tall + 5))
    if query is not None:
        frame = left, top + query * cell, left + wide - 1, top + (query + 1) * cell - 1
        draw.rectangle(frame, outline=theme.COLOURS["chosen"].light, width=2)
    if not is_mask:
        _draw_scale(page, left + wide + 10, top, tall, high)
    return page


def _hatched(mask, cell):
    """Return a PIL image of a mask, whose closed cells are hatched.

    mask: a bool array (rows, columns), True = open. cell: the side of a cell in pixels.
    """
    rows, columns = mask.shape
    page = Image.new("RGB", (columns * cell, rows * cell), theme.COLOURS["masked"].light)
    draw = ImageDraw.Draw(page)
    for start in range(-page.height, page.width, 7):
        draw.line((start, page.height, start + page.height, 0), fill=theme.COLOURS["hatch"].light)
    for row, column in np.argwhere(mask):
        x, y = column * cell, row * cell
        draw.rectangle((x, y, x + cell - 1, y + cell - 1), fill=theme.COLOURS["open"].light)
    for row in range(1, rows):
        draw.line((0, row * cell, page.width, row * cell), fill="white")
    for column in range(1, columns):
        draw.line((column * cell, 0, column * cell, page.height), fill="white")
    return page


def _draw_scale(page, x, top, tall, high):
    """Draw the colour scale from 0 to `high` into a PIL image, `tall` pixels high; x, top: its corner, in pixels."""
    strip = _pixels(np.linspace(high, 0, 64)[:, None], high)
    page.paste(Image.fromarray(strip).resize((10, tall)), (x, top))
    draw = ImageDraw.Draw(page)
    for value, y, anchor in ((high, top, "la"), (0, top + tall, "ld")):
        write(draw, (x + 14, y), f"{value:.2f}", LETTER, anchor=anchor)


def _named(text, flat):
    """Return a PIL image of a column's label, horizontal if `flat`, otherwise turned to be read upwards."""
    name = Image.new("RGB", (int(length(text, LETTER)) + 1, LETTER + 4), "white")
    write(ImageDraw.Draw(name), (0, 0), text, LETTER)
    return name if flat else name.transpose(Image.Transpose.ROTATE_90)


def _short(name):
    """Return a label whose characters can all be drawn, cut to a width of 12 letters."""
    return inputs.cut(fonts.drawable(name), 12)

"""The static picture of a view of heads, for pages in which no script runs: small heatmaps, and large labelled ones."""

import base64
import io

import numpy as np
from PIL import Image, ImageColor

from course_utils import inputs, theme
from course_utils.widgets.shared.svg import MARK, length, moved, rect, text

SIDE, SMALL_SIDE = 330, 104  # pixels
LETTER = 15
GAP = 18
HATCHING = (
    '<pattern id="hatching" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path d="M0 0v5" stroke="var(--av-hatch)"/></pattern>'
)


def heads_picture(small, large, high, rows, columns, query=None):
    """Return (SVG elements, a str; width; height), in pixels, of heatmaps, all on one scale from 0 to `high`.

    small, large: dicts from a title to an array (num_rows, num_columns); a single small one is left out. rows, columns:
    the labels of the large ones. query: the index of the row that is framed in the large ones, or None. A large array
    of dtype bool is drawn as a mask, with closed cells (False) hatched.
    """
    maps = [_labelled(matrix, rows, columns, high, query, title) for title, matrix in large.items()]
    parts = [_montage(small, high), *maps] if len(small) > 1 else maps
    inside, left = f"<style>{theme.EITHER}</style>", 0
    for part, width, _ in parts:
        inside += moved(left, 0, part)
        left += width + GAP
    return inside, left - GAP, max(height for *_, height in parts)


def cells(matrix, high):
    """Return two PNG images of a matrix, [bytes for a light page, bytes for a dark one], with a pixel for each value.

    matrix: array (rows, columns), values from 0 to `high`, nan drawn grey.
    """
    index = np.where(np.isnan(matrix), 255, theme.places(np.nan_to_num(matrix), 0, high).clip(0, 254)).astype("u1")
    image, pages = Image.fromarray(index), []
    for colours, nan in zip(np.split(_table(), 2), theme.COLOURS["nan"], strict=True):
        image.putpalette([*colours[:255].ravel().tolist(), *ImageColor.getrgb(nan)])
        image.save(page := io.BytesIO(), "png")
        pages.append(page.getvalue())
    return pages


def _table():
    """Return the colours of weights as a uint8 array (512, 3), red, green, blue: for a light page, then a dark one."""
    return np.frombuffer(theme.table(theme.WEIGHTS_MAP), "u1").reshape(-1, 3)


def _drawn(matrix, cell, high):
    """Return a matrix as two SVG <image> elements, a str, for a light and a dark page; CSS shows one of them."""
    size = f'width="{matrix.shape[1] * cell}" height="{matrix.shape[0] * cell}" preserveAspectRatio="none"'
    return "".join(
        f'<image class="{page}" {size} style="image-rendering:pixelated" '
        f'href="data:image/png;base64,{base64.b64encode(png).decode()}"/>'
        for page, png in zip(("light", "dark"), cells(matrix, high), strict=True)
    )


def _montage(titled, high):
    """Return (SVG elements, a str; width; height), in pixels, of small heatmaps in a grid, on one scale."""
    rows, columns = next(iter(titled.values())).shape
    cell = max(1, SMALL_SIDE // max(rows, columns))
    across = min(len(titled), 4 if len(titled) <= 16 else 12)
    wide, tall = columns * cell + 14, rows * cell + 30
    parts = [
        moved(i % across * wide + 7, i // across * tall + 23, _drawn(matrix, cell, high) + text(0, -6, title, LETTER))
        for i, (title, matrix) in enumerate(titled.items())
    ]
    return "".join(parts), across * wide, -(-len(titled) // across) * tall


def _labelled(matrix, row_names, column_names, high, query, title):
    """Return (SVG elements, a str; width; height), in pixels, of a heatmap with labels and a scale, or of a mask."""
    rows, columns = matrix.shape
    cell = max(1, min(40, SIDE // max(rows, columns)))
    every = -(-LETTER // cell)  # if cells are smaller than letters, only every n-th has a label
    row_names, column_names = ([inputs.cut(name, 12) for name in names] for names in (row_names, column_names))
    left, below = (max(length(name, LETTER) for name in names) for names in (row_names, column_names))
    flat = max(map(inputs.width, column_names)) <= 2 and below + 4 < every * cell
    left, below = int(left + 10), int((LETTER if flat else below) + 10)
    wide, tall = columns * cell, rows * cell
    is_mask = matrix.dtype == bool
    parts = [text(0, -6, title, LETTER), _mask(matrix, cell) if is_mask else _drawn(matrix, cell, high)]
    for i in range(0, rows, every):
        parts.append(text(-6, (i + 0.5) * cell + 5, row_names[i], LETTER, 'text-anchor="end"'))
    for i in range(0, columns, every):
        x, y = ((i + 0.5) * cell, tall + 18) if flat else ((i + 0.5) * cell + 5, tall + 5)
        look = 'text-anchor="middle"' if flat else f'text-anchor="end" transform="rotate(-90 {x:g} {y:g})"'
        parts.append(text(x, y, column_names[i], LETTER, look))
    if query is not None:
        parts.append(rect(1, query * cell + 1, wide - 2, cell - 2, f'fill="none" stroke="{MARK}" stroke-width="2"'))
    parts += [] if is_mask else [_scale(wide + 10, tall, high)]
    return moved(left, 22, "".join(parts)), left + wide + 60, 22 + tall + below


def _mask(mask, cell):
    rows, columns = mask.shape
    back = rect(0, 0, columns * cell, rows * cell, 'fill="var(--av-masked)"')
    fills = np.where(mask, "var(--av-open)", "url(#hatching)")
    squares = [rect(j * cell, i * cell, cell, cell, f'fill="{fill}"') for (i, j), fill in np.ndenumerate(fills)]
    return f'{HATCHING}{back}<g stroke="#ffffff">{"".join(squares)}</g>'


def _scale(x, tall, high):
    colours = [bytes(colour).hex() for colour in _table()[np.linspace(255, 0, 9).astype(int)]]
    stops = "".join(f'<stop offset="{i / 8}" stop-color="#{colour}"/>' for i, colour in enumerate(colours))
    bar = rect(x, 0, 10, tall, 'fill="url(#scale)"')
    ends = text(x + 14, 13, f"{high:.2f}", LETTER) + text(x + 14, tall - 1, "0.00", LETTER)
    return f'<linearGradient id="scale" x2="0" y2="1">{stops}</linearGradient>{bar}{ends}'

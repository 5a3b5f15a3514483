"""Draw the stages of a reshape as tables of cells, for the ShapeTracer's page."""

import re
from itertools import product

from course_utils import theme

LETTERS = "abcdef"  # one for each token
CELL, STEP = 28, 32  # pixels: the side of a cell, and the distance from one cell to the next
MOST_ROWS = 12  # rows of cells below one another, after which a new column of tables begins


def place(axes, indices):
    """Return the place of a cell in words, such as "head 0, row b, column 1".

    axes: their names, such as BY_HEAD. indices: one for each of them, or for the first few.
    """
    return ", ".join(f"{axis} {_name(axis, index)}" for axis, index in zip(axes, indices, strict=False))


def _name(axis, index):
    """Return the name of an index along an axis: a letter for a row, which is a token, and else the number."""
    return LETTERS[index] if axis == "row" else str(index)


def layout(title, code, axes, numbers, d_out):
    """Return the drawing of a stage: a dict of its texts, its size in pixels, and all cells and labels with positions.

    title, code: texts above the cells. axes: the names of the axes of `numbers`. numbers: a tensor (rows, columns), or
    (tables, rows, columns) for several tables below one another. d_out: numbers per token.
    """
    in_tables = numbers.dim() == 3
    tables = numbers if in_tables else numbers[None]
    count, rows, columns = tables.shape
    left, top = 16 if axes[-2] == "row" else 64, 20 if in_tables else 4
    wide, tall = left + columns * STEP + 14, top + rows * STEP + 6
    down = min(count, max(1, MOST_ROWS // rows))
    cells, labels = [], []
    for indices in product(*map(range, tables.shape)):
        table, row, column = indices
        x, y = table // down * wide, table % down * tall
        at = place(axes, indices if in_tables else indices[1:])
        number = int(tables[table, row, column])
        cells.append(_cell(number, x + left + column * STEP, y + top + row * STEP, at, d_out))
        if row == column == 0 and in_tables:
            labels.append((x + left, y + 14, place(axes, indices[:1])))
        if column == 0:
            labels.append((x + 2, y + top + row * STEP + 19, place(axes[-2:], [row]).removeprefix("row ")))
    width, height = wide * -(-count // down) - 10, tall * down
    return dict(
        title=title, code=code, shape=str(tuple(numbers.shape)), cells=cells, labels=labels, columns=columns,
        width=width, height=height,
    )  # fmt: skip


def html(stage):
    """Return the HTML of one stage in the split and merge of heads: its title, its code, its shape and its cells.

    stage: a dict of `_layout`. In the browser, shapes.js marks the chosen number among the cells.
    """
    title, code, shape = stage["title"], stage["code"], stage["shape"]
    labels = "".join(f'<text x="{x}" y="{y}">{words}</text>' for x, y, words in stage["labels"])
    cells = "".join(_html_cell(index, cell) for index, cell in enumerate(stage["cells"]))
    return (
        f'<div class="av-shapes" role="slider" tabindex="0" aria-label="{title} {code}, shape {shape}" '
        f'aria-valuemin="0" aria-valuemax="{len(stage["cells"]) - 1}" data-columns="{stage["columns"]}">'
        f"<b>{title}</b><code>{code}</code><code>{shape}</code>"
        f'<svg width="{stage["width"]}" height="{stage["height"]}" fill="currentColor">{labels}{cells}</svg>'
        "<small></small></div>"
    )


def _html_cell(index, cell):
    """Return the SVG of a cell, a dict of `_cell`; index: its number in the stage."""
    x, y, at = cell["x"], cell["y"], re.sub(r" (?=\w+(,|$))", "\u00a0", cell["at"])  # no line break in "column 1"
    return (
        f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{cell["fill"]}" data-n="{cell["number"]}" '
        f'data-i="{index}" data-at="{at}"/>'
        f'<text x="{x + CELL // 2}" y="{y + 18}" fill="{cell["ink"]}">{cell["name"]}</text>'
    )


def wide(stage):
    """Return the width of a stage, a dict of `_layout`, in the static picture: that of its cells or of its code.

    The width is in pixels, with the space beside it.
    """
    return max(stage["width"], 7 * len(stage["code"])) + 24


def _cell(number, x, y, at, d_out):
    """Return a dict of a number's cell: its position, its name, and its colours.

    The fill is the colour of its token, lighter for lower features; the ink is black or white, whichever has more
    contrast. number: its index in the input. x, y: in pixels. at: the place in words. d_out: numbers per token.
    """
    token, feature = divmod(number, d_out)
    colour = theme.feature_colour(token, feature, d_out)
    fill = "#" + "".join(f"{part:02x}" for part in colour)
    return dict(number=number, x=x, y=y, at=at, fill=fill, ink=theme.ink(colour), name=f"{LETTERS[token]}{feature}")

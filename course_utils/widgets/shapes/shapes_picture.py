"""Draw the stages of a reshape as tables of cells, for the ShapeTracer's page."""

import re
from itertools import product
from typing import NamedTuple

from course_utils import theme
from course_utils.language import say

LETTERS = "abcdef"  # one for each token
CELL, STEP = 28, 32  # pixels: the side of a cell, and the distance from one cell to the next
PLACES = {"head": "head {name}", "row": "row {name}", "column": "column {name}"}  # from an axis to a place on it
MOST_ROWS = 12  # rows of cells below one another, after which a new column of tables begins


class Stage(NamedTuple):
    """The drawing of a stage of a reshape.

    title, code, shape: the texts above the cells. columns: cells in a row of a table. last: the index of the last cell.
    width, height: of the cells with their labels, in pixels. svg: their SVG; shapes.js marks the chosen number in it.
    """

    title: str
    code: str
    shape: str
    columns: int
    last: int
    width: int
    height: int
    svg: str


def place(axes, indices):
    """Return the place of a cell in words, such as "head 0, row b, column 1".

    axes: the names of axes, such as BY_HEAD in shapes.py. indices: one for each axis, or for the first few alone.
    """
    names = [LETTERS[index] if axis == "row" else str(index) for axis, index in zip(axes, indices, strict=False)]
    return say(", ").join(say(PLACES[axis], name=name) for axis, name in zip(axes, names, strict=False))


def draw_stage(title, code, axes, numbers, d_out):
    """Draw the numbers of a stage of a reshape as tables of cells in SVG; return a Stage, which `html` takes.

    title, code: texts above the cells. axes: the names of the axes of `numbers`. numbers: a tensor (rows, columns), or
    (tables, rows, columns) for several tables; each number is its index in the input. d_out: numbers per token.
    """
    in_tables = numbers.dim() == 3
    tables = numbers if in_tables else numbers[None]
    count, rows, columns = tables.shape
    left, top = 16 if axes[-2] == "row" else 64, 20 if in_tables else 4
    wide, tall = left + columns * STEP + 14, top + rows * STEP + 6
    down = min(count, max(1, MOST_ROWS // rows))
    cells, labels = [], []
    for index, indices in enumerate(product(*map(range, tables.shape))):
        table, row, column = indices
        x, y = table // down * wide, table % down * tall
        at = place(axes, indices if in_tables else indices[1:])
        cells.append(_cell(index, int(tables[indices]), x + left + column * STEP, y + top + row * STEP, at, d_out))
        if row == column == 0 and in_tables:
            labels.append((x + left, y + 14, place(axes, indices[:1])))
        if column == 0:
            labels.append(
                (x + 2, y + top + row * STEP + 19, LETTERS[row] if axes[-2] == "row" else place(axes[-2:], [row]))
            )
    names = [f'<text x="{x}" y="{y}">{words}</text>' for x, y, words in labels]
    size = wide * -(-count // down) - 10, tall * down
    return Stage(title, code, str(tuple(numbers.shape)), columns, len(cells) - 1, *size, "".join(names + cells))


def html(stage):
    """Return the HTML of a Stage, a str: its title, code, shape and cells in a <div> with the role of a slider."""
    title, code, shape, columns, last, width, height, svg = stage
    label = say("{title} {code}, shape {shape}", title=title, code=code, shape=shape)
    return (
        f'<div class="av-shapes" role="slider" tabindex="0" aria-label="{label}" '
        f'aria-valuemin="0" aria-valuemax="{last}" data-columns="{columns}">'
        f"<b>{title}</b><code>{code}</code><code>{shape}</code>"
        f'<svg width="{width}" height="{height}" fill="currentColor">{svg}</svg><small></small></div>'
    )


def _cell(index, number, x, y, at, d_out):
    """Return the SVG, a str, of the cell of a number in the colour of its token, lighter for lower features."""
    token, feature = divmod(number, d_out)
    colour = theme.feature_colour(token, feature, d_out)
    at = re.sub(r" (?=\w+(,|$))", "\u00a0", at)  # no line break in "column 1"
    return (
        f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="#{bytes(colour).hex()}" data-n="{number}" '
        f'data-i="{index}" data-at="{at}"/>'
        f'<text x="{x + CELL // 2}" y="{y + 18}" fill="{theme.ink(colour)}">{LETTERS[token]}{feature}</text>'
    )

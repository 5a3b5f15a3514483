"""Figures of how heads are split and merged, the right way and a tempting wrong way, with every number in sight."""

from typing import NamedTuple

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from course_utils import theme
from course_utils.fonts import say
from course_utils.plots.common import PAGE_WIDTH, blank, with_caption

LETTERS = "abcdef"  # one for each token
MOST_FEATURES = 8
FOREIGN = theme.COLOURS["wrong"].light  # the frame of a row that holds numbers of another token
TITLES, HEAD = 0.9, 0.25  # inches: the space above a stage for its title, and above each table for its name
SIDE, APART = 1.0, 2.6  # in cells: the space at the left for row labels, and between stages


class Stage(NamedTuple):
    """A stage of the reshape, drawn as one table or as several tables below one another.

    title: the lines above it. numbers: (rows, columns), or (tables, rows, columns) with a table for each head or, if
    per_token, for each token. Each number is its own index in the input, counted row by row.
    """

    title: str
    numbers: np.ndarray
    per_token: bool = False  # each table is a token, and each row of it a head

    @property
    def tables(self):
        """Return the numbers as an array with three axes, (tables, rows, columns), also if there is only one table."""
        return self.numbers[None] if self.numbers.ndim == 2 else self.numbers


def split_paths(num_tokens=4, num_heads=2, head_dim=3, *, caption=None):
    """Draw how an input (num_tokens, d_out) is split into a table for each head, with and without the transpose.

    The wrong way is a `view` straight to (num_heads, num_tokens, head_dim). A number has the colour of its token, more
    saturated for higher features, and keeps its name at every stage; rows with numbers of another token are framed.
    num_tokens: 1 to 6. num_heads: at least 1. head_dim: at least 3; num_heads * head_dim is at most 8. caption: a text
    (default: how many rows the wrong way mixes). Returns a matplotlib Figure. Errors: ValueError for other sizes.
    """
    x = _input(num_tokens, num_heads, head_dim)
    split, per_head = x.reshape(num_tokens, num_heads, head_dim), (num_heads, num_tokens, head_dim)
    stages = [
        Stage(f"{say('input')}\n{x.shape}", x),
        Stage(f"{say('right, step 1')}\n.view{split.shape}", split, per_token=True),
        Stage(f"{say('right, step 2')}\n.transpose(-3, -2)\n{per_head}", split.swapaxes(0, 1)),
        Stage(f"{say('wrong')}\n.view{per_head}", x.reshape(per_head)),
    ]
    return _draw(stages, x.shape[-1], caption, "view")


def merge_paths(num_tokens=4, num_heads=2, head_dim=3, *, caption=None):
    """Draw how the tables of the heads are merged to (num_tokens, d_out) again, with and without the transpose.

    The wrong way is a `reshape` without a transpose. num_tokens: 1 to 6. num_heads: at least 1. head_dim: at least 3;
    num_heads * head_dim is at most 8. caption: a text (default: how many rows the wrong way mixes). Colours and frames:
    as in split_paths. Returns a matplotlib Figure. Errors: ValueError for other sizes.
    """
    x = _input(num_tokens, num_heads, head_dim)
    rows = x.reshape(num_tokens, num_heads, head_dim)
    heads = rows.swapaxes(0, 1)
    stages = [
        Stage(f"{say('heads')}\n{heads.shape}", heads),
        Stage(f"{say('right, step 1')}\n.transpose(-3, -2)\n{rows.shape}", rows, per_token=True),
        Stage(f"{say('right, step 2')}\n.reshape{x.shape}", x),
        Stage(f"{say('wrong')}\n.reshape{x.shape}", heads.reshape(x.shape)),
    ]
    return _draw(stages, x.shape[-1], caption, "reshape")


def foreign_rows(stage, d_out):
    """Return the rows of a Stage that hold numbers of another token than their own, as a list of (table, row).

    Both are indices into stage.tables. d_out: how many numbers a token has in the input.
    """
    tokens = stage.tables // d_out  # (tables, rows, columns): the token of each number
    table, row, _ = np.indices(tokens.shape, sparse=True)
    strange = (tokens != (table if stage.per_token else row)).any(axis=-1)
    return [tuple(place) for place in np.argwhere(strange).tolist()]


def _input(num_tokens, num_heads, head_dim):
    """Return (num_tokens, num_heads * head_dim) numbers, each its own index. Errors: ValueError for other sizes."""
    d_out = num_heads * head_dim
    if min(num_tokens, num_heads, head_dim - 2) < 1 or num_tokens > len(LETTERS) or d_out > MOST_FEATURES:
        raise ValueError(
            f"the picture has room for 1 to {len(LETTERS)} tokens and {MOST_FEATURES} features, at least 3 a head, got "
            f"{num_tokens} tokens and num_heads * head_dim = {num_heads} * {head_dim} features."
        )
    return np.arange(num_tokens * d_out).reshape(num_tokens, d_out)


def _draw(stages, d_out, caption, call):
    """Return a Figure of stages from left to right, of which the last is the wrong one, made by the method `call`."""
    wide = sum(stage.tables.shape[-1] + APART for stage in stages)
    cell = PAGE_WIDTH / wide  # inches
    gap, top = HEAD / cell + 0.2, TITLES / cell
    tall = max(count * (rows + gap) - gap for count, rows, _ in (stage.tables.shape for stage in stages)) + top + 0.4
    figure, panel = blank(PAGE_WIDTH, tall * cell)
    panel.set(xlim=(0, wide), ylim=(tall, 0))
    left = SIDE
    for stage in stages:
        ink = FOREIGN if stage is stages[-1] else "black"  # the last stage is the wrong one
        panel.text(left, top - gap, stage.title, color=ink, fontsize=10, va="bottom")
        _draw_stage(panel, stage, left, top, gap, d_out)
        left += stage.tables.shape[-1] + APART
    count, total = len(foreign_rows(stages[-1], d_out)), stages[-1].tables[..., 0].size
    template = (
        "The right way keeps every row one token's. The wrong {call} gives the same shape, and {number} of {total} "
        "rows hold numbers of another token."
    )
    return with_caption(figure, caption or say(template, call=call, number=count, total=total))


def _draw_stage(panel, stage, left, top, gap, d_out):
    """Draw the tables of a Stage below one another, with rows of mixed tokens framed; sizes are in cells."""
    count, rows, columns = stage.tables.shape
    foreign = foreign_rows(stage, d_out)
    for table in range(count):
        y = top + table * (rows + gap)
        if stage.numbers.ndim == 3:
            name = say("token {letter}", letter=LETTERS[table]) if stage.per_token else _head_name(table)
            panel.text(left, y - 0.12, name, fontsize=10, va="bottom")
        for row in range(rows):
            name = _head_name(row) if stage.per_token else LETTERS[row]
            panel.text(left - 0.25, y + row + 0.5, name, fontsize=10, ha="right", va="center")
            for column in range(columns):
                _draw_cell(panel, stage.tables[table, row, column], left + column, y + row, d_out)
            if (table, row) in foreign:
                frame = Rectangle((left, y + row), columns, 1, fill=False, edgecolor=FOREIGN, linewidth=2.5, zorder=3)
                panel.add_patch(frame)
                panel.text(left + columns + 0.2, y + row + 0.5, "✗", color=FOREIGN, fontsize=11, va="center")


def _head_name(head):
    return say("head {number}", number=head)


def _draw_cell(panel, number, x, y, d_out):
    token, feature = divmod(int(number), d_out)
    colour = to_hex(np.divide(theme.feature_colour(token, feature, d_out), 255))
    panel.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, edgecolor="white"))
    name, ink = f"{LETTERS[token]}{feature}", theme.digits_on(colour)
    panel.text(x + 0.5, y + 0.5, name, color=ink, fontsize=10, ha="center", va="center")

"""ShapeTracer: a view that traces a number through the split and merge of heads, the right way and two wrong ways."""

import re
from itertools import product

import torch
import traitlets as t
from PIL import Image, ImageDraw

from course_utils import theme
from course_utils.widgets.lettering import write
from course_utils.widgets.view import View, with_few_colours

LETTERS = "abcdef"  # one for each token
MOST_FEATURES = 16
CELL, STEP = 28, 32  # pixels: the side of a cell, and the distance from one cell to the next
MOST_ROWS = 12  # rows of cells below one another, after which a new column of tables begins
NO_BATCH = "The batch axis is left out: each sample goes the same way."
# The axes of a stage, from the first to the last; "row" is the axis of tokens.
OUTPUT = ("row", "column")
BY_ROW, BY_HEAD = ("row", "head", "column"), ("head", "row", "column")


class ShapeTracer(View):
    """A view in which the reader follows a number through the split and merge of heads, the right way or a wrong one.

    num_tokens: 1 to 6. num_heads, head_dim: at least 1; num_heads * head_dim is at most 16. There is no batch axis.
    number: the number chosen at first, counted row by row through the input (default: the last one of the second
    token). way: the way chosen at first: 0 is the right way (default), 1 a wrong split, and 2 a wrong merge.
    Errors: ValueError for other sizes or choices.
    """

    script = "shapes.js"

    ways = t.List(t.Dict()).tag(sync=True)
    names = t.List(t.Unicode()).tag(sync=True)
    way = t.Int(0).tag(sync=True)
    number = t.Int(0).tag(sync=True)

    def __init__(self, num_tokens=3, num_heads=2, head_dim=2, **state):
        _check_sizes(num_tokens, num_heads, head_dim)
        d_out = num_heads * head_dim
        self.sizes, self._paths = (num_tokens, num_heads, head_dim), paths(num_tokens, num_heads, head_dim)
        self._stages = [[_layout(*stage, d_out) for stage in stages] for stages in self._paths.values()]
        super().__init__(
            ways=[
                {"name": name, "summary": f"{summary(path, d_out)} {NO_BATCH}", "html": "".join(map(_html, stages))}
                for (name, path), stages in zip(self._paths.items(), self._stages, strict=True)
            ],
            names=[f"token {LETTERS[n // d_out]}, feature {n % d_out}" for n in range(num_tokens * d_out)],
            number=state.pop("number", min(2, num_tokens) * d_out - 1),
            **state,
        )

    @t.validate("way", "number")
    def _in_range(self, proposal):
        count = len({"way": self.ways, "number": self.names}[proposal.trait.name])
        if not 0 <= proposal.value < count:
            raise ValueError(f"{proposal.trait.name} must lie between 0 and {count - 1}, got {proposal.value}.")
        return proposal.value

    def _pictures(self):
        # Cells and their names are the same on either page; only the ink around them differs.
        return [with_few_colours(self.picture(*colours)) for colours in (("white", "black"), ("black", "white"))]

    def picture(self, paper="white", ink="black"):
        stages, top = self._stages[self.way], 56
        page = Image.new("RGB", (sum(map(_wide, stages)), max(stage["height"] for stage in stages) + top), paper)
        draw, left = ImageDraw.Draw(page), 8
        for stage in stages:
            for line, words in enumerate((stage["title"], stage["code"], stage["shape"])):
                write(draw, (left, 4 + 16 * line), words, 12, ink)
            for x, y, words in stage["labels"]:
                write(draw, (left + x, top + y), words, 12, ink, anchor="ls")
            for cell in stage["cells"]:
                self._draw(draw, left + cell["x"], top + cell["y"], cell, ink)
            left += _wide(stage)
        return page

    def _draw(self, draw, x, y, cell, ink):
        """Draw a cell, a dict of `_cell`, with a frame of colour `ink` if its number is chosen; x, y: in pixels."""
        if cell["number"] == self.number:
            draw.rectangle((x - 3, y - 3, x + CELL + 2, y + CELL + 2), fill=ink)
        draw.rectangle((x, y, x + CELL - 1, y + CELL - 1), fill=cell["fill"])
        write(draw, (x + CELL / 2, y + CELL / 2), cell["name"], 12, cell["ink"], anchor="mm")

    def alt(self):
        steps = ", ".join(f"{stage['title']} {stage['shape']}" for stage in self._stages[self.way])
        way = self.ways[self.way]
        return f"The {way['name']}, each number in the colour of its token: {steps}. {way['summary']}"

    def __repr__(self):
        num_tokens, num_heads, head_dim = self.sizes
        shapes = " -> ".join(stage["shape"] for stage in self._stages[0])
        counted = {name: foreign_rows(stages, num_heads * head_dim) for name, stages in self._paths.items()}
        mixed = ", ".join(f"{name} {len(foreign)} of {total}" for name, (foreign, total) in counted.items())
        return (
            f"ShapeTracer: {num_tokens} tokens, {num_heads} heads x {head_dim} features; {shapes}; "
            f"rows that hold another token's numbers: {mixed}"
        )


def paths(num_tokens, num_heads, head_dim):
    """Return every stage of each way through split and merge.

    Returns a dict: name of the way -> list of stages (title, code, names of the axes, tensor of numbers). A number is
    its own index in the input (num_tokens, num_heads * head_dim), counted row by row.
    """
    d_out = num_heads * head_dim
    per_token, per_head = (num_tokens, num_heads, head_dim), (num_heads, num_tokens, head_dim)
    x = torch.arange(num_tokens * d_out).view(num_tokens, d_out)
    split = x.view(per_token)
    heads = split.transpose(-3, -2)
    wrong = x.view(per_head)
    swap, reshape = ".transpose(-3, -2)", f".reshape({num_tokens}, {d_out})"
    start = ("input", "x", OUTPUT, x)
    right = [start, ("split", f".view{per_token}", BY_ROW, split), ("heads", swap, BY_HEAD, heads)]
    return {
        "right way": [*right, *_merged(heads, swap, reshape)],
        "wrong split": [start, ("wrong split", f".view{per_head}", BY_HEAD, wrong), *_merged(wrong, swap, reshape)],
        "wrong merge": [*right, ("wrong merge", reshape, OUTPUT, heads.reshape(x.shape))],
    }


def _merged(heads, swap, reshape):
    """Return the two stages that merge heads, as `paths` lists them.

    heads: a tensor (num_heads, num_tokens, head_dim). swap, reshape: the code of the two stages, as texts.
    """
    rows = heads.transpose(-3, -2)
    return [("merge", swap, BY_ROW, rows), ("output", reshape, OUTPUT, rows.reshape(len(rows), -1))]


def foreign_rows(stages, d_out):
    """Find the rows of a way that hold numbers of another token than their own.

    The two stages after the input are searched first, then the output; the first stage with such rows counts.
    stages: one way of `paths`. d_out: numbers per token.
    Returns a list of pairs (place in words, numbers of the row), and the number of rows in the stage.
    """
    for _, _, axes, numbers in (*stages[1:3], stages[-1]):
        rows, places = numbers.flatten(0, -2).tolist(), product(*map(range, numbers.shape[:-1]))
        found = [
            (_place(axes, place), row)
            for place, row in zip(places, rows, strict=True)
            if any(number // d_out != place[axes.index("row")] for number in row)
        ]
        if found:
            break
    return found, len(rows)


def summary(stages, d_out):
    """Return a sentence that says how many rows a way mixes, with the first of them as an example.

    stages: one way of `paths`. d_out: numbers per token.
    """
    foreign, total = foreign_rows(stages, d_out)
    if not foreign:
        here = " at this size" if any(title.startswith("wrong") for title, *_ in stages) else ""
        return f"Nothing is mixed{here}: every row holds the numbers of its own token."
    place, numbers = foreign[0]
    names = " ".join(f"{LETTERS[number // d_out]}{number % d_out}" for number in numbers)
    return f"Mixed: {len(foreign)} of {total} rows hold numbers of another token. For example {place}: {names}."


def _place(axes, indices):
    """Return the place of a cell in words, such as "head 0, row b, column 1".

    axes: their names, such as BY_HEAD. indices: one for each of them, or for the first few.
    """
    return ", ".join(f"{axis} {_name(axis, index)}" for axis, index in zip(axes, indices, strict=False))


def _name(axis, index):
    """Return the name of an index along an axis: a letter for a row, which is a token, and else the number."""
    return LETTERS[index] if axis == "row" else str(index)


def _layout(title, code, axes, numbers, d_out):
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
        at = _place(axes, indices if in_tables else indices[1:])
        number = int(tables[table, row, column])
        cells.append(_cell(number, x + left + column * STEP, y + top + row * STEP, at, d_out))
        if row == column == 0 and in_tables:
            labels.append((x + left, y + 14, _place(axes, indices[:1])))
        if column == 0:
            labels.append((x + 2, y + top + row * STEP + 19, _place(axes[-2:], [row]).removeprefix("row ")))
    width, height = wide * -(-count // down) - 10, tall * down
    return dict(
        title=title, code=code, shape=str(tuple(numbers.shape)), cells=cells, labels=labels, columns=columns,
        width=width, height=height,
    )  # fmt: skip


def _html(stage):
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


def _wide(stage):
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


def _check_sizes(num_tokens, num_heads, head_dim):
    """Check that the sizes are whole numbers that ShapeTracer can draw. Errors: ValueError if not."""
    sizes = {"num_tokens": num_tokens, "num_heads": num_heads, "head_dim": head_dim}
    for name, size in sizes.items():
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            raise ValueError(f"{name} must be a whole number of at least 1, got {size!r}.")
    if num_tokens > len(LETTERS) or num_heads * head_dim > MOST_FEATURES:
        raise ValueError(
            f"ShapeTracer draws up to {len(LETTERS)} tokens and {MOST_FEATURES} features (num_heads * head_dim), "
            f"got {num_tokens} tokens and {num_heads} * {head_dim} = {num_heads * head_dim} features."
        )

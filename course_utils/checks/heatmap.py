"""Show the expected and the learner's tensor as two small tables; a sign and a frame mark the cells that differ."""

import math
import textwrap

import torch

from course_utils import theme

from . import cells
from .cells import SIDE
from .outcome import in_float64
from .sentences import say, shown, together

WIDEST = 100  # letters in a line of text
GAPS = [(SIDE, 2), *((columns, 1) for columns in range(SIDE, 0, -1))]  # (columns, spaces before a number): first fit
CELL = "padding:.15em .5em;text-align:right;font-variant-numeric:tabular-nums;"
HEAD = CELL + "font-weight:normal;opacity:.75;"
MARKED = "outline:1px solid var(--jp-content-font-color1, currentColor);font-weight:bold;"
OPEN = f"background:{theme.COLOURS['open'].css()};{theme.ink_on(theme.COLOURS['open'])}"
MASKED = (
    f"background:repeating-linear-gradient(135deg, {theme.COLOURS['masked'].css()} 0 5px, "
    f"{theme.COLOURS['hatch'].css()} 5px 6px);{theme.ink_on(theme.COLOURS['masked'])}"
)
HEADLINE = "<p style='margin:.6em 0 .2em'>"
ROW = "<tr style='background:none'>"  # by default, JupyterLab shades every other row


def text(pair) -> list[str]:
    """Return lines that show the two tensors of a Pair side by side, or only their shapes if these differ."""
    if pair.expected.shape != pair.got.shape:
        template = "{name} on {label}: expected shape {expected}, got {got}"
        shapes = {"expected": tuple(pair.expected.shape), "got": tuple(pair.got.shape)}
        return textwrap.wrap(say(template, name=pair.words, label=pair.label, **shapes), WIDEST)
    for columns, gap in GAPS:
        tables = cells.tables(pair, columns)
        lines = _lines(tables, gap)
        if max(map(len, lines)) <= WIDEST:
            break
    return [*(line for words in (tables.title, *tables.cut) for line in textwrap.wrap(shown(words), WIDEST)), *lines]


def _lines(tables, gap: int) -> list[str]:
    """Return the lines of both tables. gap: how many spaces stand before the longest number."""
    names = [f"{shown(name)}  " if tables.named else "" for name in tables.rows]
    wide = max(map(len, names))
    width = max(len(number) for side in tables.words for row in side for number in row) + gap
    left = ["".join(f"{number:>{width}} " for number in row) for row in tables.words[0]]
    right = [
        "".join(f"{number:>{width}}{'≠' if mark else ' '}" for number, mark in zip(*row, strict=True))
        for row in zip(tables.words[1], tables.marks.tolist(), strict=True)
    ]
    heads, between = (f"  {say('expected')}", say("got")), " " * gap
    lines = [f"{'':{wide}}{heads[0]:{len(left[0])}}{between}  {heads[1]}"]
    return lines + [f"{name:{wide}}{a}{between}{b}".rstrip() for name, a, b in zip(names, left, right, strict=True)]


def html(pair) -> str:
    """Return HTML of two heatmaps on one scale, the tensors of a Pair; for different shapes, a table of these."""
    if pair.expected.shape != pair.got.shape:
        rows = "".join(
            f"{ROW}<th scope='row' style='{CELL}'>{name}</th>"
            f"<td style='{CELL}'><code>{tuple(tensor.shape)}</code></td></tr>"
            for name, tensor in ((say("expected shape"), pair.expected), (say("got"), pair.got))
        )
        title = say("{name} on {label}", name=pair.words, label=pair.label)
        return f"{HEADLINE}{title}</p><table style='margin:0'>{rows}</table>"
    tables = cells.tables(pair, SIDE)
    shade, no_marks = _shade(pair.expected, pair.got), torch.zeros_like(tables.marks)
    both = _table(say("expected"), tables, 0, no_marks, shade) + _table(say("got"), tables, 1, tables.marks, shade)
    title = f"{HEADLINE}{shown(together(tables.title, *tables.cut))}</p>"
    return f"{title}<div style='display:flex;flex-wrap:wrap;gap:.4em 2em'>{both}</div>"


def _table(title: str, tables, side: int, marks: torch.Tensor, shade) -> str:
    """Return the HTML of one table, with the names of rows and columns; shade: a function from a number to CSS."""
    columns = "".join(f"<th scope='col' style='{HEAD}'>{column}</th>" for column in tables.columns)
    body = ""
    rows = zip(tables.words[side], tables.numbers[side].tolist(), marks.tolist(), strict=True)
    for name, row in zip(tables.rows, rows, strict=True):
        cells = "".join(
            f"<td style='{CELL}{shade(number)}{MARKED if marked else ''}'>{word}{'≠' if marked else ''}</td>"
            for word, number, marked in zip(*row, strict=True)
        )
        body += f"{ROW}<th scope='row' style='{HEAD}'>{shown(name)}</th>{cells}</tr>"
    caption = f"<caption style='text-align:left;font-weight:bold;color:inherit'>{title}</caption>"
    style = "margin:0;border-collapse:separate;border-spacing:3px"
    return f"<table style='{style}'>{caption}{ROW}<td></td>{columns}</tr>{body}</table>"


def _shade(expected: torch.Tensor, got: torch.Tensor):
    """Return a function from a number to the CSS of its cell: two styles for bools, else colours on one scale."""
    if expected.dtype == got.dtype == torch.bool:
        return lambda number: OPEN if number else MASKED
    numbers = torch.cat([in_float64(side).flatten() for side in (expected, got)])
    numbers = numbers[torch.isfinite(numbers)]
    high = max(numbers.abs().max().item(), 1e-9) if numbers.numel() else 1.0
    signed = bool((numbers < 0).any())
    low, colour_map = (-high, theme.SIGNED_MAP) if signed else (0, theme.WEIGHTS_MAP)
    return lambda number: theme.cell(number, low, high, colour_map) if math.isfinite(number) else ""

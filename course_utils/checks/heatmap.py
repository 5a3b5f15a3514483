"""Show the expected and the learner's tensor as two small tables; a sign and a frame mark the cells that differ."""

import math

import torch

from course_utils import theme

from .sentences import say, shown

SIDE = 8  # the most rows and columns of a tensor that are shown
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
        return [say(template, name=pair.name, label=pair.label, **shapes)]
    title, marks, _, cells = _tables(pair, pair.name)
    width = max(len(number) for table in cells for row in table for number in row) + 2
    left = ["".join(f"{number:>{width}} " for number in row) for row in cells[0]]
    right = [
        "".join(f"{number:>{width}}{'≠' if mark else ' '}" for number, mark in zip(*row, strict=True))
        for row in zip(cells[1], marks.tolist(), strict=True)
    ]
    heads = f"  {say('expected')}", say("got")
    lines = [title, f"{heads[0]:{len(left[0])}}    {heads[1]}"]
    return lines + [f"{expected}  {got}".rstrip() for expected, got in zip(left, right, strict=True)]


def html(pair) -> str:
    """Return HTML of two heatmaps on one scale, the tensors of a Pair; for different shapes, a table of these."""
    if pair.expected.shape != pair.got.shape:
        rows = "".join(
            f"{ROW}<th scope='row' style='{CELL}'>{name}</th>"
            f"<td style='{CELL}'><code>{tuple(tensor.shape)}</code></td></tr>"
            for name, tensor in ((say("expected shape"), pair.expected), (say("got"), pair.got))
        )
        title = say("<code>{name}</code> on {label}", name=pair.name, label=pair.label)
        return f"{HEADLINE}{title}</p><table style='margin:0'>{rows}</table>"
    title, marks, numbers, cells = _tables(pair, f"<code>{shown(pair.name)}</code>")
    shade, no_marks = _shade(pair.expected, pair.got), torch.zeros_like(marks)
    tables = _table(say("expected"), cells[0], numbers[0], no_marks, shade)
    tables += _table(say("got"), cells[1], numbers[1], marks, shade)
    return f"{HEADLINE}{title}</p><div style='display:flex;flex-wrap:wrap;gap:.4em 2em'>{tables}</div>"


def _tables(pair, name: str) -> tuple:
    """Return (title, marks, [expected, got], their cells as text) of the first two matrices that differ.

    They are cut to SIDE rows and columns. Numbers have two decimals, or four if two differ by less than 0.01.
    """
    sides, where = [pair.expected.double(), pair.got.double()], []
    while sides[0].dim() > 2:
        index = next((i for i, rows in enumerate(zip(*sides, strict=True)) if _differs(*rows).any()), 0)
        sides, where = [side[index] for side in sides], [*where, str(index)]
    while sides[0].dim() < 2:
        sides = [side[None] for side in sides]
    sides = expected, got = [side[:SIDE, :SIDE] for side in sides]
    marks, names, decimals = _differs(expected, got), {}, 2
    if pair.expected.dtype == torch.bool:
        names = {0.0: "False", 1.0: "True"}
    elif (marks & ((expected - got).abs() < 0.01)).any():
        decimals = 4
    cells = [[[names.get(cell, f"{cell:.{decimals}f}") for cell in row] for row in side.tolist()] for side in sides]
    title = say("{name} on {label}. ≠ marks what differs.", name=name, label=pair.label)
    if where:
        template = "{name} on {label}, at index {where}. ≠ marks what differs."
        title = say(template, name=name, label=pair.label, where=", ".join(where))
    return title, marks, sides, cells


def _differs(expected: torch.Tensor, got: torch.Tensor) -> torch.Tensor:
    return ~torch.isclose(expected, got, rtol=1e-4, atol=1e-5, equal_nan=True)


def _table(title: str, words: list, numbers: torch.Tensor, marks: torch.Tensor, shade) -> str:
    """Return the HTML of one table, with the indices of rows and columns; shade: a function from a number to CSS."""
    columns = "".join(f"<th scope='col' style='{HEAD}'>{column}</th>" for column in range(numbers.shape[1]))
    body = ""
    for index, row in enumerate(zip(words, numbers.tolist(), marks.tolist(), strict=True)):
        cells = "".join(
            f"<td style='{CELL}{shade(number)}{MARKED if marked else ''}'>{word}{'≠' if marked else ''}</td>"
            for word, number, marked in zip(*row, strict=True)
        )
        body += f"{ROW}<th scope='row' style='{HEAD}'>{index}</th>{cells}</tr>"
    caption = f"<caption style='text-align:left;font-weight:bold;color:inherit'>{title}</caption>"
    style = "margin:0;border-collapse:separate;border-spacing:3px"
    return f"<table style='{style}'>{caption}{ROW}<td></td>{columns}</tr>{body}</table>"


def _shade(expected: torch.Tensor, got: torch.Tensor):
    """Return a function from a number to the CSS of its cell: two styles for bools, else colours on one scale."""
    if expected.dtype == torch.bool:
        return lambda number: OPEN if number else MASKED
    numbers = torch.cat([expected.flatten(), got.flatten()]).double()
    numbers = numbers[torch.isfinite(numbers)]
    high = max(numbers.abs().max().item(), 1e-9) if numbers.numel() else 1.0
    signed = bool((numbers < 0).any())
    low, colour_map = (-high, theme.SIGNED_MAP) if signed else (0, theme.WEIGHTS_MAP)
    return lambda number: theme.cell(number, low, high, colour_map) if math.isfinite(number) else ""

"""A report as text, and as a panel for a notebook: readable in a light and a dark theme, by eye and by ear."""

import html as escape
import re

import torch

SIDE = 8  # rows and columns that are shown of a large tensor
SYMBOLS = {"passed": "✓", "failed": "✗", "not attempted": "○"}
COLOURS = {"passed": "#2e8b57", "failed": "#d1651a", "not attempted": "#888888"}
INK = "var(--jp-content-font-color1, inherit)"
LINE = "var(--jp-border-color2, #bbbbbb)"


def text(report):
    """The report as plain text; a stub's is one line."""
    if report.status == "not attempted":
        return report.message
    lines = [f"{SYMBOLS[report.status]} {report.message}"]
    if report.status == "failed":
        lines += [_tried_line(report)] if len(report.tried) > 1 else []
        lines += _pair_text(report.pair) if report.pair else []
    return "\n".join(lines + report.notes)


def html(report):
    """The report as a panel, without ids, scripts or anything fetched."""
    first, _, rest = report.message.partition(". ")
    first, rest = (f"{first}.", rest) if rest else (first, "")
    head = f'<span aria-hidden="true" style="color:{COLOURS[report.status]}">{SYMBOLS[report.status]}</span>'
    parts = [f"<p style='margin:0'>{head} <strong>{_inline(first)}</strong> {_inline(rest)}</p>"]
    if report.status == "failed":
        parts += [_pair_html(report.pair)] if report.pair else []
        parts += [f"<p style='margin:.6em 0 0;opacity:.8'>{_inline(_tried_line(report))}</p>"] if len(report.tried) > 1 else []
    parts += [f"<pre style='margin:.6em 0 0;white-space:pre-wrap'>{escape.escape(note)}</pre>" for note in report.notes]
    style = (
        f"border:1px solid {LINE};border-left:5px solid {COLOURS[report.status]};padding:.7em 1em;max-width:52em;"
        f"color:{INK};font-family:var(--jp-content-font-family, sans-serif);line-height:1.5"
    )
    return f'<div role="group" aria-label="Check of {escape.escape(report.stub)}" style="{style}">{"".join(parts)}</div>'


def _inline(words):
    """Backticks become code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape.escape(words, quote=False))


def _tried_line(report):
    marks = {True: "✓", False: "✗", None: "–"}
    return "Tried: " + " · ".join(f"{marks[right]} {label}" for label, right in report.tried)


def _pair_text(pair):
    if pair.expected.shape != pair.got.shape:
        return [f"{pair.name}, on {pair.label}: expected shape {tuple(pair.expected.shape)}, got {tuple(pair.got.shape)}"]
    where, expected, got = _tables(pair)
    differs = _differs(expected, got)
    width = max(7, *(len(_number(n)) + 1 for n in [*expected.flatten(), *got.flatten()]))

    def rows(table, marks):
        return ["".join(f"{_number(n)}{'≠' if m else ' '}".rjust(width) for n, m in zip(*row, strict=True))
                for row in zip(table, marks, strict=True)]  # fmt: skip

    left, right = rows(expected, torch.zeros_like(differs)), rows(got, differs)
    lines = [f"{pair.name}, on {pair.label}{where}; ≠ marks what differs"]
    lines.append(f"{'expected'.ljust(len(left[0]))}   got" if left else "")
    return lines + [f"{a}   {b}" for a, b in zip(left, right, strict=True)]


def _pair_html(pair):
    if pair.expected.shape != pair.got.shape:
        shapes = ((" expected", pair.expected), ("got", pair.got))
        cells = "".join(f"<tr><th scope='row'>{name}</th><td><code>{tuple(t.shape)}</code></td></tr>" for name, t in shapes)
        return f"<table style='margin:.6em 0 0'><caption>Shape of {pair.name}, on {pair.label}</caption>{cells}</table>"
    where, expected, got = _tables(pair)
    differs, largest = _differs(expected, got), _largest(expected, got)
    head = f"<p style='margin:.6em 0 .2em'>{pair.name}, on {pair.label}{where}. ≠ marks what differs.</p>"
    tables = _heatmap("expected", expected, torch.zeros_like(differs), largest) + _heatmap("got", got, differs, largest)
    return f"{head}<div style='display:flex;flex-wrap:wrap;gap:.4em 1.6em'>{tables}</div>"


def _tables(pair):
    """Returns where in the tensors, in words, and two matrices (rows, columns): the first pair that differs."""
    expected, got, where = pair.expected.double(), pair.got.double(), []
    while expected.dim() > 2:
        index = next((i for i in range(len(got)) if _differs(expected[i], got[i]).any()), 0)
        expected, got, where = expected[index], got[index], [*where, str(index)]
    while expected.dim() < 2:
        expected, got = expected[None], got[None]
    words = f", at [{', '.join(where)}]" if where else ""
    return words, expected[:SIDE, :SIDE], got[:SIDE, :SIDE]


def _differs(expected, got):
    return ~torch.isclose(expected, got, rtol=1e-4, atol=1e-5, equal_nan=True)


def _largest(*tables):
    numbers = torch.cat([table.flatten() for table in tables])
    numbers = numbers[torch.isfinite(numbers)].abs()
    return max(numbers.max().item(), 1e-9) if numbers.numel() else 1.0


def _heatmap(title, table, marks, largest):
    cell = "padding:.15em .5em;text-align:right;font-variant-numeric:tabular-nums;"
    head = "".join(f"<th scope='col' style='{cell}opacity:.7'>{column}</th>" for column in range(table.shape[1]))
    rows = [f"<tr style='background:none'><td></td>{head}</tr>"]
    for index, (numbers, marked) in enumerate(zip(table.tolist(), marks.tolist(), strict=True)):
        cells = "".join(
            f"<td style='{cell}{_shade(number, largest)}{MARKED if mark else ''}'>{_number(number)}{'≠' if mark else ''}</td>"
            for number, mark in zip(numbers, marked, strict=True)
        )
        rows.append(f"<tr style='background:none'><th scope='row' style='{cell}opacity:.7'>{index}</th>{cells}</tr>")
    caption = f"<caption style='text-align:left;font-weight:bold'>{title}</caption>"
    return f"<table style='margin:0;border-collapse:separate;border-spacing:2px'>{caption}{''.join(rows)}</table>"


MARKED = f"outline:2px solid {INK};font-weight:bold;"


def _shade(number, largest):
    """Blue above 0, orange below, fainter towards 0; thin enough for dark and for white letters on it."""
    if number != number or abs(number) == float("inf"):
        return ""
    hue = "40,120,200" if number >= 0 else "215,110,30"
    return f"background:rgba({hue},{0.55 * abs(number) / largest:.2f});"


def _number(number):
    return f"{float(number):.2f}"

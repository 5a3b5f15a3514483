"""Further wrong answers to the exercises of notebook 09 that make the task and score one step back."""

import torch

from . import notebook_09, notebook_09_scores
from .notebook_09 import copies, repeat_by_remainder
from .notebook_09_scores import on_diagonal

# ---- repeat_segment: shapes, and places that go wrong


def at_places(places):
    """An answer that looks tokens up at places(num_tokens, length)."""
    return lambda segments, num_tokens: segments[:, places(num_tokens, segments.shape[-1])]


SEGMENT = {
    "repeat-one-axis": (
        "`repeat` wants a number for each axis. The rows stay as they are, the tokens come again: `repeat(1, rounds)`.",
        lambda segments, num_tokens: segments.repeat(copies(segments, num_tokens)),
    ),
    "rows-looked-up": (
        "Your places look up rows. The tokens lie along the second axis: `segments[:, places]`.",
        lambda segments, num_tokens: segments[torch.arange(num_tokens) % segments.shape[-1]],
    ),
    "no-remainder": (
        "A place beyond the segment is looked up. After its last token comes the first again: take the remainder of "
        "the place, `%`, by the segment's own length, `segments.shape[-1]`.",
        at_places(lambda num_tokens, length: torch.arange(num_tokens)),
    ),
    "whole-part-for-remainder": (
        "`//` counts the rounds. The place within the segment is the remainder, `%`.",
        at_places(lambda num_tokens, length: torch.arange(num_tokens) // length),
    ),
    "divided": (
        "`/` gives fractions, and no place is a fraction. The place within the segment is the remainder, `%`.",
        at_places(lambda num_tokens, length: torch.arange(num_tokens) / length),
    ),
    "remainder-one-short": (
        "The last token of the segment never comes. Take the remainder by the whole length, without `- 1`.",
        at_places(lambda num_tokens, length: torch.arange(num_tokens) % (length - 1)),
    ),
    "once-only": (
        "The segment comes only once. It should begin again, until there are `num_tokens`: repeat it before you cut.",
        lambda segments, num_tokens: segments[:, :num_tokens],
    ),
    "twice-only": (
        "The segment comes twice, whatever `num_tokens` is. Repeat it as often as that takes, then cut.",
        lambda segments, num_tokens: segments.repeat(1, 2)[:, :num_tokens],
    ),
    "not-cut": (
        notebook_09.repeat_segment.words("not-cut"),
        lambda segments, num_tokens: segments.repeat(1, num_tokens // segments.shape[-1] + 1),
    ),
    "repeated-too-often": (
        "`num_tokens` is how many tokens there should be, not how many rounds. Cut the result: `[:, :num_tokens]`.",
        lambda segments, num_tokens: segments.repeat(1, num_tokens),
    ),
    "one-row": (
        "Only the first row comes back, without the batch. Index the second axis and keep the first: "
        "`segments[:, places]`.",
        lambda segments, num_tokens: repeat_by_remainder(segments, num_tokens)[0],
    ),
    "all-in-one-row": (
        "All rows stand in one. Keep them apart, `(batch, num_tokens)`: leave out the `flatten` or `view`.",
        lambda segments, num_tokens: repeat_by_remainder(segments, num_tokens).flatten(),
    ),
    "axes-swapped": (
        "Rows and columns have changed places: a row for each segment. A `torch.stack` of columns needs `dim=1`.",
        lambda segments, num_tokens: repeat_by_remainder(segments, num_tokens).transpose(0, 1),
    ),
}
for _id, (_words, _answer) in SEGMENT.items():
    notebook_09.repeat_segment.mistake(_id, _words)(_answer)

# ---- previous_score: which cells, which axis


def one_by_one(attn_weights):
    """Cells read as if there were no axes in front."""
    return sum(attn_weights[row, row - 1] for row in range(1, len(attn_weights))) / (len(attn_weights) - 1)


def with_one_axis_in_front(attn_weights):
    rows = torch.arange(1, attn_weights.shape[-1])
    return attn_weights[:, rows, rows - 1].mean(dim=-1)


PREVIOUS = {
    "block-mean": (
        "You averaged a whole block: every row with every key. One cell of each row counts: give both indices in one "
        "pair of brackets, `[..., rows, rows - 1]`, or take the `diagonal` of the block.",
        lambda attn_weights: attn_weights[..., 1:, :-1].mean(dim=(-2, -1)),
    ),
    "wrong-axes-all-averaged": (
        "Your diagonal runs through the first two axes, and its mean over everything. Queries and keys are the last "
        "two, `dim1=-2, dim2=-1`; then `mean(dim=-1)`.",
        lambda attn_weights: attn_weights.diagonal(-1).mean(),
    ),
    "cells-of-first-axes": (
        "`attn_weights[row, row - 1]` reads the first two axes, which are layers or heads. Queries and keys are the "
        "last two: `attn_weights[..., row, row - 1]`.",
        one_by_one,
    ),
    "one-axis-in-front": (
        "With one axis in front it works; with two, or none, the indices reach the wrong ones. `...` stands for any "
        "number of axes: `attn_weights[..., rows, rows - 1]`.",
        with_one_axis_in_front,
    ),
    "mean-first-axis": (
        "Your mean runs over the first axis, the heads. Take it over the rows, the last axis: `mean(dim=-1)`.",
        lambda attn_weights: on_diagonal(attn_weights).mean(dim=0),
    ),
    "axis-kept": (
        "The axis of the rows is still there, with length 1. Leave out `keepdim=True`.",
        lambda attn_weights: on_diagonal(attn_weights).mean(dim=-1, keepdim=True),
    ),
    "last-row-only": (
        "You read the last row alone. Every row but the first has a token before it: take the mean over them.",
        lambda attn_weights: attn_weights[..., -1, -2],
    ),
    "first-rows-missing": (
        "A row too many is left out. Only row 0 has no token before it: begin with row 1.",
        lambda attn_weights: on_diagonal(attn_weights)[..., 1:].mean(dim=-1),
    ),
    "all-before-all-rows": (
        "You added up all earlier tokens. Asked for is the one right before, a single cell in each row; and row 0, "
        "which has none, stays out of the mean.",
        lambda attn_weights: attn_weights.tril(-1).sum(dim=-1).mean(dim=-1),
    ),
}
for _id, (_words, _answer) in PREVIOUS.items():
    notebook_09_scores.previous_score.mistake(_id, _words)(_answer)

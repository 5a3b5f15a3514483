"""`my_previous_score(attn_weights)`: how much weight a head puts on the token right before."""

import torch

from course_utils.checks.behaviours import repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.checks.form import Form
from course_utils.exercises.watch_heads_learn.causal_weights import causal_weights, hard_weights, open_weights


def previous_score_solution(attn_weights):
    rows = torch.arange(1, attn_weights.shape[-1])  # the first token has none before it
    return attn_weights[..., rows, rows - 1].mean(dim=-1)  # (...)


def cases(draw):
    yield "3 heads, 5 tokens", causal_weights(draw, 3, 5, 5)
    yield "2 layers of 3 heads, 6 tokens", causal_weights(draw, 2, 3, 6, 6)
    yield "as many heads as tokens", causal_weights(draw, 4, 4, 4)
    yield "two tokens", causal_weights(draw, 3, 2, 2)
    yield "one head", causal_weights(draw, 1, 5, 5)
    yield "no axis in front", causal_weights(draw, 6, 6)
    yield "steps, layers and heads", causal_weights(draw, 2, 3, 4, 7, 7)
    yield "heads that look both ways", open_weights(draw, 2, 3, 5, 5)
    yield "heads that look at one key alone", hard_weights(draw, 4, 3, 6, 6)
    yield Unasked("float64"), causal_weights(draw, 2, 5, 5, dtype=torch.float64)


def by_diagonal(attn_weights):
    """The solution with `diagonal`, which reads all the cells at once."""
    below = attn_weights.diagonal(offset=-1, dim1=-2, dim2=-1)  # (..., num_tokens - 1)
    return below.mean(dim=-1)


DIAGONAL = """
next-for-previous: You read the weights on the token after. Under a causal mask those are 0. Rows are queries: the token
    before lies one to the left of the main diagonal, `offset=-1` with `dim1=-2, dim2=-1`, or `[..., rows, rows - 1]`.
    offset=-1 -> offset=1
itself-for-previous: You read the main diagonal: each token's weight on itself. The token before lies one below it.
    offset=-1, ->
two-back: You went two steps back. The token before is one step away: `offset=-1`.
    offset=-1 -> offset=-2
mean-over-all-rows: You divide by the number of tokens. The first token has none before it and says nothing: take the
    mean over the others.
    below.mean(dim=-1) -> below.sum(dim=-1) / attn_weights.shape[-1]
no-mean: The weights are added up, so a long sequence wins. Take their mean.
    below.mean(dim=-1) -> below.sum(dim=-1)
max-for-mean: You took the largest weight. One good row does not make a head: take the mean over the rows.
    below.mean(dim=-1) -> below.amax(dim=-1)
median-for-mean: You took the median. The mean is asked for.
    below.mean(dim=-1) -> below.median(dim=-1).values
row-of-each: The weights are there, one for each row. One number for each head is asked for: their mean.
    below.mean(dim=-1) -> below
wrong-axes: You read a diagonal through the first two axes. Queries and keys are the last two: `dim1=-2, dim2=-1`.
    , dim1=-2, dim2=-1 ->
    or
    , dim1=-2, dim2=-1 -> , dim1=1, dim2=2
wrong-axes-all-averaged: Your diagonal runs through the first two axes, and its mean over everything. Queries and keys
    are the last two, `dim1=-2, dim2=-1`; then `mean(dim=-1)`.
    , dim1=-2, dim2=-1 ->
    below.mean(dim=-1) -> below.mean()
"""
MISTAKES = """
mean-over-all-rows: The first row is in your mean. The first token has none before it, and says nothing (row 0, key `-1`
    is the last place): take the mean over the others.
    torch.arange(1, -> torch.arange(
whole-matrix: You averaged whole matrices. Only the cells one below the diagonal count.
    attn_weights[..., rows, rows - 1].mean(dim=-1) -> attn_weights.mean(dim=(-2, -1))
all-before: You added up all earlier tokens. Asked for is the one right before: a single cell in each row.
    attn_weights[..., rows, rows - 1].mean(dim=-1) -> attn_weights.tril(-1).sum(dim=-1)[..., 1:].mean(dim=-1)
all-before-all-rows: You added up all earlier tokens. Asked for is the one right before, a single cell in each row; and
    row 0, which has none, stays out of the mean.
    attn_weights[..., rows, rows - 1].mean(dim=-1) -> attn_weights.tril(-1).sum(dim=-1).mean(dim=-1)
all-cells: You took the mean over all cells of the matrix, and those beside the diagonal count as 0. Divide by the
    number of queries that have a token before, or read off their cells alone.
    attn_weights[..., rows, rows - 1].mean(dim=-1) -> attn_weights.tril(-1).triu(-1).mean(dim=(-2, -1))
weights-averaged: The heads are averaged. Each has a score of its own: keep all axes but the last two.
    attn_weights[..., rows, rows - 1].mean(dim=-1) -> attn_weights[..., rows, rows - 1].mean(dim=-1).mean(dim=-1)
zeros-left-out: Queries with no weight on the token before are left out of your mean. They have one, and look elsewhere:
    they count as 0.
    attn_weights[..., rows, rows - 1].mean(dim=-1) -> attn_weights[..., rows, rows - 1].sum(dim=-1) / (
        attn_weights[..., rows, rows - 1] > 0).sum(dim=-1)
    or
    attn_weights[..., rows, rows - 1].mean(dim=-1) -> attn_weights[..., rows, rows - 1].sum(dim=-1) / (
        attn_weights[..., rows, rows - 1] > 0).sum(dim=-1).clamp(min=1)
all-averaged: One number came out for everything. Take the mean over the rows alone: `mean(dim=-1)`.
    .mean(dim=-1) -> .mean()
first-head-only: Only the first head is there: let all axes in front run along, `attn_weights[..., rows, rows - 1]`.
    attn_weights[..., rows, rows - 1] -> attn_weights[..., rows, rows - 1][..., :1, :]
    or
    attn_weights[..., rows, rows - 1] -> attn_weights[0, rows, rows - 1]
argmax-hits: You counted how often the largest weight lies there. Asked for is how much weight: read it off.
    attn_weights[..., rows, rows - 1] -> (attn_weights.argmax(dim=-1)[..., rows] == rows - 1).float()
last-row-missing: The last row is left out: look at the end of your loop or slice.
    attn_weights.shape[-1]) -> max(2, attn_weights.shape[-1] - 1))
    or
    attn_weights.shape[-1]) -> attn_weights.shape[-1] - 1)
block-mean: You averaged a whole block: every row with every key. One cell of each row counts: give both indices in one
    pair of brackets, `[..., rows, rows - 1]`, or take the `diagonal` of the block.
    attn_weights[..., rows, rows - 1].mean(dim=-1) -> attn_weights[..., 1:, :-1].mean(dim=(-2, -1))
cells-of-first-axes: `attn_weights[row, row - 1]` reads the first two axes, which are layers or heads. Queries and keys
    are the last two: `attn_weights[..., row, row - 1]`.
    attn_weights[..., rows, rows - 1].mean(dim=-1) -> sum(attn_weights[row, row - 1]
        for row in range(1, len(attn_weights))) / (len(attn_weights) - 1)
    or
    attn_weights[..., rows, rows - 1].mean(dim=-1) -> attn_weights[rows, rows - 1].mean(dim=0)
    or
    attn_weights[..., rows, rows - 1] -> attn_weights[rows, rows - 1]
one-axis-in-front: With one axis in front it works; with two, or none, the indices reach the wrong ones. `...` stands
    for any number of axes: `attn_weights[..., rows, rows - 1]`.
    attn_weights[..., rows -> attn_weights[:, rows
two-axes-in-front: With two axes in front it works; with another number of them it does not. `...` stands for any
    number of axes: `attn_weights[..., rows, rows - 1]`.
    attn_weights[..., rows -> attn_weights[:, :, rows
mean-over-heads: Your mean runs over the heads, and the rows are still there. `torch.stack` of rows puts them first:
    `mean(dim=0)`.
    attn_weights[..., rows, rows - 1] -> torch.stack([attn_weights[..., row, row - 1] for row in rows])
two-brackets: The second pair of brackets chooses keys again, among those of the first: no cell of a row is read. Give
    both indices at once: `attn_weights[..., rows, rows - 1]`.
    attn_weights[..., rows, rows - 1] -> attn_weights[..., rows][..., rows - 1]
rows-of-first-axis: You count the rows on the first axis, which is one of layers or heads. Queries and keys are the last
    two: `attn_weights.shape[-1]`.
    attn_weights.shape[-1] -> attn_weights.shape[0]
mean-first-axis: Your mean runs over the first axis, the heads. Take it over the rows, the last axis: `mean(dim=-1)`.
    .mean(dim=-1) -> .mean(dim=0)
axis-kept: The axis of the rows is still there, with length 1. Leave out `keepdim=True`.
    .mean(dim=-1) -> .mean(dim=-1, keepdim=True)
last-row-only: You read the last row alone. Every row but the first has a token before it: take the mean over them.
    attn_weights[..., rows, rows - 1].mean(dim=-1) -> attn_weights[..., -1, -2]
one-row-only: You read a single row, query 1. Every row but the first has a token before it: take the mean over them.
    attn_weights[..., rows, rows - 1].mean(dim=-1) -> attn_weights[..., 1, 0]
first-rows-missing: A row too many is left out. Only row 0 has no token before it: begin with row 1.
    torch.arange(1, -> torch.arange(2,
column-for-cell: You read a column of keys for all queries. Each query has one token right before it, a single cell:
    `attn_weights[..., rows, rows - 1]`.
    attn_weights[..., rows, rows - 1].mean(dim=-1) -> attn_weights[..., -2].mean(dim=-1)
flat-start: Your walk through the flattened table begins one place too early, with the last cell of row 0. Row 1, key 0
    stands at place `num_tokens`: `[..., num_tokens :: num_tokens + 1]`.
    attn_weights[..., rows, rows - 1] -> attn_weights.flatten(-2)[
        ..., attn_weights.shape[-1] - 1 :: attn_weights.shape[-1] + 1]
flat-step: In the flattened table, the next row's token before is `num_tokens + 1` places further, not `num_tokens`:
    that is the same column again.
    attn_weights[..., rows, rows - 1] -> attn_weights.flatten(-2)[..., attn_weights.shape[-1] :: attn_weights.shape[-1]]
one-too-few: You divide by one row fewer than there are. The queries that have a token before are `num_tokens - 1`.
    attn_weights[..., rows, rows - 1].mean(dim=-1) -> attn_weights[..., rows, rows - 1].sum(dim=-1) / (len(rows) - 1)
"""

exercise = Exercise(
    previous_score_solution,
    cases,
    MISTAKES,
    also=(Form(__name__, "by_diagonal", DIAGONAL),),
    outputs=("scores",),
    behaviours=(repeats,),
)

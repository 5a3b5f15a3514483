"""`my_previous_score(attn_weights)`: how much weight a head puts on the token right before."""

import torch

from course_utils.checks.exercise import Exercise
from course_utils.lessons.watch_heads_learn.exercises.causal_weights import causal_weights, hard_weights, open_weights
from course_utils.lessons.watch_heads_learn.exercises.rows import MEAN


def previous_score_solution(attn_weights):
    rows = torch.arange(1, attn_weights.shape[-1])  # the first token has none before it
    return attn_weights[..., rows, rows - 1].mean(dim=-1)  # (...)


def cases(draw):
    yield "3 heads, 5 tokens", causal_weights(draw, 3, 5, 5)
    yield "2 layers of 3 heads, 6 tokens", causal_weights(draw, 2, 3, 6, 6)
    yield "as many heads as tokens", causal_weights(draw, 4, 4, 4)
    yield "two tokens", causal_weights(draw, 3, 2, 2)
    yield "one head", causal_weights(draw, 1, 5, 5)
    yield "no axis in front", causal_weights(draw, 23, 23)
    yield "steps, layers and heads", causal_weights(draw, 2, 3, 4, 7, 7)
    yield "heads that look both ways", open_weights(draw, 2, 3, 5, 5)
    yield "heads that look at one key alone", hard_weights(draw, 4, 3, 6, 6)


MISTAKES = """
mean-over-all-rows: Your mean counts the first row, where no token is before (key `-1` is the last). Leave it out.
    torch.arange(1, -> torch.arange(
mean-over-all-rows: You divide by the number of tokens. The first has none before it: divide by one less.
    attn_weights[…].mean(dim=-1) -> attn_weights[…].sum(dim=-1) / attn_weights.shape[-1]
first-row-wraps: Row 0 is added too. It has no token before, and index `-1` is the last key: begin with row 1.
    torch.arange(1, -> torch.arange(
    attn_weights[…].mean(dim=-1) -> attn_weights[…].sum(dim=-1) / (attn_weights.shape[-1] - 1)
all-before: You added up all earlier tokens. Asked for is the one right before: a single cell in each row.
    attn_weights[…].mean(dim=-1) -> attn_weights.tril(-1).sum(dim=-1)[..., 1:].mean(dim=-1)
all-cells: Cells beside the diagonal count as 0 in your mean. Divide by the number of queries that have a token before.
    attn_weights[…].mean(dim=-1) -> attn_weights.tril(-1).triu(-1).mean(dim=(-2, -1))
zeros-left-out: Queries without weight on the token before are missing in your mean. They have one: count them as 0.
    attn_weights[…].mean(dim=-1) -> attn_weights[…].sum(dim=-1) / (attn_weights[…] > 0).sum(dim=-1)
argmax-hits: You counted rows whose weight there is the largest, or high. Asked for is how much weight: read it off.
    attn_weights[…] -> (attn_weights.argmax(dim=-1)[..., rows] == rows - 1).float()
last-row-missing: The last row is left out. It has a token before it: go on to the end.
    attn_weights.shape[-1]) -> max(2, attn_weights.shape[-1] - 1))
block-mean: You averaged a whole block. One cell of each row counts: `[..., rows, rows - 1]`.
    attn_weights[…].mean(dim=-1) -> attn_weights[..., 1:, :-1].mean(dim=(-2, -1))
cells-of-first-axes: Queries and keys are the last two axes: `attn_weights[..., rows, rows - 1]`.
    attn_weights[…].mean(dim=-1) -> sum(attn_weights[row, row - 1]
        for row in range(1, len(attn_weights))) / (len(attn_weights) - 1)
rows-of-first-axis: You count the rows on the first axis, one of layers or heads. Take `attn_weights.shape[-1]`.
    attn_weights.shape[-1] -> attn_weights.shape[0]
flat-start: Your cells include one of row 0, its last. Flattened, row 1, key 0 stands at index `num_tokens`.
    attn_weights[…] -> attn_weights.flatten(-2)[..., attn_weights.shape[-1] - 1 :: attn_weights.shape[-1] + 1]
return-in-loop: Only the first query counts. Take the mean over all that have a token before, and `return`
    below the loop.
    attn_weights[…].mean(dim=-1) -> attn_weights[..., 1, 0]
    or
    attn_weights[…].mean(dim=-1) -> attn_weights[..., 1, 0] / (attn_weights.shape[-1] - 1)
next-for-previous: You read the token after. The one before is left of the diagonal: `offset=-1`, or `rows - 1`.
    attn_weights[…] -> attn_weights.diagonal(offset=1, dim1=-2, dim2=-1)
itself-for-previous: You read the main diagonal, each token's weight on itself. The token before lies one below it.
    attn_weights[…] -> attn_weights.diagonal(dim1=-2, dim2=-1)
wrong-axes: You read a diagonal through other axes. Queries and keys are the last two: `dim1=-2, dim2=-1`.
    attn_weights[…] -> attn_weights.diagonal(offset=-1)
"""

exercise = Exercise(previous_score_solution, cases, MISTAKES, shared=(MEAN,), outputs=("scores",))

"""`my_copying_scores(repeated, control)`: how much weight a head puts on what followed the same token before."""

import torch

from course_utils.checks.exercise import Exercise
from course_utils.lessons.watch_heads_learn.exercises.causal_weights import causal_weights, hard_weights, open_weights
from course_utils.lessons.watch_heads_learn.exercises.rows import MEAN


def copying_scores_solution(repeated, control):
    n = repeated.shape[-1] // 2
    rows = torch.arange(n, 2 * n)
    scores, by_place = (weights[..., rows, rows - n + 1].mean(dim=-1) for weights in (repeated, control))
    return scores - by_place


def cases(draw):
    def two(maker, *shape):
        return (maker(draw, *shape) for _ in range(2))

    yield "2 layers of 3 heads, 4 tokens twice", *two(causal_weights, 2, 3, 8, 8)
    yield "3 layers of 2 heads, 5 tokens twice", *two(causal_weights, 3, 2, 10, 10)
    yield "as many layers as heads, and n", *two(causal_weights, 3, 3, 6, 6)
    yield "as many heads as tokens", *two(causal_weights, 2, 6, 6, 6)
    yield "2 tokens twice", *two(causal_weights, 2, 5, 4, 4)
    yield "one layer of one head, 13 tokens twice", *two(causal_weights, 1, 1, 26, 26)
    yield "heads that look both ways", *two(open_weights, 2, 3, 8, 8)
    yield "heads that look at one key alone", *two(hard_weights, 4, 3, 6, 6)


MISTAKES = """
same-token: You read the weight on the same token in the first half, i − n. Asked for is the next: `rows - n + 1`.
    rows - n + 1 -> rows - n
one-before: You read the token before the earlier copy. Asked for is the one after it: `rows - n + 1`.
    rows - n + 1 -> rows - n - 1
    or
    torch.arange(n, 2 * n) -> torch.arange(n + 1, 2 * n)
    rows - n + 1 -> rows - n - 1
one-too-late: You read the second token after the earlier copy. Asked for is the one right after it: `rows - n + 1`.
    rows - n + 1 -> rows - n + 2
first-cell-kept: Row n − 1 counts too: the whole line has n + 1 cells. Leave out the first: `diagonal(…)[..., 1:]`.
    torch.arange(n, -> torch.arange(n - 1,
    or
    torch.arange(n, -> torch.arange(n - 1,
    .mean(dim=-1) -> .sum(dim=-1) / n
wrong-end-cut: You left out the last cell of the line. It is the first which does not belong: `diagonal(…)[..., 1:]`.
    torch.arange(n, 2 * n) -> torch.arange(n - 1, 2 * n - 1)
first-row-missing: Row n is left out. It is the first of the second half, and counts.
    torch.arange(n, -> torch.arange(n + 1,
last-row-missing: The last row is left out. It belongs to the second half: `torch.arange(n, 2 * n)`.
    torch.arange(n, 2 * n) -> torch.arange(n, 2 * n - 1)
one-row-only: One row alone counts, the first or the last. Add up all n, and divide below the loop.
    torch.arange(n, 2 * n) -> torch.arange(n, n + 1)
    or
    torch.arange(n, 2 * n) -> torch.arange(2 * n - 1, 2 * n)
    or
    torch.arange(n, 2 * n) -> torch.arange(n, n + 1)
    .mean(dim=-1) -> .sum(dim=-1) / n
    or
    torch.arange(n, 2 * n) -> torch.arange(2 * n - 1, 2 * n)
    .mean(dim=-1) -> .sum(dim=-1) / n
all-rows: All rows count. The first half is no copy of anything: take the n rows from n on.
    torch.arange(n, 2 * n) -> torch.arange(2 * n)
first-half: You read the rows of the first half. The queries are those of the second: `torch.arange(n, 2 * n)`.
    torch.arange(n, 2 * n) -> torch.arange(n)
wrong-count: You divide by another number than n, the number of queries in the second half.
    .mean(dim=-1) -> .sum(dim=-1) / (2 * n)
    or
    .mean(dim=-1) -> .sum(dim=-1) / (n + 1)
    or
    .mean(dim=-1) -> .sum(dim=-1) / (n - 1)
zeros-left-out: Queries without weight on their cell are missing in your mean. Count them as 0.
    weights[…].mean(dim=-1) -> weights[…].sum(dim=-1) / (weights[…] > 0).sum(dim=-1)
block-mean: You averaged a whole block. One cell of each row counts: `[..., rows, rows - n + 1]`.
    weights[…].mean(dim=-1) -> weights[..., n:, 1 : n + 1].mean(dim=(-2, -1))
one-key: Every query is read at the same key. Each has its own: `[..., rows, rows - n + 1]`.
    rows - n + 1] -> 1 - n]
    or
    rows - n + 1] -> 1]
qk-swapped: Rows and columns are exchanged. A row is a query, and looks back: `[..., rows, rows - n + 1]`.
    rows, rows - n + 1 -> rows - n + 1, rows
wrong-axes: You read a diagonal through other axes. Queries and keys are the last two: `dim1=-2, dim2=-1`.
    weights[…] -> weights.diagonal(1 - n)[..., 1:]
cells-of-first-axes: Queries and keys are the last two axes, not the first: `[..., rows, rows - n + 1]`.
    weights[…] -> weights[rows, rows - n + 1]
argmax-hits: You counted rows whose largest weight lies there. Asked for is how much weight: read it off.
    weights[…].mean(dim=-1) -> (weights.argmax(dim=-1)[..., rows] == rows - n + 1).float().mean(dim=-1)
max-for-mean: Only the best query of each head counts. Take the mean over all n: `.mean(dim=-1)`.
    .mean(dim=-1) -> .amax(dim=-1)
    or
    scores - by_place -> (repeated - control)[..., rows, rows - n + 1].amax(dim=-1)
control-ignored: A head that always looks so far back counts as copying. Subtract what the same cells of `control` hold.
    scores - by_place -> scores
control-alone: You returned the weights of `control`. Subtract them from those of `repeated`.
    scores - by_place -> by_place
control-added: The control is added. Subtract it: a head that always looks there copies nothing.
    scores - by_place -> scores + by_place
control-divides: You divided by the control. A difference is asked for: subtract it.
    scores - by_place -> scores / by_place
    or
    return scores - by_place -> return (repeated / control)[..., rows, rows - n + 1].mean(dim=-1)
control-elsewhere: You read other cells of `control` than of `repeated`. Take the same, `[..., rows, rows - n + 1]`.
    by_place = ( -> _ = (
    scores - by_place -> scores - control[..., rows, rows - n].mean(dim=-1)
    or
    by_place = ( -> _ = (
    scores - by_place -> scores - control[..., n:, :].mean(dim=(-2, -1))
    or
    by_place = ( -> _ = (
    scores - by_place -> scores - control.mean(dim=(-2, -1))
clamped: A head that looks there less than in the control has a score below 0. You cut it off: return the difference.
    scores - by_place -> (scores - by_place).clamp(min=0)
    or
    scores - by_place -> (repeated - control)[..., rows, rows - n + 1].clamp(min=0).mean(dim=-1)
sign-lost: A head that looks there less than in the control has a score below 0: leave out what takes the sign away.
    scores - by_place -> (scores - by_place).abs()
    or
    scores - by_place -> (repeated - control)[..., rows, rows - n + 1].abs().mean(dim=-1)
n-is-half: Your n is the whole text. The n tokens come twice, so n is half of it: `repeated.shape[-1] // 2`.
    // 2 ->
n-a-float: `/` makes a float of n, and places are whole numbers: `repeated.shape[-1] // 2`.
    // 2 -> / 2
n-of-other-axis: You read n off the layers or the heads. It is half the tokens: `repeated.shape[-1] // 2`.
    shape[-1] -> shape[0]
    or
    shape[-1] -> shape[1]
"""

exercise = Exercise(copying_scores_solution, cases, MISTAKES, shared=(MEAN,), outputs=("scores",))

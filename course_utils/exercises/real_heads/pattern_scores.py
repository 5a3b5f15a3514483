"""`my_pattern_scores(attn_weights, pattern)`: how well a pattern fits each head."""

import torch

from course_utils.checks.behaviours import repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.checks.form import Form


def pattern_scores_solution(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern marks no cell: there is nothing to score.")
    on_marks = (attn_weights * pattern).sum(dim=-1)  # (layers, num_heads, num_queries)
    return on_marks[..., pattern.any(dim=-1)].mean(dim=-1)  # (layers, num_heads)


def cases(draw):
    def weights(*shape, dtype=torch.float32):
        return torch.softmax(2 * draw(*shape, dtype=dtype), dim=-1)

    wide = torch.tensor([[0, 1, 1, 0, 0], [0, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0]]).bool()
    some = torch.tensor([[0, 1, 1, 0], [0, 0, 0, 0], [1, 0, 0, 1], [1, 0, 0, 0]]).bool()
    yield "2 layers of 3 heads, 4 queries, 5 keys", weights(2, 3, 4, 5), wide
    yield "a mark in each row but the first", weights(3, 2, 5, 5), torch.ones(5, 5).tril(-1).triu(-1).bool()
    yield "one cell", weights(2, 4, 3, 3), torch.tensor([[0, 0, 0], [0, 0, 1], [0, 0, 0]]).bool()
    yield "every cell", weights(1, 2, 17, 17), torch.ones(17, 17).bool()
    yield "as many heads as tokens", weights(2, 4, 4, 4), some
    yield "as many layers as heads and tokens", weights(4, 4, 4, 4), some
    yield "one layer, one head", weights(1, 1, 4, 4), some.mT
    yield "6 layers of 12 heads, as in the page's model", weights(6, 12, 4, 5), wide
    alone = weights(3, 4, 4, 4)
    yield "heads that look at one key alone", (alone == alone.amax(dim=-1, keepdim=True)).float(), some
    yield "a pattern without marks", weights(2, 3, 4, 4), torch.zeros(4, 4).bool()
    yield Unasked("float64"), weights(2, 3, 4, 4, dtype=torch.float64), some


def by_loops(attn_weights, pattern):
    """Return the solution's scores, computed row by row."""
    rows = [row for row in range(len(pattern)) if pattern[row].any()]
    if not rows:
        raise ValueError("the pattern marks no cell: there is nothing to score.")
    found = []
    for row in rows:
        found.append(attn_weights[:, :, row, pattern[row]].sum(dim=-1))  # (layers, num_heads)
    return torch.stack(found).mean(dim=0)


LOOPS = """
sizes-fixed: 6 layers or 12 heads are typed in, those of the page's model. Read them off: `attn_weights.shape[:2]`.
    attn_weights[:, :, row, pattern[row]].sum(dim=-1) -> torch.stack([torch.stack([
        attn_weights[layer, head, row, pattern[row]].sum() for head in range(12)]) for layer in range(6)])
    or
    return torch.stack(found).mean(dim=0) -> layers, num_heads = attn_weights.shape[:2] ⏎ scores = torch.zeros(6, 12)
        ⏎ for layer in range(layers): ⏎     for head in range(num_heads):
        ⏎         scores[layer, head] = torch.stack(found).mean(dim=0)[layer, head] ⏎ return scores
    or
    return torch.stack(found).mean(dim=0) -> scores = torch.stack(found).mean(dim=0)
        ⏎ return torch.stack([torch.stack([scores[layer, head] for head in range(12)]) for layer in range(len(scores))])
    or
    return torch.stack(found).mean(dim=0) -> return torch.stack(found).mean(dim=0)[:6, :12].reshape(6, 12)
no-check: A pattern without marks goes through, or stops with another error than yours. Begin with
    `if not pattern.any():` and `raise` a `ValueError`.
    if not rows: -> if False:
wrong-axes: You read the first axis of the weights, the layers. Queries and keys are the last two:
    `attn_weights[..., row, pattern[row]]`.
    attn_weights[:, :, row, pattern[row]] -> attn_weights[row, pattern[row]]
mean-over-heads: Your mean runs over the heads, and the rows are still there. Take it over the rows alone.
    .mean(dim=0) -> .mean(dim=-1)
one-number: One number comes back for all heads together. Each has its own: sum and mean run over keys and rows alone.
    .sum(dim=-1)) -> .sum())
layers-heads-swapped: Layers and heads have changed places. It is `layers, num_heads = attn_weights.shape[:2]`.
    return torch.stack(found).mean(dim=0) -> scores = torch.stack(found).mean(dim=0)
        ⏎ num_heads, layers = attn_weights.shape[:2]
        ⏎ return torch.stack([torch.stack([scores[layer, head] for head in range(num_heads)])
        for layer in range(layers)])
rows-from-keys: You count the rows of the pattern by its columns. A row is a query: `range(len(pattern))`, `shape[0]`.
    range(len(pattern)) -> range(pattern.shape[1])
last-row-only: Only the last marked row counts. Keep what each row gives, and take the mean over them.
    torch.stack(found).mean(dim=0) -> found[-1]
first-row-only: Only the first marked row counts. Take the mean over all: look for a `return` inside the loop.
    torch.stack(found).mean(dim=0) -> found[0]
"""
MISTAKES = """
all-rows: Rows without a mark count as 0 in your mean. Average over the rows that have one, `pattern.any(dim=-1)`.
    on_marks[..., pattern.any(dim=-1)] -> on_marks
rows-of-columns: You chose the rows by the columns of the pattern. A row is a query: `pattern.any(dim=-1)`.
    pattern.any(dim=-1) -> pattern.any(dim=-2)
rows-all: You chose the rows in which every cell is marked. One mark is enough: `pattern.any(dim=-1)`.
    pattern.any(dim=-1) -> pattern.all(dim=-1)
rows-inverted: You average over the rows that have no mark. Take the others: `pattern.any(dim=-1)`, without a `~`.
    pattern.any(dim=-1) -> ~pattern.any(dim=-1)
mask-inverted: You added up the weights outside the marks. True marks where the weight should lie.
    attn_weights * pattern -> attn_weights * ~pattern
matrix-product: Your product mixes the marks of all rows. Each weight meets its own mark: `attn_weights * pattern`.
    attn_weights * pattern -> attn_weights @ pattern.float()
    or
    attn_weights * pattern -> attn_weights @ pattern.float()
    on_marks[..., pattern.any(dim=-1)] -> on_marks
qk-swapped: The pattern is turned on its side. Its rows are queries, as those of the weights are: no transpose.
    attn_weights * pattern -> attn_weights * pattern.T
    or
    attn_weights * pattern -> attn_weights * pattern.T
    pattern.any(dim=-1) -> pattern.T.any(dim=-1)
zeros-left-out: Marked rows in which the head gives the marks no weight are left out of your mean. They count, as 0:
    choose the rows by the pattern, `pattern.any(dim=-1)`.
    on_marks[..., pattern.any(dim=-1)].mean(dim=-1) -> on_marks.sum(dim=-1) / (on_marks > 0).sum(dim=-1)
    or
    on_marks[..., pattern.any(dim=-1)].mean(dim=-1) -> on_marks.sum(dim=-1) / (on_marks > 0).sum(dim=-1).clamp(min=1)
shared-out-anew: Every score is 1: each row is shared out anew among its marks. Add up the weights on them as they are.
    (attn_weights * pattern).sum(dim=-1) ->
        torch.softmax(attn_weights.masked_fill(~pattern, -torch.inf), dim=-1).nan_to_num().sum(dim=-1)
softmax-again: A second softmax has flattened the weights. Add up those on the marks as they are.
    (attn_weights * pattern).sum(dim=-1) -> (torch.softmax(attn_weights, dim=-1) * pattern).sum(dim=-1)
    or
    (attn_weights * pattern).sum(dim=-1) -> (torch.softmax(attn_weights * pattern, dim=-1) * pattern).sum(dim=-1)
total-not-reset: Each head's score has those of the heads before on top. Begin the sum anew, at 0, for each head.
    .mean(dim=-1) -> .mean(dim=-1).cumsum(dim=-1)
    or
    .mean(dim=-1) -> .mean(dim=-1).flatten().cumsum(dim=0).view(attn_weights.shape[:2])
max-for-sum: You took the largest marked weight of each row. A row may have several marks: add them up.
    (attn_weights * pattern).sum(dim=-1) -> (attn_weights * pattern).amax(dim=-1)
first-mark-only: Of each row one mark counts, the first or the last. A row may have several: add them up.
    (attn_weights * pattern).sum(dim=-1) -> attn_weights[..., torch.arange(len(pattern)), pattern.int().argmax(dim=-1)]
    or
    (attn_weights * pattern).sum(dim=-1) -> attn_weights.flip(-1)[
        ..., torch.arange(len(pattern)), pattern.int().flip(-1).argmax(dim=-1)]
rows-counted: You counted rows in which the marks hold more than one half. Add up how much weight lies there.
    on_marks[..., pattern.any(dim=-1)] -> (on_marks > 0.5)[..., pattern.any(dim=-1)].float()
mean-for-sum: You divided by the number of keys. Add up along a row, `sum(dim=-1)`. The mean comes after, over rows.
    (attn_weights * pattern).sum(dim=-1) -> (attn_weights * pattern).mean(dim=-1)
all-cells: Your mean runs over all cells. Add up along each row, then take the mean over the rows that have a mark.
    on_marks[..., pattern.any(dim=-1)].mean(dim=-1) -> (attn_weights * pattern).mean(dim=(-2, -1))
marks-mean: You averaged the marks of each row. Add them up along the row, and average over the rows.
    .sum(dim=-1)  # -> .sum(dim=-1) / pattern.sum(dim=-1).clamp(min=1)  #
    or
    on_marks[..., pattern.any(dim=-1)] ->
        (on_marks / (attn_weights * pattern != 0).sum(dim=-1).clamp(min=1))[..., pattern.any(dim=-1)]
empty-rows-divided: `nan` comes out: a row without a mark is divided by 0. Take marked rows: `pattern.any(dim=-1)`.
    on_marks[..., pattern.any(dim=-1)] -> (on_marks / pattern.sum(dim=-1))
columns-summed: You added up along the columns, over the queries. Each row belongs to one query: `sum(dim=-1)`.
    (attn_weights * pattern).sum(dim=-1) -> (attn_weights * pattern).sum(dim=-2)
    or
    (attn_weights * pattern).sum(dim=-1) -> (attn_weights * pattern).sum(dim=-2)
    pattern.any(dim=-1) -> pattern.any(dim=-2)
cells-mean: You averaged over the marked cells. Add up along each row first, then average over the rows.
    on_marks[..., pattern.any(dim=-1)] -> attn_weights[..., pattern]
cells-added: You added up all marked weights. Take the mean over the rows that have a mark, or a long sentence wins.
    on_marks[..., pattern.any(dim=-1)].mean(dim=-1) -> attn_weights[..., pattern]
wrong-axes: Your pattern chooses among layers and heads, the first axes. It belongs to the last two: multiply, or begin
    the brackets with `...`.
    if not…return -> return
    on_marks[..., pattern.any(dim=-1)].mean(dim=-1) -> attn_weights[pattern].mean()
    or
    on_marks[..., pattern.any(dim=-1)] -> attn_weights[pattern]
no-mean: The rows are added up. Take their mean, or a long sentence wins.
    .mean(dim=-1) -> .sum(dim=-1)
max-for-mean: You took the largest row. One good row does not make a head: take the mean over the rows.
    .mean(dim=-1) -> .amax(dim=-1)
weights-averaged: The heads are averaged. Each head has a score of its own: `(layers, num_heads)`.
    .mean(dim=-1) -> .mean(dim=-1).mean(dim=-1)
layers-averaged: The layers are averaged. Each head of each layer has a score of its own: `(layers, num_heads)`.
    .mean(dim=-1) -> .mean(dim=-1).mean(dim=0)
heads-summed: The heads, or the layers, are added up. Each head of each layer has its own score: `(layers, num_heads)`.
    .mean(dim=-1) -> .mean(dim=-1).sum(dim=-1)
    or
    .mean(dim=-1) -> .mean(dim=-1).sum(dim=0)
first-head-only: Each head has the score of the first. Let the leading axes run along, as in `attn_weights * pattern`.
    .mean(dim=-1) -> .mean(dim=-1)[:1, :1].expand(attn_weights.shape[:2])
first-layer-only: Only the first layer is there. Let the leading axes run along, as in `attn_weights * pattern`.
    attn_weights * pattern -> attn_weights[0] * pattern
    or
    .mean(dim=-1) -> .mean(dim=-1)[:1]
argmax-hits: You counted how often the largest weight lies on a mark. Add up how much weight lies there.
    (attn_weights * pattern).sum(dim=-1) -> pattern[torch.arange(len(pattern)), attn_weights.argmax(dim=-1)].float()
no-check: A pattern without marks goes through: what comes back looks like a score. Begin with
    `if not pattern.any():` and `raise` a `ValueError`.
    if not pattern.any() -> if False
error-kind: A pattern without marks raises another error than a `ValueError`: write `raise ValueError(…)`.
    raise ValueError -> raise AssertionError
    or
    raise ValueError -> raise Exception
any-forgotten: A whole table is neither true nor false. Ask whether any mark is in it: `if not pattern.any():`.
    if not pattern.any() -> if not pattern
error-returned: Your `ValueError` is returned as a result. Nobody is stopped by that: write `raise`.
    raise ValueError -> return ValueError
one-number: One number comes back for all heads together. Take the mean along the last axis only: `dim=-1`.
    .mean(dim=-1) -> .mean()
row-of-each: One number for each row came back. One for each head is asked for: the mean over the rows.
    .mean(dim=-1) ->
    or
    on_marks[..., pattern.any(dim=-1)].mean(dim=-1) -> on_marks
rows-on-first-axis: The rows are chosen on the first axis, the layers. They are the last: `on_marks[..., chosen]`.
    on_marks[..., pattern.any(dim=-1)] -> on_marks[pattern.any(dim=-1)]
check-inverted: You refuse the patterns that have marks. Refuse the one without: `if not pattern.any():`.
    if not pattern.any() -> if pattern.any()
check-all: You refuse patterns that leave a cell or a row unmarked. Refuse only those without any mark: `pattern.any()`.
    if not pattern.any() -> if not pattern.all()
    or
    if not pattern.any() -> if not pattern.any(dim=-1).all()
axis-kept: The axis of the rows is still there, with length 1. Leave out `keepdim=True`.
    .mean(dim=-1) -> .mean(dim=-1, keepdim=True)
mean-over-heads: Your mean runs over the heads, and the rows are still there. Take it over the rows alone.
    .mean(dim=-1) -> .mean(dim=1)
"""

exercise = Exercise(
    pattern_scores_solution,
    cases,
    MISTAKES,
    also=(Form(__name__, "by_loops", LOOPS),),
    outputs=("scores",),
    behaviours=(repeats,),
)

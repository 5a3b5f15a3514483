"""`my_pattern_scores(attn_weights, pattern)`: how well a pattern fits each head."""

import torch

from course_utils.checks.exercise import Exercise


def pattern_scores_solution(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern marks no cell: there is nothing to score.")
    on_marks = (attn_weights * pattern).sum(dim=-1)  # (layers, num_heads, num_queries)
    return on_marks[..., pattern.any(dim=-1)].mean(dim=-1)  # (layers, num_heads)


def cases(draw):
    def weights(*shape):
        return torch.softmax(2 * draw(*shape), dim=-1)

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


MISTAKES = """
all-rows: Rows without a mark count as 0 in your mean. Average over the rows that have one, `pattern.any(dim=-1)`.
    on_marks[..., pattern.any(dim=-1)] -> on_marks
rows-of-columns: You chose the rows by the columns of the pattern. A row is a query: `pattern.any(dim=-1)`.
    pattern.any(dim=-1) -> pattern.any(dim=-2)
zeros-left-out: Marked rows without weight are left out. They count, as 0: choose by `pattern.any(dim=-1)`.
    on_marks[..., pattern.any(dim=-1)].mean(dim=-1) -> on_marks.sum(dim=-1) / (on_marks > 0).sum(dim=-1)
    or
    on_marks[..., pattern.any(dim=-1)].mean(dim=-1) -> on_marks.sum(dim=-1) / (on_marks > 0).sum(dim=-1).clamp(min=1)
shared-out-anew: Every score is 1: each row is shared out anew among its marks. Add up the weights on them as they are.
    (attn_weights * pattern).sum(dim=-1) ->
        torch.softmax(attn_weights.masked_fill(~pattern, -torch.inf), dim=-1).nan_to_num().sum(dim=-1)
total-not-reset: Each head's score has those of the heads before on top. Begin the sum anew, at 0, for each head.
    .mean(dim=-1) -> .mean(dim=-1).cumsum(dim=-1)
max-for-sum: You took the largest marked weight of each row. A row may have several marks: add them up.
    (attn_weights * pattern).sum(dim=-1) -> (attn_weights * pattern).amax(dim=-1)
marks-mean: You averaged the marks of each row. Add them up along the row, and average over the rows.
    .sum(dim=-1)  # -> .sum(dim=-1) / pattern.sum(dim=-1).clamp(min=1)  #
columns-summed: You added up along the columns, over the queries. Each row belongs to one query: `sum(dim=-1)`.
    (attn_weights * pattern).sum(dim=-1) -> (attn_weights * pattern).sum(dim=-2)
    pattern.any(dim=-1) -> pattern.any(dim=-2)
cells-mean: You averaged over the marked cells. Add up along each row first, then average over the rows.
    on_marks[..., pattern.any(dim=-1)] -> attn_weights[..., pattern]
wrong-axes: Your pattern chooses among layers and heads. It belongs to the last two axes: multiply.
    if not…return -> return
    on_marks[..., pattern.any(dim=-1)].mean(dim=-1) -> attn_weights[pattern].mean()
all-added: `.sum()` adds up layers and heads, too. Add up along the row alone: `.sum(dim=-1)`.
    on_marks[..., pattern.any(dim=-1)].mean(dim=-1) -> on_marks.sum() / pattern.any(dim=-1).sum()
    or
    on_marks[..., pattern.any(dim=-1)].mean(dim=-1) -> on_marks.sum() / pattern.sum()
no-mean: The rows are added up. Take their mean, or a long sentence wins.
    .mean(dim=-1) -> .sum(dim=-1)
first-head-only: Each head has the score of the first. Let the leading axes run along, as in `attn_weights * pattern`.
    .mean(dim=-1) -> .mean(dim=-1)[:1, :1].expand(attn_weights.shape[:2])
argmax-hits: You counted how often the largest weight lies on a mark. Add up how much weight lies there.
    (attn_weights * pattern).sum(dim=-1) -> pattern[torch.arange(len(pattern)), attn_weights.argmax(dim=-1)].float()
no-check: A pattern without marks goes through. Begin with `if not pattern.any():`, raise a `ValueError`.
    if not pattern.any() -> if False
error-kind: A pattern without marks raises another error than a `ValueError`: write `raise ValueError(…)`.
    raise ValueError -> raise AssertionError
error-returned: Your `ValueError` is returned as a result. Nobody is stopped by that: write `raise`.
    raise ValueError -> return ValueError
check-all: You refuse patterns that leave a cell or a row unmarked. Refuse only those without any mark: `pattern.any()`.
    if not pattern.any() -> if not pattern.any(dim=-1).all()
sizes-fixed: 6 layers or 12 heads are typed in, those of the page's model. Read them off: `attn_weights.shape[:2]`.
    on_marks = (attn_weights -> layers = [[attn_weights[i, j] for j in range(12)] for i in range(6)]
        ⏎ on_marks = (torch.stack([torch.stack(layer) for layer in layers])
"""

exercise = Exercise(pattern_scores_solution, cases, MISTAKES, outputs=("scores",))

"""`my_induction_score(attn_weights, tokens)`: how much weight a head puts on what followed the same token before."""

import torch
import torch.nn.functional as F

from course_utils.checks.exercise import Exercise
from course_utils.lessons.watch_heads_learn.exercises.causal_weights import causal_weights, hard_weights, open_weights
from course_utils.lessons.watch_heads_learn.exercises.rows import MEAN


def induction_score_solution(attn_weights, tokens):
    same = tokens[:, None] == tokens  # (num_queries, num_keys)
    after = F.pad(same, (1, 0))[:, :-1].tril()  # True where the key followed an earlier occurrence of the query's token
    on_marks = (attn_weights * after).sum(dim=-1)  # (..., num_queries)
    return on_marks[..., after.any(dim=-1)].mean(dim=-1)  # (...)


def cases(draw):
    word, mixed = torch.tensor([3, 1, 2, 3, 1, 2, 3]), torch.tensor([5, 2, 7, 2, 9, 5, 2, 4])
    yield "a segment of 3, 7 tokens, 2 heads", causal_weights(draw, 2, 7, 7), word
    yield "a token that stood there three times", causal_weights(draw, 3, 6, 6), torch.tensor([4, 0, 4, 1, 4, 4])
    yield "tokens in no order, 2 layers of 3 heads", causal_weights(draw, 2, 3, 8, 8), mixed
    yield "as many heads as tokens", causal_weights(draw, 5, 5, 5), torch.tensor([1, 0, 2, 1, 0])
    yield "two rounds", causal_weights(draw, 3, 6, 6), torch.tensor([8, 6, 7, 8, 6, 7])
    yield "steps, layers and heads", causal_weights(draw, 2, 3, 4, 8, 8), mixed
    yield "no axis in front", causal_weights(draw, 23, 23), mixed.repeat(3)[:23]
    yield "heads that look both ways", open_weights(draw, 2, 3, 8, 8), mixed
    yield "heads that look at one key alone", hard_weights(draw, 4, 3, 8, 8), mixed


MISTAKES = """
same-token: You marked where the token stood before. Asked for is the position after it: one to the right.
    F.pad(same, (1, 0))[:, :-1].tril() -> same.tril(-1)
itself-marked: Each token's own position is marked. Move the table one column right, then cut it with `tril()`.
    F.pad(same, (1, 0))[:, :-1].tril() -> same.tril()
before-for-after: You marked the position before. What followed stands to its right: `tokens[key - 1]` is the token.
    F.pad(same, (1, 0))[:, :-1].tril() -> F.pad(same, (0, 1))[:, 1:].tril()
    or
    F.pad(same, (1, 0))[:, :-1].tril() -> F.pad(same, (0, 1))[:, 1:]
    or
    F.pad(same, (1, 0))[:, :-1].tril() -> F.pad(same.tril(-1), (0, 1))[:, 1:]
    after.any(dim=-1) -> same.tril(-1).any(dim=-1)
all-rows: Rows of tokens that had not stood there before count as 0 in your mean. They say nothing: leave them out.
    on_marks[..., after.any(dim=-1)] -> on_marks
zeros-left-out: Rows without weight on their marks are missing in your mean. The head looks elsewhere: they count as 0.
    on_marks[..., after.any(dim=-1)].mean(dim=-1) -> on_marks.sum(dim=-1) / (on_marks > 0).sum(dim=-1)
cells-mean: You averaged over marked cells. A row may have several: add up along the row, then average the rows.
    on_marks[..., after.any(dim=-1)] -> attn_weights[..., after]
qk-swapped: Rows and columns are exchanged. A row is a query, and looks back at earlier keys.
    attn_weights * after -> attn_weights.transpose(-2, -1) * after
future-marked: Keys ahead of the query are marked as well. Cut the table with `.tril()`, after it is moved.
    .tril() ->
future-and-roll: Key 0 is marked, and keys ahead are. Put False into the first column, cut with `.tril()`.
    F.pad(same, (1, 0))[:, :-1].tril() -> same.roll(1, dims=1)
moved-down: The marks are moved down, to the next query. Move them right, to the next key: `F.pad(same, (1, 0))`.
    F.pad(same, (1, 0))[:, :-1].tril() -> F.pad(same, (0, 0, 1, 0))[:-1].tril(-1)
empty-rows-divided: A row without a mark is 0 / 0. Keep the rows with one, `after.any(dim=-1)`, and add up.
    on_marks[..., after.any(dim=-1)] -> (on_marks / after.sum(dim=-1))
columns-summed: You added up the columns, over the queries. A row belongs to one query: `sum(dim=-1)`.
    (attn_weights * after).sum(dim=-1) -> (attn_weights * after).sum(dim=-2)
wraps-round: Key 0 is marked, and no token stands before it (`tokens[-1]` is the last). Leave key 0 unmarked.
    F.pad(same, (1, 0))[:, :-1].tril() -> same.roll(1, dims=1).tril()
neighbour-missed: A token that stands twice in a row was followed by itself: the query's own key may be marked.
    .tril() -> .tril(-1)
last-only: Only the last earlier position counts. The token may have stood there several times: add up all marks.
    attn_weights * after -> attn_weights * (after & (after.flip(-1).cumsum(dim=-1).flip(-1) == 1))
first-only: Only the first earlier position counts. The token may have stood there several times: add up all marks.
    attn_weights * after -> attn_weights * (after & (after.cumsum(dim=-1) == 1))
row-mean: You averaged along the row. A row may share its weight between marks: add up there, then average the rows.
    .sum(dim=-1)  # -> .sum(dim=-1) / after.sum(dim=-1).clamp(min=1)  #
max-for-sum: Only the largest marked weight of each row counts. Add up all that lies on the marks.
    .sum(dim=-1)  # -> .amax(dim=-1)  #
cells-of-first-axes: Queries and keys are the last two axes, not the first: `attn_weights[..., query, key]`.
    on_marks = -> marks = [(query, row.nonzero()[:, 0].tolist()) for query, row in enumerate(after)]
        ⏎ return torch.stack([attn_weights[query, keys].sum() for query, keys in marks if keys]).mean() ⏎ on_marks =
all-added: `.sum()` adds up heads and layers, too. Keep the axes in front: one score for each head.
    on_marks[..., after.any(dim=-1)].mean(dim=-1) -> on_marks.sum() / after.sum()
    or
    on_marks[..., after.any(dim=-1)].mean(dim=-1) -> on_marks.sum() / after.any(dim=-1).sum()
return-in-loop: Only the first query with a mark counts. Take the mean over all of them, and `return` below the loop.
    after.any(dim=-1)].mean(dim=-1) -> after.any(dim=-1)][..., 0]
"""

exercise = Exercise(induction_score_solution, cases, MISTAKES, shared=(MEAN,), outputs=("scores",))

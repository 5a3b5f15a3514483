"""`my_induction_score(attn_weights, tokens)`: how much weight a head puts on what followed the same token before."""

import torch
import torch.nn.functional as F

from course_utils.checks.behaviours import repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.checks.form import Form
from course_utils.exercises.watch_heads_learn.causal_weights import causal_weights, hard_weights, open_weights


def induction_score_solution(attn_weights, tokens):
    same = tokens[:, None] == tokens  # (num_queries, num_keys)
    after = F.pad(same, (1, 0))[:, :-1].tril()  # True where the key followed an earlier place of the query's token
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
    yield "no axis in front", causal_weights(draw, 8, 8), mixed
    yield "heads that look both ways", open_weights(draw, 2, 3, 8, 8), mixed
    yield "heads that look at one key alone", hard_weights(draw, 4, 3, 8, 8), mixed
    yield Unasked("float64"), causal_weights(draw, 2, 7, 7, dtype=torch.float64), word


def by_loops(attn_weights, tokens):
    """The solution query by query, key by key."""
    rows = []
    for query in range(len(tokens)):
        keys = [key for key in range(1, query + 1) if tokens[key - 1] == tokens[query]]
        if keys:
            rows.append(attn_weights[..., query, keys].sum(dim=-1))
    return torch.stack(rows).mean(dim=0)


LOOPS = """
before-for-after: You marked the place before the earlier one. What followed it stands one to the *right*: `key - 1` is
    the place of the same token.
    range(1, query + 1) if tokens[key - 1] -> range(query) if tokens[key + 1]
    or
    range(1, query + 1) if tokens[key - 1] -> range(query - 1) if tokens[key + 1]
wraps-round: Key 0 is marked, and no token stands before it: `tokens[-1]`, or a `roll`, reads the last token there.
    Begin with key 1, or fill the first column with False.
    range(1, query + 1) -> range(query + 1)
neighbour-missed: A token that stands twice in a row was followed by itself: the key right after the earlier place may
    be the query's own place. Keys up to the query count.
    range(1, query + 1) -> range(1, query)
own-place: The query's own place is taken for an earlier one, so the key after it lies ahead, and behind the last token
    there is none. Earlier places come before the query: `range(query)`.
    range(1, query + 1) -> range(1, query + 2)
last-only: Only the last earlier place counts in your sum. The token may have stood there several times: add up all.
    keys].sum(dim=-1) -> keys[-1]]
first-only: Only the first earlier place counts in your sum. The token may have stood there several times: add up all.
    keys].sum(dim=-1) -> keys[0]]
row-mean: You averaged along the row. A row may share its weight between several keys: add up there, and take the mean
    over the rows.
    keys].sum(dim=-1) -> keys].mean(dim=-1)
max-for-sum: You took the largest marked weight of each row. Add up all that lies on the marks.
    keys].sum(dim=-1) -> keys].amax(dim=-1)
qk-swapped: Rows and columns are exchanged: a row is a query, and looks back at earlier keys.
    attn_weights[..., query, keys] -> attn_weights[..., keys, query]
cells-of-first-axes: `attn_weights[query, key]` reads the first two axes, which are layers or heads. Queries and keys
    are the last two: `attn_weights[..., query, key]`.
    attn_weights[..., query, keys].sum(dim=-1) -> attn_weights[query, keys].sum(dim=-1)
    or
    attn_weights[..., query, keys].sum(dim=-1) -> sum(attn_weights[query, key] for key in keys)
    or
    attn_weights[..., query, keys].sum(dim=-1) -> attn_weights[query, keys].sum()
one-axis-in-front: With one axis in front it works; with two, or none, the indices reach the wrong ones. `...` stands
    for any number of axes: `attn_weights[..., query, keys]`.
    attn_weights[..., query -> attn_weights[:, query
mean-over-heads: Your mean runs over the heads, and the rows are still there. `torch.stack` of rows puts them first:
    `mean(dim=0)`.
    .mean(dim=0) -> .mean(dim=-1)
return-in-loop: Only the first such query counts: `return` stands inside the loop. Move it to the left.
    rows.append(…) -> return …
one-for-all-axes: One number came out for all heads together. Take the mean over the rows alone: `mean(dim=0)` where
    `torch.stack` put them first.
    keys].sum(dim=-1) -> keys].sum()
"""
MISTAKES = """
same-token: You marked where the token stood before. Asked for is the place after it: one to the right.
    F.pad(same, (1, 0))[:, :-1].tril() -> same.tril(-1)
itself-marked: Each token is marked as the same as itself, and nothing is moved. Asked for is the place after an earlier
    one: move the table one column to the right, then cut it with `tril()`.
    F.pad(same, (1, 0))[:, :-1].tril() -> same.tril()
    or
    F.pad(same, (1, 0))[:, :-1].tril() -> same
before-for-after: You marked the place before the earlier one. What followed it stands one to the *right*: `key - 1` is
    the place of the same token.
    F.pad(same, (1, 0))[:, :-1].tril() -> F.pad(same.tril(-1), (0, 1))[:, 1:]
    or
    F.pad(same, (1, 0))[:, :-1].tril() -> F.pad(same, (0, 1))[:, 1:].tril()
two-further: You went two places to the right. What followed the token stands one place after it.
    F.pad(same, (1, 0))[:, :-1] -> F.pad(same, (2, 0))[:, :-2]
itself-included: The same token and what follows it are both marked. Only what follows counts.
    F.pad(same, (1, 0))[:, :-1].tril() -> F.pad(same, (1, 0))[:, :-1].tril() | same.tril(-1)
all-rows: Rows of tokens that had not stood there before count as 0 in your mean. They say nothing: leave them out.
    on_marks[..., after.any(dim=-1)] -> on_marks
zeros-left-out: Queries with no weight on the marks are left out of your mean. Their token stood there before, and the
    head looks elsewhere: they count as 0.
    on_marks[..., after.any(dim=-1)].mean(dim=-1) -> on_marks.sum(dim=-1) / (on_marks > 0).sum(dim=-1)
    or
    on_marks[..., after.any(dim=-1)].mean(dim=-1) -> on_marks.sum(dim=-1) / (on_marks > 0).sum(dim=-1).clamp(min=1)
shared-out-anew: You share each row out anew among its marks, so every score is 1. The weights are shared out already:
    add up those on the marks as they are.
    (attn_weights * after).sum(dim=-1) ->
        torch.softmax(attn_weights.masked_fill(~after, -torch.inf), dim=-1).nan_to_num().sum(dim=-1)
cells-mean: You averaged over the cells. A row may share its weight between several: add up along the row, then take the
    mean over rows.
    on_marks[..., after.any(dim=-1)] -> attn_weights[..., after]
all-cells: You took the mean over all cells of the matrix, and unmarked ones count as 0. Add up along each row, then
    take the mean over the rows that have a mark.
    on_marks[..., after.any(dim=-1)].mean(dim=-1) -> (attn_weights * after).mean(dim=(-2, -1))
no-mean: The rows are added up. Take their mean, or a long sequence wins.
    .mean(dim=-1) -> .sum(dim=-1)
max-for-mean: You took the largest row. One good row does not make a head: take the mean over the rows.
    .mean(dim=-1) -> .amax(dim=-1)
rows-of-columns: You chose the rows by the columns of the marks. A row is a query: `after.any(dim=-1)`.
    after.any(dim=-1) -> after.any(dim=0)
qk-swapped: Rows and columns are exchanged: a row is a query, and looks back at earlier keys.
    attn_weights * after -> attn_weights.transpose(-2, -1) * after
    or
    attn_weights * after -> attn_weights * after.T
previous-score: This is the score of the exercise before: the token right before. Here the place depends on the tokens.
    on_marks[…].mean(dim=-1) -> attn_weights.diagonal(offset=-1, dim1=-2, dim2=-1).mean(dim=-1)
argmax-hits: You counted how often the largest weight lies there. Asked for is how much weight: add it up.
    (attn_weights * after).sum(dim=-1) -> after[torch.arange(len(tokens)), attn_weights.argmax(dim=-1)].float()
    or
    on_marks[…].mean(dim=-1) -> (tokens[attn_weights.argmax(dim=-1) - 1] == tokens).float().mean(dim=-1)
fixed-distance: You read one diagonal, as if every token came back after 7 places, as in PLANETS. The tokens tell where
    each stood before: compare them.
    on_marks[…].mean(dim=-1) -> attn_weights.diagonal(offset=-6, dim1=-2, dim2=-1).mean(dim=-1)
weights-averaged: The heads are averaged. Each has a score of its own: keep all axes but the last two.
    .mean(dim=-1) -> .mean(dim=-1).mean(dim=-1)
first-head-only: Only the first head is there: let all axes in front run along, `attn_weights[..., query, key]`.
    .mean(dim=-1) -> .mean(dim=-1)[..., :1]
    or
    attn_weights * after -> attn_weights[0] * after
row-of-each: One number for each row came back. One for each head is asked for: the mean over the rows.
    .mean(dim=-1) ->
    or
    on_marks[..., after.any(dim=-1)].mean(dim=-1) -> on_marks
mask-inverted: You added up what lies beside the marks. True marks where the weight should lie.
    attn_weights * after -> attn_weights * ~after
future-marked: Keys ahead of the query are marked as well, so rows that should be left out count as 0. Cut the table
    with `.tril()`, and do so after you have moved it.
    .tril() ->
    or
    F.pad(same, (1, 0))[:, :-1].tril() -> F.pad(same.tril(), (1, 0))[:, :-1]
wraps-round: Key 0 is marked, and no token stands before it: `tokens[-1]`, or a `roll`, reads the last token there.
    Begin with key 1, or fill the first column with False.
    F.pad(same, (1, 0))[:, :-1].tril() -> same.tril().roll(1, dims=1).tril()
future-and-roll: Two slips in your table: `roll` brings the last column round to key 0, before which no token
    stands, and keys ahead of the query are marked. Put False into the first column, and cut with `.tril()`.
    F.pad(same, (1, 0))[:, :-1].tril() -> same.roll(1, dims=1)
moved-down: The table is moved down, to the next query. Move it right, to the next key: one column of False on the left,
    `F.pad(same, (1, 0))[:, :-1]`.
    F.pad(same, (1, 0))[:, :-1] -> F.pad(same, (0, 0, 1, 0))[:-1]
    or
    F.pad(same, (1, 0))[:, :-1].tril() -> F.pad(same.tril(-1), (0, 0, 1, 0))[:-1]
    or
    F.pad(same, (1, 0))[:, :-1].tril() -> F.pad(same, (0, 0, 1, 0))[:-1].tril(-1)
looks-ahead: You look for the token that comes after the query: the answer itself. The model has not seen it. Compare
    the query's own token with `tokens[key - 1]`.
    F.pad(same, (1, 0))[:, :-1] -> F.pad(same[1:], (0, 0, 0, 1))
pad-not-cut: With a column added on the left the table is one too wide. Cut the last one off: `[:, :-1]`.
    [:, :-1] ->
inverted-shift: You marked the keys right after other tokens than the query's. `==`, not `!=`.
    tokens[:, None] == tokens -> tokens[:, None] != tokens
not-a-table: Token is compared with token, place by place: a row of True. Put the queries in a column, so that each
    meets each: `tokens[:, None] == tokens`.
    tokens[:, None] == tokens -> tokens == tokens
empty-rows-divided: `nan` comes out: a row without a mark is divided by 0, or your choice, with `all`, leaves no row.
    Keep the rows with `after.any(dim=-1)`, and add up along them: no division there.
    on_marks[..., after.any(dim=-1)] -> (on_marks / after.sum(dim=-1))
    or
    after.any(dim=-1) -> after.all(dim=-1)
columns-summed: You added up the columns, over the queries. A row belongs to one query: `sum(dim=-1)`.
    (attn_weights * after).sum(dim=-1) -> (attn_weights * after).sum(dim=-2)
all-averaged: One number came out for all heads together. Take the mean over the rows alone: `mean(dim=-1)`.
    .mean(dim=-1) -> .mean()
mean-over-heads: Your mean runs over the heads, and the rows are still there. Take it over the rows, the last axis:
    `mean(dim=-1)`.
    .mean(dim=-1) -> .mean(dim=0)
marks-returned: The marks came back. They say where to look: multiply the weights by them, and add up along each row.
    on_marks[…].mean(dim=-1) -> after
axis-kept: The axis of the rows is still there, with length 1. Leave out `keepdim=True`.
    .mean(dim=-1) -> .mean(dim=-1, keepdim=True)
"""

exercise = Exercise(
    induction_score_solution,
    cases,
    MISTAKES,
    also=(Form(__name__, "by_loops", LOOPS),),
    outputs=("scores",),
    behaviours=(repeats,),
)

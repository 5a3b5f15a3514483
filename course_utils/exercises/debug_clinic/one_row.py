"""`my_one_row(queries, keys, row)`: the weights of one query over all keys."""

import torch

from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.exercises import shared
from course_utils.exercises.debug_clinic.slips import SCALE


def one_row_solution(queries, keys, row):
    attn_scores = torch.stack([queries[row] @ key for key in keys]) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=-1)


def cases(draw):
    yield "4 queries, 6 keys, row 1", draw(4, 3), draw(6, 3), 1
    yield "row 0", draw(4, 5), draw(6, 5), 0
    yield "as many queries as keys, row 3", draw(5, 4), draw(5, 4), 3
    yield "everything of length 4, row 2", draw(4, 4), draw(4, 4), 2
    yield "more queries than keys, row 4", draw(5, 2), draw(3, 2), 4
    yield "large scores", draw(3, 2) * 50, draw(4, 2) * 50, 1
    yield "a single key", draw(3, 4), draw(1, 4), 2
    yield Unasked("float64"), draw(3, 5, dtype=torch.float64), draw(4, 5, dtype=torch.float64), 1


MISTAKES = """
pairs-diagonal: This is the bug as it was: each key meets the query of its own number, q₂·k₂ where q₁·k₂ is meant. One
    query asks all keys: `queries[row] @ keys[j]`.
    queries[row] @ key for key in keys -> queries[j] @ keys[j] for j in range(len(keys))
    or
    queries[row] @ key for key in keys -> query @ key for query, key in zip(queries, keys)
key-fixed: Every score is that of query and key number `row`, so all weights are equal. The query stays, the key runs:
    `queries[row] @ keys[j]`.
    queries[row] @ key for -> queries[row] @ keys[row] for
qk-swapped: All queries meet one key: that is a column of the table. A row has one query and all keys:
    `queries[row] @ keys[j]`.
    queries[row] @ key for key in keys -> query @ keys[row] for query in queries
    or
    queries[row] @ key for key in keys -> queries[j] @ keys[row] for j in range(len(keys))
column-of-table: This is column number `row` of the table, one weight from each query. Its row is asked for: `[row]`,
    not `[:, row]`.
    torch.stack([queries[row] @ key for key in keys]) -> queries @ keys.transpose(-2, -1)
    dim=-1) -> dim=-1)[:, row]
loop-over-queries: Your loop counts the queries, so there is a score for each of them. There should be one for each key:
    `range(len(keys))`.
    queries[row] @ key for key in keys -> queries[row] @ keys[j] for j in range(len(queries))
loop-over-features: Your loop counts the numbers of a key, its width. There should be a score for each key:
    `range(len(keys))`.
    queries[row] @ key for key in keys -> queries[row] @ keys[j] for j in range(keys.shape[1])
first-row: `row` is not used: you always return row 0. Take `queries[row]`.
    queries[row] -> queries[0]
row-off-by-one: This is the row above. Rows count from 0, so no `- 1`.
    queries[row] -> queries[row - 1]
row-off-by-one: This is the row below. Rows count from 0, so no `+ 1`.
    queries[row] -> queries[row + 1]
weights-on-keys: The keys meet a key and no query: `queries[row]` stands on one side.
    queries[row] -> keys[row]
    or
    queries[row] -> keys[row % len(keys)]
self-left-out: The token itself is left out. A query may meet the key of its own token.
    key for key in keys -> key for j, key in enumerate(keys) if j != row
first-left-out: Key 0 is missing: your loop begins at 1. `range(len(keys))` goes through all of them.
    key in keys -> key in keys[1:]
last-left-out: The last key is missing: your loop ends one too early. `range(len(keys))` goes through all of them.
    key in keys -> key in keys[:-1]
past-only: Only the keys up to number `row` are asked. No mask is meant here: the loop runs over all keys.
    for key in keys -> for key in keys[: row + 1]
all-rows: The whole table comes back. One row is asked for: `queries[row]`.
    torch.stack([queries[row] @ key for key in keys]) -> queries @ keys.transpose(-2, -1)
row-axis-kept: The row still has an axis for its queries, `(1, num_keys)`: a slice keeps it, and so does `[row]` in a
    list. Take `queries[row]`, or `[0]` of the result.
    torch.stack([queries[row] @ key for key in keys]) -> queries[row : row + 1] @ keys.transpose(-2, -1)
    or
    torch.stack([queries[row] @ key for key in keys]) -> keys @ queries[row][:, None]
elementwise: `*` multiplies number by number and gives a vector. A score is one number: `queries[row] @ keys[j]`.
    queries[row] @ key -> queries[row] * key
elementwise: The products of a query and a key are added up over the keys. A score is the sum over their width:
    `(queries[row] * keys).sum(dim=-1)`, or `@`.
    torch.stack([queries[row] @ key for key in keys]) -> (queries[row] * keys).sum(dim=0)
cosine: Cosine similarity divides by the lengths of query and key. A score is the dot product alone: `queries[row] @
    key`.
    queries[row] @ key for -> torch.cosine_similarity(queries[row], key, dim=0) for
squeezed: `squeeze()` takes away every axis of length 1, also that of a single key. Take the row with an index,
    `queries[row]`, and nothing is left to squeeze.
    torch.softmax(attn_scores, dim=-1) -> torch.softmax(attn_scores, dim=-1).squeeze()
return-in-loop: One weight comes back: your function returns in the first round of its loop, or makes a new list in
    each. The list begins above the `for`, and what follows the loop stands to the left, under it.
    for key in keys -> for key in keys[:1]
loop-overwrites: One number is left: each round of your loop writes over the score before it. Collect them with
    `scores.append(…)`, and make one tensor of the list.
    torch.stack([queries[row] @ key for key in keys]) -> (queries[row] @ keys[-1])
list-not-stacked: Your scores are a Python list, and a list cannot be divided. Make a tensor of it first:
    `torch.stack(scores)`.
    torch.stack([queries[row] @ key for key in keys]) -> [queries[row] @ key for key in keys]
list-not-stacked: Your scores are a Python list, and softmax takes a tensor. Make one first: `torch.stack(scores)`.
    torch.stack([queries[row] @ key for key in keys]) / keys.shape[-1] ** 0.5 ->
        [queries[row] @ key / keys.shape[-1] ** 0.5 for key in keys]
scores-joined: Each score is a number without an axis, and `torch.cat` joins along one. `torch.stack` makes the axis.
    torch.stack -> torch.cat
softmax-axis: The scores of one query have a single axis, the keys': `dim=-1`, or `dim=0`.
    dim=-1 -> dim=1
    or
    dim=-1 -> dim=-2
softmax-axis: Your softmax runs down the columns of the whole table, over the queries. A row must add up to 1: `dim=-1`.
    torch.stack([queries[row] @ key for key in keys]) -> queries @ keys.transpose(-2, -1)
    dim=-1) -> dim=-2)[row]
softmax-of-each: Softmax of a single number is 1. It takes all scores at once, after the loop.
    torch.softmax(attn_scores, dim=-1) -> torch.stack([torch.softmax(score, dim=-1) for score in attn_scores])
softmax-twice: Softmax runs twice, and the second makes the weights nearly equal: keep one.
    torch.softmax(attn_scores, dim=-1) -> torch.softmax(torch.softmax(attn_scores, dim=-1), dim=-1)
no-softmax: The scores are used as they are: no softmax has made weights of them.
    torch.softmax(attn_scores, dim=-1) -> attn_scores
sum-normalise: You divided the scores by their sum. With a negative score that gives negative weights: take `torch.exp`
    of the scores before you add them up.
    torch.softmax(attn_scores, dim=-1) -> attn_scores / attn_scores.sum()
exp-only: The exponentials are there, and the division is missing: divide them by their sum.
    torch.softmax(attn_scores, dim=-1) -> torch.exp(attn_scores)
naive-overflow: Large scores overflow: `torch.exp` of 1000 is `inf`. Subtract the largest score before `torch.exp`.
    torch.softmax(attn_scores, dim=-1) -> torch.exp(attn_scores) / torch.exp(attn_scores).sum()
scale-wrong-axis: You divided by the root of the number of queries. It should be the root of the width, the last axis:
    `shape[-1]`.
    / keys.shape[-1] ** 0.5 -> / queries.shape[-2] ** 0.5
"""

exercise = Exercise(
    one_row_solution,
    cases,
    MISTAKES,
    shared=(shared.SCORES, SCALE),
    outputs=("weights",),
    behaviours=(repeats,),
    hints=(gradient_flows,),
    rows="weights",
)

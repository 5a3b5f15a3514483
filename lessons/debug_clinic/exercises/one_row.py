"""`my_one_row(queries, keys, row)`: the weights of one query over all keys."""

import torch

from course_utils.checks.exercise import Exercise
from course_utils.lessons.arguments import TRAINABLE, WEIGHTS
from course_utils.lessons.debug_clinic.exercises.shared import SCORES


def one_row_solution(queries, keys, row):
    attn_scores = torch.stack([queries[row] @ key for key in keys]) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=-1)


def cases(draw):
    yield "4 queries, 6 keys, row 1", draw(4, 3), draw(6, 3), 1
    yield "row 0", draw(12, 5), draw(11, 5), 0
    yield "as many queries as keys, row 3", draw(5, 4), draw(5, 4), 3
    yield "everything of length 4, row 2", draw(4, 4), draw(4, 4), 2
    yield "more queries than keys, row 4", draw(5, 2), draw(3, 2), 4
    yield "large scores", draw(3, 2) * 50, draw(4, 2) * 50, 1
    yield "a single key", draw(3, 4), draw(1, 4), 2


MISTAKES = """
pairs-diagonal: This is the bug as it was: each key meets the query of its own number. One meets all: `queries[row]`.
    queries[row] @ key for key in keys -> queries[j] @ keys[j] for j in range(len(keys))
key-fixed: All weights are equal: one key is met each time. The query stays, the key runs: `queries[row] @ keys[j]`.
    queries[row] @ key for -> queries[row] @ keys[row] for
qk-swapped: All queries meet one key, a column of the table. One query meets all keys: `queries[row] @ keys[j]`.
    queries[row] @ key for key in keys -> query @ keys[row] for query in queries
    or
    queries[row] @ key for key in keys -> queries[j] @ keys[row] for j in range(len(keys))
loop-over-queries: There are as many scores as queries. There should be one for each key: `range(len(keys))`.
    queries[row] @ key for key in keys -> queries[row] @ keys[j] for j in range(len(queries))
row-off-by-one: This is the row above. Rows count from 0, so no `- 1`.
    queries[row] -> queries[row - 1]
past-only: Only the keys up to number `row` are asked. No mask is meant here: the query meets all keys.
    for key in keys -> for key in keys[: row + 1]
itself-left-out: Key number `row` is left out. The query meets all keys, that of its own number too.
    for key in keys -> for j, key in enumerate(keys) if j != row
softmax-of-each: Softmax of one score alone is 1. Collect all first, then `torch.softmax(torch.stack(scores), dim=-1)`.
    torch.softmax(attn_scores, dim=-1) -> torch.stack([torch.softmax(score, dim=-1) for score in attn_scores])
all-rows: The whole table comes back. One row is asked for: `queries[row]`.
    torch.stack([queries[row] @ key for key in keys]) -> queries @ keys.transpose(-2, -1)
elementwise: The products are added up over the keys. A score is the sum over the width: `dim=-1`, or `@`.
    torch.stack([queries[row] @ key for key in keys]) -> (queries[row] * keys).sum(dim=0)
cosine: You divide by the lengths of query and key, as cosine similarity does. A score is the dot product alone, `@`.
    queries[row] @ key for -> torch.cosine_similarity(queries[row], key, dim=0) for
return-in-loop: One weight comes back. The list begins above the `for`, and the `return` stands under it, to the left.
    for key in keys -> for key in keys[:1]
list-not-stacked: The scores are a Python list, and that cannot be divided. Make a tensor first: `torch.stack(scores)`.
    torch.stack([queries[row] @ key for key in keys]) -> [queries[row] @ key for key in keys]
softmax-axis: Softmax runs down the columns of the table, over the queries. A row must add up to 1: `dim=-1`.
    torch.stack([queries[row] @ key for key in keys]) -> queries @ keys.transpose(-2, -1)
    dim=-1) -> dim=-2)[row]
naive-overflow: Large scores overflow: `torch.exp` of 1000 is `inf`. Subtract the largest score before `torch.exp`.
    torch.softmax(attn_scores, dim=-1) -> torch.exp(attn_scores) / torch.exp(attn_scores).sum()
scale-wrong-axis: You divided by the root of the number of queries. Take the root of the width: `shape[-1]`.
    / keys.shape[-1] ** 0.5 -> / queries.shape[-2] ** 0.5
"""
exercise = Exercise(one_row_solution, cases, MISTAKES, shared=(SCORES,), **WEIGHTS, **TRAINABLE)

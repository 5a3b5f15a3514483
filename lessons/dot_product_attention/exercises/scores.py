"""`my_scores(query, keys)`: the dot product of one query with every key."""

from course_utils.checks.behaviours import gradient_flows
from course_utils.checks.exercise import Exercise
from course_utils.checks.rules import no_loop
from course_utils.lessons.dot_product_attention.exercises.dot import DOT


def scores_solution(query, keys):
    return keys @ query  # (num_keys, d_in) @ (d_in,) -> (num_keys,)


def cases(draw):
    yield "4 keys of width 3", draw(3), draw(4, 3)
    yield "2 keys of width 5", draw(5), draw(2, 5)
    yield "11 keys of width 2", draw(2), draw(11, 2)
    yield "a single key", draw(3), draw(1, 3)
    yield "as many keys as numbers", draw(3), draw(3, 3)


MISTAKES = """
last-left-out: The last key has no score. Each key has one: `range(len(keys))`, or `keys @ query` without a loop.
    return keys @ query -> scores = torch.zeros(len(keys)) ⏎ scores[:-1] = keys[:-1] @ query ⏎ return scores
sum-axis: You added up down the columns, over the keys. Each key needs its own sum, along its row: `dim=-1`.
    keys @ query -> (keys * query).sum(dim=0)
all-added: `sum()` adds up the products of all keys. Each key needs its own sum, along its row: `.sum(dim=-1)`.
    keys @ query -> (keys * query).sum()
query-ignored: The keys meet each other, and the query is not used: `keys @ query`.
    keys @ query -> keys @ keys.transpose(0, 1)
    or
    keys @ query -> (keys @ keys.transpose(0, 1))[0]
    or
    keys @ query -> (keys * keys).sum(dim=-1)
divided-too-early: The scores are divided by their sum or maximum, or it is taken off. Leave them as they are.
    keys @ query -> keys @ query / (keys @ query).sum()
fixed-width: Your code works for six keys, as on the page, and for no others. Read their number off: `len(keys)`.
    return keys @ query -> scores = torch.zeros(6) ⏎ scores[:] = keys @ query ⏎ return scores
sorted: The scores are sorted. Leave them in the order of the keys: `keys @ query`.
    keys @ query -> (keys @ query).sort(descending=True).values
loop-over-width: Your loop runs as often as the query has numbers. Each key needs a turn: `range(len(keys))`.
    return keys @ query -> scores = torch.zeros(len(keys)) ⏎ for i in range(len(query)):
        ⏎     scores[i] = keys[i] @ query ⏎ return scores
"""

SHARED = (DOT,)
HINTS = (no_loop, gradient_flows)
exercise = Exercise(scores_solution, cases, MISTAKES, shared=SHARED, outputs=("scores",), hints=HINTS)

"""`my_scores(query, keys)`: the dot product of one query with every key."""

import torch

from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.checks.rules import no_loop


def scores_solution(query, keys):
    return keys @ query  # (num_keys, d_in) @ (d_in,) -> (num_keys,)


def cases(draw):
    yield "4 keys of width 3", draw(3), draw(4, 3)
    yield "2 keys of width 5", draw(5), draw(2, 5)
    yield "8 keys of width 2", draw(2), draw(8, 2)
    yield "a single key", draw(3), draw(1, 3)
    yield "as many keys as numbers", draw(3), draw(3, 3)
    yield Unasked("float64"), draw(4, dtype=torch.float64), draw(6, 4, dtype=torch.float64)


MISTAKES = """
keys-not-transposed: Your query meets the columns of `keys`. It should meet the rows, one for each key: write `keys` on
    the left of the `@`, as they are.
    keys @ query -> query @ keys
    or
    keys @ query -> keys.transpose(0, 1) @ query
view-no-transpose: `view` does not turn the keys on their side: it fills the new rows with their numbers in the old
    order. Write `keys` on the left of the `@`, as they are.
    keys @ query -> query @ keys.view(keys.shape[1], keys.shape[0])
products-not-summed: You multiplied number by number and stopped there. A dot product also adds the products up: `@`
    does both, or add `.sum(dim=-1)`.
    keys @ query -> keys * query
sum-axis: You added up down the columns, over the keys. Each key needs its own sum, along its row: `dim=-1`.
    keys @ query -> (keys * query).sum(dim=0)
sum-of-all: You added everything up to one number. Each key needs a score of its own: sum with `dim=-1`.
    keys @ query -> (keys * query).sum()
mean: You took the mean of the products. A dot product is their sum: `.sum(dim=-1)`, or `@`.
    keys @ query -> (keys * query).mean(dim=-1)
added: You added query and key. A dot product multiplies them number by number, and then adds up: `*`, or `@`.
    keys @ query -> (keys + query).sum(dim=-1)
sums-multiplied: You added up first and multiplied then. A dot product multiplies number by number, and then adds up.
    keys @ query -> keys.sum(dim=-1) * query.sum()
query-ignored: The keys meet each other, and the query is not used: `keys @ query`.
    keys @ query -> keys @ keys.transpose(0, 1)
distance: This says how far the two lie apart. A score is their dot product: `keys @ query`.
    keys @ query -> (keys - query).norm(dim=-1)
    or
    keys @ query -> ((keys - query) ** 2).sum(dim=-1)
softmax-too-early: Your softmax is one step too early: only the scores are asked for. Take it out of the last line.
    keys @ query -> torch.softmax(keys @ query, dim=-1)
divided-too-early: You divided by the sum of the scores. Only the scores are asked for: leave it out.
    keys @ query -> keys @ query / (keys @ query).sum()
divided-too-early: You divided by the largest score. Only the scores are asked for: leave it out.
    keys @ query -> keys @ query / (keys @ query).max()
scaled-too-early: You divided by the root of the width. That is a good idea, and comes in the next notebook: leave it
    out here.
    keys @ query -> keys @ query / query.shape[-1] ** 0.5
cosine: You divided by the lengths: that is the cosine. A score is the bare dot product, and length counts in it.
    keys @ query -> torch.cosine_similarity(keys, query, dim=-1)
    or
    keys @ query -> keys @ query / keys.norm(dim=-1)
    or
    keys @ query -> keys @ query / query.norm()
extra-axis: The scores have an axis of length 1 too many: the query was made a table, or the sum has kept its axis. A
    vector on the right of the `@` is enough: `keys @ query`.
    keys @ query -> query[None] @ keys.transpose(0, 1)
    or
    keys @ query -> keys @ query[:, None]
first-only: Only the first key has a score. Look at the indentation of your `return`: it stands inside the loop.
    keys @ query -> keys[:1] @ query
    or
    keys @ query -> keys[0] @ query
    or
    return keys @ query -> scores = torch.zeros(len(keys)) ⏎ scores[0] = keys[0] @ query ⏎ return scores
last-only: Every key has the score of the last one. Your loop overwrites its result: fill it in at `[i]`.
    keys @ query -> (keys[-1] @ query).expand(len(keys))
last-only: Only the last key's score comes back. Your loop overwrites its result: fill it in at `[i]`.
    keys @ query -> keys[-1] @ query
keys-summed: The scores of all keys run together: your loop adds to one number. Fill each in at its place, `[i]`.
    keys @ query -> (keys @ query).cumsum(dim=0)
    or
    keys @ query -> (keys @ query).sum().expand(len(keys))
features-counted: Your table of scores is as long as a key is wide. There is a score for each key: `len(keys)`.
    return keys @ query -> scores = torch.zeros(keys.shape[1]) ⏎ scores[:] = keys @ query ⏎ return scores
fixed-width: Your code works for six keys, as on the page, and for no others. Read their number off: `len(keys)`.
    return keys @ query -> scores = torch.zeros(6) ⏎ scores[:] = keys @ query ⏎ return scores
    or
    return keys @ query -> scores = torch.zeros(6) ⏎ scores[: len(keys)] = keys @ query ⏎ return scores
    or
    keys @ query -> torch.stack([keys[i] @ query for i in range(6)])
fixed-width: Your sum runs over three numbers, as on the page. Keys may be wider: `keys @ query` takes all of them.
    keys @ query -> keys[:, 0] * query[0] + keys[:, 1] * query[1] + keys[:, 2] * query[2]
last-left-out: The last key has no score: your loop ends one too early. `range(len(keys))` goes through all of them.
    return keys @ query -> scores = torch.zeros(len(keys)) ⏎ scores[:-1] = keys[:-1] @ query ⏎ return scores
list-of-scores: A list came back. `torch.stack` makes one tensor of a list of scores; `keys @ query` needs no loop.
    keys @ query -> [key @ query for key in keys]
"""

exercise = Exercise(
    scores_solution,
    cases,
    MISTAKES,
    outputs=("scores",),
    behaviours=(repeats,),
    hints=(no_loop("No loop"), gradient_flows),
)

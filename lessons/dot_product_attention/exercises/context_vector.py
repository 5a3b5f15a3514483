"""`my_context_vector(query, keys, values)`: one query's weighted sum of the values."""

import torch

from course_utils.checks.behaviours import gradient_flows
from course_utils.checks.exercise import Exercise
from course_utils.checks.rules import no_loop
from course_utils.lessons.dot_product_attention.exercises.dot import DOT


def context_vector_solution(query, keys, values):
    scores = keys @ query  # (num_keys,)
    weights = torch.softmax(scores, dim=-1)  # (num_keys,)
    return weights @ values  # (num_keys,) @ (num_keys, value_dim) -> (value_dim,)


def cases(draw):
    yield "4 keys of width 3, values of width 2", draw(3), draw(4, 3), draw(4, 2)
    yield "2 keys of width 4, values of width 5", draw(4), draw(2, 4), draw(2, 5)
    yield "11 keys of width 2, values of width 4", draw(2), draw(11, 2), draw(11, 4)
    yield "values as wide as keys", draw(4), draw(5, 4), draw(5, 4)
    yield "a single key", draw(3), draw(1, 3), draw(1, 2)
    yield "everything of length 3", draw(3), draw(3, 3), draw(3, 3)


MISTAKES = """
weights-on-keys: The weights mix the keys. Keys are for the scores alone: what is mixed are the `values`.
    weights @ values -> weights @ keys
sum-axis: You added up along each value. Add up over the keys, `dim=0`: the width stays.
    weights @ values -> (weights[:, None] * values).sum(dim=-1)
sum-normalise: The scores are divided by their bare sum, so weights can be negative. Take `torch.exp` of them first.
    torch.softmax(scores, dim=-1) -> scores / scores.sum()
no-softmax: No softmax has made weights of the scores, or what it gave is not used. Put it between scores and mix.
    torch.softmax(scores, dim=-1) -> scores
softmax-too-late: Your softmax falls on the result of the mix. It belongs before it: it makes the weights of the scores.
    torch.softmax(scores, dim=-1) -> scores
    weights @ values -> torch.softmax(weights @ values, dim=-1)
query-on-values: Your query meets the values. It should meet the `keys` alone; the values are only mixed.
    keys @ query -> values @ query
    or
    keys @ query -> values @ query[: values.shape[1]]
values-from-keys: Keys and values have changed places. Scores come from the `keys`, and the `values` are mixed.
    keys @ query -> values @ query
    weights @ values -> weights @ keys
values-on-the-left: The weights meet the width of the values. They should meet the rows: `weights @ values`.
    weights @ values -> values @ weights
not-summed: The values are weighted, and not yet added up: use `weights @ values`, or `.sum(dim=0)` at the end.
    weights @ values -> weights[:, None] * values
column-missing: The weights lie along the width of the values. Each belongs to a row: `weights[:, None]`, or `@`.
    weights @ values -> (weights * values).sum(dim=0)
all-added: `sum()` adds up all numbers of all values. Add up over the keys alone, `.sum(dim=0)`: the width stays.
    weights @ values -> (weights[:, None] * values).sum()
mean: You took the mean over the keys. The weights are shares already: take the sum.
    weights @ values -> (weights[:, None] * values).mean(dim=0)
no-weights: Every value counts the same. The weights differ, with softmax over all keys: mix by `weights @ values`.
    weights @ values -> values.sum(dim=0)
weights-returned: These are the weights. One step is missing: `weights @ values`.
    weights @ values -> weights
best-only: Only the best key's value comes back. All values are mixed: `weights @ values`.
    weights @ values -> values[scores.argmax()]
last-only: Only the last key's value is in it, as when a loop overwrites its result. Add each to it, with `+=`.
    weights @ values -> weights[-1] * values[-1]
query-added: You added the query to the mix. Only the values are mixed: `weights @ values` is all that comes back.
    weights @ values -> weights @ values + query
softmax-of-values: Softmax falls on the values. It makes weights of the scores: `torch.softmax(scores, dim=-1)`.
    torch.softmax(scores, dim=-1) -> scores
    weights @ values -> weights @ torch.softmax(values, dim=0)
softmax-too-early: Softmax comes before the products are added up. Add up first: the scores are `keys @ query`.
    torch.softmax(scores, dim=-1) -> torch.softmax(keys * query, dim=0).sum(dim=1)
"""

SHARED = (DOT,)
HINTS = (no_loop, gradient_flows)
exercise = Exercise(context_vector_solution, cases, MISTAKES, shared=SHARED, outputs=("context_vector",), hints=HINTS)

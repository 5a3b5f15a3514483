"""`my_context_vector(query, keys, values)`: one query's weighted sum of the values."""

import torch

from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.checks.rules import no_loop
from course_utils.exercises.dot_product_attention.dot import DOT


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
    yield Unasked("float64"), *(draw(*shape, dtype=torch.float64) for shape in ((2,), (5, 2), (5, 4)))


MISTAKES = """
weights-on-keys: The weights mix the keys. Keys are for the scores alone: what is mixed are the `values`.
    weights @ values -> weights @ keys
sum-normalise: The scores are divided by their bare sum, so weights can be negative. Take `torch.exp` of them first.
    torch.softmax(scores, dim=-1) -> scores / scores.sum()
no-softmax: No softmax has made weights of the scores, or what it gave is not used. Put it between scores and mix.
    torch.softmax(scores, dim=-1) -> scores
exp-only: These are exponentials, and not yet weights: divide them by their sum.
    torch.softmax(scores, dim=-1) -> torch.exp(scores)
sum-of-scores: The exponentials are divided by the sum of the scores. Divide them by the sum of the exponentials.
    torch.softmax(scores, dim=-1) -> torch.exp(scores) / scores.sum()
sigmoid: You took a sigmoid: each score is turned alone, and the weights do not add up to 1. Take `torch.softmax`.
    torch.softmax(scores, dim=-1) -> torch.sigmoid(scores)
softmax-twice: Softmax is taken twice, so the weights are too even. Once is enough.
    torch.softmax(scores, dim=-1) -> torch.softmax(torch.softmax(scores, dim=-1), dim=-1)
softmax-too-late: Your softmax falls on the result of the mix. It belongs before it: it makes the weights of the scores.
    torch.softmax(scores, dim=-1) -> scores
    weights @ values -> torch.softmax(weights @ values, dim=-1)
sign: The sign is turned: the largest weight goes to the smallest score. Take `keys @ query` as it is.
    torch.softmax(scores -> torch.softmax(-scores
logarithm: The logarithms of the weights mix the values. Take the weights: `torch.softmax`.
    torch.softmax( -> torch.log_softmax(
last-left-out: The last key and its value are left out. All values are mixed: `weights @ values` needs no loop.
    weights @ values -> weights[:-1] @ values[:-1]
query-on-values: Your query meets the values. It should meet the `keys` alone; the values are only mixed.
    keys @ query -> values @ query
values-from-keys: Keys and values have changed places. Scores come from the `keys`, and the `values` are mixed.
    keys @ query -> values @ query
    weights @ values -> weights @ keys
values-on-the-left: The weights meet the width of the values. They should meet the rows: `weights @ values`.
    weights @ values -> values @ weights
    or
    weights @ values -> weights @ values.transpose(0, 1)
not-summed: The values are weighted, and not yet added up: use `weights @ values`, or `.sum(dim=0)` at the end.
    weights @ values -> weights[:, None] * values
column-missing: The weights lie along the width of the values. Each belongs to a row: `weights[:, None]`, or `@`.
    weights @ values -> weights * values
    or
    weights @ values -> (weights * values).sum(dim=0)
sum-axis: You added up along each value. Add up over the keys, `dim=0`: the width stays.
    weights @ values -> (weights[:, None] * values).sum(dim=-1)
sum-of-all: You added everything up to one number. Add up over the keys alone, `dim=0`: the width stays.
    weights @ values -> (weights[:, None] * values).sum()
mean: You took the mean over the keys. The weights are shares already: take the sum.
    weights @ values -> (weights[:, None] * values).mean(dim=0)
no-weights: Every value counts the same. The weights differ, with softmax over all keys: mix by `weights @ values`.
    weights @ values -> values.mean(dim=0)
    or
    weights @ values -> values.sum(dim=0)
weights-returned: These are the weights. One step is missing: `weights @ values`.
    weights @ values -> weights
scores-returned: These are the scores. Two steps are missing: softmax, and `weights @ values`.
    weights @ values -> scores
weights-as-well: Only the context vector is asked for: leave the weights out of your `return`.
    weights @ values -> weights @ values, weights
best-only: Only the best key's value comes back. All values are mixed: `weights @ values`.
    weights @ values -> values[scores.argmax()]
    or
    weights @ values -> weights.max() * values[scores.argmax()]
first-only: Only the first key's value is in it, as by an index or a `return` inside a loop. All values are mixed.
    weights @ values -> weights[0] * values[0]
last-only: Only the last key's value is in it, as when a loop overwrites its result. Add each to it, with `+=`.
    weights @ values -> weights[-1] * values[-1]
extra-axis: The numbers are right, with an axis of length 1 too many. `weights @ values` of one row of weights has none.
    weights @ values -> weights[None] @ values
width-of-keys: Your sum begins with as many zeros as a key is wide. A value has a width of its own: `values.shape[-1]`.
    return weights @ values -> context_vec = torch.zeros(keys.shape[-1]) ⏎ context_vec += weights @ values ⏎
        return context_vec
fixed-width: Your sum begins with three zeros, as on the page. Read the width off the values: `values.shape[-1]`.
    return weights @ values -> context_vec = torch.zeros(3) ⏎ context_vec += weights @ values ⏎ return context_vec
query-added: You added the query to the mix. Only the values are mixed: `weights @ values` is all that comes back.
    weights @ values -> weights @ values + query
softmax-of-keys: Softmax falls on the keys, before the query meets them. Take it of the scores, `keys @ query`.
    keys @ query -> torch.softmax(keys, dim=-1) @ query
    torch.softmax(scores, dim=-1) -> scores
    or
    keys @ query -> torch.softmax(keys, dim=0) @ query
    torch.softmax(scores, dim=-1) -> scores
    or
    keys @ query -> torch.softmax(keys, dim=-1) @ query
softmax-of-values: Softmax falls on the values. It makes weights of the scores: `torch.softmax(scores, dim=-1)`.
    torch.softmax(scores, dim=-1) -> scores
    weights @ values -> weights @ torch.softmax(values, dim=0)
    or
    torch.softmax(scores, dim=-1) -> scores
    weights @ values -> weights @ torch.softmax(values, dim=-1)
    or
    weights @ values -> weights @ torch.softmax(values, dim=-1)
    or
    weights @ values -> weights @ torch.softmax(values, dim=0)
added-to-values: The weights are added to the values. Multiply each value by its own, then add up: `weights @ values`.
    weights @ values -> (weights[:, None] + values).sum(dim=0)
largest: The largest of the weighted values comes back. Add them up over the keys: `weights @ values`.
    weights @ values -> (weights[:, None] * values).amax(dim=0)
    or
    weights @ values -> values.amax(dim=0)
reordered: The weights are in another order than the values. Each belongs to its own key's value: sort nothing.
    weights @ values -> weights.sort(descending=True).values @ values
    or
    weights @ values -> weights.sort().values @ values
    or
    weights @ values -> weights.flip(0) @ values
best-few: Only a few of the best keys count. All values are mixed, each by its weight: `weights @ values`.
    weights @ values -> weights.topk(min(2, len(weights))).values @ values[weights.topk(min(2, len(weights))).indices]
    or
    weights @ values -> weights.topk(min(3, len(weights))).values @ values[weights.topk(min(3, len(weights))).indices]
first-left-out: The first key and its value are left out. All values are mixed: `weights @ values` needs no loop.
    weights @ values -> weights[1:] @ values[1:]
    or
    torch.softmax(scores, dim=-1) -> torch.softmax(scores[1:], dim=-1)
    weights @ values -> weights @ values[1:]
"""

exercise = Exercise(
    context_vector_solution,
    cases,
    MISTAKES,
    shared=(DOT,),
    outputs=("context_vector",),
    behaviours=(repeats,),
    hints=(no_loop, gradient_flows),
)

"""`my_context_vector(query, keys, values)`: one query's weighted sum of the values."""

import torch

from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.checks.rules import no_loop


def context_vector_solution(query, keys, values):
    scores = keys @ query  # (num_keys,)
    weights = torch.softmax(scores, dim=-1)  # (num_keys,)
    return weights @ values  # (num_keys,) @ (num_keys, value_dim) -> (value_dim,)


def cases(draw):
    yield "4 keys of width 3, values of width 2", draw(3), draw(4, 3), draw(4, 2)
    yield "2 keys of width 4, values of width 5", draw(4), draw(2, 4), draw(2, 5)
    yield "8 keys of width 2, values of width 4", draw(2), draw(8, 2), draw(8, 4)
    yield "values as wide as keys", draw(4), draw(5, 4), draw(5, 4)
    yield "a single key", draw(3), draw(1, 3), draw(1, 2)
    yield "everything of length 3", draw(3), draw(3, 3), draw(3, 3)
    yield Unasked("float64"), *(draw(*shape, dtype=torch.float64) for shape in ((2,), (5, 2), (5, 4)))


MISTAKES = """
weights-on-keys: The weights are applied to the keys. The keys have done their work in the scores: what is mixed are the
    `values`.
    weights @ values -> weights @ keys
sum-normalise: You divided the scores by their sum. With a negative score that gives negative weights: take `torch.exp`
    of the scores before you add them up.
    torch.softmax(scores, dim=-1) -> scores / scores.sum()
no-softmax: The scores are used as they are: no softmax has made weights of them. Put it between scores and mix.
    torch.softmax(scores, dim=-1) -> scores
exp-only: The exponentials are there, and the division is missing: divide them by their sum.
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
scaled-too-early: The scores are divided by the root of the width. That is a good idea, and comes in the next notebook:
    leave it out here, or give `scale=1.0` to a function that does it.
    keys @ query -> keys @ query / query.shape[-1] ** 0.5
cosine: You divided by the lengths: that is the cosine. A score is the bare dot product, and length counts in it.
    keys @ query -> torch.cosine_similarity(keys, query, dim=-1)
query-on-values: Your query meets the values. It should meet the `keys` alone; the values are only mixed.
    keys @ query -> values @ query
values-from-keys: Keys and values have changed places: the query meets the values, and the keys are mixed. Scores come
    from the `keys`, and the `values` are mixed.
    keys @ query -> values @ query
    weights @ values -> weights @ keys
keys-not-transposed: Your query meets the columns of `keys`. It should meet the rows, one for each key: write `keys` on
    the left of the `@`, as they are.
    keys @ query -> query @ keys
    or
    keys @ query -> keys.transpose(0, 1) @ query
values-on-the-left: The values stand on the left of the weights, so the weights meet the width. They should meet the
    rows, one for each key: `weights @ values`.
    weights @ values -> values @ weights
    or
    weights @ values -> weights @ values.transpose(0, 1)
not-summed: The values are weighted, and not yet added up: use `weights @ values`, or `.sum(dim=0)` at the end.
    weights @ values -> weights[:, None] * values
column-missing: The weights are laid along the width of the values. Each belongs to a row: as a column they fit,
    `weights[:, None]`, or use `weights @ values`.
    weights @ values -> weights * values
    or
    weights @ values -> (weights * values).sum(dim=0)
sum-axis: You added up along each value. Add up over the keys, `dim=0`: the width stays.
    weights @ values -> (weights[:, None] * values).sum(dim=-1)
sum-of-all: You added everything up to one number. Add up over the keys alone, `dim=0`: the width stays.
    weights @ values -> (weights[:, None] * values).sum()
mean: You took the mean over the keys. The weights are shares already: take the sum.
    weights @ values -> (weights[:, None] * values).mean(dim=0)
no-weights: Every value counts the same: the weights are not used, or all come out equal. Look at the `dim` of your
    softmax, and mix with `weights @ values`.
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
first-only: Only the first key's value has come in. Look at the indentation of your `return`: it stands inside the loop.
    weights @ values -> weights[0] * values[0]
last-only: Only the last key's value comes back. Your loop overwrites its result: add to it, with `+=`.
    weights @ values -> weights[-1] * values[-1]
extra-axis: The numbers are right, with an axis of length 1 too many: index it away with `[0]` at the end.
    weights @ values -> weights[None] @ values
width-of-keys: Your sum begins with as many zeros as a key is wide. A value has a width of its own: `values.shape[-1]`.
    return weights @ values -> context_vec = torch.zeros(keys.shape[-1]) ⏎ context_vec += weights @ values ⏎
        return context_vec
fixed-width: Your sum begins with three zeros, as on the page. Read the width off the values: `values.shape[-1]`.
    return weights @ values -> context_vec = torch.zeros(3) ⏎ context_vec += weights @ values ⏎ return context_vec
query-added: You added the query to the mix. Only the values are mixed: `weights @ values` is all that comes back.
    weights @ values -> weights @ values + query
distance: Your scores say how far the query lies from each key. A score is their dot product: `keys @ query`.
    keys @ query -> ((keys - query) ** 2).sum(dim=-1)
    or
    keys @ query -> (keys - query).norm(dim=-1)
"""

exercise = Exercise(
    context_vector_solution,
    cases,
    MISTAKES,
    outputs=("context_vector",),
    behaviours=(repeats,),
    hints=(no_loop("No loop"), gradient_flows),
)

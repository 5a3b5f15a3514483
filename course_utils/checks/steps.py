"""The steps of attention, and the ways in which learners get one of them wrong: id -> (words, step's name, wrong step).

Scores are (..., num_queries, num_keys). An exercise takes from these tables what can happen in it.
"""

import torch


def raw_scores(queries, keys):
    return queries @ keys.transpose(-2, -1)


def scaled_scores(queries, keys):
    return raw_scores(queries, keys) / queries.shape[-1] ** 0.5


def row_softmax(scores):
    return torch.softmax(scores, dim=-1)


def mix(attn_weights, queries, keys, values):
    return attn_weights @ values


def softmax_all(scores):
    return torch.softmax(scores.flatten(), dim=0).view(scores.shape)


def naive_softmax(scores):
    exps = torch.exp(scores)
    return exps / exps.sum(dim=-1, keepdim=True)


SOFTMAX = {
    "softmax-axis": (
        "Your softmax runs down the columns, over the queries. A row belongs to one query, and must add up to 1: "
        "look at the `dim`, it should be `-1`.",
        "normalise",
        lambda scores: torch.softmax(scores, dim=-2),
    ),
    "softmax-first-axis": (
        "Your softmax runs over the first axis. In a batch that mixes the texts: the keys are on the last axis, "
        "`dim=-1`.",
        "normalise",
        lambda scores: torch.softmax(scores, dim=0),
    ),
    "softmax-all": (
        "Your softmax takes the whole table at once: all weights together add up to 1. Each row needs a sum of its "
        "own: look at the `dim` of your sum or softmax.",
        "normalise",
        softmax_all,
    ),
    "sum-normalise": (
        "You divided the scores by their sum. With a negative score that gives negative weights: take `torch.exp` "
        "of the scores before you add them up.",
        "normalise",
        lambda scores: scores / scores.sum(dim=-1, keepdim=True),
    ),
    "no-softmax": (
        "The scores are used as they are: no softmax has made weights of them. Put it between scores and mix.",
        "normalise",
        lambda scores: scores,
    ),
    "exp-only": (
        "The exponentials are there, and the division is missing: divide them by their sum along each row.",
        "normalise",
        torch.exp,
    ),
}
STABLE = {
    "naive-overflow": (
        "Large scores overflow: `torch.exp` of 1000 is `inf`. Subtract each row's maximum before `torch.exp`.",
        "normalise",
        naive_softmax,
    ),
    "global-max": (
        "You subtracted the maximum of the whole table. A row of small scores beside it vanishes to 0 / 0: each "
        "row needs its own, `amax(dim=-1, keepdim=True)`.",
        "normalise",
        lambda scores: naive_softmax(scores - scores.max()),
    ),
}
SCORES = {
    "keys-not-transposed": (
        "The keys stand in the product as they are. Queries and keys meet along their width: turn the last two axes of "
        "the keys with `.transpose(-2, -1)`.",
        "score",
        lambda queries, keys: queries @ keys / queries.shape[-1] ** 0.5,
    ),
    "qk-swapped": (
        "Keys and queries have changed places: this is the right table on its side. A row is a query, so `queries` "
        "stand on the left of the `@`.",
        "score",
        lambda queries, keys: scaled_scores(keys, queries),
    ),
}
SCALE = {
    "no-scale": (
        "The scores are not divided, so the weights come out too sharp. Divide the product by the root of the width, "
        "`queries.shape[-1] ** 0.5`.",
        "score",
        raw_scores,
    ),
    "scale-no-root": (
        "You divided by the width itself. Divide by its root: `** 0.5`.",
        "score",
        lambda queries, keys: raw_scores(queries, keys) / queries.shape[-1],
    ),
    "scale-wrong-axis": (
        "You divided by the root of the number of tokens. It should be the root of the width, the last axis: "
        "`shape[-1]`.",
        "score",
        lambda queries, keys: raw_scores(queries, keys) / keys.shape[-2] ** 0.5,
    ),
    "scale-inverted": (
        "You multiplied by the root. The scores should become smaller: divide.",
        "score",
        lambda queries, keys: raw_scores(queries, keys) * queries.shape[-1] ** 0.5,
    ),
}
MIX = {
    "weights-on-keys": (
        "The weights are applied to the keys. The keys have done their work in the scores: what is mixed are the "
        "`values`.",
        "mix",
        lambda attn_weights, queries, keys, values: attn_weights @ keys,
    ),
    "weights-transposed": (
        "The weights are turned on their side before the mix. Each row of weights mixes the values for one query: "
        "leave out the transpose in the last product.",
        "mix",
        lambda attn_weights, queries, keys, values: attn_weights.transpose(-2, -1) @ values,
    ),
}

DETACHED = "No gradient flows back. Look for `.item()`, `.detach()`, `.data`, `torch.no_grad()` or NumPy."
LEAK = "Your code reads a tensor or a number of the notebook. Use the arguments, or what can be read off a shape."
BATCH_MIXED = (
    "The texts of the batch were run together into one long one: a change in one changes the others. Keep the "
    "first axis, and leave out the `view`, `reshape` or `flatten`."
)
SEQ_BATCH_SWAPPED = (
    "Axes 0 and 1 are exchanged: your tokens look at the same place in other texts. The batch comes first, "
    "`(batch, num_tokens, width)`: turn only the last two axes."
)
FULL_TURN = (
    "`.T` turns all axes round, the batch with them. Name the two that should change places: `.transpose(-2, -1)`."
)
SCALE_MODEL = (
    "You divided by the root of the inputs' width. What meets in the product are queries and keys: take their width, "
    "`queries.shape[-1]`."
)

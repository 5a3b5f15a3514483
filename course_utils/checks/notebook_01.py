"""Exercises of notebook 01: scores, weights, context vectors, a batch. Nothing is scaled yet."""

import torch

from . import steps
from .behaviours import gradient_flows, repeats
from .legacy import Exercise

BOTH = (gradient_flows, repeats)

SCALED = "You divided by the root of the width. That is a good idea, and comes in notebook 2: leave it out here."
DOWN_THE_COLUMNS = (
    "Either your softmax runs down the columns, or the weights are transposed before the mix: on this page the two "
    "give the same. Look at the `dim` of your softmax, which should be `-1`, and for a transpose in the last "
    "product."
)
HALFWAY = "Your softmax is one step too early: only the scores are asked for. Take it out of the last line."

notebook_vector = torch.tensor([0.55, 0.87, 0.66])  # what a notebook leaves lying about, for answers that read it
notebook_table = torch.tensor([[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64], [0.22, 0.58, 0.33]])


# ---- scores: one query, all keys, no loop


def one_query(query, keys):
    return keys @ query


def one_query_cases(draw):
    yield "4 keys of width 3", draw(3), draw(4, 3)
    yield "2 keys of width 5", draw(5), draw(2, 5)
    yield "a single key", draw(3), draw(1, 3)
    yield "as many keys as numbers", draw(3), draw(3, 3)
    yield "float64", draw(4, dtype=torch.float64), draw(6, 4, dtype=torch.float64)


scores = Exercise("scores", one_query, one_query_cases, outputs=("scores",), behaviours=BOTH)


@scores.mistake(
    "keys-not-transposed",
    "Your query stands on the left of the `@`, and meets the columns of `keys`. It should meet the rows, one for each "
    "key: write `keys` on the left.",
)
def _(query, keys):
    return query @ keys


@scores.mistake(
    "products-not-summed",
    "You multiplied number by number and stopped there. A dot product also adds the products up: `@` does both, or add "
    "`.sum(dim=-1)`.",
)
def _(query, keys):
    return keys * query


@scores.mistake(
    "sum-axis", "You added up down the columns, over the keys. Each key needs its own sum, along its row: `dim=-1`."
)
def _(query, keys):
    return (keys * query).sum(dim=0)


@scores.mistake(
    "sum-of-all", "You added everything up to one number. Each key needs a score of its own: sum with `dim=-1`."
)
def _(query, keys):
    return (keys * query).sum()


@scores.mistake("softmax-too-early", HALFWAY)
def _(query, keys):
    return torch.softmax(keys @ query, dim=-1)


@scores.mistake(
    "divided-too-early", "You divided by the sum of the scores. Only the scores are asked for: leave it out."
)
def _(query, keys):
    return keys @ query / (keys @ query).sum()


@scores.mistake("scaled-too-early", SCALED)
def _(query, keys):
    return keys @ query / query.shape[-1] ** 0.5


@scores.mistake(
    "cosine",
    "You divided by the lengths: that is the cosine. A score is the bare dot product, and length counts in it.",
)
def _(query, keys):
    return torch.cosine_similarity(keys, query, dim=-1)


@scores.mistake(
    "first-only", "Only the first key has a score. Look at the indentation of your `return`: it stands inside the loop."
)
def _(query, keys):
    return (keys[0] @ query)[None]


@scores.mistake(
    "last-only", "Every key has the score of the last one. Your loop overwrites its result: fill it in at `[i]`."
)
def _(query, keys):
    return (keys[-1] @ query).expand(len(keys))


@scores.mistake("detached", steps.DETACHED)
def _(query, keys):
    return torch.tensor([(key @ query).item() for key in keys], dtype=query.dtype)


@scores.mistake("global-leak", steps.LEAK)
def _(query, keys):
    return keys @ notebook_vector


# ---- weights: softmax along each row, by hand


def softmax_rows(scores):
    exps = torch.exp(scores)
    return exps / exps.sum(dim=-1, keepdim=True)


def table_cases(draw):
    yield "3 queries, 4 keys", draw(3, 4)
    yield "5 queries, 2 keys", draw(5, 2) * 2
    yield "as many queries as keys", draw(4, 4)
    yield "a single query", draw(1, 5)
    yield "a single key", draw(3, 1)
    yield "float64", draw(2, 6, dtype=torch.float64)


weights = Exercise(
    "weights",
    softmax_rows,
    table_cases,
    outputs=("weights",),
    behaviours=BOTH,
    rows="weights",
    make=lambda normalise: normalise,
)
weights.wrong_steps(steps.SOFTMAX, "softmax-axis", "softmax-all", "sum-normalise", "exp-only")


@weights.mistake(
    "no-keepdim",
    "Your sums have lost an axis, so they are divided into the columns instead of the rows. Give the sum "
    "`keepdim=True`.",
)
def _(scores):
    exps = torch.exp(scores)
    return exps / exps.sum(dim=-1)


@weights.mistake(
    "sum-of-scores",
    "The exponentials are divided by the sum of the scores. Divide them by the sum of the exponentials.",
)
def _(scores):
    return torch.exp(scores) / scores.sum(dim=-1, keepdim=True)


@weights.mistake("softmax-twice", "Softmax is taken twice, so the weights are too even. Once is enough.")
def _(scores):
    return torch.softmax(torch.softmax(scores, dim=-1), dim=-1)


@weights.mistake("weights-transposed", "The table is turned on its side. A row is a query: leave the transpose out.")
def _(scores):
    return torch.softmax(scores, dim=-1).transpose(-2, -1)


@weights.mistake("power-of-2", "You took powers of 2. Softmax takes powers of e: `torch.exp(scores)`.")
def _(scores):
    powers = 2**scores
    return powers / powers.sum(dim=-1, keepdim=True)


@weights.mistake("mean", "You divided by the mean of each row, so that it adds up to the number of keys: take the sum.")
def _(scores):
    exps = torch.exp(scores)
    return exps / exps.mean(dim=-1, keepdim=True)


@weights.mistake("input-changed", "Your code changes its input: `exp_` writes into `scores`. Take `torch.exp(scores)`.")
def _(scores):
    scores.exp_()
    return scores / scores.sum(dim=-1, keepdim=True)


@weights.mistake("detached", steps.DETACHED)
def _(scores):
    return torch.softmax(scores.data, dim=-1)


@weights.mistake("global-leak", steps.LEAK)
def _(scores):
    exps = torch.exp(notebook_table)
    return exps / exps.sum(dim=-1, keepdim=True)


# ---- context_vector: one query, keys and values apart


def one_context(query, keys, values):
    return torch.softmax(keys @ query, dim=-1) @ values


def one_context_cases(draw):
    yield "4 keys of width 3, values of width 2", draw(3), draw(4, 3), draw(4, 2)
    yield "2 keys of width 4, values of width 5", draw(4), draw(2, 4), draw(2, 5)
    yield "values as wide as keys", draw(3), draw(5, 3), draw(5, 3)
    yield "a single key", draw(3), draw(1, 3), draw(1, 2)
    yield "everything of length 3", draw(3), draw(3, 3), draw(3, 3)
    yield "float64", *(draw(*shape, dtype=torch.float64) for shape in ((2,), (5, 2), (5, 4)))


context_vector = Exercise(
    "context_vector", one_context, one_context_cases, outputs=("context_vector",), behaviours=BOTH
)


@context_vector.mistake("weights-on-keys", steps.MIX["weights-on-keys"][0])
def _(query, keys, values):
    return torch.softmax(keys @ query, dim=-1) @ keys


@context_vector.mistake("sum-normalise", steps.SOFTMAX["sum-normalise"][0])
def _(query, keys, values):
    shares = keys @ query
    return shares / shares.sum() @ values


@context_vector.mistake("no-softmax", steps.SOFTMAX["no-softmax"][0])
def _(query, keys, values):
    return keys @ query @ values


@context_vector.mistake("scaled-too-early", SCALED)
def _(query, keys, values):
    return torch.softmax(keys @ query / query.shape[-1] ** 0.5, dim=-1) @ values


@context_vector.mistake(
    "query-on-values", "Your query meets the values. It should meet the `keys` alone; the values are only mixed."
)
def _(query, keys, values):
    return torch.softmax(values @ query, dim=-1) @ values


@context_vector.mistake("keys-not-transposed", scores.words("keys-not-transposed"))
def _(query, keys, values):
    return torch.softmax(query @ keys, dim=-1) @ values


@context_vector.mistake(
    "not-summed", "The values are weighted, and not yet added up: use `weights @ values`, or `.sum(dim=0)` at the end."
)
def _(query, keys, values):
    return torch.softmax(keys @ query, dim=-1)[:, None] * values


@context_vector.mistake("sum-axis", "You added up along each value. Add up over the keys, `dim=0`: the width stays.")
def _(query, keys, values):
    return (torch.softmax(keys @ query, dim=-1)[:, None] * values).sum(dim=-1)


@context_vector.mistake("mean", "You took the mean over the keys. The weights are shares already: take the sum.")
def _(query, keys, values):
    return (torch.softmax(keys @ query, dim=-1)[:, None] * values).mean(dim=0)


@context_vector.mistake("weights-returned", "These are the weights. One step is missing: `weights @ values`.")
def _(query, keys, values):
    return torch.softmax(keys @ query, dim=-1)


@context_vector.mistake("best-only", "Only the best key's value comes back. All values are mixed: `weights @ values`.")
def _(query, keys, values):
    return values[(keys @ query).argmax()]


@context_vector.mistake("detached", steps.DETACHED)
def _(query, keys, values):
    return torch.softmax((keys @ query).detach(), dim=-1) @ values


@context_vector.mistake("global-leak", steps.LEAK)
def _(query, keys, values):
    return torch.softmax(notebook_table @ notebook_vector, dim=-1) @ values


# ---- batch_attention: every word asks, in every text of a batch


def attend(score=steps.raw_scores, normalise=steps.row_softmax, mix=steps.mix):
    def answer(inputs):
        return mix(normalise(score(inputs, inputs)), inputs, inputs, inputs)

    return answer


def batch_cases(draw):
    yield "2 texts of 4 tokens, width 3", draw(2, 4, 3)
    yield "3 texts of 2 tokens, width 4", draw(3, 2, 4)
    yield "as many tokens as numbers", draw(2, 3, 3)
    yield "a batch of one", draw(1, 4, 2)
    yield "a single token", draw(3, 1, 2)
    yield "float64", draw(2, 5, 3, dtype=torch.float64)


batch_attention = Exercise(
    "batch_attention", attend(), batch_cases, outputs=("context_vecs",), behaviours=BOTH, make=attend
)
batch_attention.wrong_steps(steps.SOFTMAX, "softmax-first-axis", "softmax-all", "sum-normalise")
batch_attention.wrong_steps(steps.SOFTMAX, "no-softmax")
batch_attention.wrong_steps({"scaled-too-early": (SCALED, "score", steps.scaled_scores)})
batch_attention.wrong_steps(
    {"keys-not-transposed": (steps.SCORES["keys-not-transposed"][0], "score", lambda queries, keys: queries @ keys)}
)
# Here the scores are symmetric: softmax down the columns gives the right weights on their side. One answer, two names.
batch_attention.wrong_steps({"softmax-axis": (DOWN_THE_COLUMNS, *steps.SOFTMAX["softmax-axis"][1:])})


@batch_attention.mistake("keys-full-turn", steps.FULL_TURN)
def _(inputs):
    return torch.softmax(inputs @ inputs.permute(2, 1, 0), dim=-1) @ inputs


@batch_attention.mistake("batch-mixed", steps.BATCH_MIXED)
def _(inputs):
    return attend()(inputs.flatten(0, 1)).view(inputs.shape)


@batch_attention.mistake("seq-batch-swapped", steps.SEQ_BATCH_SWAPPED)
def _(inputs):
    return attend()(inputs.transpose(0, 1)).transpose(0, 1)


@batch_attention.mistake(
    "first-only", "Only the first text of the batch was handled. Leave out the `[0]`, or the `return` inside the loop."
)
def _(inputs):
    return attend()(inputs[0])


@batch_attention.mistake("weights-returned", "These are the weights. One step is missing: `weights @ inputs`.")
def _(inputs):
    return torch.softmax(inputs @ inputs.transpose(-2, -1), dim=-1)


@batch_attention.mistake("detached", steps.DETACHED)
def _(inputs):
    return attend()(inputs.detach())


@batch_attention.mistake("global-leak", steps.LEAK)
def _(inputs):
    return torch.softmax(inputs @ inputs.transpose(-2, -1), dim=-1) @ notebook_table

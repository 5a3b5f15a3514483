"""The repair of notebook 11, case 4: a misspelt name, so that a tensor of the notebook is read."""

import torch

from . import steps
from .behaviours import gradient_flows, repeats
from .legacy import Exercise

queries, d_out = torch.full((2, 5, 3), 0.5), 12  # what the notebook leaves lying about, under its names


def projected_by(
    project=lambda inputs, *matrices: [inputs @ matrix for matrix in matrices], score=steps.scaled_scores,
    normalise=steps.row_softmax, mix=steps.mix,
):  # fmt: skip
    """An answer with some of its steps replaced."""

    def answer(inputs, W_query, W_key, W_value):
        parts = project(inputs, W_query, W_key, W_value)
        attn_weights = normalise(score(*parts[:2]))
        return mix(attn_weights, *parts), attn_weights

    return answer


def projected_cases(draw):
    yield "2 texts of 4 tokens, 3 wide to 5", draw(2, 4, 3) * 0.5, draw(3, 5), draw(3, 5), draw(3, 5)
    yield "a single text", draw(6, 4) * 0.5, draw(4, 2), draw(4, 2), draw(4, 2)
    yield "3 texts of 5 tokens, 4 wide to 4", draw(3, 5, 4) * 0.5, draw(4, 4), draw(4, 4), draw(4, 4)
    yield "as many tokens as numbers", draw(2, 4, 4) * 0.5, draw(4, 4), draw(4, 4), draw(4, 4)
    yield "a batch of one, a single token", draw(1, 1, 3), draw(3, 2), draw(3, 2), draw(3, 2)
    yield "float64", *(draw(*shape, dtype=torch.float64) for shape in ((2, 3, 4), (4, 2), (4, 2), (4, 2)))


projected_attention = Exercise(
    "projected_attention", projected_by(), projected_cases, outputs=("context_vecs", "attn_weights"),
    rows="attn_weights", behaviours=(gradient_flows, repeats), make=projected_by,
)  # fmt: skip
projected_attention.wrong_steps(steps.SCORES, "keys-not-transposed")
projected_attention.wrong_steps(steps.SCALE | steps.MIX)
projected_attention.wrong_steps(steps.SOFTMAX, "softmax-axis", "softmax-first-axis", "softmax-all", "no-softmax")
projected_attention.wrong_steps({
    "qk-swapped": (
        "Query and key have changed places: `inputs @ W_query` makes the queries, and queries stand on the left of the "
        "product.",
        "project", lambda x, W_query, W_key, W_value: [x @ W_key, x @ W_query, x @ W_value],
    ),
    "shared-projection": (
        "Halfway: nothing stale is read, but queries and keys are the same numbers now. Both names stand for one "
        "product: the keys need `W_key`, the queries `W_query`.",
        "project", lambda x, W_query, W_key, W_value: [x @ W_query, x @ W_query, x @ W_value],
    ),
    "keys-as-queries": (
        "Halfway: nothing stale is read, but the keys ask as well: `keys @ keys`. What `inputs @ W_query` makes must "
        "be used.",
        "project", lambda x, W_query, W_key, W_value: [x @ W_key, x @ W_key, x @ W_value],
    ),
    "v-unprojected": (
        "The weights are applied to the inputs. What is delivered are the values, `inputs @ W_value`.",
        "project", lambda x, W_query, W_key, W_value: [x @ W_query, x @ W_key, x],
    ),
    "values-from-queries": (
        "The values are made with `W_query`. They need `W_value`.",
        "project", lambda x, W_query, W_key, W_value: [x @ W_query, x @ W_key, x @ W_query],
    ),
    "linear-layout": (
        "The matrices are turned on their side. They are `(d_in, d_out)` already: no transpose.",
        "project", lambda x, *matrices: [x @ matrix.transpose(-2, -1) for matrix in matrices],
    ),
})  # fmt: skip


@projected_attention.mistake(
    "unprojected", "The inputs meet each other: make queries and keys with the matrices first."
)
def _(inputs, W_query, W_key, W_value):
    attn_weights = torch.softmax(steps.raw_scores(inputs, inputs) / W_query.shape[-1] ** 0.5, dim=-1)
    return attn_weights @ (inputs @ W_value), attn_weights


@projected_attention.mistake("outputs-swapped", "The results have changed places: `return context_vecs, attn_weights`.")
def _(inputs, W_query, W_key, W_value):
    return projected_by()(inputs, W_query, W_key, W_value)[::-1]


@projected_attention.mistake("detached", steps.DETACHED)
def _(inputs, W_query, W_key, W_value):
    return projected_by()(inputs.detach(), W_query, W_key, W_value.data)


@projected_attention.mistake(
    "stale-default",
    "The stale tensor now comes in as a default of an argument. Python keeps that from the moment of the `def`: read "
    "`inputs` and the matrices, and nothing else.",
)
def _(inputs, W_query, W_key, W_value, queries=queries):
    keys, values = inputs @ W_key, inputs @ W_value
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
    return attn_weights @ values, attn_weights


@projected_attention.mistake("global-leak", steps.LEAK)
def _(inputs, W_query, W_key, W_value):
    return projected_by(score=lambda queries, keys: steps.raw_scores(queries, keys) / d_out**0.5)(
        inputs, W_query, W_key, W_value
    )

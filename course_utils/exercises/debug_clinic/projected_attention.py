"""`my_projected_attention(inputs, W_query, W_key, W_value)`: one head that reads its arguments alone."""

import torch

from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.exercises import shared
from course_utils.exercises.debug_clinic.slips import COSINE, FIXED_AXES, FOUR_AXES, PAIRS, SCALE


def projected_attention_solution(inputs, W_query, W_key, W_value):
    queries, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5, dim=-1)
    return attn_weights @ values, attn_weights


def cases(draw):
    yield "2 texts of 4 tokens, 3 wide to 5", draw(2, 4, 3) * 0.5, draw(3, 5), draw(3, 5), draw(3, 5)
    yield "a single text", draw(6, 4) * 0.5, draw(4, 2), draw(4, 2), draw(4, 2)
    yield "3 texts of 5 tokens, 4 wide to 4", draw(3, 5, 4) * 0.5, draw(4, 4), draw(4, 4), draw(4, 4)
    yield "everything of length 4", draw(4, 4, 4) * 0.5, draw(4, 4), draw(4, 4), draw(4, 4)
    yield "two batch axes, (2, 3, 4, 5)", draw(2, 3, 4, 5) * 0.5, draw(5, 2), draw(5, 2), draw(5, 2)
    yield "large inputs", draw(2, 4, 3) * 50, draw(3, 5), draw(3, 5), draw(3, 5)
    yield "a batch of one, a single token", draw(1, 1, 3), draw(3, 2), draw(3, 2), draw(3, 2)
    yield Unasked("float64"), *(draw(*shape, dtype=torch.float64) for shape in ((2, 3, 4), (4, 2), (4, 2), (4, 2)))


MISTAKES = """
qk-swapped: Query and key have changed places: `inputs @ W_query` makes the queries, and queries stand on the left of
    the product.
shared-projection: Halfway: nothing stale is read, but queries and keys are the same numbers now. Both names stand for
    one product: the keys need `W_key`, the queries `W_query`.
    inputs @ W_key -> inputs @ W_query
keys-as-queries: Halfway: nothing stale is read, but the keys ask as well: `keys @ keys`. What `inputs @ W_query` makes
    must be used.
    queries @ keys.transpose -> keys @ keys.transpose
v-unprojected: The weights are applied to the inputs. What is delivered are the values, `inputs @ W_value`.
    attn_weights @ values -> attn_weights @ inputs
inputs-overwritten: The inputs are overwritten, so what is projected next has been projected already. All three are made
    from what came in: give each result a name of its own.
    queries, keys, values = inputs @ W_query, -> inputs = queries = inputs @ W_query ⏎ keys, values =
    or
    queries, keys, values = inputs @ W_query, inputs @ W_key, -> queries = inputs @ W_query
        ⏎ inputs = keys = inputs @ W_key ⏎ values =
    or
    queries, keys, values = inputs @ W_query, inputs @ W_key, -> inputs = queries = inputs @ W_query
        ⏎ inputs = keys = inputs @ W_key ⏎ values =
values-from-queries: The values are made with `W_query`. They need `W_value`.
    inputs @ W_value -> inputs @ W_query
kv-swapped: Key and value have changed places: `inputs @ W_key` answers, `inputs @ W_value` is delivered.
    inputs @ W_key, inputs @ W_value -> inputs @ W_value, inputs @ W_key
scores-mixed: The scores are mixed in place of the weights that softmax made of them: `attn_weights @ values`.
    return attn_weights @ values -> return queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5 @ values
linear-layout: The matrices are turned on their side. They are `(d_in, d_out)` already: no transpose.
    inputs @ W_query, inputs @ W_key, inputs @ W_value -> inputs @ W_query.T, inputs @ W_key.T, inputs @ W_value.T
matrix-first: A matrix stands on the left of the inputs. Each token is a row: `inputs @ W_query`.
    inputs @ W_query, inputs @ W_key, inputs @ W_value -> W_query @ inputs, W_key @ inputs, W_value @ inputs
elementwise: `*` multiplies number by number. A projection is a product of matrices: `inputs @ W_query`.
    inputs @ W_query, inputs @ W_key, inputs @ W_value -> inputs * W_query, inputs * W_key, inputs * W_value
unprojected: The inputs meet each other: make queries and keys with the matrices first.
    queries @ keys.transpose(-2, -1) -> inputs @ inputs.transpose(-2, -1)
scale-model: You divided by the root of the inputs' width. What meets in the product are queries and keys: take their
    width, `queries.shape[-1]`.
    / queries.shape[-1] -> / inputs.shape[-1]
stale-default: The stale tensor now comes in as a default of an argument. Python keeps that from the moment of the
    `def`: read `inputs` and the matrices, and nothing else.
    W_value): -> W_value, queries=torch.full((2, 5, 3), 0.5)):
    queries, keys, values = inputs @ W_query, -> keys, values =
softmax-fixed-axis: `dim=1` is the keys' axis of one text alone. Count from the end: `dim=-1`.
    dim=-1) -> dim=1)
    or
    dim=-1) -> dim=2)
batch-mixed: The texts of the batch were run together into one long one: a change in one changes the others. Keep the
    first axes, and leave out the `view`, `reshape` or `flatten`.
    queries, keys, values = -> shape, inputs = inputs.shape, inputs.flatten(0, -2) ⏎ queries, keys, values =
    attn_weights @ values -> (attn_weights @ values).view(*shape[:-1], -1)
"""

exercise = Exercise(
    projected_attention_solution,
    cases,
    MISTAKES,
    shared=(
        shared.SOFTMAX,
        shared.SOFTMAX_OF_ONE_HEAD,
        shared.SCORES,
        shared.MIX,
        shared.RESULTS,
        FIXED_AXES,
        FOUR_AXES,
        SCALE,
        COSINE,
        PAIRS,
    ),
    outputs=("context_vecs", "attn_weights"),
    behaviours=(repeats,),
    hints=(gradient_flows,),
    rows="attn_weights",
)

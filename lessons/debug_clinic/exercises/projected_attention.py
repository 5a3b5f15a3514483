"""`my_projected_attention(inputs, W_query, W_key, W_value)`: one head that reads nothing but its arguments."""

import torch

from course_utils.checks.exercise import Exercise
from course_utils.lessons import shared
from course_utils.lessons.arguments import CONTEXT_AND_WEIGHTS, TRAINABLE
from course_utils.lessons.debug_clinic.exercises.shared import (
    FOUR_AXES,
    MAXIMUM_OF_ALL,
    NO_MASK,
    PAIRS,
    SCORES,
    SOFTMAX,
)


def projected_attention_solution(inputs, W_query, W_key, W_value):
    queries, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5, dim=-1)
    return attn_weights @ values, attn_weights


def cases(draw):
    yield "2 texts of 4 tokens, 3 wide to 5", draw(2, 4, 3) * 0.5, draw(3, 5), draw(3, 5), draw(3, 5)
    yield "a single text", draw(11, 4) * 0.5, draw(4, 2), draw(4, 2), draw(4, 2)
    yield "3 texts of 5 tokens, 4 wide to 4", draw(3, 5, 4) * 0.5, draw(4, 4), draw(4, 4), draw(4, 4)
    yield "everything of length 4", draw(4, 4, 4) * 0.5, draw(4, 4), draw(4, 4), draw(4, 4)
    yield "two batch axes, (2, 3, 4, 5)", draw(2, 3, 4, 5) * 0.5, draw(5, 2), draw(5, 2), draw(5, 2)
    yield "large inputs", draw(2, 4, 3) * 50, draw(3, 5), draw(3, 5), draw(3, 5)
    yield "a batch of one, a single token", draw(1, 1, 3), draw(3, 2), draw(3, 2), draw(3, 2)


MISTAKES = """
qk-swapped: Query and key have changed places: `inputs @ W_query` makes the queries, and they stand left in the product.
shared-projection: Halfway: nothing stale is read, but queries and keys are the same numbers. The keys need `W_key`.
    inputs @ W_key -> inputs @ W_query
keys-as-queries: Halfway: nothing stale is read, but the keys ask as well: `keys @ keys`. Ask with `inputs @ W_query`.
    queries @ keys.transpose -> keys @ keys.transpose
raw-scores: The scores are made of the inputs as they are. Project them first: `inputs @ W_query`, `inputs @ W_key`.
    queries @ keys.transpose(-2, -1) / queries.shape[-1] -> inputs @ inputs.transpose(-2, -1) / inputs.shape[-1]
kv-swapped: Keys and values have changed places: `inputs @ W_key` makes the keys, `inputs @ W_value` the values.
    inputs @ W_key, inputs @ W_value -> inputs @ W_value, inputs @ W_key
weights-on-keys: The keys are delivered. Deliver the values, `inputs @ W_value`.
v-unprojected: The weights are applied to the inputs. What is delivered are the values, `inputs @ W_value`.
    attn_weights @ values -> attn_weights @ inputs
inputs-overwritten: What is projected has been projected before. Make all three from what came in, `inputs`.
    queries, keys, values = inputs @ W_query, -> inputs = queries = inputs @ W_query ⏎ keys, values =
linear-layout: The matrices are turned on their side: `.T` does it, and `F.linear`. Take `inputs @ W_query`.
    inputs @ W_query, inputs @ W_key, inputs @ W_value -> inputs @ W_query.T, inputs @ W_key.T, inputs @ W_value.T
scale-model: You divided by the root of the inputs' width. Take that of queries and keys, `queries.shape[-1]`.
    / queries.shape[-1] -> / inputs.shape[-1]
"""

SHARED = (SOFTMAX, shared.OVERFLOW, MAXIMUM_OF_ALL, shared.MIX, NO_MASK, FOUR_AXES, SCORES, PAIRS)
exercise = Exercise(projected_attention_solution, cases, MISTAKES, shared=SHARED, **CONTEXT_AND_WEIGHTS, **TRAINABLE)

"""`my_attend_to(queries, keys=None, values=None)`: attention whose keys and values have defaults."""

import torch

from course_utils import attention
from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.exercises import shared
from course_utils.exercises.debug_clinic.slips import COSINE, FIXED_AXES, FOUR_AXES, PAIRS, SCALE


def attend_to_solution(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    values = keys if values is None else values
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights


def cases(draw):
    yield "4 queries, 6 keys, no values", draw(4, 3), draw(6, 3)
    yield "as many queries as keys, no values", draw(2, 5, 4), draw(2, 5, 4)
    yield "queries alone", draw(2, 5, 3)
    yield "values of another width", draw(2, 3, 4), draw(2, 5, 4), draw(2, 5, 2)
    yield "values as wide as keys", draw(3, 4), draw(5, 4), draw(5, 4)
    yield "all three of one shape", draw(4, 4, 4), draw(4, 4, 4), draw(4, 4, 4)
    yield "heads, no values", draw(2, 3, 4, 5), draw(2, 3, 6, 5)
    yield "a batch of one, a single key", draw(1, 3, 4), draw(1, 1, 4)
    yield Unasked("values of their own, and no keys"), draw(2, 5, 3), None, draw(2, 5, 4)
    yield Unasked("float64"), draw(4, 5, dtype=torch.float64), draw(4, 5, dtype=torch.float64)


MISTAKES = """
scale-wrong-width: You divided by the root of the values' width. What meets in the product are queries and keys: take
    the width of the keys, `keys.shape[-1]`.
    / keys.shape[-1] ** 0.5 -> / values.shape[-1] ** 0.5
=the-course-attends:
    return attn_weights @ values, attn_weights ->
        return attention.scaled_dot_product_attention(queries, keys, values)
values-from-queries: This is the bug as it was: keys are given, and the values default to the queries. What is delivered
    belongs to those who answer: `values = keys if values is None else values`.
    values = keys if -> values = queries if
two-calls-only: With keys and no values, the keys are thrown away too, and the text asks itself. Fill in each in a line
    of its own: the keys where `keys is None`, the values where `values is None`.
    keys = queries if keys is None else keys -> if keys is None or values is None: keys = values = queries
own-tokens-added: The asker's own tokens stand beside those of the other text, and answer too. Who answers are the keys
    alone: leave out the `cat`.
    attn_weights = -> if keys is not queries: ⏎     keys = torch.cat([queries, keys], dim=-2)
        ⏎     values = torch.cat([queries, values], dim=-2) ⏎ attn_weights =
    or
    attn_weights = -> if keys is not queries: ⏎     keys = torch.cat([keys, queries], dim=-2)
        ⏎     values = torch.cat([values, queries], dim=-2) ⏎ attn_weights =
values-ignored: Halfway: the default is right, and values that *are* given are no longer used: the keys are always what
    is mixed. Ask first whether there are any: `keys if values is None else values`.
    keys if values is None else values -> keys
defaults-in-wrong-order: Halfway: with queries alone, your values are `None`: they are taken from the keys before the
    keys have been filled in, or in an `elif` that is not reached. First the keys, then the values, each in a line of
    its own.
    keys = queries if keys is None else keys -> values = keys if values is None else values
    values = keys if values is None else values -> keys = queries if keys is None else keys
given-values-replaced: Halfway: where values *are* given, yours are taken from the queries. What is given stays: `keys
    if values is None else values`.
    else values -> else queries
cross-from-queries: Now the keys are the queries too, whatever was given: the other text is never read. Only a missing
    `keys` is replaced.
    queries if keys is None else keys -> queries
keys-forgotten: The keys that were given answer nothing: scores are made of the queries, and only the values come from
    the other text. The scores need `keys`.
    @ keys.transpose(-2, -1) -> @ queries.transpose(-2, -1)
scores-from-values: The scores are made with the values. The keys answer, the values are delivered: scores need `keys`.
    @ keys.transpose(-2, -1) -> @ values.transpose(-2, -1)
keys-values-swapped: Keys and values have changed places in your call: the keys answer, the values are delivered.
    queries @ keys.transpose -> queries @ values.transpose
    attn_weights @ values -> attn_weights @ keys
    or
    return attn_weights @ values, attn_weights ->
        return attention.scaled_dot_product_attention(queries, values, keys)
condition-inverted: Your question is turned round: what is given is replaced, and what is missing stays `None`. Ask `is
    None`.
    keys is None -> keys is not None
    values is None -> values is not None
    or
    values is None -> values is not None
queries-replaced: Where keys are given, they ask as well: `keys @ keys`. The queries stay on the left of the product.
    queries @ keys.transpose -> keys @ keys.transpose
values-required: Halfway: nothing stands in for missing values, and your code stops. Where there are none, take the
    keys.
    values = keys if values is None else values ->
values-only-with-keys: Halfway: values are filled in only where keys are missing too. With keys alone they stay `None`:
    ask for the values in a line of their own.
    keys = queries if keys is None else keys -> if keys is None: keys = values = queries
    values = keys if values is None else values ->
values-or-keys: `values or keys` asks whether a whole tensor is true, and fails. Ask whether it is there: `keys if
    values is None else values`.
    keys if values is None else values -> values or keys
    or
    keys if values is None else values -> values and keys
values-or-keys: `keys or queries` asks whether a whole tensor is true, and fails. Ask whether it is there: `queries if
    keys is None else keys`.
    queries if keys is None else keys -> keys or queries
    or
    queries if keys is None else keys -> keys or queries
    keys if values is None else values -> values or keys
softmax-fixed-axis: `dim=1` is the keys' axis of one text alone. Count from the end: `dim=-1`.
    attention.softmax(…) -> torch.softmax(…, dim=1)
    or
    attention.softmax(…) -> torch.softmax(…, dim=2)
weights-transposed: The weights are turned on their side before the mix. Each row of weights mixes the values for one
    query: leave out the transpose in the last product.
    attn_weights @ values -> attn_weights.transpose(-2, -1) @ values
"""

exercise = Exercise(
    attend_to_solution,
    cases,
    MISTAKES,
    shared=(
        shared.SOFTMAX_OF_SMALL_SCORES,
        shared.SOFTMAX_OF_ONE_HEAD,
        shared.SCORES,
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

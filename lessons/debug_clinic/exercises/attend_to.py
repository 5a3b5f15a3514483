"""`my_attend_to(queries, keys=None, values=None)`: attention whose keys and values have defaults."""

from course_utils import attention
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.lessons.arguments import CONTEXT_AND_WEIGHTS, TRAINABLE
from course_utils.lessons.debug_clinic.exercises.shared import FOUR_AXES, NO_MASK, PAIRS, SCORES, SOFTMAX


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
    yield "values wider than keys", draw(2, 3, 4), draw(2, 5, 4), draw(2, 5, 6)
    yield "values as wide as keys", draw(3, 4), draw(5, 4), draw(5, 4)
    yield "all three of one shape", draw(4, 4, 4), draw(4, 4, 4), draw(4, 4, 4)
    yield "heads, no values", draw(2, 3, 12, 5), draw(2, 3, 11, 5)
    yield "a batch of one, a single key", draw(1, 3, 4), draw(1, 1, 4)
    yield Unasked("large inputs"), 50 * draw(2, 3, 4), 50 * draw(2, 5, 4)
    yield Unasked("values of their own, and no keys"), draw(2, 5, 3), None, draw(2, 5, 4)


MISTAKES = """
=the-course-attends:
    return attn_weights @ values, attn_weights -> return attention.scaled_dot_product_attention(queries, keys, values)
scale-wrong-width: You divided by the root of the values' width. Take that of the keys, `keys.shape[-1]`.
    / keys.shape[-1] ** 0.5 -> / values.shape[-1] ** 0.5
values-from-queries: This is the bug as it was: missing values are the queries. Who answers delivers: they are the keys.
    values = keys if -> values = queries if
values-by-shape: Where queries and keys have one shape, the queries are delivered. Missing values are always the keys.
    values = keys if -> values = (queries if queries.shape == keys.shape else keys) if
two-calls-only: With keys and no values, the text asks itself: the keys are thrown away. Fill in only what is `None`.
    keys = queries if keys is None else keys -> if keys is None or values is None: keys = values = queries
own-tokens-added: The asker's own tokens stand beside those of the other text. The keys alone answer: join nothing.
    attn_weights = -> if keys is not queries: ⏎     keys = torch.cat([queries, keys], dim=-2)
        ⏎     values = torch.cat([queries, values], dim=-2) ⏎ attn_weights =
    or
    keys = queries if keys is None else keys -> keys = queries if keys is None else torch.cat([queries, keys], dim=1)
    or
    keys = queries if keys is None else keys -> keys = queries if keys is None else torch.cat([queries, keys], dim=-2)
    or
    keys = queries if keys is None else keys -> keys = queries if keys is None else torch.cat([keys, queries], dim=-2)
values-ignored: Halfway: values that *are* given are not used. The keys stand in only for values that are `None`.
    keys if values is None else values -> keys
defaults-in-wrong-order: Halfway: with queries alone, `values` stays `None`. Fill in the keys first, no `elif`.
    keys = queries if keys is None else keys -> values = keys if values is None else values
    values = keys if values is None else values -> keys = queries if keys is None else keys
given-values-replaced: Halfway: where values *are* given, the queries are mixed. Replace only what is `None`.
    else values -> else queries
cross-from-queries: The keys are the queries, whatever was given: the other text is never asked. Replace only `None`.
    queries if keys is None else keys -> queries
queries-overwritten: Your code writes over `queries`, so that the keys ask. Leave them as they came.
    values = keys if values is None else values -> if values is None: values, queries = queries, keys
keys-forgotten: Scores are made of the queries alone; the other text only delivers. Scores need `keys`.
    @ keys.transpose(-2, -1) -> @ queries.transpose(-2, -1)
scores-from-values: The scores are made with the values. The keys answer, the values are delivered: scores need `keys`.
    @ keys.transpose(-2, -1) -> @ values.transpose(-2, -1)
condition-inverted: What is given is replaced, and what is missing stays `None`. Replace it where it `is None`.
    values is None -> values is not None
values-required: Halfway: nothing stands in for missing values. Take the keys where values are `None`.
    values = keys if values is None else values ->
values-only-with-keys: Halfway: with keys alone, `values` stays `None`. Ask for it by itself, after the keys.
    keys = queries if keys is None else keys -> if keys is None: keys = values = queries
    values = keys if values is None else values ->
"""

SHARED = (SOFTMAX, NO_MASK, FOUR_AXES, SCORES, PAIRS)
exercise = Exercise(attend_to_solution, cases, MISTAKES, shared=SHARED, **CONTEXT_AND_WEIGHTS, **TRAINABLE)

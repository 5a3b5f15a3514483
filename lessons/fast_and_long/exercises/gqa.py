"""`my_gqa(queries, keys, values)`: causal attention in which several heads of queries share keys and values."""

import torch

from course_utils import attention
from course_utils.checks.exercise import Exercise
from course_utils.checks.form import Form
from course_utils.lessons import shared
from course_utils.lessons.arguments import CONTEXT_AND_WEIGHTS, TRAINABLE
from course_utils.lessons.the_reshape.exercises.scores_of_heads import SCORES_OF_HEADS


def gqa_solution(queries, keys, values):
    group = queries.shape[1] // keys.shape[1]  # so many heads of queries share one of keys
    keys = keys.repeat_interleave(group, dim=1)  # (batch, num_heads, num_tokens, head_dim)
    values = values.repeat_interleave(group, dim=1)
    mask = attention.causal_mask(queries.shape[-2])
    return attention.scaled_dot_product_attention(queries, keys, values, mask)


def spelled_out(queries, keys, values):
    group = queries.shape[1] // keys.shape[1]
    keys = keys.repeat_interleave(group, dim=1)
    values = values.repeat_interleave(group, dim=1)
    mask = attention.causal_mask(queries.shape[-2])
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))
    return attn_weights @ values, attn_weights


def cases(draw):
    def qkv(batch, num_heads, key_heads, num_tokens, head_dim, value_dim):
        sizes = ((num_heads, head_dim), (key_heads, head_dim), (key_heads, value_dim))
        return tuple(draw(batch, heads, num_tokens, width) for heads, width in sizes)

    yield "4 heads share 2, 3 texts of 5 tokens", *qkv(3, 4, 2, 5, 6, 7)
    yield "6 heads share 2", *qkv(2, 6, 2, 4, 3, 3)
    yield "6 heads share 3", *qkv(2, 6, 3, 4, 5, 2)
    yield "8 heads share 1 (multi-query)", *qkv(2, 8, 1, 3, 4, 4)
    yield "as many as there are heads", *qkv(2, 3, 3, 17, 5, 5)
    yield "as many tokens as heads", *qkv(2, 4, 2, 4, 3, 5)
    yield "4 heads share 2, a batch of one, a single token", *qkv(1, 4, 2, 1, 3, 2)
    yield "6 heads share 1, a batch of one, a single token", *qkv(1, 6, 1, 1, 2, 4)
    yield "large inputs", *(60 * part for part in qkv(2, 4, 2, 6, 4, 3))


GROUPS = """
heads-take-turns: Your heads take turns, 0 1 0 1. Neighbours share, 0 0 1 1: `repeat_interleave(group, dim=1)`.
    .repeat_interleave(group, dim=1) ->> .repeat(1, group, 1, 1)
values-take-turns: The heads share keys as neighbours, and values in turns. Spread both:
    `repeat_interleave(group, dim=1)`.
    values.repeat_interleave(group, dim=1) -> values.repeat(1, group, 1, 1)
keys-take-turns: The heads share values as neighbours, and keys in turns. Spread both:
    `repeat_interleave(group, dim=1)`.
    keys.repeat_interleave(group, dim=1) -> keys.repeat(1, group, 1, 1)
one-for-all: All heads meet the first head of keys. Each group has its own: `repeat_interleave(group, dim=1)`.
    keys.repeat_interleave(group, dim=1) -> keys[:, :1].expand(-1, queries.shape[1], -1, -1)
    values.repeat_interleave(group, dim=1) -> values[:, :1].expand(-1, queries.shape[1], -1, -1)
first-of-group: Only as many heads come back as there are key heads. Spread the keys, do not cut the queries.
    keys = keys.repeat_interleave(group, dim=1) -> queries = queries[:, : keys.shape[1]]
    values = values.repeat_interleave(group, dim=1) ->
queries-averaged: You average the queries of a group, so only as many heads come back as there are key heads. Each head
    asks for itself: leave the queries as they are, and spread the keys.
    keys = keys.repeat_interleave(group, dim=1) -> queries = queries.unflatten(1, (-1, group)).mean(dim=2)
    values = values.repeat_interleave(group, dim=1) ->
spread-along-tokens: You repeat the tokens, and cut them anew into heads. The heads are on axis 1:
    `repeat_interleave(group, dim=1)`.
    .repeat_interleave(group, dim=1) ->> .repeat_interleave(group, dim=2).view(*queries.shape[:3], -1)
not-spread: There are fewer heads of keys or values. Spread *both*: `repeat_interleave(group, dim=1)`.
    .repeat_interleave(group, dim=1) ->>
expand-only: `expand` lengthens an axis of length 1 alone. Take `repeat_interleave(group, dim=1)`.
    .repeat_interleave(group, dim=1) ->> .expand(-1, queries.shape[1], -1, -1)
spread-flat: Without `dim=1`, `repeat_interleave` gives one long row of numbers. The heads are on axis 1.
    .repeat_interleave(group, dim=1) ->> .repeat_interleave(group)
no-mask: Later tokens are attended. Close them with the causal mask, before softmax.
    mask = attention.causal_mask(queries.shape[-2]) -> mask = torch.tensor(True)
"""
MISTAKES = f"""{GROUPS}
group-miscounted: Your keys are not repeated as often as they are used. Each is shared by
    `queries.shape[1] // keys.shape[1]` heads of queries.
    group = queries.shape[1] // keys.shape[1] -> group = queries.shape[1]
    or
    group = queries.shape[1] // keys.shape[1] -> group = keys.shape[1] // queries.shape[1]
group-for-key-heads: You divide by the number of key heads. Head `h` uses key head `h // group`, and the group is
    `queries.shape[1] // keys.shape[1]`.
    keys = keys.repeat_interleave(group, dim=1) -> keys = keys[:, torch.arange(queries.shape[1]) // keys.shape[1]]
    values = values.repeat_interleave(group, dim=1) ->
        values = values[:, torch.arange(queries.shape[1]) // values.shape[1]]
group-typed: How many heads share one is typed in. Read it off: `queries.shape[1] // keys.shape[1]`.
    group = queries.shape[1] // keys.shape[1] -> group = 4
heads-merged: The heads are no longer apart. Return them as they come, `(batch, num_heads, num_tokens, …)`.
    return attention -> context_vecs, attn_weights = attention
    values, mask) -> values, mask) ⏎ return context_vecs.transpose(1, 2).flatten(2), attn_weights
weights-averaged: The weights are averaged over the heads. Each head's table is asked for.
    return attention -> context_vecs, attn_weights = attention
    values, mask) -> values, mask) ⏎ return context_vecs, attn_weights.unflatten(1, (-1, group)).mean(dim=2)
weights-take-turns: The context vectors are right, and the heads of your weights take turns, 0 1 0 1. Neighbours share,
    0 0 1 1: make both with the same keys, by `repeat_interleave(group, dim=1)`.
    values, mask) -> values, mask)[0], attention.scaled_dot_product_attention(
        queries, keys[:, ::group].repeat(1, group, 1, 1), values, mask)[1]
groups-kept: Groups and their heads have an axis each in your result. Join the two: `flatten(1, 2)`.
    return attention -> parts = attention
    values, mask) -> values, mask) ⏎ return tuple(part.unflatten(1, (-1, group)) for part in parts)
    or
    return attention -> parts = attention
    values, mask) -> values, mask) ⏎ return parts[0], parts[1].unflatten(1, (-1, group))
groups-interchanged: Head 0, 2, 4 … are one group in your cut. Neighbours are one: `(key_heads, group)`, in this order.
    keys = keys.repeat -> queries = queries.unflatten(1, (-1, keys.shape[1])).transpose(1, 2).flatten(1, 2)
        ⏎ keys = keys.repeat
cat-wrong-axis: The groups are joined along another axis than the heads'. That is axis 1: `torch.cat(…, dim=1)`.
    return attention -> parts = attention
    values, mask) -> values, mask)
        ⏎ return tuple(torch.cat(part.unflatten(1, (-1, group)).unbind(1), dim=-1) for part in parts)
"""
STEPS = """
weights-missing: Two results are asked for: `return context_vecs, attn_weights`. (SDPA gives no weights: by hand.)
    return attn_weights @ values, attn_weights -> return attn_weights @ values
mask-off-by-one: No token sees itself, and the first sees nothing. The diagonal is open: `tril(…)` as it is, or `<=`.
    attention.causal_mask(…) -> attention.causal_mask(…).tril(-1)
    attention.softmax(…) -> torch.softmax(…, dim=-1)
qk-swapped: The table lies on its side: each row should be a query, each column a key. The queries come first.
scale-wrong-axis: You divided by the root of the values' width. Queries and keys have another: `queries.shape[-1]`.
    queries.shape[-1] ** 0.5 -> values.shape[-1] ** 0.5
mask-after-softmax: The rows add up to less than 1: the mask comes after softmax. Close the scores, before softmax.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    attention.softmax(…) -> attention.softmax(…) * mask
"""
SHARED = (GROUPS, SCORES_OF_HEADS, shared.SOFTMAX, shared.SCORES, shared.MIX, shared.HIDE, shared.RESULTS)
FORMS = (Form(__name__, "spelled_out", STEPS, SHARED),)
exercise = Exercise(gqa_solution, cases, MISTAKES, also=FORMS, **CONTEXT_AND_WEIGHTS, **TRAINABLE)

"""`my_gqa(queries, keys, values)`: causal attention in which several heads of queries share keys and values."""

import torch

from course_utils import attention
from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.checks.form import Form
from course_utils.exercises import shared
from course_utils.exercises.the_reshape.scores_of_heads import SCORES_OF_HEADS


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


def in_groups(queries, keys, values):
    """Return the solution's results, with an axis for the groups, and one for the heads in a group."""
    groups = queries.unflatten(1, (keys.shape[1], -1))  # (batch, key_heads, group, num_tokens, head_dim)
    mask = attention.causal_mask(queries.shape[-2])
    parts = attention.scaled_dot_product_attention(groups, keys.unsqueeze(2), values.unsqueeze(2), mask)
    context_vecs, attn_weights = (part.flatten(1, 2) for part in parts)
    return context_vecs, attn_weights


def cases(draw):
    def qkv(batch, num_heads, key_heads, num_tokens, head_dim, value_dim, dtype=torch.float32):
        shapes = (
            (num_heads, num_tokens, head_dim),
            (key_heads, num_tokens, head_dim),
            (key_heads, num_tokens, value_dim),
        )
        return tuple(draw(batch, *shape, dtype=dtype) for shape in shapes)

    yield "4 heads share 2, 3 texts of 5 tokens", *qkv(3, 4, 2, 5, 6, 7)
    yield "6 heads share 2", *qkv(2, 6, 2, 4, 3, 3)
    yield "6 heads share 3", *qkv(2, 6, 3, 4, 5, 2)
    yield "8 heads share 1 (multi-query)", *qkv(2, 8, 1, 3, 4, 4)
    yield "as many as there are heads", *qkv(2, 3, 3, 17, 5, 5)
    yield "as many tokens as heads", *qkv(2, 4, 2, 4, 3, 5)
    yield "4 heads share 2, a batch of one, a single token", *qkv(1, 4, 2, 1, 3, 2)
    yield "6 heads share 1, a batch of one, a single token", *qkv(1, 6, 1, 1, 2, 4)
    yield "large inputs", *(60 * part for part in qkv(2, 4, 2, 6, 4, 3))
    yield Unasked("float64"), *qkv(2, 4, 2, 5, 3, 4, dtype=torch.float64)


GROUPS = """
heads-take-turns: Your heads take turns, key heads 0 1 0 1, as with `repeat` or `%`. Neighbours share, 0 0 1 1:
    `repeat_interleave(group, dim=1)`, or the queries' heads cut as `(key_heads, group)`, in this order.
    .repeat_interleave(group, dim=1) ->> .repeat(1, group, 1, 1)
heads-take-turns: Your keys are spread as 0 0 1 1, and your values as 0 1 0 1: a weight meets another head's value. Both
    need `repeat_interleave(group, dim=1)`.
    values.repeat_interleave(group, dim=1) -> values.repeat(1, group, 1, 1)
heads-take-turns: Your values are spread as 0 0 1 1, and your keys as 0 1 0 1. Both need
    `repeat_interleave(group, dim=1)`.
    keys.repeat_interleave(group, dim=1) -> keys.repeat(1, group, 1, 1)
first-key-head: All heads meet the first head of keys and values. Neighbours share one, and the next have the next:
    `repeat_interleave(group, dim=1)`.
    .repeat_interleave(group, dim=1) ->> [:, :1].expand(-1, queries.shape[1], -1, -1)
    or
    .repeat_interleave(group, dim=1) ->> [:, :1].repeat_interleave(group, dim=1)
key-heads-averaged: All heads meet the mean of the key heads. Each group has one of its own: neighbours share, 0 0 1 1.
    .repeat_interleave(group, dim=1) ->> .mean(dim=1, keepdim=True).expand(-1, queries.shape[1], -1, -1)
first-of-group: Only as many heads come back as there are key heads. Every head of queries has a row in the result, and
    the keys are spread, not the queries cut.
    keys = keys.repeat_interleave(group, dim=1) -> queries = queries[:, : keys.shape[1]]
    values = values.repeat_interleave(group, dim=1) ->
    or
    keys = keys.repeat_interleave(group, dim=1) -> queries = queries[:, ::group]
    values = values.repeat_interleave(group, dim=1) ->
queries-averaged: The queries of a group are averaged to one. Each asks for itself: spread the keys instead.
    keys = keys.repeat_interleave(group, dim=1) -> queries = queries.unflatten(1, (-1, group)).mean(dim=2)
    values = values.repeat_interleave(group, dim=1) ->
not-spread: There are fewer heads of keys or values than of queries, so they do not fit. Spread keys *and* values first:
    `repeat_interleave(group, dim=1)`, with `group = queries.shape[1] // keys.shape[1]`.
    queries.shape[1] // keys.shape[1] -> queries.shape[0] // keys.shape[0]
    or
    .repeat_interleave(group, dim=1) ->>
    or
    values.repeat_interleave(group, dim=1) -> values
    or
    keys.repeat_interleave(group, dim=1) -> keys
group-upside-down: The heads are counted the wrong way round. A group is `queries.shape[1] // keys.shape[1]` heads.
    queries.shape[1] // keys.shape[1] -> keys.shape[1] // queries.shape[1]
heads-miscounted: The key heads are repeated too often: as many times as there are heads. A group is
    `queries.shape[1] // keys.shape[1]`.
    queries.shape[1] // keys.shape[1] -> queries.shape[1]
heads-miscounted: The key heads are repeated as many times as there are key heads. A group is
    `queries.shape[1] // keys.shape[1]`.
    queries.shape[1] // keys.shape[1] -> keys.shape[1]
heads-miscounted: You counted texts among the heads. The heads are on axis 1: `queries.shape[1] // keys.shape[1]`.
    queries.shape[1] // keys.shape[1] -> len(queries) // keys.shape[1]
    or
    queries.shape[1] // keys.shape[1] -> queries.shape[1] // len(keys)
head-by-key-heads: A head's number is divided by the number of key heads. Divide it by a group's size: `head // group`.
    group = queries.shape[1] // keys.shape[1] -> which = torch.arange(queries.shape[1]) // keys.shape[1]
    .repeat_interleave(group, dim=1) ->> [:, which]
expand-only: `expand` lengthens an axis of length 1 alone, and there may be more key heads than one:
    `repeat_interleave(group, dim=1)`.
    .repeat_interleave(group, dim=1) ->> .expand(-1, queries.shape[1], -1, -1)
group-fixed: Your code fits one size of group alone. Count: `queries.shape[1] // keys.shape[1]`.
    queries.shape[1] // keys.shape[1] -> 4
    or
    queries.shape[1] // keys.shape[1] -> 2
    or
    queries.shape[1] // keys.shape[1] -> 8 // keys.shape[1]
    or
    queries.shape[1] // keys.shape[1] -> queries.shape[1] // 2
group-as-float: `/` gives a number with a point, and nothing can be repeated 2.0 times. Whole numbers: `//`.
    // keys.shape[1] -> / keys.shape[1]
    or
    // keys.shape[1] -> / keys.shape[1]
    .repeat_interleave(group, dim=1) ->> .repeat(1, group, 1, 1)
spread-tokens: The tokens are repeated, and the heads should be. They are on axis 1: `repeat_interleave(group, dim=1)`.
    dim=1 ->> dim=2
    or
    .repeat_interleave(group, dim=1) ->> .repeat(1, 1, group, 1)
spread-batch: The texts are repeated, and the heads should be. They are on axis 1: `repeat_interleave(group, dim=1)`.
    dim=1 ->> dim=0
    or
    .repeat_interleave(group, dim=1) ->> .repeat(group, 1, 1, 1)
spread-width: The features are repeated, and the heads should be. They are on axis 1:
    `repeat_interleave(group, dim=1)`.
    dim=1 ->> dim=-1
spread-flat: Without `dim=1`, `repeat_interleave` gives one long row of numbers. The heads are on axis 1.
    .repeat_interleave(group, dim=1) ->> .repeat_interleave(group)
heads-recut: Keys and values are cut anew, and a head's rows then hold several tokens' numbers. Only repeat the heads:
    `repeat_interleave(group, dim=1)`.
    .repeat_interleave(group, dim=1) ->>
        .repeat(1, 1, 1, group).reshape(len(queries), queries.shape[1], keys.shape[2], -1)
no-mask: Later tokens are attended. Close them with the causal mask, before softmax.
    mask = attention.causal_mask(queries.shape[-2]) -> mask = torch.tensor(True)
mask-from-heads: Your mask is as long as there are heads, or as a key is wide. Count the tokens: `queries.shape[-2]`.
    causal_mask(queries.shape[-2]) -> causal_mask(queries.shape[1])
    or
    causal_mask(queries.shape[-2]) -> causal_mask(queries.shape[-1])
    or
    causal_mask(queries.shape[-2]) -> causal_mask(len(queries))
mask-inverted: Your mask opens the future and closes the past. True = may attend: `attention.causal_mask`.
    attention.causal_mask(…) -> ~attention.causal_mask(…)
mask-lower: Each token sees itself and what comes after it. The past lies below the diagonal: `tril`, key `<=` query.
    attention.causal_mask(…) -> attention.causal_mask(…).mT
mask-off-by-one: No token sees itself, and the first sees nothing. The diagonal is open: `tril(…)` as it is, or `<=`.
    attention.causal_mask(…) -> attention.causal_mask(…).tril(-1)
"""
MISTAKES = f"""{GROUPS}
qk-swapped: The table lies on its side: each row should be a query, each column a key. The queries come first.
    (queries, keys, values, mask) -> (keys, queries, values, mask)
kv-swapped: Keys and values have changed places: the keys make the scores, and the values are mixed.
    (queries, keys, values, mask) -> (queries, values, keys, mask)
weights-on-keys: The keys are mixed. They have done their work in the scores: mix the `values`.
    (queries, keys, values, mask) -> (queries, keys, keys, mask)
outputs-swapped: The two results have changed places: `return context_vecs, attn_weights`.
    values, mask) -> values, mask)[::-1]
weights-missing: Two results are asked for: `return context_vecs, attn_weights`. (SDPA gives no weights: by hand.)
    values, mask) -> values, mask)[0]
    or
    attention.scaled_dot_product_attention(queries, keys, values, mask) ->
        torch.nn.functional.scaled_dot_product_attention(queries, keys, values, is_causal=True)
weights-for-context: The first result is the weights. It should be their mix of the values.
    return attention -> _, attn_weights = attention
    values, mask) -> values, mask) ⏎ return attn_weights, attn_weights
heads-merged: The heads are no longer apart. Return them as they come, `(batch, num_heads, num_tokens, …)`.
    return attention -> context_vecs, attn_weights = attention
    values, mask) -> values, mask) ⏎ return context_vecs.transpose(1, 2).flatten(2), attn_weights
weights-averaged: The weights are averaged over the heads. Each head's table is asked for.
    return attention -> context_vecs, attn_weights = attention
    values, mask) -> values, mask) ⏎ return context_vecs, attn_weights.mean(dim=1)
    or
    return attention -> context_vecs, attn_weights = attention
    values, mask) -> values, mask) ⏎ return context_vecs, attn_weights.unflatten(1, (-1, group)).mean(dim=2)
first-head-only: Only the first head comes back. Return all: look for an index, or a `return` inside a loop.
    return attention -> context_vecs, attn_weights = attention
    values, mask) -> values, mask) ⏎ return context_vecs[:, :1], attn_weights[:, :1]
    or
    return attention -> context_vecs, attn_weights = attention
    values, mask) -> values, mask) ⏎ return context_vecs[:, 0], attn_weights[:, 0]
first-text-only: Only the first text comes back. Let the batch run along as the first axis: no index there.
    return attention -> context_vecs, attn_weights = attention
    values, mask) -> values, mask) ⏎ return context_vecs[0], attn_weights[0]
cat-for-stack: The heads' results are joined on an old axis. They need one of their own: `torch.stack(…, dim=1)`.
    return attention -> context_vecs, attn_weights = attention
    values, mask) -> values, mask) ⏎
        return torch.cat(context_vecs.unbind(1), dim=-1), torch.cat(attn_weights.unbind(1), dim=-1)
    or
    return attention -> context_vecs, attn_weights = attention
    values, mask) -> values, mask) ⏎ return torch.cat(context_vecs.unbind(1)), torch.cat(attn_weights.unbind(1))
    or
    return attention -> context_vecs, attn_weights = attention
    values, mask) -> values, mask) ⏎
        return torch.cat(context_vecs.unbind(1), dim=1), torch.cat(attn_weights.unbind(1), dim=1)
heads-before-batch: The heads stand before the batch. Put the batch first: look at the `dim` of a `stack`.
    return attention -> context_vecs, attn_weights = attention
    values, mask) -> values, mask) ⏎ return context_vecs.transpose(0, 1), attn_weights.transpose(0, 1)
"""
STEPS = """
weights-missing: Two results are asked for: `return context_vecs, attn_weights`. (SDPA gives no weights: by hand.)
mask-off-by-one: No token sees itself, and the first sees nothing. The diagonal is open: `tril(…)` as it is, or `<=`.
    attention.causal_mask(…) -> attention.causal_mask(…).tril(-1)
    attention.softmax(…) -> torch.softmax(…, dim=-1)
qk-swapped: The table lies on its side: each row should be a query, each column a key. The queries come first.
mask-after-softmax: The rows add up to less than 1: the mask comes after softmax. Close the scores, before softmax.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    attention.softmax(…) -> attention.softmax(…) * mask
scores-returned: The second result should be the weights, after softmax. Yours are the scores.
    values, attn_weights -> values, attn_scores
    or
    values, attn_weights -> values, attn_scores.masked_fill(~mask, -torch.inf)
"""
APART = """
groups-kept: Groups and their heads have an axis each in your result. Join the two: `flatten(1, 2)`.
    part.flatten(1, 2) for part in parts -> part for part in parts
groups-interchanged: Head 0, 2, 4 … are one group in your cut. Neighbours are one: `(key_heads, group)`, in this order.
    queries.unflatten(1, (keys.shape[1], -1)) -> queries.unflatten(1, (-1, keys.shape[1])).transpose(1, 2)
heads-take-turns: Your heads take turns, key heads 0 1 0 1, as with `repeat` or `%`. Neighbours share, 0 0 1 1:
    `repeat_interleave(group, dim=1)`, or the queries' heads cut as `(key_heads, group)`, in this order.
    (keys.shape[1], -1)) -> (-1, keys.shape[1]))
    unsqueeze(2) ->> unsqueeze(1)
cat-wrong-axis: The groups are joined along another axis than the heads'. That is axis 1: `torch.cat(…, dim=1)`.
    part.flatten(1, 2) for -> torch.cat(part.unbind(1), dim=-1) for
    or
    part.flatten(1, 2) for -> torch.cat(part.unbind(1), dim=0) for
    or
    part.flatten(1, 2) for -> torch.cat(part.unbind(1), dim=-2) for
groups-joined-wrongly: The heads come back in another order. Groups stand before their heads when you join the two.
    part.flatten(1, 2) for -> part.transpose(1, 2).flatten(1, 2) for
"""

exercise = Exercise(
    gqa_solution,
    cases,
    MISTAKES,
    also=(
        Form(
            __name__,
            "spelled_out",
            STEPS,
            shared=(GROUPS, SCORES_OF_HEADS, shared.SOFTMAX, shared.SCORES, shared.MIX, shared.HIDE, shared.RESULTS),
        ),
        Form(__name__, "in_groups", APART),
    ),
    outputs=("context_vecs", "attn_weights"),
    rows="attn_weights",
    behaviours=(repeats,),
    hints=(gradient_flows,),
)

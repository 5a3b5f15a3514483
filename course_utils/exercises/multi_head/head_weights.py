"""`my_head_weights(queries, keys, num_heads)`: one table of weights a head, without a mask."""

import torch

from course_utils import attention
from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.exercises import shared
from course_utils.exercises.multi_head.scores_of_heads import SCORES_OF_HEADS


def head_weights_solution(queries, keys, num_heads):
    queries = attention.split_heads(queries, num_heads)  # (batch, num_heads, num_queries, head_dim)
    keys = attention.split_heads(keys, num_heads)  # (batch, num_heads, num_keys, head_dim)
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    return attention.softmax(attn_scores)  # (batch, num_heads, num_queries, num_keys)


def cases(draw):
    yield "2 texts of 5 tokens, 12 wide, 4 heads", draw(2, 5, 12), draw(2, 5, 12), 4
    yield "3 queries, 7 keys", draw(2, 3, 8), draw(2, 7, 8), 2
    yield "as many heads as tokens", draw(2, 3, 6), draw(2, 3, 6), 3
    yield "as many texts as tokens", draw(4, 4, 8), draw(4, 4, 8), 2
    yield "one head", draw(2, 5, 4), draw(2, 5, 4), 1
    yield "heads of width 1", draw(2, 5, 3), draw(2, 5, 3), 3
    yield "a batch of one, a single token", draw(1, 1, 6), draw(1, 1, 6), 3
    yield "large scores", draw(2, 5, 6) * 50, draw(2, 5, 6) * 50, 2
    yield Unasked("float64"), draw(2, 5, 12, dtype=torch.float64), draw(2, 5, 12, dtype=torch.float64), 3


MISTAKES = """
view-no-transpose: Your `view` or `reshape` goes straight to `(batch, num_heads, num_tokens, head_dim)`. It only counts
    numbers off in their order, and a head's rows fill up with other tokens' numbers. Cut the features first,
    `view(batch, num_tokens, num_heads, head_dim)`, then move the axis: `transpose(1, 2)`.
    attention.split_heads(queries, num_heads) -> queries.reshape(len(queries), num_heads, queries.shape[1], -1)
    attention.split_heads(keys, num_heads) -> keys.reshape(len(keys), num_heads, keys.shape[1], -1)
view-no-transpose: Your keys alone are split by a `view` or `reshape`, and a head's rows fill up with other tokens'
    numbers. Split them as the queries: `attention.split_heads`.
    attention.split_heads(keys, num_heads) -> keys.reshape(len(keys), num_heads, keys.shape[1], -1)
    or
    attention.split_heads(keys, num_heads) -> keys.reshape(len(keys), num_heads, -1, keys.shape[1])
    keys.transpose(-2, -1) -> keys
view-no-transpose: Your queries alone are split by a `view` or `reshape`, and a head's rows fill up with other tokens'
    numbers. Split them as the keys: `attention.split_heads`.
    attention.split_heads(queries, num_heads) -> queries.reshape(len(queries), num_heads, queries.shape[1], -1)
turned-before-split: You turned the keys before the split, so it is their tokens that are shared out among the heads.
    Split first, then turn the last two axes: `keys.transpose(-2, -1)`.
    attention.split_heads(keys, num_heads) -> attention.split_heads(keys.transpose(1, 2), num_heads)
    keys.transpose(-2, -1) -> keys
    or
    attention.split_heads(keys, num_heads) -> attention.split_heads(keys.transpose(1, 2), num_heads)
split-too-late: You split what queries and keys have made together, and its last axis counts keys. Split queries and
    keys themselves, before they meet.
    attention.split_heads(queries, num_heads) -> queries
    attention.split_heads(keys, num_heads) -> keys
    (attn_scores) -> (attention.split_heads(attn_scores, num_heads))
    or
    attention.split_heads(queries, num_heads) -> queries
    attention.split_heads(keys, num_heads) -> keys
    / queries.shape[-1] -> / (queries.shape[-1] // num_heads)
    (attn_scores) -> (attention.split_heads(attn_scores, num_heads))
split-tokens: Your heads share out the tokens, so each sees a part of the text. They should share out the features, the
    last axis: every head sees every token.
    attention.split_heads(queries, num_heads) -> queries.reshape(len(queries), num_heads, -1, queries.shape[-1])
    attention.split_heads(keys, num_heads) -> keys.reshape(len(keys), num_heads, -1, keys.shape[-1])
    or
    attention.split_heads(queries, num_heads) -> torch.stack(queries.chunk(num_heads, dim=1), dim=1)
    attention.split_heads(keys, num_heads) -> torch.stack(keys.chunk(num_heads, dim=1), dim=1)
split-missing: Queries and keys meet in their full width, as in one wide head. Split both first:
    `attention.split_heads`.
    attention.split_heads(queries, num_heads) -> queries
    attention.split_heads(keys, num_heads) -> keys
split-missing: One table is made of all features together, and repeated for every head. Each head should compare its
    own: split both first, `attention.split_heads`.
    attention.split_heads(queries, num_heads) -> queries
    attention.split_heads(keys, num_heads) -> keys
    (attn_scores) -> (attn_scores)[:, None].repeat(1, num_heads, 1, 1)
    or
    attention.split_heads(queries, num_heads) -> queries
    attention.split_heads(keys, num_heads) -> keys
    / queries.shape[-1] -> / (queries.shape[-1] // num_heads)
    (attn_scores) -> (attn_scores)[:, None].repeat(1, num_heads, 1, 1)
split-missing: Only one of the two is split. Queries and keys both need `attention.split_heads`.
    attention.split_heads(keys, num_heads) -> keys
    or
    attention.split_heads(queries, num_heads) -> queries
    or
    attention.split_heads(keys, num_heads) -> keys
    keys.transpose(-2, -1) -> keys.transpose(1, 2).unsqueeze(1)
split-not-moved: Your scores compare the heads of one token with each other. Move the heads' axis before tokens.
    attention.split_heads(queries, num_heads) -> queries.view(*queries.shape[:2], num_heads, -1)
    attention.split_heads(keys, num_heads) -> keys.view(*keys.shape[:2], num_heads, -1)
features-dealt-out: Your heads take turns: head 0 has every so many features, as cards are dealt out. A head takes
    neighbours: cut the last axis as `(num_heads, head_dim)`, or call `attention.split_heads`.
    attention.split_heads(queries, num_heads) -> queries.view(*queries.shape[:2], -1, num_heads).permute(0, 3, 1, 2)
    attention.split_heads(keys, num_heads) -> keys.view(*keys.shape[:2], -1, num_heads).permute(0, 3, 1, 2)
sizes-swapped: `num_heads` and `head_dim` have changed places: cut the last axis as `(num_heads, head_dim)`. (Of
    `split`: it takes the width of a piece, `chunk` takes their number.)
    attention.split_heads(queries, num_heads) -> queries.view(*queries.shape[:2], -1, num_heads).transpose(1, 2)
    attention.split_heads(keys, num_heads) -> keys.view(*keys.shape[:2], -1, num_heads).transpose(1, 2)
keys-cut-as-queries: Your keys are cut with the number of the queries. There may be more keys than queries: read it off
    `keys.shape`.
    attention.split_heads(keys, num_heads) -> keys.view(len(keys), queries.shape[-2], num_heads, -1).transpose(1, 2)
shared-heads: All your heads use the same features. Each has a slice of its own: `attention.split_heads`.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores[:, :1].expand(-1, num_heads, -1, -1))
keys-of-queries: Your keys are the queries once more, and each query meets queries. The scores are made with `keys`.
    attention.split_heads(keys, num_heads) -> attention.split_heads(queries, num_heads)
    or
    attention.split_heads(keys, num_heads) -> queries
scale-wrong-axis: You divided by the root of the number of tokens. It should be the root of the width, the last axis:
    `shape[-1]`.
    queries.shape[-1] ** 0.5 -> queries.shape[-2] ** 0.5
scores-returned: These are scores: they are neither divided by the root of the width, nor sent through softmax.
    / queries.shape[-1] ** 0.5 ->
    attention.softmax(attn_scores) -> attn_scores
mask-unasked: Your weights are causal. No mask is asked for here: it comes right after this exercise.
    (attn_scores) -> (attn_scores.masked_fill(~torch.ones_like(attn_scores).bool().tril(), -torch.inf))
    or
    (attn_scores) -> (attn_scores.masked_fill(~attention.causal_mask(queries.shape[-2]), -torch.inf))
weights-averaged: The weights are averaged over the heads. Each head's table is asked for: keep the heads' axis.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores).mean(dim=1)
scores-summed: The heads are added up before softmax. Each head has a table of its own: keep the heads' axis.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores.sum(dim=1))
first-head-only: Only the first head comes back: look for an index, or a `return` inside a loop.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores)[:, :1]
    or
    attention.softmax(attn_scores) -> attention.softmax(attn_scores)[:, 0]
first-head-only: Only the last head comes back: your loop overwrites the table of the one before. Collect them in a
    list.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores)[:, -1]
cat-for-stack: The heads' tables are joined on an axis that was there. They need one of their own:
    `torch.stack(…, dim=1)`.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores).flatten(1, 2)
    or
    attention.softmax(attn_scores) -> torch.cat(attention.softmax(attn_scores).unbind(1), dim=-1)
    or
    attention.softmax(attn_scores) -> torch.cat(attention.softmax(attn_scores).unbind(1))
heads-before-batch: The heads stand before the batch. `stack` takes a `dim`.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores).transpose(0, 1)
heads-last: The heads' axis stands last, behind the keys. It belongs right after the batch: `dim=1`.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores).permute(0, 2, 3, 1)
heads-last: The heads' axis stands between queries and keys. It belongs right after the batch: `dim=1`.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores).transpose(1, 2)
weights-transposed: Your weights are on their side: a row is a query, a column is a key.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores).transpose(-2, -1)
context-returned: You mixed something with the weights. The weights themselves are asked for: return them.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores) @ keys
"""

exercise = Exercise(
    head_weights_solution,
    cases,
    MISTAKES,
    shared=(SCORES_OF_HEADS, shared.SOFTMAX, shared.SOFTMAX_OF_ONE_HEAD, shared.SCORES),
    outputs=("attn_weights",),
    behaviours=(repeats,),
    hints=(gradient_flows,),
    rows="attn_weights",
)

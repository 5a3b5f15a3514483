"""`my_head_weights(queries, keys, num_heads)`: a table of weights for each head, without a mask."""

import torch

from course_utils import attention
from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.exercises import shared
from course_utils.exercises.the_reshape.scores_of_heads import SCORES_OF_HEADS


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
    yield "heads of width 1", draw(2, 17, 3), draw(2, 17, 3), 3
    yield "a batch of one, a single token", draw(1, 1, 6), draw(1, 1, 6), 3
    yield "large scores", draw(2, 5, 6) * 50, draw(2, 5, 6) * 50, 2
    yield Unasked("float64"), draw(2, 5, 12, dtype=torch.float64), draw(2, 5, 12, dtype=torch.float64), 3


MISTAKES = """
view-no-transpose: A head's rows hold several tokens' numbers, as after a `view` straight to the four axes. Cut the
    features first, `view(batch, num_tokens, num_heads, head_dim)`, then move the heads: `transpose(1, 2)`.
    attention.split_heads(…, num_heads) ->> ….reshape(len(…), num_heads, ….shape[1], -1)
view-no-transpose: In your keys, a head's rows hold several tokens' numbers. Split them with `attention.split_heads`.
    attention.split_heads(keys, num_heads) -> keys.reshape(len(keys), num_heads, keys.shape[1], -1)
    or
    attention.split_heads(keys, num_heads) -> keys.reshape(len(keys), num_heads, -1, keys.shape[1])
    keys.transpose(-2, -1) -> keys
view-no-transpose: In your queries, a head's rows hold several tokens' numbers. Split them with `attention.split_heads`.
    attention.split_heads(queries, num_heads) -> queries.reshape(len(queries), num_heads, queries.shape[1], -1)
turned-before-split: Your heads share out the keys' tokens. Split first, then turn: `keys.transpose(-2, -1)`.
    attention.split_heads(keys, num_heads) -> attention.split_heads(keys.transpose(1, 2), num_heads)
    keys.transpose(-2, -1) -> keys
    or
    attention.split_heads(keys, num_heads) -> attention.split_heads(keys.transpose(1, 2), num_heads)
split-too-late: The scores are split, and their last axis counts keys. Split queries and keys, before they meet.
    attention.split_heads(…, num_heads) ->> …
    (attn_scores) -> (attention.split_heads(attn_scores, num_heads))
    or
    attention.split_heads(…, num_heads) ->> …
    / queries.shape[-1] -> / (queries.shape[-1] // num_heads)
    (attn_scores) -> (attention.split_heads(attn_scores, num_heads))
split-tokens: The tokens are shared out among your heads. Cut the features, the last axis: every head sees every token.
    attention.split_heads(…, num_heads) ->> ….reshape(len(…), num_heads, -1, ….shape[-1])
    or
    attention.split_heads(…, num_heads) ->> torch.stack(….chunk(num_heads, dim=1), dim=1)
split-missing: Queries and keys meet in their full width, as in one wide head. Split both: `attention.split_heads`.
    attention.split_heads(…, num_heads) ->> …
    or
    attention.split_heads(…, num_heads) ->> …
    (attn_scores) -> (attn_scores)[:, None].repeat(1, num_heads, 1, 1)
    or
    attention.split_heads(…, num_heads) ->> …
    / queries.shape[-1] -> / (queries.shape[-1] // num_heads)
    (attn_scores) -> (attn_scores)[:, None].repeat(1, num_heads, 1, 1)
split-missing: Only one of the two is split. Queries and keys both need `attention.split_heads`.
    attention.split_heads(keys, num_heads) -> keys
    or
    attention.split_heads(queries, num_heads) -> queries
    or
    attention.split_heads(keys, num_heads) -> keys
    keys.transpose(-2, -1) -> keys.transpose(1, 2).unsqueeze(1)
split-not-moved: Your scores compare the heads of one token with each other. Move the heads' axis before the tokens.
    attention.split_heads(…, num_heads) ->> ….view(*….shape[:2], num_heads, -1)
features-dealt-out: Head 0 has every so many features. A head takes neighbours: cut as `(num_heads, head_dim)`.
    attention.split_heads(…, num_heads) ->> ….view(*….shape[:2], -1, num_heads).permute(0, 3, 1, 2)
sizes-swapped: You have `head_dim` heads, each `num_heads` wide. Cut the last axis the other way round, as
    `(num_heads, head_dim)`. (`split` takes the width of a piece, `chunk` the number of pieces.)
    attention.split_heads(…, num_heads) ->> ….view(*….shape[:2], -1, num_heads).transpose(1, 2)
    or
    attention.split_heads(…, num_heads) ->> ….view(*….shape[:2], -1, num_heads).transpose(1, 2)
    / queries.shape[-1] -> / queries.shape[1]
keys-cut-as-queries: The number of queries is used for the keys. There may be more keys: read it off `keys.shape`.
    attention.split_heads(keys, num_heads) -> keys.view(len(keys), queries.shape[-2], num_heads, -1).transpose(1, 2)
arguments-swapped: `attention.split_heads` takes the tensor first: `split_heads(queries, num_heads)`.
    attention.split_heads(…, num_heads) ->> attention.split_heads(num_heads, …)
heads-fixed: Your split fits one number of heads alone. Take the argument: `split_heads(…, num_heads)`.
    attention.split_heads(…, num_heads) ->> attention.split_heads(…, 2)
    or
    attention.split_heads(…, num_heads) ->> attention.split_heads(…, 3)
    or
    attention.split_heads(…, num_heads) ->> attention.split_heads(…, 4)
heads-left-out: The first head or the last is left out. Every head comes back, from 0 to `num_heads - 1`.
    attention.softmax(attn_scores) ->
        torch.stack([attention.softmax(attn_scores[:, head]) for head in range(1, num_heads)], dim=1)
    or
    attention.softmax(attn_scores) ->
        torch.stack([attention.softmax(attn_scores[:, head]) for head in range(num_heads - 1)], dim=1)
shared-heads: All your heads have the same weights: they use the same features. Each needs its own slice.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores[:, :1].expand(-1, num_heads, -1, -1))
keys-of-queries: Your keys are the queries once more, and each query meets queries. The scores are made with `keys`.
    attention.split_heads(keys, num_heads) -> attention.split_heads(queries, num_heads)
    or
    attention.split_heads(keys, num_heads) -> queries
scale-wrong-axis: You divided by the root of the number of tokens. Take that of `head_dim`, the last axis: `shape[-1]`.
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
first-head-only: Only one head comes back. Return all: look for an index, and for what your loop returns or overwrites.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores)[:, :1]
    or
    attention.softmax(attn_scores) -> attention.softmax(attn_scores)[:, 0]
    or
    attention.softmax(attn_scores) -> attention.softmax(attn_scores)[:, -1]
first-text-only: Only the first text comes back. Let the batch run along as the first axis: no index there.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores)[0]
global-max: Rows far below the largest score of all become 0 / 0. Subtract each row's own: `amax(dim=-1, keepdim=True)`.
    attention.softmax(attn_scores) -> torch.nn.functional.normalize(
        torch.exp(attn_scores - attn_scores.max()), p=1, dim=-1, eps=0.0)
cat-for-stack: The heads' tables are joined on an old axis. They need one of their own: `torch.stack(…, dim=1)`.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores).flatten(1, 2)
    or
    attention.softmax(attn_scores) -> torch.cat(attention.softmax(attn_scores).unbind(1), dim=-1)
    or
    attention.softmax(attn_scores) -> torch.cat(attention.softmax(attn_scores).unbind(1))
heads-before-batch: The heads stand before the batch. Put the batch first: look at the `dim` of a `stack`.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores).transpose(0, 1)
heads-last: The heads' axis stands behind the queries, or last. It belongs right after the batch: `dim=1`.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores).permute(0, 2, 3, 1)
    or
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

"""`my_head_weights(queries, keys, num_heads)`: a table of weights for each head, without a mask."""

from course_utils import attention
from course_utils.checks.exercise import Exercise
from course_utils.lessons import shared
from course_utils.lessons.arguments import TRAINABLE
from course_utils.lessons.the_reshape.exercises.scores_of_heads import SCORES_OF_HEADS


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


MISTAKES = """
view-no-transpose: A head's rows hold several tokens' numbers. Cut the features first, then `transpose(1, 2)`.
    attention.split_heads(…, num_heads) ->> ….reshape(len(…), num_heads, ….shape[1], -1)
    or
    attention.split_heads(keys, num_heads) -> keys.reshape(len(keys), num_heads, keys.shape[1], -1)
    or
    attention.split_heads(queries, num_heads) -> queries.reshape(len(queries), num_heads, queries.shape[1], -1)
split-not-turned: Tokens stand before heads, so the heads of one token meet. Exchange the two: `transpose(1, 2)`.
    attention.split_heads(…, num_heads) ->> ….reshape(*….shape[:2], num_heads, -1)
turned-before-split: Your heads split the keys' tokens. Split first, then transpose: `keys.transpose(-2, -1)`.
    attention.split_heads(keys, num_heads) -> attention.split_heads(keys.transpose(1, 2), num_heads)
    keys.transpose(-2, -1) -> keys
no-scale: The scores are not divided, or without effect. Divide by the root of a head's width: `shape[-1] ** 0.5`, read
    off the queries when they are split.
split-missing: Queries and keys meet in their full width, as in one wide head. Split both: `attention.split_heads`.
    attention.split_heads(…, num_heads) ->> …
    or
    attention.split_heads(…, num_heads) ->> …
    (attn_scores) -> (attn_scores)[:, None].repeat(1, num_heads, 1, 1)
split-missing: Only one of the two is split. Queries and keys both need `attention.split_heads`.
    attention.split_heads(keys, num_heads) -> keys
    or
    attention.split_heads(queries, num_heads) -> queries
keys-cut-as-queries: The number of queries is used for the keys. There may be more keys: read it off `keys.shape`.
    attention.split_heads(keys, num_heads) -> keys.view(len(keys), queries.shape[-2], num_heads, -1).transpose(1, 2)
mask-unasked: Your weights are causal. No mask is asked for here.
    (attn_scores) -> (attn_scores.masked_fill(~torch.ones_like(attn_scores).bool().tril(), -torch.inf))
weights-averaged: The weights are averaged over the heads. Each head's table is asked for: keep the heads' axis.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores).mean(dim=1)
scale-wrong-axis: You divided by the root of another axis. A head's width is the last axis, after the split.
heads-before-batch: The heads stand before the batch. Put the batch first: look at the `dim` of a `stack`.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores).transpose(0, 1)
root-of-heads: The root falls on `num_heads` alone. Divide the width by it first, then take the root.
    / queries.shape[-1] ** 0.5 -> / (queries.shape[-1] * num_heads**0.5)
keys-unused: The queries meet themselves. A column belongs to a key: split `keys`, and turn them.
    keys = attention.split_heads(keys, num_heads) -> keys = queries
queries-unused: The keys meet themselves. A row belongs to a query: split `queries` for the left side.
    attention.split_heads(queries, num_heads) -> attention.split_heads(keys, num_heads)
heads-joined: Heads and queries stand on one axis. The heads have their own: leave out the `flatten` or `view`.
    attention.softmax(attn_scores) -> attention.softmax(attn_scores).flatten(1, 2)
scale-wrong-axis:
    / queries.shape[-1] ** 0.5 -> / queries.shape[2] ** 0.5
"""

SHARED = (SCORES_OF_HEADS, shared.SOFTMAX, shared.SOFTMAX_OF_ONE_HEAD, shared.SCORES)
exercise = Exercise(
    head_weights_solution, cases, MISTAKES, shared=SHARED, outputs=("attn_weights",), rows="attn_weights", **TRAINABLE
)

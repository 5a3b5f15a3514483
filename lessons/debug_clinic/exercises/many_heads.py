"""`my_many_heads(queries, keys, values, num_heads)`: heads that are split, attended and merged."""

import torch

from course_utils import attention
from course_utils.checks.exercise import Exercise
from course_utils.checks.form import Form
from course_utils.lessons import shared
from course_utils.lessons.arguments import TRAINABLE
from course_utils.lessons.debug_clinic.exercises.shared import NO_MASK, SCORES


def many_heads_solution(queries, keys, values, num_heads):
    queries, keys, values = (attention.split_heads(part, num_heads) for part in (queries, keys, values))
    context_vecs, _ = attention.scaled_dot_product_attention(queries, keys, values)
    return attention.merge_heads(context_vecs)  # (batch, num_queries, d_out)


def spelled_out(queries, keys, values, num_heads):
    batch_size, num_queries, d_out = queries.shape
    head_dim = d_out // num_heads
    queries, keys, values = (
        part.view(batch_size, part.shape[1], num_heads, head_dim).transpose(1, 2) for part in (queries, keys, values)
    )
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5, dim=-1)
    context_vecs = attn_weights @ values
    return context_vecs.transpose(1, 2).reshape(batch_size, num_queries, d_out)


def cases(draw):
    def qkv(batch, queries, keys, width):
        return (0.6 * draw(batch, tokens, width) for tokens in (queries, keys, keys))

    yield "2 texts, 5 queries, 7 keys, 12 wide, 4 heads", *qkv(2, 5, 7, 12), 4
    yield "as many queries as keys, 3 heads of 5", *qkv(2, 4, 4, 15), 3
    yield "as many heads as tokens", *qkv(1, 3, 3, 6), 3
    yield "as many texts as heads", *qkv(2, 5, 5, 6), 2
    yield "one head", *qkv(2, 11, 13, 5), 1
    yield "heads of width 1", *qkv(2, 3, 5, 4), 4
    yield "a batch of one, a single token", *qkv(1, 1, 1, 6), 2


MISTAKES = """
split-discarded: This is the bug as it was: there is one wide head. What a split returns must be kept: `part = …`
    leaves `queries` as it was. Write `queries = attention.split_heads(queries, num_heads)`, and so for all three.
    queries, keys, values = (attention.split_heads(part, num_heads) for part in (queries, keys, values)) ->
        for part in (queries, keys, values): attention.split_heads(part, num_heads)
    attention.merge_heads(context_vecs) -> context_vecs
head-count-dim: The number of heads and their width have changed places. `num_heads` says how many there are.
    part, num_heads) -> part, part.shape[-1] // num_heads)
slices-overlap: Each slice begins one number after the last, so they overlap. Head `i` begins at `i * head_dim`.
    attention.split_heads(part, num_heads) ->
        torch.stack([part[..., i : i + part.shape[-1] // num_heads] for i in range(num_heads)], dim=1)
first-slice-for-all: Each head is the first once more. Head `i` has a slice of its own, which begins at `i * head_dim`.
    attention.split_heads(part, num_heads) -> torch.stack([part[..., : part.shape[-1] // num_heads]] * num_heads, dim=1)
heads-summed: Halfway: the heads are added up, and d_out is cut to one head. Put them side by side: `merge_heads`.
    attention.merge_heads(context_vecs) -> context_vecs.sum(dim=1)
merge-discarded: Halfway: the split is kept now, and four axes come back. Return what `attention.merge_heads` gives.
    attention.merge_heads(context_vecs) -> context_vecs
heads-stacked: The heads stand one below the other, as more tokens. Join them along the features, `dim=-1`.
    attention.merge_heads(context_vecs) -> context_vecs.flatten(1, 2)
features-dealt-out: The heads' features take turns. One head's stay neighbours: the heads' axis stands before them.
    attention.merge_heads(context_vecs) -> context_vecs.permute(0, 2, 3, 1).flatten(2)
keys-unsplit: Halfway: the queries are split, the keys are not. Each head needs its own slice of all three.
    queries, keys, values = (attention.split_heads(part, num_heads) for part in (queries, keys, values)) ->
        queries = attention.split_heads(queries, num_heads)
values-unsplit: Halfway: queries and keys are split, the values are not. Each head needs its own slice of them.
    queries, keys, values = (attention.split_heads(part, num_heads) for part in (queries, keys, values)) ->
        shape = queries.shape ⏎ queries, keys = (attention.split_heads(part, num_heads) for part in (queries, keys))
    attention.merge_heads(context_vecs) -> context_vecs.transpose(1, 2).reshape(shape)
split-not-turned: Halfway: the heads' axis stands behind the tokens, so heads meet heads. Exchange axes 1 and 2 first.
    attention.split_heads(part, num_heads) -> part.unflatten(-1, (num_heads, -1))
    attention.merge_heads(context_vecs) -> context_vecs.flatten(2)
batch-mixed: Texts and heads have changed places: open an axis that was folded as `(batch, heads)`, texts first.
    merge_heads(context_vecs) -> merge_heads(context_vecs.flatten(0, 1).unflatten(0, (num_heads, -1)).transpose(0, 1))
"""
SPELLED_OUT = """
view-no-transpose: The heads hold features of several tokens. Cut the last axis, then turn axes 1 and 2.
    part.view(…).transpose(1, 2) -> part.view(batch_size, num_heads, part.shape[1], head_dim)
    or
    part.view(…).transpose(1, 2) -> part.view(batch_size, num_heads, part.shape[1], head_dim)
    context_vecs.transpose(1, 2) -> context_vecs
merge-no-transpose: Halfway: the heads stand in front as they are joined. Turn axes 1 and 2 back, and keep that.
    context_vecs.transpose(1, 2) -> context_vecs
not-contiguous: After `transpose`, `view` refuses. Use `reshape`, or `attention.merge_heads`.
    context_vecs.transpose(1, 2).reshape -> context_vecs.transpose(1, 2).view
features-dealt-out: The heads' features take turns. A head's are neighbours: cut into `(num_heads, head_dim)`.
    num_heads, head_dim).transpose(1, 2) -> head_dim, num_heads).permute(0, 3, 1, 2)
    or
    num_heads, head_dim).transpose(1, 2) -> head_dim, num_heads).permute(0, 3, 1, 2)
    context_vecs.transpose(1, 2) -> context_vecs.permute(0, 2, 3, 1)
split-not-turned: Halfway: the heads' axis stands behind the tokens, so heads meet heads. Exchange axes 1 and 2 first.
    head_dim).transpose(1, 2) -> head_dim)
    context_vecs.transpose(1, 2) -> context_vecs
keys-as-long-as-queries: Keys and values may have another number of tokens than the queries: read it off each part.
    part.shape[1], num_heads -> num_queries, num_heads
values-unsplit: Halfway: queries and keys are split, the values are not. Each head needs its own slice of them.
    attn_weights @ values -> attn_weights @ attention.merge_heads(values)[:, None]
    num_queries, d_out) -> num_queries, -1)
first-keys-for-all: All heads meet the keys, or the values, of the first. Each head needs its own slice of all three.
    attn_weights = -> keys, values = keys[:, :1], values[:, :1] ⏎ attn_weights =
scale-model: You divided by the root of the whole width. Take that of one head, `queries.shape[-1]` after the split.
    / queries.shape[-1] ** 0.5 -> / d_out ** 0.5
"""

SHARED = (shared.SOFTMAX_OF_SMALL_SCORES, shared.MIX, NO_MASK, SCORES)
FORMS = (Form(__name__, "spelled_out", SPELLED_OUT, SHARED),)
exercise = Exercise(many_heads_solution, cases, MISTAKES, also=FORMS, outputs=("context_vecs",), **TRAINABLE)

"""`MyMultiHeadAttention(d_in, d_out, num_heads, context_length, dropout=0.0)`: causal attention with many heads."""

import torch
from torch import nn

from course_utils import attention
from course_utils.checks.modules import BEHAVIOURS, ModuleExercise, keeps_its_mask
from course_utils.checks.rules import forbids
from course_utils.checks.training import drops_weights
from course_utils.lessons import shared
from course_utils.lessons.arguments import CONTEXT_AND_WEIGHTS
from course_utils.lessons.the_reshape.exercises.scores_of_heads import SCORES_OF_HEADS
from course_utils.lessons.the_reshape.exercises.splits import SPLITS


class MultiHeadAttentionSolution(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"d_out = {d_out} is not divisible by num_heads = {num_heads}.")
        self.num_heads = num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length), persistent=False)

    def split(self, x):
        return x.view(*x.shape[:2], self.num_heads, -1).transpose(1, 2)  # (batch, num_heads, num_tokens, head_dim)

    def forward(self, x):
        queries, keys, values = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5  # (batch, num_heads, t, t)
        num_tokens = x.shape[1]
        mask = self.mask[:num_tokens, :num_tokens]
        attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))
        attn_weights = self.dropout(attn_weights)
        context_vecs = (attn_weights @ values).transpose(1, 2)  # (batch, num_tokens, num_heads, head_dim)
        return self.out_proj(context_vecs.flatten(2)), attn_weights


def cases(draw):
    yield "2 texts of 5 tokens, 3 wide to 8, 4 heads", (3, 8, 4, 7, 0.3), draw(2, 5, 3)
    yield "a full context", (4, 6, 3, 4, 0.1), draw(3, 4, 4)
    yield "as many heads as tokens", (3, 6, 3, 5, 0.1), draw(2, 3, 3)
    yield "as many texts as heads, widths alike", (6, 6, 2, 6, 0.1), draw(2, 4, 6)
    yield "one head, 17 tokens", (3, 4, 1, 17, 0.1), draw(2, 17, 3)
    yield "a batch of one, a single token", (5, 6, 2, 4, 0.1), draw(1, 1, 5)
    yield "large inputs, as many texts as tokens", (3, 8, 2, 7, 0.1), draw(5, 5, 3) * 30
    yield "7 features for 2 heads", (3, 7, 2, 6, 0.1), draw(2, 4, 3)


LAYER = """
=softmax-of-torch:
    attention.softmax(…) -> torch.softmax(…, dim=-1)
=merged-by-reshape:
    context_vecs.flatten(2) -> context_vecs.reshape(*x.shape[:2], self.out_proj.in_features)
features-dealt-out: The heads' features take turns. Put the heads before the features, then join the last two axes.
    values).transpose(1, 2) -> values).permute(0, 2, 3, 1)
features-dealt-out: Head 0 has every so many features. A head takes neighbours: cut as `(num_heads, head_dim)`.
    self.num_heads, -1).transpose(1, 2) -> -1, self.num_heads).permute(0, 3, 1, 2)
    values).transpose(1, 2) -> values).permute(0, 2, 3, 1)
merge-no-transpose: One row holds numbers of several tokens. Keep what `transpose(1, 2)` gives, then join the last axes.
    (attn_weights @ values).transpose(1, 2) -> (attn_weights @ values).reshape(*x.shape[:2], -1)
weights-averaged: The weights are averaged over the heads. Each head's table is asked for: keep the heads' axis.
    flatten(2)), attn_weights -> flatten(2)), attn_weights.mean(dim=1)
no-out-proj: The merged heads come back as they are. The last step is `self.out_proj`: return what it makes of them.
    self.out_proj(context_vecs.flatten(2)) -> context_vecs.flatten(2)
not-divisible: A width that cannot be shared out needs a `ValueError` of yours: begin with `if d_out % num_heads:`.
    if d_out % num_heads: ->
    raise ValueError(…) ->
check-wrong-axis: You refuse a width of the inputs. It is that of the outputs which is shared out: `d_out % num_heads`.
    if d_out % num_heads -> if d_in % num_heads
inputs-shared-out: You split the inputs. `d_out` is the total: `d_out % num_heads`, and `d_out // num_heads`.
    if d_out % num_heads -> if d_in % num_heads
    self.num_heads = num_heads -> self.num_heads, self.head_dim = num_heads, d_in // num_heads
    self.num_heads, -1) -> self.num_heads, self.head_dim)
weights-on-keys: The weights are applied to the keys. What is mixed are the `values`, made by `self.W_value(x)`.
dropout-rate:
    nn.Dropout(dropout) -> nn.Dropout(1 - dropout)
dropout-before-softmax:
    attn_weights = self.dropout(attn_weights) ->
    attention.softmax(attn_scores -> attention.softmax(self.dropout(attn_scores)
mask-shrinks:
    mask = self.mask[ -> self.mask = mask = self.mask[
mask-not-buffer:
    self.register_buffer("mask", …) -> self.mask = attention.causal_mask(context_length)
extra-parameter:
    self.register_buffer("mask", attention.causal_mask(context_length), persistent=False) ->
        self.mask = nn.Parameter(attention.causal_mask(context_length), requires_grad=False)
heads-in-list:
    self.W_query, self.W_key, self.W_value = (…) -> self.layers = […]
    self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x)) ->
        (self.split(layer(x)) for layer in self.layers)
extra-bias:
    , bias=False ->
state-leak:
    self.W_key(x) -> self.__dict__.setdefault("keys", self.W_key(x))
heads-summed: The heads are added up. They should stand side by side: join the heads' axis and the features'.
    context_vecs.flatten(2) -> context_vecs.sum(dim=2).repeat(1, 1, self.num_heads)
out-proj-twice: `out_proj` is applied twice. Once is asked for, on the merged heads.
    self.out_proj(context_vecs.flatten(2)) -> self.out_proj(self.out_proj(context_vecs.flatten(2)))
mask-too-late: The weights are hidden after softmax, then shared out by columns. Mask the scores, before softmax.
    attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores
    self.dropout(attn_weights) -> self.dropout(attn_weights * mask / (attn_weights * mask).sum(dim=2, keepdim=True))
"""
MISTAKES = SPLITS + LAYER

WEIGHTS_OF_HEADS = (SCORES_OF_HEADS, shared.SOFTMAX, shared.SCORES, shared.MIX, shared.HIDE, shared.CAUSAL)
SHARED = (*WEIGHTS_OF_HEADS, shared.DROPOUT, shared.MODULE)
MUST_HOLD = (*BEHAVIOURS, keeps_its_mask, drops_weights)
exercise = ModuleExercise(
    MultiHeadAttentionSolution,
    cases,
    MISTAKES,
    shared=SHARED,
    behaviours=MUST_HOLD,
    rules=(forbids("split_heads", "merge_heads", prompt="write split and merge yourself"),),
    **CONTEXT_AND_WEIGHTS,
)

"""Cross-attention with its attention spelled out, and the mistakes inside it."""

import torch
from torch import nn

from course_utils import attention
from course_utils.lessons import shared

from .under_a_mask import CLOSED_SCORES


class ByHand(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        values = keys if values is None else values
        mask = None if valid_lens is None else attention.padding_mask(valid_lens, keys.shape[-2])
        projected = self.W_query(queries), self.W_key(keys), self.W_value(values)
        queries, keys, values = (attention.split_heads(x, self.num_heads) for x in projected)
        attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        if mask is not None:
            attn_scores = attn_scores.masked_fill(~mask, -torch.inf)
        attn_weights = attention.softmax(attn_scores)
        context_vecs = attn_weights @ values
        return self.out_proj(attention.merge_heads(context_vecs)), attn_weights


MISTAKES = f"""{CLOSED_SCORES}
=by-einsum:
    queries @ keys.transpose(-2, -1) -> torch.einsum("bhqd,bhkd->bhqk", queries, keys)
    attn_weights @ values -> torch.einsum("bhqk,bhkd->bhqd", attn_weights, values)
qk-swapped: The table lies on its side. A row is a query: `W_query` takes `queries`, which stand left of the `@`.
pad-over-queries: Your mask closes rows, which are queries. Its last axis should be the keys'.
    attention.padding_mask(valid_lens, …) -> (torch.arange(queries.shape[-2]) < valid_lens[:, None])[:, None, :, None]
scale-model: You divided by the root of a wider width. A dot product runs over one head: take the root of `head_dim`.
    queries.shape[-1] ** 0.5 -> self.out_proj.in_features ** 0.5
keys-values-swapped: Keys and values have changed places: the keys make the scores, and the values are mixed.
    self.W_key(keys), self.W_value(values) -> self.W_value(values), self.W_key(keys)
weights-averaged: The weights come back averaged over the heads. Return a table for each head, as it was used.
    context_vecs)), attn_weights -> context_vecs)), attn_weights.mean(dim=1)
weights-unmasked: The context vectors are masked, and the weights that come back are not. Return those that were used.
    context_vecs)), attn_weights ->
        context_vecs)), attention.softmax(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5)
"""

SHARED = (shared.SOFTMAX, shared.SCORES, shared.MIX, shared.HIDE)

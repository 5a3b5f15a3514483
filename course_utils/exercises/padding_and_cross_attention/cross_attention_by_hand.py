"""Cross-attention with its attention spelled out, and the mistakes inside it."""

import torch
from torch import nn

from course_utils import attention
from course_utils.exercises import shared

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
cross-from-queries: The keys come from the queries' sequence: the result never saw the other one. `W_key` takes `keys`.
    values = keys if -> keys = queries ⏎ values = keys if
    attention.padding_mask(valid_lens, …) -> (torch.arange(…) < valid_lens[:, None])[:, None, None, :]
lens-required: Without lengths your `forward` stops. Where none are given, nothing is padding: no mask.
    None if valid_lens is None else attention.padding_mask(valid_lens, …) ->
        (torch.arange(…) < valid_lens[:, None])[:, None, None, :]
axes-missing: Your mask has too few axes. The scores have four, texts, heads, queries, keys: `(batch, 1, 1, num_keys)`.
    attention.padding_mask(valid_lens, …) -> (torch.arange(…) < valid_lens[:, None])[:, None, :]
    or
    attention.padding_mask(valid_lens, …) -> torch.arange(…) < valid_lens[:, None]
lens-no-axis: Positions and lengths meet one by one. Each length should meet every position: `valid_lens[:, None]`.
    attention.padding_mask(valid_lens, …) -> (torch.arange(…) < valid_lens)[:, None, None, :]
first-only: Every text has the length of the first one. Make the mask with all of `valid_lens`.
    padding_mask(valid_lens -> padding_mask(valid_lens[:1]
mask-off-by-one: The last real key of each text is closed. Positions count from 0: those below the length are real.
    padding_mask(valid_lens -> padding_mask((valid_lens - 1).clamp(min=0)
    or
    padding_mask(valid_lens -> padding_mask((valid_lens - 1)
mask-off-by-one: One padded key too many is open. Positions count from 0: those below the length are real, `<`.
    attention.padding_mask(valid_lens, …) -> (torch.arange(…) <= valid_lens[:, None])[:, None, None, :]
pad-over-queries: Your mask closes rows, which are queries: padded keys stay open to others. Its last axis should be the
    keys'.
    attention.padding_mask(valid_lens, keys.shape[-2]) ->
        (torch.arange(queries.shape[-2]) < valid_lens[:, None])[:, None, :, None]
mask-from-queries: Your mask is as long as the queries. Padding is a matter of the keys: count to `keys.shape[-2]`.
    attention.padding_mask(valid_lens, keys.shape[-2]) ->
        (torch.arange(queries.shape[-2]) < valid_lens[:, None])[:, None, None, :]
mask-from-queries: Without lengths, you take as many keys as there are queries. Nothing is padding then: no mask.
    None if valid_lens is None else attention.padding_mask(valid_lens, keys.shape[-2]) -> (torch.arange(keys.shape[-2])
        < (torch.full((len(keys), 1), queries.shape[-2]) if valid_lens is None else valid_lens[:, None])
        )[:, None, None, :]
heads-mixed: Each head's queries or keys are the sum over all heads. Heads meet one by one: in an `einsum`, queries and
    keys share the heads' letter.
    queries @ keys.transpose(-2, -1) -> queries @ keys.sum(dim=1, keepdim=True).transpose(-2, -1)
    or
    queries @ keys.transpose(-2, -1) -> queries.sum(dim=1, keepdim=True) @ keys.transpose(-2, -1)
keys-cut-wrong: Keys or values are cut with another number of tokens than they have: that is `keys.shape[1]` for both.
    attention.split_heads(x, self.num_heads) -> x.view(len(x), projected[0].shape[1], self.num_heads,
        x.shape[-1] // self.num_heads).transpose(1, 2)
heads-closed: Whole heads are closed: the lengths lie on the heads' axis. Positions belong on the last, the keys'.
    attention.padding_mask(valid_lens, keys.shape[-2]) ->
        (torch.arange(self.num_heads) < valid_lens[:, None])[:, :, None, None]
mask-ignored: Padding is attended: your mask has no effect, or there is none. Close the scores with it, before softmax.
    attn_scores = attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores.masked_fill(~mask, -torch.inf)
mask-after-softmax: What the mask closes is missing from its row, which adds up to less than 1. Close the scores, before
    softmax.
    attn_weights = attention.softmax(attn_scores) ->
        attn_weights = torch.softmax(attn_scores, dim=-1) * (1 if mask is None else mask)
    attn_scores = attn_scores.masked_fill(~mask, -torch.inf) -> pass
softmax-heads: Your softmax runs over the heads. The keys are on the last axis, `dim=-1`.
    attention.softmax(…) -> attention.softmax(…, dim=1)
scale-model: You divided by the root of a wider width. A dot product runs over one head: take the root of `head_dim`.
    queries.shape[-1] ** 0.5 -> self.out_proj.in_features ** 0.5
    or
    queries.shape[-1] ** 0.5 -> self.W_query.in_features ** 0.5
scale-heads: You divided by the root of the number of heads. A dot product runs over one head: the root of `head_dim`.
    queries.shape[-1] ** 0.5 -> self.num_heads ** 0.5
keys-values-swapped: Keys and values have changed places: the keys make the scores, and the values are mixed.
    self.W_key(keys), self.W_value(values) -> self.W_value(values), self.W_key(keys)
width-for-heads: The features are cut into `head_dim` parts. `split_heads` takes how many heads there are, `num_heads`.
    split_heads(x, self.num_heads) -> split_heads(x, x.shape[-1] // self.num_heads)
    or
    split_heads(x, self.num_heads) -> split_heads(x, x.shape[-1] // self.num_heads)
    / queries.shape[-1] -> / queries.shape[1]
shared-heads: All heads have one and the same slice of the features. Each needs its own: `attention.split_heads`.
    split_heads(x, self.num_heads) -> split_heads(x, self.num_heads)[:, :1].expand(-1, self.num_heads, -1, -1)
features-dealt-out: Your heads take turns: head 0 has every so many features, as cards are dealt out. A head takes
    neighbours: cut the last axis as `(num_heads, head_dim)`.
    attention.split_heads(x, self.num_heads) -> x.unflatten(-1, (-1, self.num_heads)).permute(0, 3, 1, 2)
first-head-only: Only the first head delivers. All heads belong into the result, side by side.
    merge_heads(context_vecs) -> merge_heads(torch.cat([context_vecs[:, :1], 0 * context_vecs[:, 1:]], dim=1))
heads-summed: The heads are added up, or averaged. They should lie side by side: `attention.merge_heads`.
    attention.merge_heads(context_vecs) -> context_vecs.mean(dim=1).repeat(1, 1, self.num_heads)
    or
    attention.merge_heads(context_vecs) -> context_vecs.sum(dim=1).repeat(1, 1, self.num_heads)
causal-added: Later keys are closed as well. Here one sequence asks another, and every real key may be attended.
    attention.padding_mask(…) -> attention.padding_mask(…) & torch.ones(queries.shape[-2], keys.shape[-2]).bool().tril()
weights-averaged: The weights come back averaged over the heads. Return a table for each head, as it was used.
    context_vecs)), attn_weights -> context_vecs)), attn_weights.mean(dim=1)
    or
    context_vecs)), attn_weights -> context_vecs)), attn_weights.mean(dim=1, keepdim=True)
weights-returned-transposed: The weights come back on their side: each row should be a query.
    context_vecs)), attn_weights -> context_vecs)), attn_weights.transpose(-2, -1)
weights-summed: The weights come back added up over the heads. Return a table for each head, as it was used.
    context_vecs)), attn_weights -> context_vecs)), attn_weights.sum(dim=1)
weights-of-one-head: The weights of one head come back. Return a table for each head, as it was used.
    context_vecs)), attn_weights -> context_vecs)), attn_weights[:, 0]
split-tokens: Your heads split the tokens, not the features: each sees a part of the text. The last axis is to be cut.
    attention.padding_mask(valid_lens, …) -> (torch.arange(… // self.num_heads) < valid_lens[:, None])[:, None, None, :]
    attention.split_heads(x, self.num_heads) -> x.reshape(len(x), self.num_heads, -1, x.shape[-1])
    attention.merge_heads(context_vecs) -> context_vecs.reshape(*projected[0].shape[:2], -1)
scores-returned: The second result should be the weights, after softmax. Yours are the scores.
    context_vecs)), attn_weights -> context_vecs)), attn_scores
"""

SHARED = (shared.SOFTMAX, shared.SCORES, shared.MIX, shared.HIDE)

"""Cross-attention with its attention spelled out, and the mistakes inside it."""

import torch
from torch import nn

from course_utils import attention
from course_utils.exercises import shared


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


MISTAKES = """
cross-from-queries: The keys are made from the queries' sequence: the result never saw the other one. `W_key` takes
    `keys`.
    values = keys if -> keys = queries ⏎ values = keys if
    attention.padding_mask(valid_lens, keys.shape[-2]) ->
        (torch.arange(keys.shape[-2]) < valid_lens[:, None])[:, None, None, :]
lens-required: Without lengths your `forward` stops. Where none are given, nothing is padding: no mask.
    None if valid_lens is None else attention.padding_mask(valid_lens, keys.shape[-2]) ->
        (torch.arange(keys.shape[-2]) < valid_lens[:, None])[:, None, None, :]
axes-missing: Your mask has three axes, and the scores four: texts, heads, queries, keys. Keep both axes of length 1 in
    its middle, as `padding_mask` gives them.
    attention.padding_mask(valid_lens, keys.shape[-2]) ->
        (torch.arange(keys.shape[-2]) < valid_lens[:, None])[:, None, :]
axes-missing: Your mask has two axes, and the scores four: texts, heads, queries, keys. Put two of length 1 in its
    middle, `[:, None, None, :]`.
    attention.padding_mask(valid_lens, keys.shape[-2]) -> torch.arange(keys.shape[-2]) < valid_lens[:, None]
lens-no-axis: Positions and lengths meet number by number. Each length should meet every position: give it an axis of
    its own, `valid_lens[:, None]`.
    attention.padding_mask(valid_lens, keys.shape[-2]) ->
        (torch.arange(keys.shape[-2]) < valid_lens)[:, None, None, :]
first-only: Every text has the length of the first one. Make the mask with all of `valid_lens`.
    padding_mask(valid_lens -> padding_mask(valid_lens[:1]
mask-off-by-one: The last real key of each text is closed. Positions count from 0: those below the length are real, with
    no `- 1`.
    padding_mask(valid_lens -> padding_mask((valid_lens - 1).clamp(min=0)
mask-off-by-one: One padded key too many is open. Positions count from 0: `<`, not `<=`.
    attention.padding_mask(valid_lens, keys.shape[-2]) ->
        (torch.arange(keys.shape[-2]) <= valid_lens[:, None])[:, None, None, :]
pad-over-queries: Your mask closes rows: it is laid over the queries, and padded keys stay open to all others. The
    positions belong on the last axis, that of the keys.
    attention.padding_mask(valid_lens, keys.shape[-2]) ->
        (torch.arange(queries.shape[-2]) < valid_lens[:, None])[:, None, :, None]
mask-ignored: Padding is attended: `valid_lens` is not used, or the result of `masked_fill` was not kept. Make a mask of
    it, and close the scores with it.
    attn_scores = attn_scores.masked_fill(~mask, -torch.inf) -> attn_scores.masked_fill(~mask, -torch.inf)
mask-inverted: True and False have changed places: your mask opens what should be closed. True = may attend: turn the
    comparison round.
mask-zero-fill: Closed keys get a score of 0, and e⁰ is 1: they are still attended. Fill with `-torch.inf`.
mask-after-softmax: The mask comes after softmax: rows add up to less than 1. Close the scores, before softmax.
    if mask is not None: -> attn_weights = attention.softmax(attn_scores) ⏎ if mask is not None:
    attn_scores = attn_scores.masked_fill(~mask, -torch.inf) -> attn_weights = attn_weights * mask
    attn_weights = attention.softmax(attn_scores) ->
all-masked-nan: A text of length 0 gives `nan`. Its rows should be 0: `attention.softmax` and
    `attention.scaled_dot_product_attention` see to that.
    attention.softmax(…) -> torch.softmax(…, dim=-1)
all-masked-uniform: A text of length 0 attends to its padding, evenly: you filled with a large finite number. Fill with
    `-torch.inf`.
    ~mask, -torch.inf -> ~mask, -1e9
softmax-heads: Your softmax runs over the heads. The keys are on the last axis, `dim=-1`.
    attention.softmax(…) -> attention.softmax(…, dim=1)
softmax-first-axis: Your softmax runs over the first axis, and mixes the texts. The keys are on the last axis, `dim=-1`.
    attention.softmax(…) -> attention.softmax(…, dim=0)
naive-overflow: Large scores overflow: `torch.exp` of 1000 is `inf`. Subtract each row's maximum before `torch.exp`.
    attention.softmax(…) -> torch.exp(…) / torch.exp(…).sum(dim=-1, keepdim=True).clamp(min=1e-9)
scale-model: You divided by the root of `d_out`. A dot product runs over one head: divide by the root of `head_dim`.
    queries.shape[-1] ** 0.5 -> self.out_proj.in_features ** 0.5
scale-model: You divided by the root of the inputs' width. A dot product runs over one head: divide by the root of
    `head_dim`.
    queries.shape[-1] ** 0.5 -> self.W_query.in_features ** 0.5
scale-heads: You divided by the root of the number of heads. A dot product runs over one head: divide by the root of
    `head_dim`.
    queries.shape[-1] ** 0.5 -> self.num_heads ** 0.5
keys-values-swapped: Keys and values have changed places: the keys make the scores, and the values are mixed.
    self.W_key(keys), self.W_value(values) -> self.W_value(values), self.W_key(keys)
width-for-heads: The features are cut into `head_dim` parts. `split_heads` takes how many heads there are, `num_heads`.
    split_heads(x, self.num_heads) -> split_heads(x, x.shape[-1] // self.num_heads)
shared-heads: Every head has the same slice of the features, so all heads attend alike. Cut the features into
    `num_heads` parts: `attention.split_heads`.
    split_heads(x, self.num_heads) -> split_heads(x, self.num_heads)[:, :1].expand(-1, self.num_heads, -1, -1)
features-dealt-out: Your heads take turns: head 0 has every so many features, as cards are dealt out. A head takes
    neighbours: cut the last axis as `(num_heads, head_dim)`.
    attention.split_heads(x, self.num_heads) -> x.unflatten(-1, (-1, self.num_heads)).permute(0, 3, 1, 2)
first-head-only: Only the first head delivers. Look for a `return` inside the loop, or a result that is overwritten.
    merge_heads(context_vecs) -> merge_heads(torch.cat([context_vecs[:, :1], 0 * context_vecs[:, 1:]], dim=1))
heads-summed: The heads are added up, or averaged. They should lie side by side: `attention.merge_heads`.
    attention.merge_heads(context_vecs) -> context_vecs.mean(dim=1).repeat(1, 1, self.num_heads)
    or
    attention.merge_heads(context_vecs) -> context_vecs.sum(dim=1).repeat(1, 1, self.num_heads)
causal-added: You hide later keys as well. Here one sequence asks another, and every real key may be attended.
    attention.padding_mask(…) -> attention.padding_mask(…) & torch.ones(queries.shape[-2], keys.shape[-2]).bool().tril()
weights-averaged: The weights are averaged over the heads. One table for each head is asked for:
    `(batch, num_heads, num_queries, num_keys)`.
    context_vecs)), attn_weights -> context_vecs)), attn_weights.mean(dim=1)
    or
    context_vecs)), attn_weights -> context_vecs)), attn_weights.mean(dim=1, keepdim=True)
weights-returned-transposed: The weights come back on their side: a row is a query.
    context_vecs)), attn_weights -> context_vecs)), attn_weights.transpose(-2, -1)
weights-summed: The weights are added up over the heads. One table for each head is asked for:
    `(batch, num_heads, num_queries, num_keys)`.
    context_vecs)), attn_weights -> context_vecs)), attn_weights.sum(dim=1)
weights-of-one-head: The weights of one head come back. All are asked for, `(batch, num_heads, num_queries, num_keys)`.
    context_vecs)), attn_weights -> context_vecs)), attn_weights[:, 0]
split-tokens: Your heads split the tokens, not the features: each sees a part of the text. The last axis is to be cut.
    attention.padding_mask(valid_lens, keys.shape[-2]) ->
        (torch.arange(keys.shape[-2] // self.num_heads) < valid_lens[:, None])[:, None, None, :]
    attention.split_heads(x, self.num_heads) -> x.reshape(len(x), self.num_heads, -1, x.shape[-1])
    attention.merge_heads(context_vecs) -> context_vecs.reshape(*projected[0].shape[:2], -1)
scores-returned: The second result should be the weights, after softmax. You returned the scores.
    context_vecs)), attn_weights -> context_vecs)), attn_scores
"""

SHARED = (shared.SOFTMAX, shared.SCORES, shared.MIX, shared.HIDE)

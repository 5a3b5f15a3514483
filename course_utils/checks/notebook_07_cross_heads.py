"""Still more wrong answers to the class of notebook 07: those that mix heads, tokens or texts."""

import torch
from torch import nn

from .. import attention
from . import notebook_07_cross as page
from . import steps
from .notebook_07_cross import cross, split
from .notebook_07_cross_more import attend, whole

page.alone(
    page.cross_attention,
    {
        "shared-heads": (
            "Every head has the same slice of the features, so all heads attend alike. Cut the features into "
            "`num_heads` parts: `attention.split_heads`.",
            "split",
            lambda self, x: split(self, x)[:, :1].expand(-1, self.num_heads, -1, -1),
        ),
        "first-head-only": (
            "Only the first head delivers. Look for a `return` inside the loop, or a result that is overwritten.",
            "merge",
            lambda self, vecs: attention.merge_heads(torch.cat([vecs[:, :1], torch.zeros_like(vecs[:, 1:])], dim=1)),
        ),
        "heads-summed": (
            "The heads are added up. They should lie side by side: `attention.merge_heads`.",
            "merge",
            lambda self, vecs: vecs.sum(dim=1).repeat(1, 1, self.num_heads),
        ),
        "weights-returned-transposed": (
            "The weights come back on their side: a row is a query.",
            "back",
            lambda self, vecs, attn_weights: (self.out_proj(vecs), attn_weights.transpose(-2, -1)),
        ),
    },
)


@whole(
    "split-tokens",
    "Your heads split the tokens, not the features: each sees a part of the text. The last axis is to be cut.",
)
def _(self, queries, keys, values=None, valid_lens=None):
    layers = zip((self.W_query, self.W_key, self.W_value), page.sources(queries, keys, values), strict=True)
    heads = [layer(x).reshape(len(x), self.num_heads, -1, self.out_proj.in_features) for layer, x in layers]
    attn_scores = steps.scaled_scores(*heads[:2])
    attn_weights = attention.softmax(page.fill(attn_scores, page.open_keys(valid_lens, attn_scores)))
    return self.out_proj((attn_weights @ heads[2]).reshape(*queries.shape[:2], -1)), attn_weights


@whole("seq-batch-swapped", steps.SEQ_BATCH_SWAPPED)
def _(self, queries, keys, values=None, valid_lens=None):
    queries, keys, values = (x.transpose(0, 1) for x in page.sources(queries, keys, values))
    context_vecs, attn_weights = attend(self, queries, keys, values, valid_lens)
    return context_vecs.transpose(0, 1), attn_weights


@whole("batch-mixed", steps.BATCH_MIXED)
def _(self, queries, keys, values=None, valid_lens=None):
    long = (x.flatten(0, 1)[None] for x in page.sources(queries, keys, values))
    context_vecs, attn_weights = attend(self, *long, None)
    return context_vecs.view(*queries.shape[:2], -1), attn_weights


@whole(
    "mask-after-softmax", "The mask comes after softmax: rows add up to less than 1. Close the scores, before softmax."
)
def _(self, queries, keys, values=None, valid_lens=None):
    queries, keys, values = (
        split(self, layer(x))
        for layer, x in zip((self.W_query, self.W_key, self.W_value), page.sources(queries, keys, values), strict=True)
    )
    attn_scores = steps.scaled_scores(queries, keys)
    attn_weights = attention.softmax(attn_scores) * page.open_keys(valid_lens, attn_scores)
    return self.out_proj(attention.merge_heads(attn_weights @ values)), attn_weights


@page.cross_attention.mistake(
    "head-count-dim",
    "Each layer gives `d_out` numbers for every head. `d_out` is the total of all heads: `nn.Linear(d_in, d_out)`.",
)
class Wide(cross()):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__(d_in, num_heads * d_out, num_heads, kdim, vdim)
        self.out_proj = nn.Linear(num_heads * d_out, d_out)

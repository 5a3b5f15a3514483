"""Slips of Python and PyTorch, rather than of attention, in the exercises of notebook 07."""

import torch

from .. import attention
from . import notebook_07 as masks
from . import notebook_07_folded as folded
from . import notebook_07_left as left
from . import notebook_07_softmax as softmax
from .notebook_07_cross import open_keys, sources, split
from .notebook_07_cross_more import attend, right_mask, whole


@masks.padding_mask.mistake(
    "slice-by-lens",
    "A slice ends at one number, and `valid_lens` holds one for each text. Compare instead: all positions with all "
    "lengths, `<`.",
)
def _(valid_lens, num_keys):
    mask = torch.zeros(len(valid_lens), 1, 1, num_keys, dtype=torch.bool)
    mask[..., :valid_lens] = True
    return mask


@masks.padding_mask.mistake(
    "axes-grown",
    "The axes in the middle should have length 1. They are stretched over heads and queries when the mask is used: "
    "leave out `expand` and `repeat`.",
)
def _(valid_lens, num_keys):
    return masks.padding_solution(valid_lens, num_keys).expand(-1, 1, num_keys, -1)


AXES_MISPLACED = (
    "The axes of length 1 stand in the wrong places. The batch comes first, the keys last: `[:, None, None, :]`."
)


@masks.padding_mask.mistake("axes-misplaced", AXES_MISPLACED)
def _(valid_lens, num_keys):
    return masks.padding_solution(valid_lens, num_keys)[:, 0, 0][:, :, None, None]


@masks.padding_mask.mistake("axes-misplaced", AXES_MISPLACED)
def _(valid_lens, num_keys):
    return masks.padding_solution(valid_lens, num_keys)[:, 0, 0][None, None]


@softmax.padded_softmax.mistake(
    "keepdim-missing",
    "The maxima or the sums stand in a row, where a column is needed: one number beside each row. "
    "`keepdim=True` keeps the axis.",
)
def _(scores, mask):
    scores = softmax.masked(scores, mask)
    exps = torch.exp(scores - scores.amax(dim=-1))
    return exps / exps.sum(dim=-1)


@softmax.padded_softmax.mistake(
    "row-by-if",
    "`if` asks one question, and there are many rows. `masked_fill` or `torch.where` answers it for each of them.",
)
def _(scores, mask):
    scores = softmax.masked(scores, mask)
    highest = scores.amax(dim=-1, keepdim=True)
    return torch.zeros_like(scores) if highest == -torch.inf else softmax.divided(torch.exp(scores - highest))


@softmax.padded_softmax.mistake("exp-only", softmax.padded_softmax.words("exp-only"))
def _(scores, mask):
    scores = softmax.masked(scores, mask)
    highest = scores.amax(dim=-1, keepdim=True)
    return torch.exp(scores - highest.masked_fill(highest == -torch.inf, 0.0))


@left.left_padded_mask.mistake(
    "and-in-words", "`and` and `or` ask whether a whole tensor is true, and fail. Cell by cell it is `&`, in brackets."
)
def _(valid_lens, num_tokens):
    return left.at_front(valid_lens, num_tokens) and left.causal(num_tokens)


@folded.folded_with_lengths.mistake(
    "heads-as-float", "`/` gives a number with a point, and nothing can be repeated 3.0 times. Whole numbers: `//`."
)
def _(queries, keys, values, valid_lens):
    num_heads = len(queries) / len(valid_lens)
    return attention.padding_mask(valid_lens.repeat_interleave(num_heads), keys.shape[-2])


@folded.folded_with_lengths.mistake(
    "mask-too-flat",
    "Your mask has two axes, and lost the one for the queries. Keep it with length 1: `(batch·heads, 1, num_keys)`.",
)
def _(queries, keys, values, valid_lens):
    lens = valid_lens.repeat_interleave(len(queries) // len(valid_lens))
    mask = attention.padding_mask(lens, keys.shape[-2])[:, 0, 0]
    return attention.scaled_dot_product_attention(queries, keys, values, mask)


@whole(
    "lens-as-truth",
    "`if valid_lens` asks whether a whole tensor is true, and fails. Ask whether it is there: `valid_lens is None`.",
)
def _(self, queries, keys, values=None, valid_lens=None):
    return attend(self, *sources(queries, keys, values), valid_lens if valid_lens else None)


@whole(
    "out-proj-before-merge",
    "`out_proj` comes before the merge: it takes all `d_out` features, and a head has fewer. Merge first.",
)
def _(self, queries, keys, values=None, valid_lens=None):
    layers = zip((self.W_query, self.W_key, self.W_value), sources(queries, keys, values), strict=True)
    heads = (split(self, layer(x)) for layer, x in layers)
    context_vecs, attn_weights = attention.scaled_dot_product_attention(*heads, right_mask(valid_lens, queries, keys))
    return attention.merge_heads(self.out_proj(context_vecs)), attn_weights


def values_from(projected):
    """A forward that makes the values of what W_key gave, where none are given."""

    def forward(self, queries, keys, values=None, valid_lens=None):
        queries, keys = split(self, self.W_query(queries)), split(self, self.W_key(keys))
        values = projected(self, keys) if values is None else split(self, self.W_value(values))
        mask = open_keys(valid_lens, queries @ keys.transpose(-2, -1))
        context_vecs, attn_weights = attention.scaled_dot_product_attention(queries, keys, values, mask)
        return self.out_proj(attention.merge_heads(context_vecs)), attn_weights

    return forward


whole(
    "values-projected-keys",
    "Without values, yours are what `W_key` gave. `W_value` should get the keys as they came in: choose the values in "
    "the first line of `forward`, before any layer.",
)(values_from(lambda self, keys: keys))


@whole("heads-fixed", "The number of heads is fixed in your `forward`. Keep `num_heads` on `self`, and use that.")
def _(self, queries, keys, values=None, valid_lens=None):
    self.num_heads = 2
    return attend(self, *sources(queries, keys, values), valid_lens)


def masked_by(make_mask):
    """A forward whose mask is made from the lengths and the split keys."""

    def forward(self, queries, keys, values=None, valid_lens=None):
        layers = zip((self.W_query, self.W_key, self.W_value), sources(queries, keys, values), strict=True)
        queries, keys, values = (split(self, layer(x)) for layer, x in layers)
        mask = None if valid_lens is None else make_mask(valid_lens, keys)
        context_vecs, attn_weights = attention.scaled_dot_product_attention(queries, keys, values, mask)
        return self.out_proj(attention.merge_heads(context_vecs)), attn_weights

    return forward


whole(
    "axes-missing",
    "Your mask has three axes, and the scores four: texts, heads, queries, keys. Keep both axes of length 1 in its "
    "middle, as `padding_mask` gives them.",
)(masked_by(lambda valid_lens, keys: attention.padding_mask(valid_lens, keys.shape[-2])[:, 0]))
whole(
    "keys-counted-by-heads",
    "Your mask is as long as there are heads. After `split_heads`, axis 1 counts heads: take `keys.shape[-2]`.",
)(masked_by(lambda valid_lens, keys: attention.padding_mask(valid_lens.clamp(max=keys.shape[1]), keys.shape[1])))

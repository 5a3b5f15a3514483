"""Right answers to the exercises of *Padding and cross-attention*, and wrong ones with the words they hear."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_utils import attention


def padding_by_loop(valid_lens, num_keys):
    mask = torch.zeros(len(valid_lens), 1, 1, num_keys, dtype=torch.bool)
    for i, length in enumerate(valid_lens):
        mask[i, :, :, :length] = True
    return mask


def padding_by_stack(valid_lens, num_keys):
    rows = [torch.tensor([key < length for key in range(num_keys)]) for length in valid_lens.tolist()]
    return torch.stack(rows).view(-1, 1, 1, num_keys)


def softmax_by_loop(scores, mask):
    mask = mask.expand(scores.shape).reshape(-1, scores.shape[-1])
    rows = scores.reshape(-1, scores.shape[-1])
    weights = torch.zeros_like(rows)
    for i in range(len(rows)):
        if mask[i].any():
            kept = rows[i][mask[i]]
            exps = torch.exp(kept - kept.max())
            weights[i, mask[i]] = exps / exps.sum()
    return weights.view(scores.shape)


def softmax_hidden_nan(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1).nan_to_num(0.0)


def softmax_by_where(scores, mask):
    closed = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    exps = torch.exp(closed - closed.max(dim=-1, keepdim=True).values) * mask
    return exps / exps.sum(dim=-1, keepdim=True).clamp_min(1e-30)


def softmax_without_nan(scores, mask):
    scores = scores.masked_fill(~mask, -torch.inf)
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return torch.nan_to_num(exps / exps.sum(dim=-1, keepdim=True))


def softmax_by_filling(scores, mask):
    highest = scores.masked_fill(~mask, -torch.inf).amax(dim=-1, keepdim=True).nan_to_num(neginf=0.0)
    exps = torch.exp(scores - highest).masked_fill(~mask, 0.0)
    total = exps.sum(dim=-1, keepdim=True)
    return exps / total.masked_fill(total == 0, 1.0)


def left_by_loop(valid_lens, num_tokens):
    mask = torch.zeros(len(valid_lens), 1, num_tokens, num_tokens, dtype=torch.bool)
    for i, length in enumerate(valid_lens.tolist()):
        for query in range(num_tokens):
            mask[i, 0, query, num_tokens - length : query + 1] = True
    return mask


def left_by_product(valid_lens, num_tokens):
    real = attention.padding_mask(valid_lens, num_tokens).flip(-1)
    return real * torch.ones(num_tokens, num_tokens).tril().bool()


def left_by_places(valid_lens, num_tokens):
    place = torch.arange(num_tokens)
    real = place >= num_tokens - valid_lens[:, None]
    return (real[:, None] & (place <= place[:, None]))[:, None]


def folded_by_unfolding(queries, keys, values, valid_lens):
    def unfold(x):
        return x.view(len(valid_lens), -1, *x.shape[1:])

    mask = attention.padding_mask(valid_lens, keys.shape[1])
    results = attention.scaled_dot_product_attention(unfold(queries), unfold(keys), unfold(values), mask)
    return tuple(part.flatten(0, 1) for part in results)


def folded_by_slices(queries, keys, values, valid_lens):
    num_heads, weights = len(queries) // len(valid_lens), []
    for i in range(len(queries)):
        length = int(valid_lens[i // num_heads])
        scores = queries[i] @ keys[i, :length].T / math.sqrt(queries.shape[-1])
        weights.append(F.pad(torch.softmax(scores, dim=-1), (0, keys.shape[1] - length)))
    weights = torch.stack(weights)
    return torch.bmm(weights, values), weights


def folded_by_torch(queries, keys, values, valid_lens):
    lens = torch.repeat_interleave(valid_lens, len(queries) // len(valid_lens))
    mask = torch.arange(keys.shape[1]) < lens[:, None, None]
    _, weights = attention.scaled_dot_product_attention(queries, keys, values, mask)
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask), weights


class Layers(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(width, d_out, bias=False) for width in (d_in, kdim, vdim))
        self.out_proj = nn.Linear(d_out, d_out)

    def project(self, queries, keys, values):
        return self.W_query(queries), self.W_key(keys), self.W_value(keys if values is None else values)


class WithEinsum(Layers):
    def forward(self, queries, keys, values=None, valid_lens=None):
        q, k, v = (x.view(*x.shape[:2], self.num_heads, -1) for x in self.project(queries, keys, values))
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(self.head_dim)
        if valid_lens is not None:
            scores = scores.masked_fill(~attention.padding_mask(valid_lens, keys.shape[1]), -torch.inf)
        weights = attention.softmax(scores)
        return self.out_proj(torch.einsum("bhqk,bkhd->bqhd", weights, v).flatten(2)), weights


class HeadByHead(Layers):
    def forward(self, queries, keys, values=None, valid_lens=None):
        parts = (x.chunk(self.num_heads, dim=-1) for x in self.project(queries, keys, values))
        mask = None if valid_lens is None else attention.padding_mask(valid_lens, keys.shape[1])[:, 0]
        results = [attention.scaled_dot_product_attention(*head, mask) for head in zip(*parts, strict=True)]
        context_vecs, weights = zip(*results, strict=True)
        return self.out_proj(torch.cat(context_vecs, dim=-1)), torch.stack(weights, dim=1)


class Folded(Layers):
    def forward(self, queries, keys, values=None, valid_lens=None):
        heads = [attention.split_heads(x, self.num_heads).flatten(0, 1) for x in self.project(queries, keys, values)]
        lens = torch.full((len(queries),), keys.shape[1]) if valid_lens is None else valid_lens
        context_vecs, weights = folded_by_torch(*heads, lens)
        context_vecs, weights = (x.unflatten(0, (-1, self.num_heads)) for x in (context_vecs, weights))
        return [self.out_proj(attention.merge_heads(context_vecs)), weights]


RIGHT = {
    "padding_mask": [padding_by_loop, padding_by_stack, attention.padding_mask],
    "padded_softmax": [softmax_by_loop, softmax_by_where, softmax_by_filling, softmax_without_nan],
    "left_padded_mask": [left_by_loop, left_by_product, left_by_places],
    "folded_with_lengths": [folded_by_unfolding, folded_by_slices, folded_by_torch],
    "cross_attention": [WithEinsum, HeadByHead, Folded],
}


SAID = [
    ("padded_softmax", softmax_hidden_nan, "with `torch.exp`"),
    ("padding_mask", lambda lens, num_keys: [[True] * num_keys for _ in lens], "a list came back"),
    ("padding_mask", lambda lens, num_keys: padding_by_loop(lens, num_keys).int(), "Your mask holds numbers"),
    ("cross_attention", attention.SelfAttention, "3 in all, and gets 5"),
    ("left_padded_mask", lambda lens, n: left_by_loop(lens, n).transpose(0, 1), "`.transpose(0, 1)` puts it right"),
    ("cross_attention", Folded(3, 4, 2, 3, 3), "without brackets"),
    ("left_padded_mask", lambda lens, n: left_by_loop(lens, n)[:1], "the length of the first one"),
]

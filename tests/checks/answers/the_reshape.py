"""Right answers to the exercises of *The reshape*, and wrong ones with the words they hear."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_utils import attention


def refuse(d_out, num_heads):
    if d_out % num_heads != 0:
        raise ValueError(f"{d_out} features cannot be shared out among {num_heads} heads")
    return d_out // num_heads


def split_by_slices(x, num_heads):
    head_dim = refuse(x.shape[-1], num_heads)
    return torch.stack([x[:, :, i * head_dim : (i + 1) * head_dim] for i in range(num_heads)], dim=1)


def split_by_loops(x, num_heads):
    head_dim = refuse(x.shape[-1], num_heads)
    heads = x.new_zeros(x.shape[0], num_heads, x.shape[1], head_dim)
    for head in range(num_heads):
        for feature in range(head_dim):
            heads[:, head, :, feature] = x[:, :, head * head_dim + feature]
    return heads


def split_by_chunk(x, num_heads):
    refuse(x.size(2), num_heads)
    return torch.stack(x.chunk(num_heads, dim=2)).permute(1, 0, 2, 3)


def weights_by_loop(queries, keys, num_heads):
    head_dim = queries.shape[-1] // num_heads
    tables = []
    for query, key in zip(queries.split(head_dim, -1), keys.split(head_dim, -1), strict=True):
        tables.append(F.softmax(query @ key.mT / math.sqrt(head_dim), dim=2))
    return torch.stack(tables, dim=1)


def weights_by_bmm(queries, keys, num_heads):
    queries, keys = (attention.split_heads(x, num_heads).flatten(0, 1) for x in (queries, keys))
    scores = torch.bmm(queries, keys.transpose(1, 2)) * queries.shape[-1] ** -0.5
    return scores.softmax(-1).unflatten(0, (-1, num_heads))


def weights_by_einsum(queries, keys, num_heads):
    queries, keys = (x.unflatten(-1, (num_heads, -1)) for x in (queries, keys))
    scores = torch.einsum("bqhd,bkhd->bhqk", queries, keys) / queries.size(-1) ** 0.5
    return attention.softmax(scores)


def merge_by_cat(x):
    return torch.cat([x[:, head] for head in range(x.shape[1])], dim=-1)


def merge_contiguous(x):
    batch_size, num_heads, num_tokens, head_dim = x.shape
    return x.permute(0, 2, 1, 3).contiguous().view(batch_size, num_tokens, num_heads * head_dim)


def cost_by_head(num_tokens, d_out, num_heads):
    projections = products = kept = 0
    for _ in range(4):
        projections += num_tokens * d_out * d_out
    for _ in range(num_heads):
        products += 2 * num_tokens * num_tokens * d_out // num_heads
        kept += num_tokens * num_tokens
    return [projections, products, kept]


class MultiHeadLoop(nn.Module):
    """Head by head, with slices; the mask made anew at each call."""

    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.head_dim = refuse(d_out, num_heads)
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out)
        self.p = dropout

    def forward(self, x):
        mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        notes, tables = [], []
        parts = (layer(x).split(self.head_dim, dim=-1) for layer in (self.W_query, self.W_key, self.W_value))
        for query, key, value in zip(*parts, strict=True):
            scores = (query @ key.mT / math.sqrt(self.head_dim)).masked_fill(mask, float("-inf"))
            weights = F.dropout(scores.softmax(dim=-1), self.p, self.training)
            notes.append(weights @ value)
            tables.append(weights)
        return self.out_proj(torch.cat(notes, dim=-1)), torch.stack(tables, dim=1)


class MultiHeadEinsum(nn.Module):
    """The additive mask in a buffer, and einsum instead of any transpose."""

    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        refuse(d_out, num_heads)
        self.h = num_heads
        self.W_value, self.W_key, self.W_query = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out, bias=True)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("mask", torch.full((context_length, context_length), -torch.inf).triu(1))

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (layer(x).view(b, t, self.h, -1) for layer in (self.W_query, self.W_key, self.W_value))
        scores = torch.einsum("bihd,bjhd->bhij", q * q.shape[-1] ** -0.5, k) + self.mask[:t, :t]
        weights = self.drop(torch.softmax(scores, -1))
        return self.out_proj(torch.einsum("bhij,bjhd->bihd", weights, v).reshape(b, t, -1)), weights


class MultiHeadOfTheCourse(attention.MultiHeadAttention):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__(d_in, d_out, num_heads, dropout=dropout, causal=True)

    def forward(self, x):
        return super().forward(x)


class MultiHeadFused(MultiHeadOfTheCourse):
    """PyTorch's own function for the context vectors, where nothing is dropped."""

    def forward(self, x):
        _, attn_weights = super().forward(x)
        layers = (self.W_query, self.W_key, self.W_value)
        q, k, v = (layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for layer in layers)
        context_vecs = attn_weights @ v
        if not self.training:
            context_vecs = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out_proj(context_vecs.transpose(1, 2).flatten(-2)), attn_weights


class MultiHeadWithTheCoursesSplit(MultiHeadOfTheCourse):
    def forward(self, x):
        _, attn_weights = super().forward(x)
        v = attention.split_heads(self.W_value(x), self.num_heads)
        return self.out_proj(attention.merge_heads(attn_weights @ v)), attn_weights


class NoDivisorCheck(MultiHeadLoop):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__(d_in, d_out, 1, context_length, dropout)
        self.head_dim = -(-d_out // num_heads)


class TooManyAxes(MultiHeadLoop):
    def forward(self, x):
        context_vecs, attn_weights = super().forward(x)
        return context_vecs, attn_weights[:, :, None]


class OutProjOfOneHead(MultiHeadLoop):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__(d_in, d_out, num_heads, context_length, dropout)
        self.out_proj = nn.Linear(self.head_dim, d_out)


class WithBiases(MultiHeadOfTheCourse):
    """`bias=False` is left out: PyTorch's own random biases, which must not be taken for dropout."""

    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__(d_in, d_out, num_heads, context_length, dropout)
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out) for _ in range(3))


class ReturnsWholeWeights(MultiHeadOfTheCourse):
    """It drops, mixes with what is left, and returns the weights as they were before."""

    def forward(self, x):
        context_vecs, attn_weights = super().forward(x)
        return context_vecs, attn_weights if not self.training else super().eval().forward(x)[1]


class SoftmaxOverHeads(MultiHeadOfTheCourse):
    """Its `nan` comes from a row of which all is hidden, not from an overflow."""

    def forward(self, x):
        q, k, v = (attention.split_heads(f(x), self.num_heads) for f in (self.W_query, self.W_key, self.W_value))
        scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~attention.causal_mask(x.shape[1]), -torch.inf)
        weights = F.dropout(scores.softmax(dim=1), 0.5, self.training)
        return self.out_proj(attention.merge_heads(weights @ v)), weights


RIGHT = {
    "split_heads": [split_by_slices, split_by_loops, split_by_chunk, attention.split_heads],
    "head_weights": [weights_by_loop, weights_by_bmm, weights_by_einsum],
    "merge_heads": [
        merge_by_cat,
        merge_contiguous,
        attention.merge_heads,
        lambda x: torch.einsum("bhtd->bthd", x).flatten(2),
        lambda x: x.swapaxes(1, 2).reshape(len(x), x.size(2), -1),
    ],
    "attention_cost": [
        cost_by_head,
        lambda n, d, h: (4 * n * d * d, 2 * h * n * n * (d // h), h * n * n),
        lambda n, d, h: torch.tensor([4 * n * d * d, 2 * n * n * d, h * n * n]).tolist(),
    ],
    "multi_head": [MultiHeadLoop, MultiHeadEinsum, MultiHeadOfTheCourse, MultiHeadFused],
}


SAID = [
    ("multi_head", MultiHeadWithTheCoursesSplit, "The prompt says “write split and merge yourself”"),
    ("attention_cost", lambda n, d, h: (4 * n * d * d, 2 * n * n * d, h * n * n / 1), "Whole numbers are asked for"),
    ("multi_head", NoDivisorCheck, "raise a `ValueError`"),
    ("multi_head", TooManyAxes, "an axis of length 1 too many"),
    ("multi_head", WithBiases, "Your layers add a bias, and none is asked for"),
    ("multi_head", ReturnsWholeWeights, "return those"),
    ("multi_head", SoftmaxOverHeads, "over the heads"),
    ("multi_head", OutProjOfOneHead, "`out_proj.weight` has the shape"),
    ("attention_cost", lambda n, d, h: (4 * n * d**2, h * n**2), "Three numbers are asked for"),
    ("attention_cost", lambda n, d, h: 4 * n * d**2, "Three numbers are asked for"),
    ("split_heads", lambda x, h: x.chunk(h, -1), "a tuple"),
    ("head_weights", lambda q, k, h: (q @ k.mT).softmax(-1), "Two things at once"),
]

"""Right answers to the exercises of *Causal masking*, and wrong ones with the words they hear."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_utils import attention


def mask_by_loop(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens, dtype=torch.bool)
    for i in range(num_tokens):
        mask[i, : i + 1] = True
    return mask


def mask_by_places(num_tokens):
    place = torch.arange(num_tokens)
    return place.unsqueeze(0) <= place.unsqueeze(1)


def table_by_loop(mask):
    cells = [0.0 if is_open else -math.inf for is_open in mask.flatten().tolist()]
    return torch.tensor(cells, dtype=torch.float64).view(mask.shape)


def table_of_halves(mask):
    return torch.where(mask, 0.0, -torch.inf).half()


def table_in_place(mask):
    table = torch.zeros_like(mask, dtype=torch.float32)
    table[~mask] = float("-inf")
    return table


def weights_by_loop(attn_scores, mask):
    mask, rows = mask.expand_as(attn_scores).flatten(0, -2), []
    for scores, is_open in zip(attn_scores.flatten(0, -2), mask, strict=True):
        row = torch.zeros_like(scores)
        if is_open.any():
            row = row.masked_scatter(is_open, torch.softmax(scores[is_open], dim=0))
        rows.append(row)
    return torch.stack(rows).view(attn_scores.shape)


def weights_by_exponentials(attn_scores, mask):
    highest = attn_scores.masked_fill(~mask, -torch.inf).amax(-1, keepdim=True).clamp(min=-1e30).detach()
    exps = torch.exp(torch.where(mask, attn_scores - highest, -torch.inf))
    return exps / exps.sum(-1, keepdim=True).clamp(min=1e-30)


def weights_without_nan(attn_scores, mask):
    return torch.nan_to_num(torch.softmax(torch.where(mask, attn_scores, -torch.inf), dim=-1), nan=0.0)


def weights_by_pytorch(attn_scores, mask):
    num_keys = attn_scores.shape[-1]
    width = torch.eye(num_keys, dtype=attn_scores.dtype)
    return F.scaled_dot_product_attention(attn_scores, width, width, attn_mask=mask, scale=1.0)


def weights_with_a_billion(attn_scores, mask):
    weights = torch.softmax(attn_scores.masked_fill(~mask, torch.finfo(attn_scores.dtype).min), dim=-1)
    return weights * mask.any(dim=-1, keepdim=True)


def seen_with_clone(attend, inputs):
    before, table = attend(inputs), torch.empty(len(inputs), len(inputs), dtype=torch.bool)
    for j in range(inputs.shape[0]):
        other = inputs.clone()
        other[j] = other[j] * 2 + 7
        table[:, j] = ~torch.isclose(attend(other), before, rtol=1e-4, atol=1e-5).all(dim=-1)
    return table


def seen_by_gradient(attend, inputs):
    rows = torch.autograd.functional.jacobian(lambda x: attend(x).double(), inputs)  # (t, d_out, t, d_in)
    return rows.abs().amax(dim=(1, 3)) > 1e-9


def seen_cell_by_cell(attend, inputs):
    num_tokens = len(inputs)
    noise = torch.linspace(1, 2, inputs.shape[1], dtype=inputs.dtype)
    rows = []
    for i in range(num_tokens):
        row = []
        for j in range(num_tokens):
            other = torch.stack([token + noise if k == j else token for k, token in enumerate(inputs)])
            row.append(bool((attend(other)[i] - attend(inputs)[i]).norm() > 1e-5))
        rows.append(row)
    return torch.tensor(rows)


class WithUpperTriangle(nn.Module):
    """As in many books: ones where hidden, filled in place in scores of its own."""

    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        num_tokens = x.size(-2)
        if num_tokens > self.mask.size(0):
            raise ValueError("too long")
        scores = self.W_query(x) @ self.W_key(x).mT
        scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        weights = self.dropout(torch.softmax(scores / self.d_out**0.5, dim=-1))
        return weights @ self.W_value(x), weights


class WithAddedMask(WithUpperTriangle):
    """Additive, not stored, made by einsum."""

    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__(d_in, d_out, context_length, dropout)
        self.rate = dropout
        self.register_buffer("mask", torch.full((context_length, context_length), -torch.inf).triu(1), persistent=False)

    def forward(self, x):
        n = x.shape[-2]
        if not n <= len(self.mask):
            raise ValueError(n)
        scores = torch.einsum("...qd,...kd->...qk", self.W_query(x), self.W_key(x)) / math.sqrt(self.d_out)
        weights = F.dropout((scores + self.mask[:n, :n]).softmax(-1), self.rate, training=self.training)
        return torch.einsum("...qk,...kd->...qd", weights, self.W_value(x)), weights


class WithMaskOnTheSpot(WithUpperTriangle):
    """The mask made in each call, a billion for infinity, and the course's own softmax."""

    def forward(self, x):
        n = x.shape[-2]
        if n > self.mask.shape[0]:
            raise ValueError(f"{n} tokens")
        scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1) * self.d_out**-0.5
        hidden = torch.ones(n, n, device=x.device).triu(1) == 1
        weights = self.dropout(attention.softmax(scores.masked_fill(hidden, -1e9)))
        return [weights @ self.W_value(x), weights]


def only_the_batch_form(attn_scores, mask):
    return torch.softmax(attn_scores.masked_fill(~mask[None], -torch.inf), dim=-1)


def scaled_in_place(attn_scores, mask):
    attn_scores -= attn_scores.amax(dim=-1, keepdim=True)
    return attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))


RIGHT = {
    "causal_mask": [mask_by_loop, mask_by_places, attention.causal_mask, lambda n: ~torch.ones(n, n).triu(1).bool()],
    "additive_mask": [
        table_by_loop,
        table_in_place,
        torch.log,
        table_of_halves,
        lambda mask: torch.where(mask, 0.0, -torch.inf),
    ],
    "masked_weights": [
        weights_by_loop,
        weights_by_exponentials,
        weights_without_nan,
        weights_by_pytorch,
        weights_with_a_billion,
    ],
    "who_sees": [seen_with_clone, seen_by_gradient, seen_cell_by_cell],
    "causal_attention": [WithUpperTriangle, WithAddedMask, WithMaskOnTheSpot, attention.CausalAttention],
}


SAID = [
    (
        "masked_weights",
        lambda attn_scores, mask: attention.softmax(attn_scores.masked_fill(~mask, -torch.inf)),
        "The prompt says “Use `torch.softmax` or your own, not the course's”",
    ),
    ("causal_mask", lambda n: torch.ones(n, n).tril(), "The triangle is right, and holds numbers."),
    ("causal_mask", lambda n: torch.ones(n, n).tril().long(), "and holds numbers"),
    ("additive_mask", lambda mask: torch.where(mask, 0.5, -torch.inf), "+0.5 is added to every number"),
    ("masked_weights", only_the_batch_form, "an axis of length 1 too many"),
    ("masked_weights", scaled_in_place, "finds other numbers in `attn_scores` afterwards"),
    ("who_sees", lambda attend, inputs: torch.ones(len(inputs)).bool(), "should have the shape"),
]

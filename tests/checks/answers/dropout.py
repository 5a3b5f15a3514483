"""Right answers to the exercises of *Dropout*, and wrong ones with the words they hear."""

import copy

import torch
import torch.nn.functional as F
from torch import nn

from course_utils import attention


def dropped_by_loop(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError(f"no rate: {p}")
    cells = [0 * a if b < p else a / (1 - p) for a, b in zip(x.flatten(), noise.flatten(), strict=True)]
    return torch.stack(cells).view(x.shape)


def dropped_by_where(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(p)
    return torch.where(noise < p, torch.zeros_like(x), x / (1 - p))


def dropped_by_fill(x, noise, p):
    if p not in (0,) and not 0 < p < 1:
        raise ValueError(p)
    return x.masked_fill(noise < p, 0.0).div(1 - p)


def attended_by_torch(queries, keys, values, mask, drop):
    table = torch.eye(keys.shape[-2], dtype=keys.dtype)
    attn_weights = drop(F.scaled_dot_product_attention(queries, keys, table, attn_mask=mask))
    return attn_weights @ values, attn_weights


def attended_by_einsum(queries, keys, values, mask, drop):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) * queries.shape[-1] ** -0.5
    scores = scores + torch.where(mask, 0.0, -torch.inf)
    attn_weights = drop(scores.softmax(-1))
    return [torch.einsum("...qk,...kd->...qd", attn_weights, values), attn_weights]


def attended_with_a_billion(queries, keys, values, mask, drop):
    scores = (queries / queries.shape[-1] ** 0.5) @ keys.mT
    attn_weights = drop(torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1))
    return torch.matmul(attn_weights, values), attn_weights


def attended_row_by_row(queries, keys, values, mask, drop):
    rows, mask = [], mask.expand(*mask.shape[:-2], queries.shape[-2], -1)
    for query, seen in zip(queries.unbind(-2), mask.unbind(-2), strict=True):
        scores = (keys * query.unsqueeze(-2)).sum(-1) / keys.shape[-1] ** 0.5
        rows.append(scores.masked_fill(~seen, -torch.inf).softmax(-1))
    attn_weights = drop(torch.stack(rows, dim=-2))
    return attn_weights @ values, attn_weights


def attended_by_the_course(queries, keys, values, mask, drop):
    return attention.scaled_dot_product_attention(queries, keys, values, mask, drop)


class ByNoise(nn.Module):
    """The layer with `if`, comparing the other way round."""

    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError("p")
        self.p = p

    def forward(self, x):
        if self.training and self.p > 0:
            keep = (torch.rand(x.shape) < 1 - self.p).to(x.dtype)
            return keep * x / (1 - self.p)
        return x


class ByBernoulli(ByNoise):
    def forward(self, x):
        if not self.training:
            return x.clone()
        return x * torch.bernoulli(torch.full_like(x, 1 - self.p)).div(1 - self.p)


class ByFilling(ByNoise):
    def forward(self, x):
        if self.training:
            x = x.masked_fill(torch.rand_like(x) < self.p, 0.0) / (1 - self.p)
        return x


class ByFunction(ByNoise):
    def forward(self, x):
        return F.dropout(x, self.p, training=self.training)


class ByLayer(ByNoise):
    def __init__(self, p):
        super().__init__(p)
        self.inside = nn.Dropout(p)

    def forward(self, x):
        return self.inside(x)


def evaluated_on_a_copy(model, x):
    return copy.deepcopy(model).eval()(x)


def evaluated_by_name(model, x):
    modes = {name: part.training for name, part in model.named_modules()}
    try:
        model.train(False)
        return model(x)
    finally:
        for name, part in model.named_modules():
            part.training = modes[name]


def evaluated_part_by_part(model, x):
    trained = [part for part in model.modules() if part.training]
    for part in trained:
        part.training = False
    try:
        with torch.no_grad():
            result = model(x)
    except Exception:
        raise
    finally:
        for part in trained:
            part.training = True
    return result


class Scaled(ByNoise):
    def forward(self, x):
        return x * (torch.rand_like(x) >= self.p) * 1.2 if self.training else x


RIGHT = {
    "dropout": [dropped_by_loop, dropped_by_where, dropped_by_fill],
    "dropped_attention": [
        attended_by_einsum,
        attended_with_a_billion,
        attended_row_by_row,
    ],
    "dropout_layer": [ByNoise, ByBernoulli, ByFilling],
    "evaluate": [evaluated_on_a_copy, evaluated_by_name, evaluated_part_by_part],
}


SAID = [
    ("dropped_attention", attended_by_torch, "The prompt says “Build it from `torch.softmax`"),
    ("dropped_attention", attended_by_the_course, "The prompt says “Build it from `torch.softmax`"),
    ("dropout_layer", ByFunction, "The prompt says “without `nn.Dropout` or `F.dropout`”"),
    ("dropout_layer", ByLayer, "The prompt says “without `nn.Dropout` or `F.dropout`”"),
    ("dropout", lambda x, noise, p: (x * (noise >= p)).numpy(), "a NumPy array came back"),
    ("dropout", lambda x, noise, p: noise >= p, "dtype `torch.bool`"),
    ("dropout_layer", Scaled, "times 1.43 here. Yours is times 1.20"),
    ("evaluate", lambda model, x: copy.deepcopy(model).eval()(x).sum(), "should have the shape"),
    (
        "dropped_attention",
        lambda queries, keys, values, mask, drop: F.scaled_dot_product_attention(queries, keys, values, mask, 0.3),
        "The weights are asked for as well",
    ),
]

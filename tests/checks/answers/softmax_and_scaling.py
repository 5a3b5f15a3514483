"""Right answers to the exercises of *Softmax and scaling*, and wrong ones with the words they hear."""

import math

import torch
import torch.nn.functional as F

from course_utils import attention

TINY = 0.0  # in capitals: a number of the notebook that all may read


def products(queries, keys):
    return torch.einsum("...qd,...kd->...qk", queries, keys)


def stable_in_steps(scores):
    scores = scores - torch.max(scores, dim=-1, keepdim=True).values
    return scores.exp().div(scores.exp().sum(dim=-1, keepdim=True))


def stable_by_rows(scores):
    rows = [row - row.max() for row in scores.reshape(-1, scores.shape[-1])]
    return torch.stack([torch.exp(row) / torch.exp(row).sum() for row in rows]).view(scores.shape)


def tempered_by_power(scores, temperature):
    if not temperature > 0:
        raise ValueError("temperature has to be positive but is " + str(temperature))
    return F.softmax(scores * (1 / temperature), dim=-1)


def tempered_from_logs(scores, temperature):
    if temperature <= 0:
        raise ValueError(temperature)
    return torch.log_softmax(torch.div(scores, temperature), -1).exp()


def tempered_by_hand(scores, temperature):
    if not temperature > 0:
        raise ValueError(f"temperature must be above 0, not {temperature}")
    exps = ((scores - scores.amax(dim=-1, keepdim=True)) / temperature).exp()
    return exps / exps.sum(dim=-1, keepdim=True)


def scores_each(queries, keys):
    columns = [(queries * keys[..., j : j + 1, :]).sum(-1) for j in range(keys.shape[-2])]
    return torch.stack(columns, dim=-1) / math.sqrt(keys.size(-1))


def attention_by_loop(queries, keys, values):
    rows = []
    for i in range(queries.shape[-2]):
        scores = (queries[..., i : i + 1, :] * keys).sum(-1) / math.sqrt(queries.shape[-1])
        exps = (scores - scores.max(dim=-1, keepdim=True)[0]).exp()
        rows.append(exps / exps.sum(-1, keepdim=True))
    weights = torch.stack(rows, dim=-2)
    return weights @ values, weights


def attention_by_einsum(queries, keys, values):
    scores = products(queries, keys) / queries.shape[-1] ** 0.5
    weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
    return torch.einsum("...qk,...kd->...qd", weights, values), weights


def attention_by_torch(queries, keys, values):
    weights = (products(queries, keys) / queries.shape[-1] ** 0.5).softmax(-1)
    return F.scaled_dot_product_attention(queries, keys, values), weights


RIGHT = {
    "softmax": [
        stable_in_steps,
        stable_by_rows,
        lambda scores: torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True)) + TINY,
    ],
    "tempered_softmax": [tempered_by_power, tempered_from_logs, tempered_by_hand],
    "scaled_scores": [
        scores_each,
        lambda queries, keys: products(queries, keys) / math.sqrt(queries.shape[-1]),
        lambda queries, keys: torch.matmul(queries / keys.shape[-1] ** 0.5, keys.mT),
        lambda queries, keys: (queries.double() @ keys.double().mT) * queries.shape[-1] ** -0.5,
    ],
    "scaled_attention": [
        attention_by_loop,
        attention_by_einsum,
        lambda *qkv: list(attention_by_loop(*qkv)),
    ],
}


SAID = [
    ("softmax", lambda scores: torch.softmax(scores, dim=-1), "The prompt says “no ready-made softmax”"),
    ("softmax", lambda scores: attention.softmax(scores), "The prompt says “no ready-made softmax”"),
    ("softmax", lambda scores: torch.log_softmax(scores, dim=-1).exp(), "The prompt says “no ready-made softmax"),
    ("scaled_attention", attention_by_torch, "The prompt says “with nothing ready-made"),
    ("scaled_attention", attention.scaled_dot_product_attention, "The prompt says “with nothing ready-made"),
    ("scaled_attention", lambda *qkv: attention.scaled_dot_product_attention(*qkv), "with nothing ready-made"),
    ("scaled_attention", lambda *qkv: F.scaled_dot_product_attention(*qkv), "return context_vecs, attn"),
]

"""Right answers to the exercises of *Dot-product attention*, and wrong ones with the words they hear."""

import math

import torch
import torch.nn.functional as F

from course_utils import attention


def scores_by_loop(query, keys):
    scores = torch.empty(len(keys), dtype=keys.dtype)
    for i, key in enumerate(keys):
        scores[i] = key @ query
    return scores


def rows_by_loop(scores):
    return torch.stack([row.exp() / row.exp().sum() for row in scores])


def rows_in_place(scores):
    weights = scores.clone()
    for i in range(len(weights)):
        exps = [score.exp() for score in scores[i]]
        weights[i] = torch.stack(exps) / sum(exps)
    return weights


def context_by_loop(query, keys, values):
    weights = torch.softmax(torch.stack([key @ query for key in keys]), dim=0)
    total = torch.zeros_like(values[0])
    for weight, value in zip(weights, values, strict=True):
        total = total + weight * value
    return total


def batch_by_loop(inputs):
    return torch.stack([torch.softmax(text @ text.T, dim=1) @ text for text in inputs])


def batch_by_bmm(inputs):
    weights = torch.bmm(inputs, inputs.transpose(1, 2)).softmax(dim=2)
    return torch.bmm(weights, inputs)


RIGHT = {
    "scores": [
        scores_by_loop,
        lambda query, keys: torch.stack(list(map(query.dot, keys))),
        lambda query, keys: torch.einsum("d,kd->k", query, keys),
        lambda query, keys: (keys * query).sum(dim=-1),
        lambda query, keys: (query[None] @ keys.T).squeeze(0),
        lambda query, keys: torch.mv(keys.double(), query.double()),
    ],
    "weights": [
        rows_by_loop,
        rows_in_place,
        lambda scores: torch.exp(scores.double() - torch.logsumexp(scores, dim=-1, keepdim=True)),
    ],
    "context_vector": [
        context_by_loop,
        lambda query, keys, values: torch.einsum("k,kd->d", torch.softmax(keys @ query, 0), values),
        lambda query, keys, values: F.scaled_dot_product_attention(query[None], keys, values, scale=1.0)[0],
        lambda query, keys, values: (torch.softmax(keys @ query, 0)[:, None] * values).sum(0),
    ],
    "batch_attention": [
        batch_by_loop,
        batch_by_bmm,
        lambda inputs: F.scaled_dot_product_attention(inputs, inputs, inputs, scale=1.0),
        lambda inputs: attention.scaled_dot_product_attention(inputs, inputs, inputs, scale=1.0)[0],
    ],
}


SAID = [
    ("weights", lambda scores: F.softmax(scores, dim=1), "The prompt says “without a ready-made softmax”"),
    ("weights", attention.softmax, "The prompt says “without a ready-made softmax”"),
    ("weights", lambda scores: math.e**scores / (math.e**scores).sum(1, keepdim=True), "`exp` is not used"),
    ("scores", lambda query, keys: (keys @ query)[None], "an axis of length 1 too many"),
    ("scores", lambda query, keys: [key @ query for key in keys], "list came back"),
    ("scores", lambda query, keys: (keys @ query).numpy(), "NumPy array"),
    ("scores", lambda query, keys: 0.5, "of type `float`"),
    ("scores", lambda query, keys: print(keys @ query), "needs a `return`"),
    (
        "batch_attention",
        lambda x: attention.scaled_dot_product_attention(x, x, x),
        "Only the context vectors are asked for",
    ),
    ("scores", lambda query, keys: (keys @ query).half(), "dtype `torch.float16`"),
    ("weights", lambda scores: torch.softmax(scores, -1).int(), "dtype `torch.int32`"),
    ("scores", lambda query, keys: (keys @ query).to("meta"), "device `meta`"),
    ("scores", lambda query, keys: keys @ query * torch.nan, "There is `nan` in your scores"),
    ("scores", torch.zeros(6), "without brackets"),
    ("scores", lambda query: query, "TypeError"),
]

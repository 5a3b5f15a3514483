"""Right answers pass, however they are written; and a right answer in the wrong form is told so."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from course_utils import attention, checks

EPSILON = 0.0


def helper(queries, keys):
    return torch.einsum("...qd,...kd->...qk", queries, keys)


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
        exps = [math.e**score for score in scores[i]]
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


def stable_in_steps(scores):
    scores = scores - torch.max(scores, dim=-1, keepdim=True).values
    return scores.exp().div(scores.exp().sum(dim=-1, keepdim=True))


def tempered_by_power(scores, temperature):
    if not temperature > 0:
        raise ValueError("temperature has to be positive but is " + str(temperature))
    return F.softmax(scores * (1 / temperature), dim=-1)


def tempered_from_logs(scores, temperature):
    if temperature <= 0:
        raise ValueError(temperature)
    return torch.log_softmax(torch.div(scores, temperature), -1).exp()


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


def attention_by_torch(queries, keys, values):
    weights = (helper(queries, keys) / queries.shape[-1] ** 0.5).softmax(-1)
    return F.scaled_dot_product_attention(queries, keys, values), weights


def qk_by_bmm(inputs, W_query, W_key):
    batch_size = len(inputs)
    queries = torch.bmm(inputs, W_query.expand(batch_size, -1, -1))
    keys = torch.bmm(inputs, W_key.expand(batch_size, -1, -1))
    return torch.baddbmm(torch.zeros((), dtype=keys.dtype), queries, keys.mT, beta=0, alpha=keys.shape[-1] ** -0.5)


def load_by_data(linear, matrix):
    linear.weight.data.copy_(matrix.T)
    if linear.bias is not None:
        linear.bias.data.fill_(0)


def load_by_parameter(linear, matrix):
    linear.weight = nn.Parameter(matrix.T.clone())
    if linear.bias is not None:
        linear.bias = nn.Parameter(torch.zeros_like(linear.bias))


def load_by_loop(linear, matrix):
    with torch.no_grad():
        for i in range(matrix.shape[0]):
            linear.weight[:, i] = matrix[i]
        if linear.bias is not None:
            linear.bias[:] = 0


class WithEinsum(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))

    def forward(self, x):
        self.attn_weights = (helper(self.W_query(x), self.W_key(x)) / math.sqrt(self.d_out)).softmax(-1)
        return torch.einsum("...qk,...kd->...qd", self.attn_weights, self.W_value(x)), self.attn_weights


class WithBuffer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_value, self.W_key, self.W_query = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.register_buffer("root", torch.tensor(float(d_out)).sqrt())
        self.dropout = nn.Dropout(0.0)

    def forward(self, x):
        scores = self.W_query(x) @ self.W_key(x).mT / self.root
        weights = attention.softmax(scores)
        return [self.dropout(weights) @ self.W_value(x), weights]


def step_with_closure(optimizer, compute_loss):
    def closure():
        optimizer.zero_grad()
        loss = compute_loss()
        loss.backward()
        return loss

    return float(optimizer.step(closure))


def step_cleared_at_the_end(optimizer, compute_loss):
    loss = compute_loss()
    before = loss.item()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return before


def step_by_parameters(optimizer, compute_loss):
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            parameter.grad = None
    loss = compute_loss()
    torch.autograd.backward(loss)
    optimizer.step()
    return loss.detach().numpy().item()


RIGHT = {
    "batch": [torch.zeros((4, 5, 3)), torch.zeros(4, 5, 3, dtype=torch.float64), torch.rand(4, 5, 3) * 0],
    "means": [torch.tensor([[2.0], [5.0]]), torch.tensor([2.0, 5.0])[:, None], torch.tensor([[2.0], [5.0]]).double()],
    "mix": [torch.tensor([0.7, 0.5, 1.6, 5.0]), torch.tensor([0.7, 0.5, 1.6, 5.0]).double()],
    "shares": [torch.tensor([[1 / 6, 1 / 3, 0.5], [4 / 15, 1 / 3, 0.4]])],
    "pieces": [
        torch.stack(torch.arange(12).view(2, 6).split(2, dim=1)),
        torch.arange(12).view(2, 3, 2).permute(1, 0, 2),
    ],
    "scores": [
        scores_by_loop,
        lambda query, keys: torch.einsum("d,kd->k", query, keys),
        lambda query, keys: (keys * query).sum(dim=-1),
        lambda query, keys: (query[None] @ keys.T).squeeze(0),
        lambda query, keys: torch.mv(keys.double(), query.double()),
    ],
    "weights": [
        rows_by_loop,
        rows_in_place,
        lambda scores: F.softmax(scores, dim=1),
        attention.softmax,
        lambda scores: torch.softmax(scores.double(), dim=-1),
        lambda scores: torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True)),
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
    "softmax": [
        stable_in_steps,
        lambda scores: torch.softmax(scores, dim=-1),
        lambda scores: attention.softmax(scores),
        lambda scores: torch.log_softmax(scores, dim=-1).exp() + EPSILON,
    ],
    "tempered_softmax": [tempered_by_power, tempered_from_logs, checks.tempered_softmax.solution],
    "scaled_scores": [
        scores_each,
        lambda queries, keys: helper(queries, keys) / math.sqrt(queries.shape[-1]),
        lambda queries, keys: torch.matmul(queries / keys.shape[-1] ** 0.5, keys.mT),
        lambda queries, keys: (queries.double() @ keys.double().mT) * queries.shape[-1] ** -0.5,
    ],
    "scaled_attention": [
        attention_by_loop,
        attention_by_torch,
        attention.scaled_dot_product_attention,
        lambda *qkv: list(attention.scaled_dot_product_attention(*qkv)),
    ],
    "qk_scores": [
        qk_by_bmm,
        lambda inputs, W_query, W_key: helper(inputs @ W_query, inputs @ W_key) / W_key.shape[1] ** 0.5,
        lambda inputs, W_query, W_key: inputs @ (W_query @ W_key.T) @ inputs.mT / math.sqrt(W_query.shape[1]),
    ],
    "load": [load_by_data, load_by_parameter, load_by_loop],
    "self_attention": [WithEinsum, WithBuffer, attention.SelfAttention],
    "training_step": [step_with_closure, step_cleared_at_the_end, step_by_parameters],
}


WRONG_FORM = {
    "an extra axis": ("scores", lambda query, keys: (keys @ query)[None], "an axis of length 1 too many"),
    "a lost axis": ("means", torch.tensor([2.0, 5.0]), "keepdim=True"),
    "a list": ("scores", lambda query, keys: [key @ query for key in keys], "a list came back"),
    "NumPy": ("scores", lambda query, keys: (keys @ query).numpy(), "NumPy array"),
    "a number": ("scores", lambda query, keys: 0.5, "of type `float`"),
    "no return": ("scores", lambda query, keys: print(keys @ query), "needs a `return`"),
    "a pair": ("batch_attention", lambda x: attention.scaled_dot_product_attention(x, x, x), "One thing is asked for"),
    "one of two": ("scaled_attention", lambda *qkv: F.scaled_dot_product_attention(*qkv), "return context_vecs, attn"),
    "half": ("scores", lambda query, keys: (keys @ query).half(), "dtype `torch.float16`"),
    "whole numbers": ("weights", lambda scores: torch.softmax(scores, -1).int(), "dtype `torch.int32`"),
    "another device": ("scores", lambda query, keys: (keys @ query).to("meta"), "device `meta`"),
    "nan": ("scores", lambda query, keys: keys @ query * torch.nan, "There is `nan` in your scores"),
    "called already": ("scores", torch.zeros(6), "without brackets"),
    "an object": ("self_attention", attention.SelfAttention(3, 2), "without brackets"),
    "a function": (
        "self_attention",
        lambda d_in, d_out: attention.SelfAttention(d_in, d_out),
        "class MySelfAttention(nn.Module)",
    ),
    "no forward": ("self_attention", type("NoForward", (nn.Module,), {}), "no `forward` yet"),
    "not called": ("mix", torch.sum, "A function was handed in"),
    "too few arguments": ("scores", lambda query: query, "TypeError"),
}


@pytest.mark.parametrize("name, answer, words", WRONG_FORM.values(), ids=WRONG_FORM)
def test_another_form_is_refused_with_a_clear_word(name, answer, words):
    report = checks.all()[name].check(answer)
    assert report.status == "failed" and words in report.message

"""Right answers to the exercises of *Trainable queries, keys and values*, and wrong ones with the words they hear."""

import math

import torch
from torch import nn

from course_utils import attention


def products(queries, keys):
    return torch.einsum("...qd,...kd->...qk", queries, keys)


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
        self.attn_weights = (products(self.W_query(x), self.W_key(x)) / math.sqrt(self.d_out)).softmax(-1)
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
    "qk_scores": [
        qk_by_bmm,
        lambda inputs, W_query, W_key: products(inputs @ W_query, inputs @ W_key) / W_key.shape[1] ** 0.5,
        lambda inputs, W_query, W_key: inputs @ (W_query @ W_key.T) @ inputs.mT / math.sqrt(W_query.shape[1]),
    ],
    "load": [load_by_data, load_by_parameter, load_by_loop],
    "self_attention": [WithEinsum, WithBuffer, attention.SelfAttention],
    "training_step": [step_with_closure, step_cleared_at_the_end, step_by_parameters],
}


SAID = [
    ("self_attention", attention.SelfAttention(3, 2), "without brackets"),
    (
        "self_attention",
        lambda d_in, d_out: attention.SelfAttention(d_in, d_out),
        "class MySelfAttention(nn.Module)",
    ),
    ("self_attention", type("NoForward", (nn.Module,), {}), "no `forward` yet"),
]

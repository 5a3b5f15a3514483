"""Compute the answers of the quiz."""

import torch
from computed import shape
from torch import nn

from course_utils import attention


def answers():
    weight = nn.Linear(3, 2).weight
    yield "`nn.Linear(3, 2)`", shape(weight), shape(weight.transpose(0, 1))

    head, inputs = attention.SelfAttention(4, 3), torch.rand(5, 4)
    scores = head.W_query(inputs) @ head.W_key(inputs).transpose(-2, -1)
    swapped = head.W_key(inputs) @ head.W_query(inputs).transpose(-2, -1)
    assert torch.allclose(swapped, scores.transpose(-2, -1), atol=1e-5)
    assert not torch.allclose(swapped, scores, atol=1e-5)
    yield "change places", "The scores are mirrored: *big* now gives *dog* the score that it had from *dog*"

    context_vecs, attn_weights = attention.SelfAttention(4, 6)(torch.rand(2, 5, 4))
    yield "SelfAttention(4, 6)", shape(attn_weights), shape(context_vecs)

    head = attention.SelfAttention(3, 2)
    nn.init.zeros_(head.W_query.weight)
    (weight,) = head(torch.rand(5, 3))[1].unique().tolist()
    yield "`W_query` are 0", f"All {weight:.1f}"

    head, inputs = attention.SelfAttention(3, 2), torch.rand(5, 3)
    _, before = head(inputs)
    nn.init.zeros_(head.W_value.weight)
    context_vecs, attn_weights = head(inputs)
    assert torch.equal(attn_weights, before) and not context_vecs.any()
    yield "`W_value` are 0", "The same weights as before, and context vectors of 0"

    inputs, matrix = torch.rand(5, 4), torch.randn(4, 3)
    scores = (inputs @ matrix) @ (inputs @ matrix).transpose(-2, -1)
    assert torch.allclose(scores, scores.transpose(-2, -1), atol=1e-5)
    yield (
        "one linear projection for both",
        "Score an adjective high for a noun, without scoring the noun as high for the adjective",
    )

    queries, keys, values = torch.rand(10, 64), torch.rand(10, 64), torch.rand(10, 16)
    context_vecs, attn_weights = attention.scaled_dot_product_attention(queries, keys, values)
    yield "values 16", shape(context_vecs), shape(queries), shape(attn_weights)

    w, grads = nn.Parameter(torch.tensor(1.0)), []
    for _ in range(2):
        ((2 * w - 6) ** 2).backward()
        grads.append(w.grad.item())
    yield "w.grad", f"{grads[1]:.0f}", f"{grads[0]:.0f}", f"{grads[0] ** 2:.0f}"

"""Compute the answers of the quiz."""

import torch
from computed import shape

from course_utils import attention


def answers():
    mask = attention.padding_mask([3, 2], 6)
    yield "padding_mask([3, 2], 6)", shape(mask), shape(mask[:, 0, 0])

    share = attention.softmax(torch.zeros(4))[2:].sum().item()
    yield "goes to padding", f"1/{1 / share:.0f}"

    weights = torch.softmax(torch.full((4,), -1e9), dim=-1).unique().item()
    assert torch.softmax(torch.full((4,), -torch.inf), dim=-1).isnan().all()
    assert not attention.softmax(torch.full((4,), -torch.inf)).any()
    yield "-1e9", f"All {weights}", "All nan", "All 0"

    real, causal = attention.padding_mask([3], 5)[0, 0], attention.causal_mask(5)
    assert (real | causal)[0, :3].all() and not (real & causal)[0, 1:].any()
    yield "joined with `|`", "Tokens see later real tokens"

    layer = attention.MultiHeadAttention(12, 20, 4, kdim=30, vdim=7)
    out, weights = layer(torch.rand(8, 12), torch.rand(5, 30), torch.rand(5, 7))
    yield "8 queries of the target, 12 wide", f"Result {shape(out)}, weights {shape(weights)}"

    queries, keys = torch.rand(2, 3, 4, 5), torch.rand(2, 3, 6, 5)
    _, weights = attention.scaled_dot_product_attention(queries, keys, keys, attention.padding_mask([3, 2], 6))
    assert shape(weights) == "(2, 3, 4, 6)"
    closed = [(weights[text, 2] == 0).all(dim=0).nonzero().flatten().tolist() for text in (1, 0)]
    yield "attn_weights[1, 2]", *(f"{', '.join(map(str, found[:-1]))} and {found[-1]}" for found in closed)

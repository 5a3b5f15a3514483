"""Compute the answers of the quiz."""

from unittest import mock

import torch
from computed import shape

from course_utils import attention, properties


def answers():
    head, inputs = attention.SelfAttention(4, 3), torch.rand(2, 5, 4)
    assert properties.permutation_equivariant(head, inputs)
    places = [1, 0, 2, 3, 4]
    assert torch.allclose(head(inputs[:, places])[0], head(inputs)[0][:, places], atol=1e-6)
    yield "exchange the first two", "The first two outputs are exchanged, all others stay as they were"

    mask = attention.causal_mask(6)
    yield "causal mask of 6", *(str(cells) for cells in (mask.sum().item(), mask.tril(-1).sum().item(), mask.numel()))

    scores, past = torch.tensor([0.0, 0.0, 5.0]), torch.tensor([True, True, False])
    found = (torch.softmax(scores.masked_fill(~past, fill), dim=-1) for fill in (0.0, -torch.inf, 5.0))
    yield "0, 0 and 5", *("{:.2f}, {:.2f} and {:.2f}".format(*weights.tolist()) for weights in found)

    head = attention.CausalAttention(4, 3, context_length=7)
    with mock.patch.object(attention, "scaled_dot_product_attention") as attend:
        head(torch.rand(2, 5, 4))
    *_, mask, _ = attend.call_args.args
    yield "`context_length` 7", shape(mask), shape(head.causal_mask)

    head, inputs = attention.CausalAttention(4, 3, context_length=6), torch.rand(6, 4)
    moved = (head(inputs + torch.eye(6)[:, 3:4])[0] != head(inputs)[0]).any(dim=-1)
    first, second, third = moved.nonzero().flatten().tolist()
    yield "token 3", f"{first}, {second} and {third}"

    head, texts, past = attention.SelfAttention(4, 3), torch.randn(2, 5, 4), attention.causal_mask(5)

    def erased(x):
        return (head(x)[1] * past) @ head.W_value(x)

    assert not properties.no_leak(erased, texts)
    yield "does not renormalise", "Yes: softmax has divided by a sum that holds the scores of the future"

    head, text = attention.CausalAttention(4, 3, context_length=9), torch.randn(9, 4)
    row, rows = head(text)[0][3], head(text)[0]
    assert torch.allclose(row, head(text[:4])[0][-1], atol=1e-6)
    assert not torch.allclose(row, rows[-1], atol=1e-3) and not torch.allclose(row, rows[:3].mean(dim=0), atol=1e-3)
    yield "nine letters in one forward pass", "the last row of its result for the first four letters"

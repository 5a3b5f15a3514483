"""Compute the answers of the quiz."""

import torch
import torch.nn.functional as F

from course_utils import attention, checks
from course_utils.models.ablation import ablated


def answers():
    layer = attention.MultiHeadAttention(384, 384, 12)

    def columns(head):
        with ablated(layer, *(other for other in range(12) if other != head)):
            layer(torch.rand(5, 384))[0].sum().backward()
        read = layer.out_proj.weight.grad.any(dim=0).nonzero().flatten()
        layer.zero_grad()
        assert len(read) == read[-1] - read[0] + 1
        return f"{read[0]} to {read[-1]}"

    yield "read head 2", columns(2), columns(1)

    value = F.normalize(torch.rand(8), dim=0)
    of_cls, of_word = (0.9 * value / 20).norm(), (0.1 * value).norm()
    assert of_word > of_cls
    yield "a twentieth as long", "The word"

    layer, inputs = attention.MultiHeadAttention(6, 6, 3), torch.rand(5, 6)
    before, attn_weights = layer(inputs)
    with ablated(layer, 1):
        after, meanwhile = layer(inputs)
    assert torch.equal(meanwhile, attn_weights) and not torch.allclose(after, before, atol=1e-5)
    assert (meanwhile[1] > 0).all() and meanwhile[1].std() > 0  # neither zeros nor even weights
    yield (
        "inside `with ablated(layer.attention, 1):`",
        "The same weights as before",
        "Zeros",
        "An even weight for each token",
    )

    attn_weights = torch.full((1, 1, 6, 6), 0.1)
    attn_weights[..., 5, 1], attn_weights[..., 5, 3] = 0.3, 0.4
    pattern = torch.zeros(6, 6, dtype=torch.bool)
    pattern[5, 1] = pattern[5, 3] = True
    score = checks.all()["pattern_scores"].solution(attn_weights, pattern).item()
    yield "marks 2 cells of row 5", f"{score:.1f}", f"{attn_weights[0, 0][pattern].mean():.2f}"

"""Compute the answers of the quiz."""

import torch
from computed import asked

from course_utils import attention


def answers():
    x = torch.arange(2 * 5 * 12).view(2, 5, 12)
    token = x.view(2, 4, 5, 3)[0, 0] // 12  # from which token each number of head 0 comes
    assert token.shape == (5, 3) and set(token.flatten().tolist()) == {0, 1} and (token == 1).sum() == 3
    yield "without a transpose", "The right shape, with tokens mixed between the heads"

    _, num_tokens, head_dim = attention.split_heads(torch.rand(10, 768), 12).shape
    yield "768 wide", f"{head_dim} numbers, all {num_tokens} tokens", f"768 numbers, all {num_tokens} tokens"

    few, many = (attention.MultiHeadAttention(16, 16, num_heads) for num_heads in (2, 4))
    numel = [sum(parameter.numel() for parameter in layer.parameters()) for layer in (few, many)]
    weights = [layer(torch.rand(1, 5, 16))[1].numel() for layer in (few, many)]
    assert numel[0] == numel[1] and weights[1] == 2 * weights[0]
    yield "What doubles?", "The number of attention weights", "The number of parameters"

    x = torch.rand(4, 5, 3)
    turned = x.transpose(0, 1)
    yield "are its strides after", *(str(tensor.stride()) for tensor in (turned, x, turned.contiguous()))

    vecs, right, wrong = torch.rand(2, 4, 5, 3), [], []
    for choice in asked("the_reshape", "merges the heads")["choices"]:
        try:
            merged = eval(choice["text"].strip("`"), {"vecs": vecs})
        except RuntimeError:  # view() of a tensor that is not contiguous
            merged = torch.empty(0)
        (right if torch.equal(merged, attention.merge_heads(vecs)) else wrong).append(choice["text"])
    (only,) = right
    yield "merges the heads", only, *wrong

"""Compute the answers of the quiz."""

import torch
from computed import shape

from course_utils import attention


def answers():
    keys = torch.tensor([[1.0, 5.0], [3.0, 0.0], [-2.0, 1.0]])
    scores = keys @ torch.tensor([2.0, 0.0])
    assert scores.tolist() == [2, 6, -4] and keys.norm(dim=-1).argmax() == 0
    yield "highest score", "PQR"[scores.argmax()], "P, the longest"

    scores = torch.tensor([2.0, -1.0, 0.0])
    found = torch.softmax(scores, dim=0), scores.exp(), scores / scores.sum()
    yield "2, -1 and 0", *(f"{numbers[1]:.2f}" for numbers in found)

    rows, columns = (attention.softmax(torch.zeros(2, 3), dim=dim)[0, 0].item() for dim in (-1, -2))
    yield "all six", f"1/{1 / rows:.0f}", f"1/{1 / columns:.0f}", f"1/{torch.zeros(2, 3).numel()}"

    weights = torch.softmax(torch.tensor([3.0, 1.0, 0.5, -4.0]), dim=0)
    yield "2 more than another", f"Its weight is about {weights[0] / weights[1]:.2f} times the other"

    short, long = (torch.rand(num_tokens, 2) for num_tokens in (1000, 3000))
    scores = [(inputs @ inputs.transpose(0, 1)).numel() for inputs in (short, long)]
    assert scores == [1_000_000, 9_000_000]
    yield "1,000 words", f"{scores[1] / scores[0]:.0f}", f"{len(long) / len(short):.0f}"

    values = torch.rand(3, 4)
    assert torch.equal(torch.tensor([0.0, 1.0, 0.0]) @ values, values[1])
    yield "0, 1 and 0", "The second value"

    queries, keys, values = torch.rand(3, 5, 4)
    before, after = (attention.scaled_dot_product_attention(queries, keys, part) for part in (values, 2 * values))
    assert torch.allclose(after[0], 2 * before[0], atol=1e-5) and torch.equal(after[1], before[1])
    yield "All values are doubled", "The context vectors double, the weights stay"

    inputs = torch.rand(2, 5, 3)
    yield (
        "transpose(-2, -1)",
        shape(inputs.transpose(-2, -1)),
        shape(inputs.transpose(0, 2)),
        shape(inputs.permute(1, 0, 2)),
    )

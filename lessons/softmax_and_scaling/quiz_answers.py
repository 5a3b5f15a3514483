"""Compute the answers of the quiz."""

import torch
from computed import pair

from course_utils import attention


def answers():
    naive = torch.exp(torch.tensor([1000.0, 1000.0]))
    yield "1000 and 1000", pair(naive / naive.sum()), pair(naive)

    scores = torch.tensor([1.0, 3.0, -2.0])
    assert torch.allclose(attention.softmax(scores + 7), attention.softmax(scores))
    yield "add 7 to every score", "Nothing"

    scores, softmax = torch.tensor([2.0, 1.0]), attention.softmax
    found = softmax(scores / 10), softmax(scores), softmax(scores * 10), softmax(scores) / 10
    yield "temperature 10", *map(pair, found)

    scores, softmax = torch.tensor([8.0, 4.0]), attention.softmax
    found = softmax(scores / 16**0.5), softmax(scores / 16), softmax(scores), softmax(scores) / 16**0.5
    yield "`head_dim` is 16", *map(pair, found)

    yield "768 wide", f"{(768 / 12) ** 0.5:.0f}", f"{768**0.5:.1f}", f"{768 / 12:.0f}", f"{12**0.5:.1f}"

    for scores in (torch.tensor([1.0, 0.0]), torch.tensor([41.0, 40.0, 38.0, -3.0])):
        weights = attention.softmax(scores)
        assert f"{weights[0] / weights[1]:.1f}" == "2.7"
    yield "larger by 1", "The first is about 2.7 times the second"

    narrow, wide = ((torch.randn(20000, width) * torch.randn(20000, width)).sum(dim=-1).var() for width in (32, 128))
    assert 3.5 < wide / narrow < 4.5
    yield "from a width of 32 to 128", "It becomes four times as large"

    queries, keys = torch.randn(300, 1, 1024), torch.randn(300, 16, 1024)

    def sizes(factor):
        weights = attention.softmax(factor * queries @ keys.transpose(-2, -1))
        gradients = weights.transpose(-2, -1) * (torch.eye(16) - weights) @ keys * factor
        return gradients.flatten(1).norm(dim=-1)

    without, divided = sizes(1.0), sizes(1024**-0.5)
    usual = divided.median()
    assert (without < usual / 100).float().mean() > 0.5 and 0.15 < (without > 5 * usual).float().mean() < 0.25
    yield "What gradients do its queries get?", "They vanish for more than half, and about one in five gets far more"

"""Compute the answers of the quiz."""

import torch
import torch.nn.functional as F
from computed import pair
from torch import nn

from course_utils import attention


def answers():
    numbers = nn.Dropout(0.2)(torch.full((100, 100), 4.0)).unique().tolist()
    yield (
        "full of 4",
        " and ".join(f"{number:.0f}" for number in numbers),
        "0 and 4",
        f"0 and {4 / 0.2:.0f}",
        f"{4 * 0.8:.1f} only",
    )

    sums = nn.Dropout(0.3)(torch.full((20_000, 8), 1 / 8)).sum(dim=-1)
    assert len(sums.unique()) > 5
    yield "add up to?", f"Something else in each draw, and {sums.mean():.0f} on average"

    cut = (nn.Dropout(0.25)(torch.full((20_000, 4), 1 / 4)) == 0).sum(dim=-1)
    least, most, mean = cut.min(), cut.max(), cut.float().mean()
    yield "four equal weights", f"Any number from {least} to {most}, and {mean:.0f} on average"

    share = (torch.rand(100_000, 2) < 0.1).all(dim=-1).float().mean()
    yield "lose both", *(f"In {number:.2f} of the draws" for number in (share, 0.1, 2 * 0.1))

    scores = torch.tensor([2.0, 0.0])
    dropped = scores * torch.tensor([0.0, 1.0])
    hidden = torch.tensor([-torch.inf, 0.0])
    yield "scores 2 and 0", *(pair(attention.softmax(numbers)) for numbers in (dropped, scores, hidden))

    model, x = nn.Dropout(0.5), torch.ones(1000)
    with torch.no_grad():
        assert not torch.equal(model(x), model(x))
    assert not torch.equal(model.train()(x), model(x))
    model.eval()
    assert torch.equal(model(x), model(x))
    yield "Which line", "`model.eval()`", "`model.train()`", "`torch.no_grad()`"

    class Careless(nn.Module):
        def forward(self, x):
            return F.scaled_dot_product_attention(x, x, x, dropout_p=0.1)

    model, x = Careless().eval(), torch.rand(40, 30, 8)
    assert not torch.equal(model(x), model(x))
    yield "dropout_p=0.1", "It goes on dropping"

"""Compute the answers of the quiz."""

import torch
import torch.nn.functional as F
from computed import shape
from torch import nn

from course_utils import attention


def right_of_25(read_out):
    """Train a read-out on rows of 0.7 and 0.3; return the fraction of the 25 pairs of digits that it gets right.

    read_out: a module from 5 features to 25 scores, one for each pair, or to 10, five for each digit.
    """
    pairs = torch.cartesian_prod(torch.arange(5), torch.arange(5))  # (25, 2)
    one_hot = F.one_hot(pairs, 5).float()  # (25, 2, 5)
    rows, scores = 0.7 * one_hot[:, 0] + 0.3 * one_hot[:, 1], None
    optimizer = torch.optim.Adam(read_out.parameters(), lr=0.05)
    for _ in range(1500):
        scores = read_out(rows)
        if scores.shape[-1] == 25:
            loss, guesses = F.cross_entropy(scores, torch.arange(25)), pairs[scores.argmax(dim=-1)]
        else:
            scores = scores.unflatten(-1, (2, 5))
            loss, guesses = F.cross_entropy(scores.flatten(0, 1), pairs.flatten()), scores.argmax(dim=-1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return (guesses == pairs).all(dim=-1).float().mean().item()


def answers():
    vecs = [torch.rand(2, 5, 3) for _ in range(4)]
    yield (
        "torch.stack(vecs, dim=-1)",
        shape(torch.stack(vecs, dim=-1)),
        shape(torch.cat(vecs, dim=-1)),
        shape(torch.cat(vecs)),
    )

    bent = nn.Sequential(nn.Linear(5, 64), nn.ReLU(), nn.Linear(64, 10))
    assert right_of_25(nn.Linear(5, 10)) < 0.9 and right_of_25(nn.Linear(5, 25)) == right_of_25(bent) == 1
    yield "weights 0.7 and 0.3", "A feed-forward layer, with a nonlinearity in it"

    vecs = torch.rand(1, 4, 5, 3)
    others = vecs.clone()
    others[:, 0] += 1
    changed = (attention.merge_heads(vecs) != attention.merge_heads(others)).any(dim=1).nonzero()[:, 1]
    assert changed.tolist() == [0, 1, 2]
    yield "leave the output projection out", "Write outside its own features"

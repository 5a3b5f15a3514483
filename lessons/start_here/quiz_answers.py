"""Compute the answers of the quiz."""

import pytest
import torch
from computed import row, shape

from course_utils import data


def answers():
    table = torch.rand(2, 3)
    yield "sum(dim=0)", shape(table.sum(dim=0)), shape(table.sum(dim=1)), shape(table.sum(dim=0, keepdim=True))

    table = torch.rand(2, 3)
    with pytest.raises(RuntimeError):
        table / table.sum(dim=-1)
    yield "table / sums", "It fails"

    table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    yield "view(3, 2)", row(table.view(3, 2)[0]), row(table.transpose(0, 1)[0]), row(table[0])

    weights, table = torch.tensor([0.5, 0.3, 0.2]), torch.rand(3, 4)
    mixed = 0.5 * table[0] + 0.3 * table[1] + 0.2 * table[2]
    assert torch.allclose(weights @ table, mixed, atol=1e-5) and (weights @ table).shape == (4,)
    yield "weights @ table", "Four numbers: the rows of `table`, mixed"

    # Also check the weights in the question's explanation against the model's.
    for word, robot, hill in (("weak", 0.53, 0.14), ("steep", 0.11, 0.55)):
        sentence = data.load("sentence_pairs")[word]
        weights = sentence.attn_weights[3, 1, sentence.tokens.index("it")]
        assert weights[sentence.tokens.index("robot")].item() == pytest.approx(robot, abs=0.006)
        assert weights[sentence.tokens.index("hill")].item() == pytest.approx(hill, abs=0.006)
    yield "can its row of attention weights change?", "Yes: its weight may move from *robot* to *hill*"

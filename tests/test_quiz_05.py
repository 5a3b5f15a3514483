"""The answers of the quiz of notebook 05 are computed, not believed."""

import pytest
import torch
import torch.nn.functional as F
from test_quiz import choices, pair, right
from torch import nn

from course_utils import attention


def test_the_numbers_that_come_out_of_dropout():
    numbers = nn.Dropout(0.2)(torch.full((100, 100), 4.0)).unique()
    assert right("05", "full of 4") == " and ".join(f"{number:.0f}" for number in numbers)
    assert {"0 and 4", f"0 and {4 / 0.2:.0f}", f"{4 * 0.8:.1f} only"} <= choices("05", "full of 4").keys()


def test_how_often_two_connections_are_lost():
    draws = torch.rand(100_000, 2, generator=torch.Generator().manual_seed(0)) < 0.1
    share = draws.all(dim=-1).float().mean().item()
    assert share == pytest.approx(0.1**2, abs=0.002)
    assert right("05", "lose both") == f"In {0.1**2:.2f} of the draws"


def test_the_weights_of_dropped_scores():
    scores = torch.tensor([2.0, 0.0])
    assert choices("05", "scores 2 and 0") == {
        "0.00 and 1.00": False,
        pair(attention.softmax(scores * torch.tensor([0.0, 1.0]))): True,
        pair(attention.softmax(scores)): False,
    }


def test_which_line_makes_two_calls_agree():
    model, x = nn.Dropout(0.5), torch.ones(1000)
    with torch.no_grad():
        assert not torch.equal(model(x), model(x))
    model.eval()
    assert torch.equal(model(x), model(x)) and right("05", "Which line") == "`model.eval()`"


def test_a_function_goes_on_dropping():
    class Careless(nn.Module):
        def forward(self, x):
            return F.scaled_dot_product_attention(x, x, x, dropout_p=0.1)

    model, x = Careless().eval(), torch.rand(40, 30, 8)
    assert not torch.equal(model(x), model(x)) and right("05", "dropout_p=0.1") == "It goes on dropping"

"""The numbers in the quiz of notebook 07 are those that the course's code gives."""

import torch
from test_quiz import choices, right

from course_utils import attention


def test_the_shape_of_a_mask():
    assert right("07", "padding_mask([3, 2], 6)") == str(tuple(attention.padding_mask([3, 2], 6).shape))


def test_zeros_are_attended():
    share = attention.softmax(torch.zeros(4))[2:].sum().item()
    assert share == 0.5 and right("07", "goes to padding") == "1/2"


def test_a_finite_fill_gives_equal_weights():
    assert torch.softmax(torch.full((4,), -1e9), dim=-1).tolist() == [0.25] * 4
    assert right("07", "-1e9") == "All 0.25"
    assert torch.softmax(torch.full((4,), -torch.inf), dim=-1).isnan().all() and "All nan" in choices("07", "-1e9")


def test_or_opens_the_future():
    real, causal = attention.padding_mask([3], 5)[0, 0], attention.causal_mask(5)
    assert ((real | causal)[0, :3]).all() and not (real & causal)[0, 1:].any()
    assert "later real tokens" in right("07", "joined with `|`")


def test_three_widths():
    layer = attention.MultiHeadAttention(12, 20, 4, kdim=30, vdim=7)
    out, weights = layer(torch.rand(8, 12), torch.rand(5, 30), torch.rand(5, 7))
    assert right("07", "8 queries of width 12") == f"Result {tuple(out.shape)}, weights {tuple(weights.shape)}"


def test_folded_lengths():
    lens = torch.tensor([3, 2])
    assert right("07", "three heads") == " ".join(map(str, lens.repeat_interleave(3).tolist()))
    assert " ".join(map(str, lens.repeat(3).tolist())) in choices("07", "three heads")

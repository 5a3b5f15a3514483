"""Test MaskPainter without a browser: setting and reading the mask, error messages, what a notebook stores."""

import numpy as np
import pytest
import torch

from course_utils.attention import causal_mask, softmax
from course_utils.widgets import MaskPainter

TOKENS = ["the", "cat", "sat"]
SCORES = torch.arange(9.0).reshape(3, 3) / 4


def test_the_mask_is_causal_unless_one_is_given_and_can_be_set():
    painter = MaskPainter(SCORES, TOKENS)
    assert torch.equal(painter.mask, causal_mask(3)) and painter.mask.dtype == torch.bool
    mask = torch.tensor([[1, 0, 1], [0, 0, 0], [1, 1, 1]]).bool()
    assert torch.equal(MaskPainter(SCORES, TOKENS, mask).mask, mask)
    painter.mask = mask.numpy()
    assert torch.equal(painter.mask, mask)
    painter.set_state({"cells": [[True] * 3] * 3})  # as the page sends it
    assert painter.mask.all()
    with pytest.raises(ValueError, match="got int64"):
        painter.mask = np.ones((3, 3), dtype="int64")
    assert painter.mask.all()  # a wrong mask leaves the old one


def test_the_weights_are_those_of_the_course_and_the_text_names_the_rows_with_nothing_open():
    mask = torch.tensor([[1, 0, 1], [0, 0, 0], [1, 1, 1]]).bool()
    painter = MaskPainter(SCORES, TOKENS, mask)
    assert torch.allclose(painter._weights(), softmax(SCORES.masked_fill(~mask, -torch.inf)))
    hidden = MaskPainter(SCORES.masked_fill(~causal_mask(3), -torch.inf), TOKENS, torch.ones(3, 3).bool())
    assert hidden._weights()[0].tolist() == [1.0, 0.0, 0.0]  # what is hidden already stays hidden
    mask = causal_mask(3)
    mask[1] = False
    text = "MaskPainter: 3 queries x 3 keys, 0.44 of the cells open; rows with nothing open: cat"
    assert repr(MaskPainter(SCORES, TOKENS, mask)) == text
    assert repr(MaskPainter(SCORES, TOKENS)).endswith("0.67 of the cells open; rows with nothing open: none")

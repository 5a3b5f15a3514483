"""Test the retrieval tasks of trainable_qkv and several_heads: each question has one answer among the carriers."""

import pytest
import torch

from course_utils import data

tasks = pytest.mark.parametrize("draw, width, marks", [(data.retrieval_batch, 16, 1), (data.two_marks_batch, 26, 2)])


@tasks
def test_every_asker_finds_the_payloads_of_its_marks_in_its_order_with_one_carrier_each(draw, width, marks):
    torch.manual_seed(0)
    batch, asked = draw(200), set()
    assert batch.inputs.shape == (200, 8, width) and batch.targets.shape == ((200, 3), (200, 3, 2))[marks - 1]
    for inputs, targets in zip(batch.inputs, batch.targets.view(200, 3, marks).tolist(), strict=True):
        *carriers, first, second, third = data.retrieval_labels(inputs)
        payload_of = dict(label.split(":") for label in carriers)
        assert len(payload_of) == 5  # no two marks alike
        for asker, payloads in zip((first, second, third), targets, strict=True):
            assert len({*asker}) == len(asker) == marks + 1 and asker[-1] == "?"
            assert [int(payload_of[mark]) for mark in asker[:-1]] == payloads
            asked.add(asker)
    assert marks == 1 or {"AB?", "BA?"} <= asked  # both orders occur


@tasks
def test_a_token_has_the_numbers_its_label_says(draw, width, marks):
    torch.manual_seed(0)
    carriers, askers = draw(50).inputs.split([5, 3], dim=1)
    assert carriers[..., :15].sum(dim=-1).unique().tolist() == [2.0] and not carriers[..., 15:].any()
    assert askers.sum(dim=-1).unique().tolist() == [marks + 1.0]  # the marks, and the 1 of all askers
    assert askers[..., 15].all() and not askers[..., 10:15].any()

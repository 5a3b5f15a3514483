"""Test the retrieval tasks of trainable_qkv and several_heads: each question has one answer among the carriers."""

import torch

from course_utils import data


def test_every_asker_finds_its_payload_with_exactly_one_carrier():
    torch.manual_seed(0)
    batch = data.retrieval_batch(200)
    assert batch.inputs.shape == (200, 8, 16) and batch.targets.shape == (200, 3)
    for inputs, targets in zip(batch.inputs, batch.targets, strict=True):
        *carriers, first, second, third = data.retrieval_labels(inputs)
        payload_of = dict(label.split(":") for label in carriers)
        assert len(payload_of) == 5  # no two marks alike
        assert [int(payload_of[asker[0]]) for asker in (first, second, third)] == targets.tolist()


def test_a_token_has_the_numbers_its_label_says():
    torch.manual_seed(0)
    inputs = data.retrieval_batch(1).inputs[0]
    assert inputs.sum(dim=-1).tolist() == [2.0] * 8  # a carrier: mark and payload; an asker: mark and the final 1
    assert inputs[:, 15].tolist() == [0.0] * 5 + [1.0] * 3


def test_every_asker_with_two_marks_finds_both_payloads_in_its_order():
    torch.manual_seed(0)
    batch = data.two_marks_batch(200)
    assert batch.inputs.shape == (200, 8, 26) and batch.targets.shape == (200, 3, 2)
    asked = set()
    for inputs, targets in zip(batch.inputs, batch.targets, strict=True):
        *carriers, first, second, third = data.retrieval_labels(inputs)
        payload_of = dict(label.split(":") for label in carriers)
        for asker, digits in zip((first, second, third), targets.tolist(), strict=True):
            assert len(asker) == 3 and asker[0] != asker[1]
            assert [int(payload_of[mark]) for mark in asker[:2]] == digits
            asked.add(asker[:2])
    assert ("AB" in asked) and ("BA" in asked)  # both orders occur


def test_a_token_of_the_task_with_two_marks_has_the_numbers_its_label_says():
    torch.manual_seed(0)
    inputs = data.two_marks_batch(50).inputs
    assert inputs[:, :5].sum(dim=-1).unique().tolist() == [2.0]  # a carrier has a mark and a payload
    assert inputs[:, 5:].sum(dim=-1).unique().tolist() == [3.0]  # an asker has two marks and the 1 of all askers
    assert inputs[:, :5, 16:].sum() == 0 and inputs[:, 5:, 10:15].sum() == 0

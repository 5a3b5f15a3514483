"""Test that the model of watch_heads_learn equals its parts in a row. The notebook tests that it learns its task."""

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from course_utils import attention, properties
from course_utils.models import induction


@pytest.fixture
def model():
    torch.manual_seed(0)
    return induction.InductionModel(20, context_length=9, width=12, num_heads=3)


def test_a_segment_repeats_and_what_follows_can_be_known():
    torch.manual_seed(0)
    batch = induction.repeat_batch(200, num_tokens=29)
    assert batch.inputs.shape == batch.targets.shape == batch.known.shape == (200, 29)
    assert torch.equal(batch.inputs[:, 1:], batch.targets[:, :-1])
    lengths = set()
    for inputs, targets, known in zip(*(part.tolist() for part in batch), strict=True):
        length = known.index(True)
        lengths.add(length)
        assert len(set(inputs[:length])) == length  # no token repeats within the segment
        assert all(inputs[i] == inputs[i - length] and known[i] for i in range(length, 29))
        assert targets[length:] == [inputs[i + 1 - length] for i in range(length, 29)]  # one segment earlier
    assert lengths == set(range(6, 16)) and set(batch.inputs.flatten().tolist()) == set(range(20))


def test_the_same_seed_gives_the_same_batch():
    first, second = (torch.manual_seed(5) and induction.repeat_batch(4).inputs for _ in range(2))
    assert torch.equal(first, second)


def test_the_model_is_its_parts_in_a_row(model):
    tokens = torch.randint(20, (2, 7))
    logits, attn_weights = model(tokens)
    assert logits.shape == (2, 7, 20) and attn_weights.shape == (2, 2, 3, 7, 7)
    x = model.embedding(tokens) + model.positions(torch.arange(7))
    for number, layer in enumerate(model.layers):
        assert isinstance(layer.attention, attention.MultiHeadAttention)
        delivered, weights = layer.attention(F.layer_norm(x, (12,)))
        assert_close(weights, attn_weights[:, number])
        x = x + delivered
    assert_close(model.read_out(model.norm(x)), logits)


def test_one_sequence_without_a_batch_is_that_row_of_the_batch(model):
    tokens = torch.randint(20, (3, 7))
    for one, many in zip(model(tokens[1]), model(tokens), strict=True):
        assert_close(one, many[1])


def test_nothing_of_later_tokens_leaks_back(model):
    tokens = torch.randint(20, (2, 7))
    changed = tokens.clone()
    changed[:, 4:] = (changed[:, 4:] + 1) % 20
    assert_close(model(tokens)[0][:, :4], model(changed)[0][:, :4])
    assert not torch.allclose(model(tokens)[0][:, 4:], model(changed)[0][:, 4:])
    assert properties.rows_sum_to_one(model(tokens)[1])


BAD = {
    "a list": ([1, 2], "torch.long, got list"),
    "floats": (torch.rand(3), "torch.long, got torch.float32"),
    "a single number": (torch.tensor(3), r"1 to 9 tokens, got a tensor of shape \(\)"),
    "nothing": (torch.empty(2, 0, dtype=torch.long), r"got a tensor of shape \(2, 0\)"),
    "too many": (torch.zeros(10, dtype=torch.long), r"1 to 9 tokens, got a tensor of shape \(10,\)"),
    "a token too high": (torch.tensor([3, 20]), "between 0 and 19, got 3 to 20"),
    "a negative token": (torch.tensor([-1, 2]), "between 0 and 19, got -1 to 2"),
}


@pytest.mark.parametrize("tokens, words", BAD.values(), ids=BAD)
def test_bad_tokens_are_refused_in_words(model, tokens, words):
    with pytest.raises(ValueError, match=words):
        model(tokens)


@pytest.mark.parametrize("sizes", [{"num_layers": 0}, {"width": 10, "num_heads": 4}, {"context_length": 2.5}])
def test_bad_sizes_are_refused(sizes):
    with pytest.raises(ValueError):
        induction.InductionModel(20, **sizes)
    with pytest.raises(ValueError, match="batch_size must be a whole number of at least 1, got 0"):
        induction.repeat_batch(0)

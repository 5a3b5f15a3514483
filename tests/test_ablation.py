"""A silenced head delivers nothing, and is back to the last bit afterwards."""

import pytest
import torch
from torch import nn

from course_utils.attention import MultiHeadAttention, merge_heads, split_heads
from course_utils.models.ablation import silenced


@pytest.fixture
def attention():
    torch.manual_seed(0)
    return MultiHeadAttention(6, 12, 4)


@pytest.mark.parametrize("heads", [(), (0,), (3,), (1, 2), (2, 2), (0, 1, 2, 3)])
def test_the_output_is_that_of_the_other_heads(attention, heads):
    x = torch.rand(2, 5, 6)
    _, attn_weights = attention(x)
    context_vecs = attn_weights @ split_heads(attention.W_value(x), 4)  # (2, 4, 5, 3)
    context_vecs[:, list(heads)] = 0
    with silenced(attention, *heads) as same:
        assert same is attention
        found, found_weights = attention(x)
    torch.testing.assert_close(found, attention.out_proj(merge_heads(context_vecs)))
    assert torch.equal(found_weights, attn_weights)


def test_the_weight_comes_back_to_the_last_bit_and_in_the_same_memory(attention):
    weight = attention.out_proj.weight
    before, place = weight.detach().clone(), weight.data_ptr()
    with silenced(attention, 1):
        assert (weight[:, 3:6] == 0).all() and torch.equal(weight[:, :3], before[:, :3])
    assert attention.out_proj.weight is weight and weight.data_ptr() == place
    assert torch.equal(weight, before)


def test_after_an_error_too(attention):
    before = attention.out_proj.weight.detach().clone()
    with pytest.raises(RuntimeError, match="stop"), silenced(attention, 0, 2):
        raise RuntimeError("stop")
    assert torch.equal(attention.out_proj.weight, before)


def test_one_inside_another(attention):
    before = attention.out_proj.weight.detach().clone()
    with silenced(attention, 1):
        with silenced(attention, 1, 2):
            assert (attention.out_proj.weight[:, 3:9] == 0).all()
        assert (attention.out_proj.weight[:, 3:6] == 0).all()
        assert torch.equal(attention.out_proj.weight[:, 6:9], before[:, 6:9])
    assert torch.equal(attention.out_proj.weight, before)


def test_gradients_are_kept_as_they_were_asked_for(attention):
    with silenced(attention, 0):
        attention(torch.rand(5, 6))[0].sum().backward()
    assert attention.out_proj.weight.requires_grad and attention.W_value.weight.grad is not None


@pytest.mark.parametrize("head", [-1, 4, 1.0, "1", True, None])
def test_a_head_that_is_not_there(attention, head):
    with pytest.raises(ValueError, match="a whole number from 0 to 3, got"), silenced(attention, head):
        pass


def test_a_module_without_heads():
    with pytest.raises(ValueError, match=r"got Linear: of a model, take model.layers\[i\].attention"):
        with silenced(nn.Linear(2, 2), 0):
            pass

"""Test that an ablated head contributes nothing, that no weight is changed, and that all is as before afterwards."""

import contextlib
import copy

import pytest
import torch
from torch import nn

from course_utils.attention import MultiHeadAttention
from course_utils.models.ablation import ablated, silenced


@pytest.fixture
def attention():
    torch.manual_seed(0)
    return MultiHeadAttention(6, 12, 4)


def overwritten(attention, heads):
    """Return a copy of the layer with zeros in the columns of out_proj.weight that read these heads.

    The notebook real_heads does the same by hand.
    """
    other = copy.deepcopy(attention)
    with torch.no_grad():
        other.out_proj.weight.view(12, 4, 3)[:, list(heads)] = 0  # (d_out, num_heads, head_dim)
    return other


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("heads", [(), (3,), (1, 2), (2, 2), (0, 1, 2, 3)])
def test_the_numbers_are_those_of_zeros_in_the_weight(attention, heads, need_weights):
    x = torch.rand(2, 5, 6)
    expected = overwritten(attention, heads)(x, need_weights=need_weights)
    with ablated(attention, *heads) as same:
        assert same is attention
        found = attention(x, need_weights=need_weights)
    assert torch.equal(found[0], expected[0])
    assert torch.equal(found[1], expected[1]) if need_weights else found[1] is None


def test_no_weight_is_touched_meanwhile_or_afterwards(attention):
    before = {name: (kept.data_ptr(), kept.clone()) for name, kept in attention.state_dict().items()}

    def untouched():
        now = attention.state_dict()
        return now.keys() == before.keys() and all(
            now[name].data_ptr() == place and torch.equal(now[name], kept) for name, (place, kept) in before.items()
        )

    with ablated(attention, 1):
        attention(torch.rand(5, 6))
        assert untouched()
    assert untouched()


@pytest.mark.parametrize("error", [None, RuntimeError("stop")])
def test_all_heads_are_back_afterwards_and_after_an_error_too(attention, error):
    x = torch.rand(5, 6)
    before, _ = attention(x)
    with contextlib.suppress(RuntimeError), ablated(attention, 0, 2):
        assert not torch.equal(attention(x)[0], before)
        if error:
            raise error
    assert torch.equal(attention(x)[0], before)


def test_one_inside_another(attention):
    x = torch.rand(5, 6)
    before, _ = attention(x)
    with ablated(attention, 1):
        with ablated(attention, 1, 2):
            assert torch.equal(attention(x)[0], overwritten(attention, [1, 2])(x)[0])
        assert torch.equal(attention(x)[0], overwritten(attention, [1])(x)[0])
    assert torch.equal(attention(x)[0], before)


def test_gradients_flow_through_the_heads_that_deliver_and_no_others(attention):
    with ablated(attention, 1):
        attention(torch.rand(5, 6))[0].sum().backward()
    read = attention.out_proj.weight.grad.view(12, 4, 3).abs().sum(dim=(0, 2))  # (num_heads,)
    made = attention.W_value.weight.grad.view(4, 3, 6).abs().sum(dim=(1, 2))
    assert (read > 0).tolist() == (made > 0).tolist() == [True, False, True, True]


def test_a_caller_without_gradients_gets_none(attention):
    with torch.no_grad(), ablated(attention, 0):
        assert not attention(torch.rand(5, 6))[0].requires_grad
    assert attention.out_proj.weight.requires_grad


@pytest.mark.parametrize("head", [-1, 4, 1.0, "1", True, None])
def test_a_head_that_is_not_there(attention, head):
    with pytest.raises(ValueError, match="a whole number from 0 to 3, got"), ablated(attention, head):
        pass


def test_a_module_without_heads():
    with pytest.raises(ValueError, match=r"got Linear: of a model, take model.layers\[i\].attention"):
        with ablated(nn.Linear(2, 2), 0):
            pass


def test_the_older_name_is_the_same_function():
    assert silenced is ablated

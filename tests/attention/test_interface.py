"""Test that course_utils.attention keeps its names and signatures, and that modules load from a stored state dict."""

import inspect

import pytest
import torch
from oracles import assert_same
from small_modules import CONTEXT, MODULES, TOKENS, all_modules, inputs

from course_utils import attention

SIGNATURES = {
    "softmax": "(scores, dim=-1)",
    "scaled_dot_product_attention": "(queries, keys, values, mask=None, dropout=None, scale=None)",
    "causal_mask": "(num_tokens, device=None)",
    "padding_mask": "(valid_lens, num_keys)",
    "split_heads": "(x, num_heads)",
    "merge_heads": "(x)",
    "SelfAttention": "(d_in, d_out, qkv_bias=False)",
    "CausalAttention": "(d_in, d_out, context_length, dropout=0.0, qkv_bias=False)",
    "StackedHeads": "(d_in, head_dim, context_length, num_heads, dropout=0.0, qkv_bias=False)",
    "MultiHeadAttention": (
        "(d_in, d_out, num_heads, *, kdim=None, vdim=None, dropout=0.0, causal=False, qkv_bias=False, out_bias=True, "
        "key_heads=None, rotate=None)"
    ),
    "KeyValueCache": "(most_tokens)",
    "SelfAttention.forward": "(self, x)",
    "CausalAttention.forward": "(self, x)",
    "StackedHeads.forward": "(self, x)",
    "MultiHeadAttention.forward": (
        "(self, queries, keys=None, values=None, *, mask=None, need_weights=True, cache=None)"
    ),
    "KeyValueCache.add": "(self, keys, values)",
}


def public(things):
    return {name: thing for name, thing in things.items() if inspect.getmodule(thing) is attention and name[0] != "_"}


def test_public_names_keep_their_parameters_with_order_and_defaults():
    found = public(vars(attention))
    for name, thing in list(found.items()):
        found |= {f"{name}.{method}": function for method, function in public(vars(thing)).items()}
    assert {name: str(inspect.signature(thing)) for name, thing in found.items()} == SIGNATURES


def test_the_parts_have_the_names_of_the_course():
    linears, of_many_heads = ["W_query.weight", "W_key.weight", "W_value.weight"], attention.MultiHeadAttention
    assert list(attention.SelfAttention(2, 3).state_dict()) == linears
    assert list(attention.CausalAttention(2, 3, 4).state_dict()) == linears
    assert list(of_many_heads(2, 4, 2).state_dict()) == [*linears, "out_proj.weight", "out_proj.bias"]
    assert "out_proj.bias" not in of_many_heads(2, 4, 2, out_bias=False).state_dict()
    assert [name for name, _ in attention.StackedHeads(2, 3, 4, 2).named_children()] == ["heads"]
    assert {"W_query.bias", "W_key.bias", "W_value.bias"} <= of_many_heads(2, 4, 2, qkv_bias=True).state_dict().keys()


def test_the_causal_mask_moves_with_the_module():
    module = attention.CausalAttention(2, 3, 4)
    assert torch.equal(module.causal_mask, attention.causal_mask(4))
    assert module.half().causal_mask.dtype == torch.bool
    assert module.to("meta").causal_mask.device.type == "meta"


@all_modules
def test_a_module_comes_back_from_its_state_dict(make):
    module, other, x = make().double(), make().double(), inputs()
    assert not torch.equal(module(x)[0], other(x)[0])
    other.load_state_dict(module.state_dict())
    assert torch.equal(module(x)[0], other(x)[0])


@all_modules
def test_only_parameters_are_stored(make):
    module = make(qkv_bias=True)
    assert list(module.state_dict()) == [name for name, _ in module.named_parameters()]


@pytest.mark.parametrize("other_length", [TOKENS, CONTEXT + 5])
@pytest.mark.parametrize("name", ["CausalAttention", "StackedHeads"])
def test_what_is_stored_fits_another_context_length(name, other_length):
    module = MODULES[name]()
    sizes = list(MODULES[name].args)
    sizes[2] = other_length
    other = type(module)(*sizes)
    other.load_state_dict(module.state_dict())
    x = inputs().float()
    assert_same(other(x)[0], module(x)[0])

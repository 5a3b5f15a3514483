"""Test that the modules drop weights in training, and only in training."""

import math

import pytest
import torch
from oracles import assert_same
from small_modules import CONTEXT, D_IN, D_OUT, HEADS, MODULES, TOKENS, inputs, kernels, numbers

from course_utils.attention import CausalAttention, MultiHeadAttention


@pytest.mark.parametrize("name", [name for name in MODULES if name != "SelfAttention"])
def test_the_weights_of_training_are_those_after_dropout(name):
    module, x = MODULES[name](dropout=0.2).double(), numbers(40, TOKENS, D_IN)
    kept, dropped = module.eval()(x)[1], module.train()(x)[1]
    assert ((dropped == 0) | ((dropped - kept / 0.8).abs() < 1e-12)).all()
    share = (dropped[kept > 0] == 0).double().mean()
    assert 0.1 < share < 0.3


def test_the_context_vectors_of_training_use_the_weights_returned():
    module, x = CausalAttention(D_IN, D_OUT, CONTEXT, dropout=0.5).double(), inputs()
    context_vecs, attn_weights = module(x)
    assert_same(context_vecs, attn_weights @ module.W_value(x))


@kernels
def test_multi_head_attention_drops_in_training_only(need_weights):
    module, x = MultiHeadAttention(D_IN, D_OUT, HEADS, dropout=0.5).double(), inputs()
    first, second = (module(x, need_weights=need_weights)[0] for _ in range(2))
    assert not torch.equal(first, second)
    module.eval()
    first, second = (module(x, need_weights=need_weights)[0] for _ in range(2))
    assert torch.equal(first, second)


@kernels
def test_dropout_keeps_the_average(need_weights):
    module, x = MultiHeadAttention(D_IN, D_OUT, HEADS, dropout=0.5).double(), inputs()[:1]
    many = module(x.expand(4000, -1, -1), need_weights=need_weights)[0]
    standard_error = many.std(dim=0) / math.sqrt(len(many))
    assert ((many.mean(dim=0) - module.eval()(x)[0][0]).abs() < 5 * standard_error).all()

"""Test attention that returns its weights: its memory, its derivatives, its precision, and torch.func on it."""

import pytest
import torch
import torch.nn.functional as F
from oracles import assert_same
from small_modules import D_IN, D_OUT, HEADS, MODULES, inputs, numbers
from torch.autograd import gradcheck, gradgradcheck

from course_utils.attention import MultiHeadAttention, causal_mask, scaled_dot_product_attention
from course_utils.measure import peak_bytes

EMPTY_ROW = torch.tensor([[True, False, True], [False, False, False]])
half = pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])


@pytest.mark.parametrize("check", [gradcheck, gradgradcheck])
@pytest.mark.parametrize("key_heads", [1, 2])
def test_first_and_second_derivatives_of_a_causal_layer(check, key_heads):
    module = MultiHeadAttention(3, 4, 2, causal=True, qkv_bias=True, key_heads=key_heads).double()
    assert check(module, (numbers(2, 3, 3, requires_grad=True),))


def test_second_derivatives_where_a_query_has_no_key():
    leaves = [numbers(2, rows, width, requires_grad=True) for rows, width in [(2, 4), (3, 4), (3, 2)]]
    assert gradgradcheck(lambda *qkv: scaled_dot_product_attention(*qkv, EMPTY_ROW), leaves)


def test_the_gradient_of_a_query_without_a_key_is_never_nan_on_its_way():
    queries, keys, values = numbers(2, 4, requires_grad=True), numbers(3, 4), numbers(3, 2)
    with torch.autograd.detect_anomaly(check_nan=True):  # raises an error at the first nan
        context_vecs, attn_weights = scaled_dot_product_attention(queries, keys, values, EMPTY_ROW)
        (context_vecs.sum() + attn_weights.square().sum()).backward()
    assert not queries.grad[1].any() and queries.grad[0].any()


def test_the_scores_and_values_behind_a_mask_may_be_huge():
    queries, keys, values = torch.ones(2, 3), torch.ones(4, 3), torch.randn(4, 2)
    mask = torch.tensor([True, True, False, True])
    before = scaled_dot_product_attention(queries, keys, values, mask)
    keys[2], values[2] = 3e38, -3e38  # finite, and the scores are not
    assert_same(scaled_dot_product_attention(queries, keys, values, mask)[0], before[0])


def test_one_call_for_many_masks():
    queries, keys, values = numbers(2, 4, 5), numbers(2, 3, 5), numbers(2, 3, 2)
    masks = torch.rand(7, 4, 3) < 0.5
    together = torch.func.vmap(lambda mask: scaled_dot_product_attention(queries, keys, values, mask))(masks)
    alone = [scaled_dot_product_attention(queries, keys, values, mask) for mask in masks]
    for got, want in zip(together, zip(*alone, strict=True), strict=True):
        assert_same(got, torch.stack(want))


def test_a_gradient_for_each_text_and_one_forward_in_its_direction():
    module, x = MODULES["MultiHeadAttention, causal"]().double(), inputs()

    def loss(text):
        return module(text)[1].square().sum() + module(text)[0].sum()

    together = torch.func.vmap(torch.func.grad(loss))(x)
    assert_same(together, torch.stack([torch.func.grad(loss)(text) for text in x]))
    _, change = torch.func.jvp(loss, (x[0],), (together[0],))
    assert_same(change, together[0].square().sum())


def test_dropout_of_a_causal_layer_draws_as_torch_does():
    module, x = MultiHeadAttention(D_IN, D_OUT, HEADS, causal=True, dropout=0.5).double(), inputs()
    kept = module.eval()(x)[1]
    torch.manual_seed(3)
    dropped = module.train()(x)[1]
    torch.manual_seed(3)
    assert_same(dropped, F.dropout(kept, 0.5))


@half
def test_a_half_precision_layer_is_near_the_double_one(dtype):
    module, x = MultiHeadAttention(16, 16, 2, causal=True).to(dtype), torch.randn(2, 9, 16, dtype=dtype)
    open_mask = torch.ones(9, 9, dtype=torch.bool)
    for mask in (None, open_mask):
        got = module.to(dtype)(x, mask=mask)
        want = module.double()(x.double(), mask=mask)
        for ours, exact in zip(got, want, strict=True):
            assert ours.dtype == dtype
            assert (ours - exact).abs().max() < 4 * torch.finfo(dtype).eps


def test_scores_that_float16_holds_only_when_scaled():
    x = torch.full((1, 3, 64), 40.0, dtype=torch.float16)  # 64 * 40 * 40 is above 65,504, the largest float16
    module = MultiHeadAttention(64, 64, 1, causal=True).half()
    with torch.no_grad():
        for layer in (module.W_query, module.W_key, module.W_value):
            layer.weight.copy_(torch.eye(64))
    want = (causal_mask(3) / torch.tensor([[1.0], [2.0], [3.0]])).half()
    for attn_weights in (module(x)[1][0, 0], scaled_dot_product_attention(x[0], x[0], x[0], causal_mask(3))[1]):
        assert_same(attn_weights.float(), want.float())


def test_what_a_layer_with_weights_holds_at_one_time():
    num_heads, num_tokens = 4, 256
    layer, x = MultiHeadAttention(16, 16, num_heads, causal=True), torch.randn(1, num_tokens, 16)
    table = num_heads * num_tokens**2 * x.element_size()  # bytes of the weights, beside which all else is small

    def train(x):
        context_vecs, attn_weights = layer(x)
        context_vecs.sum().backward()
        return attn_weights

    with torch.no_grad():
        assert 2 <= peak_bytes(layer, x) / table < 2.5  # the scores and the weights
    assert 3 <= peak_bytes(train, x) / table < 3.5  # the weights, and the gradients of both

"""Test that softmax, scaled_dot_product_attention, masks and heads give PyTorch's numbers."""

from functools import partial

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from oracles import assert_same, cases, left_unchanged, single_cases, torch_attention
from small_modules import numbers

from course_utils.attention import causal_mask, merge_heads, padding_mask, softmax, split_heads
from course_utils.attention import scaled_dot_product_attention as attention


@cases(60)
@given(
    shape=st.lists(st.integers(1, 5), min_size=1, max_size=4, unique=True),
    size=st.sampled_from([1, 30, 1000]),
    dtype=st.sampled_from([torch.float32, torch.float64]),
    data=st.data(),
)
def test_softmax_is_torch_softmax_and_zero_where_torch_has_nan(shape, size, dtype, data):
    dim = data.draw(st.integers(-len(shape), len(shape) - 1))
    scores = (torch.randn(shape, dtype=dtype) * size).masked_fill(torch.rand(shape) < 0.4, -torch.inf)
    with left_unchanged(scores):
        weights = softmax(scores, dim)
    assert_same(weights, torch.softmax(scores, dim).nan_to_num(0.0))


def test_softmax_of_no_scores_is_empty():
    assert softmax(torch.ones(3, 0)).shape == (3, 0)
    assert softmax(torch.ones(0, 3)).shape == (0, 3)


@cases(100)
@given(single_cases())
def test_attention_is_torch_attention(case):
    with left_unchanged(case.queries, case.keys, case.values, case.mask):
        got = attention(case.queries, case.keys, case.values, case.mask, scale=case.scale)
    want = torch_attention(case.queries, case.keys, case.values, case.mask, case.scale)
    assert_same(got[0], want[0])
    assert_same(got[1], want[1])


@cases(60)
@given(single_cases())
def test_attention_has_the_gradients_of_torch_attention(case):
    leaves = [x.requires_grad_() for x in (case.queries, case.keys, case.values)]
    ours, _ = attention(*leaves, case.mask, scale=case.scale)
    theirs, _ = torch_attention(*leaves, case.mask, case.scale)
    direction = torch.randn_like(ours)
    got, want = (torch.autograd.grad(out, leaves, direction) for out in (ours, theirs))
    for mine, torchs in zip(got, want, strict=True):
        size = torchs.abs().max().clamp(min=1)  # keys shared by all samples have large gradients
        assert_same(mine / size, torchs / size)


def test_attention_to_no_keys_at_all_gives_zeros():
    context_vecs, attn_weights = attention(numbers(3, 5), numbers(0, 5), numbers(0, 2))
    assert context_vecs.shape == (3, 2) and not context_vecs.any()
    assert attn_weights.shape == (3, 0)


def test_attention_applies_dropout_to_the_weights_it_returns():
    queries, keys, values = numbers(3, 5), numbers(4, 5), numbers(4, 2)
    weights = torch_attention(queries, keys, values)[1]
    context_vecs, attn_weights = attention(queries, keys, values, dropout=lambda w: w * 10)
    assert_same(attn_weights, weights * 10)
    assert_same(context_vecs, weights @ values * 10)


def test_causal_mask_lets_each_token_see_itself_and_the_past():
    assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]
    assert causal_mask(1).tolist() == [[True]]
    assert causal_mask(2, device="meta").device.type == "meta"


@pytest.mark.parametrize("kind", [list, tuple, torch.tensor, partial(torch.tensor, dtype=torch.int32)])
def test_padding_mask_lets_through_the_first_keys_of_each_sample(kind):
    mask = padding_mask(kind([2, 0, 3]), 3)
    assert mask.shape == (3, 1, 1, 3) and mask.dtype == torch.bool
    assert mask[:, 0, 0].tolist() == [[True, True, False], [False, False, False], [True, True, True]]


@pytest.mark.parametrize("leading", [(), (2,), (2, 5)])
def test_split_and_merge_are_view_and_transpose_and_inverses(leading):
    x = numbers(*leading, 4, 6)
    heads = split_heads(x, 3)
    assert torch.equal(heads, x.view(*leading, 4, 3, 2).transpose(-3, -2))
    assert torch.equal(merge_heads(heads), x)
    assert torch.equal(split_heads(merge_heads(heads), 3), heads)

"""Test that softmax, scaled_dot_product_attention, masks and heads give PyTorch's numbers."""

from functools import partial

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from oracles import assert_same, attention_by_hand, cases, left_unchanged, single_cases, torch_attention
from small_modules import numbers
from torch.autograd import gradcheck

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


def test_softmax_takes_scores_of_a_thousand():
    assert_same(softmax(torch.tensor([1000.0, 999.0, -1000.0])), torch.softmax(torch.tensor([1.0, 0.0, -2000.0]), -1))


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


matrices = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(st.floats(-3, 3), min_size=width, max_size=width), min_size=1, max_size=4)
)


@cases(60)
@given(queries=matrices, data=st.data())
def test_attention_is_the_formula_in_plain_python(queries, data):
    width = len(queries[0])
    rows = st.lists(st.floats(-3, 3), min_size=width, max_size=width)
    keys = data.draw(st.lists(rows, min_size=1, max_size=5))
    values = [[sum(key), key[0] + 1, 2.0 * i] for i, key in enumerate(keys)]
    flags = st.lists(st.booleans(), min_size=len(keys), max_size=len(keys))
    mask = data.draw(st.lists(flags, min_size=len(queries), max_size=len(queries)))
    tensors = [torch.tensor(rows, dtype=torch.float64) for rows in (queries, keys, values)]
    got = attention(*tensors, mask=torch.tensor(mask))
    for tensor, by_hand in zip(got, attention_by_hand(queries, keys, values, mask), strict=True):
        assert_same(tensor, torch.tensor(by_hand, dtype=torch.float64))


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


def test_gradcheck_of_softmax():
    allowed = torch.tensor([[True, False, True], [False, False, False]])
    assert gradcheck(
        lambda scores: softmax(scores.masked_fill(~allowed, -torch.inf)), numbers(2, 3, requires_grad=True)
    )
    assert gradcheck(partial(softmax, dim=0), numbers(2, 3, requires_grad=True))


def test_gradcheck_of_attention():
    mask = torch.tensor([[True, False, True], [False, False, False]])
    leaves = [numbers(2, rows, width, requires_grad=True) for rows, width in [(2, 4), (3, 4), (3, 2)]]
    assert gradcheck(partial(attention, mask=mask), leaves)


def test_causal_mask_lets_each_token_see_itself_and_the_past():
    assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]
    assert causal_mask(1).tolist() == [[True]]
    assert causal_mask(2, device="meta").device.type == "meta"


@cases(30)
@given(single_cases())
def test_causal_mask_is_what_torch_calls_is_causal(case):
    num_tokens = case.queries.shape[-2]
    keys, values = case.queries + 1, case.queries * 2
    got, _ = attention(case.queries, keys, values, causal_mask(num_tokens))
    assert_same(got, F.scaled_dot_product_attention(case.queries, keys, values, is_causal=True))


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

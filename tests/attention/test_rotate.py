"""Test the rotary positions of MultiHeadAttention: both customs of pairs, with a cache and without, and refusals."""

import re

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from oracles import assert_same, cases, left_unchanged
from small_modules import kernels, numbers

from course_utils.attention import KeyValueCache, MultiHeadAttention, merge_heads, split_heads


def speeds(head_dim):
    return 100.0 ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)


def neighbours(x, places):
    angles = (places[:, None] * speeds(x.shape[-1])).to(x.dtype)
    first, second = x[..., 0::2], x[..., 1::2]
    pairs = first * angles.cos() - second * angles.sin(), first * angles.sin() + second * angles.cos()
    return torch.stack(pairs, dim=-1).flatten(-2)


def halves(x, places):
    angles = (places[:, None] * speeds(x.shape[-1])).to(x.dtype)
    first, second = x.chunk(2, dim=-1)
    pairs = first * angles.cos() - second * angles.sin(), first * angles.sin() + second * angles.cos()
    return torch.cat(pairs, dim=-1)


CUSTOMS = {"neighbours": neighbours, "halves": halves}
customs = pytest.mark.parametrize("custom", CUSTOMS)


# The oracle: rows turned one at a time, as complex numbers. x: (..., num_tokens, head_dim). first: the first place.
def turned_row_by_row(custom, x, first=0):
    rows = []
    for place, row in enumerate(x.unbind(-2), first):
        turn = torch.polar(torch.ones(x.shape[-1] // 2, dtype=torch.float64), place * speeds(x.shape[-1]))
        even, odd = (row[..., 0::2], row[..., 1::2]) if custom == "neighbours" else row.double().chunk(2, dim=-1)
        pairs = torch.complex(even.double(), odd.double()) * turn
        parts = [pairs.real, pairs.imag]
        rows.append(torch.stack(parts, -1).flatten(-2) if custom == "neighbours" else torch.cat(parts, -1))
    return torch.stack(rows, dim=-2).to(x.dtype)


# Return what a module with rotate=CUSTOMS[custom] must give, from PyTorch's own attention.
def by_torch(module, custom, text, mask):
    queries, keys, values = (
        split_heads(layer(text), heads)
        for layer, heads in (
            (module.W_query, module.num_heads),
            (module.W_key, module.key_heads),
            (module.W_value, module.key_heads),
        )
    )
    queries, keys = turned_row_by_row(custom, queries), turned_row_by_row(custom, keys)
    if module.causal:
        causal = torch.ones(text.shape[-2], text.shape[-2], dtype=torch.bool).tril()
        mask = causal if mask is None else mask & causal
    return module.out_proj(merge_heads(F.scaled_dot_product_attention(queries, keys, values, mask, enable_gqa=True)))


@st.composite
def rotary_cases(draw):
    """Draw (custom, a MultiHeadAttention that turns by it, a text (…, num_tokens, 7), mask or None, piece lengths)."""
    dtype = draw(st.sampled_from([torch.float32, torch.float64]))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**32 - 1)))
    custom = draw(st.sampled_from(list(CUSTOMS)))
    num_heads, key_heads = draw(st.sampled_from([(1, 1), (3, 3), (4, 2), (6, 1)]))
    options = dict(key_heads=key_heads, causal=draw(st.booleans()), qkv_bias=draw(st.booleans()))
    d_out = num_heads * 2 * draw(st.integers(1, 3))
    module = MultiHeadAttention(7, d_out, num_heads, rotate=CUSTOMS[custom], **options).to(dtype)
    pieces = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    leading, num_tokens = draw(st.lists(st.integers(1, 3), max_size=2)), sum(pieces)
    text = torch.randn(*leading, num_tokens, 7, generator=generator, dtype=dtype)
    mask = torch.rand(num_tokens, num_tokens, generator=generator) < 0.7 if draw(st.booleans()) else None
    return custom, module, text, mask, pieces


@cases(80)
@given(rotary_cases())
def test_turned_queries_and_keys_are_those_of_complex_numbers(case):
    custom, module, text, mask, _ = case
    want = by_torch(module, custom, text, mask)
    with left_unchanged(text, mask):
        explicit, attn_weights = module(text, mask=mask)
        fused, nothing = module(text, mask=mask, need_weights=False)
    assert_same(explicit, want)
    assert_same(fused, want)
    assert nothing is None and attn_weights.shape == (*text.shape[:-2], module.num_heads, *2 * text.shape[-2:-1])


@cases(60)
@given(rotary_cases())
def test_places_go_on_after_those_in_the_cache(case):
    custom, module, text, mask, pieces = case
    module.causal = True
    want = module(text, mask=mask)
    for need_weights in (True, False):
        cache, start = KeyValueCache(text.shape[-2]), 0
        for piece in pieces:
            end = start + piece
            options = dict(mask=None if mask is None else mask[start:end, :end], need_weights=need_weights)
            context_vecs, attn_weights = module(text[..., start:end, :], cache=cache, **options)
            assert_same(context_vecs, want[0][..., start:end, :])
            if need_weights:
                assert_same(attn_weights, want[1][..., start:end, :end])
            start = end
        assert_same(cache._keys, turned_row_by_row(custom, split_heads(module.W_key(text), module.key_heads)).detach())


@customs
def test_the_first_place_changes_no_weight(custom):
    """Rotary scores depend on distances alone: a text that begins at place 100 has the same weights."""
    module, text = MultiHeadAttention(5, 12, 3, rotate=CUSTOMS[custom]).double(), numbers(2, 4, 5)
    _, attn_weights = module(text)
    module.rotate = lambda x, places: CUSTOMS[custom](x, places + 100)
    assert_same(module(text)[1], attn_weights)
    module.rotate = None
    assert not torch.allclose(module(text)[1], attn_weights)


def test_the_customs_differ_and_reordered_rows_make_them_equal():
    torch.manual_seed(0)
    module, text = MultiHeadAttention(5, 12, 3, rotate=neighbours).double(), numbers(2, 4, 5)
    want = module(text)[0]
    module.rotate = halves
    assert not torch.allclose(module(text)[0], want)
    with torch.no_grad():
        for layer in (module.W_query, module.W_key):
            layer.weight.copy_(layer.weight.view(3, 2, 2, 5).transpose(1, 2).reshape(12, 5))
            layer.bias = None
    assert_same(module(text)[0], want)


def test_queries_and_keys_of_different_lengths_both_begin_at_place_0():
    seen = []

    def record(x, places):
        seen.append((tuple(x.shape), places.tolist()))
        return x

    MultiHeadAttention(5, 12, 6, key_heads=2, rotate=record)(torch.ones(1, 2, 5), torch.ones(1, 3, 5))
    assert seen == [((1, 6, 2, 2), [0, 1]), ((1, 2, 3, 2), [0, 1, 2])]


@kernels
def test_gradients_flow_through_the_turn(need_weights):
    module, text = MultiHeadAttention(5, 12, 3, causal=True, rotate=neighbours).double(), numbers(1, 4, 5)
    module(text, need_weights=need_weights)[0].sum().backward()
    assert module.W_query.weight.grad.any() and module.W_key.weight.grad.any()


def test_a_turn_that_does_nothing_changes_nothing():
    module, text = MultiHeadAttention(5, 12, 3).double(), numbers(1, 4, 5)
    want = module(text)
    assert module.rotate is None and "rotate" not in " ".join(module.state_dict())
    module.rotate = lambda x, places: x
    assert_same(module(text)[0], want[0])


@pytest.mark.parametrize("wrong", [True, 10_000.0, "halves", torch.ones(2)])
def test_a_rotate_that_is_no_function(wrong):
    with pytest.raises(
        ValueError, match=re.escape(f"rotate must be a function (x, places) -> x, or None, got {wrong!r}")
    ):
        MultiHeadAttention(5, 12, 3, rotate=wrong)


@kernels
@pytest.mark.parametrize(
    ("rotate", "received"),
    [
        (lambda x, places: None, "NoneType"),
        (lambda x, places: (x, x), "tuple"),
        (lambda x, places: x.transpose(-2, -1), "(2, 3, 5, 4), torch.float32"),
        (lambda x, places: x[..., :2], "(2, 3, 4, 2), torch.float32"),
        (lambda x, places: x.double(), "(2, 3, 4, 5), torch.float64"),
    ],
)
def test_a_rotate_that_returns_something_else(rotate, received, need_weights):
    module, cache = MultiHeadAttention(5, 15, 3, causal=True, rotate=rotate), KeyValueCache(4)
    words = f"rotate must return a tensor like the one it is given, (2, 3, 4, 5), torch.float32, got {received}."
    with pytest.raises(ValueError, match=re.escape(words)):
        module(torch.ones(2, 4, 5), need_weights=need_weights, cache=cache)
    assert cache.num_tokens == 0

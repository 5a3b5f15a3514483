"""Test the rotary positions of MultiHeadAttention: both customs of pairs, with a cache and without, and refusals."""

import re
from functools import partial

import pytest
import torch
from hypothesis import given
from oracles import assert_same, cases, left_unchanged, torch_grouped
from small_modules import kernels
from test_shared_and_cached import assert_pieces_are_the_whole, texts_in_pieces

from course_utils.attention import KeyValueCache, MultiHeadAttention, split_heads


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


# The oracle: rows turned one at a time, as complex numbers. x: (..., num_tokens, head_dim). custom: one of the above.
def turned_row_by_row(custom, x):
    rows = []
    for place, row in enumerate(x.double().unbind(-2)):
        turn = torch.polar(torch.ones(x.shape[-1] // 2, dtype=torch.float64), place * speeds(x.shape[-1]))
        even, odd = (row[..., 0::2], row[..., 1::2]) if custom is neighbours else row.chunk(2, dim=-1)
        pairs = torch.complex(even, odd) * turn
        parts = [pairs.real, pairs.imag]
        rows.append(torch.stack(parts, -1).flatten(-2) if custom is neighbours else torch.cat(parts, -1))
    return torch.stack(rows, dim=-2).to(x.dtype)


rotary_cases = texts_in_pieces(turns=[neighbours, halves])


@cases(80)
@given(rotary_cases)
def test_turned_queries_and_keys_are_those_of_complex_numbers(case):
    module, text, _, mask = case
    want = torch_grouped(module, text, text, text, mask, partial(turned_row_by_row, module.rotate))
    with left_unchanged(text, mask):
        explicit, attn_weights = module(text, mask=mask)
        fused, nothing = module(text, mask=mask, need_weights=False)
    assert_same(explicit, want)
    assert_same(fused, want)
    assert nothing is None and attn_weights.shape == (*text.shape[:-2], module.num_heads, *2 * text.shape[-2:-1])


@cases(60)
@given(rotary_cases)
def test_places_go_on_after_those_in_the_cache(case):
    module, text, *_ = case
    cache = assert_pieces_are_the_whole(*case)
    keys = split_heads(module.W_key(text), module.key_heads)
    assert_same(cache._keys, turned_row_by_row(module.rotate, keys).detach())


def test_queries_and_keys_of_different_lengths_both_begin_at_place_0():
    seen = []

    def record(x, places):
        seen.append((tuple(x.shape), places.tolist()))
        return x

    MultiHeadAttention(5, 12, 6, key_heads=2, rotate=record)(torch.ones(1, 2, 5), torch.ones(1, 3, 5))
    assert seen == [((1, 6, 2, 2), [0, 1]), ((1, 2, 3, 2), [0, 1, 2])]


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

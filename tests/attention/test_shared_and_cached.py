"""Test that shared key heads equal repeated ones, and that a cache gives the same numbers as one pass over the text."""

import oracles
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from oracles import assert_both_kernels, assert_same, cases, heads_cases, left_unchanged, with_heads_repeated
from small_modules import kernels, numbers

from course_utils.attention import KeyValueCache, MultiHeadAttention, split_heads


@cases(60)
@given(heads_cases(shared=True))
def test_shared_key_heads_are_torch_attention_with_enable_gqa(case):
    def grouped(module, *x):
        return oracles.torch_grouped(module, *x), oracles.torch_heads(with_heads_repeated(module), *x)[1]

    assert_both_kernels(case, grouped)


@st.composite
def texts_in_pieces(draw, turns=(None,)):
    """Draw (a MultiHeadAttention, a text (…, num_tokens, 7), the numbers of tokens in its pieces, a mask or None).

    turns: functions for the module's rotate, which need an even head_dim, or None.
    """
    dtype = draw(st.sampled_from([torch.float32, torch.float64]))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**32 - 1)))
    rotate = draw(st.sampled_from(turns))
    num_heads, key_heads = draw(st.sampled_from([(1, 1), (3, 3), (4, 2), (6, 1)]))
    d_out = num_heads * draw(st.integers(1, 3)) * (1 if rotate is None else 2)
    options = dict(key_heads=key_heads, causal=draw(st.booleans()), qkv_bias=draw(st.booleans()), rotate=rotate)
    module = MultiHeadAttention(7, d_out, num_heads, **options).to(dtype)
    pieces = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    leading, num_tokens = draw(st.lists(st.integers(1, 3), max_size=2)), sum(pieces)
    text = torch.randn(*leading, num_tokens, 7, generator=generator, dtype=dtype)
    mask = torch.rand(num_tokens, num_tokens, generator=generator) < 0.7 if draw(st.booleans()) else None
    return module, text, pieces, mask


def assert_pieces_are_the_whole(module, text, pieces, mask, spare=0):
    """Read a text in pieces, with either kernel, and compare with one pass over it; return the cache of the last time.

    spare: how many tokens more than the text the cache has room for.
    """
    module.causal = True
    want = module(text, mask=mask)
    for need_weights in (True, False):
        cache, start = KeyValueCache(text.shape[-2] + spare), 0
        for piece in pieces:
            end = start + piece
            options = dict(mask=None if mask is None else mask[start:end, :end], need_weights=need_weights)
            with left_unchanged(text, mask):
                context_vecs, attn_weights = module(text[..., start:end, :], cache=cache, **options)
            assert_same(context_vecs, want[0][..., start:end, :])
            if need_weights:
                assert_same(attn_weights, want[1][..., start:end, :end])
            start = cache.num_tokens
            assert start == end
    return cache


@cases(60)
@given(texts_in_pieces(), st.integers(0, 3))
def test_a_text_in_pieces_is_the_text_in_one_pass(case, spare):
    assert_pieces_are_the_whole(*case, spare)


@kernels
def test_room_is_made_once_and_written_in_place(need_weights):
    module, cache = MultiHeadAttention(5, 6, 3, causal=True, key_heads=1).double(), KeyValueCache(9)
    text, places = numbers(2, 9, 5), set()
    for token in text.split(1, dim=1):
        module(token, cache=cache, need_weights=need_weights)
        places.add((cache._keys.data_ptr(), cache._values.data_ptr()))
    assert len(places) == 1
    assert cache._keys.shape == cache._values.shape == (2, 1, 9, 2)  # the last axes: one key head, 9 tokens, 2 features
    assert_same(cache._keys, split_heads(module.W_key(text), 1).detach())


@kernels
def test_what_is_kept_has_no_gradient(need_weights):
    module, cache = MultiHeadAttention(5, 6, 3, causal=True).double(), KeyValueCache(4)
    for token in numbers(2, 4, 5).split(1, dim=1):
        context_vec, _ = module(token, cache=cache, need_weights=need_weights)
    assert not cache._keys.requires_grad and not cache._values.requires_grad
    context_vec.sum().backward()  # the output of the last token only
    assert module.W_query.weight.grad is not None and module.W_key.weight.grad is None


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_a_cache_is_as_precise_as_its_layer(dtype):
    module, cache = MultiHeadAttention(8, 8, 2, causal=True).to(dtype), KeyValueCache(3)
    context_vecs, _ = module(torch.ones(1, 3, 8, dtype=dtype), cache=cache, need_weights=False)
    assert context_vecs.dtype == cache._keys.dtype == dtype

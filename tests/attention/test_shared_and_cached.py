"""Test that shared key heads equal repeated ones, and that a cache gives the same numbers as one pass over the text."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from oracles import assert_same, cases, heads_cases, left_unchanged, torch_heads, torch_multihead, with_heads_repeated
from small_modules import kernels, numbers

from course_utils.attention import KeyValueCache, MultiHeadAttention, merge_heads, split_heads


def attended(case, need_weights=True, module=None):
    module = module or case.module
    return module(case.queries, case.keys, case.values, mask=case.mask, need_weights=need_weights)


def keys_and_values(case):
    keys = case.queries if case.keys is None else case.keys
    return keys, keys if case.values is None else case.values


@cases(60)
@given(heads_cases(max_leading=1, d_in_is_d_out=True, shared=True))
def test_shared_key_heads_are_torch_multihead_attention_with_heads_repeated(case):
    if case.mask is not None:
        case.mask[..., 0] = True  # PyTorch's module has nan in rows that may attend to nothing
    context_vecs, attn_weights = torch_multihead(
        with_heads_repeated(case.module), case.queries, *keys_and_values(case), case.mask
    )
    got = attended(case)
    assert_same(got[0], context_vecs)
    assert_same(got[1], attn_weights)
    assert_same(attended(case, need_weights=False)[0], context_vecs)


@cases(60)
@given(heads_cases(max_leading=3, d_in_is_d_out=False, shared=True))
def test_shared_key_heads_are_torch_attention_with_enable_gqa(case):
    module, (keys, values), mask = case.module, keys_and_values(case), case.mask
    if module.causal:
        causal = torch.ones(case.queries.shape[-2], keys.shape[-2], dtype=torch.bool).tril()
        mask = causal if mask is None else mask & causal
    queries, keys, values = (
        split_heads(F.linear(x, layer.weight, layer.bias), heads)
        for x, layer, heads in (
            (case.queries, module.W_query, module.num_heads),
            (keys, module.W_key, module.key_heads),
            (values, module.W_value, module.key_heads),
        )
    )
    by_torch = F.scaled_dot_product_attention(queries, keys, values, mask, enable_gqa=True)
    want = module.out_proj(merge_heads(by_torch))
    with left_unchanged(case.queries, case.keys, case.values, case.mask):
        explicit, attn_weights = attended(case)
        fused, nothing = attended(case, need_weights=False)
    assert_same(explicit, want)
    assert_same(fused, want)
    assert nothing is None
    wide = with_heads_repeated(module)
    assert_same(attn_weights, torch_heads(wide, case.queries, *keys_and_values(case), case.mask)[1])


def test_each_head_of_keys_costs_its_width_alone():
    module = MultiHeadAttention(5, 24, 6, key_heads=2, qkv_bias=True)
    assert [tuple(module.state_dict()[f"{name}.weight"].shape) for name in ("W_query", "W_key", "W_value")] == [
        (24, 5),
        (8, 5),
        (8, 5),
    ]
    assert (module.num_heads, module.key_heads) == (6, 2)


def test_without_key_heads_nothing_is_new():
    torch.manual_seed(3)
    plain = MultiHeadAttention(5, 6, 3)
    torch.manual_seed(3)
    other = MultiHeadAttention(5, 6, 3, key_heads=3)
    assert plain.key_heads == 3 and plain.state_dict().keys() == other.state_dict().keys()
    assert all(torch.equal(plain.state_dict()[name], other.state_dict()[name]) for name in plain.state_dict())


@st.composite
def cached_cases(draw):
    """Draw a causal MultiHeadAttention, a text (…, num_tokens, 7), and the numbers of tokens in its pieces.

    The result is (module, text, pieces, mask or None, spare places of the cache).
    """
    dtype = draw(st.sampled_from([torch.float32, torch.float64]))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**32 - 1)))
    num_heads, key_heads = draw(st.sampled_from([(1, 1), (3, 3), (4, 2), (6, 1)]))
    head_dim, num_tokens = draw(st.integers(1, 5)), draw(st.integers(1, 12))
    leading = draw(st.lists(st.integers(1, 3), max_size=2))
    bias = draw(st.booleans())
    module = MultiHeadAttention(7, num_heads * head_dim, num_heads, causal=True, key_heads=key_heads, qkv_bias=bias)
    pieces, left = [], num_tokens
    while left:
        pieces.append(draw(st.integers(1, left)))
        left -= pieces[-1]
    text = torch.randn(*leading, num_tokens, 7, generator=generator, dtype=dtype)
    mask = torch.rand(num_tokens, num_tokens, generator=generator) < 0.7 if draw(st.booleans()) else None
    return module.to(dtype), text, pieces, mask, draw(st.integers(0, 3))


@cases(60)
@given(cached_cases())
def test_a_text_in_pieces_is_the_text_in_one_pass(case):
    module, text, pieces, mask, spare = case
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


def test_each_text_has_a_cache_of_its_own():
    module, text = MultiHeadAttention(5, 6, 3, causal=True).double(), numbers(1, 4, 5)
    first, second = KeyValueCache(4), KeyValueCache(4)
    module(numbers(1, 4, 5), cache=first)
    assert_same(module(text, cache=second)[0], module(text)[0])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_a_cache_is_as_precise_as_its_layer(dtype):
    module, cache = MultiHeadAttention(8, 8, 2, causal=True).to(dtype), KeyValueCache(3)
    context_vecs, _ = module(torch.ones(1, 3, 8, dtype=dtype), cache=cache, need_weights=False)
    assert context_vecs.dtype == cache._keys.dtype == dtype

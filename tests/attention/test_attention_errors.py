"""Test that wrong input to course_utils.attention raises a ValueError that says what came in and what is needed."""

import re
from functools import partial

import pytest
import torch

from course_utils.attention import (
    CausalAttention,
    KeyValueCache,
    MultiHeadAttention,
    SelfAttention,
    StackedHeads,
    causal_mask,
    merge_heads,
    padding_mask,
    softmax,
    split_heads,
)
from course_utils.attention import scaled_dot_product_attention as attention

BATCH, HEADS, TOKENS, KEYS, D_IN, D_OUT, CONTEXT = 2, 3, 4, 5, 7, 6, 8


def assert_says(words, function, *args, **kwargs):
    with pytest.raises(ValueError, match=re.escape(words)):
        function(*args, **kwargs)


def allowed(*shape):
    return torch.ones(*shape, dtype=torch.bool)


# functions


def test_splitting_and_merging_of_the_wrong_shape():
    assert_says("split_heads needs (..., num_tokens, d_out), got shape (6,)", split_heads, torch.ones(6), 2)
    words = "d_out must be divisible by num_heads, got d_out = 6 and num_heads = 4"
    assert_says(words, split_heads, torch.ones(2, 6), 4)
    assert_says(f"{words}: every head takes an equal share", MultiHeadAttention, D_IN, 6, 4)
    words = "merge_heads needs (..., num_heads, num_tokens, head_dim), got shape (4, 6)"
    assert_says(words, merge_heads, torch.ones(4, 6))


def test_dropout_and_masks_that_are_none():
    x = torch.ones(1, TOKENS, 3)
    assert_says("dropout must be an nn.Dropout, another callable or None, got 0.1", attention, x, x, x, dropout=0.1)
    added = torch.zeros(TOKENS, TOKENS).masked_fill(~causal_mask(TOKENS), -torch.inf)  # its 0 means may attend
    assert_says("got torch.float32: try mask == 0.", attention, x, x, x, added)
    words = "mask of shape (2, 1, 4) does not broadcast to the scores' (1, 4, 4)"  # it would widen an axis
    assert_says(words, attention, x, x, x, mask=allowed(2, 1, TOKENS))
    words, nested = "mask must be a tensor, got list: try torch.as_tensor(mask)", [[True, True], [False, True]]
    assert_says(words, attention, *torch.ones(3, 2, 2), mask=nested)
    assert_says(words, MultiHeadAttention(2, 2, 1), torch.ones(2, 2), mask=nested)


@pytest.mark.parametrize("wrong", [[[1.0]], None, 1.0], ids=["list", "None", "number"])
@pytest.mark.parametrize(
    ("function", "name"),
    [
        (softmax, "scores"),
        (lambda wrong: attention(wrong, torch.ones(4, 2), torch.ones(4, 2)), "queries"),
        (lambda wrong: attention(torch.ones(4, 2), wrong, torch.ones(4, 2)), "keys"),
        (lambda wrong: split_heads(wrong, 2), "x"),
        (merge_heads, "x"),
        (SelfAttention(D_IN, D_OUT), "inputs"),
        (CausalAttention(D_IN, D_OUT, CONTEXT), "inputs"),
        (MultiHeadAttention(D_IN, D_OUT, HEADS), "queries"),
    ],
)
def test_what_is_no_tensor(function, name, wrong):
    assert_says(f"{name} must be a tensor, got {type(wrong).__name__}: try torch.as_tensor({name})", function, wrong)


@pytest.mark.parametrize("dtype", [torch.int64, torch.bool, torch.complex64])
def test_softmax_of_what_is_not_floating_point(dtype):
    assert_says(f"softmax needs floating-point scores, got {dtype}: convert them", softmax, torch.ones(3, dtype=dtype))


@pytest.mark.parametrize(
    ("queries", "keys", "values", "words"),
    [
        ((3,), (5, 3), (5, 3), "need at least two axes (..., num_tokens, width), got queries (3,), keys (5, 3)"),
        ((4, 3), (3,), (5, 3), "need at least two axes (..., num_tokens, width), got queries (4, 3), keys (3,)"),
        ((4, 3), (5, 3), (5,), "need at least two axes (..., num_tokens, width), got queries (4, 3), keys (5, 3), val"),
        ((4, 3), (5, 2), (5, 3), "queries and keys need the same width for a dot product, got queries (4, 3), keys (5"),
        ((4, 3), (5, 3), (6, 3), "every key needs one value, got queries (4, 3), keys (5, 3), values (6, 3)"),
        ((2, 4, 3), (7, 5, 3), (7, 5, 3), "the leading axes of queries, keys and values do not fit together, got quer"),
        ((2, 4, 3), (2, 5, 3), (7, 5, 3), "the leading axes of queries, keys and values do not fit together, got quer"),
    ],
)
def test_queries_keys_and_values_that_do_not_fit(queries, keys, values, words):
    assert_says(words, attention, torch.ones(queries), torch.ones(keys), torch.ones(values))


@pytest.mark.parametrize(
    "dtypes",
    [
        (torch.float32, torch.float64, torch.float32),
        (torch.float32, torch.float32, torch.float64),
        (torch.int64, torch.int64, torch.int64),
    ],
)
def test_queries_keys_and_values_of_wrong_dtypes(dtypes):
    words = "queries, keys and values need one floating-point dtype, got {}, {} and {}".format(*dtypes)
    assert_says(words, attention, *(torch.ones(4, 3, dtype=dtype) for dtype in dtypes))


attend = partial(attention, torch.ones(BATCH, TOKENS, 3), torch.ones(BATCH, KEYS, 3), torch.ones(BATCH, KEYS, 2))


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64, torch.uint8])
def test_a_mask_of_numbers(dtype):
    words = f"mask must be bool with True = may attend, got {dtype}: try mask == 1"
    assert_says(words, attend, mask=torch.ones(TOKENS, KEYS, dtype=dtype))


@pytest.mark.parametrize(
    "shape",
    [
        (KEYS, TOKENS),  # a row is a query
        (TOKENS, 1 + KEYS),
        (3, TOKENS, KEYS),
        (BATCH, 1, 1, KEYS),  # would add an axis to the scores: (2, 2, 4, 5)
        (1, 1, TOKENS, KEYS),
    ],
)
def test_a_mask_that_does_not_broadcast_to_the_scores(shape):
    words = f"mask of shape {shape} does not broadcast to the scores' {(BATCH, TOKENS, KEYS)}"
    assert_says(words, attend, mask=allowed(*shape))


no_sizes = pytest.mark.parametrize("size", [0, -1, 2.0, "2", None, True])


@pytest.mark.parametrize("size", [-1, 2.0, "2", None, True])
def test_masks_of_no_size(size):
    assert_says(f"num_tokens must be a whole number of at least 0, got {size!r}", causal_mask, size)
    assert_says(f"num_keys must be a whole number of at least 0, got {size!r}", padding_mask, [0], size)


@pytest.mark.parametrize(
    ("valid_lens", "words"),
    [
        (3, "valid_lens needs shape (batch,), one length per sample, got ()"),
        ([[1], [2]], "valid_lens needs shape (batch,), one length per sample, got (2, 1)"),
        ([1.0, 2.0], "valid_lens must be whole numbers, got torch.float32"),
        ([True, False], "valid_lens must be whole numbers, got torch.bool"),
        ([1, 6], "valid_lens must lie between 0 and num_keys = 5, got [1, 6]"),
        ([-1, 5], "valid_lens must lie between 0 and num_keys = 5, got [-1, 5]"),
    ],
)
def test_lengths_that_are_none(valid_lens, words):
    assert_says(words, padding_mask, valid_lens, 5)
    assert_says(words, padding_mask, torch.tensor(valid_lens), 5)


@no_sizes
def test_no_heads(size):
    words = f"num_heads must be a whole number of at least 1, got {size!r}"
    assert_says(words, split_heads, torch.ones(2, 6), size)
    assert_says(words, StackedHeads, D_IN, 2, CONTEXT, size)
    assert_says(words, MultiHeadAttention, D_IN, D_OUT, size)


# building a module


@no_sizes
@pytest.mark.parametrize("name", ["d_in", "d_out", "context_length", "kdim", "vdim", "key_heads", "most_tokens"])
def test_sizes_that_are_none(name, size):
    modules = {
        SelfAttention: dict(d_in=D_IN, d_out=D_OUT),
        CausalAttention: dict(d_in=D_IN, d_out=D_OUT, context_length=CONTEXT),
        StackedHeads: dict(d_in=D_IN, head_dim=2, context_length=CONTEXT, num_heads=HEADS),
        MultiHeadAttention: dict(d_in=D_IN, d_out=D_OUT, num_heads=HEADS, kdim=3, vdim=2, key_heads=1),
        KeyValueCache: dict(most_tokens=CONTEXT),
    }
    for module, sizes in modules.items():
        if name not in sizes or (size is None and name in ("kdim", "vdim", "key_heads")):  # None is their default
            continue
        words = f"{name} must be a whole number of at least 1, got {size!r}"
        assert_says(words, module, **{**sizes, name: size})


@no_sizes
def test_heads_of_no_width(size):
    assert_says(f"must be a whole number of at least 1, got {size!r}", StackedHeads, D_IN, size, CONTEXT, HEADS)


@pytest.mark.parametrize("key_heads", [2, 4, 6])
def test_heads_that_do_not_share_the_key_heads(key_heads):
    words = f"num_heads must be divisible by key_heads, got num_heads = 3 and key_heads = {key_heads}: every head of"
    assert_says(words, MultiHeadAttention, D_IN, D_OUT, HEADS, key_heads=key_heads)


@pytest.mark.parametrize("dropout", [-0.1, 1, 1.5, float("nan")])
@pytest.mark.parametrize(
    "make",
    [
        partial(CausalAttention, D_IN, D_OUT, CONTEXT),
        partial(StackedHeads, D_IN, 2, CONTEXT, HEADS),
        partial(MultiHeadAttention, D_IN, D_OUT, HEADS),
    ],
)
def test_dropout_out_of_range(make, dropout):
    words = f"dropout must be a number in [0, 1), the chance of a weight to be dropped, got {dropout!r}"
    assert_says(words, make, dropout=dropout)


# calling a module

SINGLE = [SelfAttention(D_IN, D_OUT), CausalAttention(D_IN, D_OUT, CONTEXT), StackedHeads(D_IN, 2, CONTEXT, HEADS)]
single_modules = pytest.mark.parametrize("module", SINGLE, ids=lambda module: type(module).__name__)


@single_modules
@pytest.mark.parametrize("shape", [(D_IN,), (TOKENS, D_IN + 1), (BATCH, D_IN, TOKENS)])
def test_inputs_of_the_wrong_shape(module, shape):
    assert_says(f"inputs need shape (..., num_tokens, {D_IN}), got {shape}", module, torch.ones(shape))


@single_modules
@pytest.mark.parametrize("dtype", [torch.float64, torch.int64])
def test_inputs_of_another_dtype_than_the_weights(module, dtype):
    words = f"inputs are {dtype}, the module's weights torch.float32: convert one to the other"
    assert_says(words, module, torch.ones(TOKENS, D_IN, dtype=dtype))


@pytest.mark.parametrize("module", SINGLE[1:], ids=lambda module: type(module).__name__)
def test_more_tokens_than_context_length(module):
    words = f"got {CONTEXT + 1} tokens, but context_length is {CONTEXT}: shorten the input"
    assert_says(words, module, torch.ones(BATCH, CONTEXT + 1, D_IN))


kernels = pytest.mark.parametrize("need_weights", [True, False])


@kernels
@pytest.mark.parametrize(
    ("queries", "keys", "values", "words"),
    [
        ((4, 6), (5, 3), (5, 2), "queries need shape (..., num_tokens, 7), got (4, 6)"),
        ((7,), (5, 3), (5, 2), "queries need shape (..., num_tokens, 7), got (7,)"),
        ((4, 7), (5, 7), (5, 2), "keys need shape (..., num_tokens, 3), got (5, 7)"),
        ((4, 7), None, (5, 2), "keys need shape (..., num_tokens, 3), got (4, 7)"),
        ((4, 7), (5, 3), (5, 7), "values need shape (..., num_tokens, 2), got (5, 7)"),
        ((4, 7), (5, 3), None, "values need shape (..., num_tokens, 2), got (5, 3)"),
        ((4, 7), (5, 3), (9, 2), "every key needs one value, got queries (3, 4, 2), keys (3, 5, 2), values (3, 9, 2)"),
        ((2, 4, 7), (9, 5, 3), (9, 5, 2), "the leading axes of queries, keys and values do not fit together, got quer"),
    ],
)
def test_inputs_of_many_heads_that_do_not_fit(queries, keys, values, words, need_weights):
    module = MultiHeadAttention(7, 6, 3, kdim=3, vdim=2)
    tensors = [None if shape is None else torch.ones(shape) for shape in (queries, keys, values)]
    assert_says(words, module, *tensors, need_weights=need_weights)


@pytest.mark.parametrize("name", ["queries", "keys", "values"])
def test_inputs_of_many_heads_of_another_dtype_than_the_weights(name):
    tensors = {each: torch.ones(TOKENS, D_IN) for each in ("queries", "keys", "values")}
    tensors[name] = tensors[name].double()
    words = f"{name} are torch.float64, the module's weights torch.float32: convert one to the other"
    assert_says(words, MultiHeadAttention(D_IN, D_OUT, HEADS), **tensors)


@kernels
def test_causal_with_keys_of_another_length(need_weights):
    module = MultiHeadAttention(D_IN, D_OUT, HEADS, causal=True)
    words = "causal=True needs as many keys as queries, got 5 keys and 4 queries"
    assert_says(words, module, torch.ones(4, D_IN), torch.ones(5, D_IN), need_weights=need_weights)


@kernels
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(
    ("mask", "words"),
    [
        (allowed(TOKENS), "a mask for many heads has two axes (num_queries, num_keys) or four (batch, num_heads"),
        (allowed(BATCH, TOKENS, TOKENS), "else the heads' axis is ambiguous. Got (2, 4, 4)"),
        (allowed(HEADS, TOKENS, TOKENS), "else the heads' axis is ambiguous. Got (3, 4, 4)"),
        (allowed(1, 1, 1, 1, TOKENS), "a mask for many heads has two axes (num_queries, num_keys) or four (batch, num"),
        (allowed(TOKENS, KEYS), "mask of shape (4, 5) does not broadcast to the scores' (2, 3, 4, 4)"),
        (allowed(BATCH, 2, TOKENS, TOKENS), "shape (2, 2, 4, 4) does not broadcast to the scores' (2, 3, 4, 4)"),
        (allowed(HEADS, 1, 1, TOKENS), "mask of shape (3, 1, 1, 4) does not broadcast to the scores' (2, 3, 4, 4)"),
        (torch.ones(TOKENS, TOKENS), "mask must be bool with True = may attend, got torch.float32: try mask == 1"),
    ],
)
def test_a_mask_that_does_not_fit_many_heads(mask, words, causal, need_weights):
    module = MultiHeadAttention(D_IN, D_OUT, HEADS, causal=causal)
    assert_says(words, module, torch.ones(BATCH, TOKENS, D_IN), mask=mask, need_weights=need_weights)


@kernels
def test_a_mask_with_a_batch_for_inputs_without_one(need_weights):
    words = "mask of shape (1, 1, 4, 4) does not broadcast to the scores' (3, 4, 4)"
    module = MultiHeadAttention(D_IN, D_OUT, HEADS)
    assert_says(words, module, torch.ones(TOKENS, D_IN), mask=allowed(1, 1, 4, 4), need_weights=need_weights)


# a cache


def cached(num_tokens=TOKENS, most_tokens=CONTEXT):
    module, cache = MultiHeadAttention(D_IN, D_OUT, HEADS, causal=True), KeyValueCache(most_tokens)
    module(torch.ones(BATCH, num_tokens, D_IN), cache=cache)
    return module, cache


@kernels
@pytest.mark.parametrize("num_new", [1, 3])
def test_a_full_cache(num_new, need_weights):
    module, cache = cached(most_tokens=TOKENS)
    words = f"the cache has room for 4 tokens and holds 4, so {num_new} more do not fit: make room for more"
    assert_says(words, module, torch.ones(BATCH, num_new, D_IN), cache=cache, need_weights=need_weights)
    assert cache.num_tokens == TOKENS


def test_a_cache_of_another_batch_or_layer():
    module, cache = cached()
    words = "a cache is for one layer and one batch, but its tokens had shape (2, 3, 4, 2) before, and {} now"
    assert_says(words.format((1, 3, 1, 2)), module, torch.ones(1, 1, D_IN), cache=cache)
    other = MultiHeadAttention(D_IN, 12, 6, causal=True)
    assert_says(words.format((2, 6, 1, 2)), other, torch.ones(BATCH, 1, D_IN), cache=cache)
    assert cache.num_tokens == TOKENS


def test_a_cache_where_later_tokens_are_seen():
    words = "a cache needs causal=True: else each new token would change the outputs of those before it"
    assert_says(words, MultiHeadAttention(D_IN, D_OUT, HEADS), torch.ones(TOKENS, D_IN), cache=KeyValueCache(CONTEXT))


@pytest.mark.parametrize("wrong", [(None, None), CONTEXT, [1]], ids=["pair", "number", "list"])
def test_what_is_no_cache(wrong):
    module = MultiHeadAttention(D_IN, D_OUT, HEADS, causal=True)
    words = f"cache must be a KeyValueCache, got {type(wrong).__name__}: try KeyValueCache(most_tokens)"
    assert_says(words, module, torch.ones(TOKENS, D_IN), cache=wrong)


@kernels
def test_a_mask_that_leaves_out_the_keys_of_the_cache(need_weights):
    module, cache = cached()
    words = "mask of shape (2, 2) does not broadcast to the scores' (2, 3, 2, 6)"
    assert_says(words, module, torch.ones(BATCH, 2, D_IN), mask=allowed(2, 2), cache=cache, need_weights=need_weights)
    assert cache.num_tokens == TOKENS

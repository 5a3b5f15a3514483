"""Test that wrong input to course_utils.attention raises a ValueError that says what came in and what is needed."""

import re
from functools import partial

import pytest
import torch
from small_modules import kernels
from torch import ones

from course_utils import attention
from course_utils.attention import (
    KeyValueCache,
    MultiHeadAttention,
    causal_mask,
    merge_heads,
    padding_mask,
    split_heads,
)

BATCH, HEADS, TOKENS, KEYS, D_IN, D_OUT, CONTEXT = 2, 3, 4, 5, 7, 6, 8
attend = attention.scaled_dot_product_attention
SelfAttention = partial(attention.SelfAttention, D_IN, D_OUT)
CausalAttention = partial(attention.CausalAttention, D_IN, D_OUT, CONTEXT)
StackedHeads = partial(attention.StackedHeads, D_IN, 2, CONTEXT, HEADS)
ManyHeads = partial(MultiHeadAttention, D_IN, D_OUT, HEADS)
SIZES = {  # each class, with all sizes that it takes
    attention.SelfAttention: dict(d_in=D_IN, d_out=D_OUT),
    attention.CausalAttention: dict(d_in=D_IN, d_out=D_OUT, context_length=CONTEXT),
    attention.StackedHeads: dict(d_in=D_IN, head_dim=2, context_length=CONTEXT, num_heads=HEADS),
    MultiHeadAttention: dict(d_in=D_IN, d_out=D_OUT, num_heads=HEADS, kdim=3, vdim=2, key_heads=1),
    KeyValueCache: dict(most_tokens=CONTEXT),
}


def assert_says(words, function, *args, **kwargs):
    with pytest.raises(ValueError, match=re.escape(words)):
        function(*args, **kwargs)


def allowed(*shape):
    return ones(*shape, dtype=torch.bool)


ADDED = torch.zeros(TOKENS, TOKENS).masked_fill(~causal_mask(TOKENS), -torch.inf)  # its 0 means may attend
NESTED, NO_TENSOR = [[True, True], [False, True]], "mask must be a tensor, got list: try torch.as_tensor(mask)"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: split_heads(ones(6), 2), "split_heads needs (..., num_tokens, d_out), got shape (6,)"),
        (lambda: split_heads(ones(2, 6), 4), "d_out must be divisible by num_heads, got d_out = 6 and num_heads = 4"),
        (lambda: MultiHeadAttention(D_IN, 6, 4), "d_out = 6 and num_heads = 4: every head takes an equal share"),
        (lambda: merge_heads(ones(4, 6)), "merge_heads needs (..., num_heads, num_tokens, head_dim), got shape (4, 6)"),
        (lambda: attend(*ones(3, 1, TOKENS, 3), dropout=0.1),
         "dropout must be an nn.Dropout, another callable or None, got 0.1"),
        (lambda: attend(*ones(3, 1, TOKENS, 3), ADDED), "got torch.float32: try mask == 0."),
        (lambda: attend(*ones(3, 1, TOKENS, 3), allowed(2, 1, TOKENS)),  # it would widen an axis
         "mask of shape (2, 1, 4) does not broadcast to the scores' (1, 4, 4)"),
        (lambda: attend(*ones(3, 2, 2), NESTED), NO_TENSOR),
        (lambda: MultiHeadAttention(2, 2, 1)(ones(2, 2), mask=NESTED), NO_TENSOR),
        (lambda: MultiHeadAttention(7, 6, 3, key_heads=6),
         "num_heads must be divisible by key_heads, got num_heads = 3 and key_heads = 6: every head of"),
        (lambda: MultiHeadAttention(7, 6, 3, key_heads=2), "num_heads = 3 and key_heads = 2: every head of"),
        (lambda: ManyHeads()(ones(TOKENS, D_IN), cache=KeyValueCache(CONTEXT)),
         "a cache needs causal=True: else each new token would change the outputs of those before it"),
        (lambda: ManyHeads(causal=True)(ones(TOKENS, D_IN), cache=(None, None)),
         "cache must be a KeyValueCache, got tuple: try KeyValueCache(most_tokens)"),
        *((lambda dtype=dtype: attention.softmax(ones(3, dtype=dtype)),
           f"softmax needs floating-point scores, got {dtype}: convert them")
          for dtype in (torch.int64, torch.bool, torch.complex64)),
        *((lambda dtypes=dtypes: attend(*(ones(4, 3, dtype=dtype) for dtype in dtypes)),
           "queries, keys and values need one floating-point dtype, got {}, {} and {}".format(*dtypes))
          for dtypes in [(torch.float32, torch.float64, torch.float32), (torch.float32, torch.float32, torch.float64),
                         3 * (torch.int64,)]),
        *((lambda make=make, dropout=dropout: make(dropout=dropout),
           f"dropout must be a number in [0, 1), the chance of a weight to be dropped, got {dropout!r}")
          for make in (CausalAttention, StackedHeads, ManyHeads) for dropout in (-0.1, 1, 1.5, float("nan"))),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_in_words(call, words):
    assert_says(words, call)


@pytest.mark.parametrize("wrong", [[[1.0]], None, 1.0], ids=["list", "None", "number"])
@pytest.mark.parametrize(
    ("function", "name"),
    [
        (attention.softmax, "scores"),
        (lambda wrong: attend(wrong, ones(4, 2), ones(4, 2)), "queries"),
        (lambda wrong: attend(ones(4, 2), wrong, ones(4, 2)), "keys"),
        (lambda wrong: split_heads(wrong, 2), "x"),
        (merge_heads, "x"),
        (SelfAttention(), "inputs"),
        (CausalAttention(), "inputs"),
        (ManyHeads(), "queries"),
    ],
)
def test_what_is_no_tensor(function, name, wrong):
    assert_says(f"{name} must be a tensor, got {type(wrong).__name__}: try torch.as_tensor({name})", function, wrong)


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
    assert_says(words, attend, ones(queries), ones(keys), ones(values))


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        *((ones(TOKENS, KEYS, dtype=dtype), f"mask must be bool with True = may attend, got {dtype}: try mask == 1")
          for dtype in (torch.float32, torch.int64, torch.uint8)),
        *((allowed(*shape), f"mask of shape {shape} does not broadcast to the scores' {(BATCH, TOKENS, KEYS)}")
          for shape in [(KEYS, TOKENS), (TOKENS, 1 + KEYS), (3, TOKENS, KEYS),
                        (BATCH, 1, 1, KEYS), (1, 1, TOKENS, KEYS)]),  # these would add an axis to the scores
    ],
)  # fmt: skip
def test_a_mask_that_does_not_fit(mask, words):
    assert_says(words, attend, ones(BATCH, TOKENS, 3), ones(BATCH, KEYS, 3), ones(BATCH, KEYS, 2), mask=mask)


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


@pytest.mark.parametrize("size", [0, -1, 2.0, "2", None, True])
def test_sizes_that_are_none(size):
    words = f"must be a whole number of at least 1, got {size!r}"
    assert_says(f"num_heads {words}", split_heads, ones(2, 6), size)
    for module, sizes in SIZES.items():
        for name in sizes:
            if size is not None or name not in ("kdim", "vdim", "key_heads"):  # None is their default
                assert_says(f"{name} {words}", module, **{**sizes, name: size})
    if size != 0:  # a mask may be empty
        words = f"must be a whole number of at least 0, got {size!r}"
        assert_says(f"num_tokens {words}", causal_mask, size)
        assert_says(f"num_keys {words}", padding_mask, [0], size)


# calling a module

SINGLE = [SelfAttention(), CausalAttention(), StackedHeads()]


@pytest.mark.parametrize("module", SINGLE, ids=lambda module: type(module).__name__)
def test_inputs_of_the_wrong_shape_or_dtype(module):
    for shape in [(D_IN,), (TOKENS, D_IN + 1), (BATCH, D_IN, TOKENS)]:
        assert_says(f"inputs need shape (..., num_tokens, {D_IN}), got {shape}", module, ones(shape))
    for dtype in (torch.float64, torch.int64):
        words = f"inputs are {dtype}, the module's weights torch.float32: convert one to the other"
        assert_says(words, module, ones(TOKENS, D_IN, dtype=dtype))
    if module is not SINGLE[0]:
        words = f"got {CONTEXT + 1} tokens, but context_length is {CONTEXT}: shorten the input"
        assert_says(words, module, ones(BATCH, CONTEXT + 1, D_IN))


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
    module = ManyHeads(kdim=3, vdim=2)
    tensors = [None if shape is None else ones(shape) for shape in (queries, keys, values)]
    assert_says(words, module, *tensors, need_weights=need_weights)


@pytest.mark.parametrize("name", ["queries", "keys", "values"])
def test_inputs_of_many_heads_of_another_dtype_than_the_weights(name):
    tensors = {each: ones(TOKENS, D_IN) for each in ("queries", "keys", "values")}
    tensors[name] = tensors[name].double()
    words = f"{name} are torch.float64, the module's weights torch.float32: convert one to the other"
    assert_says(words, ManyHeads(), **tensors)


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
        (ones(TOKENS, TOKENS), "mask must be bool with True = may attend, got torch.float32: try mask == 1"),
    ],
)
def test_a_mask_that_does_not_fit_many_heads(mask, words, causal, need_weights):
    assert_says(words, ManyHeads(causal=causal), ones(BATCH, TOKENS, D_IN), mask=mask, need_weights=need_weights)


@kernels
def test_lengths_and_batches_that_do_not_fit_many_heads(need_weights):
    module, x = ManyHeads(causal=True), ones(TOKENS, D_IN)
    words = "causal=True needs as many keys as queries, got 5 keys and 4 queries"
    assert_says(words, module, x, ones(KEYS, D_IN), need_weights=need_weights)
    words = "mask of shape (1, 1, 4, 4) does not broadcast to the scores' (3, 4, 4)"
    assert_says(words, module, x, mask=allowed(1, 1, 4, 4), need_weights=need_weights)


@kernels
def test_what_a_cache_refuses_is_not_kept(need_weights):
    module, cache, full = ManyHeads(causal=True), KeyValueCache(CONTEXT), KeyValueCache(TOKENS)
    for kept in (cache, full):
        module(ones(BATCH, TOKENS, D_IN), cache=kept)
    wide = MultiHeadAttention(D_IN, 12, 6, causal=True)
    other = "a cache is for one layer and one batch, but its tokens had shape (2, 3, 4, 2) before, and {} now"
    no_room = "the cache has room for 4 tokens and holds 4, so {} more do not fit: make room for more"
    for words, layer, x, options in [
        (other.format((1, 3, 1, 2)), module, ones(1, 1, D_IN), {"cache": cache}),
        (other.format((2, 6, 1, 2)), wide, ones(BATCH, 1, D_IN), {"cache": cache}),
        (no_room.format(1), module, ones(BATCH, 1, D_IN), {"cache": full}),
        (no_room.format(3), module, ones(BATCH, 3, D_IN), {"cache": full}),
        ("mask of shape (2, 2) does not broadcast to the scores' (2, 3, 2, 6)",
         module, ones(BATCH, 2, D_IN), {"cache": cache, "mask": allowed(2, 2)}),
    ]:  # fmt: skip
        assert_says(words, layer, x, need_weights=need_weights, **options)
    assert cache.num_tokens == full.num_tokens == TOKENS

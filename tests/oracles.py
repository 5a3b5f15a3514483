"""Random inputs for the tests of course_utils.attention, and the oracles they compare with.

The inputs are hypothesis strategies. The oracles are PyTorch's own attention and plain Python loops.
"""

from contextlib import contextmanager
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from course_utils.attention import MultiHeadAttention, causal_mask, merge_heads, padding_mask, split_heads

TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-12}  # the largest absolute difference that counts as equal


def cases(max_examples):
    """Return hypothesis settings that draw the same `max_examples` cases in every run, with no time limit."""
    every = list(HealthCheck)
    return settings(
        max_examples=max_examples, derandomize=True, deadline=None, database=None, suppress_health_check=every
    )


# Assert that two tensors have the same shape and dtype, and differ by less than the dtype's TOLERANCE.
def assert_same(got, want):
    assert got.shape == want.shape
    assert got.dtype == want.dtype
    difference = (got - want).abs().max().item() if got.numel() else 0.0
    assert difference < TOLERANCE[want.dtype]  # this comparison is False for nan, so nan fails too


# Assert that the code in a `with` block changes none of these tensors; entries that are None are skipped.
@contextmanager
def left_unchanged(*tensors):
    tensors = [tensor for tensor in tensors if tensor is not None]
    copies = [tensor.clone() for tensor in tensors]
    yield
    assert all(torch.equal(tensor, copy) for tensor, copy in zip(tensors, copies, strict=True))


# Strategies. No two sizes in a case are equal, so that using a wrong axis changes a shape and cannot go unnoticed.
# `draw` is hypothesis's own function in all of them.


# Return (randn, generator): a function that makes a random tensor of a given shape, and its seeded torch generator.
def _numbers(draw):
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**32 - 1)))
    dtype = draw(st.sampled_from([torch.float32, torch.float64]))

    def randn(*shape):
        return torch.randn(shape, generator=generator, dtype=dtype)

    return randn, generator


# Return `count` distinct sizes of at least 1, none of which is in `taken`.
def _sizes(draw, count, taken=()):
    free = [size for size in range(1, count + len(taken) + 2) if size not in taken]
    return draw(st.permutations(free))[:count]


# Return a random boolean mask (True = may attend) that broadcasts to scores_shape, or None if no kind has this name.
def _mask(draw, kind, scores_shape, generator):
    batch, num_keys = (1, *scores_shape)[-4:][0], scores_shape[-1]
    if kind == "padding":
        lens = st.lists(st.integers(0, num_keys), min_size=batch, max_size=batch)
        return padding_mask(draw(lens), num_keys)
    shapes = {
        "one row": (1, num_keys),
        "two axes": scores_shape[-2:],
        "every axis": scores_shape,
        "some axes 1": [size if draw(st.booleans()) else 1 for size in scores_shape],
    }
    return torch.rand(shapes[kind], generator=generator) < 0.7 if kind in shapes else None


@st.composite
def single_cases(draw):
    """Draw arguments for scaled_dot_product_attention, with 0 to 3 leading axes.

    The result is a namespace of queries (…, num_queries, head_dim), keys (…, num_keys, head_dim), values
    (…, num_keys, value_dim), mask (boolean or None) and scale (a number or None).
    """
    randn, generator = _numbers(draw)
    kind = draw(st.sampled_from(["none", "one row", "two axes", "every axis", "some axes 1", "causal", "padding"]))
    num_leading = draw(st.integers(2 if kind == "padding" else 0, 3))
    num_queries, num_keys, head_dim, value_dim, *leading = _sizes(draw, 4 + num_leading)
    num_keys = num_queries if kind == "causal" else num_keys
    shared = draw(st.sampled_from([leading, [1] * num_leading, []]))  # each sample has its own keys, or all share them
    mask = _mask(draw, kind, (*leading, num_queries, num_keys), generator)
    return SimpleNamespace(
        queries=randn(*leading, num_queries, head_dim),
        keys=randn(*shared, num_keys, head_dim),
        values=randn(*shared, num_keys, value_dim),
        mask=causal_mask(num_queries) if kind == "causal" else mask,
        scale=draw(st.none() | st.floats(-1, 1)),
    )


@st.composite
def heads_cases(draw, shared=False):
    """Draw a MultiHeadAttention with random weights, and arguments for calling it.

    The result is a namespace of module, queries (…, num_queries, d_in), keys, values and mask, the last three possibly
    None. shared: let several heads share each key head.
    """
    randn, generator = _numbers(draw)
    num_heads, head_dim = draw(st.permutations(range(1, 6)))[:2]
    key_heads = None
    if shared:
        num_heads, key_heads = draw(st.sampled_from([(2, 1), (3, 1), (4, 1), (4, 2), (6, 2), (6, 3)]))
        head_dim = draw(st.integers(1, 3))  # wider sums round by more than 1e-5
    d_out = num_heads * head_dim
    num_leading = draw(st.integers(0, 3))
    sizes = _sizes(draw, 5 + num_leading, taken=(num_heads, head_dim, d_out))
    d_in, kdim, vdim, num_queries, num_keys = sizes[:5]
    leading = sizes[5:]
    given, causal = draw(st.sampled_from(["queries", "keys", "values", "widths"])), draw(st.booleans())
    num_keys = num_queries if causal or given == "queries" else num_keys
    widths = dict(kdim=kdim, vdim=vdim) if given == "widths" else dict(kdim=None, vdim=None)
    biases = dict(qkv_bias=draw(st.booleans()), out_bias=draw(st.booleans()))
    options = dict(causal=causal, key_heads=key_heads, **widths, **biases)
    module = MultiHeadAttention(d_in, d_out, num_heads, **options).to(randn().dtype)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(randn(*parameter.shape) / 2)
    four_axes = ["every axis", "some axes 1", "padding"] if num_leading else []  # a mask may have at most four axes
    kind = draw(st.sampled_from(["none", "one row", "two axes", *four_axes]))
    mask = _mask(draw, kind, (*leading[-1:], num_heads, num_queries, num_keys), generator)
    return SimpleNamespace(
        module=module,
        queries=randn(*leading, num_queries, d_in),
        keys=None if given == "queries" else randn(*leading, num_keys, widths["kdim"] or d_in),
        values=randn(*leading, num_keys, widths["vdim"] or d_in) if given in ("values", "widths") else None,
        mask=mask,
    )


def assert_both_kernels(case, oracle):
    """Assert that the module of one of heads_cases gives, with weights and without, what an oracle gives.

    oracle: a function of the module, queries, keys, values and the mask, which returns context vectors and weights.
    """
    keys = case.queries if case.keys is None else case.keys
    context_vecs, attn_weights = oracle(
        case.module, case.queries, keys, keys if case.values is None else case.values, case.mask
    )
    with left_unchanged(case.queries, case.keys, case.values, case.mask):
        got = case.module(case.queries, case.keys, case.values, mask=case.mask)
        fused, nothing = case.module(case.queries, case.keys, case.values, mask=case.mask, need_weights=False)
    assert_same(got[0], context_vecs)
    assert_same(got[1], attn_weights)
    assert_same(fused, context_vecs)
    assert nothing is None


# Oracles.


def torch_attention(queries, keys, values, mask=None, scale=None):
    """Return PyTorch's context vectors (…, num_queries, value_dim) and attention weights (…, num_queries, num_keys).

    The weights are what its attention returns if the values are the unit vectors. mask: True = may attend.
    """
    unit_vectors = torch.eye(keys.shape[-2], dtype=keys.dtype)
    context_vecs = F.scaled_dot_product_attention(queries, keys, values, mask, scale=scale)
    return context_vecs, F.scaled_dot_product_attention(queries, keys, unit_vectors, mask, scale=scale)


def torch_heads(module, queries, keys, values, mask):
    """Compute MultiHeadAttention head by head from PyTorch's parts; each head takes its own rows of the projections.

    Returns the context vectors (…, num_queries, d_out) and the weights (…, num_heads, num_queries, num_keys).
    module: a MultiHeadAttention with a key head for each head. mask: True = may attend, or None.
    """
    width = module.out_proj.in_features // module.num_heads
    allowed = torch.ones(queries.shape[-2], keys.shape[-2], dtype=torch.bool)
    allowed = allowed.tril() if module.causal else allowed
    allowed = allowed if mask is None else allowed & mask
    heads = []
    for head in range(module.num_heads):
        rows = slice(head * width, (head + 1) * width)
        q, k, v = (
            F.linear(x, layer.weight[rows], None if layer.bias is None else layer.bias[rows])
            for x, layer in [(queries, module.W_query), (keys, module.W_key), (values, module.W_value)]
        )
        mine = allowed if allowed.dim() == 2 else allowed[..., min(head, allowed.shape[-3] - 1), :, :]
        heads.append(torch_attention(q, k, v, mine))
    context_vecs, attn_weights = zip(*heads, strict=True)
    return module.out_proj(torch.cat(context_vecs, dim=-1)), torch.stack(attn_weights, dim=-3)


def torch_grouped(module, queries, keys, values, mask, turn=lambda x: x):
    """Compute a MultiHeadAttention's context vectors with PyTorch's own attention, which shares the key heads.

    turn: a function that turns the queries and the keys of all heads, as the module's rotate does.
    """
    if module.causal:
        causal = torch.ones(queries.shape[-2], keys.shape[-2], dtype=torch.bool).tril()
        mask = causal if mask is None else mask & causal
    queries, keys, values = (
        split_heads(F.linear(x, layer.weight, layer.bias), heads)
        for x, layer, heads in (
            (queries, module.W_query, module.num_heads),
            (keys, module.W_key, module.key_heads),
            (values, module.W_value, module.key_heads),
        )
    )
    context_vecs = F.scaled_dot_product_attention(turn(queries), turn(keys), values, mask, enable_gqa=True)
    return module.out_proj(merge_heads(context_vecs))


@torch.no_grad()
def with_heads_repeated(module):
    """Return an equivalent MultiHeadAttention with a key head for each head, by repeating the shared key heads."""
    group, d_out = module.num_heads // module.key_heads, module.out_proj.in_features
    head_dim = d_out // module.num_heads
    widths = dict(kdim=module.W_key.in_features, vdim=module.W_value.in_features)
    biases = dict(qkv_bias=module.W_query.bias is not None, out_bias=module.out_proj.bias is not None)
    causal, d_in = module.causal, module.W_query.in_features
    repeated = MultiHeadAttention(d_in, d_out, module.num_heads, causal=causal, **widths, **biases)
    state = module.state_dict()
    for name in state:
        if name.startswith(("W_key", "W_value")):
            state[name] = state[name].unflatten(0, (-1, head_dim)).repeat_interleave(group, dim=0).flatten(0, 1)
    repeated.to(module.W_query.weight.dtype).load_state_dict(state)
    return repeated

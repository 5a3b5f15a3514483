"""Small versions of the modules of course_utils.attention, random inputs for them, and parametrize marks."""

from functools import partial

import pytest
import torch

from course_utils.attention import CausalAttention, MultiHeadAttention, SelfAttention, StackedHeads

D_IN, D_OUT, HEADS, TOKENS, BATCH, CONTEXT = 5, 6, 3, 4, 2, 7
MODULES = {
    "SelfAttention": partial(SelfAttention, D_IN, D_OUT),
    "CausalAttention": partial(CausalAttention, D_IN, D_OUT, CONTEXT),
    "StackedHeads": partial(StackedHeads, D_IN, D_OUT // HEADS, CONTEXT, HEADS),
    "MultiHeadAttention": partial(MultiHeadAttention, D_IN, D_OUT, HEADS),
    "MultiHeadAttention, causal": partial(MultiHeadAttention, D_IN, D_OUT, HEADS, causal=True),
    "MultiHeadAttention, key heads shared": partial(MultiHeadAttention, D_IN, D_OUT, HEADS, causal=True, key_heads=1),
}
all_modules = pytest.mark.parametrize("make", MODULES.values(), ids=MODULES)
kernels = pytest.mark.parametrize("need_weights", [True, False])


def numbers(*shape, **options):
    return torch.randn(*shape, dtype=torch.float64, **options)


def inputs():
    return numbers(BATCH, TOKENS, D_IN)

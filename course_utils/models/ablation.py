"""Silence heads of a MultiHeadAttention for a while, to see what depends on them."""

from contextlib import contextmanager
from numbers import Integral

import torch
from torch import nn


@contextmanager
def silenced(attention, *heads):
    """Within `with silenced(attention, 2, 5):`, heads 2 and 5 deliver nothing; afterwards, also after an error, all do.

    A head's context vectors enter out_proj as head_dim numbers of each token: a hook makes these zero on their way in.
    No weight is touched, and gradients flow as ever. The heads' attention weights stay as they are; what the layer puts
    out, and so all later layers, does not.
    attention: a MultiHeadAttention. heads: their numbers, counted from 0. Yields attention.
    Errors: ValueError for a module without num_heads and out_proj, and for a head that it does not have.
    Used in watch_heads_learn and real_heads.
    """
    silent = _features(attention, heads)

    def without_them(out_proj, args):
        (context_vecs,) = args  # (..., num_tokens, d_out), the heads side by side
        return context_vecs.masked_fill(silent.to(context_vecs.device), 0.0)

    hook = attention.out_proj.register_forward_pre_hook(without_them)
    try:
        yield attention
    finally:
        hook.remove()


def _features(attention, heads):
    """Which of the numbers that enter out_proj come from the given heads: (d_out,) bool."""
    num_heads, out_proj = getattr(attention, "num_heads", None), getattr(attention, "out_proj", None)
    if not isinstance(num_heads, Integral) or not isinstance(out_proj, nn.Linear):
        raise ValueError(
            "heads can be silenced in a MultiHeadAttention, which has num_heads and out_proj, got "
            f"{type(attention).__name__}: of a model, take model.layers[i].attention."
        )
    for head in heads:
        if isinstance(head, bool) or not isinstance(head, Integral) or not 0 <= head < num_heads:
            raise ValueError(f"a head is a whole number from 0 to {num_heads - 1}, got {head!r}.")
    silent = torch.zeros(num_heads, out_proj.in_features // num_heads, dtype=torch.bool)  # (num_heads, head_dim)
    silent[list(heads)] = True
    return silent.flatten()

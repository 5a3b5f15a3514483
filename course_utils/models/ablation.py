"""Head ablation: take heads of a MultiHeadAttention out temporarily, to see what depends on them."""

from contextlib import contextmanager
from numbers import Integral

import torch
from torch import nn


@contextmanager
def ablated(attention, *heads):
    """Ablate some heads of a layer within a `with` block: `with ablated(attention, 2, 5):` ablates heads 2 and 5.

    The context vectors of a head enter out_proj as head_dim numbers per token. A forward pre-hook sets these numbers to
    zero, and is removed at the end of the block, also after an error. No parameter is changed, and gradients flow as
    usual. The attention weights of this layer stay the same; its output changes, and with it all later layers.
    attention: a MultiHeadAttention. heads: the numbers of the heads, counted from 0. Yields attention.
    Errors: ValueError for a module without num_heads and out_proj, and for the number of a head that does not exist.
    Used in watch_heads_learn, real_heads and a_language_model. `silenced` is an older name for it.
    """
    taken_out = _features(attention, heads)

    def without_them(out_proj, args):
        (context_vecs,) = args  # (..., num_tokens, d_out), the heads concatenated
        return context_vecs.masked_fill(taken_out.to(context_vecs.device), 0.0)

    hook = attention.out_proj.register_forward_pre_hook(without_them)
    try:
        yield attention
    finally:
        hook.remove()


silenced = ablated  # for notebooks that were written with this name


def _features(attention, heads):
    """Return which inputs of out_proj come from some heads: bool (d_out,). Errors: ValueError if they do not exist."""
    num_heads, out_proj = getattr(attention, "num_heads", None), getattr(attention, "out_proj", None)
    if not isinstance(num_heads, Integral) or not isinstance(out_proj, nn.Linear):
        raise ValueError(
            "heads can be ablated in a MultiHeadAttention, which has num_heads and out_proj, got "
            f"{type(attention).__name__}: of a model, take model.layers[i].attention."
        )
    for head in heads:
        if isinstance(head, bool) or not isinstance(head, Integral) or not 0 <= head < num_heads:
            raise ValueError(f"a head is a whole number from 0 to {num_heads - 1}, got {head!r}.")
    zeroed = torch.zeros(num_heads, out_proj.in_features // num_heads, dtype=torch.bool)  # (num_heads, head_dim)
    zeroed[list(heads)] = True
    return zeroed.flatten()

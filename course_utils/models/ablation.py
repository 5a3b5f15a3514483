"""Silence heads of a MultiHeadAttention for a while, to see what depends on them."""

from contextlib import contextmanager
from numbers import Integral

import torch
from torch import nn


@contextmanager
def silenced(attention, *heads):
    """Within `with silenced(attention, 2, 5):`, heads 2 and 5 deliver nothing; afterwards, also after an error, all do.

    A head's context vectors enter out_proj by head_dim columns of its weight: these are zero for as long. The head's
    attention weights stay as they are; what the layer puts out, and so all later layers, does not.
    attention: a MultiHeadAttention. heads: their numbers, counted from 0. Yields attention.
    Errors: ValueError for a module without num_heads and out_proj, and for a head that it does not have.
    Used in notebooks 09 and 10.
    """
    columns = _columns(attention, heads)
    weight = attention.out_proj.weight
    kept = weight.detach()[:, columns].clone()
    try:
        with torch.no_grad():
            weight[:, columns] = 0
        yield attention
    finally:
        with torch.no_grad():
            weight[:, columns] = kept


def _columns(attention, heads):
    """The columns of out_proj.weight that read the given heads."""
    num_heads, out_proj = getattr(attention, "num_heads", None), getattr(attention, "out_proj", None)
    if not isinstance(num_heads, Integral) or not isinstance(out_proj, nn.Linear):
        raise ValueError(
            "heads can be silenced in a MultiHeadAttention, which has num_heads and out_proj, got "
            f"{type(attention).__name__}: of a model, take model.layers[i].attention."
        )
    for head in heads:
        if isinstance(head, bool) or not isinstance(head, Integral) or not 0 <= head < num_heads:
            raise ValueError(f"a head is a whole number from 0 to {num_heads - 1}, got {head!r}.")
    head_dim = out_proj.in_features // num_heads
    return [column for head in sorted(set(heads)) for column in range(head * head_dim, (head + 1) * head_dim)]

"""Attention weights to be scored: of a causal head, and of one that looks both ways."""

import torch


def causal_weights(draw, *shape, dtype=torch.float32):
    """Returns weights of the shape (..., num_tokens, num_tokens) in which later keys get nothing."""
    future = torch.ones(shape[-2:]).triu(1).bool()
    return torch.softmax((2 * draw(*shape, dtype=dtype)).masked_fill(future, -torch.inf), dim=-1)


def open_weights(draw, *shape):
    """Returns weights of the shape (..., num_tokens, num_tokens), of which none is 0."""
    return torch.softmax(2 * draw(*shape), dim=-1)

"""Attention weights to be scored: of a causal head, of one that looks at one key, and of one that looks both ways."""

import torch


def causal_weights(draw, *shape, dtype=torch.float32):
    """Return random weights (..., num_tokens, num_tokens) in which later keys get nothing; each row adds up to 1."""
    future = torch.ones(shape[-2:]).triu(1).bool()
    return torch.softmax((2 * draw(*shape, dtype=dtype)).masked_fill(future, -torch.inf), dim=-1)


def hard_weights(draw, *shape):
    """Return weights (..., num_tokens, num_tokens), 0 or 1, in which each query looks at one key alone, none later."""
    weights = causal_weights(draw, *shape)
    return (weights == weights.amax(dim=-1, keepdim=True)).float()


def open_weights(draw, *shape):
    """Return random weights (..., num_tokens, num_tokens), none of them 0, whose rows add up to 1."""
    return torch.softmax(2 * draw(*shape), dim=-1)

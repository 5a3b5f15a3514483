"""Attention weights to be scored: of a causal head, of one that looks at one key, and of one that looks both ways."""

import torch


def causal_weights(draw, *shape):
    """Return random weights of shape `shape`, (..., num_tokens, num_tokens): 0 for later keys, rows that add up to 1.

    draw: a Draw, which returns random tensors of the sizes it is called with.
    """
    future = torch.ones(shape[-2:]).triu(1).bool()
    return torch.softmax((2 * draw(*shape)).masked_fill(future, -torch.inf), dim=-1)


def hard_weights(draw, *shape):
    """Return weights of shape `shape`, (..., num_tokens, num_tokens): 1 for one key in each row, no later one, else 0.

    The key is random. draw: a Draw.
    """
    weights = causal_weights(draw, *shape)
    return (weights == weights.amax(dim=-1, keepdim=True)).float()


def open_weights(draw, *shape):
    """Return random weights of shape `shape`, (..., num_tokens, num_tokens): none is 0, and rows add up to 1.

    draw: a Draw, which returns random tensors of the sizes it is called with.
    """
    return torch.softmax(2 * draw(*shape), dim=-1)

"""The repair of notebook 11, case 3: causal weights in which the mask was normalised in place of the weights."""

import torch

from .. import attention
from . import steps
from .behaviours import gradient_flows, repeats
from .legacy import Exercise
from .notebook_04 import DIAGONAL_HIDDEN, INVERTED, LOWER, ONE_AHEAD
from .notebook_04_weights import ZERO_FILL

notebook_tokens = 5  # what a notebook leaves lying about


def shared_out(attn_scores, mask):
    """The weights of the past, each row divided by what is left in it."""
    kept = torch.softmax(attn_scores, dim=-1) * mask
    return kept / kept.sum(dim=-1, keepdim=True)


def causal_by(score=steps.scaled_scores, mask=attention.causal_mask, close=shared_out):
    """An answer with some of its steps replaced; close makes weights of scores and a mask."""
    return lambda queries, keys: close(score(queries, keys), mask(queries.shape[-2]))


def causal_cases(draw):
    yield "5 tokens, 3 wide", draw(5, 3), draw(5, 3)
    yield "a batch of 2", draw(2, 4, 3), draw(2, 4, 3)
    yield "heads, (2, 3, 5, 4)", draw(2, 3, 5, 4), draw(2, 3, 5, 4)
    yield "everything of length 4", draw(4, 4, 4), draw(4, 4, 4)
    yield "two tokens", draw(2, 6), draw(2, 6)
    yield "a batch of one, a single token", draw(1, 1, 3), draw(1, 1, 3)
    yield "float64", draw(2, 6, 5, dtype=torch.float64), draw(2, 6, 5, dtype=torch.float64)


causal_weights = Exercise(
    "causal_weights", causal_by(), causal_cases, outputs=("weights",), rows="weights",
    behaviours=(gradient_flows, repeats), make=causal_by,
)  # fmt: skip


def weighted(close):
    """A way to close that begins with the softmax of all scores, as the broken code does."""
    return lambda attn_scores, mask: close(torch.softmax(attn_scores, dim=-1), mask)


def mask_alone(attn_scores, mask):
    return (mask.to(attn_scores.dtype) / mask.sum(dim=-1, keepdim=True)).expand_as(attn_scores)


def divided_along(dim):
    return weighted(lambda attn_weights, mask: attn_weights * mask / (attn_weights * mask).sum(dim=dim, keepdim=True))


causal_weights.wrong_steps(steps.SCORES | steps.SCALE)
causal_weights.wrong_steps({
    "mask-normalised": (
        "This is the bug as it was: the *mask* is divided by its sums, and the weights are never used. Divide `masked` "
        "by the sums of `masked`.",
        "close", mask_alone,
    ),
    "divided-by-mask-sum": (
        "Halfway: the masked weights are used now, and divided by how many cells are open. Divide them by their own "
        "sum, `masked.sum(dim=-1, keepdim=True)`.",
        "close", weighted(lambda weights, mask: weights * mask / mask.sum(dim=-1, keepdim=True)),
    ),
    "softmax-again": (
        "Halfway: softmax over masked weights opens the future again, since e⁰ is 1. Divide by the sum, or fill the "
        "scores with `-torch.inf` and take one softmax.",
        "close", weighted(lambda weights, mask: torch.softmax(weights * mask, dim=-1)),
    ),
    "softmax-twice": (
        "Softmax runs twice: over the scores, and over the weights it made. The second flattens them: fill the "
        "*scores* with `-torch.inf`, and take one softmax.",
        "close", weighted(lambda weights, mask: torch.softmax(weights.masked_fill(~mask, -torch.inf), dim=-1)),
    ),
    "mask-after-softmax": (
        "Halfway: the future is closed, and its share is missing: rows add up to less than 1. Divide each row by what "
        "is left in it.",
        "close", weighted(lambda weights, mask: weights * mask),
    ),
    "sum-down-columns": (
        "You divide by the sums of the columns. A row is a query and needs a sum of its own: `sum(dim=-1, "
        "keepdim=True)`.",
        "close", divided_along(-2),
    ),
    "mask-zero-fill": (
        ZERO_FILL,
        "close", lambda attn_scores, mask: torch.softmax(attn_scores.masked_fill(~mask, 0.0), dim=-1),
    ),
    "mask-added-01": (
        "The mask is added as 0 and 1, which hides nothing. Fill the scores with `-torch.inf` where it is False.",
        "close", lambda attn_scores, mask: torch.softmax(attn_scores + mask.to(attn_scores.dtype), dim=-1),
    ),
    "no-mask": (
        "The future is open: no mask is used. It closes cells before the rows are shared out.",
        "close", lambda attn_scores, mask: torch.softmax(attn_scores, dim=-1),
    ),
    "softmax-axis": (
        steps.SOFTMAX["softmax-axis"][0],
        "close", lambda attn_scores, mask: torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-2),
    ),
    "mask-inverted": (INVERTED, "mask", lambda num_tokens: ~attention.causal_mask(num_tokens)),
    "mask-lower": (LOWER, "mask", lambda num_tokens: attention.causal_mask(num_tokens).transpose(0, 1)),
    "mask-off-by-one": (DIAGONAL_HIDDEN, "mask", lambda num_tokens: attention.causal_mask(num_tokens).tril(-1)),
    "mask-leak-of-one": (
        ONE_AHEAD,
        "mask", lambda num_tokens: torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril(1),
    ),
})  # fmt: skip


@causal_weights.mistake("detached", steps.DETACHED)
def _(queries, keys):
    return causal_by()(queries, keys).detach()


@causal_weights.mistake("global-leak", steps.LEAK)
def _(queries, keys):
    return shared_out(steps.scaled_scores(queries, keys), attention.causal_mask(notebook_tokens))

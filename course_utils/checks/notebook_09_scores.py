"""The first score of notebook 09: how much a head looks one step back."""

import torch

from . import steps
from .behaviours import repeats
from .legacy import Exercise

notebook_word = torch.tensor([15, 11, 0, 13, 4, 19, 18] * 2)  # what a notebook leaves lying about


def weights_of(draw, *shape, dtype=torch.float32):
    """Weights of causal attention: later keys get nothing."""
    scores = 2 * draw(*shape, dtype=dtype)
    future = torch.ones(shape[-2:]).triu(1).bool()
    return torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)


# ---- previous_score: how much weight lies on the token before?


def previous_by_diagonal(attn_weights):
    return attn_weights.diagonal(offset=-1, dim1=-2, dim2=-1).mean(dim=-1)


def previous_cases(draw):
    yield "3 heads, 5 tokens", weights_of(draw, 3, 5, 5)
    yield "2 layers of 3 heads, 6 tokens", weights_of(draw, 2, 3, 6, 6)
    yield "as many heads as tokens", weights_of(draw, 4, 4, 4)
    yield "two tokens", weights_of(draw, 3, 2, 2)
    yield "one head", weights_of(draw, 1, 5, 5)
    yield "steps, layers and heads", weights_of(draw, 2, 3, 4, 7, 7)
    yield "float64", weights_of(draw, 2, 5, 5, dtype=torch.float64)


previous_score = Exercise(
    "previous_score", previous_by_diagonal, previous_cases, outputs=("scores",), behaviours=(repeats,)
)


def on_diagonal(attn_weights, offset=-1):
    return attn_weights.diagonal(offset=offset, dim1=-2, dim2=-1)


PREVIOUS = {
    "next-for-previous": (
        "You read the weights on the token after. Under a causal mask those are 0. Rows are queries: the token before "
        "lies one to the left of the main diagonal, `offset=-1`.",
        lambda attn_weights: on_diagonal(attn_weights, 1).mean(dim=-1),
    ),
    "itself-for-previous": (
        "You read the main diagonal: each token's weight on itself. The token before lies one below it.",
        lambda attn_weights: on_diagonal(attn_weights, 0).mean(dim=-1),
    ),
    "two-back": (
        "You went two steps back. The token before is one step away: `offset=-1`.",
        lambda attn_weights: on_diagonal(attn_weights, -2).mean(dim=-1),
    ),
    "mean-over-all-rows": (
        "The first row is in your mean. The first token has none before it, and says nothing (row 0, key `-1` would be "
        "the last place): take the mean over the others.",
        lambda attn_weights: on_diagonal(attn_weights).sum(dim=-1) / attn_weights.shape[-1],
    ),
    "no-mean": (
        "The weights are added up, so a long sequence wins. Take their mean.",
        lambda attn_weights: on_diagonal(attn_weights).sum(dim=-1),
    ),
    "max-for-mean": (
        "You took the largest weight. One good row does not make a head: take the mean over the rows.",
        lambda attn_weights: on_diagonal(attn_weights).amax(dim=-1),
    ),
    "row-of-each": (
        "The weights are there, one for each row. One number for each head is asked for: their mean.",
        on_diagonal,
    ),
    "whole-matrix": (
        "You averaged whole matrices. Only the cells one below the diagonal count.",
        lambda attn_weights: attn_weights.mean(dim=(-2, -1)),
    ),
    "all-before": (
        "You added up all earlier tokens. Asked for is the one right before: a single cell in each row.",
        lambda attn_weights: attn_weights.tril(-1).sum(dim=-1)[..., 1:].mean(dim=-1),
    ),
    "wrong-axes": (
        "You read a diagonal through the first two axes. Queries and keys are the last two: `dim1=-2, dim2=-1`.",
        lambda attn_weights: attn_weights.diagonal(offset=-1).mean(dim=-1),
    ),
    "weights-averaged": (
        "The heads are averaged. Each has a score of its own: keep all axes but the last two.",
        lambda attn_weights: previous_by_diagonal(attn_weights).mean(dim=-1),
    ),
    "all-averaged": (
        "One number came out for everything. Take the mean over the rows alone: `mean(dim=-1)`.",
        lambda attn_weights: previous_by_diagonal(attn_weights).mean(),
    ),
    "first-head-only": (
        "Only the first head is there: let all axes in front run along, `attn_weights[..., rows, rows - 1]`.",
        lambda attn_weights: previous_by_diagonal(attn_weights)[..., :1],
    ),
    "argmax-hits": (
        "You counted how often the largest weight lies there. Asked for is how much weight: read it off.",
        lambda attn_weights: (
            (attn_weights.argmax(dim=-1)[..., 1:] == torch.arange(attn_weights.shape[-1] - 1))
            .to(attn_weights.dtype)
            .mean(dim=-1)
        ),
    ),
    "last-row-missing": (
        "The last row is left out: look at the end of your loop or slice.",
        lambda attn_weights: on_diagonal(attn_weights)[..., : max(1, attn_weights.shape[-1] - 2)].mean(dim=-1),
    ),
    "global-leak": (steps.LEAK, lambda attn_weights: previous_by_diagonal(attn_weights) * 0 + len(notebook_word)),
}
for _id, (_words, _answer) in PREVIOUS.items():
    previous_score.mistake(_id, _words)(_answer)

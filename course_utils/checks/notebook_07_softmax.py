"""The exercise of notebook 07 that asks for a softmax under a mask, with rows in which all is closed."""

import torch

from . import steps
from .behaviours import gradient_flows, repeats
from .legacy import Exercise
from .notebook_07 import INVERTED

notebook_scores = torch.tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])  # lies about in the notebook


def masked(scores, mask, fill=-torch.inf):
    return scores.masked_fill(~mask, fill)


def divided(exps):
    """Each row divided by its sum; an empty row stays 0."""
    totals = exps.sum(dim=-1, keepdim=True)
    return exps / totals.masked_fill(totals == 0, 1.0)


def zero_if_empty(scores):
    """The stable softmax of scores that may be -inf; zeros in a row of nothing else."""
    highest = scores.amax(dim=-1, keepdim=True)
    return divided(torch.exp(scores - highest.masked_fill(highest == -torch.inf, 0.0)))


def padded(close=masked, normalise=zero_if_empty):
    return lambda scores, mask: normalise(close(scores, mask))


def lens_mask(*valid_lens, of, axes=1):
    """(batch, 1, …, of) bool, with so many axes of length 1 in the middle."""
    return (torch.arange(of) < torch.tensor(valid_lens)[:, None]).view(len(valid_lens), *[1] * axes, of)


def padded_cases(draw):
    yield "2 texts, 3 queries, 4 keys", draw(2, 3, 4), lens_mask(3, 2, of=4)
    yield "a text of length 0", draw(2, 3, 5), lens_mask(4, 0, of=5)
    yield "heads, (2, 3, 4, 5)", draw(2, 3, 4, 5), lens_mask(0, 3, of=5, axes=2)
    yield "large scores", 1000 + draw(2, 2, 4), lens_mask(2, 3, of=4)
    yield "a closed key with a huge score", draw(2, 2, 3) + torch.tensor([0.0, 0.0, 900.0]), lens_mask(2, 1, of=3)
    yield "a mask with rows of its own", draw(4, 4), torch.eye(4).roll(1, 0).bool() & lens_mask(3, of=4)[0]
    yield "a small row under a large one", torch.stack([draw(3) + 400, draw(3) - 400]), lens_mask(2, of=3)[0]
    yield "a single row, all closed", draw(4), torch.zeros(4, dtype=torch.bool)
    yield "float64", draw(3, 2, 6, dtype=torch.float64), lens_mask(6, 0, 4, of=6)


def finite_gradients(exercise, answer):
    """A row that is all closed sends no nan back."""
    scores, mask = exercise.cases()[1].args
    weights = answer(scores.requires_grad_(), mask)
    if weights.requires_grad:
        (gradient,) = torch.autograd.grad((weights * torch.arange(5.0)).sum(), scores)
        if gradient.isnan().any():
            yield (
                "nan-gradient",
                "The weights are right, and the gradient of the empty row is `nan`: it was made, and hidden "
                "afterwards. Keep the 0 / 0 from happening: `masked_fill` the scores, and divide an empty row by 1.",
            )


padded_softmax = Exercise(
    "padded_softmax", padded(), padded_cases, outputs=("weights",), make=padded,
    behaviours=(finite_gradients, gradient_flows, repeats),
)  # fmt: skip
padded_softmax.wrong_steps(
    {
        "all-masked-nan": (
            "A row in which all keys are closed gives `nan`: -inf minus -inf, and 0 / 0. Such a row should be 0: look "
            "for its maximum and its sum before you use them.",
            "normalise",
            steps.row_softmax,
        ),
        "naive-overflow": (
            steps.STABLE["naive-overflow"][0],
            "normalise",
            lambda scores: divided(torch.exp(scores)),
        ),
        "global-max": (
            steps.STABLE["global-max"][0],
            "normalise",
            lambda scores: divided(torch.exp(scores - scores.max())),
        ),
        "softmax-axis": (
            steps.SOFTMAX["softmax-axis"][0],
            "normalise",
            lambda scores: (
                zero_if_empty(scores.transpose(-2, -1)).transpose(-2, -1) if scores.dim() > 1 else zero_if_empty(scores)
            ),
        ),
        "softmax-all": (
            steps.SOFTMAX["softmax-all"][0],
            "normalise",
            lambda scores: zero_if_empty(scores.flatten()).view(scores.shape),
        ),
        "exp-only": (steps.SOFTMAX["exp-only"][0], "normalise", torch.exp),
        "mask-inverted": (INVERTED, "close", lambda scores, mask: masked(scores, ~mask)),
        "mask-zero-fill": (
            "Closed keys get a score of 0, and e⁰ is 1: they are still attended. Fill with `-torch.inf`.",
            "close",
            lambda scores, mask: masked(scores, mask, 0.0),
        ),
        "mask-added-01": (
            "You added the mask to the scores: closed keys lose 1, and stay. Fill them with `-torch.inf`.",
            "close",
            lambda scores, mask: scores + mask,
        ),
        "mask-ignored": ("The mask is not used: padding is attended.", "close", lambda scores, mask: scores),
    }
)


@padded_softmax.mistake(
    "all-masked-uniform",
    "A row in which all keys are closed gives equal weights: you filled with a large finite number, and softmax looks "
    "at gaps alone. Fill with `-torch.inf`, and let such a row be 0.",
)
def _(scores, mask):
    return torch.softmax(masked(scores, mask, -1e9), dim=-1)


@padded_softmax.mistake("naive-overflow", steps.STABLE["naive-overflow"][0])
def _(scores, mask):
    return divided(torch.exp(scores) * mask)


@padded_softmax.mistake(
    "softmax-axis", "Your softmax runs over `dim=1`, which is not always the keys' axis: count from the end, `dim=-1`."
)
def _(scores, mask):
    return torch.softmax(masked(scores, mask), dim=1)


@padded_softmax.mistake(
    "empty-whole",
    "You look whether the whole table is closed. One text may be empty beside others: ask it of each row, "
    "`mask.any(dim=-1, keepdim=True)`.",
)
def _(scores, mask):
    return padded(normalise=steps.row_softmax)(scores, mask) if mask.any() else torch.zeros_like(scores)


@padded_softmax.mistake(
    "mask-after-softmax",
    "The mask comes after softmax, so what it closes is missing from the row: rows add up to less than 1. Close the "
    "scores, before softmax.",
)
def _(scores, mask):
    return torch.softmax(scores, dim=-1) * mask


@padded_softmax.mistake(
    "max-over-closed",
    "A closed key with a huge score spoils its row: the maximum is taken over closed keys as well, and all others "
    "become 0. Close the scores first, then take the maximum.",
)
def _(scores, mask):
    return divided(torch.exp(scores - scores.amax(dim=-1, keepdim=True)) * mask)


@padded_softmax.mistake(
    "mask-normalised", "You divided the mask by its sums. The scores are not used: softmax them where the mask is open."
)
def _(scores, mask):
    return divided(mask.to(scores.dtype).expand_as(scores))


@padded_softmax.mistake("nan-gradient", "The weights are right, and the gradient of an empty row is `nan`.")
def _(scores, mask):
    closed = torch.zeros_like(scores).masked_fill(~mask, -torch.inf)
    return torch.softmax(scores + closed, dim=-1).nan_to_num(0.0)


@padded_softmax.mistake(
    "input-changed", "Your code changes its input: `masked_fill_` writes into `scores`. Leave the `_` away."
)
def _(scores, mask):
    return zero_if_empty(scores.data.masked_fill_(~mask, -torch.inf))


@padded_softmax.mistake("detached", steps.DETACHED)
def _(scores, mask):
    return padded()(scores.detach(), mask)


@padded_softmax.mistake("global-leak", steps.LEAK)
def _(scores, mask):
    return padded()(notebook_scores, mask)

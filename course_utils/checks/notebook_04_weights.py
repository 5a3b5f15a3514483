"""The exercise of notebook 04 on masked softmax: scores and a mask in, weights out, zeros where nothing is open."""

import torch

from . import outcome, steps
from .behaviours import backward, gradient_flows, repeats
from .legacy import Exercise
from .notebook_04 import INVERTED, lower_triangle

notebook_past = lower_triangle(5)  # what a notebook leaves lying about

AFTER_SOFTMAX = (
    "You set weights to 0 after softmax, and the rows no longer add up to 1. Hide the scores before softmax, with "
    "`-torch.inf`."
)
ZERO_FILL = (
    "Hidden scores are set to 0, and *e* to the power of 0 is 1: they still get weight. Fill with `-torch.inf`. "
    "(Scores times mask does the same.)"
)
ADDED = (
    "The mask is added as 0 and 1: that changes scores a little, and hides none. Fill with `-torch.inf` where it is "
    "False."
)
NORMALISED = (
    "You divided the mask by its own sums: every open key gets the same weight, whatever its score. It is the scores "
    "that go through softmax."
)
TIMES_INFINITY = (
    "There is `nan` everywhere: 0 times infinity is not a number. Fill with `masked_fill(~mask, -torch.inf)`, and do "
    "not multiply."
)
NO_MASK = "Nothing is hidden: the mask is not used, or the result of `masked_fill` was not kept."


def hidden(scores, mask):
    return scores.masked_fill(~mask, -torch.inf)


def emptied(weights, mask):
    return weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)


def weights_by(hide=hidden, normalise=steps.row_softmax, repair=emptied):
    """An answer with some of its steps replaced."""
    return lambda attn_scores, mask: repair(normalise(hide(attn_scores, mask)), mask)


def weight_cases(draw):
    mask = torch.tensor([[1, 0, 1, 1], [0, 1, 1, 0], [1, 1, 0, 0]]).bool()
    empty = torch.tensor([[1, 1, 0, 0], [0, 0, 0, 0], [0, 1, 1, 1]]).bool()
    yield "3 queries, 4 keys", draw(3, 4), mask
    yield "the causal mask of 5 tokens", draw(5, 5), lower_triangle(5)
    yield "2 texts, one mask for both", draw(2, 3, 4), mask
    yield "2 texts, a mask for each", draw(2, 3, 4), torch.stack([mask, empty])
    yield "heads, (2, 3, 4, 5)", draw(2, 3, 4, 5), draw(4, 5) > -0.7
    yield "a row with nothing open", draw(3, 4), empty
    yield "everything hidden", draw(2, 3), torch.zeros(2, 3, dtype=torch.bool)
    yield "everything open", draw(2, 5), torch.ones(2, 5, dtype=torch.bool)
    yield "large scores", 300 * draw(3, 4), mask
    yield "a small row under a large one", draw(2, 3) + torch.tensor([[500.0], [-500.0]]), mask[:2, :3]
    yield "a huge score that is hidden", torch.tensor([[0.5, 400.0, 1.0, -1.0]]).repeat(3, 1), mask
    yield "a single key", draw(3, 1), torch.tensor([[True], [False], [True]])
    yield "float64", draw(3, 4, dtype=torch.float64), mask


def weights_and_scores(answer, attn_scores, mask):
    """The scores are looked at afterwards, so that masking in place is seen as what it is."""
    return answer(attn_scores, mask), attn_scores


REPAIR_IN_PLACE = (
    "The numbers are right, but nothing could be learnt: you write into the weights, and training needs them as they "
    "left softmax. In place of `[...] = 0`, or a method that ends in `_`, use `masked_fill`: it makes a new tensor."
)


def finite_gradients(exercise, answer):
    """A row with nothing open sends back no nan, and no weights that training still needs are overwritten."""
    for _, (attn_scores, mask) in exercise.cases()[3:6]:
        attn_scores.requires_grad_()
        weights = outcome.as_tensors(answer(attn_scores, mask), ("weights",))
        try:
            backward(weights)
        except RuntimeError as error:
            if "inplace operation" not in str(error):
                raise
            yield "repair-in-place", REPAIR_IN_PLACE
            return
        if attn_scores.grad is not None and attn_scores.grad.isnan().any():
            yield (
                "nan-gradient",
                "The weights are right, and the gradient is `nan`: a row with nothing open was mended after softmax, "
                "but training goes back through the `nan` itself. Hide with `masked_fill` rather than by adding, or "
                "give empty rows a score before softmax.",
            )
            return


HIDE = {  # wrong ways to hide, for exercises with a step of that name: id -> (words, name of the step, step)
    "mask-inverted": (INVERTED, "hide", lambda scores, mask: scores.masked_fill(mask, -torch.inf)),
    "mask-zero-fill": (ZERO_FILL, "hide", lambda scores, mask: scores.masked_fill(~mask, 0.0)),
    "mask-added-01": (ADDED, "hide", lambda scores, mask: scores + mask),
    "zero-times-inf": (TIMES_INFINITY, "hide", lambda scores, mask: scores + (~mask) * -torch.inf),
    "no-mask": (NO_MASK, "hide", lambda scores, mask: scores),
}

masked_weights = Exercise(
    "masked_weights", weights_by(), weight_cases, outputs=("weights", "scores_afterwards"),
    observe=weights_and_scores, behaviours=(finite_gradients, gradient_flows, repeats), make=weights_by,
)  # fmt: skip
masked_weights.wrong_steps(steps.SOFTMAX)
masked_weights.wrong_steps(steps.STABLE)
masked_weights.wrong_steps(HIDE)
masked_weights.wrong_steps(
    {
        "mask-ignored": (
            "You always hide the future, whatever mask comes in. Use the argument.",
            "hide",
            lambda scores, mask: hidden(scores, torch.ones(scores.shape[-2:]).tril().bool()),
        ),
        "all-masked-nan": (
            "A row with nothing open comes out as `nan`, since softmax divides 0 by 0 there. Such rows should hold "
            "zeros: find them with the mask, and fill them after softmax. (0 times `nan` is still `nan`.)",
            "repair",
            lambda weights, mask: weights,
        ),
        "any-for-all": (
            "Rows with a single hidden key are set to 0. Only rows in which *nothing* is open should be: ask the mask "
            "with `any`, not with `all`.",
            "repair",
            lambda weights, mask: weights.masked_fill(~mask.all(dim=-1, keepdim=True), 0.0),
        ),
    }
)


@masked_weights.mistake(
    "all-masked-uniform",
    "In a row with nothing open, hidden keys get equal weight: a finite number such as -1e9 leaves no gap between "
    "them. Fill with `-torch.inf`, and set empty rows to 0.",
)
def _(attn_scores, mask):
    return torch.softmax(attn_scores.masked_fill(~mask, -1e9), dim=-1)


@masked_weights.mistake("mask-after-softmax", AFTER_SOFTMAX)
def _(attn_scores, mask):
    return torch.softmax(attn_scores, dim=-1) * mask


@masked_weights.mistake(
    "mask-renormalised",
    "You erase after softmax and share out again. Beside a huge hidden score, the open weights have been rounded to 0 "
    "by then, and nothing is left to share. Hide the scores before softmax.",
)
def _(attn_scores, mask):
    erased = torch.softmax(attn_scores, dim=-1) * mask
    total = erased.sum(dim=-1, keepdim=True)
    return erased / total.masked_fill(total == 0, 1.0)


@masked_weights.mistake(
    "mask-renormalised",
    "You erase after softmax and divide by what is left. Where nothing is left, because all is hidden or a huge hidden "
    "score took everything, that is 0 / 0. Hide the scores before softmax.",
)
def _(attn_scores, mask):
    erased = torch.softmax(attn_scores, dim=-1) * mask
    return erased / erased.sum(dim=-1, keepdim=True)


@masked_weights.mistake("mask-normalised", NORMALISED)
def _(attn_scores, mask):
    share = mask.to(attn_scores.dtype) / mask.sum(dim=-1, keepdim=True).clamp(min=1)
    return share.expand_as(attn_scores)


@masked_weights.mistake(
    "mask-in-place",
    "The weights are right, but the scores that came in are changed: `masked_fill_`, with `_` at its end, writes into "
    "them. Use `masked_fill`, which makes a new tensor.",
)
def _(attn_scores, mask):
    return emptied(torch.softmax(attn_scores.masked_fill_(~mask, -torch.inf), dim=-1), mask)


@masked_weights.mistake(
    "nan-gradient",
    "The weights are right, and the gradient of an empty row is `nan`. Hide with `masked_fill` rather than by adding.",
)
def _(attn_scores, mask):
    return torch.nan_to_num(torch.softmax(attn_scores + torch.where(mask, 0.0, -torch.inf), dim=-1))


@masked_weights.mistake("repair-in-place", REPAIR_IN_PLACE)
def _(attn_scores, mask):
    weights = torch.softmax(hidden(attn_scores, mask), dim=-1)
    weights[weights.isnan()] = 0.0
    return weights


@masked_weights.mistake("detached", steps.DETACHED)
def _(attn_scores, mask):
    return weights_by()(attn_scores.detach(), mask)


@masked_weights.mistake("global-leak", steps.LEAK)
def _(attn_scores, mask):
    return weights_by()(attn_scores, notebook_past)

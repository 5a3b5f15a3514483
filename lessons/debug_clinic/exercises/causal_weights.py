"""`my_causal_weights(queries, keys)`: causal weights, in which each row is divided by the sum of its open weights."""

import torch

from course_utils import attention
from course_utils.checks.exercise import Exercise
from course_utils.checks.form import Form
from course_utils.lessons import shared
from course_utils.lessons.arguments import TRAINABLE, WEIGHTS
from course_utils.lessons.debug_clinic.exercises.shared import FIXED_AXES, FOUR_AXES, HIDE, SCORES


def causal_weights_solution(queries, keys):
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
    masked = attn_weights * attention.causal_mask(queries.shape[-2])
    return masked / masked.sum(dim=-1, keepdim=True)


def filled_before_softmax(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    mask = attention.causal_mask(queries.shape[-2])
    return torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)


def cases(draw):
    yield "5 tokens, 3 wide", draw(5, 3), draw(5, 3)
    yield "a batch of 2", draw(2, 11, 3), draw(2, 11, 3)
    yield "heads, (2, 3, 5, 4)", draw(2, 3, 5, 4), draw(2, 3, 5, 4)
    yield "everything of length 4", draw(4, 4, 4), draw(4, 4, 4)
    yield "two tokens", draw(2, 6), draw(2, 6)
    yield "a batch of one, a single token", draw(1, 1, 3), draw(1, 1, 3)


MISTAKES = """
divided-by-mask-sum: Halfway: the weights are now divided by how many cells are open. Divide each row by its own sum.
    masked.sum(dim=-1 -> attention.causal_mask(queries.shape[-2]).sum(dim=-1
softmax-again: Halfway: a second softmax opens the future again, since e⁰ is 1. Divide the weights left by their sum.
    return masked / masked.sum(dim=-1, keepdim=True) -> return torch.softmax(masked, dim=-1)
mask-after-softmax: Halfway: the future is closed, and rows add up to less than 1. Divide each by what is left in it.
    masked / masked.sum(dim=-1, keepdim=True) -> masked
sum-fixed-axis: The sums are those of rows in one text alone. Count from the end: `sum(dim=-1, keepdim=True)`.
    sum(dim=-1 -> sum(dim=1
normalize-for-sum: The squares of a row add up to 1, as `F.normalize` has it. Divide by `sum(dim=-1, keepdim=True)`.
    masked / masked.sum(dim=-1, keepdim=True) -> torch.nn.functional.normalize(masked, dim=-1)
keepdim-forgotten: Each column is divided by the sum of a row. The sums need their axis: `sum(dim=-1, keepdim=True)`.
    , keepdim=True ->
inf-after-softmax: Weights are filled with minus infinity. That belongs into the scores; a closed weight is 0.
    attn_weights * attention.causal_mask(queries.shape[-2]) ->
        attn_weights.masked_fill(~attention.causal_mask(queries.shape[-2]), -torch.inf)
softmax-axis: Softmax runs down the columns, over the queries. A row belongs to one query: `dim=-1`.
    torch.softmax(…, dim=-1) -> torch.softmax(…, dim=-2)
tokens-axis: The number of tokens is read off the wrong axis. Count from the end, `queries.shape[-2]`.
    queries.shape[-2] -> queries.shape[0]
    or
    queries.shape[-2] -> queries.shape[1]
"""
IN_THE_SCORES = """
no-mask: The future is open: no mask has an effect. Keep what `tril` or `masked_fill` gives; `-1e-9` is next to nothing.
mask-normalised: This is the bug as it was: the *mask* is divided by its sums. Divide the masked weights by theirs.
mask-normalised:
    torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1) -> mask / mask.sum(dim=-1, keepdim=True)
softmax-twice: Softmax runs twice, over scores and weights, and flattens them. Fill the *scores*, and take one softmax.
    attn_scores.masked_fill -> torch.softmax(attn_scores, dim=-1).masked_fill
"""

SHARED = (shared.SCORES, FOUR_AXES)
SHARED_BEFORE_SOFTMAX = (shared.SOFTMAX_OF_SMALL_SCORES, shared.CAUSAL, FIXED_AXES, HIDE, SCORES)
FORMS = (Form(__name__, "filled_before_softmax", IN_THE_SCORES, SHARED_BEFORE_SOFTMAX),)
exercise = Exercise(causal_weights_solution, cases, MISTAKES, shared=SHARED, also=FORMS, **WEIGHTS, **TRAINABLE)

"""`my_row_weights(queries, keys)`: softmax over the keys, for one text, a batch, and heads."""

import torch

from course_utils.checks.exercise import Exercise
from course_utils.lessons import shared
from course_utils.lessons.arguments import TRAINABLE, WEIGHTS
from course_utils.lessons.debug_clinic.exercises import shared as clinic


def row_weights_solution(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=-1)  # the keys stand last, however many axes come before


def cases(draw):
    yield "one text, 3 queries, 4 keys", draw(3, 5), draw(4, 5)
    yield "a batch of 2", draw(2, 3, 6), draw(2, 5, 6)
    yield "heads, (2, 3, 4, 5)", draw(2, 3, 4, 5), draw(2, 3, 6, 5)
    yield "as many queries as keys", draw(2, 11, 3), draw(2, 11, 3)
    yield "everything of length 4", draw(4, 4, 4), draw(4, 4, 4)
    yield "large scores", draw(2, 4, 3) * 50, draw(2, 5, 3) * 50
    yield "a batch of one, a single key", draw(1, 3, 4), draw(1, 1, 4)


MISTAKES = """
softmax-half-repaired: `dim=2` mends the batch of three axes and nothing else. From the end, the keys' axis is `dim=-1`.
    torch.softmax(…, dim=-1) -> torch.softmax(…, dim=2)
softmax-half-repaired: Heads are mended, and one text and a batch stop. Count from the end: `dim=-1`.
    dim=-1 -> dim=3
softmax-by-cases: Right for one text and a batch; with heads, softmax runs over the queries. In all it is `dim=-1`.
    dim=-1 -> dim=min(attn_scores.dim() - 1, 2)
softmax-no-dim: Without a `dim`, PyTorch guesses one from the number of axes, or stops: say `dim=-1`.
    dim=-1 -> dim=0 if attn_scores.dim() == 3 else 1
renormalised: The rows add up to 1, but softmax ran down the columns. Take one softmax, `dim=-1`, and no division after.
    return torch.softmax(attn_scores, dim=-1) ->
        weights = torch.softmax(attn_scores, dim=1) ⏎ return weights / weights.sum(dim=-1, keepdim=True)
scale-wrong-axis: You divided by the root of the number of queries. Take the root of the width: `shape[-1]`.
    / keys.shape[-1] ** 0.5 -> / queries.shape[-2] ** 0.5
"""

SHARED = (clinic.SOFTMAX, shared.OVERFLOW, clinic.MAXIMUM_OF_ALL, clinic.NO_MASK, clinic.FOUR_AXES, clinic.SCORES)
exercise = Exercise(row_weights_solution, cases, MISTAKES, shared=SHARED, **WEIGHTS, **TRAINABLE)

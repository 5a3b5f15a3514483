"""`my_softmax(scores)`: softmax along the last axis, safe for large scores."""

import torch

from course_utils.checks.exercise import Exercise
from course_utils.checks.rules import demands, forbids
from course_utils.checks.source import functions
from course_utils.lessons.arguments import TRAINABLE, WEIGHTS
from course_utils.lessons.softmax_and_scaling.exercises.by_hand import BY_HAND


def softmax_solution(scores):
    highest = scores.amax(dim=-1, keepdim=True)  # (..., 1)
    exps = torch.exp(scores - highest)
    return exps / exps.sum(dim=-1, keepdim=True)


def cases(draw):
    yield "3 rows of 4 scores", draw(3, 4)
    yield "large scores", 1000 + draw(2, 3)
    yield "large negative scores", draw(2, 5) - 1000
    yield "a row of small scores under a row of large ones", torch.stack([draw(4) + 500, draw(4) - 500])
    yield "one score far above the others", draw(2, 3) + torch.tensor([0.0, 300.0, 0.0])
    yield "scores near 60", 60 + draw(2, 3)
    yield "200 keys, the last the highest", draw(2, 200).sort().values
    yield "a single row, (4,)", draw(4)
    yield "a batch, (2, 3, 5)", draw(2, 3, 5)
    yield "heads, (2, 4, 1, 3)", draw(2, 4, 1, 3)
    yield "a single key", draw(3, 1)
    yield "a square, (17, 17)", draw(17, 17)


def not_the_naive_one(answer):
    """Yield ("ready-made", message) if an answer is, or calls, the function `naive_softmax`, which the page has."""
    if any(function.__name__ == "naive_softmax" for function in functions(answer)):
        yield (
            "ready-made",
            "Your code uses `naive_softmax`. The prompt says “no ready-made softmax, not even `naive_softmax`”.",
        )


MISTAKES = """
sum-unshifted: The maximum is subtracted above the line and not below it. Divide by the sum of the same exponentials.
    exps / exps -> exps / torch.exp(scores)
max-after-exp: The maximum is taken off the exponentials, when they have overflowed already. Take it off the scores.
    torch.exp(scores - highest) -> torch.exp(scores) - torch.exp(highest)
place-of-max: You subtracted the place of the maximum, and not the maximum: `amax`, or `.values` in place of `.indices`.
    .amax( -> .argmax(
tables-only: Your code is right for tables alone. Scores may have any number of axes: count from the end, `dim=-1`.
    highest = -> return torch.stack([torch.exp(row - row.max()) / torch.exp(row - row.max()).sum() for row in scores]) ⏎
        highest =
nan-filled: The `nan` is covered up after the overflow, the weights are lost. Subtract each row's maximum before `exp`.
    scores - highest -> scores
    return exps / exps.sum(dim=-1, keepdim=True) -> return (exps / exps.sum(dim=-1, keepdim=True)).nan_to_num()
    or
    scores - highest -> scores
    return exps / exps.sum(dim=-1, keepdim=True) -> return (exps / exps.sum(dim=-1, keepdim=True)).nan_to_num(nan=1.0)
measured: The scores are divided by their spread, which changes the gaps. Subtract the row's maximum, and no more.
    scores - highest -> (scores - scores.mean(dim=-1, keepdim=True)) / scores.std(dim=-1, keepdim=True)
"""

RULES = (
    forbids("softmax", "Softmax", "log_softmax", "softmin", prompt="no ready-made softmax"),
    not_the_naive_one,
    demands("exp", "exp_", prompt="Use `torch.exp`"),
)
exercise = Exercise(softmax_solution, cases, MISTAKES, shared=(BY_HAND,), rules=RULES, **WEIGHTS, **TRAINABLE)

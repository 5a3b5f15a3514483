"""`my_weights(scores)`: softmax along each row of a table, by hand."""

import torch

from course_utils.checks.exercise import Exercise
from course_utils.checks.rules import demands, forbids
from course_utils.lessons import shared
from course_utils.lessons.arguments import TRAINABLE, WEIGHTS


def weights_solution(scores):
    exps = torch.exp(scores)
    return exps / exps.sum(dim=-1, keepdim=True)  # (num_queries, num_keys) / (num_queries, 1)


def cases(draw):
    yield "3 queries, 4 keys", draw(3, 4)
    yield "5 queries, 2 keys", draw(5, 2) * 2
    yield "as many queries as keys", draw(11, 11)
    yield "a single query", draw(1, 5)
    yield "a single key", draw(3, 1)


MISTAKES = """
softmax-axis: Your softmax runs down the columns. A row is one query's, and must add up to 1: `dim=-1`.
    .sum(dim=-1, -> .sum(dim=0,
sum-normalise: The scores are divided by their bare sum, so weights can be negative. Take `torch.exp` of them first.
    torch.exp(scores) -> scores
e-rounded: Your *e* is rounded, so the powers are a little too small or too large. Take `torch.exp(scores)`.
    torch.exp(scores) -> 2.7 ** scores
scores-not-exps: The scores are divided by the sum of the exponentials. Above the line belong the exponentials too.
    exps / exps -> scores / exps
sum-of-scores: The exponentials are divided by the sum of the scores. Divide them by the sum of the exponentials.
    exps / exps -> exps / scores
exp-of-sum: The exponentials are divided by that of the sum. Add up after `torch.exp`, not before: `exps.sum(…)`.
    exps / exps.sum(dim=-1, keepdim=True) -> exps / torch.exp(scores.sum(dim=-1, keepdim=True))
exp-too-late: `torch.exp` comes after the division. Take it of the scores, then divide by the sum of what it gives.
    torch.exp(scores) -> scores
    exps / exps.sum(dim=-1, keepdim=True) -> torch.exp(exps / exps.sum(dim=-1, keepdim=True))
max-axis: What you took off is not one number for a whole row, so its weights change: `amax(dim=-1, keepdim=True)`.
    torch.exp(scores) -> torch.exp(scores - scores.amax(dim=0))
power-of-2: You took powers of 2. Softmax takes powers of e: `torch.exp(scores)`.
    torch.exp(scores) -> 2**scores
sign: The sign is turned: your largest weight goes to the smallest score. Take `torch.exp(scores)`, with no minus.
    torch.exp(scores) -> torch.exp(-scores)
exp-twice: `torch.exp` is taken twice. Once is enough: divide what it gives by its sum.
    torch.exp(scores) -> torch.exp(torch.exp(scores))
sum-changes: The sum is taken anew while the row changes. Take it once, before you divide: `exps.sum(…)`.
    return exps / exps.sum(dim=-1, keepdim=True) -> for row in exps: ⏎     for j in range(len(row)):
        ⏎         row[j] = row[j] / row.sum() ⏎ return exps
no-exp: The scores are moved above 0 and shared out, without `torch.exp`. Take it of the scores first.
    torch.exp(scores) -> scores - scores.amin(dim=-1, keepdim=True)
"""

RULES = (
    forbids("softmax", "Softmax", "log_softmax", prompt="without a ready-made softmax"),
    demands("exp", "exp_", prompt="with `torch.exp` and a sum"),
)
exercise = Exercise(weights_solution, cases, MISTAKES, shared=(shared.EXPS,), rules=RULES, **WEIGHTS, **TRAINABLE)

"""`my_weights(scores)`: softmax along each row of a table, by hand."""

import torch

from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.checks.rules import demands, forbids
from course_utils.exercises import shared


def weights_solution(scores):
    exps = torch.exp(scores)
    return exps / exps.sum(dim=-1, keepdim=True)  # (num_queries, num_keys) / (num_queries, 1)


def cases(draw):
    yield "3 queries, 4 keys", draw(3, 4)
    yield "5 queries, 2 keys", draw(5, 2) * 2
    yield "as many queries as keys", draw(11, 11)
    yield "a single query", draw(1, 5)
    yield "a single key", draw(3, 1)
    yield Unasked("float64"), draw(2, 6, dtype=torch.float64)


MISTAKES = """
softmax-axis: Your softmax runs down the columns, over the queries. A row belongs to one query, and must add up to 1:
    look at the `dim`, it should be `-1`.
    .sum(dim=-1, -> .sum(dim=0,
sum-normalise: The scores are divided by their bare sum, so weights can be negative. Take `torch.exp` of them first.
    torch.exp(scores) -> scores
not-exponentials: Squares and absolute values forget the sign: -2 weighs as much as 2. Take `torch.exp` of the scores.
    torch.exp(scores) -> scores**2
    or
    torch.exp(scores) -> scores.abs()
sums-only: These are the sums. Divide the exponentials by them: `exps / …`.
    exps / exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=-1, keepdim=True)
scores-not-exps: The scores are divided by the sum of the exponentials. Above the line belong the exponentials too.
    exps / exps -> scores / exps
sum-of-scores: The exponentials are divided by the sum of the scores. Divide them by the sum of the exponentials.
    exps / exps -> exps / scores
exp-of-sum: The exponentials are divided by that of the sum. Add up after `torch.exp`, not before: `exps.sum(…)`.
    exps / exps.sum(dim=-1, keepdim=True) -> exps / torch.exp(scores.sum(dim=-1, keepdim=True))
exp-too-late: `torch.exp` comes after the division. Take it of the scores, then divide by the sum of what it gives.
    torch.exp(scores) -> scores
    exps / exps.sum(dim=-1, keepdim=True) -> torch.exp(exps / exps.sum(dim=-1, keepdim=True))
weights-transposed: The right weights lie on their side. A row is a query, as in `scores`: turn nothing.
    exps / exps.sum(dim=-1, keepdim=True) -> (exps / exps.sum(dim=-1, keepdim=True)).transpose(-2, -1)
sign: The sign is turned: your largest weight goes to the smallest score. Take `torch.exp(scores)`, without a minus.
    exp(scores) -> exp(-scores)
max-axis: What you took off is not one number for a whole row, so its weights change: `amax(dim=-1, keepdim=True)`.
    torch.exp(scores) -> torch.exp(scores - scores.amax(dim=0))
scaled-too-early: The scores are divided before `torch.exp`. Here they are taken as they are.
    torch.exp(scores) -> torch.exp(scores / scores.shape[-1] ** 0.5)
power-of-2: You took powers of 2. Softmax takes powers of e: `torch.exp(scores)`.
    torch.exp(scores) -> 2**scores
power-of-10: You took powers of 10. Softmax takes powers of e: `torch.exp(scores)`.
    torch.exp(scores) -> 10**scores
logarithm: You took a logarithm. Softmax raises e to the power of each score: `torch.exp(scores)`.
    torch.exp(scores) -> torch.log(scores)
    or
    exps / exps.sum(dim=-1, keepdim=True) -> torch.log(exps / exps.sum(dim=-1, keepdim=True))
divided-by-max: You divided by the largest number, so that it becomes 1. Divide each row by its sum.
    exps.sum( -> exps.amax(
    or
    exps.sum(dim=-1, keepdim=True) -> exps.max()
one-sum: All rows are divided by the sum of the first. Each needs its own: `exps.sum(dim=-1, keepdim=True)`.
    exps.sum(dim=-1, keepdim=True) -> exps[0].sum()
sigmoid: You took a sigmoid: each score is turned alone, and a row does not add up to 1. Divide by the row's sum.
    exps / exps.sum(dim=-1, keepdim=True) -> exps / (1 + exps)
fixed-width: Your loop goes on beyond the last row. Read their number off the table: `range(len(scores))`.
    exps / exps.sum(dim=-1, keepdim=True) -> torch.stack([exps[i] / exps[i].sum() for i in range(6)])
last-left-out: The last row is left out. All are asked for: `range(len(scores))` ends with it, and no loop is needed.
    return exps / exps.sum(dim=-1, keepdim=True) -> exps = exps / exps.sum(dim=-1, keepdim=True) ⏎ exps[-1] = 0 ⏎
        return exps
    or
    return exps / exps.sum(dim=-1, keepdim=True) -> exps = exps / exps.sum(dim=-1, keepdim=True) ⏎
        exps[-1] = scores[-1] ⏎ return exps
first-only: Only the first row comes back, as by an index or a `return` inside a loop. All rows are asked for.
    exps / exps.sum(dim=-1, keepdim=True) -> exps[0] / exps[0].sum()
last-only: Only the last row comes back, as when a loop overwrites its result. Keep all of them: fill in at `[i]`.
    exps / exps.sum(dim=-1, keepdim=True) -> exps[-1] / exps[-1].sum()
running-sums: You divided by the sum of the row so far. Each cell needs the sum of its whole row: `exps.sum(…)`.
    exps.sum(dim=-1, keepdim=True) -> exps.cumsum(dim=-1)
    or
    exps / exps -> exps.cumsum(dim=-1) / exps
signs-lost: The minus signs of the scores are lost before `torch.exp`: -2 weighs as much as 2. Take it of the scores.
    torch.exp(scores) -> torch.exp(scores.abs())
    or
    torch.exp(scores) -> torch.exp(scores**2)
    or
    torch.exp(scores) -> torch.exp(scores.clamp(min=0))
exp-twice: `torch.exp` is taken twice. Take it once, of the scores: `torch.exp(scores)`.
    torch.exp(scores) -> torch.exp(torch.exp(scores))
    or
    exps / exps.sum(dim=-1, keepdim=True) -> torch.exp(exps) / torch.exp(exps).sum(dim=-1, keepdim=True)
    or
    exps / exps.sum(dim=-1, keepdim=True) -> torch.softmax(exps, dim=-1)
shifted: Something is added to the exponentials, or taken off: the shares change. Divide them as they are.
    torch.exp(scores) -> torch.exp(scores) - 1
    or
    torch.exp(scores) -> torch.exp(scores) + 1
e-typed-in: Another number than e is raised to the powers. `torch.exp(scores)` knows e to the last digit.
    torch.exp(scores) -> 2.7**scores
    or
    torch.exp(scores) -> 2.72**scores
    or
    torch.exp(scores) -> 3**scores
best-only: The largest score of a row gets it all. Each key gets a share: `exps / exps.sum(dim=-1, keepdim=True)`.
    exps / exps.sum(dim=-1, keepdim=True) -> (exps == exps.amax(dim=-1, keepdim=True)).float()
count: The exponentials are divided by the number of keys or queries. Divide by the sum of each row.
    exps / exps.sum(dim=-1, keepdim=True) -> exps / scores.shape[-1]
    or
    exps / exps.sum(dim=-1, keepdim=True) -> exps / len(scores)
"""

exercise = Exercise(
    weights_solution,
    cases,
    MISTAKES,
    shared=(shared.EXPS,),
    outputs=("weights",),
    rows="weights",
    behaviours=(repeats,),
    rules=(
        forbids("softmax", "Softmax", "log_softmax", prompt="without a ready-made softmax"),
        demands("exp", "exp_", prompt="with `torch.exp` and a sum"),
    ),
    hints=(gradient_flows,),
)

"""`my_weights(scores)`: softmax along each row of a table, by hand."""

import torch

from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.checks.rules import demands, forbids


def weights_solution(scores):
    exps = torch.exp(scores)
    return exps / exps.sum(dim=-1, keepdim=True)  # (num_queries, num_keys) / (num_queries, 1)


def cases(draw):
    yield "3 queries, 4 keys", draw(3, 4)
    yield "5 queries, 2 keys", draw(5, 2) * 2
    yield "as many queries as keys", draw(4, 4)
    yield "a single query", draw(1, 5)
    yield "a single key", draw(3, 1)
    yield Unasked("float64"), draw(2, 6, dtype=torch.float64)


MISTAKES = """
softmax-axis: Your softmax runs down the columns, over the queries. A row belongs to one query, and must add up to 1:
    look at the `dim`, it should be `-1`.
    .sum(dim=-1, -> .sum(dim=0,
softmax-all: Your softmax takes the whole table at once: all weights together add up to 1. Each row needs a sum of its
    own: look at the `dim` of your sum or softmax.
    .sum(dim=-1, keepdim=True) -> .sum()
sum-normalise: You divided the scores by their sum. With a negative score that gives negative weights: take `torch.exp`
    of the scores before you add them up.
    torch.exp(scores) -> scores
not-exponentials: Squares and absolute values are positive, and forget the sign: a score of -2 would weigh as much as
    one of 2. Take `torch.exp` of the scores.
    torch.exp(scores) -> scores**2
    or
    torch.exp(scores) -> scores.abs()
exp-only: The exponentials are there, and the division is missing: divide them by their sum along each row.
    exps / exps.sum(dim=-1, keepdim=True) -> exps
sums-only: These are the sums. Divide the exponentials by them: `exps / …`.
    exps / exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=-1, keepdim=True)
no-keepdim: Your sums have lost an axis, so they are divided into the columns instead of the rows. Give the sum
    `keepdim=True`.
    , keepdim=True ->
scores-not-exps: The scores are divided by the sum of the exponentials. Above the line belong the exponentials too.
    exps / exps -> scores / exps
sum-of-scores: The exponentials are divided by the sum of the scores. Divide them by the sum of the exponentials.
    exps / exps -> exps / scores
exp-of-sum: The exponentials are divided by the exponential of the sum. First `torch.exp`, then the sum: divide by
    `torch.exp(scores).sum(dim=-1, keepdim=True)`.
    exps / exps.sum(dim=-1, keepdim=True) -> exps / torch.exp(scores.sum(dim=-1, keepdim=True))
exp-too-late: You took `torch.exp` of the shares, and nothing divides after it. First `torch.exp`, then divide by the
    sum.
    torch.exp(scores) -> scores
    exps / exps.sum(dim=-1, keepdim=True) -> torch.exp(exps / exps.sum(dim=-1, keepdim=True))
softmax-twice: Softmax is taken twice, so the weights are too even. Once is enough.
    exps / exps.sum(dim=-1, keepdim=True) -> torch.softmax(exps / exps.sum(dim=-1, keepdim=True), dim=-1)
weights-transposed: The table is turned on its side. A row is a query: leave the transpose out.
    exps / exps.sum(dim=-1, keepdim=True) -> (exps / exps.sum(dim=-1, keepdim=True)).transpose(-2, -1)
sign: The sign is turned: your largest weight goes to the smallest score. Leave the minus out.
    exp(scores) -> exp(-scores)
power-of-2: You took powers of 2. Softmax takes powers of e: `torch.exp(scores)`.
    torch.exp(scores) -> 2**scores
power-of-10: You took powers of 10. Softmax takes powers of e: `torch.exp(scores)`.
    torch.exp(scores) -> 10**scores
logarithm: You took a logarithm. Softmax raises e to the power of each score: `torch.exp(scores)`.
    torch.exp(scores) -> torch.log(scores)
    or
    exps / exps.sum(dim=-1, keepdim=True) -> torch.log(exps / exps.sum(dim=-1, keepdim=True))
mean: You divided by the mean of each row, so that it adds up to the number of keys: take the sum.
    exps.sum( -> exps.mean(
divided-by-max: You divided by the largest number, so that it becomes 1. Divide each row by its sum.
    exps.sum( -> exps.amax(
    or
    exps.sum(dim=-1, keepdim=True) -> exps.max()
one-sum: All rows are divided by the sum of the first. Each needs its own: `exps.sum(dim=-1, keepdim=True)`.
    exps.sum(dim=-1, keepdim=True) -> exps[0].sum()
sigmoid: You took a sigmoid: each score is turned alone, and a row does not add up to 1. Divide by the row's sum.
    exps / exps.sum(dim=-1, keepdim=True) -> exps / (1 + exps)
fixed-width: Your loop goes through six rows, as on the page. Read their number off: `len(scores)`.
    exps / exps.sum(dim=-1, keepdim=True) -> torch.stack([exps[i] / exps[i].sum() for i in range(6)])
last-left-out: The last row is left out: your loop ends one too early. `range(len(scores))` goes through all of them.
    return exps / exps.sum(dim=-1, keepdim=True) -> weights = torch.zeros_like(exps) ⏎
        weights[:-1] = exps[:-1] / exps[:-1].sum(dim=-1, keepdim=True) ⏎ return weights
    or
    return exps / exps.sum(dim=-1, keepdim=True) -> weights = scores.clone() ⏎
        weights[:-1] = exps[:-1] / exps[:-1].sum(dim=-1, keepdim=True) ⏎ return weights
first-only: Only the first row comes back. Look at the indentation of your `return`: it stands inside the loop.
    exps / exps.sum(dim=-1, keepdim=True) -> exps[0] / exps[0].sum()
last-only: Only the last row comes back. Your loop overwrites its result: fill it in at `[i]`.
    exps / exps.sum(dim=-1, keepdim=True) -> exps[-1] / exps[-1].sum()
multiplied: You multiplied by the sums. Divide the exponentials by them, so that each row adds up to 1: `exps / …`.
    exps / exps -> exps * exps
subtracted: You took the sums off the exponentials. A weight is a quotient: `exps / …`.
    exps / exps -> exps - exps
inverted: Above and below have changed places: the exponentials are divided by their sums, `exps / …`.
    exps / exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=-1, keepdim=True) / exps
floor-division: `//` cuts off what stands behind the point, and every weight is below 1. Divide with `/`.
    exps / exps -> exps // exps
"""

exercise = Exercise(
    weights_solution,
    cases,
    MISTAKES,
    outputs=("weights",),
    rows="weights",
    behaviours=(repeats,),
    rules=(
        forbids("softmax", "Softmax", "log_softmax", prompt="without `torch.softmax`"),
        demands("exp", "exp_", prompt="with `torch.exp` and a sum"),
    ),
    hints=(gradient_flows,),
)

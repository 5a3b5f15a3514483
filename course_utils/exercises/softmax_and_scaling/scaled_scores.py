"""`my_scaled_scores(queries, keys)`: the dot products of queries and keys, divided by the root of their width."""

import torch

from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.exercises import shared
from course_utils.exercises.softmax_and_scaling.products import ADDED, FIXED, OTHER_DIVISORS, PRODUCT, TIMES


def scaled_scores_solution(queries, keys):
    return queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5  # (..., num_queries, num_keys)


def cases(draw):
    yield "3 queries, 4 keys, width 5", draw(3, 5), draw(4, 5)
    yield "a batch of 2", draw(2, 3, 6), draw(2, 5, 6)
    yield "heads, (2, 3, 4, 5)", draw(2, 3, 4, 5), draw(2, 3, 6, 5)
    yield "as many keys as numbers", draw(2, 3, 4), draw(2, 4, 4)
    yield "everything of length 3", draw(3, 3, 3), draw(3, 3, 3)
    yield "as many queries as keys", draw(17, 2), draw(17, 2)
    yield "a batch of one, a single key", draw(1, 3, 4), draw(1, 1, 4)
    yield Unasked("float64"), draw(2, 8, dtype=torch.float64), draw(3, 8, dtype=torch.float64)


MISTAKES = """
softmax-too-early: Only the scores are asked for, divided by the root of the width: leave the softmax out, and divide.
    return … / queries.shape[-1] ** 0.5 -> return torch.softmax(…, dim=-1)
root-of-scores: The root is taken of the scores as well, and below 0 there is none: `** 0.5` is for the width alone.
    queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5 ->
        (queries @ keys.transpose(-2, -1) / queries.shape[-1]) ** 0.5
batch-required: Your code takes exactly one axis of batch, the prompt any number. Count from the end, with `@` or `...`.
    return -> batch_size, num_queries, head_dim = queries.shape ⏎ return
distance: These are distances. A score is a dot product: `queries @ keys.transpose(-2, -1)`.
    queries @ keys.transpose(-2, -1) -> torch.cdist(queries, keys)
measured: You divided by the spread of these scores. Divide by the root of the width, which the scores have no part in.
    / queries.shape[-1] ** 0.5 -> / (queries @ keys.transpose(-2, -1)).std()
batch-mixed: The texts of the batch were run together into one long one, as by `flatten`. Keep their axes apart.
    return queries @ keys.transpose(-2, -1) -> return queries.flatten(0, -2) @ keys.flatten(0, -2).transpose(0, 1)
elementwise: `*` multiplies number by number. Each query meets each key: `queries @ keys.transpose(-2, -1)`.
    queries @ keys.transpose(-2, -1) -> (queries * keys).sum(dim=-1)
    or
    queries @ keys.transpose(-2, -1) -> queries * keys
    or
    queries @ keys.transpose(-2, -1) -> queries * keys.transpose(-2, -1)
future-hidden: The upper triangle is hidden. Here every query meets every key: leave the mask out.
    return … ** 0.5 -> return (… ** 0.5).tril()
    or
    return … ** 0.5 -> scores = … ** 0.5 ⏎
        return scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1).bool(), -torch.inf)
"""

exercise = Exercise(
    scaled_scores_solution,
    cases,
    MISTAKES,
    shared=(PRODUCT, FIXED, TIMES, OTHER_DIVISORS, ADDED, shared.SCORES, shared.RARE_IN_SCORES),
    outputs=("scores",),
    behaviours=(repeats,),
    hints=(gradient_flows,),
)

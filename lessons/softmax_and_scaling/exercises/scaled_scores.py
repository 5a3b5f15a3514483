"""`my_scaled_scores(queries, keys)`: the dot products of queries and keys, divided by the root of their width."""

from course_utils.checks.exercise import Exercise
from course_utils.lessons import shared
from course_utils.lessons.arguments import TRAINABLE
from course_utils.lessons.softmax_and_scaling.exercises.products import FIXED, PRODUCT, TIMES


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


MISTAKES = """
root-of-scores: The root is taken of the scores as well, and below 0 there is none: `** 0.5` is for the width alone.
    queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5 ->
        (queries @ keys.transpose(-2, -1) / queries.shape[-1]) ** 0.5
measured: You divided by the spread of these scores. Divide by the root of the width, which the scores have no part in.
    / queries.shape[-1] ** 0.5 -> / (queries @ keys.transpose(-2, -1)).std()
batch-mixed: The texts of the batch were run together into one long one, as by `flatten`. Keep their axes apart.
    return queries @ keys.transpose(-2, -1) -> return queries.flatten(0, -2) @ keys.flatten(0, -2).transpose(0, 1)
all-counted: You divided by the root of how many numbers there are in all. The width is one axis: `queries.shape[-1]`.
    / queries.shape[-1] -> / queries.numel()
other-root: This is another root than the square root. Write `** 0.5`.
    ** 0.5 -> ** (1 / 3)
keys-alone: The keys meet themselves. A row belongs to a query: `queries @ keys.transpose(-2, -1)`.
    queries @ keys -> keys @ keys
"""

SHARED = (PRODUCT, FIXED, TIMES, shared.SCORES, shared.RARE_IN_SCORES)
exercise = Exercise(scaled_scores_solution, cases, MISTAKES, shared=SHARED, outputs=("scores",), **TRAINABLE)

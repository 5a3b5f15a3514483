"""`my_qk_scores(inputs, W_query, W_key)`: scaled scores of a batch, from inputs and two matrices."""

from course_utils.checks.exercise import Exercise
from course_utils.lessons import shared
from course_utils.lessons.arguments import TRAINABLE
from course_utils.lessons.softmax_and_scaling.exercises.products import TIMES


def qk_scores_solution(inputs, W_query, W_key):
    queries, keys = inputs @ W_query, inputs @ W_key  # (batch, num_tokens, d_out)
    return queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5


def cases(draw):
    yield "2 texts of 4 tokens, 5 wide to 3", draw(2, 4, 5), draw(5, 3), draw(5, 3)
    yield "3 texts of 11 tokens, 2 wide to 6", draw(3, 11, 2), draw(2, 6), draw(2, 6)
    yield "as many tokens as numbers", draw(2, 4, 4) * 0.5, draw(4, 4), draw(4, 4)
    yield "as many texts as tokens and numbers", draw(3, 3, 3), draw(3, 3), draw(3, 3)
    yield "a batch of one, a single token", draw(1, 1, 3), draw(3, 2), draw(3, 2)


MISTAKES = """
keys-unprojected: The queries meet the bare inputs. Make the keys first: `inputs @ W_key`.
    inputs @ W_key -> inputs
scale-model: You divided by the root of the inputs' width. Queries and keys have their own: `queries.shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / inputs.shape[-1] ** 0.5
root-brackets: You divided by twice or half the width: `** 1 / 2` and `* 0.5` take no root. Write `** 0.5`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1] ** 1 / 2
unprojected: The inputs meet each other, and the matrices have no effect: make `queries` and `keys` with them first.
    inputs @ W_query, inputs @ W_key -> inputs, inputs
shared-projection: Both sides of the scores come from `W_query`. On the right belong the keys: `inputs @ W_key`.
    inputs @ W_key -> inputs @ W_query
shared-projection: Both sides of the scores come from `W_key`. On the left belong the queries: `inputs @ W_query`.
    inputs @ W_query -> inputs @ W_key
matrices-added: Queries and keys both come from the sum of the matrices. Each has one: `inputs @ W_query`.
    inputs @ W_query, inputs @ W_key -> inputs @ (W_query + W_key), inputs @ (W_query + W_key)
linear-layout: The matrices are turned. They are `(d_in, d_out)` already, ready for `inputs @ W_query`: no transpose.
    inputs @ W_query, inputs @ W_key -> inputs @ W_query.T, inputs @ W_key.T
keys-fixed-axes: Texts and tokens have changed places in the keys. Turn the last two axes: `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.transpose(0, 1)
keys-of-all-texts: The keys of all texts are added up. Each text has its own: the batch is one axis, or one letter.
    keys.transpose(-2, -1) -> keys.sum(dim=0).transpose(-2, -1)
keys-from-queries: Your keys are made from the queries. Both come from the inputs: `inputs @ W_query`, `inputs @ W_key`.
    inputs @ W_key -> inputs @ W_query @ W_key
joint-not-turned: Both matrices meet in one product, `W_key` as it is. Turn it as the keys: `W_key.transpose(-2, -1)`.
    queries @ keys.transpose(-2, -1) -> inputs @ (W_query @ W_key) @ inputs.transpose(-2, -1)
"""

SHARED = (TIMES, shared.SCORES, shared.RARE_IN_SCORES)
exercise = Exercise(qk_scores_solution, cases, MISTAKES, shared=SHARED, outputs=("scores",), **TRAINABLE)

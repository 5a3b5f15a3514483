"""`my_qk_scores(inputs, W_query, W_key)`: scaled scores of a batch, from inputs and two matrices."""

import torch

from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.exercises import shared


def qk_scores_solution(inputs, W_query, W_key):
    queries, keys = inputs @ W_query, inputs @ W_key  # (batch, num_tokens, d_out)
    return queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5


def cases(draw):
    yield "2 texts of 4 tokens, 5 wide to 3", draw(2, 4, 5), draw(5, 3), draw(5, 3)
    yield "3 texts of 5 tokens, 2 wide to 6", draw(3, 5, 2), draw(2, 6), draw(2, 6)
    yield "as many tokens as numbers", draw(2, 4, 4) * 0.5, draw(4, 4), draw(4, 4)
    yield "as many texts as tokens and numbers", draw(3, 3, 3), draw(3, 3), draw(3, 3)
    yield "a batch of one, a single token", draw(1, 1, 3), draw(3, 2), draw(3, 2)
    yield Unasked("float64"), *(draw(*shape, dtype=torch.float64) for shape in ((2, 3, 4), (4, 2), (4, 2)))


MISTAKES = """
scale-model: You divided by the root of the inputs' width. What meets in the product are queries and keys: take their
    width, `queries.shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / inputs.shape[-1] ** 0.5
scale-wrong-axis: You divided by the root of the number of texts. It should be the root of the width, the last axis:
    `shape[-1]`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[0] ** 0.5
fixed-width: You divided by the root of 2, the width on the page. Other widths come, too: `queries.shape[-1] ** 0.5`.
    / queries.shape[-1] ** 0.5 -> / 2**0.5
root-brackets: `** 1 / 2` takes the power of 1 first and halves afterwards. The root is `** 0.5`, or `** (1 / 2)`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1] ** 1 / 2
root-brackets: You divided by half the width: `** 1 / 2`, like `* 0.5`, takes no root. It is `** 0.5`, or `** (1 / 2)`.
    / queries.shape[-1] ** 0.5 -> / (queries.shape[-1] ** 1 / 2)
unprojected: The inputs meet each other, and the matrices are not used: make `queries` and `keys` with them first.
    inputs @ W_query, inputs @ W_key -> inputs, inputs
shared-projection: Queries and keys are made with the same matrix, or the queries meet themselves: the keys need
    `W_key`, and stand on the right of the `@`.
    inputs @ W_key -> inputs @ W_query
shared-projection: Queries and keys are made with the same matrix, or the keys meet themselves: the queries need
    `W_query`, and stand on the left of the `@`.
    inputs @ W_query -> inputs @ W_key
keys-unprojected: The queries meet the bare inputs. Make the keys first: `inputs @ W_key`.
    inputs @ W_key -> inputs
queries-unprojected: The bare inputs meet the keys. Make the queries first: `inputs @ W_query`.
    inputs @ W_query -> inputs
linear-layout: The matrices are turned on their side. They are `(d_in, d_out)` already, ready for `inputs @ W_query`: no
    transpose.
    inputs @ W_query, inputs @ W_key -> inputs @ W_query.T, inputs @ W_key.T
matrix-first: A matrix stands on the left of the inputs. Each token is a row: `inputs @ W_query`.
    inputs @ W_query, inputs @ W_key -> W_query @ inputs, W_key @ inputs
elementwise: `*` multiplies number by number. Queries, keys and scores are products of matrices: `@`.
    inputs @ W_query, inputs @ W_key -> inputs * W_query, inputs * W_key
    or
    queries @ keys.transpose(-2, -1) -> queries * keys.transpose(-2, -1)
    or
    queries @ keys.transpose(-2, -1) -> queries * keys
keys-full-turn: `.T`, or `transpose(0, 2)`, takes the batch along. Name the two that should change places:
    `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.permute(2, 1, 0)
keys-fixed-axes: `transpose(0, 1)` names the two axes of one text. In a batch it exchanges texts and tokens. Count from
    the end: `transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.transpose(0, 1)
batch-mixed: The texts of the batch were run together into one long one: a change in one changes the others. Keep the
    first axis, and leave out the `view`, `reshape` or `flatten`.
    queries, keys = -> inputs = inputs.flatten(0, 1) ⏎ queries, keys =
seq-batch-swapped: Axes 0 and 1 are exchanged: your tokens look at the same place in other texts. The batch comes first,
    `(batch, num_tokens, width)`: turn only the last two axes.
    queries, keys = -> inputs = inputs.transpose(0, 1) ⏎ queries, keys =
first-text-only: Only the first text has scores: there is an index too many, or a `return` inside a loop.
    inputs @ W_query, inputs @ W_key -> inputs[0] @ W_query, inputs[0] @ W_key
    or
    inputs @ W_query, inputs @ W_key -> inputs[:1] @ W_query, inputs[:1] @ W_key
softmax-too-early: Only the scores are asked for: leave the softmax out.
    return … ** 0.5 -> return torch.softmax(… ** 0.5, dim=-1)
keys-from-queries: Your keys are made from the queries: one product takes what came out of the other. Both begin with
    the inputs: `inputs @ W_query`, `inputs @ W_key`.
    inputs @ W_key -> inputs @ W_query @ W_key
queries-from-keys: Your queries are made from the keys: one product takes what came out of the other. Both begin with
    the inputs: `inputs @ W_query`, `inputs @ W_key`.
    inputs @ W_query -> inputs @ W_key @ W_query
joint-not-turned: The two matrices were multiplied to one, and `W_key` was not turned. As the keys are turned in their
    product, so is it: `W_query @ W_key.transpose(-2, -1)`.
    queries @ keys.transpose(-2, -1) -> inputs @ (W_query @ W_key) @ inputs.transpose(-2, -1)
queries-turned: The queries are turned, and the keys are not. Turn the last two axes of the keys.
    queries @ keys.transpose(-2, -1) -> queries.transpose(-2, -1) @ keys
root-cut: The root was made a whole number. It seldom is one: leave out what cuts or rounds it, `** 0.5` is enough.
    / queries.shape[-1] ** 0.5 -> / int(queries.shape[-1] ** 0.5)
    or
    / queries.shape[-1] ** 0.5 -> / round(queries.shape[-1] ** 0.5)
scale-no-root: All in all you divided by the width itself. Divide the product once, by its root, `** 0.5`. (The root
    under queries and keys both is the width again.)
floor-division: `//` cuts off what stands behind the point of each score. Divide with `/`.
    / queries.shape[-1] ** 0.5 -> // queries.shape[-1] ** 0.5
"""

exercise = Exercise(
    qk_scores_solution,
    cases,
    MISTAKES,
    shared=(shared.SCORES,),
    outputs=("scores",),
    behaviours=(repeats,),
    hints=(gradient_flows,),
)

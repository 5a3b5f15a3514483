"""`my_row_weights(queries, keys)`: softmax over the keys, for one text, a batch, and heads."""

import torch

from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.exercises import shared
from course_utils.exercises.debug_clinic.slips import COSINE, FIXED_AXES, FOUR_AXES, SCALE


def row_weights_solution(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=-1)  # the keys stand last, however many axes come before


def cases(draw):
    yield "one text, 3 queries, 4 keys", draw(3, 5), draw(4, 5)
    yield "a batch of 2", draw(2, 3, 6), draw(2, 5, 6)
    yield "heads, (2, 3, 4, 5)", draw(2, 3, 4, 5), draw(2, 3, 6, 5)
    yield "as many queries as keys", draw(2, 4, 3), draw(2, 4, 3)
    yield "everything of length 4", draw(4, 4, 4), draw(4, 4, 4)
    yield "large scores", draw(2, 4, 3) * 50, draw(2, 5, 3) * 50
    yield "a batch of one, a single key", draw(1, 3, 4), draw(1, 1, 4)
    yield Unasked("float64"), draw(2, 3, 5, dtype=torch.float64), draw(2, 4, 5, dtype=torch.float64)


MISTAKES = """
softmax-fixed-axis: This is the bug as it was: `dim=1` is the last axis of one text, but the queries' axis of a batch,
    and the tokens or heads of four axes. Count from the end: `dim=-1`.
    dim=-1 -> dim=1
softmax-half-repaired: `dim=2` mends the batch of three axes and nothing else: one text has no axis 2, and with heads it
    is the queries' axis. Count from the end: `dim=-1`.
    dim=-1 -> dim=2
softmax-half-repaired: Axis 3 is there with heads and nowhere else: one text and a batch stop. Count from the end:
    `dim=-1`, `transpose(-2, -1)`.
    dim=-1 -> dim=3
softmax-by-cases: One text and a batch are right, and with heads your softmax still runs over the queries. No case is
    needed for each number of axes: counted from the end, the keys' axis is `-1` in all of them.
    dim=-1 -> dim=min(attn_scores.dim() - 1, 2)
softmax-by-cases: One text is right, and a batch or heads are not: your `dim` depends on how many axes there are. No
    cases are needed: counted from the end, the keys' axis is always `-1`.
    dim=-1 -> dim=-1 if attn_scores.dim() == 2 else -2
softmax-no-dim: Without a `dim`, PyTorch guesses one from the number of axes, or stops: say `dim=-1`.
    dim=-1 -> dim=0 if attn_scores.dim() == 3 else 1
    or
    , dim=-1 ->
renormalised: The rows add up to 1, and the weights are wrong: softmax still runs down the columns, and the division
    afterwards covers it. Take the division out and mend the `dim` of the softmax.
    return torch.softmax(attn_scores, dim=-1) ->
        weights = torch.softmax(attn_scores, dim=1) ⏎ return weights / weights.sum(dim=-1, keepdim=True)
    or
    return torch.softmax(attn_scores, dim=-1) ->
        weights = torch.softmax(attn_scores, dim=-2) ⏎ return weights / weights.sum(dim=-1, keepdim=True)
softmax-twice: Softmax runs twice, over the columns and then over the rows. That makes the weights nearly equal: keep
    one, with `dim=-1`.
    torch.softmax(attn_scores, dim=-1) -> torch.softmax(torch.softmax(attn_scores, dim=1), dim=-1)
    or
    torch.softmax(attn_scores, dim=-1) -> torch.softmax(torch.softmax(attn_scores, dim=-2), dim=-1)
softmax-twice: Softmax runs twice, and the second makes the weights nearly equal: keep one, with `dim=-1`.
    torch.softmax(attn_scores, dim=-1) -> torch.softmax(torch.softmax(attn_scores, dim=-1), dim=-1)
weights-returned-transposed: The weights come back on their side: a row is a query.
    return torch.softmax(attn_scores, dim=-1) -> return torch.softmax(attn_scores, dim=-1).transpose(-2, -1)
scale-wrong-axis: You divided by the root of the number of queries. It should be the root of the width, the last axis:
    `shape[-1]`.
    / keys.shape[-1] ** 0.5 -> / queries.shape[-2] ** 0.5
squeezed: `squeeze()` takes away every axis of length 1, also that of a single text, token or key. Name the one that you
    added, `squeeze(0)`, or index it away.
    torch.softmax(attn_scores, dim=-1) -> torch.softmax(attn_scores, dim=-1).squeeze()
    or
    torch.softmax(attn_scores, dim=-1) -> torch.softmax(attn_scores, dim=-1).squeeze(0)
batch-mixed: The texts of the batch were run together into one long one: a change in one changes the others. Keep the
    first axis, and leave out the `view`, `reshape` or `flatten`.
    queries @ keys.transpose(-2, -1) -> queries.flatten(0, -2) @ keys.flatten(0, -2).transpose(-2, -1)
"""

exercise = Exercise(
    row_weights_solution,
    cases,
    MISTAKES,
    shared=(
        shared.SOFTMAX,
        shared.SOFTMAX_OF_ONE_HEAD,
        shared.SCORES,
        FIXED_AXES,
        FOUR_AXES,
        SCALE,
        COSINE,
    ),
    outputs=("weights",),
    behaviours=(repeats,),
    hints=(gradient_flows,),
    rows="weights",
)

"""`my_causal_weights(queries, keys)`: causal weights, in which each row is divided by what is left in it."""

import torch

from course_utils import attention
from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.checks.form import Form
from course_utils.exercises import shared
from course_utils.exercises.debug_clinic.slips import COSINE, FIXED_AXES, FOUR_AXES, HIDDEN, SCALE


def causal_weights_solution(queries, keys):
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
    masked = attn_weights * attention.causal_mask(queries.shape[-2])
    return masked / masked.sum(dim=-1, keepdim=True)


def filled_before_softmax(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    mask = attention.causal_mask(queries.shape[-2])
    return torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)


def cases(draw):
    yield "5 tokens, 3 wide", draw(5, 3), draw(5, 3)
    yield "a batch of 2", draw(2, 4, 3), draw(2, 4, 3)
    yield "heads, (2, 3, 5, 4)", draw(2, 3, 5, 4), draw(2, 3, 5, 4)
    yield "everything of length 4", draw(4, 4, 4), draw(4, 4, 4)
    yield "two tokens", draw(2, 6), draw(2, 6)
    yield "a batch of one, a single token", draw(1, 1, 3), draw(1, 1, 3)
    yield Unasked("float64"), draw(2, 6, 5, dtype=torch.float64), draw(2, 6, 5, dtype=torch.float64)


MISTAKES = """
divided-by-mask-sum: Halfway: the masked weights are used now, and divided by how many cells are open. Divide them by
    their own sum, `masked.sum(dim=-1, keepdim=True)`.
    masked.sum(dim=-1 -> attention.causal_mask(queries.shape[-2]).sum(dim=-1
softmax-again: Halfway: softmax over masked weights opens the future again, since e⁰ is 1. Divide by the sum, or fill
    the scores with `-torch.inf` and take one softmax.
    return masked / masked.sum(dim=-1, keepdim=True) -> return torch.softmax(masked, dim=-1)
mask-after-softmax: Halfway: the future is closed, and its share is missing: rows add up to less than 1. Divide each row
    by what is left in it.
    masked / masked.sum(dim=-1, keepdim=True) -> masked
sum-down-columns: You divide by the sums of the columns. A row is a query and needs a sum of its own: `sum(dim=-1,
    keepdim=True)`.
    sum(dim=-1 -> sum(dim=-2
sum-fixed-axis: `sum(dim=1)` adds up the rows of one text alone. Count from the end: `sum(dim=-1, keepdim=True)`.
    sum(dim=-1 -> sum(dim=1
normalize-for-sum: `F.normalize` divides by the root of the squares. Rows add up to 1 where they are divided by their
    sums: `masked / masked.sum(dim=-1, keepdim=True)`.
    masked / masked.sum(dim=-1, keepdim=True) -> torch.nn.functional.normalize(masked, dim=-1)
squeezed: `squeeze()` takes away every axis of length 1, also that of a single text, token or key. Name the one that you
    added, `squeeze(0)`, or index it away.
    masked / masked.sum(dim=-1, keepdim=True) -> (masked / masked.sum(dim=-1, keepdim=True)).squeeze()
sum-of-all: You divide by the sum of the whole table. A row is a query and needs a sum of its own: `sum(dim=-1,
    keepdim=True)`.
    sum(dim=-1, keepdim=True) -> sum()
keepdim-forgotten: The sums have lost their axis, so each column is divided by the sum of a row. Keep it: `sum(dim=-1,
    keepdim=True)`.
    , keepdim=True ->
masked-left-aside: You divide all weights by the sums of the masked ones, and the future stays open. Divide `masked` by
    the sums of `masked`.
    masked / masked.sum -> attn_weights / masked.sum
inf-after-softmax: You fill the weights with minus infinity, after softmax. It belongs into the scores, before softmax:
    in the weights, what is closed is 0.
    attn_weights * attention.causal_mask(queries.shape[-2]) ->
        attn_weights.masked_fill(~attention.causal_mask(queries.shape[-2]), -torch.inf)
softmax-axis: Your softmax runs down the columns, over the queries. A row belongs to one query, and must add up to 1:
    look at the `dim`, it should be `-1`.
    torch.softmax(…, dim=-1) -> torch.softmax(…, dim=-2)
softmax-fixed-axis: `softmax(…, dim=1)` is the keys' axis of one text alone. Count from the end: `dim=-1`.
    torch.softmax(…, dim=-1) -> torch.softmax(…, dim=1)
sum-normalise: No softmax has made weights of the scores: they are masked and divided by their sums as they are, and a
    negative score gives a negative weight.
    torch.softmax(…, dim=-1) -> (…)
tokens-axis: The number of tokens is read off the wrong axis: there may be a batch before it, or none. Count from the
    end, `queries.shape[-2]`.
    queries.shape[-2] -> queries.shape[0]
    or
    queries.shape[-2] -> queries.shape[1]
    or
    queries.shape[-2] -> queries.shape[-1]
mask-size-fixed: The number of tokens is typed in: your mask is 5 by 5, and fits no other text. Read it off the input,
    `queries.shape[-2]`.
    queries.shape[-2] -> 5
"""
IN_THE_SCORES = """
no-mask: Nothing is hidden: the mask is not used, or what `tril` or `masked_fill` gave was not kept, or what is added is
    next to nothing, as `-1e-9` is.
mask-normalised: This is the bug as it was: the *mask* is divided by its sums, and the weights are never used. Divide
    `masked` by the sums of `masked`.
mask-normalised:
    torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1) -> mask / mask.sum(dim=-1, keepdim=True)
softmax-twice: Softmax runs twice: over the scores, and over the weights it made. The second flattens them: fill the
    *scores* with `-torch.inf`, and take one softmax.
    attn_scores.masked_fill -> torch.softmax(attn_scores, dim=-1).masked_fill
softmax-fixed-axis: `softmax(…, dim=1)` is the keys' axis of one text alone. Count from the end: `dim=-1`.
    dim=-1) -> dim=1)
divided-twice: One division too many: softmax has shared out each row already.
    dim=-1) -> dim=-1) / mask.sum(dim=-1, keepdim=True)
weights-returned-transposed: The weights come back on their side: a row is a query.
    dim=-1) -> dim=-1).transpose(-2, -1)
"""

exercise = Exercise(
    causal_weights_solution,
    cases,
    MISTAKES,
    shared=(shared.SCORES, FIXED_AXES, FOUR_AXES, COSINE),
    also=(
        Form(
            __name__,
            "filled_before_softmax",
            IN_THE_SCORES,
            shared=(shared.HIDE, shared.CAUSAL, shared.SOFTMAX_OF_SMALL_SCORES, SCALE, HIDDEN),
        ),
    ),
    outputs=("weights",),
    behaviours=(repeats,),
    hints=(gradient_flows,),
    rows="weights",
)

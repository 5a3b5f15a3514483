"""`my_padded_softmax(scores, mask)`: a softmax made with `torch.exp`, 0 where nothing is open."""

import torch

from course_utils.checks import outcome
from course_utils.checks.behaviours import backward, gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.checks.rules import demands, forbids
from course_utils.exercises import shared

PROMPT = "Now build one: write `my_padded_softmax(scores, mask)` with `torch.exp`"


def padded_softmax_solution(scores, mask):
    scores = scores.masked_fill(~mask, -torch.inf)
    highest = scores.amax(dim=-1, keepdim=True)
    exps = torch.exp(scores - highest.masked_fill(highest == -torch.inf, 0.0))
    totals = exps.sum(dim=-1, keepdim=True)
    return exps / totals.masked_fill(totals == 0, 1.0)


def first_keys(*valid_lens, of):
    """(batch, 1, of) bool, True for the first keys of each text."""
    return (torch.arange(of) < torch.tensor(valid_lens)[:, None])[:, None]


def cases(draw):
    rows = torch.tensor([[1, 0, 1, 1], [0, 1, 1, 0], [0, 0, 0, 0], [1, 1, 0, 1]]).bool()
    yield "2 texts, 3 queries, 4 keys", draw(2, 3, 4), first_keys(3, 2, of=4)
    yield "a text of length 0", draw(2, 3, 5), first_keys(4, 0, of=5)
    yield "heads, (2, 3, 4, 5)", draw(2, 3, 4, 5), first_keys(0, 3, of=5)[:, None]
    yield "large scores", 1000 + 100 * draw(2, 2, 4), first_keys(2, 3, of=4)
    yield "a closed key with a huge score", draw(2, 2, 3) + torch.tensor([0.0, 0.0, 900.0]), first_keys(2, 1, of=3)
    yield "a mask with rows of its own", draw(4, 4), rows
    yield "one mask for 2 texts", draw(2, 4, 4), rows
    yield "a small row under a large one", draw(2, 3) + torch.tensor([[400.0], [-400.0]]), first_keys(2, of=3)[0]
    yield "scores far below 0", draw(2, 3) - 400, first_keys(2, of=3)[0]
    yield "a single row", draw(5), draw(5) > -0.4
    yield "a single row, all closed", draw(4), torch.zeros(4, dtype=torch.bool)
    yield Unasked("float64"), draw(3, 2, 6, dtype=torch.float64), first_keys(6, 0, 4, of=6)


def finite_gradients(exercise, answer):
    """A row that is all closed sends no nan back, and none of its numbers is overwritten before training reads it."""
    for _, (scores, mask) in exercise.cases()[1:3]:
        weights = outcome.as_tensors(answer(scores.requires_grad_(), mask), exercise.outputs)
        try:
            backward(weights)
        except RuntimeError as error:
            if "inplace operation" not in str(error):
                raise
            yield (
                "repair-in-place",
                "The weights are right, and have no gradient: you write into a tensor that training needs as it was. "
                "In place of `[...] = 0`, or a method that ends in `_`, use `masked_fill`: it makes a new tensor.",
            )
            return
        if scores.grad is not None and scores.grad.isnan().any():
            yield (
                "nan-gradient",
                "The weights are right, and the gradient of the empty row is `nan`: it was made, and hidden "
                "afterwards. Keep the 0 / 0 from happening: `masked_fill` the scores, and divide an empty row by 1.",
            )
            return


MISTAKES = """
all-masked-nan: A row in which all keys are closed gives `nan`: -inf minus -inf, and 0 / 0. Such a row should be 0: look
    for its maximum and its sum before you use them.
    totals.masked_fill(totals == 0, 1.0) -> totals
all-masked-uniform: A row in which all keys are closed gives equal weights: you filled with a large finite number, and
    softmax looks at gaps alone. Fill with `-torch.inf`, and let such a row be 0.
    ~mask, -torch.inf -> ~mask, -1e9
empty-whole: You look whether the whole table is closed. One text may be empty beside others: ask it of each row,
    `mask.any(dim=-1, keepdim=True)`.
    scores = scores -> if not mask.any(): ⏎     return torch.zeros_like(scores) ⏎ scores = scores
    totals.masked_fill(totals == 0, 1.0) -> totals
empty-whole: One row has nothing open, and you return zeros for the whole table. Only that row should be 0:
    `masked_fill`, or `torch.where`, treats each row by itself.
    scores = scores -> if not mask.any(dim=-1).all(): ⏎     return torch.zeros_like(scores) ⏎ scores = scores
row-by-if: `if` asks one question, and there are many rows. `masked_fill` or `torch.where` answers it for each of them.
    exps = torch -> if highest == -torch.inf: ⏎     return torch.zeros_like(scores) ⏎ exps = torch
repair-inverted: The sums of the good rows are replaced, and the empty one is divided by 0. It is the other way round:
    `totals == 0`.
    totals == 0 -> totals != 0
nan-gradient:
    scores.masked_fill(~mask, -torch.inf) -> scores + torch.zeros_like(scores).masked_fill(~mask, -torch.inf)
    highest.masked_fill(highest == -torch.inf, 0.0) -> highest
    return exps / totals.masked_fill(totals == 0, 1.0) -> return (exps / totals).nan_to_num(0.0)
detached:
    / totals.masked_fill(totals == 0, 1.0) -> / totals.masked_fill(totals == 0, 1.0).detach()
repair-in-place:
    highest.masked_fill(highest == -torch.inf, 0.0)) -> highest) ⏎ exps[exps.isnan()] = 0.0
naive-overflow: Large scores overflow: `torch.exp` of 1000 is `inf`. Subtract each row's maximum before `torch.exp`.
    scores - highest.masked_fill(highest == -torch.inf, 0.0) -> scores
    or
    scores.masked_fill(~mask, -torch.inf) -> scores
    torch.exp(scores - highest.masked_fill(highest == -torch.inf, 0.0)) -> torch.exp(scores) * mask
    or
    scores - highest.masked_fill(highest == -torch.inf, 0.0) -> scores
    return exps / totals.masked_fill(totals == 0, 1.0) -> return torch.nan_to_num(exps / totals)
min-subtracted: You subtract the smallest score of each row, and the largest still overflows. Subtract the maximum.
    scores = scores.masked_fill -> lowest = scores.amin(dim=-1, keepdim=True) ⏎ scores = scores.masked_fill
    highest.masked_fill(highest == -torch.inf, 0.0) -> lowest
scores-shrunk: You divide the scores to make them small. That changes the gaps between them, and softmax looks at gaps
    alone. Subtract each row's maximum: it changes no gap.
    scores = scores.masked_fill -> scores = (scores / scores.max()).masked_fill
    or
    scores = scores.masked_fill -> scores = (scores / scores.abs().max()).masked_fill
    or
    scores = scores.masked_fill -> scores = (scores / scores.amax(dim=-1, keepdim=True)).masked_fill
one-added: Something is added to every sum, and rows add up to less than 1. Change the sum of an empty row alone.
    totals.masked_fill(totals == 0, 1.0) -> (totals + 1.0)
scores-cut-off: Your scores, or their exponentials, are cut off at a bound, and all beyond it get the same weight. Leave
    the bound out, and subtract each row's maximum before `torch.exp`: that changes no weight.
    torch.exp(scores - highest.masked_fill(highest == -torch.inf, 0.0)) -> torch.exp(scores.clamp(max=50.0))
    or
    torch.exp(scores - highest.masked_fill(highest == -torch.inf, 0.0)) ->
        torch.exp(scores.clamp(min=-50.0, max=50.0)).masked_fill(~mask, 0.0)
    or
    scores = scores.masked_fill -> scores = scores.clamp(max=50.0).masked_fill
    or
    scores = scores.masked_fill -> scores = scores.clamp(min=-50.0, max=50.0).masked_fill
max-clamped: Every maximum below 0 becomes 0, and a row of scores far below 0 vanishes. Only a maximum of -inf needs
    another value.
    highest.masked_fill(highest == -torch.inf, 0.0) -> highest.clamp(min=0.0)
global-max: You subtracted the maximum of the whole table. A row of small scores beside it comes to nothing: each row
    needs its own, `amax(dim=-1, keepdim=True)`.
    scores.amax(dim=-1, keepdim=True) -> scores.max()
    or
    scores.amax(dim=-1, keepdim=True) -> scores.max()
    highest.masked_fill(highest == -torch.inf, 0.0) -> highest
max-over-closed: A closed key with a huge score spoils its row: the maximum is taken over closed keys as well, and all
    others become 0. Close the scores first, then take the maximum.
    scores = scores.masked_fill(~mask, -torch.inf) ->
    exps = torch.exp(…) -> exps = torch.exp(…) * mask
    or
    scores = scores.masked_fill(~mask, -torch.inf) ->
    exps = torch.exp(…) -> exps = torch.exp(…) * mask
    totals.masked_fill(totals == 0, 1.0) -> totals
max-is-a-pair: `max(dim=…)` gives two things, the values and the places where they stand. Take its `.values`, or use
    `amax`.
    scores.amax(dim=-1, keepdim=True) -> scores.max(dim=-1, keepdim=True)
    or
    scores.amax(dim=-1, keepdim=True) -> scores.max(dim=-1, keepdim=True)
    highest.masked_fill(highest == -torch.inf, 0.0) -> highest
keepdim-missing: The maxima or the sums stand in a row, where a column is needed: one number beside each row.
    `keepdim=True` keeps the axis.
    scores.amax(dim=-1, keepdim=True) -> scores.amax(dim=-1)
    or
    exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=-1)
    or
    dim=-1, keepdim=True ->> dim=-1
    or
    dim=-1, keepdim=True ->> dim=-1
    highest.masked_fill(highest == -torch.inf, 0.0) -> highest
    totals.masked_fill(totals == 0, 1.0) -> totals
softmax-axis: Your softmax runs down the columns, over the queries. A row belongs to one query, and must add up to 1:
    look at the `dim`, it should be `-1`.
    dim=-1, keepdim=True ->> dim=-2, keepdim=True
    or
    exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=-2, keepdim=True)
softmax-axis: Your softmax runs over `dim=1`, which is not always the keys' axis: count from the end, `dim=-1`.
    dim=-1, keepdim=True ->> dim=1, keepdim=True
    or
    dim=-1, keepdim=True ->> dim=1, keepdim=True
    totals.masked_fill(totals == 0, 1.0) -> totals
    or
    exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=1, keepdim=True)
softmax-first-axis: Your softmax runs over the first axis, and mixes the texts. The keys are on the last axis, `dim=-1`.
    dim=-1, keepdim=True ->> dim=0, keepdim=True
    or
    exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=0, keepdim=True)
softmax-all: Your softmax takes the whole table at once: all weights together add up to 1. Each row needs a sum of its
    own: look at the `dim` of your sum or softmax.
    scores.amax(dim=-1, keepdim=True) -> scores.max()
    exps.sum(dim=-1, keepdim=True) -> exps.sum()
    or
    exps.sum(dim=-1, keepdim=True) -> exps.sum()
exp-only: The exponentials are there, and the division is missing: divide them by their sum along each row.
    exps / totals.masked_fill(totals == 0, 1.0) -> exps
    or
    exps / totals.masked_fill(totals == 0, 1.0) -> torch.exp(scores)
divided-by-count: You divided by the number of open keys, and rows do not add up to 1. Divide by the sum of the
    exponentials.
    totals.masked_fill(totals == 0, 1.0) -> mask.sum(dim=-1, keepdim=True).clamp(min=1)
sum-normalise: You divided the scores by their sum. With a negative score that gives negative weights: take `torch.exp`
    of the scores before you add them up.
    exps = torch.exp(…) -> exps = scores.masked_fill(~mask, 0.0)
mask-inverted: True and False have changed places: your mask opens what should be closed. True = may attend: turn it
    round with `~`.
mask-zero-fill: Closed keys get a score of 0, and e⁰ is 1: they are still attended. Fill with `-torch.inf`.
mask-zero-fill: Closed keys get an exponent of 0, and e⁰ is 1: they are still attended. Fill with `-torch.inf`.
    scores = scores.masked_fill(~mask, -torch.inf) ->
    exps = torch.exp(…) -> exps = torch.exp((…).masked_fill(~mask, 0.0))
mask-added-01: You added the mask to the scores: closed keys lose 1, and stay. Fill them with `-torch.inf`.
mask-ignored: The mask is not used, or the result of `masked_fill` was not kept: padding is attended.
    scores.masked_fill(~mask, -torch.inf) -> scores
mask-after-softmax: The mask comes after softmax, so what it closes is missing from the row: rows add up to less than 1.
    Close the scores, before softmax.
    scores.masked_fill(~mask, -torch.inf) -> scores
    exps / totals -> exps * mask / totals
mask-normalised: You divided the mask by its sums. The scores are not used: softmax them where the mask is open.
    exps = torch.exp(…) -> exps = mask.expand(scores.shape).float()
mask-as-index: An index needs a mask of the scores' own shape, and writes into the scores. `masked_fill` takes a mask
    that broadcasts, and makes a new tensor.
    scores = scores.masked_fill(~mask, -torch.inf) -> scores = scores.clone() ⏎ scores[~mask] = -torch.inf
mask-as-index: `scores[mask]` takes the open scores out of their rows, and lays them all in one. Keep the table as it
    is, and close with `masked_fill`.
    scores.masked_fill(~mask, -torch.inf) -> scores[mask.expand(scores.shape)]
    or
    scores.masked_fill(~mask, -torch.inf) -> scores[mask]
"""

exercise = Exercise(
    padded_softmax_solution,
    cases,
    MISTAKES,
    shared=(shared.HIDE,),
    outputs=("weights",),
    behaviours=(finite_gradients, gradient_flows, repeats),
    rules=(forbids("softmax", "log_softmax", prompt=PROMPT), demands("exp", "exp_", prompt=PROMPT)),
)

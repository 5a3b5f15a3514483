"""`my_additive_mask(mask)`: 0 where a query may attend, minus infinity where it may not."""

import torch

from course_utils.checks.behaviours import repeats
from course_utils.checks.exercise import Exercise


def additive_mask_solution(mask):
    return torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)


def cases(draw):
    yield "3 queries, 4 keys", draw(3, 4) < 0.4
    yield "the causal mask of 5 tokens", torch.ones(5, 5, dtype=torch.bool).tril()
    yield "2 texts, (2, 3, 5)", draw(2, 3, 5) > 0
    yield "a single row, (4,)", draw(4) > 0
    yield "everything open", torch.ones(2, 3, dtype=torch.bool)
    yield "everything hidden", torch.zeros(2, 4, dtype=torch.bool)


MISTAKES = """
mask-inverted: Open and hidden have changed places: minus infinity belongs where the mask is False. Turn it with `~`.
    ~mask -> mask
zero-times-inf: There is `nan` in your table: 0 times infinity is not a number. Choose between the two values, with
    `masked_fill` or `torch.where`, and do not multiply.
    torch.zeros(mask.shape).masked_fill(~mask, -torch.inf) -> ~mask * -torch.inf
    or
    torch.zeros(mask.shape).masked_fill(~mask, -torch.inf) -> mask * -torch.inf
    or
    torch.zeros(mask.shape).masked_fill(~mask, -torch.inf) -> (1 - mask.float()) * -torch.inf + mask * 0.0
mask-added-01: A table of 1 and 0, or of True and False, hides nothing when it is added: each score stays finite. Hidden
    cells need `-torch.inf`, open ones 0.
    torch.zeros(mask.shape).masked_fill(~mask, -torch.inf) -> mask.float()
    or
    torch.zeros(mask.shape).masked_fill(~mask, -torch.inf) -> mask
    or
    .masked_fill(~mask, -torch.inf) -> .masked_fill(mask, 1.0)
mask-added-01: A table of 0 and 1, added to scores, makes the hidden cells stronger. They need `-torch.inf`.
    torch.zeros(mask.shape).masked_fill(~mask, -torch.inf) -> (~mask).float()
minus-one: A table of 0 and -1 makes hidden scores a little smaller, and hides none. They need `-torch.inf`.
    -torch.inf -> -1.0
table-not-float: Your table holds booleans or whole numbers, and those have no infinity. Begin with numbers that have:
    `torch.zeros(mask.shape)`, without the mask's dtype.
    torch.zeros(mask.shape) -> torch.zeros_like(mask)
    or
    torch.zeros(mask.shape) -> torch.zeros(mask.shape, dtype=torch.int64)
all-masked-uniform: You filled with a finite number. Where a whole row is hidden, softmax then shares out 1 among hidden
    keys: fill with `-torch.inf`.
    -torch.inf -> -1e9
    or
    -torch.inf -> -100.0
    or
    torch.zeros(mask.shape).masked_fill(~mask, -torch.inf) -> torch.log(mask + 1e-9)
    or
    -torch.inf -> torch.finfo(torch.float32).min
plus-infinity: The sign is wrong: plus infinity gives the hidden cells everything. It should be `-torch.inf`.
    -torch.inf -> torch.inf
open-not-zero: Open cells hold 1 and would change their scores. A cell that is open gets 0: nothing is added there.
    torch.zeros( -> torch.ones(
nothing-hidden: The table is 0 everywhere, so nothing is hidden. `masked_fill` returns a new table, which must be kept:
    `table = table.masked_fill(…)`.
    .masked_fill(~mask, -torch.inf) ->
mask-ignored: You always hide the future, whatever mask comes in. Use the argument: another mask gives another table.
    torch.zeros(mask.shape).masked_fill(~mask, -torch.inf) -> torch.full(mask.shape, -torch.inf).triu(1)
    or
    ~mask -> torch.ones(len(mask), len(mask), dtype=torch.bool).triu(1)
    or
    torch.zeros(mask.shape).masked_fill(~mask, -torch.inf) -> torch.full((len(mask), len(mask)), -torch.inf).triu(1)
    or
    torch.zeros(mask.shape).masked_fill(~mask, -torch.inf) ->
        torch.full((mask.shape[-1], mask.shape[-1]), -torch.inf).triu(1)
square-only: Your table is square. The mask may have any shape, and its table has the same: `mask.shape`.
    torch.zeros(mask.shape) -> torch.zeros(len(mask), len(mask))
    or
    torch.zeros(mask.shape) -> torch.zeros(mask.shape[-1], mask.shape[-1])
tables-only: Your table always has two axes. The mask may have any number of them: `mask.shape`.
    torch.zeros(mask.shape) -> torch.zeros(mask.shape[0], mask.shape[1])
subtracted-bool: PyTorch does not subtract booleans, as in `1 - mask`. The other way round is `~mask`.
    ~mask -> 1 - mask
"""

exercise = Exercise(additive_mask_solution, cases, MISTAKES, outputs=("table",), behaviours=(repeats,))

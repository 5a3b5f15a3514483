"""`my_additive_mask(mask)`: 0 where a query may attend, minus infinity where it may not."""

import torch

from course_utils.checks.exercise import Exercise
from course_utils.checks.outcome import Refused


def additive_mask_solution(mask):
    return torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)


def cases(draw):
    yield "3 queries, 4 keys", draw(3, 4) < 0.4
    yield "the causal mask of 11 tokens", torch.ones(11, 11, dtype=torch.bool).tril()
    yield "2 texts, (2, 3, 5)", draw(2, 3, 5) > 0
    yield "a single row, (4,)", draw(4) > 0
    yield "everything open", torch.ones(2, 3, dtype=torch.bool)
    yield "everything hidden", torch.zeros(2, 4, dtype=torch.bool)


def table_of(answer, mask):
    """Call an answer with a mask; return its table, as float32 if it is a tensor of floats.

    Errors: Refused for a tensor with finite numbers below 0.
    """
    table = answer(mask)
    if torch.is_tensor(table) and (table.isfinite() & (table < 0)).any():
        raise Refused(
            "Hidden cells are finite, so a row with nothing open would still share out 1. They need `-torch.inf`."
        )
    return table.float() if torch.is_tensor(table) and table.is_floating_point() else table


MISTAKES = """
mask-inverted: Open and hidden have changed places. Minus infinity belongs where the mask is False: `~mask`.
    ~mask -> mask
zero-times-inf: There is `nan` in your table: 0 times infinity is none. Choose, by `masked_fill` or `torch.where`.
    torch.zeros(…).masked_fill(…) -> ~mask * -torch.inf
mask-added-01: A table of 0 and 1 hides nothing when it is added. Hidden cells need `-torch.inf`, open ones 0.
    torch.zeros(…).masked_fill(…) -> mask
    or
    torch.zeros(…).masked_fill(…) -> (~mask).float()
all-masked-uniform:
    -torch.inf -> -1e9
nothing-hidden: The table is 0 everywhere. Fill the hidden cells, and keep the result: `table = table.masked_fill(…)`.
    .masked_fill(~mask, -torch.inf) ->
mask-ignored: The future is hidden, whatever mask comes in. Hide where your argument says so: `~mask`.
    torch.zeros(…).masked_fill(…) -> torch.full(mask.shape, -torch.inf).triu(1)
    or
    torch.zeros(…).masked_fill(…) -> torch.full((mask.shape[-1], mask.shape[-1]), -torch.inf).triu(1)
square-only: Your table is square. It needs the shape of the mask, whatever that is: `mask.shape`.
    torch.zeros(mask.shape) -> torch.zeros(len(mask), len(mask))
    or
    return torch.zeros(…).masked_fill(…) -> size = mask.shape[-1] ⏎ table = torch.zeros(size, size)
        ⏎ for i in range(size): ⏎     for j in range(size):
        ⏎         if not mask[i, j]: table[i, j] = -torch.inf ⏎ return table
open-as-one: Open cells hold 1, which is added to their scores. Begin with zeros: `torch.zeros(mask.shape)`.
    torch.zeros(…).masked_fill(…) -> mask.float().masked_fill(~mask, -torch.inf)
two-axes-only: Two loops reach two axes, and a mask may have one, or three. Fill at once: `masked_fill(~mask, …)`.
    return torch.zeros(…).masked_fill(…) -> table = torch.zeros(mask.shape) ⏎ for i in range(mask.shape[0]):
        ⏎     for j in range(mask.shape[1]): ⏎         if not mask[i, j]: table[i, j] = -torch.inf ⏎ return table
"""

exercise = Exercise(additive_mask_solution, cases, MISTAKES, outputs=("table",), observe=table_of)

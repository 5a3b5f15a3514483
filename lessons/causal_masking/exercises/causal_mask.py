"""`my_causal_mask(num_tokens)`: a table of booleans, True where a query may attend."""

import torch

from course_utils.checks.exercise import Exercise
from course_utils.checks.rules import no_loop


def causal_mask_solution(num_tokens):
    return torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril()  # tril keeps the lower triangle


def cases(draw):
    for num_tokens in (4, 3, 11, 2, 1):
        yield "1 token" if num_tokens == 1 else f"{num_tokens} tokens", num_tokens


MISTAKES = """
=by-places:
    return torch.ones(…).tril() -> place = torch.arange(num_tokens) ⏎ return place[None, :] <= place[:, None]
mask-inverted: You open the future and hide the past. True means *may attend*: turn the table round with `~`.
    return torch -> return ~torch
mask-lower: Each token sees itself and what comes after it. The past lies below the diagonal: `tril`, or key `<=` query.
    .tril() -> .triu()
mask-off-by-one: No token sees itself. The diagonal is open, too: `tril()` without a `diagonal=`, or key `<=` query.
    .tril() -> .tril(diagonal=-1)
mask-off-by-one: Each token sees one position ahead. The first row has one True: `tril()` alone, or key `<=` query.
    .tril() -> .tril(diagonal=1)
no-mask: Every cell is open, the future too. Keep the lower triangle alone: `mask = mask.tril()`, or key `<=` query.
    .tril() ->
nothing-open: Every cell is False: nobody sees anything. Open the lower triangle, as `torch.ones(…).tril()` does.
    torch.ones -> torch.zeros
one-row: One row is not enough: each query has its own. Make a table, as `torch.ones(num_tokens, num_tokens)` is.
    torch.ones(…).tril() -> torch.ones(num_tokens).tril()
    or
    torch.ones(…).tril() -> torch.ones(num_tokens).bool()
diagonal-only: Each token sees itself alone. Open all that came before it, too: the whole lower triangle, `tril()`.
    torch.ones(…).tril() -> torch.eye(num_tokens).bool()
first-row-empty: The first row is empty, and token 0 sees itself: begin the loop at 0, `range(num_tokens)`.
    return torch.ones(…).tril() -> mask = torch.ones(num_tokens, num_tokens).bool().tril() ⏎ mask[0] = False
        ⏎ return mask
size-off-by-one: A row and a column are too many. Make the table from `num_tokens` as it is, with no `+ 1`.
    (num_tokens, num_tokens, -> (num_tokens + 1, num_tokens + 1,
"""

exercise = Exercise(causal_mask_solution, cases, MISTAKES, outputs=("mask",), hints=(no_loop,))

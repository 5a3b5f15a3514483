"""`my_causal_mask(num_tokens)`: a table of booleans, True where a query may attend."""

import torch

from course_utils.checks.behaviours import repeats
from course_utils.checks.exercise import Exercise
from course_utils.checks.rules import no_loop


def causal_mask_solution(num_tokens):
    return torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril()  # tril keeps the lower triangle


def cases(draw):
    for num_tokens in (4, 3, 11, 2, 1):
        yield f"{num_tokens} token{'s' * (num_tokens > 1)}", num_tokens


MISTAKES = """
=by-places:
    return torch.ones(…).tril() -> place = torch.arange(num_tokens) ⏎ return place[None, :] <= place[:, None]
mask-inverted: You open the future and hide the past. True means *may attend*: turn the table round with `~`.
    return torch -> return ~torch
mask-lower: Each token sees itself and what comes after it. The past lies below the diagonal: `tril`, or key `<=` query.
    .tril() -> .triu()
mask-off-by-one: No token sees itself. The diagonal is open, too: `tril()` without a `diagonal=`, or key `<=` query.
    .tril() -> .tril(diagonal=-1)
mask-off-by-one: Each token sees one place ahead. The first row has one True: `tril()` alone, or key `<=` query.
    .tril() -> .tril(diagonal=1)
no-mask: Every cell is open, the future too. Keep the lower triangle alone: `mask = mask.tril()`, or key `<=` query.
    .tril() ->
nothing-open: Every cell is False: nobody sees anything. Open the lower triangle, as `torch.ones(…).tril()` does.
    torch.ones -> torch.zeros
past-incomplete: Part of the past is closed. Row *i* is open from its start to place *i*: `tril`, or key `<=` query.
    .tril() -> .tril() & (torch.arange(num_tokens) > 0)
    or
    .tril() -> .tril() & (torch.arange(num_tokens)[:, None] < num_tokens - 1)
    or
    .tril() -> .tril().triu(-1)
    or
    torch.ones(…).tril() -> torch.ones(num_tokens, num_tokens).triu(-1).bool().tril(-1)
self-only: Each token sees itself alone. What came before it is open, too: the whole lower triangle, `tril`.
    torch.ones(…).tril() -> torch.eye(num_tokens).bool()
mask-additive: This table of 0 and minus infinity is one to be added. Booleans are asked for, True where open.
    torch.ones(…).tril() -> torch.full((num_tokens, num_tokens), -torch.inf).triu(1)
    or
    torch.ones(…).tril() -> torch.full((num_tokens, num_tokens), -torch.inf).tril()
one-too-many: Your table has a row and a column too many. It should be `num_tokens` by `num_tokens`.
    torch.ones(num_tokens, num_tokens -> torch.ones(num_tokens + 1, num_tokens + 1
one-too-few: Your table has a row and a column too few. It should be `num_tokens` by `num_tokens`.
    torch.ones(num_tokens, num_tokens -> torch.ones(num_tokens - 1, num_tokens - 1
one-row: One row is not enough: each query has its own. Make a table, as `torch.ones(num_tokens, num_tokens)` is.
    torch.ones(…).tril() -> torch.arange(num_tokens) < num_tokens
    or
    torch.ones(…).tril() -> torch.ones(num_tokens).tril()
fixed-width: Your table has one size, whatever number of tokens comes in. Make it from `num_tokens`.
    torch.ones(num_tokens, num_tokens -> torch.ones(6, 6
    or
    torch.ones(num_tokens, num_tokens -> torch.ones(5, 5
nested-lists: These are lists of Python. A tensor is asked for: `torch.tensor(…)` makes one of them.
    .tril() -> .tril().tolist()
mask-not-bool: The triangle is right, and holds numbers. Make booleans of it: `.bool()`, or `dtype=torch.bool`.
    dtype=torch.bool -> dtype=torch.int64
    or
    , dtype=torch.bool ->
mirrored: The triangle lies in another corner. Row *i* is open from its start to place *i*: `tril`, or key `<=` query.
    .tril() -> .tril().flip(-1)
    or
    .tril() -> .tril().flip(0)
places-returned: These are the places of the triangle, rows above columns. The table itself is asked for: `torch.tril`.
    torch.ones(…).tril() -> torch.tril_indices(num_tokens, num_tokens)
itself-closed: Tokens see each other, the future too, and not themselves. Open the lower triangle: `tril`.
    torch.ones(…).tril() -> ~torch.eye(num_tokens).bool()
future-open: Part of the future is open. Row *i* is open from its start to place *i*, no farther: `tril`.
    .tril() -> .tril() | (torch.arange(num_tokens)[:, None] > 0)
    or
    .tril() -> .tril(diagonal=2)
    or
    .tril() -> .tril() | (torch.arange(num_tokens) < 2)
"""

exercise = Exercise(
    causal_mask_solution,
    cases,
    MISTAKES,
    outputs=("mask",),
    behaviours=(repeats,),
    hints=(no_loop,),
)

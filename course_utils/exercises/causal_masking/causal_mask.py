"""`my_causal_mask(num_tokens)`: a table of booleans, True where a query may attend."""

import torch

from course_utils.checks.behaviours import repeats
from course_utils.checks.exercise import Exercise
from course_utils.checks.rules import no_loop


def causal_mask_solution(num_tokens):
    return torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril()  # tril keeps the lower triangle


def cases(draw):
    for num_tokens in (4, 3, 7, 2, 1):
        yield f"{num_tokens} token{'s' * (num_tokens > 1)}", num_tokens


def is_bool(exercise, answer):
    """A mask of numbers would be added, or multiplied, by mistake."""
    dtype = answer(3).dtype
    if dtype != torch.bool:
        yield (
            "mask-not-bool",
            f"The triangle is right, and its dtype is `{dtype}`. A mask of booleans is asked for: `dtype=torch.bool`, "
            "or `.bool()` at the end.",
        )


MISTAKES = """
mask-inverted: True and False have changed places: your mask opens the future and hides the past. Here True means *may
    attend*: turn it round with `~`.
    return torch -> return ~torch
mask-lower: This is the wrong triangle: each token sees itself and what comes after it. The past lies below the
    diagonal: `tril`, not `triu`, or `<=` the other way round.
    .tril() -> .triu()
mask-off-by-one: The diagonal is hidden: no token sees itself, and the first sees nothing. Look at `diagonal=`, or at
    `<` where it should be `<=`.
    .tril() -> .tril(diagonal=-1)
mask-off-by-one: Each token sees one place ahead: the first row should have one True, yours has two. Look at
    `diagonal=`, which should be left out, or at a `+ 1`.
    .tril() -> .tril(diagonal=1)
no-mask: Every cell is open, the future too: keep only the lower triangle. (`mask[rows] =
    True` opens whole rows.)
    .tril() ->
nothing-open: Every cell is False, so nobody sees anything. Begin with ones, `torch.ones(…, dtype=torch.bool)`, before
    the triangle is cut.
    torch.ones -> torch.zeros
self-only: Each token sees itself and nothing else. What came before it is open too: the whole lower triangle.
    torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril() -> torch.eye(num_tokens).bool()
mask-additive: This is a table to be added to scores, of zeros and minus infinity. Here booleans are asked for, True
    where a query may attend.
    torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril() ->
        torch.full((num_tokens, num_tokens), -torch.inf).triu(1)
one-too-many: Your table has a row and a column too many: `num_tokens` each, no `+ 1`.
    torch.ones(num_tokens, num_tokens -> torch.ones(num_tokens + 1, num_tokens + 1
one-too-few: Your table has a row and a column too few: `num_tokens` each, no `- 1`.
    torch.ones(num_tokens, num_tokens -> torch.ones(num_tokens - 1, num_tokens - 1
one-row: One row is not enough: each query has a row of its own. Compare the places as a row with the places as a
    column, `[None, :]` with `[:, None]`.
    torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril() -> torch.arange(num_tokens) < num_tokens
    or
    torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril() -> torch.ones(num_tokens).tril()
fixed-width: Your table has one size, whatever number of tokens comes in. Make it from `num_tokens`.
    torch.ones(num_tokens, num_tokens -> torch.ones(6, 6
    or
    torch.ones(num_tokens, num_tokens -> torch.ones(5, 5
nested-lists: These are lists of Python. A tensor is asked for: `torch.tensor(…)` makes one of them.
    .tril() -> .tril().tolist()
mask-not-bool:
    dtype=torch.bool -> dtype=torch.int64
    or
    , dtype=torch.bool ->
mirrored: Your triangle is mirrored, and lies in another corner. Row *i* is open from its first place to place *i*:
    `tril`, or the place of the key `<=` that of the query.
    .tril() -> .tril().flip(-1)
    or
    .tril() -> .tril().flip(0)
places-returned: These are the places of the triangle, rows above columns. The table itself is asked for: `torch.tril`.
    torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril() -> torch.tril_indices(num_tokens, num_tokens)
"""

exercise = Exercise(
    causal_mask_solution,
    cases,
    MISTAKES,
    outputs=("mask",),
    behaviours=(is_bool, repeats),
    hints=(no_loop("with no loop"),),
)

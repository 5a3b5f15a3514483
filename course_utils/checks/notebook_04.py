"""Exercises of notebook 04 on masks themselves: the causal mask, and a mask that is added."""

import torch

from . import steps
from .behaviours import repeats
from .legacy import Exercise

notebook_past = torch.ones(5, 5, dtype=torch.bool).tril()  # what a notebook leaves lying about
notebook_num_tokens = 5

INVERTED = (
    "True and False have changed places: your mask opens the future and hides the past. Here True means *may attend*: "
    "turn it round with `~`."
)
LOWER = (
    "This is the wrong triangle: each token sees itself and what comes after it. The past lies below the diagonal: "
    "`tril`, not `triu`, or `<=` the other way round."
)
DIAGONAL_HIDDEN = (
    "The diagonal is hidden: no token sees itself, and the first sees nothing. Look at `diagonal=`, or at `<` where it "
    "should be `<=`."
)
ONE_AHEAD = (
    "Each token sees one place ahead: the first row should have one True, yours has two. Look at `diagonal=`, which "
    "should be left out, or at a `+ 1`."
)


# ---- causal_mask


def lower_triangle(num_tokens):
    return torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril()


def mask_cases(draw):
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


causal_mask = Exercise(
    "causal_mask", lower_triangle, mask_cases, outputs=("mask",), behaviours=(is_bool, repeats), make=lambda make: make
)
causal_mask.wrong_steps(
    {
        "mask-inverted": (INVERTED, "make", lambda n: ~lower_triangle(n)),
        "mask-lower": (LOWER, "make", lambda n: torch.ones(n, n).triu().bool()),
        "no-mask": (
            "Every cell is open, the future too: keep only the lower triangle.",
            "make",
            lambda n: torch.ones(n, n).bool(),
        ),
        "self-only": (
            "Each token sees itself and nothing else. What came before it is open too: the whole lower triangle.",
            "make",
            lambda n: torch.eye(n).bool(),
        ),
        "mask-additive": (
            "This is a table to be added to scores, of zeros and minus infinity. Here booleans are asked for, True "
            "where a query may attend.",
            "make",
            lambda n: torch.full((n, n), -torch.inf).triu(1),
        ),
        "one-too-many": (
            "Your table has a row and a column too many: `num_tokens` each, no `+ 1`.",
            "make",
            lambda n: lower_triangle(n + 1),
        ),
        "one-row": (
            "One row is not enough: each query has a row of its own. Compare the places as a row with the places as a "
            "column, `[None, :]` with `[:, None]`.",
            "make",
            lambda n: torch.arange(n) <= n - 1,
        ),
        "mask-not-bool": (
            "The triangle is right, but it holds numbers. Booleans are asked for: `.bool()`.",
            "make",
            lambda n: torch.ones(n, n, dtype=torch.int64).tril(),
        ),
        "global-leak": (steps.LEAK, "make", lambda n: notebook_past[:notebook_num_tokens]),
    }
)
causal_mask.wrong_steps({"mask-off-by-one": (DIAGONAL_HIDDEN, "make", lambda n: torch.ones(n, n).tril(-1).bool())})
causal_mask.wrong_steps({"mask-off-by-one": (ONE_AHEAD, "make", lambda n: torch.ones(n, n).tril(1).bool())})


# ---- additive_mask: 0 where open, minus infinity where hidden


def zeros_and_infinities(mask):
    return torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)


def additive_cases(draw):
    yield "3 queries, 4 keys", draw(3, 4) < 0.4
    yield "the causal mask of 5 tokens", lower_triangle(5)
    yield "2 texts, (2, 3, 5)", draw(2, 3, 5) > 0
    yield "a single row, (4,)", draw(4) > 0
    yield "everything open", torch.ones(2, 3, dtype=torch.bool)
    yield "everything hidden", torch.zeros(2, 4, dtype=torch.bool)


def filled(value, open_value=0.0):
    return lambda mask: torch.full(mask.shape, open_value).masked_fill(~mask, value)


FINITE = (
    "You filled with a finite number. Where a whole row is hidden, softmax then shares out 1 among hidden keys: fill "
    "with `-torch.inf`."
)

additive_mask = Exercise(
    "additive_mask", zeros_and_infinities, additive_cases, outputs=("table",), behaviours=(repeats,),
    make=lambda make: make,
)  # fmt: skip
additive_mask.wrong_steps(
    {
        "mask-inverted": (
            "Open and hidden have changed places: minus infinity belongs where the mask is False. Turn it with `~`.",
            "make",
            lambda mask: torch.zeros(mask.shape).masked_fill(mask, -torch.inf),
        ),
        "zero-times-inf": (
            "There is `nan` in your table: 0 times infinity is not a number. Choose between the two values, with "
            "`masked_fill` or `torch.where`, and do not multiply.",
            "make",
            lambda mask: (~mask) * -torch.inf,
        ),
        "mask-added-01": (
            "A table of 1 and 0, or of True and False, hides nothing when it is added: each score stays finite. Hidden "
            "cells need `-torch.inf`, open ones 0.",
            "make",
            lambda mask: mask.float(),
        ),
        "all-masked-uniform": (FINITE, "make", filled(-1e9)),
        "plus-infinity": (
            "The sign is wrong: plus infinity gives the hidden cells everything. It should be `-torch.inf`.",
            "make",
            filled(torch.inf),
        ),
        "open-not-zero": (
            "Open cells hold 1 and would change their scores. A cell that is open gets 0: nothing is added there.",
            "make",
            filled(-torch.inf, open_value=1.0),
        ),
        "nothing-hidden": (
            "The table is 0 everywhere, so nothing is hidden. `masked_fill` returns a new table, which must be kept: "
            "`table = table.masked_fill(…)`.",
            "make",
            lambda mask: torch.zeros(mask.shape),
        ),
        "mask-ignored": (
            "You always hide the future, whatever mask comes in. Use the argument: another mask gives another table.",
            "make",
            lambda mask: torch.full(mask.shape, -torch.inf).triu(1),
        ),
        "global-leak": (steps.LEAK, "make", lambda mask: zeros_and_infinities(notebook_past)),
    }
)
additive_mask.wrong_steps({"mask-added-01": (
    "A table of 0 and 1, added to scores, makes the hidden cells stronger. They need `-torch.inf`.",
    "make",
    lambda mask: (~mask).float(),
)})  # fmt: skip
additive_mask.wrong_steps({
    "all-masked-uniform": (FINITE, "make", filled(torch.finfo(torch.float32).min))
})  # fmt: skip


@additive_mask.mistake("input-changed", "Your code changes the mask that came in: look for a method that ends in `_`.")
def _(mask):
    table = zeros_and_infinities(mask)
    mask.logical_not_()
    return table

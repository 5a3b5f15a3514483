"""The exercise of notebook 07 that joins two masks: padding at the front of each text, and no look ahead."""

import torch

from . import steps
from .behaviours import repeats
from .legacy import Exercise
from .notebook_07 import FIRST_ONLY, INVERTED, NOT_BOOL, PAD_OVER_QUERIES, is_bool, padding_solution

notebook_lens = torch.tensor([5, 3])  # what a notebook leaves lying about


def causal(num_tokens, diagonal=0):
    return torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril(diagonal)


def at_front(valid_lens, num_tokens):
    """The real keys where the padding comes first, (batch, 1, 1, num_tokens)."""
    return (torch.arange(num_tokens) >= num_tokens - valid_lens[:, None])[:, None, None, :]


def left_padded(padding=at_front, future=causal, join=torch.logical_and):
    return lambda valid_lens, num_tokens: join(padding(valid_lens, num_tokens), future(num_tokens))


def left_padded_cases(draw):
    yield "lengths 2, 4 and 5 of 6 tokens", torch.tensor([2, 4, 5]), 6
    yield "a text that fills the row", torch.tensor([4, 1]), 4
    yield "a text of length 0", torch.tensor([0, 3]), 5
    yield "as many texts as tokens", torch.tensor([1, 3, 2]), 3
    yield "a batch of one, a single token", torch.tensor([1]), 1


left_padded_mask = Exercise(
    "left_padded_mask", left_padded(), left_padded_cases, outputs=("mask",), behaviours=(repeats, is_bool),
    make=left_padded,
)  # fmt: skip
left_padded_mask.wrong_steps(
    {
        "masks-ored": (
            "The two masks are joined with `|`, or: what one of them closes the other opens, and tokens see later "
            "ones. A key must be real and not later: join with `&`.",
            "join",
            torch.logical_or,
        ),
        "masks-xored": (
            "Keys that both masks leave open are closed. A key must pass both: join with `&`, not `^`.",
            "join",
            torch.logical_xor,
        ),
        "mask-lower": (
            "Each token sees the later ones and not those before it. Keep the lower triangle: `tril`, or "
            "`attention.causal_mask`.",
            "future",
            lambda num_tokens: causal(num_tokens).transpose(-2, -1),
        ),
        "mask-leak-of-one": (
            "Each token sees one later token. The last open diagonal is the main one: look at the number in `tril`.",
            "future",
            lambda num_tokens: causal(num_tokens, 1),
        ),
        "mask-off-by-one": (
            "No token sees itself: the diagonal is closed. Look at the number given to `tril`.",
            "future",
            lambda num_tokens: causal(num_tokens, -1),
        ),
        "padding-only": (
            "Tokens see later ones: the causal mask is missing. Join it with `&`.",
            "future",
            lambda num_tokens: torch.ones(num_tokens, num_tokens, dtype=torch.bool),
        ),
        "causal-only": (
            "The padding is open: real tokens look at the padding in front of them. Close it, with the lengths.",
            "padding",
            lambda valid_lens, num_tokens: torch.ones(len(valid_lens), 1, 1, num_tokens, dtype=torch.bool),
        ),
        "pad-at-end": (
            "You closed the end of each row. Here the padding stands in front: text begins at position "
            "`num_tokens - valid_len`.",
            "padding",
            padding_solution,
        ),
        "lens-as-start": (
            "Your text begins at position `valid_len`. That is its length: it begins at `num_tokens - valid_len`.",
            "padding",
            lambda valid_lens, num_tokens: ~padding_solution(valid_lens, num_tokens),
        ),
        "pad-off-by-one": (
            "The first real token of each text is closed. Text begins at `num_tokens - valid_len`: `>=`, not `>`.",
            "padding",
            lambda valid_lens, num_tokens: at_front(valid_lens - 1, num_tokens),
        ),
        "padding-one-open": (
            "One padded token of each text is open. Text begins at `num_tokens - valid_len`, with no `- 1`: `>=`.",
            "padding",
            lambda valid_lens, num_tokens: at_front(valid_lens + 1, num_tokens),
        ),
        "padding-inverted": (
            "Your mask opens the padding and closes the text. True = may attend: turn the comparison of the positions.",
            "padding",
            lambda valid_lens, num_tokens: ~at_front(valid_lens, num_tokens),
        ),
        "pad-over-queries": (
            PAD_OVER_QUERIES,
            "padding",
            lambda valid_lens, num_tokens: at_front(valid_lens, num_tokens).transpose(-2, -1),
        ),
        "first-only": (
            FIRST_ONLY,
            "padding",
            lambda valid_lens, num_tokens: at_front(valid_lens[:1].expand(len(valid_lens)), num_tokens),
        ),
    }
)


@left_padded_mask.mistake("mask-inverted", INVERTED)
def _(valid_lens, num_tokens):
    return ~left_padded()(valid_lens, num_tokens)


@left_padded_mask.mistake(
    "padding-sees-itself",
    "Your paddings see themselves. No token may attend to padding, and a padding is none the better for being itself: "
    "leave its row empty.",
)
def _(valid_lens, num_tokens):
    return left_padded()(valid_lens, num_tokens) | torch.eye(num_tokens, dtype=torch.bool)


@left_padded_mask.mistake("mask-not-bool", NOT_BOOL)
def _(valid_lens, num_tokens):
    return at_front(valid_lens, num_tokens) * causal(num_tokens).float()


@left_padded_mask.mistake(
    "axes-missing", "The axis for the heads is missing: `(batch, 1, num_tokens, num_tokens)`, with `[:, None]`."
)
def _(valid_lens, num_tokens):
    return left_padded()(valid_lens, num_tokens)[:, 0]


@left_padded_mask.mistake("global-leak", steps.LEAK)
def _(valid_lens, num_tokens):
    return left_padded()(notebook_lens, num_tokens)

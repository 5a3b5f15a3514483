"""`my_left_padded_places(is_token)`: the place of each token in its text, where padding stands in front."""

import torch

from course_utils.checks.exercise import Exercise
from course_utils.lessons.whole_numbers import no_floats, of_any_whole_dtype


def left_padded_places_solution(is_token):
    so_far = is_token.cumsum(dim=-1)  # (batch, num_tokens) real tokens up to and with this one
    return (so_far - 1).clamp(min=0)


def padded_in_front(num_tokens, *lens):
    """Return a bool mask (batch, num_tokens), True for the tokens and False for the padding before them.

    lens: the number of tokens of each text.
    """
    return torch.arange(num_tokens) >= num_tokens - torch.tensor(lens)[:, None]


def cases(draw):
    yield "3, 6 and 1 tokens in rows of 6", padded_in_front(6, 3, 6, 1)
    yield "2 and 10 tokens in rows of 11", padded_in_front(11, 2, 10)
    yield "as many texts as places", padded_in_front(4, 2, 4, 1, 3)
    yield "no padding at all", padded_in_front(4, 4, 4)
    yield "one text of padding alone", padded_in_front(4, 0, 3)
    yield "a batch of one, a single token", padded_in_front(1, 1)


MISTAKES = """
=times-the-mask:
    return (so_far - 1).clamp(min=0) -> return (so_far - 1) * is_token
counts-from-1: The first token of each text has position 1. Positions count from 0, and padding has 0 as well.
    return (so_far - 1).clamp(min=0) -> return so_far
    or
    return (so_far - 1).clamp(min=0) -> return so_far * is_token
padding-negative: Your padding tokens have position -1, and a table has no such row. Put 0 there: `.clamp(min=0)`.
    .clamp(min=0) ->
padding-one: Your padding tokens have position 1, as by `abs`. Here 0 is asked for: `.clamp(min=0)`.
    .clamp(min=0) -> .abs()
clamped-from-above: `max=0` leaves no number above 0, so all positions are lost. The padding is below: `.clamp(min=0)`.
    .clamp(min=0) -> .clamp(max=0)
places-of-the-row: The padding tokens are counted. Count real tokens alone, up to each place: `cumsum`.
    return (so_far - 1).clamp(min=0) -> return torch.arange(is_token.shape[-1]) * is_token
    or
    return (so_far - 1).clamp(min=0) -> return torch.arange(is_token.shape[-1]).expand(is_token.shape)
batch-mixed: You count down the texts, so that one is numbered by the others. Tokens are on the last axis: `dim=-1`.
    dim=-1 -> dim=0
batch-mixed: You count on from one text to the next. Each begins anew: `cumsum(dim=-1)`.
    is_token.cumsum(dim=-1) -> is_token.flatten().cumsum(dim=0).view(is_token.shape)
padding-counted: You count the padding tokens: their positions go up, and the text stays at their end. Count `is_token`.
    is_token.cumsum -> (~is_token).cumsum
paddings-typed: The number of padding tokens is typed in. Each text has its own: count its real tokens, `cumsum`.
    return (so_far - 1).clamp(…) -> return (torch.arange(is_token.shape[-1]) - 2).clamp(min=0).repeat(len(is_token), 1)
counted-backwards: You count from the last token back. Count from the left, from the first real token.
    is_token.cumsum(dim=-1) -> is_token.flip(-1).cumsum(dim=-1).flip(-1)
flipped: Each row stands the other way round: what you `flip`, flip back. (Without any flip you count from the left.)
    is_token.cumsum(dim=-1) -> is_token.flip(-1).cumsum(dim=-1)
moved-to-the-front: Each row counts from its beginning. Padding stands in front: the first *real* token has 0.
    return (so_far - 1).clamp(min=0) -> return torch.arange(is_token.shape[-1]) * is_token.flip(-1)
texts-joined: The positions of all texts come back in one row. One row a text is asked for, padding and all.
    return (so_far - 1).clamp(min=0) -> return (so_far - 1).clamp(min=0).flatten()
    or
    return (so_far - 1).clamp(min=0) -> return is_token.nonzero()[:, 1]
padding-negative: Your padding tokens have positions below 0, and a table has no such row. Put 0 there: `.clamp(min=0)`.
    (so_far - 1).clamp(min=0) -> torch.arange(is_token.shape[-1]) - (~is_token).sum(dim=-1, keepdim=True)
lens-for-paddings: You took the length of each text off. Take off the padding: `num_tokens` less the length.
    so_far - 1 -> torch.arange(is_token.shape[-1]) - is_token.sum(dim=-1, keepdim=True)
moved-together: All texts are moved by one number of positions. Each has its own padding: count it in each row.
    so_far - 1 -> (torch.arange(is_token.shape[-1]) - (~is_token[:1]).sum()).expand(is_token.shape)
no-keepdim: The texts' numbers meet the positions one by one, as a row. They need a column: `keepdim=True`.
    so_far - 1 -> torch.arange(is_token.shape[-1]) - (is_token.shape[-1] - is_token.sum(dim=-1))
empty-text: A text of padding alone is taken for a full one: `argmax` gives 0 there. Set padding to 0.
    so_far - 1 -> torch.arange(is_token.shape[-1]) - is_token.int().argmax(dim=-1, keepdim=True)
empty-text: A text of padding alone stops your code: `-0:` is the whole row. Begin at `num_tokens - n`, where `n` are
    real.
    return (so_far - 1).clamp(min=0) -> places = torch.zeros(is_token.shape, dtype=torch.long)
        ⏎ for text, n in enumerate(is_token.sum(dim=-1).tolist()): places[text, -n:] = torch.arange(n) ⏎ return places
moved-to-the-front: Your padding stands at the end, and a row is as long as the longest text. Keep the columns: padding
    is in front.
    return (so_far - 1).clamp(min=0) -> texts = [torch.arange(n) for n in is_token.sum(dim=-1).tolist()]
        ⏎ return torch.nn.utils.rnn.pad_sequence(texts, batch_first=True)
lens-from-longest: You count the padding as if the longest text filled its row. It need not: a text begins at
    `num_tokens - n`.
    return (so_far - 1).clamp(min=0) -> lens = is_token.sum(dim=-1)
        ⏎ places = torch.zeros(is_token.shape, dtype=torch.long)
        ⏎ for text, n in enumerate(lens): places[text, lens.max() - n :] = torch.arange(n) ⏎ return places
"""
FLOATS = "The positions are right, but floats. A table is read at whole numbers: no `.float()`, or `.long()` last."
MUST_HOLD = (no_floats("places-float", FLOATS),)
exercise = Exercise(
    left_padded_places_solution, cases, MISTAKES, outputs=("places",), observe=of_any_whole_dtype, behaviours=MUST_HOLD
)

"""The exercise of notebook 09 that makes the task: a segment over and over."""

import torch
from torch import nn

from . import steps
from .behaviours import repeats
from .legacy import Exercise

notebook_word = torch.tensor([15, 11, 0, 13, 4, 19, 18])  # what a notebook leaves lying about

# ---- repeat_segment: each row over and over, cut to length


def repeat_by_remainder(segments, num_tokens):
    return segments[:, torch.arange(num_tokens) % segments.shape[-1]]


def segment_cases(draw):
    def drawn(*shape):
        return (draw(*shape) * 1000).long()

    yield "3 segments of 4 tokens, to 10", drawn(3, 4), 10
    yield "2 segments of 5 tokens, to 7", drawn(2, 5), 7
    yield "as many segments as tokens in each", drawn(3, 3), 8
    yield "a whole number of rounds", drawn(2, 3), 12
    yield "shorter than the segment", drawn(3, 6), 4
    yield "as long as the segment", drawn(2, 4), 4
    yield "a batch of one", drawn(1, 4), 9
    yield "a single token", drawn(2, 1), 5


def whole_numbers(exercise, answer):
    """Tokens are looked up, so they stay whole numbers."""
    if answer(torch.tensor([[3, 1]]), 3).dtype != torch.long:
        yield "float-tokens", "The tokens are no whole numbers any more. Copy them as they are, without arithmetic."


repeat_segment = Exercise(
    "repeat_segment", repeat_by_remainder, segment_cases, outputs=("tokens",), behaviours=(whole_numbers, repeats)
)


def copies(segments, num_tokens):
    return -(-num_tokens // segments.shape[-1])


SEGMENT = {
    "each-token-repeated": (
        "Each token is repeated on the spot, A A B B. The whole segment should come again, A B A B: `repeat`, or "
        "`%`, instead of `repeat_interleave`.",
        lambda segments, num_tokens: segments.repeat_interleave(copies(segments, num_tokens), dim=-1)[:, :num_tokens],
    ),
    "not-cut": (
        "The last round is complete, so the result is too long. Cut it along the second axis: `[:, :num_tokens]`.",
        lambda segments, num_tokens: segments.repeat(1, copies(segments, num_tokens)),
    ),
    "last-round-missing": (
        "The last, shorter round is missing. `num_tokens // length` counts whole rounds: take one more, then cut.",
        lambda segments, num_tokens: segments.repeat(1, num_tokens // segments.shape[-1]),
    ),
    "one-token-short": (
        "The result is one token short: `torch.arange(num_tokens)` and `[:, :num_tokens]` stop before `num_tokens`.",
        lambda segments, num_tokens: repeat_by_remainder(segments, num_tokens)[:, :-1],
    ),
    "one-token-long": (
        "The result is one token too long: a slice up to `num_tokens` leaves that place out.",
        lambda segments, num_tokens: repeat_by_remainder(segments, num_tokens + 1),
    ),
    "starts-late": (
        "You begin with the second token of the segment. Places are counted from 0.",
        lambda segments, num_tokens: segments[:, torch.arange(1, num_tokens + 1) % segments.shape[-1]],
    ),
    "back-and-forth": (
        "Every second round runs backward. Each round begins at the first token again.",
        lambda segments, num_tokens: torch.cat(
            [segments.flip(-1) if i % 2 else segments for i in range(copies(segments, num_tokens))], dim=-1
        )[:, :num_tokens],
    ),
    "stays-at-the-end": (
        "After the first round the last token is repeated. Begin again at the first: take the remainder, `%`, of the "
        "place.",
        lambda segments, num_tokens: segments[:, torch.arange(num_tokens).clamp(max=segments.shape[-1] - 1)],
    ),
    "batch-repeated": (
        "The rows are repeated, one below the other. The tokens run along the last axis: `repeat(1, …)`.",
        lambda segments, num_tokens: segments.repeat(copies(segments, num_tokens), 1),
    ),
    "batch-mixed": (
        "The segments follow one another in one row. Each row repeats its own segment: keep the first axis.",
        lambda segments, num_tokens: segments.flatten()[
            torch.arange(len(segments) * num_tokens) % segments.numel()
        ].view(len(segments), num_tokens),
    ),
    "remainder-by-rows": (
        "You took the remainder by the number of rows. The length of a segment is `segments.shape[-1]`.",
        lambda segments, num_tokens: segments[:, torch.arange(num_tokens) % len(segments)],
    ),
    "places-returned": (
        "You returned places, not tokens. Use them to look up: `segments[:, places]`.",
        lambda segments, num_tokens: (torch.arange(num_tokens) % segments.shape[-1]).expand(len(segments), -1).clone(),
    ),
    "first-row-only": (
        "Every row repeats the first segment. Each has its own: `segments[:, …]`, not `segments[0]`.",
        lambda segments, num_tokens: repeat_by_remainder(segments[:1], num_tokens).expand(len(segments), -1).clone(),
    ),
    "padded": (
        "The segment comes once, then zeros. It should begin again, until `num_tokens` is reached.",
        lambda segments, num_tokens: nn.functional.pad(segments, (0, num_tokens))[:, :num_tokens],
    ),
    "float-tokens": (
        "The tokens are no whole numbers any more.",
        lambda segments, num_tokens: repeat_by_remainder(segments, num_tokens).float(),
    ),
    "fixed-length": (
        "The length is fixed, at that of the example. Use `num_tokens`.",
        lambda segments, num_tokens: repeat_by_remainder(segments, 18),
    ),
    "global-leak": (
        steps.LEAK,
        lambda segments, num_tokens: repeat_by_remainder(notebook_word.expand(len(segments), -1), num_tokens),
    ),
}
for _id, (_words, _answer) in SEGMENT.items():
    repeat_segment.mistake(_id, _words)(_answer)

"""`my_repeat_segment(segments, num_tokens)`: each row repeated, and cut to length."""

import torch

from course_utils.checks.exercise import Exercise
from course_utils.checks.form import Form
from course_utils.lessons.whole_numbers import no_floats, of_any_whole_dtype


def repeat_segment_solution(segments, num_tokens):
    positions = torch.arange(num_tokens) % segments.shape[-1]
    return segments[:, positions]  # (batch, num_tokens)


def cases(draw):
    def tokens(*shape):
        return (draw(*shape) * 1000).long()

    yield "3 segments of 4 tokens, to 10", tokens(3, 4), 10
    yield "2 segments of 5 tokens, to 7", tokens(2, 5), 7
    yield "as many segments as tokens in each", tokens(3, 3), 8
    yield "a whole number of rounds", tokens(2, 3), 12
    yield "shorter than the segment, and more segments than tokens", tokens(5, 6), 4
    yield "2 segments of 9 tokens, to 29", tokens(2, 9), 29
    yield "as long as the segment", tokens(2, 4), 4
    yield "a batch of one", tokens(1, 4), 9
    yield "a segment of one token", tokens(2, 1), 5


def by_repeat(segments, num_tokens):
    """Return the solution's tokens: each row of segments (batch, length) repeated, cut to (batch, num_tokens)."""
    rounds = (num_tokens + segments.shape[-1] - 1) // segments.shape[-1]
    return segments.repeat(1, rounds)[:, :num_tokens]


REPEATED = """
=a-round-too-many:
    (num_tokens + segments.shape[-1] - 1) // segments.shape[-1] -> num_tokens // segments.shape[-1] + 1
each-token-repeated: Each token is repeated on the spot, A A B B. The segment comes again, A B A B: `repeat`, or `%`.
    segments.repeat(1, rounds) -> segments.repeat_interleave(rounds, dim=-1)
cut-by-rows: You cut the rows. The tokens lie along the second axis: `[:, :num_tokens]`.
    [:, :num_tokens] -> [:num_tokens]
short-not-cut: Where `num_tokens` is less than a segment, all of it comes back. Cut it there, too: `[:, :num_tokens]`.
    [:, :num_tokens] -> [:, : max(num_tokens, segments.shape[-1])]
last-round-missing: The last, shorter round is missing. `num_tokens // length` counts whole rounds: one more, then cut.
    (num_tokens + segments.shape[-1] - 1) // segments.shape[-1] -> num_tokens // segments.shape[-1]
cut-at-the-front: Tokens are cut off the front. The first round begins with the first token: `[:, :num_tokens]`.
    [:, :num_tokens] -> [:, -num_tokens:]
rest-from-the-end: The last, shorter round is the end of the segment. Each round begins with its first token.
    segments.repeat(1, rounds)[:, :num_tokens] -> torch.cat([segments.repeat(1, num_tokens // segments.shape[-1]),
        segments[:, segments.shape[-1] - num_tokens % segments.shape[-1] :]], dim=1)
batch-mixed: The segments follow one another. Each row repeats its own: `repeat(1, …)`, and no `reshape` of rows.
    segments.repeat(1, rounds) -> segments.repeat(rounds, 1).reshape(len(segments), -1)
batch-repeated: The rows are repeated. Tokens run along the last axis: `repeat(1, …)`, or `torch.cat(…, dim=1)`.
    segments.repeat(1, rounds) -> segments.repeat(rounds, 1)
zeros-after: The segment comes twice, then zeros. It should begin again, until `num_tokens` is reached.
    segments.repeat(1, rounds) -> torch.nn.functional.pad(segments.repeat(1, 2), (0, num_tokens))
round-once: Padding with `mode="circular"` goes round once, and stops where more is asked for. Take `repeat`, or `%`.
    segments.repeat(1, rounds)[:, :num_tokens] -> torch.nn.functional.pad(segments[None],
        (0, num_tokens - segments.shape[-1]), mode="circular")[0]
"""
MISTAKES = """
stretched: The segment is stretched: each token comes several times in a row. Take the remainder of the position: `%`.
    torch.arange(num_tokens) % segments.shape[-1] -> torch.linspace(0, segments.shape[-1] - 1, num_tokens).long()
batch-mixed: The segments follow one another. Each row repeats its own: keep the first axis, `segments[:, positions]`.
    segments[:, positions] -> segments.flatten()[torch.arange(len(segments) * num_tokens) %
        segments.numel()].view(len(segments), -1)
remainder-by-rows: You took the remainder by the number of rows. The length of a segment is `segments.shape[-1]`.
    segments.shape[-1] -> segments.shape[0]
places-of-rows: The positions choose rows. They belong to the second axis, the tokens': `segments[:, positions]`.
    segments[:, positions] -> segments[positions]
float-tokens:
    segments[:, positions] -> segments[:, positions].float()
whole-part-for-remainder: `//` counts the rounds. The position within the segment is the remainder, `%`.
    torch.arange(num_tokens) % -> torch.arange(num_tokens) //
remainder-one-short: The last token of the segment never comes. Take the remainder by the whole length, without `- 1`.
    % segments.shape[-1] -> % (segments.shape[-1] - 1)
"""

FORMS = (Form(__name__, "by_repeat", REPEATED),)
FLOATS = "The tokens are no whole numbers any more. Copy them as they are, or into a table with `dtype=torch.long`."
exercise = Exercise(
    repeat_segment_solution,
    cases,
    MISTAKES,
    also=FORMS,
    outputs=("tokens",),
    observe=of_any_whole_dtype,
    behaviours=(no_floats("float-tokens", FLOATS),),
)

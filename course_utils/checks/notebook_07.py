"""The exercise of notebook 07 that turns lengths into a mask, and what all masks of this notebook share."""

import torch

from . import steps
from .behaviours import repeats
from .legacy import Exercise

notebook_lens = torch.tensor([5, 3])  # what a notebook leaves lying about

INVERTED = (
    "True and False have changed places: your mask opens what should be closed. True = may attend: turn the "
    "comparison round."
)
NOT_BOOL = (
    "Your mask holds numbers. A mask is bool, True = may attend: leave the comparison as it is, without `.float()`."
)
PAD_OVER_QUERIES = (
    "Your mask closes rows: it is laid over the queries, and padded keys stay open to all others. The positions belong "
    "on the last axis, that of the keys."
)
FIRST_ONLY = (
    "Every text has the length of the first one. Compare with all of `valid_lens`, a row for each: `[:, None]`."
)


def alone(exercise, table, *ids):
    """Add wrong answers as exercise.wrong_steps does, but leave them out of the pairs, which take long to run."""
    for id in ids or table:
        words, name, step = table[id]
        exercise.mistake(id, words)(exercise.make(**{name: step}))


def is_bool(exercise, answer):
    """What comes back is a mask, not numbers that happen to be 0 and 1."""
    if exercise.observe(answer, *exercise.cases()[0].args).dtype != torch.bool:
        yield "mask-not-bool", NOT_BOOL


def padding_by(compare):
    """An answer that compares positions (num_keys,) with lengths (batch, 1)."""
    return lambda valid_lens, num_keys: compare(torch.arange(num_keys), valid_lens[:, None])[:, None, None, :]


padding_solution = padding_by(lambda positions, lens: positions < lens)


def padding_cases(draw):
    yield "lengths 2, 5 and 1 of 6 keys", torch.tensor([2, 5, 1]), 6
    yield "a text that fills the row", torch.tensor([4, 2]), 4
    yield "every text shorter than the row", torch.tensor([1, 3]), 5
    yield "a text of length 0", torch.tensor([3, 0]), 4
    yield "as many texts as keys", torch.tensor([1, 3, 2]), 3
    yield "a batch of one, a single key", torch.tensor([1]), 1


padding_mask = Exercise(
    "padding_mask", padding_solution, padding_cases, outputs=("mask",), behaviours=(repeats, is_bool)
)

padding_mask.mistake("mask-inverted", INVERTED)(padding_by(lambda positions, lens: positions >= lens))
padding_mask.mistake(
    "mask-inverted",
    "Your mask opens the padding, but for its first token. Real are the positions below the length: `<`, not `>`.",
)(padding_by(lambda positions, lens: positions > lens))
padding_mask.mistake(
    "mask-off-by-one",
    "One padded key too many is open. Positions count from 0, so position 3 is the fourth: `<`, not `<=`.",
)(padding_by(lambda positions, lens: positions <= lens))
padding_mask.mistake(
    "mask-off-by-one",
    "The last real key of each text is closed. Positions count from 0: those below the length are real, with no `- 1`.",
)(padding_by(lambda positions, lens: positions < lens - 1))
padding_mask.mistake(
    "last-only", "Only the last real key of each text is open. All that stand before it are real as well: `<` for `==`."
)(padding_by(lambda positions, lens: positions == lens - 1))
padding_mask.mistake("first-only", FIRST_ONLY)(
    lambda valid_lens, num_keys: padding_solution(valid_lens[:1].expand(len(valid_lens)), num_keys)
)
padding_mask.mistake("mask-not-bool", NOT_BOOL)(padding_by(lambda positions, lens: (positions < lens).float()))
padding_mask.mistake(
    "mask-additive",
    "This is a mask to add, of 0 and -inf. The course's mask is bool, True = may attend: the comparison itself.",
)(padding_by(lambda positions, lens: torch.zeros(len(lens), len(positions)).masked_fill(positions >= lens, -torch.inf)))


@padding_mask.mistake("pad-over-queries", PAD_OVER_QUERIES)
def _(valid_lens, num_keys):
    return padding_solution(valid_lens, num_keys).transpose(-2, -1)


@padding_mask.mistake(
    "axes-missing",
    "The table is right, and the axes for heads and queries are missing: put two of length 1 in the middle, "
    "`[:, None, None, :]`.",
)
def _(valid_lens, num_keys):
    return padding_solution(valid_lens, num_keys)[:, 0, 0]


@padding_mask.mistake(
    "axes-missing", "One axis is missing: heads and queries need one each, `(batch, 1, 1, num_keys)`."
)
def _(valid_lens, num_keys):
    return padding_solution(valid_lens, num_keys)[:, 0]


@padding_mask.mistake(
    "pad-at-front",
    "Your padding stands at the front. Here it comes after the text: the first `valid_len` keys are open.",
)
def _(valid_lens, num_keys):
    return padding_solution(valid_lens, num_keys).flip(-1)


@padding_mask.mistake(
    "keys-from-lens",
    "Your mask is as wide as the longest text. The row may be longer than that: count to `num_keys`.",
)
def _(valid_lens, num_keys):
    return padding_solution(valid_lens, int(valid_lens.max()))


@padding_mask.mistake(
    "lens-no-axis",
    "Positions and lengths meet number by number. Each length should meet every position: give it an axis of its own, "
    "`valid_lens[:, None]`.",
)
def _(valid_lens, num_keys):
    return (torch.arange(num_keys) < valid_lens)[:, None, None]


@padding_mask.mistake("lens-no-axis", padding_mask.words("lens-no-axis"))
def _(valid_lens, num_keys):
    return (torch.arange(num_keys) < valid_lens)[:, None, None, :]


@padding_mask.mistake("global-leak", steps.LEAK)
def _(valid_lens, num_keys):
    return padding_solution(notebook_lens, num_keys)

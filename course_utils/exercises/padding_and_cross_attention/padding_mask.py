"""`my_padding_mask(valid_lens, num_keys)`: lengths in, a mask out that closes the keys behind each text."""

import torch

from course_utils.checks.behaviours import repeats
from course_utils.checks.exercise import Exercise
from course_utils.checks.rules import no_loop


def padding_mask_solution(valid_lens, num_keys):
    positions = torch.arange(num_keys)
    return (positions < valid_lens[:, None])[:, None, None, :]


def cases(draw):
    yield "lengths 2, 5 and 1 of 6 keys", torch.tensor([2, 5, 1]), 6
    yield "a text that fills the row", torch.tensor([4, 2]), 4
    yield "every text shorter than the row", torch.tensor([1, 3]), 5
    yield "a text of length 0", torch.tensor([3, 0]), 4
    yield "as many texts as keys", torch.tensor([1, 3, 2]), 3
    yield "a batch of one, a single key", torch.tensor([1]), 1


def is_bool(exercise, answer):
    """What comes back is a mask, not numbers that happen to be 0 and 1."""
    if answer(*exercise.cases()[0].args).dtype != torch.bool:
        yield (
            "mask-not-bool",
            "Your mask holds numbers. A mask is bool, True = may attend: leave the comparison as it is, without "
            "`.float()`.",
        )


MISTAKES = """
mask-inverted: True and False have changed places: your mask opens what should be closed. True = may attend: turn the
    comparison round.
    positions < valid_lens -> positions >= valid_lens
mask-inverted: Your mask opens the padding, but for its first token. Real are the positions below the length: `<`, not
    `>`.
    positions < valid_lens -> positions > valid_lens
mask-off-by-one: One padded key too many is open. Positions count from 0, so position 3 is the fourth: `<`, not `<=`.
    positions < valid_lens -> positions <= valid_lens
mask-off-by-one: The last real key of each text is closed. Positions count from 0: those below the length are real, with
    no `- 1`.
    positions < valid_lens[:, None] -> positions < valid_lens[:, None] - 1
mask-off-by-one: Row `n` of the triangle has `n + 1` open keys, and a text that fills the row finds none. Compare
    positions with lengths: `positions < valid_lens[:, None]`.
    positions < valid_lens[:, None] -> torch.ones(num_keys, num_keys).bool().tril()[valid_lens]
length-0-whole: A text of length 0 comes out whole: `-1`, or `-0`, counts from the end of the row. Compare positions
    with lengths: `positions < valid_lens[:, None]`.
    positions < valid_lens[:, None] -> (positions < valid_lens[:, None]) | (valid_lens[:, None] == 0)
length-0-stops: A text of length 0 has no last key: `valid_len - 1` is -1, and no place has that number. Compare
    positions with lengths: `positions < valid_lens[:, None]`.
    positions < valid_lens[:, None] ->
        torch.nn.functional.one_hot(valid_lens - 1, num_keys).flip(-1).cumsum(dim=-1).flip(-1) > 0
full-row-closed: A text that fills the row comes out closed: its padding is a slice of 0 keys, and `-0:` is the whole
    row. Begin at the length, `valid_len:`.
    positions < valid_lens[:, None] -> (positions < valid_lens[:, None]) & (valid_lens[:, None] < num_keys)
full-row-stops: A text that fills the row has no first padding: its length is one past the last position. Compare
    positions with lengths: `positions < valid_lens[:, None]`.
    positions < valid_lens[:, None] -> torch.nn.functional.one_hot(valid_lens, num_keys).cumsum(dim=-1) == 0
    or
    positions < valid_lens[:, None] -> torch.eye(num_keys)[valid_lens].cumsum(dim=-1) == 0
    or
    positions < valid_lens[:, None] ->
        torch.zeros(len(valid_lens), num_keys).scatter(1, valid_lens[:, None], 1.0).cumsum(dim=-1) == 0
last-only: Only the last real key of each text is open. All that stand before it are real as well: `<` for `==`.
    positions < valid_lens[:, None] -> positions == valid_lens[:, None] - 1
last-only: Only one key of each text is open, its first padding. Real are all positions below the length: `<` for `==`.
    positions < valid_lens -> positions == valid_lens
lens-as-padding: You took the lengths for the number of paddings. They say how many keys are real: compare the positions
    with `valid_lens` itself.
    positions < valid_lens[:, None] -> positions < num_keys - valid_lens[:, None]
pad-at-front: Your padding stands at the front. Here it comes after the text: the first `valid_len` keys are open.
    positions < valid_lens[:, None] -> positions >= num_keys - valid_lens[:, None]
first-only: Every text has the length of the first one. Compare with all of `valid_lens`, a row for each: `[:, None]`.
    valid_lens[:, None] -> valid_lens[0].expand(len(valid_lens), 1)
    or
    valid_lens[:, None] -> valid_lens[:1, None]
early-return: Only the first text has open keys. A `return` stands inside your loop: move it out, to the left.
    positions = torch.arange(num_keys) -> mask = torch.zeros(len(valid_lens), 1, 1, num_keys, dtype=torch.bool)
        ⏎ mask[0, ..., : valid_lens[0]] = True
    return (positions < valid_lens[:, None])[:, None, None, :] -> return mask
all-open: Every key is open, the padding too: the lengths are not used, or count for nothing. Compare the positions with
    them.
    positions < valid_lens[:, None] -> torch.ones(len(valid_lens), num_keys, dtype=torch.bool)
mask-additive: This is a mask to add, of 0 and -inf. The course's mask is bool, True = may attend: the comparison
    itself.
    return (…)[:, None, None, :] -> return torch.where(…, 0.0, -torch.inf)[:, None, None, :]
pad-over-queries: Your mask closes rows: it is laid over the queries, and padded keys stay open to all others. The
    positions belong on the last axis, that of the keys.
    [:, None, None, :] -> [:, None, :, None]
axes-missing: The table is right, and the axes for heads and queries are missing: put two of length 1 in the middle,
    `[:, None, None, :]`.
    [:, None, None, :] ->
axes-missing: One axis is missing: heads and queries need one each, `(batch, 1, 1, num_keys)`.
    [:, None, None, :] -> [:, None, :]
axes-misplaced: The axes of length 1 stand in the wrong places. The batch comes first, the keys last:
    `[:, None, None, :]`.
    [:, None, None, :] -> [:, :, None, None]
    or
    [:, None, None, :] -> [None, None, :, :]
    or
    [:, None, None, :] -> [None, :, None, :]
axes-grown: The axes in the middle should have length 1. They are stretched over heads and queries when the mask is
    used: leave out `expand` and `repeat`.
    [:, None, None, :] -> [:, None, None, :].expand(-1, 1, num_keys, -1)
    or
    [:, None, None, :] -> [:, None, None, :].expand(-1, num_keys, num_keys, -1)
keys-from-lens: Your mask is as wide as the longest text. The row may be longer than that: count to `num_keys`.
    torch.arange(num_keys) -> torch.arange(valid_lens.max())
keys-from-batch: Your positions are as many as there are texts. There is one for each key: `torch.arange(num_keys)`.
    torch.arange(num_keys) -> torch.arange(len(valid_lens))
fixed-width: Your mask has one width, whatever `num_keys` is. Count to the argument: `torch.arange(num_keys)`.
    torch.arange(num_keys) -> torch.arange(5)
    or
    torch.arange(num_keys) -> torch.arange(6)
fixed-batch: The number of texts is typed in. There are as many as lengths: `len(valid_lens)`.
    return (…)[:, None, None, :] -> return (…).view(2, 1, 1, num_keys)
    or
    return (…)[:, None, None, :] -> return torch.stack([(…)[text] for text in range(2)])[:, None, None, :]
    or
    torch.arange(num_keys) -> torch.arange(5)
    return (…)[:, None, None, :] -> return torch.stack([(…)[text] for text in range(2)])[:, None, None, :]
one-too-many: Your mask has a key too many. `torch.arange(num_keys)` counts from 0 to `num_keys - 1`, without a `+ 1`.
    torch.arange(num_keys) -> torch.arange(num_keys + 1)
one-too-few: Your mask has a key too few: `torch.arange(num_keys)` counts from 0, and stops before its end.
    torch.arange(num_keys) -> torch.arange(1, num_keys)
    or
    torch.arange(num_keys) -> torch.arange(num_keys - 1)
lens-no-axis: Positions and lengths meet number by number. Each length should meet every position: give it an axis of
    its own, `valid_lens[:, None]`.
    valid_lens[:, None] -> valid_lens
    or
    valid_lens[:, None])[:, None, None, :] -> valid_lens)[:, None, None]
    or
    valid_lens[:, None])[:, None, None, :] -> valid_lens)[None, None, None, :]
    or
    valid_lens[:, None] -> valid_lens[None, :]
    or
    (positions < valid_lens[:, None]) -> (positions < valid_lens).expand(len(valid_lens), num_keys)
table-turned: Keys and texts have changed places: your table has a row for each key. The lengths get the new axis,
    `valid_lens[:, None]`, and not the positions.
    positions < valid_lens[:, None] -> positions[:, None] < valid_lens
slice-by-lens: A slice ends at one number, and `valid_lens` holds one for each text. Compare instead: all positions with
    all lengths, `<`.
    positions = torch.arange(num_keys) -> mask = torch.zeros(len(valid_lens), 1, 1, num_keys, dtype=torch.bool)
        ⏎ mask[..., :valid_lens] = True
    return (positions < valid_lens[:, None])[:, None, None, :] -> return mask
mask-not-bool:
    [:, None, None, :] -> [:, None, None, :].float()
    or
    [:, None, None, :] -> [:, None, None, :].int()
"""

exercise = Exercise(
    padding_mask_solution,
    cases,
    MISTAKES,
    outputs=("mask",),
    behaviours=(is_bool, repeats),
    hints=(no_loop("without a loop"),),
)

"""`my_padding_mask(valid_lens, num_keys)`: a mask that closes the keys behind the end of each text."""

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
    yield "every text shorter than the row", torch.tensor([1, 20]), 23
    yield "a text of length 0", torch.tensor([3, 0]), 4
    yield "as many texts as keys", torch.tensor([1, 3, 2]), 3
    yield "a batch of one, a single key", torch.tensor([1]), 1


MISTAKES = """
mask-inverted: Padding is open and real keys are closed. True = may attend: real are the positions below the length.
    positions < valid_lens -> positions >= valid_lens
    or
    positions < valid_lens -> positions > valid_lens
mask-off-by-one: One padded key too many is open. Positions count from 0: those below the length are real, `<`.
    positions < valid_lens -> positions <= valid_lens
mask-off-by-one: The last real key of each text is closed. Positions count from 0: those below the length are real.
    positions < valid_lens[:, None] -> positions < valid_lens[:, None] - 1
mask-off-by-one: One padded key too many is open, and a text that fills the row stops your code. Compare positions with
    lengths: `positions < valid_lens[:, None]`.
    positions < valid_lens[:, None] -> torch.ones(num_keys, num_keys).bool().tril()[valid_lens]
length-0-whole: A text of length 0 comes out whole. Compare positions with lengths: `positions < valid_lens[:, None]`.
    positions < valid_lens[:, None] -> (positions < valid_lens[:, None]) | (valid_lens[:, None] == 0)
length-0-stops: A text of length 0 stops your code: there is no position -1. Compare: `positions < valid_lens[:, None]`.
    positions < valid_lens[:, None] ->
        torch.nn.functional.one_hot(valid_lens - 1, num_keys).flip(-1).cumsum(dim=-1).flip(-1) > 0
full-row-closed: A text that fills the row comes out closed. Open are the first `valid_len` keys, up to all of them.
    positions < valid_lens[:, None] -> (positions < valid_lens[:, None]) & (valid_lens[:, None] < num_keys)
full-row-stops: A text that fills the row stops your code: it has no first padding. Compare positions with lengths:
    `positions < valid_lens[:, None]`.
    positions < valid_lens[:, None] -> torch.nn.functional.one_hot(valid_lens, num_keys).cumsum(dim=-1) == 0
    or
    positions < valid_lens[:, None] -> torch.eye(num_keys)[valid_lens].cumsum(dim=-1) == 0
    or
    positions < valid_lens[:, None] ->
        torch.zeros(len(valid_lens), num_keys).scatter(1, valid_lens[:, None], 1.0).cumsum(dim=-1) == 0
last-only: No text has more than one open key. Real are all positions below the length: `<`.
    positions < valid_lens[:, None] -> positions == valid_lens[:, None] - 1
    or
    positions < valid_lens -> positions == valid_lens
lens-as-padding: Each text has as many open keys as it has paddings. `valid_lens` counts the real keys: open those.
    positions < valid_lens[:, None] -> positions < num_keys - valid_lens[:, None]
pad-at-front: Your padding stands at the front. Here it comes after the text: the first `valid_len` keys are open.
    positions < valid_lens[:, None] -> positions >= num_keys - valid_lens[:, None]
longest-only: Every text has the length of the longest one. Compare with all of `valid_lens`: `valid_lens[:, None]`.
    valid_lens[:, None] -> valid_lens.max().expand(len(valid_lens), 1)
first-only: Every text has the length of the first one. Compare with all of `valid_lens`, a row for each: `[:, None]`.
    valid_lens[:, None] -> valid_lens[0].expand(len(valid_lens), 1)
    or
    valid_lens[:, None] -> valid_lens[:1, None]
early-return: Only the first text has open keys. Every text needs its own, before the one `return`.
    [:, None, None, :] -> [:, None, None, :] & (torch.arange(len(valid_lens)) == 0)[:, None, None, None]
all-open: Every key is open, the padding too: the lengths close nothing. Compare: `positions < valid_lens[:, None]`.
    positions < valid_lens[:, None] -> torch.ones(len(valid_lens), num_keys, dtype=torch.bool)
mask-additive: This is a mask to add, of 0 and -inf. The course's mask is bool, True = may attend: a comparison.
    return (…)[:, None, None, :] -> return torch.where(…, 0.0, -torch.inf)[:, None, None, :]
pad-over-queries: Your mask closes rows, which are queries. Padding is a matter of keys: positions are the last axis.
    [:, None, None, :] -> [:, None, :, None]
axes-missing: The mask has too few axes. Heads and queries need one of length 1 each: `[:, None, None, :]`.
    [:, None, None, :] ->
    or
    [:, None, None, :] -> [:, None, :]
axes-misplaced: The axes of length 1 stand in the wrong places. Texts come first, keys last: `[:, None, None, :]`.
    [:, None, None, :] -> [:, :, None, None]
    or
    [:, None, None, :] -> [None, None, :, :]
    or
    [:, None, None, :] -> [None, :, None, :]
axes-grown: The axes in the middle should have length 1, `(batch, 1, 1, num_keys)`: they are stretched later, in use.
    [:, None, None, :] -> [:, None, None, :].expand(-1, 1, num_keys, -1)
    or
    [:, None, None, :] -> [:, None, None, :].expand(-1, num_keys, num_keys, -1)
range-for-arange: Python's `range` is no tensor, and meets none. Positions as a tensor are `torch.arange(num_keys)`.
    torch.arange(num_keys) -> range(num_keys)
causal-added: Each row is causal as well. Padding alone is closed here, alike for all queries: leave the triangle out.
    [:, None, None, :] -> [:, None, None, :] & torch.ones(num_keys, num_keys).bool().tril()
keys-from-lens: Your mask is as wide as the longest text. The row may be longer than that: count to `num_keys`.
    torch.arange(num_keys) -> torch.arange(valid_lens.max())
keys-from-batch: Your mask has as many positions as there are texts. There is one for each key: count to `num_keys`.
    torch.arange(num_keys) -> torch.arange(len(valid_lens))
fixed-width: Your mask has one width, whatever `num_keys` is. Count to the argument: `torch.arange(num_keys)`.
    torch.arange(num_keys) -> torch.arange(5)
    or
    torch.arange(num_keys) -> torch.arange(6)
fixed-batch: Your mask fits one number of texts alone. There are as many as lengths: `len(valid_lens)`.
    return (…)[:, None, None, :] -> return (…).view(2, 1, 1, num_keys)
    or
    return (…)[:, None, None, :] -> return torch.stack([(…)[text] for text in range(2)])[:, None, None, :]
    or
    torch.arange(num_keys) -> torch.arange(5)
    return (…)[:, None, None, :] -> return torch.stack([(…)[text] for text in range(2)])[:, None, None, :]
one-too-many: Your mask has a key too many. Positions go from 0 to `num_keys - 1`: `torch.arange(num_keys)`.
    torch.arange(num_keys) -> torch.arange(num_keys + 1)
one-too-few: Your mask has a key too few. Positions go from 0 to `num_keys - 1`: `torch.arange(num_keys)`.
    torch.arange(num_keys) -> torch.arange(1, num_keys)
    or
    torch.arange(num_keys) -> torch.arange(num_keys - 1)
lens-no-axis: Positions and lengths meet one by one. Each length should meet every position: `valid_lens[:, None]`.
    valid_lens[:, None] -> valid_lens
    or
    valid_lens[:, None])[:, None, None, :] -> valid_lens)[:, None, None]
    or
    valid_lens[:, None])[:, None, None, :] -> valid_lens)[None, None, None, :]
    or
    valid_lens[:, None] -> valid_lens[None, :]
    or
    (positions < valid_lens[:, None]) -> (positions < valid_lens).expand(len(valid_lens), num_keys)
table-turned: Your table has a row for each key. It should have one for each text: `positions < valid_lens[:, None]`.
    positions < valid_lens[:, None] -> positions[:, None] < valid_lens
slice-by-lens: A slice ends at one number, and `valid_lens` holds one for each text: `positions < valid_lens[:, None]`.
    positions = torch.arange(num_keys) -> torch.ones(1, num_keys)[..., :valid_lens] ⏎ positions = torch.arange(num_keys)
mask-not-bool: Your mask holds numbers. It is bool, True = may attend: keep what the comparison gives, or `.bool()`.
    [:, None, None, :] -> [:, None, None, :].float()
    or
    [:, None, None, :] -> [:, None, None, :].int()
"""

exercise = Exercise(
    padding_mask_solution,
    cases,
    MISTAKES,
    outputs=("mask",),
    behaviours=(repeats,),
    hints=(no_loop,),
)

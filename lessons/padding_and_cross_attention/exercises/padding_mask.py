"""`my_padding_mask(valid_lens, num_keys)`: a mask that closes the keys behind the end of each text."""

import torch

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
mask-off-by-one: One padded key too many is open. Positions count from 0: those below the length are real, `<`.
    positions < valid_lens -> positions <= valid_lens
mask-off-by-one: The last real key of each text is closed. Positions count from 0: those below the length are real.
    positions < valid_lens[:, None] -> positions < valid_lens[:, None] - 1
length-0-whole: A text of length 0 comes out whole. Compare positions with lengths: `positions < valid_lens[:, None]`.
    positions < valid_lens[:, None] -> (positions < valid_lens[:, None]) | (valid_lens[:, None] == 0)
lengths-in-arange: `torch.arange` takes one number, and there is a length for each text. Count the keys once,
    `torch.arange(num_keys)`, and compare: `positions < valid_lens[:, None]`.
    torch.arange(num_keys) -> torch.arange(valid_lens)
full-row-stops: A text that fills the row stops your code. Compare: `positions < valid_lens[:, None]`.
    positions < valid_lens[:, None] -> torch.nn.functional.one_hot(valid_lens, num_keys).cumsum(dim=-1) == 0
pad-over-queries: Your mask closes rows, which are queries. Padding is a matter of keys: positions are the last axis.
    [:, None, None, :] -> [:, None, :, None]
causal-added: Later tokens are hidden as well, and nobody asked for that: the mask is of the padding alone.
    [:, None, None, :] -> [:, None, None, :] & torch.ones(num_keys, num_keys, dtype=torch.bool).tril()
pad-in-front: Your mask closes keys in front. The padding stands at the end: real are the positions below the length.
    positions < valid_lens[:, None] -> positions >= num_keys - valid_lens[:, None]
axes-missing: The mask has too few axes. Heads and queries need one of length 1 each: `[:, None, None, :]`.
    [:, None, None, :] ->
lens-no-axis: Positions and lengths meet one by one. Each length should meet every position: `valid_lens[:, None]`.
    valid_lens[:, None] -> valid_lens
    or
    valid_lens[:, None])[:, None, None, :] -> valid_lens)[:, None, None]
slice-by-lens: A slice ends at one number, and `valid_lens` holds one for each text: `positions < valid_lens[:, None]`.
    positions = torch.arange(num_keys) -> torch.ones(1, num_keys)[..., :valid_lens] ⏎ positions = torch.arange(num_keys)
"""

exercise = Exercise(padding_mask_solution, cases, MISTAKES, outputs=("mask",), hints=(no_loop,))

"""`my_left_padded_mask(valid_lens, num_tokens)`: a causal mask that also closes the padding in front of each text."""

import torch

from course_utils import attention
from course_utils.checks.exercise import Exercise


def left_padded_mask_solution(valid_lens, num_tokens):
    positions = torch.arange(num_tokens)
    is_real = positions >= num_tokens - valid_lens[:, None]  # (batch, num_tokens)
    return is_real[:, None, None, :] & attention.causal_mask(num_tokens)


def cases(draw):
    yield "lengths 2, 4 and 5 of 6 tokens", torch.tensor([2, 4, 5]), 6
    yield "a text that fills the row", torch.tensor([23, 1]), 23
    yield "a text of length 0", torch.tensor([0, 3]), 5
    yield "as many texts as tokens", torch.tensor([1, 3, 2]), 3
    yield "a batch of one, a single token", torch.tensor([1]), 1


MISTAKES = """
masks-ored: A key is open where one mask alone opens it, and tokens see later ones. Both must open it: `&`.
    & attention -> | attention
mask-lower: Each token sees the later ones and not those before it. Keep the lower triangle, `attention.causal_mask`.
    attention.causal_mask(num_tokens) -> attention.causal_mask(num_tokens).T
padding-only: Tokens see later ones: only the padding is closed. Join it with the causal mask: `&`.
    & attention.causal_mask(num_tokens) ->
causal-only: The padding is open: real tokens look at the padding in front of them. Close it, with the lengths.
    is_real[:, None, None, :] & attention.causal_mask(num_tokens) -> attention.causal_mask(num_tokens)[None, None]
pad-at-end: The end of each row is closed. Here the padding stands in front: text begins at `num_tokens - valid_len`.
    positions >= num_tokens - valid_lens -> positions < valid_lens
length-0-whole: A text of length 0 comes out whole (`-0` is 0 in a slice). Text begins at `num_tokens - valid_len`.
    positions >= num_tokens - valid_lens[:, None] -> positions >= (num_tokens - valid_lens[:, None]) % num_tokens
lens-as-start: Your text begins at position `valid_len`. That is its length: it begins at `num_tokens - valid_len`.
    positions >= num_tokens - valid_lens -> positions >= valid_lens
moved-together: All texts are moved by one number of places. Each has its own padding: `num_tokens - valid_len`.
    positions >= num_tokens - valid_lens[:, None] ->
        attention.padding_mask(valid_lens, num_tokens)[:, 0, 0].roll(int(num_tokens - valid_lens.max()), -1)
    or
    num_tokens - valid_lens[:, None] -> valid_lens.max() - valid_lens[:, None]
pad-off-by-one: The first real token of each text is closed. Text begins at `num_tokens - valid_len`: that one is open.
    positions >= num_tokens -> positions > num_tokens
padding-inverted: Your mask opens the padding and closes the text. True = may attend: turn the padding's part round.
    positions >= num_tokens -> positions < num_tokens
flipped-together: The causal mask is turned round, with the padding. Turn the padding alone, then join the two.
    is_real = positions >= num_tokens - valid_lens -> is_real = positions < valid_lens
    return … & attention.causal_mask(num_tokens) -> return (… & attention.causal_mask(num_tokens)).flip(-1)
pad-over-queries: Your mask closes rows, which are queries. Padding is a matter of keys: positions are the last axis.
    [:, None, None, :] -> [:, None, :, None]
diagonal-open: A padding looks at itself. No token may attend to padding: the row of a padding stays empty.
    return … & attention.causal_mask(num_tokens) ->
        return (… & attention.causal_mask(num_tokens)) | torch.eye(num_tokens, dtype=torch.bool)
axes-missing: Padding and causal mask need axes of their own. Give the padding two: `[:, None, None, :]`.
    is_real[:, None, None, :] -> is_real
"""

exercise = Exercise(left_padded_mask_solution, cases, MISTAKES, outputs=("mask",))

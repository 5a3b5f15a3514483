"""`my_left_padded_mask(valid_lens, num_tokens)`: a causal mask that also closes the padding in front of each text."""

import torch

from course_utils import attention
from course_utils.checks.behaviours import repeats
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
masks-xored: Keys that both masks leave open are closed. A key must pass both: join with `&`.
    & attention -> ^ attention
and-in-words: `and` and `or` ask whether a whole tensor is true, and fail. Cell by cell it is `&`, in brackets.
    & attention -> and attention
    or
    & attention -> or attention
brackets-missing: `&` comes before `>=`, so the lengths are joined with the causal mask first. Put the comparison in
    brackets: `(positions >= …) & …`.
    return is_real[:, None, None, :] & attention ->
        return positions >= num_tokens - valid_lens[:, None, None, None] & attention
mask-lower: Each token sees the later ones and not those before it. Keep the lower triangle, `attention.causal_mask`.
    attention.causal_mask(num_tokens) -> attention.causal_mask(num_tokens).T
mask-leak-of-one: Each token sees one later token. The last open diagonal is the main one: `attention.causal_mask`.
    attention.causal_mask(num_tokens) -> torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril(1)
mask-off-by-one: No token sees itself: the diagonal is closed. It should be open, as in `attention.causal_mask`.
    attention.causal_mask(num_tokens) -> torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril(-1)
padding-only: Tokens see later ones: only the padding is closed. Join it with the causal mask: `&`.
    attention.causal_mask(num_tokens) -> torch.ones(num_tokens, num_tokens, dtype=torch.bool)
    or
    attention.causal_mask(num_tokens) -> is_real[:, None, :, None]
    or
    & attention.causal_mask(num_tokens) ->
causal-only: The padding is open: real tokens look at the padding in front of them. Close it, with the lengths.
    is_real[:, None, None, :] & attention.causal_mask(num_tokens) ->
        attention.causal_mask(num_tokens).expand(len(valid_lens), 1, -1, -1)
    or
    is_real[:, None, None, :] & attention.causal_mask(num_tokens) -> attention.causal_mask(num_tokens)[None, None]
    or
    is_real[:, None, None, :] & attention.causal_mask(num_tokens) -> attention.causal_mask(num_tokens)
pad-at-end: The end of each row is closed. Here the padding stands in front: text begins at `num_tokens - valid_len`.
    positions >= num_tokens - valid_lens -> positions < valid_lens
    or
    positions >= num_tokens - valid_lens -> positions < valid_lens
    attention.causal_mask(num_tokens) -> attention.causal_mask(num_tokens) & is_real[:, None, :, None]
length-0-whole: A text of length 0 comes out whole (`-0` is 0 in a slice). Text begins at `num_tokens - valid_len`.
    positions >= num_tokens - valid_lens[:, None] -> positions >= (num_tokens - valid_lens[:, None]) % num_tokens
length-0-stops: A text of length 0 stops your code: `-0:` is the whole row. Begin at `num_tokens - valid_len`.
    positions = torch -> for n in valid_lens: ⏎     torch.ones(num_tokens, num_tokens)[-n:, -n:] = torch.ones(n, n)
        ⏎ positions = torch
lens-as-start: Your text begins at position `valid_len`. That is its length: it begins at `num_tokens - valid_len`.
    positions >= num_tokens - valid_lens -> positions >= valid_lens
lens-from-longest: Your text begins as if the row were as long as the longest text. The row may be longer: it begins at
    `num_tokens - valid_len`.
    num_tokens - valid_lens[:, None] -> valid_lens.max() - valid_lens[:, None]
keys-from-lens: Your mask is as wide as the longest text. The row may be longer than that: count to `num_tokens`.
    positions = torch -> num_tokens = valid_lens.max() ⏎ positions = torch
    or
    positions = torch -> num_tokens = int(valid_lens.max()) ⏎ positions = torch
texts-flipped: Each text has the length of another: the texts are in another order. Flip positions alone, `flip(-1)`.
    valid_lens[:, None] -> valid_lens.flip(0)[:, None]
    or
    positions >= num_tokens - valid_lens[:, None] -> positions < valid_lens.flip(0)[:, None]
moved-together: All texts are moved by one number of places. Each has its own padding: `num_tokens - valid_len`.
    positions >= num_tokens - valid_lens[:, None] ->
        attention.padding_mask(valid_lens, num_tokens)[:, 0, 0].roll(int(num_tokens - valid_lens.max()), -1)
    or
    positions >= num_tokens - valid_lens[:, None] ->
        attention.padding_mask(valid_lens, num_tokens)[:, 0, 0].roll(int(num_tokens - valid_lens.min()), -1)
    or
    positions >= num_tokens - valid_lens[:, None] ->
        attention.padding_mask(valid_lens, num_tokens)[:, 0, 0].roll(int(num_tokens - valid_lens[0]), -1)
pad-off-by-one: The first real token of each text is closed. Text begins at `num_tokens - valid_len`: that one is open.
    positions >= num_tokens -> positions > num_tokens
padding-one-open: One padded token of each text is open. Text begins at `num_tokens - valid_len`, and not before.
    num_tokens - valid_lens[:, None] -> num_tokens - valid_lens[:, None] - 1
padding-inverted: Your mask opens the padding and closes the text. True = may attend: turn the padding's part round.
    positions >= num_tokens -> positions < num_tokens
flipped-together: The causal mask is turned round, with the padding: tokens see later ones. Turn the padding alone, then
    join it with the causal mask.
    is_real = positions >= num_tokens - valid_lens -> is_real = positions < valid_lens
    return … & attention.causal_mask(num_tokens) -> return (… & attention.causal_mask(num_tokens)).flip(-1)
    or
    is_real = positions >= num_tokens - valid_lens -> is_real = positions < valid_lens
    return … & attention.causal_mask(num_tokens) -> return (… & attention.causal_mask(num_tokens)).flip(-2)
pad-over-queries: Your mask closes rows, which are queries. Padding is a matter of keys: positions are the last axis.
    [:, None, None, :] -> [:, None, :, None]
shortest-only: All texts have the padding of the shortest. Each has its own; what `expand` gives is one tensor for all
    texts: `.clone()` it before you write into it.
    valid_lens[:, None] -> valid_lens.min().expand(len(valid_lens), 1)
longest-only: Every text has the length of the longest one. Compare with all of `valid_lens`: `valid_lens[:, None]`.
    valid_lens[:, None] -> valid_lens.max().expand(len(valid_lens), 1)
first-only: Every text has the length of the first one. Compare with all of `valid_lens`, a row for each: `[:, None]`.
    valid_lens[:, None] -> valid_lens[0].expand(len(valid_lens), 1)
    or
    valid_lens[:, None] -> valid_lens[:1, None]
mask-inverted: True and False have changed places: your mask opens what should be closed. True = may attend.
    return … & attention.causal_mask(num_tokens) -> return ~(… & attention.causal_mask(num_tokens))
padding-sees-itself: Your paddings see themselves. No token may attend to padding: their rows stay empty.
    attention.causal_mask(num_tokens) -> attention.causal_mask(num_tokens) | torch.eye(num_tokens, dtype=torch.bool)
axes-missing: The axis for the heads is missing: `(batch, 1, num_tokens, num_tokens)`, with `[:, None]`.
    is_real[:, None, None, :] -> is_real[:, None, :]
axes-missing: The padding has a row for each text, the causal mask one for each query: they need axes of their own. Give
    the padding two in its middle, `[:, None, None, :]`.
    is_real[:, None, None, :] -> is_real
lens-no-axis: Positions and lengths meet one by one. Each length should meet every position: `valid_lens[:, None]`.
    valid_lens[:, None] -> valid_lens
    or
    valid_lens[:, None] -> valid_lens
    is_real[:, None, None, :] -> is_real
    or
    positions >= num_tokens - valid_lens[:, None] ->
        (positions >= num_tokens - valid_lens).expand(len(valid_lens), num_tokens)
fixed-width: Your mask fits one number of tokens only. Use the argument, `num_tokens`, in every place.
    positions = torch -> num_tokens = 5 ⏎ positions = torch
    or
    attention.causal_mask(num_tokens) -> attention.causal_mask(5)
mask-additive: This is a mask to add, of 0 and -inf. The course's mask is bool, True = may attend: a comparison.
    return … & attention.causal_mask(num_tokens) ->
        return torch.where(… & attention.causal_mask(num_tokens), 0.0, -torch.inf)
mask-not-bool: Your mask holds numbers. It is bool, True = may attend: keep what the comparison gives, or `.bool()`.
    & attention.causal_mask(num_tokens) -> * attention.causal_mask(num_tokens).float()
    or
    & attention.causal_mask(num_tokens) -> * attention.causal_mask(num_tokens).int()
"""

exercise = Exercise(
    left_padded_mask_solution,
    cases,
    MISTAKES,
    outputs=("mask",),
    behaviours=(repeats,),
)

"""`my_blockwise_row(query, keys, values, block_size)`: one row of attention, a block of keys at a time."""

import torch

from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked

from .in_blocks import reads_each_key_once, row_in_pieces


def blockwise_row_solution(query, keys, values, block_size):
    highest, total, mixed = torch.tensor(-torch.inf), torch.tensor(0.0), torch.zeros(values.shape[-1])
    for start in range(0, len(keys), block_size):
        block = slice(start, start + block_size)  # the last one may be shorter
        scores = keys[block] @ query / query.shape[-1] ** 0.5  # (block_size,)
        new_highest = torch.maximum(highest, scores.max())
        shrink, exps = torch.exp(highest - new_highest), torch.exp(scores - new_highest)
        total = total * shrink + exps.sum()
        mixed = mixed * shrink + exps @ values[block]  # (value_dim,)
        highest = new_highest
    return mixed / total


def cases(draw):
    def row(num_keys, head_dim, value_dim, dtype=torch.float32):
        return tuple(draw(*shape, dtype=dtype) for shape in ((head_dim,), (num_keys, head_dim), (num_keys, value_dim)))

    def sorted_by_score(query, keys, values, descending):
        order = (keys @ query).argsort(descending=descending)
        return query, keys[order], values

    yield "6 keys in blocks of 2", *row(6, 4, 3), 2
    yield "6 keys in blocks of 3, as wide as their values", *row(6, 5, 5), 3
    yield "7 keys in blocks of 3: the last is shorter", *row(7, 2, 4), 3
    yield "5 keys in blocks of 1", *row(5, 3, 2), 1
    yield "5 keys in one block", *row(5, 6, 3), 5
    yield "3 keys, and blocks of 8", *row(3, 4, 2), 8
    yield "11 keys in blocks of 4", *row(11, 3, 6), 4
    yield "rising scores", *sorted_by_score(*row(8, 4, 3), descending=False), 2
    yield "falling scores", *sorted_by_score(*row(8, 3, 4), descending=True), 3
    query, keys, values = row(6, 3, 4)
    yield "large scores", 60 * query, 10 * keys, values, 2
    yield "large scores, falling", *sorted_by_score(80 * query, 10 * keys, values, descending=True), 4
    yield "scores far below 0", 20 * (query.abs() + 1), -20 * (keys.abs() + 1), values, 2
    yield "scores near 100", torch.full((2,), 12.0), 6 + draw(19, 2) / 20, draw(19, 4), 2
    yield "a single key", *row(1, 3, 2), 2
    yield Unasked("float64"), *row(7, 4, 3, dtype=torch.float64), 3


MISTAKES = """
=all-at-once-max:
    torch.maximum(highest, scores.max()) -> torch.stack([highest, scores.max()]).max()
sum-not-shrunk: The sum so far is added to as it is. With a new maximum it shrinks, as the mix does: `total * shrink`.
    total * shrink -> total
mix-not-shrunk: The mix so far is added to as it is. With a new maximum it shrinks, as the sum does: `mixed * shrink`.
    mixed * shrink -> mixed
nothing-shrinks: What came before keeps its size when the maximum grows. Sum and mix shrink by e to the power of old
    maximum minus new: do not overwrite the old one before that factor is made.
    total * shrink -> total
    mixed * shrink -> mixed
nan-at-first: All is `nan` from the first block on. Before it, the highest score so far is minus infinity. The factor is
    e to the power of *old* maximum minus *new*, so 0 here, and the block's exponentials are taken with the new one.
    torch.exp(highest - new_highest) -> torch.exp(new_highest - highest)
    or
    * shrink ->> / shrink
    or
    torch.exp(highest - new_highest) -> (highest - new_highest)
    or
    torch.exp(scores - new_highest) -> torch.exp(scores - highest)
    or
    torch.maximum(highest, scores.max()) -> torch.minimum(highest, scores.min())
    or
    torch.maximum(highest, scores.max()) -> torch.minimum(highest, scores.min())
    torch.tensor(-torch.inf) -> torch.tensor(torch.inf)
    or
    torch.exp(highest - new_highest) -> torch.exp(new_highest - highest)
    torch.tensor(-torch.inf) -> torch.tensor(-1e9)
shrink-inverted: What came before grows where it should shrink. Its power is the *old* maximum minus the *new*.
    torch.exp(highest - new_highest) -> torch.exp(new_highest - highest)
    torch.tensor(-torch.inf) -> torch.tensor(0.0)
shrink-without-exp: What came before is multiplied by a difference of maxima. The factor is e to that power.
    torch.exp(highest - new_highest) -> (highest - new_highest)
    torch.tensor(-torch.inf) -> torch.tensor(0.0)
shrinks-twice: What came before shrinks twice for each new maximum. Once in a block is enough.
    * shrink ->> * shrink * shrink
all-shrinks: The new block shrinks too. Its exponentials are taken with the new maximum already: multiply only what came
    before.
    total * shrink + exps.sum() -> (total + exps.sum()) * shrink
    mixed * shrink + exps @ values[block] -> (mixed + exps @ values[block]) * shrink
new-block-shrinks: The factor falls on the new block. It belongs to what came before, `total * shrink + exps.sum()`.
    total * shrink + exps.sum() -> total + exps.sum() * shrink
    mixed * shrink + exps @ values[block] -> mixed + exps @ values[block] * shrink
old-maximum: The new block's exponentials are taken with the old maximum. Take the new one:
    `torch.exp(scores - new_highest)`.
    torch.exp(scores - new_highest) -> torch.exp(scores - highest)
    torch.tensor(-torch.inf) -> torch.tensor(0.0)
block-maximum: Each block is measured by its own maximum, and all else by the running one. Subtract the maximum so far,
    `new_highest`, from the new scores.
    torch.exp(scores - new_highest) -> torch.exp(scores - scores.max())
maxima-apart: Each block is measured by its own maximum, so one counts as much as another. Keep the highest so far, and
    let sum and mix shrink when it grows.
    torch.exp(scores - new_highest) -> torch.exp(scores - scores.max())
    total * shrink -> total
    mixed * shrink -> mixed
maximum-not-running: Your maximum is that of the newest block. Where it is lower than before, the factor grows, and may
    overflow. Keep the highest so far: `torch.maximum(highest, scores.max())`.
    torch.maximum(highest, scores.max()) -> scores.max()
maximum-not-kept: The maximum so far is never set, so each block begins anew, and the last alone is left. At the end of
    the loop: `highest = new_highest`.
    highest = new_highest ->
first-maximum-kept: The maximum of the first block stays for all. A later score may be far above it: keep the highest so
    far.
    torch.maximum(highest, scores.max()) -> highest if start else scores.max()
maximum-undivided: Your maximum is that of the scores before their division. Divide first, then take the highest.
    scores.max()) -> (keys[block] @ query).max())
maximum-undivided: Your maximum is that of the scores before their division. Divide first, then take the highest.
    scores.max()) -> (keys[block] @ query).max())
starts-at-zero: Your maximum begins at a number, and scores may lie below it. Where all are far below, every
    exponential is 0, and so is the sum: begin at `-torch.inf`.
    torch.tensor(-torch.inf) -> torch.tensor(0.0)
naive-overflow: Large scores overflow: `torch.exp` of 1000 is `inf`. Subtract the highest so far before `torch.exp`.
    torch.maximum(highest, scores.max()) -> torch.tensor(0.0)
mean-of-blocks: Softmax is taken in each block alone, and the blocks count the same. One with high scores should count
    more: carry the maximum and the sum along.
    exps @ values[block] -> torch.softmax(scores, dim=-1) @ values[block]
    mixed * shrink -> mixed
    mixed / total -> mixed / -(-len(keys) // block_size)
    or
    exps @ values[block] -> torch.softmax(scores, dim=-1) @ values[block]
    mixed * shrink -> mixed
    mixed / total -> mixed
divided-in-the-loop: The mix is divided by the sum after every block, and goes on divided. Divide once, after the loop.
    highest = new_highest -> highest, mixed = new_highest, mixed / total
    mixed / total -> mixed
    or
    exps @ values[block] -> exps @ values[block] / total
    mixed / total -> mixed
not-divided: The mix is not divided by the sum: `mixed / total`, after the loop.
    mixed / total -> mixed
last-sum: The mix is divided by the sum of the last block alone. Add up over all blocks: `total * shrink + exps.sum()`.
    total * shrink + exps.sum() -> exps.sum()
last-mix: The mix holds the last block alone. Add to what came before: `mixed * shrink + …`.
    mixed * shrink + exps -> exps
mean: You divided by a number of keys. Divide by the sum of the exponentials: `mixed / total`.
    mixed / total -> mixed / len(keys)
    or
    mixed / total -> mixed / block_size
last-block-left-out: The keys that do not fill a block are left out. The last block may be shorter:
    `range(0, len(keys), block_size)`, and the slice ends by itself.
    range(0, len(keys), block_size) -> range(0, len(keys) - block_size + 1, block_size)
    or
    range(0, len(keys), block_size) -> range(0, len(keys) // block_size * block_size, block_size)
last-block-left-out: The last block is left out, even where it is whole. Go on to `len(keys)`.
    range(0, len(keys), block_size) -> range(0, len(keys) - block_size, block_size)
    or
    range(0, len(keys), block_size) -> range(0, len(keys) - 1, block_size)
first-block-only: Only the first block is in the result, as with a `return` inside the loop.
    highest = new_highest -> break
first-block-left-out: The first block is left out. Begin at 0: `range(0, len(keys), block_size)`.
    range(0, len(keys), block_size) -> range(block_size, len(keys), block_size)
blocks-overlap: Your blocks overlap, and most keys count more than once. Each begins where the last one ended:
    `range(0, len(keys), block_size)`.
    range(0, len(keys), block_size) -> range(0, len(keys))
    or
    range(0, len(keys), block_size) -> range(0, len(keys) - block_size + 1)
block-too-long: Each block has one key too many, which counts again in the next. A slice ends before its end:
    `start : start + block_size`.
    start + block_size) -> start + block_size + 1)
block-too-short: Each block lacks its last key. A slice ends before its end: `start : start + block_size`.
    start + block_size) -> start + block_size - 1)
number-for-start: The slices begin at the number of the block. They begin at `block_size` times that.
    range(0, len(keys), block_size) -> range(-(-len(keys) // block_size))
slice-end-fixed: Every slice ends at `block_size`, so the second is empty: `start : start + block_size`.
    start + block_size) -> block_size)
one-block-too-many: Where the keys fill their blocks, one more is taken, and it is empty: a maximum of nothing stops.
    `range(0, len(keys), block_size)` ends in time.
    range(0, len(keys), block_size) -> range(0, len(keys) + 1, block_size)
    or
    range(0, len(keys), block_size) -> range(0, (len(keys) // block_size + 1) * block_size, block_size)
padding-counted: The last block is filled up with zeros, and these count: a key of zeros has a score of 0, and e⁰ is 1.
    Let the last block be shorter.
    scores = keys[block] @ query -> missing = block_size - len(keys[block]) ⏎
        scores = torch.cat([keys[block], keys.new_zeros(missing, keys.shape[-1])]) @ query
    exps @ values[block] -> exps[: len(values[block])] @ values[block]
values-not-sliced: Every block meets the first values. Cut them as you cut the keys: `values[block]`.
    values[block] -> values[: len(scores)]
values-not-sliced: A block of weights meets all values. Cut them as you cut the keys: `values[block]`.
    values[block] -> values
weights-on-keys: The keys are mixed. They have done their work in the scores: mix the `values`.
    exps @ values[block] -> exps @ keys[block]
    torch.zeros(values.shape[-1]) -> torch.zeros(keys.shape[-1])
    or
    exps @ values[block] -> exps @ keys[block]
query-on-values: Your query meets the values. It should meet the `keys` alone; the values are only mixed.
    keys[block] @ query -> values[block] @ query
no-scale: The scores are not divided. Divide by the root of the width, `query.shape[-1] ** 0.5`.
    / query.shape[-1] ** 0.5 ->
scale-no-root: The scores are divided by the width itself. Take its root: `** 0.5`.
    / query.shape[-1] ** 0.5 -> / query.shape[-1]
scale-inverted: The scores are multiplied by the root. They should become smaller: `/ query.shape[-1] ** 0.5`.
    / query.shape[-1] ** 0.5 -> * query.shape[-1] ** 0.5
scale-fixed: You divided by the root of 4, the width on the page. Take the width that comes in: `query.shape[-1]`.
    query.shape[-1] ** 0.5 -> 4**0.5
scale-wrong-axis: You divided by the root of another number. Take that of a key's width, `query.shape[-1]`.
    query.shape[-1] ** 0.5 -> len(keys) ** 0.5
    or
    query.shape[-1] ** 0.5 -> block_size ** 0.5
    or
    query.shape[-1] ** 0.5 -> values.shape[-1] ** 0.5
    or
    query.shape[-1] ** 0.5 -> len(scores) ** 0.5
    scores = keys[block] @ query / -> scores = keys[block] @ query ⏎ scores = scores /
width-of-keys: Your mix begins with as many zeros as a key is wide. A value has a width of its own: `values.shape[-1]`.
    torch.zeros(values.shape[-1]) -> torch.zeros(keys.shape[-1])
width-fixed: Your mix begins with four zeros, as on the page. Read the width off the values: `values.shape[-1]`.
    torch.zeros(values.shape[-1]) -> torch.zeros(4)
sum-of-scores: You add up scores. The sum is that of the exponentials: `exps.sum()`.
    exps.sum() -> scores.sum()
scores-mixed: The scores mix the values. Their exponentials should: `exps @ values[block]`.
    exps @ values[block] -> scores @ values[block]
not-summed: The values are weighted, and not yet added up: `exps @ values[block]`, or `.sum(dim=0)`.
    exps @ values[block] -> exps[:, None] * values[block]
maxima-differ: Sum and mix are measured by different maxima. Make the new maximum and the factor first, then both.
    total * shrink + exps.sum() -> total + torch.exp(scores).sum()
weights-as-well: Only the context vector is asked for: leave the rest out of your `return`.
    return mixed / total -> return mixed / total, total
extra-axis: The numbers are right, with an axis of length 1 too many. One row comes back: `(value_dim,)`.
    return mixed / total -> return (mixed / total)[None]
whole-row:
    return mixed / total -> return torch.softmax(keys @ query / query.shape[-1] ** 0.5, dim=-1) @ values
    or
    range(0, len(keys), block_size) -> range(0, len(keys), -(-len(keys) // block_size))
    start + block_size) -> start + -(-len(keys) // block_size))
rows-gathered:
    for start in -> rows = [keys[i : i + block_size] @ query / query.shape[-1] ** 0.5
        for i in range(0, len(keys), block_size)] ⏎ for start in
    scores = keys[block] @ query / query.shape[-1] ** 0.5 -> scores = rows[start // block_size]
"""

exercise = Exercise(
    blockwise_row_solution,
    cases,
    MISTAKES,
    outputs=("context_vec",),
    behaviours=(row_in_pieces, repeats),
    hints=(reads_each_key_once, gradient_flows),
)

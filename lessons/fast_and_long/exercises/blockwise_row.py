"""`my_blockwise_row(query, keys, values, block_size)`: one row of attention, a block of keys at a time."""

import torch

from course_utils.checks.behaviours import gradient_flows
from course_utils.checks.exercise import Exercise

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
    def row(num_keys, head_dim, value_dim):
        return tuple(draw(*shape) for shape in ((head_dim,), (num_keys, head_dim), (num_keys, value_dim)))

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


MISTAKES = """
=all-at-once-max:
    torch.maximum(highest, scores.max()) -> torch.stack([highest, scores.max()]).max()
sum-not-shrunk: The sum so far is added to as it is. With a new maximum it shrinks, as the mix does: `total * shrink`.
    total * shrink -> total
mix-not-shrunk: The mix so far is added to as it is. With a new maximum it shrinks, as the sum does: `mixed * shrink`.
    mixed * shrink -> mixed
nothing-shrinks: The sum and the mix so far must shrink by e to the power of old maximum minus new one.
    total * shrink -> total
    mixed * shrink -> mixed
nothing-shrinks: Your factor is made of the newest block's maximum. It is e to the power of old maximum minus new one.
    torch.exp(highest - new_highest) -> torch.exp(scores.max() - new_highest)
    or
    torch.exp(highest - new_highest) -> torch.exp(new_highest - scores.max())
nan-at-first: All is `nan`: the factor is e to the power of *old* maximum minus *new*, which is 0 at first.
    torch.exp(highest - new_highest) -> torch.exp(new_highest - highest)
maximum-not-running: Your maximum is the newest block's. Keep the highest so far: `torch.maximum(…, scores.max())`.
    torch.maximum(highest, scores.max()) -> scores.max()
maximum-not-kept: The maximum so far is never set. At the end of the loop: `highest = new_highest`.
    highest = new_highest ->
maximum-undivided: Your maximum is that of the scores before their division. Divide first, then take the highest.
    scores.max()) -> (keys[block] @ query).max())
starts-at-zero: Your maximum begins at a number, and scores may lie far below it: begin at `-torch.inf`.
    torch.tensor(-torch.inf) -> torch.tensor(0.0)
width-typed: A width of the page's example is typed in. Read them off: `values.shape[-1]`, `query.shape[-1]`.
    torch.zeros(values.shape[-1]) -> torch.zeros(4)
    query.shape[-1] ** 0.5 -> 4**0.5
naive-overflow: Large scores overflow: `torch.exp` of 1000 is `inf`. Subtract the highest so far before `torch.exp`.
    torch.maximum(highest, scores.max()) -> torch.tensor(0.0)
mean-of-blocks: Each block has a softmax of its own, and all count the same. Carry maximum and sum along.
    exps @ values[block] -> torch.softmax(scores, dim=-1) @ values[block]
    mixed * shrink -> mixed
    mixed / total -> mixed / -(-len(keys) // block_size)
divided-in-the-loop: The mix is divided by the sum after every block, and goes on divided. Divide once, after the loop.
    highest = new_highest -> highest, mixed = new_highest, mixed / total
    mixed / total -> mixed
divided-by-count: The mix is divided by the number of keys. Divide it by the sum of the exponentials: `mixed / total`.
    mixed / total -> mixed / len(keys)
not-divided: The mix is not divided by the sum: `mixed / total`, after the loop.
    mixed / total -> mixed
last-block-left-out: The last block may be shorter: `range(0, len(keys), block_size)`, and the slice ends by itself.
    range(0, len(keys), block_size) -> range(0, len(keys) - block_size + 1, block_size)
first-block-only: Only the first block is in the result, as with a `return` inside the loop.
    highest = new_highest -> break
no-scale: The scores are not divided. Divide by the root of the width, `query.shape[-1] ** 0.5`.
    / query.shape[-1] ** 0.5 ->
whole-row:
    return mixed / total -> return torch.softmax(keys @ query / query.shape[-1] ** 0.5, dim=-1) @ values
rows-gathered: The numbers are right, and your code keeps the scores of all blocks, in a list or in open calls: that is
    the whole row again. Keep three things from block to block: the maximum, the sum and the mix so far.
    for start in -> rows = [keys[i : i + block_size] @ query / query.shape[-1] ** 0.5
        for i in range(0, len(keys), block_size)] ⏎ for start in
    scores = keys[block] @ query / query.shape[-1] ** 0.5 -> scores = rows[start // block_size]
"""

MUST_HOLD, HINTS = (row_in_pieces,), (reads_each_key_once, gradient_flows)
exercise = Exercise(
    blockwise_row_solution, cases, MISTAKES, outputs=("context_vec",), behaviours=MUST_HOLD, hints=HINTS
)

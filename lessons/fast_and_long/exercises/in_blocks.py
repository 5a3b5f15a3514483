"""Behaviours of `my_blockwise_row`: it never holds a whole row of scores, and reads each key once."""

import weakref

import torch
from torch.overrides import TorchFunctionMode

from course_utils.checks.draw import Draw
from course_utils.checks.sentences import sentence
from course_utils.lessons.findings import finding

HEAD_DIM, VALUE_DIM, NUM_KEYS, BLOCK = 3, 5, 50, 4  # all different, so that its length says which axis it is
HELD = 9  # rows of one block that a step may hold at once: scores, their exponentials, some more


class Rows(TorchFunctionMode):
    """A torch function mode that counts the scores an answer makes and holds for one row of attention, taken in blocks.

    longest: the most scores made at once. joined: the most that were joined in a row. total: how many scores were made.
    held: the most rows of one block that were held at once.
    """

    def __init__(self):
        super().__init__()
        self.longest, self.joined, self.total, self.held, self._rows = 0, 0, 0, 0, []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        if not getattr(func, "__name__", "").startswith("new_"):
            num_keys = max(map(_num_keys, (*args, *(kwargs or {}).values())), default=0)
            for tensor in result if isinstance(result, tuple | list) else (result,):
                if torch.is_tensor(tensor) and tensor.is_floating_point():
                    self._note(tensor, num_keys)
        return result

    def _note(self, tensor, num_keys):
        """Update `longest`, `total`, `joined` and `held` for a tensor that was computed from `num_keys` keys.

        The class says what these count. The tensor is `num_keys` scores if the keys' width is not among its sizes.
        """
        if HEAD_DIM not in tensor.shape:
            self.longest, self.total = max(self.longest, num_keys), self.total + num_keys
        shape = [size for size in tensor.shape if size != 1]
        if NUM_KEYS <= tensor.numel() < NUM_KEYS + BLOCK and not {HEAD_DIM, VALUE_DIM} & set(shape):
            self.joined = max(self.joined, tensor.numel())
        if shape == [BLOCK]:
            self._rows = [row for row in self._rows if row() is not None] + [weakref.ref(tensor)]
            self.held = max(self.held, len(self._rows))


def _num_keys(value):
    """Return the number of keys in a tensor with two axes or more, one of them HEAD_DIM long; 0 for other values.

    Of a list or tuple, the largest such number is returned.
    """
    if isinstance(value, list | tuple):
        return max(map(_num_keys, value), default=0)
    is_keys = torch.is_tensor(value) and value.dim() > 1 and HEAD_DIM in value.shape
    return value.numel() // HEAD_DIM if is_keys else 0


def _watched(answer, block_size=BLOCK):
    """Call answer(query, keys, values, block_size) on NUM_KEYS random keys; return the Rows that counted its scores."""
    draw = Draw(seed=3)
    with Rows() as rows:
        answer(draw(HEAD_DIM), draw(NUM_KEYS, HEAD_DIM), draw(NUM_KEYS, VALUE_DIM), block_size)
    return rows


def row_in_pieces(exercise, answer):
    """Yield ("whole-row", message) if an answer holds more scores at once than a block has keys.

    Otherwise, yield ("rows-gathered", message) if it keeps the scores of all blocks; nothing if it does neither.
    """
    for block_size in (BLOCK, 1):
        rows = _watched(answer, block_size)
        # With blocks of 1, an answer may join one number of each block, such as its maximum.
        longest = max(rows.longest, rows.joined if block_size > 1 else 0)
        if longest > block_size:
            template = (
                "The numbers are right, and with {keys} keys and a `block_size` of {block_size} your code holds a row "
                "of {longest} scores. Take the keys `block_size` at a time, and keep the maximum, the sum and the mix "
                "so far."
            )
            yield "whole-row", sentence(template, keys=NUM_KEYS, block_size=block_size, longest=longest)
            return
    if _watched(answer).held > HELD:
        yield finding(exercise, "rows-gathered")


def reads_each_key_once(exercise, answer):
    """Yield ("two-rounds", hint) if an answer computes over 1.5 times as many scores as there are keys.

    It is a hint, since the prompt allows it.
    """
    if _watched(answer).total > 1.5 * NUM_KEYS:
        yield (
            "two-rounds",
            "Your code goes through the keys more than once, and makes each score anew. Once is enough: if a block "
            "brings a new maximum, let the sum and the mix so far shrink by e to the power of old minus new.",
        )

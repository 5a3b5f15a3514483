"""What `my_blockwise_row` holds on its way: never a whole row, and each key once."""

import weakref

import torch
from torch.overrides import TorchFunctionMode

from course_utils.checks.draw import Draw

HEAD_DIM, VALUE_DIM, NUM_KEYS, BLOCK = 3, 5, 50, 4  # each axis is known by its length
HELD = 9  # rows of one block that a step may hold at once: scores, their exponentials, some more


class Rows(TorchFunctionMode):
    """Notes how many scores are made at once or joined in a row, how many in all, and how many rows are held."""

    def __init__(self):
        super().__init__()
        self.longest, self.joined, self.made, self.held, self._made = 0, 0, 0, 0, []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        if not getattr(func, "__name__", "").startswith("new_"):
            num_keys = max(map(_num_keys, (*args, *(kwargs or {}).values())), default=0)
            for tensor in result if isinstance(result, tuple | list) else (result,):
                if torch.is_tensor(tensor) and tensor.is_floating_point():
                    self._note(tensor, num_keys)
        return result

    def _note(self, tensor, num_keys):
        """tensor: made of so many keys. Where their width has gone, scores were made, whatever became of them."""
        if HEAD_DIM not in tensor.shape:
            self.longest, self.made = max(self.longest, num_keys), self.made + num_keys
        shape = [size for size in tensor.shape if size != 1]
        if NUM_KEYS <= tensor.numel() < NUM_KEYS + BLOCK and not {HEAD_DIM, VALUE_DIM} & set(shape):
            self.joined = max(self.joined, tensor.numel())
        if shape == [BLOCK]:
            self._made = [one for one in self._made if one() is not None] + [weakref.ref(tensor)]
            self.held = max(self.held, len(self._made))


def _num_keys(value):
    """How many keys a tensor holds, or the largest of a list; 0 for anything else."""
    if isinstance(value, list | tuple):
        return max(map(_num_keys, value), default=0)
    is_keys = torch.is_tensor(value) and value.dim() > 1 and HEAD_DIM in value.shape
    return value.numel() // HEAD_DIM if is_keys else 0


def _watched(answer, block_size=BLOCK):
    draw = Draw(seed=3)
    with Rows() as rows:
        answer(draw(HEAD_DIM), draw(NUM_KEYS, HEAD_DIM), draw(NUM_KEYS, VALUE_DIM), block_size)
    return rows


def row_in_pieces(exercise, answer):
    """No row is longer than a block, and the rows of the blocks are not gathered."""
    for block_size in (BLOCK, 1):
        rows = _watched(answer, block_size)
        longest = max(rows.longest, rows.joined if block_size > 1 else 0)  # else each block may give a number
        if longest > block_size:
            yield (
                "whole-row",
                f"The numbers are right, and with {NUM_KEYS} keys and a `block_size` of {block_size} your code holds a "
                f"row of {longest} scores. Take the keys `block_size` at a time, and keep the maximum, the sum and "
                "the mix so far.",
            )
            return
    if _watched(answer).held > HELD:
        yield (
            "rows-gathered",
            "The numbers are right, and your code keeps the scores of all blocks, in a list or in open calls: that is "
            "the whole row again. Keep three things from block to block: the maximum, the sum and the mix so far.",
        )


def reads_each_key_once(exercise, answer):
    """The prompt leaves it free: two rounds, one for the maximum and one for the rest, hold no row either."""
    if _watched(answer).made > 1.5 * NUM_KEYS:
        yield (
            "two-rounds",
            "Your code goes through the keys more than once, and makes each score anew. Once is enough: if a block "
            "brings a new maximum, let the sum and the mix so far shrink by e to the power of old minus new.",
        )

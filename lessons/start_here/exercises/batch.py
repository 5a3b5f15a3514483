"""`my_batch`: zeros for four texts of five tokens, three numbers each."""

import torch

from course_utils.checks.outcome import Refused
from course_utils.lessons.start_here.exercises.any_dtype import AnyDtypeExercise

batch_solution = torch.zeros(4, 5, 3)  # (batch, num_tokens, width)

MISTAKES = """
axes-reversed: The axes are in reverse. The batch comes first: texts, tokens, numbers.
    4, 5, 3 -> 3, 5, 4
seq-batch-swapped: Texts and tokens have changed places: four texts come first, then five tokens.
    4, 5, 3 -> 5, 4, 3
features-swapped: Tokens and numbers have changed places: the five tokens come second, the three numbers of each last.
    4, 5, 3 -> 4, 3, 5
axes-mixed: The three lengths are there, in another order. The batch comes first: texts, tokens, numbers.
    4, 5, 3 -> 5, 3, 4
one-table: This is a table. Texts, tokens and numbers need an axis each: a shape of three lengths.
    4, 5, 3 -> 20, 3
    or
    4, 5, 3 -> 9, 3
one-axis: All the numbers stand in one axis. Texts, tokens and numbers need an axis each: `torch.zeros(4, 5, 3)`.
    4, 5, 3 -> 60
features-missing: The last axis is missing: each token has three numbers. The shape has a third length.
    4, 5, 3 -> 4, 5
texts-missing: This is one text. Four of them need an axis of their own, the first.
    4, 5, 3 -> 5, 3
shape-for-numbers: Your tensor holds the three lengths, in one axis. They are to be its shape: `torch.zeros(4, 5, 3)`.
    torch.zeros(4, 5, 3) -> torch.tensor([4, 5, 3])
numbers-as-axes: Three numbers are one axis of length 3, and not three axes of length 1: `torch.zeros(4, 5, 3)`.
    4, 5, 3 -> 4, 5, 1, 1, 1
"""


class ZerosExercise(AnyDtypeExercise):
    """An exercise that asks for zeros: other numbers in the right shape are one mistake, whichever they are."""

    def observe(self, answer):
        """Return a tensor as float32, and any other answer as it is.

        Errors: Refused, with a message, for a tensor of the right shape in which a number is not 0.
        """
        if torch.is_tensor(answer) and answer.shape == self.solution.shape and answer.any():
            raise Refused("The shape is right, and it holds other numbers than 0: zeros are asked for, `torch.zeros`.")
        return super().observe(answer)


exercise = ZerosExercise(__name__, batch_solution, MISTAKES)

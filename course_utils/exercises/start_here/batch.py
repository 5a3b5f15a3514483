"""`my_batch`: zeros for four texts of five tokens, three numbers each."""

import torch

from course_utils.exercises.start_here.any_dtype import AnyDtypeExercise

batch_solution = torch.zeros(4, 5, 3)  # (batch, num_tokens, width)

MISTAKES = """
axes-reversed: The axes are in reverse. The batch comes first: texts, tokens, numbers.
    4, 5, 3 -> 3, 5, 4
seq-batch-swapped: Texts and tokens have changed places: four texts come first, then five tokens.
    4, 5, 3 -> 5, 4, 3
features-swapped: Tokens and numbers have changed places: the five tokens come second, the three numbers of each last.
    4, 5, 3 -> 4, 3, 5
axes-mixed: The three lengths are there, in another order. The batch comes first: texts, tokens, numbers.
    4, 5, 3 -> 3, 4, 5
    or
    4, 5, 3 -> 5, 3, 4
one-table: This is a table. Texts, tokens and numbers need an axis each: a shape of three lengths.
    4, 5, 3 -> 4, 15
    or
    4, 5, 3 -> 20, 3
one-row: All zeros stand in one row. Texts, tokens and numbers need an axis each: a shape of three lengths.
    4, 5, 3 -> 60
    or
    4, 5, 3 -> 12
features-missing: The last axis is missing: each token has three numbers. The shape has a third length.
    4, 5, 3 -> 4, 5
texts-missing: This is one text. Four of them need an axis of their own, the first.
    4, 5, 3 -> 5, 3
extra-axis: There is an axis of length 1 too many: texts, tokens and numbers are three axes.
    4, 5, 3 -> 1, 4, 5, 3
    or
    4, 5, 3 -> 4, 5, 3, 1
    or
    4, 5, 3 -> 4, 1, 5, 3
    or
    4, 5, 3 -> 4, 5, 1, 3
ones: The shape is right, and it is full of ones: zeros are asked for, `torch.zeros`.
    torch.zeros -> torch.ones
shape-for-numbers: Your tensor holds the three lengths, in one axis. They are to be its shape: `torch.zeros(4, 5, 3)`.
    torch.zeros(4, 5, 3) -> torch.tensor([4, 5, 3])
shape-returned: This is a shape alone. The tensor that has it is asked for: `torch.zeros(4, 5, 3)`.
    torch.zeros(4, 5, 3) -> torch.zeros(4, 5, 3).shape
"""

exercise = AnyDtypeExercise(__name__, batch_solution, MISTAKES)

"""`my_pieces`: the numbers of two tokens, cut into three pieces of two, with the axis of the pieces in front."""

import torch

from course_utils.checks.exercise import ValueExercise

two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
pieces_solution = two_tokens.view(2, 3, 2).transpose(0, 1)  # (2, 6) -> (2, 3, 2) -> (3, 2, 2)

MISTAKES = """
view-no-transpose: Your first piece holds one token alone. Cut first, `view(2, 3, 2)`, then exchange axes 0 and 1.
    view(2, 3, 2).transpose(0, 1) -> view(3, 2, 2)
wrong-cut: You cut two pieces of three. Three pieces of two are asked for: `view(2, 3, 2)`.
    view(2, 3, 2) -> view(2, 2, 3)
every-third: Your pieces hold every third number. A piece is two neighbours: `view(2, 3, 2)` cuts them so.
    view(2, 3, 2).transpose(0, 1) -> view(2, 2, 3).permute(2, 0, 1)
pieces-overlap: Your pieces overlap: each begins one number after the last. It should be two: `view(2, 3, 2)`.
    view(2, 3, 2).transpose(0, 1) -> unfold(1, 2, 1)[:, :3].transpose(0, 1)
one-table: All pairs stand in one table. The pieces need an axis of their own: `torch.stack`, or `view(2, 3, 2)`.
    view(2, 3, 2).transpose(0, 1) -> view(2, 3, 2).transpose(0, 1).reshape(6, 2)
"""

exercise = ValueExercise(__name__, pieces_solution, MISTAKES)

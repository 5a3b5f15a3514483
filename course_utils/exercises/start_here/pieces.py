"""`my_pieces`: the numbers of two tokens, cut into three pieces of two, with the axis of the pieces in front."""

import torch

from course_utils.checks.exercise import ValueExercise

two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
pieces_solution = two_tokens.view(2, 3, 2).transpose(0, 1)  # (2, 6) -> (2, 3, 2) -> (3, 2, 2)

MISTAKES = """
view-no-transpose: Your first piece holds one token alone. Cut first, `view(2, 3, 2)`, then exchange axes 0 and 1.
    view(2, 3, 2).transpose(0, 1) -> view(3, 2, 2)
not-moved: The pieces are cut, and not yet in front: exchange the axes, `.transpose(0, 1)`, and keep what it gives.
    .transpose(0, 1) ->
wrong-cut: You cut two pieces of three. Three pieces of two are asked for: `view(2, 3, 2)`.
    view(2, 3, 2) -> view(2, 2, 3)
last-axes-swapped: The last two axes changed places. Exchange the first two: `.transpose(0, 1)`.
    .transpose(0, 1) -> .transpose(-2, -1)
full-turn: The axes of a piece are mixed up. After `view(2, 3, 2)`, exchange the first two alone: `.transpose(0, 1)`.
    .transpose(0, 1) -> .permute(1, 2, 0)
every-third: Your pieces hold every third number. A piece is two neighbours: `view(2, 3, 2)` cuts them so.
    view(2, 3, 2).transpose(0, 1) -> view(2, 2, 3).permute(2, 0, 1)
pieces-overlap: Your pieces overlap: each begins one number after the last. It should be two: `view(2, 3, 2)`.
    view(2, 3, 2).transpose(0, 1) -> unfold(1, 2, 1)[:, :3].transpose(0, 1)
one-table: All pairs stand in one table. The pieces need an axis of their own: `torch.stack`, or `view(2, 3, 2)`.
    view(2, 3, 2).transpose(0, 1) -> view(2, 3, 2).transpose(0, 1).reshape(6, 2)
one-piece: This is one of the pieces. All three are asked for, in one tensor of shape `(3, 2, 2)`.
    .transpose(0, 1) -> .transpose(0, 1)[0]
tuple-of-pieces: This is a tuple of three pieces. `torch.stack` makes one tensor of them.
    view(2, 3, 2).transpose(0, 1) -> chunk(3, dim=1)
"""

exercise = ValueExercise(__name__, pieces_solution, MISTAKES)

"""`my_mix`: the weighted sum of the three rows of the page's `other`."""

import torch

from course_utils.checks.exercise import ValueExercise

other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
mix_solution = torch.tensor([0.5, 0.3, 0.2]) @ other  # (3,) @ (3, 4) -> (4,)

MISTAKES = """
products-not-summed: The rows are weighted, and not yet added up: `weights @ other` does both.
    torch.tensor([0.5, 0.3, 0.2]) @ -> torch.tensor([0.5, 0.3, 0.2])[:, None] *
sum-axis: You added up along each row. Add the rows up, one below the other: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> (torch.tensor([0.5, 0.3, 0.2])[:, None] * other).sum(dim=-1)
mean: You took the mean. The weights are shares already: take the sum.
    @ other -> @ other / 3
no-weights: All rows count the same: the weights have no effect. `weights @ other` multiplies and adds.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> other.sum(dim=0)
    or
    torch.tensor([0.5, 0.3, 0.2]) @ other -> other.mean(dim=0)
view-no-transpose: `other` is cut anew, as `view` and `reshape` do, and not turned on its side. Write `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> other.view(4, 3) @ torch.tensor([0.5, 0.3, 0.2])
weights-misplaced: The weights meet other rows than they should: 0.5 is the first's, 0.3 the second's, 0.2 the last's.
    0.5, 0.3, 0.2 -> 0.5, 0.2, 0.3
    or
    0.5, 0.3, 0.2 -> 0.2, 0.3, 0.5
weights-on-columns: The weights meet the columns of `other`. They are for its rows: on the left, `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> other[:, :3] @ torch.tensor([0.5, 0.3, 0.2])
last-only: The last weighted row alone comes back. All three are added up: `weights @ other`, or `+=` in a loop.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> 0.2 * other[2]
softmax: There is a softmax in it. The weights are shares already, and the mix is their sum alone: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) -> torch.softmax(torch.tensor([0.5, 0.3, 0.2]), dim=0)
row-left-out: A row is left out. All three are weighted and added up: `weights @ other`, or a loop to the end.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> torch.tensor([0.5, 0.3]) @ other[:2]
column-left-out: A column of `other` is left out. All four are mixed: leave the slice out.
    @ other -> @ other[:, :3]
best-only: Only the row with the largest weight comes back. All three are mixed: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> other[0]
sum-of-all: Everything is added up to one number. Add up the rows alone, each column by itself: `dim=0`, or `@`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> (torch.tensor([0.5, 0.3, 0.2]) @ other).sum()
"""

exercise = ValueExercise(__name__, mix_solution, MISTAKES)

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
sum-of-all: You added everything up to one number. Add the rows up, one below the other: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> (torch.tensor([0.5, 0.3, 0.2])[:, None] * other).sum()
mean: You took the mean. The weights are shares already: take the sum.
    @ other -> @ other / 3
    or
    @ other -> @ other / 4
no-weights: All rows count the same: the weights have no effect. `weights @ other` multiplies and adds.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> other.sum(dim=0)
    or
    torch.tensor([0.5, 0.3, 0.2]) @ other -> other.mean(dim=0)
extra-axis: The numbers are right, with an axis of length 1 too many: `weights` has one axis in `weights @ other`.
    [0.5, 0.3, 0.2] -> [[0.5, 0.3, 0.2]]
    or
    torch.tensor([0.5, 0.3, 0.2]) @ other -> other.transpose(0, 1) @ torch.tensor([[0.5], [0.3], [0.2]])
view-no-transpose: `other` is cut anew, as `view` and `reshape` do, and not turned on its side. Write `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> other.view(4, 3) @ torch.tensor([0.5, 0.3, 0.2])
weights-misplaced: The weights meet other rows than they should: 0.5 is the first's, 0.3 the second's, 0.2 the last's.
    0.5, 0.3, 0.2 -> 0.5, 0.2, 0.3
    or
    0.5, 0.3, 0.2 -> 0.3, 0.5, 0.2
    or
    0.5, 0.3, 0.2 -> 0.2, 0.3, 0.5
    or
    0.5, 0.3, 0.2 -> 0.3, 0.2, 0.5
    or
    0.5, 0.3, 0.2 -> 0.2, 0.5, 0.3
weights-on-columns: The weights meet the columns of `other`. They are for its rows: on the left, `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> other[:, :3] @ torch.tensor([0.5, 0.3, 0.2])
table-mixed: You mixed with `table`, and the three weights are not used: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]) @ other
one-row: One weighted row comes back. All three are added up: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> 0.5 * other[0]
last-only: The last weighted row alone comes back. All three are added up: `weights @ other`, or `+=` in a loop.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> 0.2 * other[2]
softmax: There is a softmax in it. The weights are shares already, and the mix is their sum alone: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) -> torch.softmax(torch.tensor([0.5, 0.3, 0.2]), dim=0)
    or
    torch.tensor([0.5, 0.3, 0.2]) @ other -> torch.softmax(torch.tensor([0.5, 0.3, 0.2]) @ other, dim=-1)
best-only: One row comes back as it is. All three are weighted and added up: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> other[0]
column-left-out: A column is left out, or two are. The mix is as wide as `other`, four numbers: `weights @ other`.
    @ other -> @ other[:, :3]
    or
    @ other -> @ other[:, 1:]
    or
    @ other -> @ other[:, :2]
row-left-out: A row is left out. All three are weighted and added up: `weights @ other`, or a loop to the end.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> torch.tensor([0.5, 0.3]) @ other[:2]
    or
    torch.tensor([0.5, 0.3, 0.2]) @ other -> torch.tensor([0.3, 0.2]) @ other[1:]
added: The weights are added to the rows. Multiply each row by its weight, then add the rows up: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> (torch.tensor([0.5, 0.3, 0.2])[:, None] + other).sum(dim=0)
divided: The rows are divided by their weights. Multiply each by its weight, then add them up: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> (other / torch.tensor([0.5, 0.3, 0.2])[:, None]).sum(dim=0)
largest: The largest of each column comes back. Add the weighted rows up: `weights @ other`, or `.sum(dim=0)`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> (torch.tensor([0.5, 0.3, 0.2])[:, None] * other).amax(dim=0)
    or
    torch.tensor([0.5, 0.3, 0.2]) @ other -> other.amax(dim=0)
weights-squared: The weights are applied twice. Once is enough: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) -> torch.tensor([0.5, 0.3, 0.2]) ** 2
outer: Every weight meets the sum of all rows. Each row has a weight of its own: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> torch.outer(torch.tensor([0.5, 0.3, 0.2]), other.sum(dim=0))
weights-too-large: Every number is ten times too large: the weights are 0.5, 0.3 and 0.2.
    0.5, 0.3, 0.2 -> 5.0, 3.0, 2.0
"""

exercise = ValueExercise(__name__, mix_solution, MISTAKES)

"""`my_mix`: the weighted sum of the three rows of the page's `other`."""

import torch

from course_utils.checks.exercise import ValueExercise

other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
mix_solution = torch.tensor([0.5, 0.3, 0.2]) @ other  # (3,) @ (3, 4) -> (4,)

MISTAKES = """
products-not-summed: The rows are weighted, and not yet added up: `weights @ other` does both.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> torch.tensor([0.5, 0.3, 0.2])[:, None] * other
sum-axis: You added up along each row. Add the rows up, one below the other: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> (torch.tensor([0.5, 0.3, 0.2])[:, None] * other).sum(dim=-1)
sum-of-all: You added everything up to one number. Add the rows up, one below the other: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> (torch.tensor([0.5, 0.3, 0.2])[:, None] * other).sum()
mean: You took the mean. The weights are shares already: take the sum.
    @ other -> @ other / 3
    or
    @ other -> @ other / 4
no-weights: The rows are added up without their weights: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> other.sum(dim=0)
    or
    torch.tensor([0.5, 0.3, 0.2]) @ other -> other.mean(dim=0)
extra-axis: The numbers are right, with an axis of length 1 too many: leave out the brackets, or the `reshape`, that
    made it.
    [0.5, 0.3, 0.2] -> [[0.5, 0.3, 0.2]]
    or
    torch.tensor([0.5, 0.3, 0.2]) @ other -> other.transpose(0, 1) @ torch.tensor([[0.5], [0.3], [0.2]])
view-no-transpose: `view` does not turn `other` on its side: it fills the new rows with its numbers in their old order.
    Put the weights on the left: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> other.view(4, 3) @ torch.tensor([0.5, 0.3, 0.2])
weights-misplaced: The weights meet other rows than they should: .5 belongs to the first row, .3 to the second, .2 to
    the third.
    0.5, 0.3, 0.2 -> 0.5, 0.2, 0.3
    or
    0.5, 0.3, 0.2 -> 0.3, 0.5, 0.2
    or
    0.5, 0.3, 0.2 -> 0.2, 0.3, 0.5
table-mixed: You mixed with `table`, and the three weights are not used: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]) @ other
one-row: One weighted row comes back. All three are added up: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> 0.5 * other[0]
last-only: One weighted row comes back, the last: your loop overwrites its result. Add to it, with `+=`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> 0.2 * other[2]
softmax: The weights went through softmax. They are shares already: use them as they are.
    torch.tensor([0.5, 0.3, 0.2]) -> torch.softmax(torch.tensor([0.5, 0.3, 0.2]), dim=0)
softmax: The mix went through softmax. The weighted sum itself is asked for: leave the softmax out.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> torch.softmax(torch.tensor([0.5, 0.3, 0.2]) @ other, dim=-1)
best-only: One row comes back as it is. All three are weighted and added up: `weights @ other`.
    torch.tensor([0.5, 0.3, 0.2]) @ other -> other[0]
"""

exercise = ValueExercise(__name__, mix_solution, MISTAKES)

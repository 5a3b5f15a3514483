"""`my_shares`: each row of the page's table, divided by its own sum."""

import torch

from course_utils.checks.exercise import ValueExercise

table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
shares_solution = table / table.sum(dim=-1, keepdim=True)  # (2, 3) / (2, 1)

MISTAKES = """
mean: You divided by the means, so each row adds up to 3: divide by the sums.
    table.sum -> table.mean
divided-by-max: You divided by the largest number of each row: divide by the sum.
    table.sum -> table.amax
divided-by-length: You divided by a length, so that the squares of a row add up to 1: divide by the sum.
    table.sum -> table.norm
one-divisor: One number divides the whole table. Each row has a sum of its own: `table.sum(dim=-1, keepdim=True)`.
    table.sum(dim=-1, keepdim=True) -> table[0].sum()
softmax: This is a softmax, which comes in the next notebook. Here divide the bare numbers by their sum.
    table / table.sum(dim=-1, keepdim=True) -> torch.softmax(table, dim=-1)
one-row-left: One row is divided, the other is as it was. Both are asked for: `table / table.sum(dim=-1, keepdim=True)`.
    table / table.sum(dim=-1, keepdim=True) -> torch.stack([table[0] / table[0].sum(), table[1]])
subtracted: You took the sums off the table. A share is a quotient: `table / …`.
    table / -> table -
floor-division: The shares are cut to whole numbers, as by `//`, and each is below 1. Divide with `/`, without rounding.
    table / -> table //
first-only: Only the first row came back. Both are divided: `table`, and not `table[0]`.
    table / table.sum(dim=-1, keepdim=True) -> table[0] / table[0].sum()
last-only: Only the last row came back, as from a loop that overwrites its result. Divide the table as a whole.
    table / table.sum(dim=-1, keepdim=True) -> table[1] / table[1].sum()
taken-off: The same is taken off each number of a row, until they add up to 1. A share is a quotient: divide.
    table / table.sum(dim=-1, keepdim=True) -> table - (table.sum(dim=-1, keepdim=True) - 1) / 3
rounded: The shares are rounded. Leave them as the division gives them.
    table / table.sum(dim=-1, keepdim=True) -> (table / table.sum(dim=-1, keepdim=True)).round(decimals=1)
    or
    table / table.sum(dim=-1, keepdim=True) -> (table / table.sum(dim=-1, keepdim=True)).round(decimals=2)
"""

exercise = ValueExercise(__name__, shares_solution, MISTAKES)

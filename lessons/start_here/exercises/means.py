"""`my_means`: the mean of each row of the page's table, as a column."""

import torch

from course_utils.lessons.start_here.exercises.any_dtype import AnyDtypeExercise

table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
means_solution = table.mean(dim=-1, keepdim=True)  # (2, 1)

MISTAKES = """
mean-axis: These are the means of the columns. Along each row is `dim=-1`.
    dim=-1 -> dim=0
repeated: The mean of a row stands there three times. One number for each row is asked for, in the shape `(2, 1)`.
    table.mean(dim=-1, keepdim=True) -> table.mean(dim=-1, keepdim=True).expand(2, 3)
no-keepdim: The numbers are right, and the axis is gone: `keepdim=True` keeps it, with length 1.
    , keepdim=True ->
mean-of-all: This is one mean for the whole table. Say along which axis: `dim=-1`.
    dim=-1, keepdim=True ->
    or
    table.mean(dim=-1, keepdim=True) -> table.mean().expand(2, 1)
sum: These are the sums. The mean divides them by the number of columns: use `mean`.
    table.mean -> table.sum
divided-by-rows: The sums are divided by 2. A row has 3 numbers, as many as there are columns: `table.shape[-1]`.
    table.mean(dim=-1, keepdim=True) -> table.sum(dim=-1, keepdim=True) / len(table)
rows-centred: You took the means off the table. The means themselves are asked for.
    table.mean(dim=-1, keepdim=True) -> table - table.mean(dim=-1, keepdim=True)
divided-by-rows: The sums are divided by 2, and cut. A row has 3 numbers: `table.shape[-1]`, and `/`.
    table.mean(dim=-1, keepdim=True) -> table.sum(dim=-1, keepdim=True) // len(table)
view-no-transpose: `table` is cut anew, as by `view`. Its rows are rows already: take the mean of each as it is.
    table.mean(dim=-1, keepdim=True) -> table.view(3, 2).mean(dim=-1, keepdim=True)
first-only: Both means are those of the first row. The second row has its own: `dim=-1` takes one of each.
    table.mean(dim=-1, keepdim=True) -> table[:1].mean(dim=-1, keepdim=True).expand(2, 1)
"""

exercise = AnyDtypeExercise(__name__, means_solution, MISTAKES)

"""`my_means`: the mean of each row of the page's table, as a column."""

import torch

from course_utils.exercises.start_here.any_dtype import AnyDtypeExercise

table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
means_solution = table.mean(dim=-1, keepdim=True)  # (2, 1)

MISTAKES = """
mean-axis: These are the means of the columns. Along each row is `dim=-1`.
    dim=-1 -> dim=0
    or
    dim=-1, keepdim=True -> dim=0
    or
    table.mean(dim=-1, keepdim=True) -> table.mean(dim=0)[:, None]
no-keepdim: The numbers are right, and the axis is gone: `keepdim=True` keeps it, with length 1.
    , keepdim=True ->
mean-of-all: This is one mean for the whole table. Say along which axis: `dim=-1`.
    dim=-1, keepdim=True ->
    or
    dim=-1 -> dim=(0, 1)
    or
    table.mean(dim=-1, keepdim=True) -> table.mean().expand(2, 1)
sum: These are the sums. The mean divides them by the number of columns: use `mean`.
    table.mean -> table.sum
    or
    table.mean(dim=-1, keepdim=True) -> table.sum(dim=-1)
divided-by-rows: The sums are divided by 2. A row has 3 numbers, as many as there are columns: `table.shape[-1]`.
    table.mean(dim=-1, keepdim=True) -> table.sum(dim=-1, keepdim=True) / len(table)
    or
    table.mean(dim=-1, keepdim=True) -> table.sum(dim=-1) / len(table)
largest: Each row gives one of its numbers, as `max` or an index does. Take the mean of all three: `mean`.
    table.mean -> table.amax
    or
    table.mean -> table.amin
laid-flat: The numbers are right, and lie in a row. They should stand in a column: `keepdim=True`, or `[:, None]`.
    table.mean(dim=-1, keepdim=True) -> table.mean(dim=-1)[None]
repeated: The numbers are right, and stand there once for each column. One for each row is asked for: shape `(2, 1)`.
    table.mean(dim=-1, keepdim=True) -> table.mean(dim=-1, keepdim=True).expand(2, 3)
rows-centred: You took the means off the table. The means themselves are asked for.
    table.mean(dim=-1, keepdim=True) -> table - table.mean(dim=-1, keepdim=True)
divided-twice: You divided by the number of columns twice. The mean does it once: leave the other division out.
    keepdim=True) -> keepdim=True) / 3
spread: This says how far the numbers of a row lie apart. Asked for is where their middle lies: `mean`.
    table.mean -> table.std
    or
    table.mean -> table.var
divided-by-all: The sums are divided by 6, the count of the whole table. A row has 3 numbers: `mean(dim=-1, …)`.
    table.mean(dim=-1, keepdim=True) -> table.sum(dim=-1, keepdim=True) / table.numel()
one-row: One row's mean comes back. Both rows have one: take it of the whole table, with `dim=-1`.
    table.mean -> table[:1].mean
    or
    table.mean -> table[1:].mean
    or
    table.mean(dim=-1, keepdim=True) -> table[0].mean()
    or
    table.mean(dim=-1, keepdim=True) -> table[1].mean()
column-left-out: Only two of the three columns are in the means. Take the whole table, without an index.
    table.mean -> table[:, :2].mean
    or
    table.mean -> table[:, 1:].mean
rows-exchanged: The means are right, and in each other's place: the first row's stands first.
    table.mean -> table.flip(0).mean
extra-axis: The numbers are right, with an axis too many. Two axes are asked for: `keepdim=True` alone gives them.
    keepdim=True) -> keepdim=True)[None]
    or
    keepdim=True) -> keepdim=True)[..., None]
"""

exercise = AnyDtypeExercise(__name__, means_solution, MISTAKES)

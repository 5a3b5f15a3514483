"""Mistakes of a softmax that is made by hand: the highest score taken off, then `exps / exps.sum(…)`."""

BY_HAND = """
naive-overflow: Large scores overflow: `torch.exp` of 1000 is `inf`. Subtract each row's maximum before `torch.exp`.
    - highest ->
naive-overflow: Large scores overflow, a little later in float64: `torch.exp` of 1000 is `inf` there too. Subtract each
    row's maximum before `torch.exp`.
    - highest -> .double()
naive-overflow: Large scores overflow, and a small number below the line does not help: `torch.exp` of 1000 is `inf`.
    Subtract each row's maximum before `torch.exp`.
    - highest ->
    exps.sum(dim=-1, keepdim=True) -> (exps.sum(dim=-1, keepdim=True) + 1e-9)
global-max: You subtracted the maximum of the whole table. A row of small scores beside it vanishes to 0 / 0: each row
    needs its own, `amax(dim=-1, keepdim=True)`.
    .amax(dim=-1, keepdim=True) -> .max()
    or
    .amax(dim=-1, keepdim=True) -> .amax(dim=(-2, -1), keepdim=True)
max-axis: You subtracted the maximum of each column. Each row needs its own: `amax(dim=-1, keepdim=True)`.
    .amax(dim=-1, keepdim=True) -> .amax(dim=-2, keepdim=True)
    or
    .amax(dim=-1, keepdim=True) -> .amax(dim=0, keepdim=True)
max-axis: You subtracted the maximum along `dim=1`. That is the last axis of a table alone: count from the end,
    `amax(dim=-1, keepdim=True)`.
    .amax(dim=-1, keepdim=True) -> .amax(dim=1, keepdim=True)
max-of-sizes: You subtracted the largest score without its sign. Where all scores are far below 0, that sends every
    exponential to 0: leave out the `abs`.
    .amax(dim=-1, keepdim=True) -> .abs().amax(dim=-1, keepdim=True)
not-the-max: You took off another number than the row's highest score: what lies far above it overflows, and what lies
    far below becomes 0. Subtract the highest, `amax`.
    - highest -> - 1000
    or
    .amax( -> .amin(
    or
    .amax( -> .mean(
    or
    .amax(dim=-1, keepdim=True) -> .min()
    or
    .amax(dim=-1, keepdim=True) -> .mean()
max-added: You added the maximum, so the exponentials are even larger. Subtract it.
    - highest -> + highest
divided-by-max: You divided by the maximum. That changes the gaps between the scores, and the weights with them:
    subtract it.
    - highest -> / highest
sign: The sign is turned: your largest weight goes to the smallest score. The highest is taken off the scores, not the
    scores off the highest.
    - highest -> .neg() + highest
softmax-axis: Your softmax runs down the columns, over the queries. A row belongs to one query, and must add up to 1:
    look at the `dim`, it should be `-1`.
    .amax(dim=-1, keepdim=True) -> .amax(dim=-2, keepdim=True)
    exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=-2, keepdim=True)
    or
    exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=-2, keepdim=True)
softmax-axis: Your softmax runs over `dim=1`. That is the last axis of a table, and not that of a batch or a single row:
    count from the end, `dim=-1`.
    .amax(dim=-1, keepdim=True) -> .amax(dim=1, keepdim=True)
    exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=1, keepdim=True)
    or
    exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=1, keepdim=True)
softmax-first-axis: Your softmax runs over the first axis. In a batch that mixes the texts: the keys are on the last
    axis, `dim=-1`.
    .amax(dim=-1, keepdim=True) -> .amax(dim=0, keepdim=True)
    exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=0, keepdim=True)
    or
    exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=0, keepdim=True)
softmax-all: Your softmax takes the whole table at once: all weights together add up to 1. Each row needs a sum of its
    own: look at the `dim` of your sum or softmax.
    exps.sum(dim=-1, keepdim=True) -> exps.sum()
    or
    exps.sum(dim=-1, keepdim=True) -> exps.sum()
    .amax(dim=-1, keepdim=True) -> .max()
no-keepdim: Your sums or maxima have lost an axis, and meet the columns. Give them `keepdim=True`.
    exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=-1)
    or
    .amax(dim=-1, keepdim=True) -> .amax(dim=-1)
    or
    .amax(dim=-1, keepdim=True) -> .amax(dim=-1)
    exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=-1)
exp-only: The exponentials are there, and the division is missing: divide them by their sum along each row.
    / exps.sum(dim=-1, keepdim=True) ->
    or
    / exps.sum(dim=-1, keepdim=True) ->
    - highest ->
mean: You divided by the mean of each row, so that it adds up to the number of keys: take the sum.
    exps.sum( -> exps.mean(
softmax-twice: Softmax is taken twice, so the weights are too even. Once is enough.
    exps / exps.sum(dim=-1, keepdim=True) -> torch.softmax(exps / exps.sum(dim=-1, keepdim=True), dim=-1)
multiplied: You multiplied by the sums. Divide the exponentials by them, so that each row adds up to 1: `exps / …`.
    exps / exps -> exps * exps
subtracted: You took the sums off the exponentials. A weight is a quotient: `exps / …`.
    exps / exps -> exps - exps
inverted: Above and below have changed places: the exponentials are divided by their sums, `exps / …`.
    exps / exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=-1, keepdim=True) / exps
floor-division: `//` cuts off what stands behind the point, and every weight is below 1. Divide with `/`.
    exps / exps -> exps // exps
power-of-2: You took powers of 2. Softmax takes powers of e: `torch.exp(…)`.
    torch.exp( -> torch.exp2(
"""

"""Mistakes in a softmax by hand: the highest score is subtracted, then `exps / exps.sum(…)`."""

from course_utils.lessons import shared

BY_HAND = f"""
{shared.EXPS}
naive-overflow: Large scores overflow: `torch.exp` of 1000 is `inf`. Subtract each row's maximum before `torch.exp`.
    - highest ->
    or
    - highest ->
    exps.sum(dim=-1, keepdim=True) -> (exps.sum(dim=-1, keepdim=True) + 1e-9)
global-max: One maximum is subtracted for all. Rows far below it vanish: each has its own, `amax(dim=-1, keepdim=True)`.
    .amax(dim=-1, keepdim=True) -> .max()
max-axis: You subtracted a maximum of another axis. Each row needs its own: `amax(dim=-1, keepdim=True)`.
    .amax(dim=-1, -> .amax(dim=0,
max-of-sizes: Rows far below 0 vanish: what is taken off is not their own maximum, `amax(dim=-1, keepdim=True)`.
    .amax( -> .abs().amax(
not-the-max: You took off another number than the row's highest: some exponentials overflow or vanish. Subtract `amax`.
    .amax( -> .mean(
    or
    - highest -> - 1000
divided-by-max: You divided by the maximum. That changes the gaps between the scores: subtract it.
    - highest -> / highest
sign: The sign is turned: your largest weight goes to the smallest score. Take the highest off the scores.
    - highest -> .neg() + highest
softmax-axis: Your softmax makes each column add up to 1. A row is one query's, and should: `dim=-1`, the last axis.
    .amax(dim=-1, -> .amax(dim=-2,
    exps.sum(dim=-1, -> exps.sum(dim=-2,
    or
    exps.sum(dim=-1, -> exps.sum(dim=-2,
softmax-axis: Your softmax runs over axis 1, which is the last of a table alone. Count from the end: `dim=-1`.
    .amax(dim=-1, -> .amax(dim=1,
    exps.sum(dim=-1, -> exps.sum(dim=1,
softmax-first-axis: Your softmax runs over the first axis, which mixes the texts of a batch. Take the last, `dim=-1`.
    .amax(dim=-1, -> .amax(dim=0,
    exps.sum(dim=-1, -> exps.sum(dim=0,
softmax-all: One softmax covers the whole table: all weights together add up to 1. Each row needs its own: `dim=-1`.
    exps.sum(dim=-1, keepdim=True) -> exps.sum()
    .amax(dim=-1, keepdim=True) -> .max()
no-keepdim: What was taken of the rows falls on the columns: its axis is gone. Keep it, with `keepdim=True`.
    .amax(dim=-1, keepdim=True) -> .amax(dim=-1)
clamped: Large scores are cut off, so that all above the cut are equal. Subtract each row's maximum instead.
    - highest -> .clamp(max=80)
"""

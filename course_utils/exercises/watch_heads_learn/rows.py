"""Mistakes where each head's score is a mean over rows; the solution has one `.mean(dim=-1)` at its end."""

MEAN = """
no-mean: The rows are added up, so a long sequence wins. Take their mean: `.mean(dim=-1)`.
    .mean(dim=-1) -> .sum(dim=-1)
max-for-mean: Only the largest row counts. One good row does not make a head: take the mean over the rows.
    .mean(dim=-1) -> .amax(dim=-1)
median-for-mean: You took the median. The mean over the rows is asked for.
    .mean(dim=-1) -> .median(dim=-1).values
row-of-each: One number for each row came back. One for each head is asked for: the mean over the rows.
    .mean(dim=-1) ->
all-averaged: One number came out for all heads together. Take the mean over the rows alone, and keep the axes in front.
    .mean(dim=-1) -> .mean()
    or
    .mean(dim=-1) -> .mean().item()
weights-averaged: The heads are averaged. Each has a score of its own: keep all axes but the last two.
    .mean(dim=-1) -> .mean(dim=-1).mean(dim=-1)
first-head-only: Only the first head is there. Let all axes in front run along: begin the indices with `...`.
    .mean(dim=-1) -> .mean(dim=-1)[..., :1]
axis-kept: The axis of the rows is still there, with length 1. The mean takes it away, without `keepdim=True`.
    .mean(dim=-1) -> .mean(dim=-1, keepdim=True)
"""

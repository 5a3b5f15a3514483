"""Mistakes where each head's score is a mean over rows; the solution has one `.mean(dim=-1)` at its end."""

MEAN = """
no-mean: The rows are added up, so a long sequence wins. Take their mean: `.mean(dim=-1)`.
    .mean(dim=-1) -> .sum(dim=-1)
row-of-each: One number for each row came back. One for each head is asked for: the mean over the rows.
    .mean(dim=-1) ->
all-averaged: One number came out for all heads together. Take the mean over the rows alone, and keep the axes in front.
    .mean(dim=-1) -> .mean()
"""

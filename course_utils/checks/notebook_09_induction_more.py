"""Further wrong answers to the second score of notebook 09: marks in the wrong place, means over the wrong axis."""

import torch
from torch.nn.functional import pad

from . import notebook_09_induction
from .notebook_09_induction import followed, induction_by_pattern, marked


def same(tokens):
    return tokens[:, None] == tokens  # (num_queries, num_keys)


def on_marks(attn_weights, tokens):
    """The weight on the marks of each row, (..., num_queries)."""
    return (attn_weights * followed(tokens)).sum(dim=-1)


def told(attn_weights, tokens):
    """The same for the rows that have a mark alone."""
    return on_marks(attn_weights, tokens)[..., followed(tokens).any(dim=-1)]


def without_axes_in_front(attn_weights, tokens):
    keys = [(row, marks.nonzero().flatten()) for row, marks in enumerate(followed(tokens)) if marks.any()]
    return torch.stack([attn_weights[row, some].sum(dim=-1) for row, some in keys]).mean(dim=0)


def not_cut_after_the_move(attn_weights, tokens):
    return (attn_weights * pad(same(tokens), (1, 0)).tril()).sum(dim=-1)


MARKS = {
    "future-marked": (
        "Keys ahead of the query are marked as well, so rows that should be left out count as 0. Cut the table with "
        "`.tril()`, and do so after you have moved it.",
        marked(lambda tokens: pad(same(tokens), (1, 0))[:, :-1]),
    ),
    "wraps-round": (
        "Key 0 is marked, and no token stands before it: `tokens[-1]`, or a `roll`, reads the last token there. Begin "
        "with key 1, or fill the first column with False.",
        marked(lambda tokens: same(tokens).roll(1, dims=1).tril()),
    ),
    "moved-down": (
        "The table is moved down, to the next query. Move it right, to the next key: one column of False on the left, "
        "`F.pad(same, (1, 0))[:, :-1]`.",
        marked(lambda tokens: pad(same(tokens), (0, 0, 1, 0))[:-1].tril()),
    ),
    "before-for-after": (
        notebook_09_induction.induction_score.words("before-for-after"),
        marked(lambda tokens: pad(same(tokens), (0, 1))[:, 1:].tril(-1)),
    ),
    "looks-ahead": (
        "You look for the token that comes after the query: the answer itself. The model has not seen it. Compare the "
        "query's own token with `tokens[key - 1]`.",
        marked(lambda tokens: pad(same(tokens)[1:], (0, 0, 0, 1)).tril()),
    ),
    "pad-not-cut": (
        "With a column added on the left the table is one too wide. Cut the last one off: `[:, :-1]`.",
        not_cut_after_the_move,
    ),
    "inverted-shift": (
        "You marked the keys right after other tokens than the query's. `==`, not `!=`.",
        marked(lambda tokens: pad(~same(tokens), (1, 0))[:, :-1].tril()),
    ),
}
MEANS = {
    "row-mean": (
        "You averaged along the row. A row may share its weight between several keys: add up there, and take the mean "
        "over the rows.",
        lambda attn_weights, tokens: (
            told(attn_weights, tokens) / followed(tokens).sum(dim=-1)[followed(tokens).any(dim=-1)]
        ).mean(dim=-1),
    ),
    "empty-rows-divided": (
        "A row without a mark is divided by 0. Leave such rows out, and add up along the others: no division there.",
        lambda attn_weights, tokens: (on_marks(attn_weights, tokens) / followed(tokens).sum(dim=-1)).mean(dim=-1),
    ),
    "columns-summed": (
        "You added up the columns, over the queries. A row belongs to one query: `sum(dim=-1)`.",
        lambda attn_weights, tokens: (
            (attn_weights * followed(tokens)).sum(dim=-2)[..., followed(tokens).any(dim=-1)].mean(dim=-1)
        ),
    ),
    "all-averaged": (
        "One number came out for all heads together. Take the mean over the rows alone: `mean(dim=-1)`.",
        lambda attn_weights, tokens: told(attn_weights, tokens).mean(),
    ),
    "mean-over-heads": (
        "Your mean runs over the heads, and the rows are still there. `torch.stack` of rows puts them first: "
        "`mean(dim=0)`.",
        lambda attn_weights, tokens: told(attn_weights, tokens).movedim(-1, 0).mean(dim=-1),
    ),
    "cells-of-first-axes": (
        "`attn_weights[query, key]` reads the first two axes, which are layers or heads. Queries and keys are the last "
        "two: `attn_weights[..., query, key]`.",
        without_axes_in_front,
    ),
    "marks-returned": (
        "The marks came back. They say where to look: multiply the weights by them, and add up along each row.",
        lambda attn_weights, tokens: followed(tokens),
    ),
    "axis-kept": (
        "The axis of the rows is still there, with length 1. Leave out `keepdim=True`.",
        lambda attn_weights, tokens: induction_by_pattern(attn_weights, tokens)[..., None],
    ),
}
for _id, (_words, _answer) in (MARKS | MEANS).items():
    notebook_09_induction.induction_score.mistake(_id, _words)(_answer)

"""Exercises of notebook 10 that rank heads: how well a pattern fits each head, and which heads it fits best."""

import torch

from . import steps
from .behaviours import repeats
from .legacy import Exercise

notebook_scores = torch.tensor([[0.1, 0.9, 0.3], [0.5, 0.2, 0.7]])  # what a notebook leaves lying about
num_heads = 12


# ---- pattern_scores: of each row that has a mark, how much lies on its marks?


def scores_by_rows(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern marks no cell: there is nothing to score.")
    on_marks = (attn_weights * pattern).sum(dim=-1)  # (layers, num_heads, num_tokens)
    return on_marks[..., pattern.any(dim=-1)].mean(dim=-1)  # (layers, num_heads)


def weights_of(draw, *shape, dtype=torch.float32):
    return torch.softmax(2 * draw(*shape, dtype=dtype), dim=-1)


def score_cases(draw):
    wide = torch.tensor([[0, 1, 1, 0, 0], [0, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0]]).bool()
    some = wide[:, :4]
    yield "2 layers of 3 heads, 4 queries, 5 keys", weights_of(draw, 2, 3, 4, 5), wide
    yield "a mark in each row but the first", weights_of(draw, 3, 2, 5, 5), torch.ones(5, 5).tril(-1).triu(-1).bool()
    yield "one cell", weights_of(draw, 2, 4, 3, 3), torch.tensor([[0, 0, 0], [0, 0, 1], [0, 0, 0]]).bool()
    yield "every cell", weights_of(draw, 1, 2, 3, 3), torch.ones(3, 3).bool()
    yield "as many heads as tokens", weights_of(draw, 2, 4, 4, 4), some
    yield "one layer, one head", weights_of(draw, 1, 1, 4, 4), some.mT
    yield "float64", weights_of(draw, 2, 3, 4, 4, dtype=torch.float64), some
    yield "a pattern without marks", weights_of(draw, 2, 3, 4, 4), torch.zeros(4, 4).bool()


def scored_by(rows=lambda pattern: pattern.any(dim=-1), marks=lambda pattern: pattern, add=lambda on: on.sum(dim=-1)):
    def answer(attn_weights, pattern):
        if not pattern.any():
            raise ValueError("the pattern marks no cell: there is nothing to score.")
        return add(attn_weights * marks(pattern))[..., rows(pattern)].mean(dim=-1)

    return answer


pattern_scores = Exercise(
    "pattern_scores", scores_by_rows, score_cases, outputs=("scores",), behaviours=(repeats,), make=scored_by
)
pattern_scores.wrong_steps(
    {
        "all-rows": (
            "Rows without a mark count as 0 in your mean. A row in which the pattern expects nothing says nothing: "
            "average over the rows that have a mark, `pattern.any(dim=-1)`.",
            "rows",
            lambda pattern: torch.ones(len(pattern)).bool(),
        ),
        "rows-of-columns": (
            "You chose the rows by the columns of the pattern. A row is a query: `pattern.any(dim=-1)`.",
            "rows",
            lambda pattern: pattern.any(dim=-2),
        ),
        "mask-inverted": (
            "You added up the weights outside the marks. True marks where the weight should lie.",
            "marks",
            lambda pattern: ~pattern,
        ),
        "qk-swapped": (
            "The pattern is turned on its side. Its rows are queries, as those of the weights are: no transpose.",
            "marks",
            lambda pattern: pattern.transpose(-2, -1),
        ),
        "max-for-sum": (
            "You took the largest marked weight of each row. A row may have several marks: add them up.",
            "add",
            lambda on: on.amax(dim=-1),
        ),
        "mean-for-sum": (
            "You divided by the number of keys. Add up along a row, `sum(dim=-1)`. The mean comes after, over rows.",
            "add",
            lambda on: on.mean(dim=-1),
        ),
        "columns-summed": (
            "You added up along the columns, over the queries. Each row belongs to one query: `sum(dim=-1)`.",
            "add",
            lambda on: on.sum(dim=-2),
        ),
    }
)


@pattern_scores.mistake(
    "cells-mean",
    "You averaged over the marked cells. A row with two marks may share its weight between them: add up along each row "
    "first, then average over the rows.",
)
def _(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern marks no cell.")
    return attn_weights[..., pattern].mean(dim=-1)


@pattern_scores.mistake(
    "wrong-axes",
    "`attn_weights[pattern]` chooses among layers and heads, the first axes. The pattern belongs to the last two: "
    "multiply, or begin the brackets with `...`.",
)
def _(attn_weights, pattern):
    return attn_weights[pattern].mean()


@pattern_scores.mistake("no-mean", "The rows are added up. Take their mean, or a long sentence wins.")
def _(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern marks no cell.")
    return (attn_weights * pattern).sum(dim=(-2, -1))


@pattern_scores.mistake(
    "weights-averaged", "The heads are averaged. Each head has a score of its own: `(layers, num_heads)`."
)
def _(attn_weights, pattern):
    return scores_by_rows(attn_weights, pattern).mean(dim=-1)


@pattern_scores.mistake(
    "first-head-only", "The same score comes back for each head, that of the first: let the leading axes run along."
)
def _(attn_weights, pattern):
    return scores_by_rows(attn_weights, pattern)[:1, :1].expand(attn_weights.shape[:2]).clone()


@pattern_scores.mistake(
    "argmax-hits",
    "You counted how often the largest weight lies on a mark. Asked for is how much weight lies there: add it up.",
)
def _(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern marks no cell.")
    hits = pattern[torch.arange(len(pattern)), attn_weights.argmax(dim=-1)]
    return hits[..., pattern.any(dim=-1)].to(attn_weights.dtype).mean(dim=-1)


@pattern_scores.mistake(
    "no-check",
    "A pattern without marks goes through: `nan` or 0 comes back, and looks like a score. Begin with "
    "`if not pattern.any():` and raise a `ValueError`.",
)
def _(attn_weights, pattern):
    return (attn_weights * pattern).sum(dim=-1)[..., pattern.any(dim=-1)].mean(dim=-1)


@pattern_scores.mistake(
    "error-returned", "Your `ValueError` is returned as a result. Nobody is stopped by that: write `raise`."
)
def _(attn_weights, pattern):
    if not pattern.any():
        return ValueError("the pattern marks no cell.")
    return scores_by_rows(attn_weights, pattern)


@pattern_scores.mistake("input-changed", "Your code changes its input: `*=` writes into `attn_weights`.")
def _(attn_weights, pattern):
    scores = scores_by_rows(attn_weights, pattern)
    attn_weights *= pattern
    return scores


@pattern_scores.mistake("global-leak", steps.LEAK)
def _(attn_weights, pattern):
    return scores_by_rows(attn_weights, pattern) * 0 + notebook_scores.mean()


# ---- top_heads: where are the largest numbers of a table?


def top_by_flat_index(scores, count):
    best = scores.flatten().topk(count).indices  # (count,)
    return torch.stack([best // scores.shape[-1], best % scores.shape[-1]], dim=-1)  # (count, 2)


def top_cases(draw):
    yield "6 layers of 12 heads, the best 3", draw(6, 12), 3
    yield "2 layers of 5 heads, the best 4", draw(2, 5), 4
    yield "as many layers as heads", draw(4, 4), 5
    yield "more layers than heads", draw(7, 2), 3
    yield "one layer", draw(1, 6), 2
    yield "the best alone", draw(3, 4), 1
    yield "all of them", draw(2, 3), 6
    yield "float64", draw(3, 5, dtype=torch.float64), 4


def whole_numbers(exercise, answer):
    """Places are used as indices."""
    if answer(torch.tensor([[0.1, 0.9], [0.5, 0.2]]), 1).is_floating_point():
        yield "float-indices", "The places are right, but not whole numbers: divide with `//`, not `/`."


def top_by(places=lambda best, scores: (best // scores.shape[-1], best % scores.shape[-1]), largest=True):
    def answer(scores, count):
        best = scores.flatten().topk(count, largest=largest).indices
        return torch.stack(places(best, scores), dim=-1)

    return answer


top_heads = Exercise(
    "top_heads", top_by_flat_index, top_cases, outputs=("places",), behaviours=(whole_numbers, repeats), make=top_by
)
top_heads.wrong_steps(
    {
        "wrong-width": (
            "You divided by the number of layers. One layer after another is laid out flat, so each layer takes as "
            "many places as it has heads: `scores.shape[-1]`.",
            "places",
            lambda best, scores: (best // scores.shape[0], best % scores.shape[0]),
        ),
        "places-swapped": (
            "Head and layer have changed places: the layer comes first.",
            "places",
            lambda best, scores: (best % scores.shape[-1], best // scores.shape[-1]),
        ),
        "global-leak": (
            "You divided by a fixed number of heads, 12. Read it off: `scores.shape[-1]`.",
            "places",
            lambda best, scores: (best // num_heads, best % num_heads),
        ),
        "lowest": (
            "These are the lowest scores. The best come first: `topk`, or `argsort(descending=True)`.",
            "largest",
            False,
        ),
    }
)


@top_heads.mistake(
    "worst-first", "The right heads, in the wrong order: the best comes first, `argsort(descending=True)`."
)
def _(scores, count):
    return top_by_flat_index(scores, count).flip(0)


@top_heads.mistake(
    "flat-index", "You returned places in the flat list. Take them apart: `//` gives the layer, `%` the head."
)
def _(scores, count):
    return scores.flatten().topk(count).indices


@top_heads.mistake("scores-returned", "You returned the scores themselves. Asked for is where they stand: `.indices`.")
def _(scores, count):
    return scores.flatten().topk(count).values


@top_heads.mistake(
    "per-layer", "You took the best of each layer. All heads compete in one list: `scores.flatten()` first."
)
def _(scores, count):
    return scores.topk(min(count, scores.shape[-1]), dim=-1).indices


@top_heads.mistake(
    "axes-joined", "One row for each head is asked for, `(count, 2)`. Yours are columns: `torch.stack(…, dim=-1)`."
)
def _(scores, count):
    return top_by_flat_index(scores, count).transpose(0, 1)


@top_heads.mistake("not-sorted", "The list is cut before it is sorted: sort all scores, then take the first `count`.")
def _(scores, count):
    return top_by_flat_index(scores.flatten()[:count].view(1, -1), count)


@top_heads.mistake("global-leak", steps.LEAK)
def _(scores, count):
    return top_by_flat_index(notebook_scores, min(count, 6))

"""The second score of notebook 09: how much a head looks at what followed the same token before."""

import torch

from . import steps
from .behaviours import repeats
from .legacy import Exercise
from .notebook_09_scores import notebook_word, previous_by_diagonal, weights_of

# ---- induction_score: how much weight lies on what followed this token before?


def followed(tokens):
    """True where the key comes right after an earlier place of the query's token; (num_tokens, num_tokens)."""
    same = tokens[:, None] == tokens[None, :]  # (num_queries, num_keys)
    return torch.nn.functional.pad(same, (1, 0))[:, :-1].tril()  # one to the right, and nothing ahead of the query


def score(weights_on_marks, marks):
    return weights_on_marks[..., marks.any(dim=-1)].mean(dim=-1)


def induction_by_pattern(attn_weights, tokens):
    marks = followed(tokens)
    return score((attn_weights * marks).sum(dim=-1), marks)


def marked(pattern):
    """An answer with another pattern."""

    def answer(attn_weights, tokens):
        marks = pattern(tokens)
        return score((attn_weights * marks).sum(dim=-1), marks)

    return answer


def induction_cases(draw):
    word, mixed = torch.tensor([3, 1, 2, 3, 1, 2, 3]), torch.tensor([5, 2, 7, 2, 9, 5, 2, 4])
    yield "a segment of 3, 7 tokens, 2 heads", weights_of(draw, 2, 7, 7), word
    yield "a token that stood there three times", weights_of(draw, 3, 6, 6), torch.tensor([4, 0, 4, 1, 4, 4])
    yield "tokens in no order, 2 layers of 3 heads", weights_of(draw, 2, 3, 8, 8), mixed
    yield "as many heads as tokens", weights_of(draw, 5, 5, 5), torch.tensor([1, 0, 2, 1, 0])
    yield "two rounds", weights_of(draw, 3, 6, 6), torch.tensor([8, 6, 7, 8, 6, 7])
    yield "float64", weights_of(draw, 2, 7, 7, dtype=torch.float64), word


induction_score = Exercise(
    "induction_score", induction_by_pattern, induction_cases, outputs=("scores",), behaviours=(repeats,)
)


def no_shift(tokens):
    return (tokens[:, None] == tokens[None, :]).tril(-1)


def last_only(marks):
    """Only the last mark of each row."""
    return marks & (marks.flip(-1).cumsum(dim=-1).flip(-1) == 1)


INDUCTION = {
    "same-token": (
        "You marked where the token stood before. Asked for is the place after it: one to the right.",
        marked(no_shift),
    ),
    "before-for-after": (
        "You marked the place before the earlier one. What followed it stands one to the *right*: `key - 1` is the "
        "place of the same token.",
        marked(lambda tokens: torch.nn.functional.pad(no_shift(tokens), (0, 1))[:, 1:]),
    ),
    "itself-included": (
        "The same token and what follows it are both marked. Only what follows counts.",
        marked(lambda tokens: followed(tokens) | no_shift(tokens)),
    ),
    "last-only": (
        "Only the last earlier place counts in your sum. The token may have stood there several times: add up all.",
        marked(lambda tokens: last_only(followed(tokens))),
    ),
    "first-only": (
        "Only the first earlier place counts in your sum. The token may have stood there several times: add up all.",
        marked(lambda tokens: followed(tokens) & (followed(tokens).cumsum(dim=-1) == 1)),
    ),
    "all-rows": (
        "Rows of tokens that had not stood there before count as 0 in your mean. They say nothing: leave them out.",
        lambda attn_weights, tokens: (attn_weights * followed(tokens)).sum(dim=-1).mean(dim=-1),
    ),
    "cells-mean": (
        "You averaged over the cells. A row may share its weight between several: add up along the row, then take the "
        "mean over rows.",
        lambda attn_weights, tokens: attn_weights[..., followed(tokens)].mean(dim=-1),
    ),
    "no-mean": (
        "The rows are added up. Take their mean, or a long sequence wins.",
        lambda attn_weights, tokens: (attn_weights * followed(tokens)).sum(dim=(-2, -1)),
    ),
    "max-for-sum": (
        "You took the largest marked weight of each row. Add up all that lies on the marks.",
        lambda attn_weights, tokens: score((attn_weights * followed(tokens)).amax(dim=-1), followed(tokens)),
    ),
    "neighbour-missed": (
        "A token that stands twice in a row was followed by itself: the key right after the earlier place may be the "
        "query's own place. Keys up to the query count.",
        marked(lambda tokens: followed(tokens).tril(-1)),
    ),
    "qk-swapped": (
        "Rows and columns are exchanged: a row is a query, and looks back at earlier keys.",
        lambda attn_weights, tokens: score(
            (attn_weights.transpose(-2, -1) * followed(tokens)).sum(dim=-1), followed(tokens)
        ),
    ),
    "previous-score": (
        "This is the score of the exercise before: the token right before. Here the place depends on the tokens.",
        lambda attn_weights, tokens: previous_by_diagonal(attn_weights),
    ),
    "argmax-hits": (
        "You counted how often the largest weight lies there. Asked for is how much weight: add it up.",
        lambda attn_weights, tokens: score(
            followed(tokens)[torch.arange(len(tokens)), attn_weights.argmax(dim=-1)].to(attn_weights.dtype),
            followed(tokens),
        ),
    ),
    "weights-averaged": (
        "The heads are averaged. Each has a score of its own: keep all axes but the last two.",
        lambda attn_weights, tokens: induction_by_pattern(attn_weights, tokens).mean(dim=-1),
    ),
    "first-head-only": (
        "Only the first head is there: let all axes in front run along, `attn_weights[..., query, key]`.",
        lambda attn_weights, tokens: induction_by_pattern(attn_weights, tokens)[..., :1],
    ),
    "row-of-each": (
        "One number for each row came back. One for each head is asked for: the mean over the rows.",
        lambda attn_weights, tokens: (attn_weights * followed(tokens)).sum(dim=-1)[..., followed(tokens).any(dim=-1)],
    ),
    "mask-inverted": (
        "You added up what lies beside the marks. True marks where the weight should lie.",
        lambda attn_weights, tokens: score((attn_weights * ~followed(tokens)).sum(dim=-1), followed(tokens)),
    ),
    "global-leak": (
        steps.LEAK,
        lambda attn_weights, tokens: induction_by_pattern(
            attn_weights, notebook_word.repeat(2)[: len(tokens)] * 0 + notebook_word[0]
        ),
    ),
}
for _id, (_words, _answer) in INDUCTION.items():
    induction_score.mistake(_id, _words)(_answer)

"""The first exercise of notebook 10: a pattern as a table of marks."""

import torch

from . import steps
from .behaviours import repeats
from .legacy import Exercise
from .outcome import Refused

notebook_tokens = ["[CLS]", "the", "robot", "is", "weak", ".", "[SEP]"]  # what a notebook leaves lying about


# ---- same_pattern: where else does this word stand?


def same_by_loop(tokens):
    return torch.tensor([[a == b and i != j for j, b in enumerate(tokens)] for i, a in enumerate(tokens)])


def same_cases(draw):
    yield "a sentence", ["[CLS]", "the", "cat", "saw", "the", "dog", "[SEP]"]
    yield "a word that stands there three times", ["no", "means", "no", "and", "no", "is", "short"]
    yield "words within words", ["it", "sits", "in", "sit", "s", "it"]
    yield "the last token is the first", ["so", "be", "it", "so"]
    yield "no word twice", ["all", "are", "different"]
    yield "neighbours", ["very", "very", "odd", "odd"]
    yield "a single token", ["alone"]


def is_boolean(exercise, answer):
    """A pattern is of marks, not of numbers."""
    if answer(["no", "no"]).dtype != torch.bool:
        yield (
            "pattern-not-bool",
            "The marks are in the right places, but they are numbers. A pattern is boolean, like the masks of notebook "
            "4: compare with `==`, or end with `.bool()`.",
        )


def as_table(answer, tokens):
    """What the answer gives, but for lists of lists, which `torch.tensor` would make a table."""
    pattern = answer(tokens)
    if isinstance(pattern, list):
        raise Refused("The pattern is a list of lists. `torch.tensor(…)` makes a table of it.")
    return pattern


same_pattern = Exercise(
    "same_pattern", same_by_loop, same_cases, outputs=("pattern",), observe=as_table, behaviours=(is_boolean, repeats)
)


@same_pattern.mistake(
    "itself-marked", "The diagonal is marked: each token is the same as itself. *Elsewhere* means `i != j`."
)
def _(tokens):
    return torch.tensor([[a == b for b in tokens] for a in tokens])


@same_pattern.mistake(
    "back-only", "Only earlier places are marked. This model sees the whole sentence: mark later ones too, `i != j`."
)
def _(tokens):
    return same_by_loop(tokens).tril()


@same_pattern.mistake(
    "ahead-only", "Only later places are marked. A second *the* also looks back at the first: mark both, `i != j`."
)
def _(tokens):
    return same_by_loop(tokens).triu()


@same_pattern.mistake(
    "first-only",
    "`tokens.index(word)` finds the first place only. Compare each query with each key: two loops.",
)
def _(tokens):
    pattern = torch.zeros(len(tokens), len(tokens), dtype=torch.bool)
    for i, token in enumerate(tokens):
        pattern[i, tokens.index(token)] = tokens.index(token) != i
    return pattern


@same_pattern.mistake("mask-inverted", "The marks are where the words differ. Compare with `==`.")
def _(tokens):
    return torch.tensor([[a != b for b in tokens] for a in tokens])


@same_pattern.mistake("diagonal-only", "Only the diagonal is marked: you compared the positions, not the words.")
def _(tokens):
    return torch.eye(len(tokens)).bool()


@same_pattern.mistake(
    "rows-marked",
    "The whole row of a word that stands twice is marked. Mark only the cells where the key is that word.",
)
def _(tokens):
    return same_by_loop(tokens).any(-1, keepdim=True).expand(-1, len(tokens)).clone()


@same_pattern.mistake(
    "one-axis",
    "You say which words stand twice, one mark a token. A pattern says which key each query should look at: one mark "
    "a cell, `(num_tokens, num_tokens)`.",
)
def _(tokens):
    return same_by_loop(tokens).any(-1)


@same_pattern.mistake(
    "part-of-word", "`in` also finds *it* inside *sits*. Whole words are asked for: compare with `==`."
)
def _(tokens):
    return torch.tensor([[a in b and i != j for j, b in enumerate(tokens)] for i, a in enumerate(tokens)])


@same_pattern.mistake(
    "neighbours-only", "Only neighbours are compared. The same word may stand anywhere: compare all pairs."
)
def _(tokens):
    pattern = same_by_loop(tokens)
    return pattern & (torch.ones_like(pattern).triu(-1) & torch.ones_like(pattern).tril(1))


@same_pattern.mistake(
    "last-missed", "The last token is left out: look at the end of your loops, `range(len(tokens))` reaches it."
)
def _(tokens):
    pattern = same_by_loop(tokens)
    pattern[-1:], pattern[:, -1:] = False, False
    return pattern


@same_pattern.mistake("pattern-not-bool", "The marks are numbers: end with `.bool()`.")
def _(tokens):
    return same_by_loop(tokens).float()


@same_pattern.mistake("global-leak", steps.LEAK)
def _(tokens):
    return same_by_loop(notebook_tokens)

"""`my_same_pattern(tokens)`: True where the key is the same word as the query, elsewhere in the sentence."""

import torch

from course_utils.checks.exercise import Exercise
from course_utils.checks.outcome import Refused

NUMBERS = (
    "A pattern is boolean, like a mask, and your marks are numbers, of dtype `{dtype}`: compare with `==`, or end with "
    "`.bool()`."
)


def same_pattern_solution(tokens):
    return torch.tensor([[query == key and i != j for j, key in enumerate(tokens)] for i, query in enumerate(tokens)])


def cases(draw):
    yield "a sentence", ["[CLS]", "the", "cat", "saw", "the", "dog", "[SEP]"]
    yield "a word that stands there three times", "no means no and no is a short word to say".split()
    yield "words within words", ["it", "sits", "in", "sit", "s", "it"]
    yield "words that begin alike", ["tree", "trees", "tree", "the", "three"]
    yield "the last token is the first", ["so", "be", "it", "so"]
    yield "no word twice", ["all", "are", "different"]
    yield "neighbours", ["very", "very", "odd", "odd"]
    yield "the same word four times", ["ha", "ha", "ha", "ha"]
    yield "a single token", ["alone"]


def boolean_table(answer, tokens):
    """Call an answer with tokens, a list of str, and return its result, whatever it is.

    Errors: Refused, with a message, for a tensor that is not (num_tokens, num_tokens) or not bool.
    """
    pattern, num_tokens = answer(tokens), len(tokens)
    if torch.is_tensor(pattern) and pattern.shape != (num_tokens, num_tokens):
        template = (
            "The pattern of {count} tokens needs the shape {needed}, yours has {yours}. A query is a row, a key a "
            "column: take both sizes from `len(tokens)`."
        )
        raise Refused(template, count=num_tokens, needed=(num_tokens, num_tokens), yours=tuple(pattern.shape))
    if torch.is_tensor(pattern) and pattern.dtype != torch.bool:
        raise Refused(NUMBERS, dtype=pattern.dtype)
    return pattern


MISTAKES = """
itself-marked: The diagonal is marked: each token is the same as itself. *Elsewhere* means `i != j`.
    and i != j ->
back-only: Only earlier places are marked. This model sees the whole sentence: mark later ones too, `i != j`.
    i != j -> i > j
ahead-only: Only later places are marked. A second *the* also looks back at the first: mark both, `i != j`.
    i != j -> i < j
first-only: Only pairs with a word's first place are marked, as by `tokens.index(word)`. Compare all pairs.
    query == key and i != j -> tokens.index(query) == j and i != j
    or
    query == key and i != j -> query == key and i != j and tokens.index(query) in (i, j)
first-match-only: Only the first match of each row is marked, as with `break`. Go on to the end of the row.
    query == key and i != j -> query == key and i != j and not any(query == tokens[k] and i != k for k in range(j))
    or
    query == key and i != j -> query == key and i != j and query not in tokens[min(i, j) + 1 : max(i, j)]
first-letters: Words that begin alike are marked, as *tree* and *the*. Compare whole words, with `==`.
    query == key -> query[0] == key[0]
index-for-itself: The first place of a word is taken for its own, as by `tokens.index(word)`. Take it from `enumerate`.
    i != j -> j != tokens.index(query)
mask-inverted: The marks are where the words differ. Compare with `==`.
    query == key and i != j -> query != key
objects-compared: `is` asks for one and the same object, and equal words often are one. Compare places: `i != j`.
    i != j -> query is not key
whole-rows: The whole row of a word that stands twice is marked. Mark only the cells where the key is that word.
    query == key and i != j -> tokens.count(query) > 1 and i != j
all-marked: Every cell is marked. Both must hold, the same word and another place: `and`, not `or`.
    query == key and -> query == key or
diagonal-only: Only the diagonal is marked. Compare the words, `==`, and take another place, `i != j`.
    query == key and i != j -> i == j
columns-marked: The whole column of a word that stands twice is marked. Mark only the cells where the query is that
    word. (`[[False] * n] * n` is one row many times, and a mark in it stands in all: take `torch.zeros`.)
    query == key and i != j -> tokens.count(key) > 1
repeated-with-others: Any two words that both stand twice are marked, also different ones. Compare them: `query == key`.
    query == key and i != j -> tokens.count(query) > 1 and tokens.count(key) > 1 and i != j
part-of-word: Words inside other words are marked, as *it* in *sits*. Compare whole words, with `==`.
    query == key -> query in key
    or
    query == key -> key in query
words-in-a-tensor: A tensor holds numbers, and the tokens are words. Compare words as they are, in lists or loops.
    torch.tensor(…) -> torch.tensor(tokens)[:, None] == torch.tensor(tokens)
"""

exercise = Exercise(same_pattern_solution, cases, MISTAKES, outputs=("pattern",), observe=boolean_table)

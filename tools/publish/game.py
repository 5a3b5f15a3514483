"""The game with which the start page begins: three sentences, and a guess at where *it* looks in each."""

from typing import NamedTuple

LAYER, HEAD = 3, 1  # the attention head that the first notebook shows
ROUNDS = {"weak": "steep", "deep": "sleepy", "narrow": "wide"}  # the last word of each sentence, and the other one
NOUNS = {"weak": "robot", "deep": "cat", "narrow": "piano"}


class Round(NamedTuple):
    """A round of the game. name: what its sentence is about. word, other: two last words. view: HTML, live."""

    name: str
    word: str
    other: str
    view: str


def rounds():
    """Return the rounds of the game, a list of Round; the view of each asks for a guess before it shows the arcs."""
    from course_utils import data, widgets

    sentences, numbers = data.load("sentence_pairs"), data.load("head_numbers")
    made = []
    for word, other in ROUNDS.items():
        first, second = sentences[word], sentences[other]
        view = widgets.SentenceView(
            first.attn_weights[LAYER, [HEAD]], first.tokens, query=first.tokens.index("it"), guess=True,
            compare=second.attn_weights[LAYER, [HEAD]], compare_tokens=second.tokens,
            numbers=[numbers[word], numbers[other]],
        )  # fmt: skip
        made.append(Round(NOUNS[word], word, other, view.to_shared_html()))
    return made

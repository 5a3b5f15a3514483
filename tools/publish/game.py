"""The game with which the start page begins: three sentences, and a guess at where *it* looks in each."""

from typing import NamedTuple

from course_utils import language
from publish.opening import sentence
from publish.words import say

ROUNDS = {"weak": "steep", "deep": "sleepy", "narrow": "wide"}  # the last word of each sentence, and the other one
NOUNS = {"weak": "robot", "deep": "cat", "narrow": "piano"}
TOLD = {
    "weak": "The robot could not climb the hill because it was too weak (steep).",
    "deep": "The cat did not swim across the river because it was too deep (sleepy).",
    "narrow": "The piano did not go through the door because it was too narrow (wide).",
}  # what another language says about them, since the model reads English


class Round(NamedTuple):
    name: str  # what the sentence is about
    word: str  # its last word
    other: str  # another last word
    view: str  # its live HTML
    told: str  # what it says, for those who do not read English well; "" on an English page


def rounds() -> list[Round]:
    """Return the rounds of the start page's game, in the current language; the view of each asks before it shows."""
    is_english = language.current() == language.ENGLISH
    told = {word: "" if is_english else say(TOLD[word]) for word in ROUNDS}
    views = {word: sentence(word, other, False, guess=True) for word, other in ROUNDS.items()}
    return [Round(NOUNS[word], word, other, views[word], told[word]) for word, other in ROUNDS.items()]

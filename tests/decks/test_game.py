"""Test the game of the start page: its sentences are stored, and its words are true of the stored numbers."""

import re

import pytest
from publish import markup
from publish import opening as game

from course_utils import data

pytestmark = pytest.mark.needs_slides

SENTENCES = data.load("sentence_pairs")


def largest(word: str) -> str:
    """Return the token at which *it* looks most in the head of the game, in the stored sentence with this last word."""
    sentence = SENTENCES[word]
    row = sentence.attn_weights[game.LAYER, game.HEAD, sentence.tokens.index("it")]
    return sentence.tokens[row.argmax()]


def test_two_sentences_turn_with_their_last_word_and_the_third_does_not():
    turns = {word: (largest(word), largest(other)) for word, other in game.ROUNDS.items()}
    assert turns == {"weak": ("robot", "hill"), "deep": ("river", "cat"), "narrow": ("piano", "piano")}


def test_each_round_asks_first_opens_to_its_numbers_and_is_told_in_another_language_only():
    rounds = game.rounds()
    assert [each.name for each in rounds] == ["robot", "cat", "piano"]
    for each in rounds:
        assert '"guess": true' in each.view and '"heads": [[0, 0, 384, 32, 0]]' in each.view
        assert len(each.view) < 110_000
    assert [each.told for each in game.rounds()] == ["", "", ""]
    for word, other in game.ROUNDS.items():
        sentence = " ".join(SENTENCES[word].tokens[1:-2])
        assert game.TOLD[word].lower() == f"{sentence} ({other})."


def test_without_scripts_all_sentences_and_words_are_there():
    page = markup.template("site/game.html").render(rounds=game.rounds(), course={"root": ""})
    for word, other in game.ROUNDS.items():
        assert f"<em>{other}</em>" in page
        assert re.search(rf'<img alt="[^"]*{largest(word)}', page)
    assert page.count("hidden>") == 3  # the bar and two buttons, which only a script can use

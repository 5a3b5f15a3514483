"""Open each page of the web edition with a live view, and the start page with a game of three of them.

A page's own view opens it where it gives no prediction away and is not large; otherwise a stored sentence does.
"""

import html
from typing import NamedTuple

from course_utils import language
from publish.words import say

LAYER, HEAD = 3, 1  # the attention head that the first notebook shows

# Topic -> the id of the cell whose view opens the page.
OWN = {
    "dot_product_attention": "def-attend-first-second-third",
    "softmax_and_scaling": "def-attend-at-temperature-return",
    "causal_masking": "widgets-maskpainter-attn-scores-tokens",
    "dropout": "def-attend-dropped-p-causal",
    "the_reshape": "widgets-shapetracer-num-tokens-4",
    "padding_and_cross_attention": "widgets-headsview-attn-weights-q0",
    "positions": "widgets-rotaryclock-queries-0",
    "fast_and_long": "look-back",
    "a_language_model": "the-first-view-view",
    "beyond_text": "dialled-own-number",
    "debug_clinic": "widgets-headsview-their-weights-0",
}

# Topic -> (a stored sentence, the one to compare it with or None, whether all heads are there).
SENTENCES = {
    "start_here": ("sleepy", None, False),
    "trainable_qkv": ("deep", None, False),
    "several_heads": ("sleepy", None, True),
    "pytorch_attention": ("steep", None, True),
    "watch_heads_learn": ("wide", None, True),
    "real_heads": ("weak", "steep", True),
}

# Topic -> what to do with the view.
WORDS = {
    "dot_product_attention": "Six words, three numbers each. Move the numbers of wind: who looks at whom changes.",
    "softmax_and_scaling": "Move the temperature. The lower it is, the more a word looks at one word alone.",
    "causal_masking": "Click on a cell to close it. What it had goes to the others of its row.",
    "dropout": "Move p: so many of the weights are dropped, by chance.",
    "the_reshape": "Choose a number, and follow it from the input to the output.",
    "padding_and_cross_attention": "Two texts, one shorter. Choose the other sample: which keys are never looked at?",
    "positions": "Move the query and the key: their score is made of turning hands.",
    "fast_and_long": "Choose how far back each token may look.",
    "a_language_model": "A language model, on the attention of this course, has written on.",
    "beyond_text": "Dial a number: each digit is two tones, and a head hears them.",
    "debug_clinic": "Twice the same layer, once with a bug that raises no error. Show them side by side.",
    "start_here": "A real model has read this. Point at a word, and see where the model looks.",
    "trainable_qkv": "A query asks, a key answers. Turn it round: who looks at this word?",
    "several_heads": "Each head of a model looks in its own way. Choose another one.",
    "pytorch_attention": "Twelve heads of a real model: your class and PyTorch's give the same.",
    "watch_heads_learn": "Heads of a trained model. On this page you watch such heads form.",
    "real_heads": "Twelve of the 72 heads. Turn the last word: which of them notice?",
}

# The game with which the start page begins: the last word of each sentence, and another one.
ROUNDS = {"weak": "steep", "deep": "sleepy", "narrow": "wide"}
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


def opening(topic: str, live: dict) -> str:
    """Return the HTML of the view that opens a topic's page, "" without one. live: id of a cell -> [HTML of views]."""
    views = [sentence(*SENTENCES[topic])] if topic in SENTENCES else live.get(OWN.get(topic), [])
    if not views:
        return ""
    words = html.escape(say(WORDS[topic]))
    return f'<div class="opening"><p>{words}</p>\n<div class="view">{"".join(views)}</div></div>\n'


def sentence(name: str, other: str | None, has_all_heads: bool, **more) -> str:
    """Return the HTML of a SentenceView, seen from "it". name, other: the last words of stored sentences."""
    from course_utils import data, widgets

    pairs, numbers = data.load("sentence_pairs"), data.load("head_numbers")
    read, heads = pairs[name], slice(None) if has_all_heads else slice(HEAD, HEAD + 1)
    of_one = [numbers[name], numbers[other]] if other else numbers[name]
    more |= {"head": HEAD} if has_all_heads else {"numbers": of_one}
    if other:
        more |= {"compare": pairs[other].attn_weights[LAYER, heads], "compare_tokens": pairs[other].tokens}
    weights, query = read.attn_weights[LAYER, heads], read.tokens.index("it")
    return widgets.SentenceView(weights, read.tokens, query=query, **more).to_shared_html()


def rounds() -> list[Round]:
    """Return the rounds of the start page's game, in the current language; the view of each asks before it shows."""
    is_english = language.current() == language.ENGLISH
    told = {word: "" if is_english else say(TOLD[word]) for word in ROUNDS}
    views = {word: sentence(word, other, False, guess=True) for word, other in ROUNDS.items()}
    return [Round(NOUNS[word], word, other, views[word], told[word]) for word, other in ROUNDS.items()]

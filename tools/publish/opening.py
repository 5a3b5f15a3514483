"""Open each page of the web edition with a live view: one of its own, or a stored sentence that a real model has read.

A page's own view opens it where it gives no prediction away and is not large; otherwise a sentence does.
"""

import html

LAYER, HEAD = 3, 1  # the attention head that the first notebook shows

# Topic -> (the id of the cell whose view opens the page, what to do with it).
OWN = {
    "dot_product_attention": (
        "def-attend-first-second-third",
        "Six words, three numbers each. Move the numbers of wind: who looks at whom changes at once.",
    ),
    "softmax_and_scaling": (
        "def-attend-at-temperature-return",
        "Move the temperature. The lower it is, the more a word looks at one word alone.",
    ),
    "causal_masking": (
        "widgets-maskpainter-attn-scores-tokens",
        "Click on a cell to close it. What it had goes to the others of its row.",
    ),
    "dropout": ("def-attend-dropped-p-causal", "Move p: so many of the weights are dropped, by chance."),
    "the_reshape": ("widgets-shapetracer-num-tokens-4", "Choose a number, and follow it from the input to the output."),
    "padding_and_cross_attention": (
        "widgets-headsview-attn-weights-q0",
        "Two texts, one of them shorter. Choose the other sample: which keys are never looked at?",
    ),
    "positions": ("widgets-rotaryclock-queries-0", "Move the query and the key: their score is made of turning hands."),
    "fast_and_long": ("look-back", "Choose how far back each token may look."),
    "a_language_model": ("the-first-view-view", "A language model, on the attention of this course, has written on."),
    "beyond_text": ("dialled-own-number", "Dial a number: each digit is two tones, and a head hears them."),
    "debug_clinic": (
        "widgets-headsview-their-weights-0",
        "Twice the same layer, once with a bug that raises no error. Show them side by side.",
    ),
}

# Topic -> (a stored sentence, the one to compare it with or None, whether all heads are there, what to do).
SENTENCES = {
    "start_here": (
        "sleepy",
        None,
        False,
        "A real model has read this. Point at a word, and see where the model looks.",
    ),
    "trainable_qkv": ("deep", None, False, "A query asks, a key answers. Turn it round: who looks at this word?"),
    "several_heads": ("sleepy", None, True, "Each head of a model looks in its own way. Choose another one."),
    "pytorch_attention": ("steep", None, True, "Twelve heads of a real model: your class and PyTorch's give the same."),
    "watch_heads_learn": ("wide", None, True, "Heads of a trained model. On this page you watch such heads form."),
    "real_heads": ("weak", "steep", True, "Twelve of the 72 heads. Turn the last word: which of them notice?"),
}


def opening(topic, live):
    """Return the HTML of the view that opens the page of a notebook, with a line that says what to do; or "".

    topic: of the notebook. live: a dict, id of a cell -> list with the HTML of each of its views.
    """
    if topic in SENTENCES:
        *asked, words = SENTENCES[topic]
        views = [_sentence(*asked)]
    else:
        cell, words = OWN.get(topic, ("", ""))
        views = live.get(cell, [])
    if not views:
        return ""
    return f'<div class="opening"><p>{html.escape(words)}</p>\n<div class="view">{"".join(views)}</div></div>\n'


def _sentence(name, other, has_all_heads):
    """Return the HTML of a SentenceView. name, other: of stored sentences, other may be None. has_all_heads: a bool."""
    from course_utils import data, widgets

    pairs = data.load("sentence_pairs")
    sentence, heads = pairs[name], slice(None) if has_all_heads else slice(HEAD, HEAD + 1)
    more = {"head": HEAD} if has_all_heads else {"numbers": data.load("head_numbers")[name]}
    if other:
        more |= {"compare": pairs[other].attn_weights[LAYER, heads], "compare_tokens": pairs[other].tokens}
    query = sentence.tokens.index("it")
    return widgets.SentenceView(
        sentence.attn_weights[LAYER, heads], sentence.tokens, query=query, **more
    ).to_shared_html()

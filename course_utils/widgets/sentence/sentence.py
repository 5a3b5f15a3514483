"""SentenceView: a view of a sentence with arcs from a word to the words that it attends to."""

import numpy as np
import traitlets as t

from course_utils import inputs
from course_utils.language import say
from course_utils.widgets.arcs.sentence_picture import sentence_picture
from course_utils.widgets.heads.heads import HeadsView, counted
from course_utils.widgets.shared.svg import moved

# The alt text for a word with as many others of some weight: none, one, two, three.
LOOKS_AT = (
    "{word} looks at nothing",
    "{word} looks most at {first}",
    "{word} looks most at {first}, then at {second}",
    "{word} looks most at {first}, then at {second} and {third}",
)
LOOKED_AT_BY = (
    "nothing looks at {word}",
    "{word} is looked at most by {first}",
    "{word} is looked at most by {first}, then by {second}",
    "{word} is looked at most by {first}, then by {second} and {third}",
)


class SentenceView(HeadsView):
    """A view of a sentence, in which arcs lead from the word that the reader points at to the words it attends to.

    The reader can turn the direction round, to see which words attend to the chosen one, and switch between two
    sentences.
    attn_weights: (num_heads, num_queries, num_keys), or with one more axis in front, which the trait `axis` names
    ("layer", "sample" or "step"); or what a model returns, as in HeadsView. tokens: one label per query. key_tokens:
    one label per key, drawn on a line of their own (default: the keys are the tokens). compare: the weights of a second
    sentence, of the same shape, or None. compare_tokens: its words, as many as tokens (default: tokens). query: the
    index of the query chosen at first (default: the last). choices: the indices layer and head chosen at first (default
    0), group (as in HeadsView), and other traits of HeadsView. guess: whether the reader first guesses which word has
    the largest weight; the arcs appear after the answer.
    Errors: ValueError if shapes, labels and choices do not fit together.
    """

    script = "sentence.js"

    compare_tokens = t.List(t.Unicode()).tag(sync=True)
    names = t.List(t.Unicode()).tag(sync=True)
    two_lines = t.Bool().tag(sync=True)
    second = t.Bool(False).tag(sync=True)
    asked = t.Bool(False).tag(sync=True)
    guess = t.Bool(False).tag(sync=True)

    def __init__(
        self, attn_weights, tokens, key_tokens=None, *, compare=None, compare_tokens=None, query=None, **choices
    ):
        tokens = inputs.labels(tokens)
        others = tokens if compare_tokens is None else inputs.labels(compare_tokens, "compare_tokens")
        if compare is None and compare_tokens is not None:
            raise ValueError("compare_tokens name the words of a second sentence: give its weights too, as compare.")
        if len(others) != len(tokens):
            raise ValueError(f"compare_tokens need as many words as tokens, {len(tokens)}, got {len(others)}.")
        key_tokens = None if key_tokens is None else inputs.labels(key_tokens, "key_tokens")
        if key_tokens is not None and choices.get("guess"):
            raise ValueError("guess=True asks for a word of the sentence itself: leave out key_tokens.")
        if key_tokens is not None and (query or 0) >= len(tokens):
            raise ValueError(f"query must lie between 0 and {len(tokens) - 1}, got {query}.")
        super().__init__(
            attn_weights, tokens, key_tokens, compare=compare, compare_tokens=others, names=_names(tokens, others),
            two_lines=key_tokens is not None, query=len(tokens) - 1 if query is None else query, **choices,
        )  # fmt: skip

    def _count(self, name):
        # If the direction is turned round, `query` is the number of a word in the line of keys.
        return max(self.shape[2:]) if name == "query" and self.two_lines else super()._count(name)

    def picture(self):
        runs = [(self.tokens, self._array), (self.compare_tokens, self._second)]
        if self.second or self._second is None:  # otherwise the picture holds both sentences, one below the other
            runs = [runs[self.second]]
        keys = self.key_tokens if self.two_lines else None
        inside, bottom = "", 0
        for words, array in runs:
            part, width, height = sentence_picture(words, keys, self._weights(array), self._word, self.asked)
            inside += moved(0, bottom, part)
            bottom += height
        return inside, width, bottom

    def __repr__(self):
        layers, heads, queries, keys = self.shape
        over = [counted(self.axis, layers)] if layers > 1 else []
        over += [say("{number} heads", number=heads)] if heads > 1 else []
        two_lines = say("{queries} words above {keys}", queries=queries, keys=keys)
        words = two_lines if self.two_lines else say("{number} words", number=queries)
        return f"{type(self).__name__}: {' x '.join([*over, words])}; {self.alt()}"

    @property
    def _word(self):
        """Return the index of the chosen word, lowered to the last one if the choice was made in a longer line."""
        return min(self.query, self.shape[3 if self.asked else 2] - 1)

    def _weights(self, array):
        """Return the weights of the chosen word, (num_keys,); if the direction is turned round, (num_queries,)."""
        table = array[self.layer, self.head]
        return table[:, self._word] if self.asked else table[self._word]

    def alt(self):
        """Return a sentence, no full stop, of the chosen word's three largest weights, like `summary` in arcs.js.

        Weights below 0.005 are left out.
        """
        names = self.compare_tokens if self.second else self.tokens
        others = self.key_tokens if self.two_lines else names
        if self.asked:
            names, others = others, names
        word, weights = names[self._word], np.nan_to_num(self._weights(self._second if self.second else self._array))
        most = [i for i in np.argsort(-weights, kind="stable")[:3] if weights[i] >= 0.005]
        shares = (f"{others[i]} ({weights[i]:.2f})" for i in most)
        places = dict(zip(("first", "second", "third"), shares, strict=False))
        return say((LOOKED_AT_BY if self.asked else LOOKS_AT)[len(most)], word=word, **places)


def _names(tokens, others):
    """Return two labels for the switch between two sentences: the words in which they differ, if 1 to 3 do."""
    differing = [(one, other) for one, other in zip(tokens, others, strict=True) if one != other]
    if not 1 <= len(differing) <= 3:
        return [say("first"), say("second")]
    return [" ".join(words) for words in zip(*differing, strict=True)]

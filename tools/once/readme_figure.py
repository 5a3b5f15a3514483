"""Draw the README's picture, docs/one_word.svg: the second pair of sentences of the notebook start_here.

The first pair is that of the notebook's first prediction, which the README must not answer.
"""

from pathlib import Path

from course_utils import data
from course_utils.widgets import SentenceView
from course_utils.widgets.shared.svg import standalone

ROOT = Path(__file__).resolve().parents[2]
LAYER, HEAD = 3, 1


def figure() -> str:
    """Return the source of an SVG: two sentences one above the other, with the arcs from the word "it"."""
    one, other = (data.load("sentence_pairs")[word] for word in ("sleepy", "deep"))
    weights, others = (sentence.attn_weights[LAYER, HEAD : HEAD + 1] for sentence in (one, other))
    place = one.tokens.index("it")
    view = SentenceView(weights, one.tokens, compare=others, compare_tokens=other.tokens, query=place)
    return standalone(*view.picture())


if __name__ == "__main__":
    (ROOT / "docs" / "one_word.svg").write_text(figure(), "utf-8")

"""Draw the README's picture, docs/one_word.svg: the second pair of sentences of the notebook start_here.

The first pair is that of the notebook's first prediction, which the README must not answer.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from course_utils import data  # noqa: E402 (found in the folder above)
from course_utils.widgets import SentenceView  # noqa: E402
from course_utils.widgets.shared.svg import standalone  # noqa: E402

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

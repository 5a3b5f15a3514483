"""Draw the README's picture, docs/one_word.png: two sentences of the notebook start_here, as its view draws them."""

import io
import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from course_utils import data  # noqa: E402 (found in the folder above)
from course_utils.widgets import SentenceView  # noqa: E402

LAYER, HEAD = 3, 1


def figure():
    """Return a PNG, as bytes, of the two sentences one above the other, with the arcs from "it"."""
    pictures = []
    for sentence in (data.load("sentence_pairs")[word] for word in ("weak", "steep")):
        weights = sentence.attn_weights[LAYER, HEAD : HEAD + 1]
        pictures.append(SentenceView(weights, sentence.tokens, query=sentence.tokens.index("it")).picture())
    gap = 40
    page = Image.new("RGB", (pictures[0].width, sum(picture.height for picture in pictures) + gap), "white")
    page.paste(pictures[0], (0, 0))
    page.paste(pictures[1], (0, pictures[0].height + gap))
    png = io.BytesIO()
    page.quantize(128, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(png, "png", optimize=True)
    return png.getvalue()


if __name__ == "__main__":
    (ROOT / "docs" / "one_word.png").write_bytes(figure())

"""The static picture of a Writer, for pages in which no script runs: the text, arcs of one token, its candidates."""

import numpy as np

from course_utils import inputs
from course_utils.language import say
from course_utils.widgets.arcs.sentence_picture import WIDTH, sentence_picture
from course_utils.widgets.shared.svg import MARK, moved, rect, text
from course_utils.widgets.writer.written import plain

ROW, NAMES, BARS = 22, 130, 260  # pixels: the height of a candidate, the width of its name, and of a share of 1


def writer_picture(names, token, step, pair, weights):
    """Return (SVG elements, a str; width; height), in pixels, of a text, with the arcs and candidates of one token.

    names: of all tokens shown. token: the index of the chosen one. step: a dict as `step_of` returns it, and weights:
    where a head looked when the token was written, (num_keys,); both None if it was given. pair: (layer, head) of it.
    """
    padded = np.zeros(len(names))
    padded[: 0 if weights is None else len(weights)] = 0 if weights is None else weights
    words = [name.strip() or name for name in names]
    inside, _, bottom = sentence_picture(words, None, padded, token, False)
    if step is None:
        return inside, WIDTH, bottom
    template = "Arcs: where layer {layer}, head {head} looked for “{token}”. Bars: the candidates and their shares."
    about = say(template, layer=pair[0], head=pair[1], token=plain(names[token]))
    inside += text(0, bottom + 14, inputs.cut(about, 100), 14)
    bottom += 16
    taken = min(step["rank"], len(step["candidates"])) - 1
    for number, (name, share) in enumerate(step["candidates"]):
        look = f'fill="{MARK}" fill-opacity="{0.9 if number == taken else 0.35}"'
        row = text(NAMES, 15, inputs.cut(name.strip() or name, 16), 14, 'text-anchor="end"')
        row += rect(NAMES + 10, 4, BARS * share, 14, look)
        row += text(NAMES + 16 + BARS * share, 15, f"{share:.2f}{' ✓' if number == taken else ''}", 13)
        inside += moved(0, bottom + 8 + ROW * number, row)
    return inside, WIDTH, bottom + 12 + ROW * len(step["candidates"])

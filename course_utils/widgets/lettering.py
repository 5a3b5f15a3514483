"""Text on the pictures of views, with installed fonts for the letters that the course's own font does not have."""

import unicodedata
from functools import cache
from itertools import groupby
from pathlib import Path

import matplotlib
from PIL import ImageFont

from course_utils import fonts


def write(draw, at, text, size, fill="black", anchor="la"):
    """Write a text on a Pillow drawing, as `draw.text` does; size: of the letters, in pixels."""
    parts, own = _parts(text, size), letters(size)
    if [font for font, _ in parts] == [own]:
        draw.text(at, text, fill=fill, font=own, anchor=anchor)
        return
    x, y = at
    x -= {"l": 0, "m": 0.5, "r": 1}[anchor[0]] * length(text, size)
    above, below = own.getmetrics()  # letters of several fonts stand on one line
    y += {"a": above, "m": (above - below) / 2, "s": 0, "d": -below}[anchor[1]]
    for font, part in parts:
        draw.text((x, y), part, fill=fill, font=font, anchor="ls")
        x += font.getlength(part)


def length(text, size):
    """Return how wide a text is in pixels."""
    return sum(font.getlength(part) for font, part in _parts(text, size))


@cache
def letters(size):
    """Return the font of pictures, which comes with matplotlib and so is the same everywhere.

    Pillow's own layout: the other is used where a library of the system is found, and is a pixel wider or narrower.
    """
    font = Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSans.ttf"
    return ImageFont.truetype(str(font), size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _other_font(size, face):
    """Return a font whose letters may have to be joined, or to run from right to left, as those of Arabic."""
    return ImageFont.truetype(face.file, size, index=face.number)


def _parts(text, size):
    """Return a text in parts, each with the font that has its letters; what no font has is spelled out."""
    if text.isascii():
        return [(letters(size), text)]
    text, own = fonts.drawable(text), fonts.face(fonts.BASE)
    is_turned = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)
    by_face = groupby(text, key=lambda letter: fonts.face_for(letter) or own)
    return [
        (letters(size) if face == own and not is_turned else _other_font(size, face), "".join(part))
        for face, part in by_face
    ]

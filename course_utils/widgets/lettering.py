"""Text on Pillow pictures, with fallback fonts for the letters that the course's own font does not have."""

import unicodedata
from functools import cache
from itertools import groupby
from pathlib import Path

import matplotlib
from PIL import ImageFont

from course_utils import fonts


def write(draw, at, text, size, fill="black", anchor="la"):
    """Write a text on a Pillow drawing, as `draw.text` does.

    draw: an ImageDraw. at: (x, y) in pixels. size: the font size in pixels. anchor: as Pillow names it, of "l", "m" or
    "r" and "a", "m", "s" or "d".
    """
    parts, own = _parts(text, size), letters(size)
    if [font for font, _ in parts] == [own]:
        draw.text(at, text, fill=fill, font=own, anchor=anchor)
        return
    x, y = at
    x -= {"l": 0, "m": 0.5, "r": 1}[anchor[0]] * length(text, size)
    above, below = own.getmetrics()  # all parts share the baseline of the course's own font
    y += {"a": above, "m": (above - below) / 2, "s": 0, "d": -below}[anchor[1]]
    for font, part in parts:
        draw.text((x, y), part, fill=fill, font=font, anchor="ls")
        x += font.getlength(part)


def length(text, size):
    """Return the width of a text in pixels; size: the font size in pixels."""
    return sum(font.getlength(part) for font, part in _parts(text, size))


@cache
def letters(size):
    """Return the font of all pictures, DejaVu Sans from matplotlib, which is the same on every machine.

    size: in pixels. It uses Pillow's basic layout engine: the other one, Raqm, is used only where the system has the
    library, and gives texts that are a pixel wider or narrower.
    """
    font = Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSans.ttf"
    return ImageFont.truetype(str(font), size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _other_font(size, face):
    """Return Pillow's font of a fonts.Face, with Pillow's default layout engine.

    size: in pixels. Where the system has Raqm, that is the default: it joins letters and writes from right to left, as
    Arabic needs.
    """
    return ImageFont.truetype(face.file, size, index=face.number)


def _parts(text, size):
    """Return a text as a list of pairs (font, part), where each font has the letters of its part.

    size: the font size in pixels. A character that no font has is spelled out.
    """
    if text.isascii():
        return [(letters(size), text)]
    text, own = fonts.drawable(text), fonts.face(fonts.BASE)
    is_turned = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)
    by_face = groupby(text, key=lambda letter: fonts.face_for(letter) or own)
    return [
        (letters(size) if face == own and not is_turned else _other_font(size, face), "".join(part))
        for face, part in by_face
    ]

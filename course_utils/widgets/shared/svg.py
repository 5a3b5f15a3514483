"""SVG for the static pictures of views, which stand where no script runs. Sizes are in pixels."""

import html
import re
from functools import cache
from pathlib import Path

import matplotlib
from PIL import ImageFont

from course_utils import inputs, theme

FAMILY = "DejaVu Sans,Verdana,sans-serif"  # Verdana, which most systems have, is as wide as DejaVu Sans
MARK = theme.COLOURS["chosen"].light


def text(x, y, words, size=None, more=""):
    """Return an SVG <text> element, a str, whose baseline begins at x, y, in pixels. words: the text, which is escaped.

    size: of the font, in pixels; None: that of the picture. more: further attributes, as SVG.
    """
    look = f'font-size="{size:g}" {more}' if size else more
    return f'<text x="{x:g}" y="{y:g}" {look}>{html.escape(words)}</text>'


def rect(x, y, width, height, more=""):
    """Return an SVG <rect> element, a str; x, y: its upper left corner, in pixels; more: further attributes, as SVG."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" {more}/>'


def moved(x, y, inside):
    """Return SVG elements, the str `inside`, in a <g> that moves them right by x and down by y pixels."""
    return f'<g transform="translate({x:g} {y:g})">{inside}</g>'


def standalone(inside, width, height):
    """Return SVG elements as the source of a complete SVG, a str, with the colours of a light page and of a dark one.

    inside: the elements, a str; var(--av-query) and the like stand for theme.COLOURS. width, height: in pixels.
    """
    inside = re.sub(r"var\(--av-(\w+)\)", lambda name: theme.COLOURS[name[1]].light, inside)
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    look = f'font-family="{FAMILY}" color="#111111" fill="#111111"'
    return theme.for_both_pages(f'<svg xmlns="http://www.w3.org/2000/svg" {size} {look}>{inside}</svg>')


def length(words, size):
    """Return the width of a str in DejaVu Sans, in pixels; size: of the font, in pixels.

    A letter as wide as two Latin ones, such as a Chinese one, counts as wide as the font is high.
    """
    wide = [letter for letter in words if inputs.width(letter) > 1]
    return len(wide) * size + _font(size).getlength("".join(letter for letter in words if letter not in wide))


@cache
def _font(size):
    file = Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSans.ttf"
    # The basic layout engine, because Pillow's other one is not the same on every system.
    return ImageFont.truetype(str(file), size, layout_engine=ImageFont.Layout.BASIC)

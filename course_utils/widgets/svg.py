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
    """Return a text whose baseline begins at x, y; size: of its font, if not that of the picture; more: attributes."""
    look = f'font-size="{size:g}" {more}' if size else more
    return f'<text x="{x:g}" y="{y:g}" {look}>{html.escape(words)}</text>'


def rect(x, y, width, height, more=""):
    """Return a rectangle; more: further attributes."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" {more}/>'


def moved(x, y, inside):
    """Return elements, an SVG string, moved to the right and down."""
    return f'<g transform="translate({x:g} {y:g})">{inside}</g>'


def standalone(inside, width, height):
    """Return elements as an SVG of their own, with the colours of a light page and of a dark one."""
    inside = re.sub(r"var\(--av-(\w+)\)", lambda name: theme.COLOURS[name[1]].light, inside)
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    look = f'font-family="{FAMILY}" color="#111111" fill="#111111"'
    return theme.for_both_pages(f'<svg xmlns="http://www.w3.org/2000/svg" {size} {look}>{inside}</svg>')


def length(words, size):
    """Return the width of a text in DejaVu Sans; a letter that takes two Latin ones is as wide as the font is high."""
    wide = [letter for letter in words if inputs.width(letter) > 1]
    return len(wide) * size + _font(size).getlength("".join(letter for letter in words if letter not in wide))


@cache
def _font(size):
    """Return DejaVu Sans from matplotlib; Pillow's other layout engine is not the same on every system."""
    file = Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSans.ttf"
    return ImageFont.truetype(str(file), size, layout_engine=ImageFont.Layout.BASIC)

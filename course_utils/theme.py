"""The theme of views, figures, panels and quizzes: colours for a light and a dark page, and the colour maps.

Weights have the same colour map everywhere, which runs from 0 to the largest weight that is shown. On a light page the
largest is the darkest, on a dark page the brightest, so that large weights stand out on both. Numbers on a colour are
pure black or pure white, whichever contrasts more: the contrast is at least 4.5 to 1 on any colour.
"""

import ast
import base64
import html
import importlib.util
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np


class Colour(NamedTuple):
    """A colour for a light page and one for a dark page, both #rrggbb; or the names of two colour maps.

    css() returns a colour as CSS that switches with the theme.
    """

    light: str
    dark: str

    def css(self):
        return f"light-dark({self.light}, {self.dark})"


COLOURS = {
    "query": Colour("#0b66c2", "#6cb2ff"),
    "key": Colour("#a05a00", "#f0b354"),
    "value": Colour("#8a3fb0", "#d7a2f5"),
    "chosen": Colour("#e8590c", "#ff8c42"),
    "right": Colour("#23804a", "#5fd08c"),
    "wrong": Colour("#c92a2a", "#ff8080"),
    "open": Colour("#7fc4b8", "#2f7368"),  # the cells of a mask where a query may attend
    "masked": Colour("#ececec", "#2a2a2a"),  # the other cells, which are hatched too, to be told apart without colour
    "hatch": Colour("#8a8a8a", "#8a8a8a"),
    "nan": Colour("#bfbfbf", "#7a7a7a"),
    "negative": Colour("#2369bd", "#79b4f5"),  # a negative difference, where no colour map is used
    "focus": Colour("#1c7ed6", "#74c0fc"),
    "edge": Colour("#8c8c8c", "#8c8c8c"),
    "box": Colour("#2b5c77", "#8fc3df"),  # the lines of a diagram
    "paper": Colour("#eef4f8", "#1c2a33"),  # the background of a box in a diagram
    "fresh": Colour("#ffe8d6", "#3a2415"),  # the background of a box that is new
}
WEIGHTS_MAP = Colour("mako_r", "mako")  # its lightness changes evenly, for colour-blind readers and for print
SIGNED_MAP = Colour("vlag", "icefire")  # 0 has the page's lightness, negative numbers are blue, positive ones red
EFFECTS_MAP = Colour("Oranges", "Oranges_r")  # the effects of an intervention must not look like weights
# Colours for categories, which colour-blind readers can tell apart: seaborn's "colorblind", but with a darker orange,
# since the original is too pale on white. Tokens get the hues that differ most.
HUES = ("#0173b2", "#c87d00", "#029e73", "#d55e00", "#cc78bc", "#ca9161", "#fbafe4", "#949494", "#ece133", "#56b4e9")
TOKEN_HUES = tuple(HUES[i] for i in (0, 1, 2, 4, 7, 8))


# A figure is drawn once, for a light page. On a dark page, CSS inverts its colours and rotates its hues back, so that
# only its lightness changes. Digits that would then contrast less than in the opposite ink have an id that says which
# ink they get (to-white, to-black). A photograph is inverted a second time, and so keeps its colours.
DARK_FIGURE = """@media (prefers-color-scheme: dark) {
svg, [id^="photo"] image { filter: invert(1) hue-rotate(180deg); }
[id^="to-white"] g { fill: #fff !important; }
[id^="to-black"] g { fill: #000 !important; }
}"""
# For a picture of pixels: white becomes #111, the page in JupyterLab's dark theme, so that nothing is darker than that.
DARK_PICTURE = "@media (prefers-color-scheme: dark) { svg { filter: invert(0.933) hue-rotate(180deg); } }"


def figure(svg, alt, caption, width, dark=DARK_FIGURE):
    """Return a picture as HTML with an alt text for screen readers; JupyterLab shows a bare SVG or PNG without one.

    svg: the source of the SVG. alt, caption: texts; an empty caption is left out. width: in pixels. dark: the CSS that
    adapts the picture to a dark page.
    """
    end = svg.index(">") + 1
    packed = base64.b64encode(f"{svg[:end]}<style>{dark}</style>{svg[end:]}".encode()).decode()
    picture = f'<img alt="{html.escape(alt)}" width="{width}" src="data:image/svg+xml;base64,{packed}">'
    said = f"<figcaption><em>{html.escape(caption)}</em></figcaption>" if caption else ""
    return f'<figure style="margin: 0">{picture}{said}</figure>'


def darkened(colour):
    """Return what CSS makes of a figure's colour on a dark page, as an array of three floats.

    colour: (red, green, blue). All numbers are from 0 to 255.
    """
    turned = 2 * np.outer([1, 1, 1], [0.213, 0.715, 0.072]) - np.eye(3)  # hue-rotate(180deg)
    return np.clip(turned @ (255 - np.asarray(colour, dtype=float)), 0, 255)


def panel(edge):
    """Return the CSS of a panel of text below a cell. edge: the colour of its left edge, #rrggbb."""
    return (
        "border:1px solid #8c8c8c;padding:.7em 1em;max-width:52em;line-height:1.5;"
        "color:var(--jp-content-font-color1, inherit);font-family:var(--jp-content-font-family, sans-serif);"
        f"border-left:5px solid {edge}"
    )


def css():
    """Return CSS with the colours as variables for every view: --av-query and so on, --av-hue-0 and so on.

    The former switch with the theme, the hues are the same in both.
    """
    lines = "".join(f"  --av-{name}: {colour.css()};\n" for name, colour in COLOURS.items())
    lines += "".join(f"  --av-hue-{number}: {hue};\n" for number, hue in enumerate(HUES))
    return f".av {{\n{lines}}}\n"


@cache
def colour_map(name):
    """Return the colour map of this name, a matplotlib Colormap, from matplotlib or else from seaborn.

    A map of seaborn is read from its source file, since importing seaborn would load pandas, too, 27 MiB.
    """
    import matplotlib  # imported here, since panels and scripts without a colour map do not need it
    from matplotlib.colors import ListedColormap

    if name in matplotlib.colormaps:
        return matplotlib.colormaps[name]
    way, plain = (-1, name[:-2]) if name.endswith("_r") else (1, name)
    lines = Path(importlib.util.find_spec("seaborn").origin).with_name("cm.py").read_text("utf-8")
    found = re.search(rf"^_{plain}_lut = (\[.*?^\])", lines, re.DOTALL | re.MULTILINE)
    return ListedColormap(ast.literal_eval(found[1])[::way], name)


@cache
def table(colour_map):
    """Return the 256 colours of a map for a light page, then those for a dark page, as one bytes object of 2 * 768.

    colour_map: a Colour with the names of two maps, the one for a light page and the one for a dark page. Three bytes
    are a colour: red, green, blue.
    """
    return b"".join(_colours(name).tobytes() for name in colour_map)


def cell(value, low, high, colour_map=WEIGHTS_MAP):
    """Return the CSS of a table cell: the background for a value between low and high, and the colour of its digits.

    low, high: the values at the ends of the map; a value beyond them has the colour of the end. colour_map: a Colour of
    two names.
    """
    place = int(np.clip(round((value - low) / ((high - low) or 1) * 255), 0, 255))
    colours = [tuple(int(part) for part in _colours(name)[place]) for name in colour_map]
    paper = Colour(*(f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in colours))
    return f"background:{paper.css()};{ink_on(paper)}"


def ink_on(colour):
    """Return the CSS of digits on a Colour: black or white, chosen for each theme."""
    return f"color:{Colour(*(ink([int(one[i : i + 2], 16) for i in (1, 3, 5)]) for one in colour)).css()};"


def ink(colour):
    """Return "#000" or "#fff", whichever contrasts more with a colour (red, green, blue, 0 to 255)."""
    return "#000" if luminance(colour) > 0.179 else "#fff"  # at 0.179 both have the same contrast, 4.58 to 1


def tint(colour, share):
    """Return a colour (#rrggbb) mixed with white, as (red, green, blue), 0 to 255.

    share: of the colour, from 0 for white to 1 for the colour itself.
    """
    parts = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return tuple(round(255 + (part - 255) * share) for part in parts)


def luminance(colour):
    """Return the relative luminance of a colour (red, green, blue, 0 to 255), from 0 to 1, as WCAG 2 defines it."""
    parts = np.asarray(colour) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


@cache
def _colours(name):
    """Return 256 colours of the map of this name as an array (256, 3) of uint8: red, green, blue."""
    return (colour_map(name)(np.linspace(0, 1, 256))[:, :3] * 255).round().astype("uint8")

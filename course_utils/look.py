"""One look for views, figures, panels and quizzes: colours in a light and in a dark theme, and the two colour maps.

A weight has one map everywhere, and runs from 0 to the largest that is shown. On a light page the largest is the
darkest, on a dark page the brightest: large always stands out. Numbers on a colour are pure black or pure white,
whichever contrasts more, which is at least 4.5 to 1 on any colour.
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
    """The colour on a light page, and on a dark one."""

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
    "open": Colour("#7fc4b8", "#2f7368"),  # of a mask: may attend
    "masked": Colour("#ececec", "#2a2a2a"),  # the rest, hatched, so that it is told without colour
    "hatch": Colour("#8a8a8a", "#8a8a8a"),
    "nan": Colour("#bfbfbf", "#7a7a7a"),
    "negative": Colour("#2369bd", "#79b4f5"),  # of a difference, where there is no map
    "focus": Colour("#1c7ed6", "#74c0fc"),
    "edge": Colour("#8c8c8c", "#8c8c8c"),
    "box": Colour("#2b5c77", "#8fc3df"),  # of a diagram: its line, and its paper
    "paper": Colour("#eef4f8", "#1c2a33"),
    "fresh": Colour("#ffe8d6", "#3a2415"),  # the paper of what is new
}
WEIGHTS_MAP = Colour("mako_r", "mako")  # even in lightness: read right by colour-blind eyes and in print
SIGNED_MAP = Colour("vlag", "icefire")  # 0 is as the page is; blue below, red above
EFFECTS_MAP = Colour("Oranges", "Oranges_r")  # what an intervention changes is no weight, and does not look like one
# For what has no order, told apart by colour-blind eyes: seaborn's "colorblind",
# but for the orange, of which white paper leaves too little. Tokens take those that are far apart.
HUES = ("#0173b2", "#c87d00", "#029e73", "#d55e00", "#cc78bc", "#ca9161", "#fbafe4", "#949494", "#ece133", "#56b4e9")
TOKEN_HUES = tuple(HUES[i] for i in (0, 1, 2, 4, 7, 8))


# A figure is drawn once, for a light page. On a dark one its lightness is turned round, and its hues are turned back;
# digits whose ink would then contrast less than the other have a name that says which they become; a photograph is
# turned back, and keeps its colours.
DARK_FIGURE = """@media (prefers-color-scheme: dark) {
svg, [id^="photo"] image { filter: invert(1) hue-rotate(180deg); }
[id^="to-white"] g { fill: #fff !important; }
[id^="to-black"] g { fill: #000 !important; }
}"""
# Of pixels, white becomes #111, JupyterLab's dark page, so that nothing is darker than it.
DARK_PICTURE = "@media (prefers-color-scheme: dark) { svg { filter: invert(0.933) hue-rotate(180deg); } }"


def figure(svg, alt, caption, width, dark=DARK_FIGURE):
    """A picture as HTML: its words are heard, which those of an SVG or PNG on its own are not in JupyterLab.

    svg: its text. alt, caption: words; without a caption none stands below. width: in pixels. dark: CSS that turns it
    dark on a dark page.
    """
    end = svg.index(">") + 1
    packed = base64.b64encode(f"{svg[:end]}<style>{dark}</style>{svg[end:]}".encode()).decode()
    picture = f'<img alt="{html.escape(alt)}" width="{width}" src="data:image/svg+xml;base64,{packed}">'
    said = f"<figcaption><em>{html.escape(caption)}</em></figcaption>" if caption else ""
    return f'<figure style="margin: 0">{picture}{said}</figure>'


def darkened(colour):
    """What a colour (red, green, blue, 0 to 255) of a figure becomes on a dark page: by CSS's own arithmetic."""
    turned = 2 * np.outer([1, 1, 1], [0.213, 0.715, 0.072]) - np.eye(3)  # hue-rotate(180deg)
    return np.clip(turned @ (255 - np.asarray(colour, dtype=float)), 0, 255)


def panel(edge):
    """What a panel of words below a cell looks like, as CSS; edge: the plain colour of its left edge."""
    return (
        "border:1px solid #8c8c8c;padding:.7em 1em;max-width:52em;line-height:1.5;"
        "color:var(--jp-content-font-color1, inherit);font-family:var(--jp-content-font-family, sans-serif);"
        f"border-left:5px solid {edge}"
    )


def css():
    """The colours as CSS variables of every view, right in either theme: --av-query and so on, --av-hue-0 and so on."""
    lines = "".join(f"  --av-{name}: {colour.css()};\n" for name, colour in COLOURS.items())
    lines += "".join(f"  --av-hue-{number}: {hue};\n" for number, hue in enumerate(HUES))
    return f".av {{\n{lines}}}\n"


@cache
def colour_map(name):
    """matplotlib's map of this name, or seaborn's, read from its file: loaded, it brings pandas along, 27 MiB."""
    import matplotlib  # here: panels and scripts that show no colour map do without
    from matplotlib.colors import ListedColormap

    if name in matplotlib.colormaps:
        return matplotlib.colormaps[name]
    way, plain = (-1, name[:-2]) if name.endswith("_r") else (1, name)
    lines = Path(importlib.util.find_spec("seaborn").origin).with_name("cm.py").read_text("utf-8")
    found = re.search(rf"^_{plain}_lut = (\[.*?^\])", lines, re.DOTALL | re.MULTILINE)
    return ListedColormap(ast.literal_eval(found[1])[::way], name)


@cache
def table(colour_map):
    """The 256 colours of a map (a Colour of two names) as bytes: 768 for a light page, then 768 for a dark one."""
    return b"".join(_colours(name).tobytes() for name in colour_map)


def cell(value, low, high, colour_map=WEIGHTS_MAP):
    """A cell of a table in HTML: the colour of a value between low and high, and of the digits on it, as CSS."""
    place = int(np.clip(round((value - low) / ((high - low) or 1) * 255), 0, 255))
    colours = [tuple(int(part) for part in _colours(name)[place]) for name in colour_map]
    paper = Colour(*(f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in colours))
    return f"background:{paper.css()};{ink_on(paper)}"


def ink_on(colour):
    """The digits on a Colour as CSS: black or white in either theme."""
    return f"color:{Colour(*(ink([int(one[i : i + 2], 16) for i in (1, 3, 5)]) for one in colour)).css()};"


def ink(colour):
    """Black or white, whichever contrasts more with a colour (red, green, blue, 0 to 255)."""
    return "#000" if luminance(colour) > 0.179 else "#fff"  # at .179 both contrast alike, 4.58 to 1


def tint(colour, share):
    """A colour (#rrggbb) thinned with white, as another: all of it at share 1, white at 0."""
    parts = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return tuple(round(255 + (part - 255) * share) for part in parts)


def luminance(colour):
    """How bright a colour (red, green, blue, 0 to 255) is, from 0 to 1, as WCAG 2 measures it."""
    parts = np.asarray(colour) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


@cache
def _colours(name):
    return (colour_map(name)(np.linspace(0, 1, 256))[:, :3] * 255).round().astype("uint8")

"""The theme of views, figures, panels and quizzes: colours for a light and a dark page, and the colour maps.

Weights have one colour map, from 0 to the largest weight that is shown, which is the darkest on a light page and the
brightest on a dark one. Numbers on a colour are pure black or white, whichever contrasts more, at least 4.5 to 1.
"""

import base64
import html
import json
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np


class Colour(NamedTuple):
    """A colour for a light page and one for a dark page, both #rrggbb; or the names of two colour maps."""

    light: str
    dark: str

    def css(self):
        """Return the colour as CSS that switches with the theme, "light-dark(#rrggbb, #rrggbb)"."""
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

# The ink of digits on a cell, on a light page and on a dark one -> the colour of a figure that stands for this pair.
# #000000 and #ffffff change with the page, so ink that stays is off by a step, which nobody sees.
DIGITS = {
    ("#000", "#fff"): "#000000", ("#fff", "#000"): "#ffffff", ("#000", "#000"): "#010101", ("#fff", "#fff"): "#fefefe",
}  # fmt: skip
PAINT = re.compile(r"((?:fill|stroke|stop-color|color)(?:: |=\"))(#[0-9a-f]{6})\b")
IN_THE_DARK = "@media (prefers-color-scheme: dark)"
DARK_PAPER = "#111111"  # that of JupyterLab's dark theme, and of the course's dark pages
# CSS: of two renderings of one image, each theme shows its own.
EITHER = f".dark {{ display: none; }}\n{IN_THE_DARK} {{\n.light {{ display: none; }}\n.dark {{ display: inline; }}\n}}"


def figure(svg, alt, caption, width):
    """Return a <figure> of HTML, a str, with a picture as an <img> that has an alt text.

    JupyterLab shows a bare SVG or PNG without one.

    svg: the source of the SVG. alt: the text for screen readers. caption: the text below the picture, "" for none; both
    are plain text. width: of the picture, in pixels.
    """
    packed = base64.b64encode(svg.encode()).decode()
    picture = f'<img alt="{html.escape(alt)}" width="{width}" src="data:image/svg+xml;base64,{packed}">'
    below = f"<figcaption><em>{html.escape(caption)}</em></figcaption>" if caption else ""
    return f'<figure style="margin: 0">{picture}{below}</figure>'


def for_both_pages(svg):
    """Return the source of an SVG, drawn for a light page, in which CSS variables replace its colours (#rrggbb).

    A <style> added to it gives each variable its value on a light and on a dark page. A variable is named after its
    colour on a light page, `--0b66c2`. A colour that is the same on both pages stays. In the colours of a dark page the
    picture has a dark paper, too: WebKit chooses the colours without regard to the page.
    """
    pairs = {light: dark(light) for light in sorted({paint[1] for paint in PAINT.findall(svg)})}
    pairs = {light: other for light, other in pairs.items() if light != other}
    svg = PAINT.sub(lambda paint: f"{paint[1]}var(--{paint[2][1:]})" if paint[2] in pairs else paint[0], svg)
    lights = "".join(f" --{light[1:]}: {light};" for light in pairs)
    darks = "".join(f" --{light[1:]}: {other};" for light, other in pairs.items())
    style = f"<style>:root {{{lights} }}\n{IN_THE_DARK} {{ :root {{{darks} background: {DARK_PAPER}; }} }}</style>"
    return svg.replace(">", f">{style}", 1)


def dark(colour: str) -> str:
    """Return the colour that takes the place of a figure's colour on a dark page; both are #rrggbb.

    The course's own colours have fixed partners; any other keeps its hue and has its lightness inverted.
    """
    return _partners().get(colour) or _hex(_inverted(_rgb(colour)))


def digits_on(colour: str) -> str:
    """Return the colour that a figure gives to digits on a cell of a given colour; both are #rrggbb.

    It is a value of DIGITS: #000000 or #ffffff, which a dark page turns into the other, or #010101 or #fefefe, which
    look alike and stay black or white.
    """
    return DIGITS[ink(_rgb(colour)), ink(_rgb(dark(colour)))]


@cache
def _partners() -> dict[str, str]:
    """Return a dict from each of the course's colours on a light page to that on a dark page, all #rrggbb; cached."""
    tokens = [token for token, hue in enumerate(TOKEN_HUES) if len(set(_rgb(hue))) > 1]  # greys belong to lines, too
    tints = [feature_colour(token, i, d_out) for token in tokens for d_out in range(1, 17) for i in range(d_out)]
    pairs = {colour: colour for colour in (*HUES, *map(_hex, tints))}
    pairs |= {colour.light: colour.dark for colour in COLOURS.values()}
    for colour_map in (EFFECTS_MAP, SIGNED_MAP, WEIGHTS_MAP):
        pairs |= {_hex(light): _hex(other) for light, other in zip(*map(_colours, colour_map), strict=True)}
    return pairs | {"#010101": "#000000", "#fefefe": "#ffffff"}


def _inverted(colour):
    """Return a colour with its lightness inverted, an int array (3,); both are red, green, blue, from 0 to 255."""
    turned = 2 * np.outer([1, 1, 1], [0.213, 0.715, 0.072]) - np.eye(3)  # as CSS does by hue-rotate(180deg)
    return np.clip(turned @ (255 - np.asarray(colour, dtype=float)), 0, 255).round().astype(int)


def _rgb(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def _hex(colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def panel(edge: str) -> str:
    """Return the CSS of a panel of text, for a style attribute; edge: the colour of its left edge, #rrggbb."""
    return (
        "border:1px solid #8c8c8c;padding:.7em 1em;max-width:52em;line-height:1.5;"
        "color:var(--jp-content-font-color1, inherit);font-family:var(--jp-content-font-family, sans-serif);"
        f"border-left:5px solid {edge}"
    )


def css() -> str:
    """Return a CSS rule that defines the colours as variables for every view (elements of class "av").

    --av-query and the other names of COLOURS switch with the theme; --av-hue-0 and on, from HUES, do not.
    """
    lines = "".join(f"  --av-{name}: {colour.css()};\n" for name, colour in COLOURS.items())
    lines += "".join(f"  --av-hue-{number}: {hue};\n" for number, hue in enumerate(HUES))
    return f".av {{\n{lines}}}\n"


@cache
def table(colour_map: Colour) -> bytes:
    """Return the 256 colours of a map for a light page, then those for a dark page, as 1536 bytes; cached.

    colour_map: the names of two maps. Three bytes are a colour: red, green, blue.
    """
    return b"".join(_colours(name).tobytes() for name in colour_map)


def cell(value: float, low: float, high: float, colour_map: Colour = WEIGHTS_MAP) -> str:
    """Return the CSS declarations of an HTML table cell: its background by a value, and its digits' colour.

    low, high: the values at the ends of the map; a value beyond them has the colour of the end. colour_map: the names
    of two maps.
    """
    place = int(places(value, low, high))
    paper = Colour(*(_hex(_colours(name)[place]) for name in colour_map))
    return f"background:{paper.css()};{ink_on(paper)}"


@np.errstate(over="ignore", invalid="ignore")  # an infinity is shown as the end of the map, without a warning
def places(values, low, high):
    """Return the indices, 0 to 255, of values in a colour map of 256 colours, as matplotlib computes them.

    values: a number, or an array (...). low, high: the values at the ends of the map; a value beyond them gets the
    index of the end. Returns an int array of the shape of values.
    """
    return np.clip((values - low) / ((high - low) or 1) * 256, 0, 255).astype(int)


def ink_on(colour: Colour) -> str:
    """Return a CSS declaration, "color:…;", for digits on a colour (two #rrggbb): black or white for each theme."""
    return f"color:{Colour(*(ink(_rgb(rgb)) for rgb in colour)).css()};"


def ink(colour) -> str:
    """Return "#000" or "#fff", whichever contrasts more with a colour, (red, green, blue) from 0 to 255."""
    return "#000" if luminance(colour) > 0.179 else "#fff"  # at 0.179 both have the same contrast, 4.58 to 1


def tint(colour: str, share: float) -> tuple[int, ...]:
    """Return a colour (#rrggbb) mixed with white, as (red, green, blue), 0 to 255.

    share: of the colour in the mixture, from 0 for white to 1 for the colour itself.
    """
    return tuple(round(255 + (part - 255) * share) for part in _rgb(colour))


def feature_colour(token: int, feature: int, d_out: int) -> tuple[int, ...]:
    """Return the colour of one number of a token as (red, green, blue), 0 to 255.

    token: its index, 0 to 5, which decides the hue. feature: the index of the number in the token, from 0; a higher one
    is more saturated. d_out: how many numbers a token has.
    """
    return tint(TOKEN_HUES[token], 0.3 + 0.7 * (feature + 1) / d_out)


def luminance(colour) -> float:
    """Return the relative luminance of a colour (red, green, blue, 0 to 255), from 0 to 1, as WCAG 2 defines it."""
    parts = np.asarray(colour) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


@cache
def _colours(name):
    """Return the 256 colours of a map of colour_maps.json, uint8 (256, 3); "_r" behind its name reverses it."""
    stored = json.loads(Path(__file__).with_name("colour_maps.json").read_text("utf-8"))
    colours = np.frombuffer(bytes.fromhex(stored[name.removesuffix("_r")]), "u1").reshape(256, 3)
    return colours[::-1] if name.endswith("_r") else colours

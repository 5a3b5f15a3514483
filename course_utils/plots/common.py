"""Helpers of all figures: the page width, new figures, boxes and arrows, colours, captions."""

from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.text import Text

from course_utils import figure_html, fonts, inputs, theme
from course_utils.fonts import say

GRID = "0.8"  # a light grey, which becomes an equally faint one on a dark page
PAGE_WIDTH = 8.0  # inches: the width of a notebook's column on a laptop


class CaptionedFigure(Figure):
    """A matplotlib Figure that Jupyter shows with its caption, also where `session.start()` was not called.

    Its attribute `caption`, a str, is shown below it, and is its alt text.
    """

    caption = ""

    def _repr_html_(self):
        return figure_html.html(self)


def new_figure(width, height):
    """Return a new CaptionedFigure without axes, whose layout makes room for labels; width, height: in inches."""
    return CaptionedFigure(figsize=(width, height), layout="constrained")  # pyplot would show it twice


def blank(width, height):
    """Return (a new CaptionedFigure, its only Axes) for a drawing: the Axes fill the figure and show no ticks or frame.

    width, height: of the figure, in inches. The coordinates of the Axes are inches from the lower left corner.
    """
    figure = CaptionedFigure(figsize=(width, height))
    panel = figure.add_axes((0, 0, 1, 1))
    panel.set(xlim=(0, width), ylim=(0, height))
    panel.axis("off")
    return figure, panel


def draw_box(panel, left, bottom, width, height, *, paper="paper", edge="box", line=1.5, zorder=1):
    """Draw a box with rounded corners.

    panel: the matplotlib Axes to draw into. left, bottom, width, height: of the box, in their coordinates. paper, edge:
    the colours of its inside and of its edge, as names in theme.COLOURS or as matplotlib takes them. line: the width of
    the edge, in points. zorder: as in matplotlib, higher is drawn later, on top.
    """
    paper, edge = (theme.COLOURS[name].light if name in theme.COLOURS else name for name in (paper, edge))
    panel.add_patch(
        FancyBboxPatch(
            (left, bottom), width, height, boxstyle="round,pad=0.02,rounding_size=0.08", facecolor=paper,
            edgecolor=edge, linewidth=line, zorder=zorder,
        )
    )  # fmt: skip


def draw_arrow(panel, start, end):
    """Draw an arrow into a matplotlib Axes. panel: the Axes. start, end: its ends, (x, y) in their coordinates."""
    look_of_it = {"arrowstyle": "-|>", "mutation_scale": 14, "lw": 1.6, "shrinkA": 0, "shrinkB": 0}
    panel.add_patch(FancyArrowPatch(start, end, color=theme.COLOURS["box"].light, **look_of_it))


def said(label):
    """Return a label, a str: a default one ("attention weight", "query", "key") translated, any other as it is."""
    return {name: say(name) for name in ("attention weight", "query", "key")}.get(label, label)


def with_caption(figure, caption):
    """Store a caption in a CaptionedFigure, change its texts as make_drawable does, and return the figure."""
    make_drawable(figure)
    figure.caption = inputs.encodable(caption)
    return figure


def make_drawable(figure):
    """Change the texts of a matplotlib Figure, in place, so that installed fonts can draw them, and $ stays a letter.

    A text gets font families that have its letters; a character that no font has is replaced by its code.
    """
    for text in figure.findobj(Text):
        text.set_parse_math(False)  # a token may contain $, which would begin a formula
        words = inputs.encodable(text.get_text())
        if not fonts.is_plain(words):
            text.set_fontweight("normal")  # few fonts of other scripts are bold, and matplotlib warns of each
            text.set_fontfamily(fonts.families())
            words = fonts.drawable(words)
        if words != text.get_text():
            text.set_text(words)


def hues(number):
    """Return a list of `number` colours, each a str "#rrggbb"; after the ten of theme.HUES they repeat."""
    return [theme.HUES[i % len(theme.HUES)] for i in range(number)]

"""Helpers of all figures: colours, the page width, captions, labels, heatmap cells, and checks of the arguments."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.text import Text

from course_utils import fonts, inputs, theme
from course_utils.language import say

GRID = "0.8"  # a light grey, which becomes an equally faint one on a dark page
PAGE_WIDTH = 8.0  # inches: the width of a notebook's column on a laptop


def as_array(values, name="the numbers", dtype=float):
    """Return numbers as a NumPy array of the same shape.

    values: a tensor, an array or nested lists. A tensor keeps its dtype, but bfloat16 becomes float32. name: their name
    in error messages. dtype: that of the result if values is no tensor; None lets NumPy choose it.
    Errors: ValueError, with `name` in its message, if the values are not numbers in rows of one length.
    """
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        return (values.float() if "bfloat16" in str(values.dtype) else values).numpy()
    try:
        return np.asarray(values, dtype=dtype)
    except (TypeError, ValueError):
        raise ValueError(
            f"{name} must be a tensor, or numbers in rows of one length, got {type(values).__name__} {values!r:.60}."
        ) from None


def as_labels(tokens, name="tokens"):
    """Return labels as a list of strings that this machine's fonts can draw, each cut after 24 letters.

    tokens: a list of labels, a str (one label per letter), or another iterable. A letter that no font has is replaced
    by its name or code. name: the labels' name in error messages.
    Errors: ValueError if tokens is not iterable, or is empty.
    """
    labels = inputs.labels(tokens, name)
    check_some(name, labels)
    return [inputs.cut(fonts.drawable(label)) for label in labels]


def new_figure(width, height):
    """Return a new matplotlib Figure without axes, whose layout makes room for labels; width, height: in inches."""
    return Figure(figsize=(width, height), layout="constrained")  # pyplot would keep it open, and show it twice


def blank(width, height):
    """Return (a new Figure, its only Axes) for a drawing: the Axes fill the figure and show no ticks or frame.

    width, height: of the figure, in inches. The coordinates of the Axes are inches from the lower left corner.
    """
    figure = Figure(figsize=(width, height))
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
    """Return a default label in the current language; any other label is as the caller wrote it."""
    return {name: say(name) for name in ("attention weight", "query", "key")}.get(label, label)


def with_caption(figure, caption):
    """Store a caption in the attribute `caption` of a matplotlib Figure, and return the Figure.

    caption: a str. The figure's texts are changed as make_drawable does.
    """
    make_drawable(figure)
    figure.caption = inputs.encodable(caption)
    return figure


def make_drawable(figure):
    """Change the texts of a matplotlib Figure, in place, so that installed fonts can draw them, and $ stays a letter.

    A text gets font families that have its letters; a character that no font has is replaced by its name or code.
    """
    for text in figure.findobj(Text):
        text.set_parse_math(False)  # a token may contain $, which would begin a formula
        words, style = inputs.encodable(text.get_text()), text.get_fontstyle()
        if not fonts.is_plain(words, text.get_fontweight(), style):
            text.set_fontweight("normal")  # few fonts of other scripts are bold, and matplotlib warns of each
            text.set_fontfamily(fonts.families())
            words = fonts.drawable(words, "normal", style)
        if words != text.get_text():
            text.set_text(words)


def check_labels(name, array, axes, *sizes):
    """Check that a NumPy array has the needed number of axes, and as its last axes the needed sizes.

    name: the array's name in error messages. axes: the number of axes needed. sizes: the sizes needed for the last
    axes. Errors: ValueError for another number of axes, for other sizes, and for an empty array.
    """
    if array.ndim != axes or array.shape[-len(sizes) :] != sizes:
        needed = ", ".join(map(str, ("heads", *sizes) if axes > len(sizes) else sizes))
        raise ValueError(f"{name} of shape {tuple(array.shape)} do not fit the labels: they need shape ({needed}).")
    if 0 in array.shape:
        raise ValueError(f"{name} of shape {tuple(array.shape)} are empty: give at least one token, and its numbers.")


def check_finite(name, array):
    """Check that a NumPy array holds neither nan nor inf. name: the array's name in the error message.

    Errors: ValueError that gives the index and value of the first nan or inf.
    """
    if not np.isfinite(array).all():
        index = tuple(np.argwhere(~np.isfinite(array))[0].tolist())
        raise ValueError(f"{name} must hold finite numbers, but at {list(index)} stands {array[index]}: leave it out.")


def check_some(name, given):
    """Check that `given`, a dict or a list, is not empty. Errors: ValueError, with `name` in its message, if it is."""
    if not len(given):
        raise ValueError(f"{name} is empty, so there is nothing to draw: give at least one.")


def longest(labels):
    """Return the width of the widest of some labels (str), counted in Latin letters; 0 if there are no labels."""
    return max(map(inputs.width, labels), default=0)


def hues(number):
    """Return a list of `number` colours, each a str "#rrggbb"; after the ten of theme.HUES they repeat."""
    return [theme.HUES[i % len(theme.HUES)] for i in range(number)]

"""Helpers of all figures: colours, the page width, captions, labels, heatmap cells, and checks of the arguments."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.text import Text

from course_utils import fonts, inputs, theme

GRID = "0.8"  # a light grey, which becomes an equally faint one on a dark page
PAGE_WIDTH = 8.0  # inches: the width of a notebook's column on a laptop


def as_array(values, name="the numbers", dtype=float):
    """Return a tensor or a list of numbers as a NumPy array.

    A tensor keeps its dtype, except that bfloat16 becomes float32. Anything else gets `dtype`; None: the one it has.
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
    """Return labels as a list of strings that can be drawn with the fonts of this machine, long ones cut.

    Errors: ValueError, with `name` in its message, if they are not a list of labels, or if the list is empty.
    """
    labels = inputs.labels(tokens, name)
    check_some(name, labels)
    return [inputs.cut(fonts.drawable(label)) for label in labels]


def new_figure(width, height):
    """Return an empty matplotlib Figure of this size in inches, whose layout makes room for all labels."""
    return Figure(figsize=(width, height), layout="constrained")  # pyplot would keep it open, and show it twice


def blank(width, height):
    """Return (figure, its only panel), where the panel has no axes, and inches from the lower left as coordinates.

    width, height: of the figure, in inches.
    """
    figure = Figure(figsize=(width, height))
    panel = figure.add_axes((0, 0, 1, 1))
    panel.set(xlim=(0, width), ylim=(0, height))
    panel.axis("off")
    return figure, panel


def draw_box(panel, left, bottom, width, height, *, paper="paper", edge="box", line=1.5, zorder=1):
    """Draw a box with rounded corners into a panel; paper (the fill) and edge are names in COLOURS, or colours.

    left, bottom, width, height: in the coordinates of the panel. line: the width of the edge, in points.
    """
    paper, edge = (theme.COLOURS[name].light if name in theme.COLOURS else name for name in (paper, edge))
    panel.add_patch(
        FancyBboxPatch(
            (left, bottom), width, height, boxstyle="round,pad=0.02,rounding_size=0.08", facecolor=paper,
            edgecolor=edge, linewidth=line, zorder=zorder,
        )
    )  # fmt: skip


def draw_arrow(panel, start, end):
    """Draw an arrow into a panel from start to end, both (x, y) in the coordinates of the panel."""
    look_of_it = {"arrowstyle": "-|>", "mutation_scale": 14, "lw": 1.6, "shrinkA": 0, "shrinkB": 0}
    panel.add_patch(FancyArrowPatch(start, end, color=theme.COLOURS["box"].light, **look_of_it))


def with_caption(figure, caption):
    """Store a caption in `figure.caption`, make the texts of the figure drawable, and return the figure."""
    make_drawable(figure)
    figure.caption = inputs.encodable(caption)
    return figure


def make_drawable(figure):
    """Give each text of a figure the fonts that have its letters, and spell out characters that no font has."""
    for text in figure.findobj(Text):
        text.set_parse_math(False)  # a token may contain $, which would begin a formula
        words, look = inputs.encodable(text.get_text()), (text.get_fontweight(), text.get_fontstyle())
        if not fonts.is_plain(words, *look):
            text.set_fontfamily(fonts.families())
            words = fonts.drawable(words, *look)
        if words != text.get_text():
            text.set_text(words)


def check_labels(name, array, axes, *sizes):
    """Check that an array has the given number of axes and the given last sizes, and that it is not empty.

    axes: the number of axes. sizes: the sizes of the last axes. Errors: ValueError, with `name` in its message.
    """
    if array.ndim != axes or array.shape[-len(sizes) :] != sizes:
        needed = ", ".join(map(str, ("heads", *sizes) if axes > len(sizes) else sizes))
        raise ValueError(f"{name} of shape {tuple(array.shape)} do not fit the labels: they need shape ({needed}).")
    if 0 in array.shape:
        raise ValueError(f"{name} of shape {tuple(array.shape)} are empty: give at least one token, and its numbers.")


def check_finite(name, array):
    """Check that an array holds neither nan nor inf. Errors: ValueError that says where the first one stands.

    name: of the array, for the error message.
    """
    if not np.isfinite(array).all():
        index = tuple(np.argwhere(~np.isfinite(array))[0].tolist())
        raise ValueError(f"{name} must hold finite numbers, but at {list(index)} stands {array[index]}: leave it out.")


def check_some(name, given):
    """Check that a dict or a list is not empty. Errors: ValueError, with `name` in its message, if it is."""
    if not len(given):
        raise ValueError(f"{name} is empty, so there is nothing to draw: give at least one.")


def longest(labels):
    """Return the width of the widest label, in Latin letters; 0 if there are no labels."""
    return max(map(inputs.width, labels), default=0)


def hues(number):
    """Return a list of `number` colours (#rrggbb), which repeat if there are more than in HUES."""
    return [theme.HUES[i % len(theme.HUES)] for i in range(number)]

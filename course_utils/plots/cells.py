"""The cells of a heatmap: coloured squares drawn with seaborn, and the names beside rows and columns."""

import numpy as np
from matplotlib.colors import to_hex

from course_utils.theme import digits_on

MISSING = "0.75"  # the grey of cells with nan or inf, which are left out


def draw_cells(panel, values, colour_map, low, high, *, line=0.5, square=False, digits=None, size=None):
    """Draw a matrix as coloured cells, the first row on top, and return the cells as a matplotlib QuadMesh.

    panel: the matplotlib Axes to draw into. values: (rows, columns); cells that are nan or inf are left empty.
    colour_map: a theme.Colour of two names of maps (the light one is used), or a matplotlib map. low, high: the values
    at the ends of the map. line: the width of the lines between cells, in points. square: whether cells are square, or
    fill the Axes. digits: the decimals of the value written on each cell, or None for no values. size: the font size
    of these values, in points (default: matplotlib's).
    """
    import seaborn  # imported here: with pandas it takes 35 MiB, which a notebook pays for with its first heatmap

    values = np.asarray(values, dtype=float)
    seaborn.heatmap(
        np.where(np.isfinite(values), values, np.nan), cmap=getattr(colour_map, "light", colour_map), vmin=low,
        vmax=high, linewidths=line, square=square, annot=digits is not None, fmt=f".{digits or 0}f",
        annot_kws={"size": size}, cbar=False, xticklabels=False, yticklabels=False, ax=panel,
    )  # fmt: skip
    cells = panel.collections[0]
    if digits is not None:
        colours = cells.get_facecolors()[~np.ma.getmaskarray(cells.get_array()).ravel()]  # empty cells have no digits
        for text, colour in zip(panel.texts, colours, strict=True):
            text.set_color(digits_on(to_hex(colour)))
    return cells


def name_cells(panel, rows, columns, *, size=None, rotation=0, every=1):
    """Write labels beside the rows and below the columns of a heatmap.

    panel: its matplotlib Axes, whose cells are 1 wide and high. rows, columns: lists of labels. size: of the font, in
    points (default: matplotlib's). rotation: of the column labels, in degrees. every: n, to label only each n-th.
    """
    x, y = (np.arange(0, len(names), every) + 0.5 for names in (columns, rows))
    side = "right" if rotation == 45 else "center"
    panel.set_xticks(x, columns[::every], fontsize=size, rotation=rotation, ha=side)
    panel.set_yticks(y, rows[::every], fontsize=size, rotation=0, va="center")
    panel.tick_params(length=0)


def largest(weights):
    """Return the largest finite number of a NumPy array, or 0 if none is above 0."""
    return np.max(weights, initial=0, where=np.isfinite(weights))

"""Heatmaps of weights and scores: rows are queries, columns are keys."""

import numpy as np
from matplotlib.patches import Rectangle

from course_utils.inputs import check_shares
from course_utils.plots.common import (
    PAGE_WIDTH,
    SIGNED_MAP,
    WEIGHTS_MAP,
    as_array,
    as_labels,
    check_labels,
    draw_cells,
    hatch,
    largest,
    longest,
    new_figure,
    with_caption,
)
from course_utils.theme import COLOURS

MOST_HIGH = 3.9  # inches: the largest height of all cells of a figure together


def attention_heatmap(
    attn_weights,
    tokens,
    key_tokens=None,
    *,
    titles=None,
    mark=None,
    mask=None,
    vmax=None,
    label="attention weight",
    axes=("query", "key"),
    caption=None,
):
    """Draw the weights of one head as a heatmap, or of several heads side by side on one shared scale.

    Rows are queries, columns are keys.
    attn_weights: (num_queries, num_keys) or (num_heads, num_queries, num_keys); nan and inf are drawn grey.
    tokens: one label per query. key_tokens: one label per key (default: tokens). titles: one per head (default: the
    numbers of the heads, or none for a single head). mark: the number of a query whose row is framed.
    mask: bool, True = may attend, of a shape that broadcasts to that of the weights; closed cells are hatched.
    vmax: the upper end of the scale (default: the largest weight). label: the name of the scale.
    axes: the names of rows and columns. caption: default, the largest weight of each head.
    Returns a Figure.
    Errors: ValueError if the labels or the mask do not fit the weights, and for weights below 0.
    """
    weights = as_array(attn_weights, "attn_weights")
    weights = weights[None] if weights.ndim == 2 else weights
    tokens, key_tokens = as_labels(tokens), as_labels(tokens if key_tokens is None else key_tokens, "key_tokens")
    check_labels("attn_weights", weights, 3, len(tokens), len(key_tokens))
    check_shares(weights, "attn_weights", rows=tokens)
    if titles is None:
        titles = [f"head {head}" for head in range(len(weights))] if len(weights) > 1 else [""]
    closed = _closed(mask, weights.shape)
    figure, panels, cell = _grid(len(weights), tokens, key_tokens, titled=any(titles))
    limits = (0, largest(weights) if vmax is None else vmax)
    for index, (panel, weight, title) in enumerate(zip(panels.flat, weights, titles, strict=False)):
        image = _heatmap(panel, weight, tokens, key_tokens, WEIGHTS_MAP, limits, cell, closed[index])
        if mark is not None:
            frame = Rectangle(
                (0, mark), len(key_tokens), 1, fill=False, edgecolor=COLOURS["chosen"].light, linewidth=3, clip_on=False
            )
            panel.add_patch(frame)
        panel.set_title(title)
        _label_outer(panel, index, len(weights), panels.shape[1], axes)
    for panel in panels.flat[len(weights) :]:
        panel.set_visible(False)
    figure.colorbar(image, ax=panels, label=label, shrink=0.8, pad=0.02)
    return with_caption(figure, caption or _strongest(weights, titles, tokens, key_tokens))


def scores_and_weights(attn_scores, attn_weights, tokens, *, vmax=None, caption=None):
    """Draw heatmaps of the scores and of the weights that softmax makes of them, side by side, each with its own scale.

    attn_scores, attn_weights: (num_tokens, num_tokens); nan is drawn grey, and cells with a score of -inf are hatched
    in both. tokens: one label per token. vmax: the upper end of the scale of weights (default: the largest weight).
    Returns a Figure. Errors: ValueError if the labels do not fit, and for weights below 0.
    """
    scores, weights = as_array(attn_scores, "attn_scores"), as_array(attn_weights, "attn_weights")
    tokens = as_labels(tokens)
    check_labels("attn_scores", scores, 2, len(tokens), len(tokens))
    check_labels("attn_weights", weights, 2, len(tokens), len(tokens))
    check_shares(weights, "attn_weights", rows=tokens)
    figure, panels, cell = _grid(2, tokens, tokens, colorbars=2)
    limit = np.abs(scores[np.isfinite(scores)]).max(initial=0.0)
    closed = np.isneginf(scores)
    left = _heatmap(panels[0, 0], scores, tokens, tokens, SIGNED_MAP, (-limit, limit), cell, closed)
    top = largest(weights) if vmax is None else vmax
    right = _heatmap(panels[0, 1], weights, tokens, tokens, WEIGHTS_MAP, (0, top), cell, closed)
    for index, (panel, image, name) in enumerate(zip(panels.flat, (left, right), ("score", "weight"), strict=True)):
        panel.set_title(f"{name}s")
        _label_outer(panel, index, 2, 2)
        bar = figure.colorbar(image, ax=panel, shrink=0.75, pad=0.02)
        if name == "score" and scores.min() >= 0:
            bar.ax.set_ylim(0, None)  # hide the negative half, but keep the colours of the rest
    return with_caption(figure, caption or "Scores, and beside them their weights: each row of weights sums to 1.")


def _grid(num_panels, tokens, key_tokens, colorbars=1, titled=True):
    """Return a figure with room for all labels, its panels as an array (rows, columns), and a cell's width in inches.

    num_panels: how many heatmaps there are. tokens, key_tokens: the labels of rows and columns, the same in all panels.
    colorbars: how many stand beside one another. titled: whether panels have titles. Cells are square unless the table
    has many rows: then they are lower, so that the figure fits on a screen or a slide while its text stays large.
    """
    columns = num_panels if num_panels < 4 else 4 if num_panels % 4 == 0 else 3
    rows = -(-num_panels // columns)
    left, bottom = 0.5 + 0.11 * longest(tokens), 0.65 + 0.11 * longest(key_tokens)
    room = PAGE_WIDTH - left - 0.25 * (columns - 1) - (0.9 + 0.2 * colorbars)
    cell = min(0.7, room / (columns * len(key_tokens)))
    width = max(3.7, PAGE_WIDTH - room + columns * cell * len(key_tokens))  # labels need room beside one or two cells
    high = min(cell * len(tokens), MOST_HIGH / rows)
    figure = new_figure(width, rows * (high + (0.45 if titled else 0.1)) + bottom)
    return figure, figure.subplots(rows, columns, squeeze=False), cell


def _closed(mask, shape):
    """Return which cells a mask closes, as a bool array of the given shape, True = closed.

    mask: bool, True = may attend, or None if no cell is closed. Errors: ValueError if it is not bool, or does not
    broadcast to the shape.
    """
    if mask is None:
        return np.zeros(shape, dtype=bool)
    mask = as_array(mask, "mask", dtype=None)
    if mask.dtype != bool:
        raise ValueError(f"mask must be bool with True = may attend, got {mask.dtype}.")
    try:
        return ~np.broadcast_to(mask, shape)
    except ValueError:
        raise ValueError(f"mask of shape {mask.shape} does not fit weights of shape {shape}.") from None


def _heatmap(panel, matrix, tokens, key_tokens, colour_map, limits, cell, closed):
    """Draw one labelled heatmap into a panel; return the QuadMesh of its cells, which a colour bar needs.

    matrix: (num_queries, num_keys). tokens, key_tokens: the labels of rows and columns. limits: the values at the ends
    of the colour map. cell: the width of a cell in inches. closed: a bool array like the matrix; these cells are
    hatched.
    """
    values_fit, shown = cell >= 0.38, np.where(closed, np.nan, matrix)
    is_square = cell * len(tokens) <= MOST_HIGH
    cells = draw_cells(
        panel, shown, colour_map, *limits, line=0.5 if cell > 0.2 else 0, square=is_square,
        digits=2 if values_fit else None, size=11 if cell > 0.55 else 10,
    )  # fmt: skip
    panel.set_facecolor("0.75")  # cells with nan are left out, and this grey shows that a number is missing
    hatch(panel, closed)
    size = float(np.clip(60 * cell, 10, 12))
    smallest = min(cell, MOST_HIGH / len(tokens))
    every = int(np.ceil(1.2 * size / 72 / smallest))  # cells smaller than letters: only every n-th has a label
    flat = longest(key_tokens) * size / 130 < every * cell  # whether horizontal labels fit, in inches
    for axis, labels, rotation in ((panel.xaxis, key_tokens, 0 if flat else 90), (panel.yaxis, tokens, 0)):
        named = range(0, len(labels), every)
        axis.set_ticks([i + 0.5 for i in named], [labels[i] for i in named], rotation=rotation, fontsize=size)
    panel.tick_params(length=0)
    return cells


def _label_outer(panel, index, num_panels, columns, axes=("query", "key")):
    """Label the axes of one panel in a grid only at the left and at the bottom: all panels have the same tokens.

    index: the number of the panel, counted row by row. num_panels, columns: how many panels there are, and in a row.
    axes: the names of rows and columns.
    """
    if index % columns == 0:
        panel.set_ylabel(axes[0])
    else:
        panel.set_yticklabels([])
    if index + columns >= num_panels:
        panel.set_xlabel(axes[1])
    else:
        panel.set_xticklabels([])


def _strongest(weights, titles, tokens, key_tokens):
    """Return the default caption: the largest weight of each head, with its query and key.

    weights: (num_heads, num_queries, num_keys). titles: one per head, "" for none.
    """
    links = []
    for weight, title in zip(weights, titles, strict=False):
        query, key = np.unravel_index(np.nan_to_num(weight, nan=-1).argmax(), weight.shape)
        link = f"{tokens[query]} → {key_tokens[key]} {weight[query, key]:.2f}"
        links.append(f"{title + ': ' if title else ''}{'all nan' if np.isnan(weight).all() else link}")
    return f"Attention weights, rows query, columns key. Strongest: {'; '.join(links)}."

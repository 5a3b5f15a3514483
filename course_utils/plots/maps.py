"""Heatmaps of numbers other than attention weights: of each head, of each token after each layer, of each place."""

import numpy as np

from course_utils.plots.common import (
    EFFECTS_MAP,
    PAGE_WIDTH,
    SIGNED_MAP,
    WEIGHTS_MAP,
    as_array,
    as_labels,
    check_finite,
    check_labels,
    draw_cells,
    longest,
    new_figure,
    with_caption,
)


def heads_map(scores, *, label, vmax=None, effect=False, decimals=2, caption=None):
    """Draw one number for each head of a model as a heatmap: a row for each layer, a column for each head.

    scores: (num_layers, num_heads); nan is drawn grey. label: the name of the scale. vmax: the upper end of the scale
    (default: the largest number). effect: whether the numbers are effects of an intervention on the heads, which have
    other colours than weights. decimals: of the numbers on the cells. caption: default, the three heads with the
    largest numbers. Returns a Figure.
    Errors: ValueError for another number of axes, and if there is no head.
    """
    values = as_array(scores, "scores")
    if values.ndim != 2 or 0 in values.shape:
        raise ValueError(f"scores of shape {values.shape} need two axes, (layers, num_heads), with one head or more.")
    figure = _map(
        values, range(len(values)), range(values.shape[1]), label=label, vmax=vmax, decimals=decimals, effect=effect
    )
    figure.axes[0].set(xlabel="head", ylabel="layer")
    return with_caption(figure, caption or f"One number for each head: {label}. {_strongest(values)}")


def change_map(changes, tokens, layers, *, label, caption):
    """Draw how much the vector of each token changed after each of some layers, as a heatmap.

    changes: (num_layers, num_tokens); nan is drawn grey. tokens: one label per token. layers: one label per layer, such
    as its number. label: the name of the scale. caption: a sentence that says what to see.
    Returns a Figure. Errors: ValueError if the labels do not fit.
    """
    values, layers, tokens = as_array(changes, "changes"), as_labels(layers, "layers"), as_labels(tokens)
    check_labels("changes", values, 2, len(layers), len(tokens))
    figure = _map(values, layers, tokens, label=label, vmax=None, decimals=0, effect=True)
    figure.axes[0].set_ylabel("after layer")
    return with_caption(figure, caption)


def places_map(rows, *, caption):
    """Draw the vectors of places as a heatmap: a column for each place, a row for each number of its vector.

    rows: (num_places, width), from place 0 on. caption: a sentence that says what to see. Numbers above and below 0
    have different colours, on a scale that reaches equally far on both sides. Returns a Figure.
    Errors: ValueError for another number of axes, if there is no number, and for numbers that are not finite.
    """
    values = as_array(rows, "rows")
    if values.ndim != 2 or 0 in values.shape:
        raise ValueError(f"rows of shape {values.shape} need two axes, (places, width), with one place or more.")
    check_finite("rows", values)
    limit = np.abs(values).max() or 1.0
    figure = new_figure(PAGE_WIDTH, max(2.6, 1.0 + min(0.3 * values.shape[1], 2.6)))
    panel = figure.subplots()
    cells = draw_cells(panel, values.T, SIGNED_MAP, -limit, limit, line=0)
    for axis, number in ((panel.xaxis, len(values)), (panel.yaxis, values.shape[1])):
        step = -(-number // 16)  # a label for every cell would be too narrow to read
        axis.set_ticks(np.arange(0, number, step) + 0.5, range(0, number, step))
    panel.set(xlabel="place", ylabel="number of the row")
    panel.tick_params(length=0)
    figure.colorbar(cells, ax=panel, pad=0.02).outline.set_linewidth(0)
    return with_caption(figure, caption)


def _map(values, rows, columns, *, label, vmax, decimals, effect):
    """Return a Figure of one labelled heatmap.

    values: (num_rows, num_columns). rows, columns: the labels. label, vmax, decimals, effect: as in heads_map.
    """
    largest = float(np.max(values, initial=0.0, where=np.isfinite(values))) or 1.0
    columns = list(map(str, columns))
    wordy = longest(columns) > 2
    cell = (PAGE_WIDTH - 1.6) / len(columns)
    figure = new_figure(PAGE_WIDTH, 0.75 + max(cell, 0.42) * len(rows) + 0.1 * wordy * longest(columns))
    panel = figure.subplots()
    colours, high = EFFECTS_MAP if effect else WEIGHTS_MAP, largest if vmax is None else vmax
    cells = draw_cells(panel, values, colours, 0, high, digits=decimals, size=10)
    panel.set_facecolor("0.75")  # cells with nan are left out, and this grey shows that a number is missing
    figure.colorbar(cells, ax=panel, label=label, pad=0.02).outline.set_linewidth(0)
    panel.set_xticklabels(columns, rotation=45 if wordy else 0, ha="right" if wordy else "center")
    panel.set_yticklabels(rows, rotation=0)
    panel.tick_params(length=0)
    return figure


def _strongest(values, count=3):
    """Return a sentence with the heads of the largest numbers.

    values: (num_layers, num_heads); nan is left out. count: how many heads to name at most.
    """
    order = np.argsort(-np.nan_to_num(values, nan=-np.inf), axis=None)[:count]
    places = [np.unravel_index(index, values.shape) for index in order if np.isfinite(values.flat[index])]
    links = [f"layer {layer} head {head} {values[layer, head]:.2f}" for layer, head in places]
    return f"Strongest: {', '.join(links)}." if links else "All are unknown."

"""Heatmaps of numbers other than weights: one for each head, each token after each layer, each place."""

import numpy as np

from course_utils.fonts import say
from course_utils.plots.arguments import as_array, as_arrays, as_labels, check_finite, longest
from course_utils.plots.cells import MISSING, draw_cells, largest, name_cells
from course_utils.plots.common import PAGE_WIDTH, new_figure, with_caption
from course_utils.theme import EFFECTS_MAP, SIGNED_MAP, WEIGHTS_MAP

MOST_ROWS = 12  # layers in a map of heads, one below the other: more would be taller than a screen


def heads_map(scores, *, label, vmax=None, effect=False, decimals=2, caption=None):
    """Draw one number for each head of a model as a heatmap: a row for each layer, a column for each head.

    More than 12 layers stand side by side instead, a column for each, without numbers on the cells.
    scores: (num_layers, num_heads); nan is drawn grey. label: the name of the scale. vmax: the upper end of the scale,
    which begins at 0 (default: the largest number). effect: whether the numbers are effects of an intervention on the
    heads, which have other colours than weights. decimals: how many each number on a cell has. caption: a text
    (default: the label, and the three heads with the largest numbers). Returns a matplotlib Figure.
    Errors: ValueError for another number of axes, and if there is no head.
    """
    values = as_array(scores, "scores")
    if values.ndim != 2 or 0 in values.shape:
        raise ValueError(f"scores of shape {values.shape} need two axes, (layers, num_heads), with one head or more.")
    is_deep = len(values) > MOST_ROWS
    cells, decimals = (values.T, None) if is_deep else (values, decimals)
    rows, columns = (list(map(str, range(length))) for length in cells.shape)
    figure = _map(cells, rows, columns, label, vmax, decimals, EFFECTS_MAP if effect else WEIGHTS_MAP)
    axes = (say("layer"), say("head")) if is_deep else (say("head"), say("layer"))
    figure.axes[0].set(xlabel=axes[0], ylabel=axes[1])
    template = "One number for each head: {label}. {strongest}"
    return with_caption(figure, caption or say(template, label=label, strongest=_strongest_heads(values)))


def change_map(changes, tokens, layers, *, label, caption):
    """Draw how much the vector of each token changed after each of some layers, as a heatmap.

    changes: (num_layers, num_tokens), numbers from 0 on, written on the cells as whole ones; nan is drawn grey. tokens:
    one label per token. layers: one label per layer, such as its number. label: the name of the scale. caption: a
    sentence that says what to see. Returns a matplotlib Figure. Errors: ValueError if the labels do not fit.
    """
    layers, tokens = as_labels(layers, "layers"), as_labels(tokens)
    values = as_array(changes, "changes", len(layers), len(tokens))
    figure = _map(values, layers, tokens, label, None, 0, EFFECTS_MAP)
    figure.axes[0].set_ylabel(say("after layer"))
    return with_caption(figure, caption)


def places_map(rows, *, caption):
    """Draw position vectors as a heatmap: a column for each position ("place"), a row for each number of its vector.

    rows: (num_places, width), a vector for each position from 0 on. caption: a sentence that says what to see. Numbers
    above and below 0 have different colours, on a scale of equal length on both sides. Returns a matplotlib Figure.
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
    panel.set(xlabel=say("place"), ylabel=say("number of the row"))
    panel.tick_params(length=0)
    figure.colorbar(cells, ax=panel, pad=0.02).outline.set_linewidth(0)
    return with_caption(figure, caption)


def token_vectors(stages, tokens, *, caption):
    """Draw the vectors of some tokens as heatmaps, one for each stage of a model, on one scale around 0.

    Each row is a token. stages: dict from the name of a stage to its vectors (num_tokens, width); widths may differ.
    tokens: one label per token. caption: a sentence that says what to see. Returns a matplotlib Figure.
    Errors: ValueError if there is no stage, if the labels do not fit, and for vectors that are not finite.
    """
    tokens = as_labels(tokens)
    stages = as_arrays("stages", stages, "stage", len(tokens), "width")
    for name, vectors in stages.items():
        check_finite(f"stage {name!r}", vectors)
    widths = [vectors.shape[-1] for vectors in stages.values()]
    high = max(np.abs(vectors).max() for vectors in stages.values())
    figure = new_figure(PAGE_WIDTH, 1.25 + 0.38 * len(tokens))
    panels = figure.subplots(1, len(stages), squeeze=False, width_ratios=[max(width, 8) for width in widths])[0]
    for panel, (name, vectors), width in zip(panels, stages.items(), widths, strict=True):
        line = 0.5 if len(stages) < 4 and width < 20 else 0
        draw_cells(panel, vectors, SIGNED_MAP, -high, high, line=line)
        name_cells(panel, tokens, [], size=13)
        panel.set(title=name, xlabel=say("{width} numbers", width=width))
    ticks = [-np.floor(high), 0, np.floor(high)] if high >= 1 else [0]
    figure.colorbar(panels[0].collections[0], ax=panels, label=say("number"), pad=0.02, ticks=ticks)
    return with_caption(figure, caption)


def _map(values, rows, columns, label, vmax, decimals, colour_map):
    """Return a Figure of a labelled heatmap on a scale from 0 to vmax; decimals: of the numbers on cells, or None."""
    high = (float(largest(values)) or 1.0) if vmax is None else vmax
    is_wordy = longest(columns) > 2
    cell = (PAGE_WIDTH - 1.6) / len(columns)
    figure = new_figure(PAGE_WIDTH, 0.75 + max(cell, 0.42) * len(rows) + 0.1 * is_wordy * longest(columns))
    panel = figure.subplots()
    cells = draw_cells(panel, values, colour_map, 0, high, digits=decimals, size=10)
    panel.set_facecolor(MISSING)
    figure.colorbar(cells, ax=panel, label=label, pad=0.02).outline.set_linewidth(0)
    size = 10 if len(columns) > 20 else None  # two digits fit a narrow column
    name_cells(panel, rows, columns, rotation=45 if is_wordy else 0, size=size)
    return figure


def _strongest_heads(values):
    """Return a sentence that names the three heads with the largest finite numbers, or says that none is finite."""
    order = np.argsort(-np.nan_to_num(values, nan=-np.inf), axis=None)[:3]
    places = [np.unravel_index(index, values.shape) for index in order if np.isfinite(values.flat[index])]
    heads = [
        say("layer {layer} head {head} {number}", layer=layer, head=head, number=f"{values[layer, head]:.2f}")
        for layer, head in places
    ]
    return say("Strongest: {heads}.", heads=say(", ").join(heads)) if heads else say("All are unknown.")

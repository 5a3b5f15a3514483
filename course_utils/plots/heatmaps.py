"""Heatmaps of attention weights and scores, of masks, and of padded batches."""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch, Rectangle

from course_utils.fonts import say
from course_utils.inputs import as_weights, check_shares, one_layer
from course_utils.plots.arguments import as_array, as_arrays, as_labels, check_shape, longest
from course_utils.plots.cells import MISSING, draw_cells, largest, name_cells
from course_utils.plots.common import PAGE_WIDTH, new_figure, said, with_caption
from course_utils.theme import COLOURS, SIGNED_MAP, WEIGHTS_MAP

MOST_HIGH = 3.9  # inches: the largest height of all cells of a figure of weights together
CELL_HEIGHT = 0.3  # inches, in padded_heads
OPEN, CLOSED = COLOURS["open"].light, COLOURS["masked"].light
HATCH = {"edgecolor": COLOURS["hatch"].light, "hatch": "////", "linewidth": 0}


def attention_heatmap(
    attn_weights, tokens, key_tokens=None, *, titles=None, mark=None, mask=None, vmax=None, label="attention weight",
    axes=("query", "key"), caption=None,
):  # fmt: skip
    """Draw the weights of one head as a heatmap, or of several heads side by side on one shared scale.

    Rows are queries, columns are keys.
    attn_weights: (num_queries, num_keys) or (num_heads, num_queries, num_keys), also with an axis of length 1 in front,
    as a layer of a model of transformers has it; nan and inf are drawn grey.
    tokens: one label per query. key_tokens: one label per key (default: tokens). titles: a list of texts, one per head
    (default: "head 0" and so on, or none for a single head). mark: the index of a query whose row is framed, or None.
    mask: bool, True = may attend, of a shape that broadcasts to that of the weights; closed cells are hatched. None
    hatches none. vmax: the upper end of the colour scale, which begins at 0 (default: the largest weight).
    label: the name of the scale. axes: the names of rows and columns. caption: a text (default: a sentence with the
    largest weight of each head). Returns a matplotlib Figure.
    Errors: ValueError if the labels or the mask do not fit the weights, if the mask is not bool, for weights below 0 or
    of several layers, and those of inputs.as_weights.
    """
    weights = one_layer(as_weights(attn_weights))
    if weights.ndim == 4:
        several = f"attn_weights of shape {weights.shape} have {len(weights)} layers or samples"
        raise ValueError(f"{several}, and this figure draws one: give attn_weights[0] for the first.")
    tokens, key_tokens = as_labels(tokens), as_labels(tokens if key_tokens is None else key_tokens, "key_tokens")
    check_shape("attn_weights", weights, "heads", len(tokens), len(key_tokens))
    check_shares(weights, "attn_weights", rows=tokens)
    if titles is None:
        titles = [say("head {head}", head=head) for head in range(len(weights))] if len(weights) > 1 else [""]
    closed = _closed(mask, weights.shape)
    figure, panels, cell = _grid(len(weights), tokens, key_tokens, titled=any(titles))
    limits = (0, largest(weights) if vmax is None else vmax)
    for index, (panel, weight, title) in enumerate(zip(panels.flat, weights, titles, strict=False)):
        cells = _heatmap(panel, weight, tokens, key_tokens, WEIGHTS_MAP, limits, cell, closed[index])
        if mark is not None:
            look = {"fill": False, "edgecolor": COLOURS["chosen"].light, "linewidth": 3, "clip_on": False}
            panel.add_patch(Rectangle((0, mark), len(key_tokens), 1, **look))
        panel.set_title(title)
        _label_outer(panel, index, len(weights), panels.shape[1], axes)
    for panel in panels.flat[len(weights) :]:
        panel.set_visible(False)
    figure.colorbar(cells, ax=panels, label=said(label), shrink=0.8, pad=0.02)
    return with_caption(figure, caption or _strongest_links(weights, titles, tokens, key_tokens))


def scores_and_weights(attn_scores, attn_weights, tokens, *, vmax=None, caption=None):
    """Draw heatmaps of the scores and of the weights that softmax makes of them, side by side, each with its own scale.

    attn_scores, attn_weights: (num_tokens, num_tokens); nan is drawn grey, and cells with a score of -inf are hatched
    in both. tokens: one label per token. vmax: the upper end of the scale of weights (default: the largest weight).
    caption: a text (default: a general one). Returns a matplotlib Figure.
    Errors: ValueError if the labels do not fit, and for weights below 0.
    """
    tokens = as_labels(tokens)
    scores = as_array(attn_scores, "attn_scores", len(tokens), len(tokens))
    weights = as_weights(attn_weights)
    check_shape("attn_weights", weights, len(tokens), len(tokens))
    check_shares(weights, "attn_weights", rows=tokens)
    figure, panels, cell = _grid(2, tokens, tokens, colorbars=2)
    limit = np.abs(scores[np.isfinite(scores)]).max(initial=0.0)
    top = largest(weights) if vmax is None else vmax
    drawn = (scores, SIGNED_MAP, (-limit, limit), say("scores")), (weights, WEIGHTS_MAP, (0, top), say("weights"))
    for index, (panel, (matrix, colour_map, limits, title)) in enumerate(zip(panels.flat, drawn, strict=True)):
        cells = _heatmap(panel, matrix, tokens, tokens, colour_map, limits, cell, np.isneginf(scores))
        panel.set_title(title)
        _label_outer(panel, index, 2, 2)
        bar = figure.colorbar(cells, ax=panel, shrink=0.75, pad=0.02)
        if matrix is scores and scores.min() >= 0:
            bar.ax.set_ylim(0, None)  # hide the negative half, but keep the colours of the rest
    return with_caption(figure, caption or say("Scores, and beside them their weights: each row of weights sums to 1."))


def padded_heads(attn_weights, valid_lens, tokens, key_tokens, *, caption):
    """Draw the weights of every head for every text of a batch as heatmaps on one scale: a row for each text.

    attn_weights: (batch, num_heads, num_queries, num_keys); cells with nan are left empty. valid_lens: (batch,), the
    number of real keys of each text; the keys after them, which are padding, are hatched. tokens, key_tokens: one short
    label per query, and per key. caption: a sentence that says what to see. Returns a matplotlib Figure.
    Errors: ValueError if labels or lengths do not fit, and for weights below 0.
    """
    tokens, key_tokens = as_labels(tokens), as_labels(key_tokens, "key_tokens")
    weights = as_weights(attn_weights)
    check_shape("attn_weights", weights, "batch", "heads", len(tokens), len(key_tokens))
    valid_lens = [int(length) for length in valid_lens]
    check_shares(weights, "attn_weights", rows=tokens)
    if len(valid_lens) != len(weights) or not all(0 <= length <= len(key_tokens) for length in valid_lens):
        raise ValueError(f"valid_lens {valid_lens} do not fit {len(weights)} texts of {len(key_tokens)} keys.")
    figure = new_figure(PAGE_WIDTH, 0.6 + len(weights) * (0.45 + CELL_HEIGHT * len(tokens)))
    panels = figure.subplots(*weights.shape[:2], sharex=True, sharey=True, squeeze=False)
    for (text, head), panel in np.ndenumerate(panels):
        cells = draw_cells(panel, weights[text, head], WEIGHTS_MAP, 0, largest(weights))
        _hatch(panel, np.broadcast_to(np.arange(len(key_tokens)) >= valid_lens[text], weights.shape[-2:]))
        panel.set_title(say("text {text}, head {head}", text=text, head=head), fontsize=11)
        name_cells(panel, tokens, key_tokens, size=11)
        _label_outer(panel, text * len(panels[0]) + head, panels.size, len(panels[0]))
    figure.colorbar(cells, ax=panels, label=say("attention weight"), shrink=0.8, pad=0.02)
    return with_caption(figure, caption)


def mask_panels(masks, tokens, *, caption):
    """Draw masks side by side: open cells are plain, closed cells are hatched.

    masks: dict from a name to a bool mask (num_tokens, num_tokens), True = may attend. tokens: one label per token.
    caption: a sentence that says what to see.
    Returns a Figure. Errors: ValueError if there is no mask, and if the labels do not fit.
    """
    tokens = as_labels(tokens)
    masks = as_arrays("masks", masks, "mask", len(tokens), len(tokens))
    side = 0.13 * longest(tokens) + 0.3
    cell = (PAGE_WIDTH - side - 0.2 * len(masks)) / (len(masks) * len(tokens))
    figure = new_figure(PAGE_WIDTH, cell * len(tokens) + side + 0.75)
    panels = figure.subplots(1, len(masks), sharex=True, sharey=True, squeeze=False)[0]
    for panel, (name, mask) in zip(panels, masks.items(), strict=True):
        draw_cells(panel, mask, ListedColormap([CLOSED, OPEN]), 0, 1, line=1, square=True)
        _hatch(panel, mask == 0)
        panel.set(title=name, xlabel=say("key"))
        name_cells(panel, tokens, tokens, size=11, rotation=90)
    panels[0].set_ylabel(say("query"))
    handles = [
        Patch(facecolor=OPEN, label=say("True: may attend")),
        Patch(facecolor=CLOSED, **HATCH, label=say("False: closed")),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=2, fontsize=11)
    return with_caption(figure, caption)


def _grid(num_panels, tokens, key_tokens, colorbars=1, titled=True):
    """Make the figure for some heatmaps side by side, 3 or 4 in a row.

    Returns (Figure, array (rows, columns) of its Axes, of which the last may be too many, width of a cell in inches).
    Cells are square unless there are many rows: then they are lower, so that the figure fits on a screen.
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
    """Return a bool array (shape), True where a mask closes a cell. Errors: ValueError for a mask that does not fit."""
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
    """Draw one labelled heatmap; return its cells, a QuadMesh. limits: (low, high). cell: their width in inches."""
    cells = draw_cells(
        panel, np.where(closed, np.nan, matrix), colour_map, *limits, line=0.5 if cell > 0.2 else 0,
        square=cell * len(tokens) <= MOST_HIGH, digits=2 if cell >= 0.38 else None, size=11 if cell > 0.55 else 10,
    )  # fmt: skip
    panel.set_facecolor(MISSING)
    _hatch(panel, closed)
    size = float(np.clip(60 * cell, 10, 12))
    smallest = min(cell, MOST_HIGH / len(tokens))
    every = int(np.ceil(1.2 * size / 72 / smallest))  # cells smaller than letters: only every n-th has a label
    is_flat = longest(key_tokens) * size / 130 < every * cell  # whether horizontal labels fit, in inches
    name_cells(panel, tokens, key_tokens, size=size, rotation=0 if is_flat else 90, every=every)
    return cells


def _label_outer(panel, index, num_panels, columns, axes=("query", "key")):
    is_left, is_lowest = index % columns == 0, index + columns >= num_panels
    panel.set(ylabel=said(axes[0]) if is_left else "", xlabel=said(axes[1]) if is_lowest else "")
    panel.tick_params(labelleft=is_left, labelbottom=is_lowest)


def _hatch(panel, closed):
    for row, column in np.argwhere(closed):
        panel.add_patch(Rectangle((column + 0.03, row + 0.03), 0.94, 0.94, facecolor=CLOSED, **HATCH))


def _strongest_links(weights, titles, tokens, key_tokens):
    """Return a caption, a str, that names the largest weight of each head with its query and key."""
    links = []
    for weight, title in zip(weights, titles, strict=False):
        query, key = np.unravel_index(np.nan_to_num(weight, nan=-1).argmax(), weight.shape)
        link = f"{tokens[query]} → {key_tokens[key]} {weight[query, key]:.2f}"
        link = say("all nan") if np.isnan(weight).all() else link
        links.append(say("{title}: {link}", title=title, link=link) if title else link)
    return say("Attention weights, rows query, columns key. Strongest: {links}.", links=say("; ").join(links))

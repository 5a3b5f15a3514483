"""Heatmaps of masks and of padded batches; closed cells are hatched, so that they differ from small weights."""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from course_utils.inputs import check_shares
from course_utils.plots.common import (
    PAGE_WIDTH,
    WEIGHTS_MAP,
    as_array,
    as_labels,
    check_labels,
    check_some,
    draw_cells,
    hatch,
    largest,
    longest,
    new_figure,
    with_caption,
)
from course_utils.theme import COLOURS

OPEN, CLOSED = COLOURS["open"].light, COLOURS["masked"].light
HATCH = {"edgecolor": COLOURS["hatch"].light, "hatch": "////", "linewidth": 0}
CELL_HEIGHT = 0.3  # inches, in padded_heads


def padded_heads(attn_weights, valid_lens, tokens, key_tokens, *, caption):
    """Draw every head of every text in a batch on one scale: a row for each text, a column for each head.

    attn_weights: (batch, num_heads, num_queries, num_keys); nan is left out. valid_lens: the number of real keys of
    each text; the keys after them, which are padding, are hatched. tokens: one short label per query.
    key_tokens: one short label per key. caption: a sentence that says what to see. Returns a Figure.
    Errors: ValueError if labels or lengths do not fit, and for weights below 0.
    """
    weights, valid_lens = as_array(attn_weights, "attn_weights"), [int(length) for length in valid_lens]
    tokens, key_tokens = as_labels(tokens), as_labels(key_tokens, "key_tokens")
    check_labels("attn_weights", weights, 4, len(tokens), len(key_tokens))
    check_shares(weights, "attn_weights", rows=tokens)
    if len(valid_lens) != len(weights) or not all(0 <= length <= len(key_tokens) for length in valid_lens):
        raise ValueError(f"valid_lens {valid_lens} do not fit {len(weights)} texts of {len(key_tokens)} keys.")
    figure = new_figure(PAGE_WIDTH, 0.6 + len(weights) * (0.45 + CELL_HEIGHT * len(tokens)))
    panels = figure.subplots(*weights.shape[:2], sharex=True, sharey=True, squeeze=False)
    for text, (row, length) in enumerate(zip(panels, valid_lens, strict=True)):
        for head, panel in enumerate(row):
            draw_cells(panel, weights[text, head], WEIGHTS_MAP, 0, largest(weights))
            hatch(panel, np.broadcast_to(np.arange(len(key_tokens)) >= length, weights.shape[-2:]))
            panel.set_title(f"text {text}, head {head}", fontsize=11)
            _name_cells(panel, tokens, key_tokens)
        row[0].set_ylabel("query")
    for panel in panels[-1]:
        panel.set_xlabel("key")
    figure.colorbar(panels[0, 0].collections[0], ax=panels, label="attention weight", shrink=0.8, pad=0.02)
    return with_caption(figure, caption)


def mask_panels(masks, tokens, *, caption):
    """Draw masks side by side: open cells are plain, closed cells are hatched.

    masks: dict from a name to a bool mask (num_tokens, num_tokens), True = may attend. tokens: one label per token.
    caption: a sentence that says what to see.
    Returns a Figure. Errors: ValueError if there is no mask, and if the labels do not fit.
    """
    check_some("masks", masks)
    masks, tokens = {str(name): as_array(mask).astype(float) for name, mask in masks.items()}, as_labels(tokens)
    for name, mask in masks.items():
        check_labels(f"mask {name!r}", mask, 2, len(tokens), len(tokens))
    side = 0.13 * longest(tokens) + 0.3
    cell = (PAGE_WIDTH - side - 0.2 * len(masks)) / (len(masks) * len(tokens))
    figure = new_figure(PAGE_WIDTH, cell * len(tokens) + side + 0.75)
    panels = figure.subplots(1, len(masks), sharex=True, sharey=True, squeeze=False)[0]
    for panel, (name, mask) in zip(panels, masks.items(), strict=True):
        draw_cells(panel, mask, ListedColormap([CLOSED, OPEN]), 0, 1, line=1, square=True)
        hatch(panel, mask == 0)
        panel.set_title(name)
        panel.set_xlabel("key")
        _name_cells(panel, tokens, tokens, rotation=90)
    panels[0].set_ylabel("query")
    handles = [Patch(facecolor=OPEN, label="True: may attend"), Patch(facecolor=CLOSED, **HATCH, label="False: closed")]
    figure.legend(handles=handles, loc="outside lower center", ncols=2, fontsize=11)
    return with_caption(figure, caption)


def _name_cells(panel, tokens, key_tokens, rotation=0):
    """Label the rows and columns of a heatmap; rotation: of the labels of columns, in degrees."""
    panel.xaxis.set_ticklabels(key_tokens)
    panel.yaxis.set_ticklabels(tokens)
    panel.tick_params(length=0, labelsize=11)
    panel.tick_params(axis="x", labelrotation=rotation)
    panel.tick_params(axis="y", labelrotation=0)

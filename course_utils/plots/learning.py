"""Figures of token vectors at the stages of a model, and of scores of its heads, during training and after it."""

import numpy as np

from course_utils.plots.common import (
    GRID,
    PAGE_WIDTH,
    SIGNED_MAP,
    as_array,
    as_labels,
    check_finite,
    check_labels,
    check_some,
    draw_cells,
    draw_lines,
    hues,
    new_figure,
    with_caption,
)

DASHES = ["", (4, 1.5), (1, 1), (3, 1.25, 1.5, 1.25)]  # lengths of ink and gap, one style for each layer


def token_vectors(stages, tokens, *, caption):
    """Draw the vectors of some tokens as heatmaps, one for each stage of a model, side by side on one scale.

    Each row is a token. stages: dict from a name to (num_tokens, width); widths may differ.
    tokens: one label per token. caption: a sentence that says what to see. Returns a Figure.
    Errors: ValueError if there is no stage, if the labels do not fit, and for vectors that are not finite.
    """
    check_some("stages", stages)
    stages, tokens = {str(name): as_array(vectors) for name, vectors in stages.items()}, as_labels(tokens)
    for name, vectors in stages.items():
        check_labels(f"stage {name!r}", vectors, 2, len(tokens), *vectors.shape[-1:])
        check_finite(f"stage {name!r}", vectors)
    widths = [vectors.shape[-1] for vectors in stages.values()]
    high = max(np.abs(vectors).max() for vectors in stages.values())
    figure = new_figure(PAGE_WIDTH, 1.25 + 0.38 * len(tokens))
    panels = figure.subplots(1, len(stages), squeeze=False, width_ratios=[max(width, 8) for width in widths])[0]
    for panel, (name, vectors) in zip(panels, stages.items(), strict=True):
        line = 0.5 if len(stages) < 4 and vectors.shape[1] < 20 else 0
        draw_cells(panel, vectors, SIGNED_MAP, -high, high, line=line)
        panel.set(title=name, xlabel=f"{vectors.shape[1]} numbers", xticks=[])
        panel.set_yticks([row + 0.5 for row in range(len(tokens))], tokens, rotation=0, fontsize=13)
        panel.tick_params(length=0)
    ticks = [-np.floor(high), 0, np.floor(high)] if high >= 1 else [0]
    figure.colorbar(panels[0].collections[0], ax=panels, label="number", pad=0.02, ticks=ticks)
    return with_caption(figure, caption)


def heads_over_steps(steps, scores, *, caption):
    """Draw scores of every head over the steps of a training: one panel for each score, one colour for each layer.

    steps: (n,). scores: dict from a name to (n, num_layers, num_heads), numbers from 0 to 1. caption: a sentence that
    says what to see. Returns a Figure.
    Errors: ValueError if there is no score, and if a score has another number of steps.
    """
    check_some("scores", scores)
    scores = {str(name): as_array(values, f"scores {name!r}") for name, values in scores.items()}
    for name, values in scores.items():
        check_labels(f"scores {name!r}", values, 3, len(steps), *values.shape[1:])
    figure = new_figure(PAGE_WIDTH, 0.6 + 2.6 * len(scores))
    panels = figure.subplots(len(scores), 1, sharex=True, squeeze=False)[:, 0]
    for panel, (name, values) in zip(panels, scores.items(), strict=True):
        _, num_layers, num_heads = values.shape
        layers = np.repeat([f"heads of layer {layer}" for layer in range(num_layers)], num_heads)
        lines = values.reshape(len(values), -1).transpose()
        draw_lines(panel, as_array(steps), lines, layers.tolist(), dashes=(DASHES * num_layers)[:num_layers])
        panel.set(title=name, ylim=(0, 1.03), yticks=[0, 0.25, 0.5, 0.75, 1], ylabel="mean weight")
        panel.grid(color=GRID)
    panels[-1].set(xlabel="step", xticks=np.linspace(steps[0], steps[-1], 5))
    panels[0].legend()
    return with_caption(figure, caption)


def heads_bars(scores, *, label, caption):
    """Draw one number for each head of a model as a bar: one panel for each layer, all on one scale from 0.

    scores: (num_layers, num_heads). label: the name of the scale. caption: a sentence that says what to see.
    Returns a Figure. Errors: ValueError for another number of axes, and for scores that are not finite.
    """
    values = as_array(scores, "scores")
    check_labels("scores", values, 2, *values.shape[1:])
    check_finite("scores", values)
    figure = new_figure(PAGE_WIDTH, 3.2)
    panels = figure.subplots(1, len(values), sharey=True, squeeze=False)[0]
    for layer, (panel, row, hue) in enumerate(zip(panels, values, hues(len(values)), strict=True)):
        panel.bar_label(panel.bar(range(len(row)), row, color=hue), fmt="{:.2f}", padding=2)
        panel.set(title=f"layer {layer}", xticks=range(len(row)), xlabel="head", ylim=(0, 1.15 * values.max() or 1))
    panels[0].set_ylabel(label)
    return with_caption(figure, caption)

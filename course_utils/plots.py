"""The course's figures: tensors and labels in, a matplotlib Figure out, with a caption that serves as its alt text."""

import itertools

import matplotlib
import numpy as np
import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

WEIGHTS_MAP = "mako_r"  # one hue from light to dark, even in lightness: read right by colour-blind eyes and in print
SCORES_MAP = "vlag"  # scores have a sign: white at 0, blue below, red above
PAGE_WIDTH = 8.0  # inches: the column of a notebook on a laptop


def attention_heatmap(attn_weights, tokens, key_tokens=None, *, titles=None, mark=None, vmax=None, caption=None):
    """Draw one head, or many side by side on one shared scale; rows are queries, columns are keys.

    attn_weights: (num_queries, num_keys) or (num_heads, num_queries, num_keys). tokens: one label a query.
    key_tokens: one label a key (default: tokens). titles: one a head. mark: the number of a query whose row is framed.
    vmax: the upper end of the scale (default: the largest weight). caption: default, the strongest links.
    Returns a Figure. Errors: ValueError if the labels do not fit the weights.
    """
    weights = _array(attn_weights)
    weights = weights[None] if weights.ndim == 2 else weights
    key_tokens = tokens if key_tokens is None else key_tokens
    _check_labels("attn_weights", weights, 3, len(tokens), len(key_tokens))
    if titles is None:
        titles = [f"head {head}" for head in range(len(weights))] if len(weights) > 1 else [""]
    figure, panels, cell = _grid(len(weights), tokens, key_tokens, titled=any(titles))
    limits = (0, np.nanmax(weights) if vmax is None else vmax)
    for index, (panel, weight, title) in enumerate(zip(panels.flat, weights, titles, strict=False)):
        image = _heatmap(panel, weight, tokens, key_tokens, WEIGHTS_MAP, limits, cell)
        if mark is not None:
            frame = Rectangle(
                (0, mark), len(key_tokens), 1, fill=False, edgecolor="#e8590c", linewidth=3, clip_on=False
            )
            panel.add_patch(frame)
        panel.set_title(title)
        _label_outer(panel, index, len(weights), panels.shape[1])
    for panel in panels.flat[len(weights) :]:
        panel.set_visible(False)
    figure.colorbar(image, ax=panels, label="attention weight", shrink=0.8, pad=0.02)
    return _with_caption(figure, caption or _strongest(weights, titles, tokens, key_tokens))


def scores_and_weights(attn_scores, attn_weights, tokens, *, caption=None):
    """Draw the scores beside the weights that softmax makes of them, each with its own scale.

    attn_scores, attn_weights: (num_tokens, num_tokens). tokens: one label a token.
    Returns a Figure. Errors: ValueError if the labels do not fit.
    """
    scores, weights = _array(attn_scores), _array(attn_weights)
    _check_labels("attn_scores", scores, 2, len(tokens), len(tokens))
    _check_labels("attn_weights", weights, 2, len(tokens), len(tokens))
    figure, panels, cell = _grid(2, tokens, tokens, colorbars=2)
    limit = np.abs(scores[np.isfinite(scores)]).max(initial=0.0)
    left = _heatmap(panels[0, 0], scores, tokens, tokens, SCORES_MAP, (-limit, limit), cell)
    right = _heatmap(panels[0, 1], weights, tokens, tokens, WEIGHTS_MAP, (0, np.nanmax(weights)), cell)
    for index, (panel, image, name) in enumerate(zip(panels.flat, (left, right), ("score", "weight"), strict=True)):
        panel.set_title(f"{name}s")
        _label_outer(panel, index, 2, 2)
        bar = figure.colorbar(image, ax=panel, shrink=0.75, pad=0.02)
        if name == "score" and scores.min() >= 0:
            bar.ax.set_ylim(0, None)  # the colours keep their meaning; a half that does not occur is not shown
    return _with_caption(figure, caption or "Scores, and beside them their weights: each row of weights sums to 1.")


def attention_bars(rows, tokens, *, caption=None):
    """Draw how one query spreads its attention over the keys, for one or a few cases one above the other.

    rows: dict from a name to weights (num_keys,). tokens: one label a key. Returns a Figure with one shared scale.
    Errors: ValueError if a row does not fit the labels.
    """
    rows = {name: _array(row) for name, row in rows.items()}
    for name, row in rows.items():
        _check_labels(f"row {name!r}", row, 1, len(tokens))
    figure = _figure(PAGE_WIDTH, 0.7 + 1.75 * len(rows))
    panels = figure.subplots(len(rows), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    for panel, (name, row) in zip(panels, rows.items(), strict=True):
        bars = panel.bar(range(len(tokens)), row, color=_colours(1)[0])
        labels = [f"{value:.2f}" if value >= 0.005 else "" for value in row]
        panel.bar_label(bars, labels, fontsize=11, padding=2)
        panel.set_title(name, loc="left")
        panel.set_ylim(0, 1.18 * max(row.max() for row in rows.values()))
    flat = _longest(tokens) * len(tokens) < 50  # letters that fit side by side
    panels[-1].set_xticks(range(len(tokens)), tokens, rotation=0 if flat else 45, ha="center" if flat else "right")
    figure.supylabel("attention weight", fontsize=13)
    strongest = "; ".join(f"{name}: most on {tokens[row.argmax()]} ({row.max():.2f})" for name, row in rows.items())
    return _with_caption(figure, caption or f"{strongest}.")


def vectors(points, labels, *, caption=None):
    """Draw vectors as arrows from the origin of the plane.

    points: (n, 2). labels: n names. Returns a Figure with equal scales on both axes.
    Errors: ValueError if there is not one label a vector, or if the vectors do not lie in the plane.
    """
    points = _array(points)
    _check_labels("points", points, 2, len(labels), 2)
    low, high = np.minimum(points.min(0), 0), np.maximum(points.max(0), 0)
    margin = 0.18 * (high - low).max()
    (left, bottom), (right, top) = low - margin, high + (2 * margin, margin)  # labels stand to the right of their tips
    figure = _figure(5.5, 0.5 + 5.0 * (top - bottom) / (right - left))
    panel = figure.subplots()
    for point, label, colour in zip(points, labels, _colours(len(labels)), strict=True):
        panel.annotate("", point, (0, 0), arrowprops={"arrowstyle": "-|>", "lw": 3, "color": colour, "shrinkB": 0})
        side = "left" if point[0] >= 0 else "right"
        panel.annotate(f" {label} ", point, color=colour, ha=side, va="bottom", fontsize=14, fontweight="bold")
    panel.set(xlim=(left, right), ylim=(bottom, top), aspect="equal")
    panel.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(6, integer=True))
    panel.yaxis.set_major_locator(matplotlib.ticker.MaxNLocator(6, integer=True))
    panel.grid(color="0.9")
    panel.axhline(0, color="0.6", lw=1, zorder=0)
    panel.axvline(0, color="0.6", lw=1, zorder=0)
    places = ", ".join(f"{label} at ({x:.2f}, {y:.2f})" for label, (x, y) in zip(labels, points, strict=True))
    return _with_caption(figure, caption or f"Arrows from the origin: {places}.")


def mixture(attn_weights, values, tokens, *, caption=None):
    """Draw a context vector as a stacked bar: each number of it, made of one share from each token.

    attn_weights: (num_keys,), the weights of one query. values: (num_keys, value_dim). tokens: one label a key.
    Returns a Figure. Errors: ValueError if the labels do not fit.
    """
    weights, values = _array(attn_weights), _array(values)
    _check_labels("attn_weights", weights, 1, len(tokens))
    _check_labels("values", values, 2, len(tokens), values.shape[-1])
    shares = weights[:, None] * values  # (num_keys, value_dim)
    figure = _figure(PAGE_WIDTH, 1.6 + 0.75 * values.shape[1])
    panel = figure.subplots()
    ends = {
        True: np.zeros(values.shape[1]),
        False: np.zeros(values.shape[1]),
    }  # stacked to the right and to the left of 0
    for share, token, colour in zip(shares, tokens, _colours(len(tokens)), strict=True):
        for positive, end in ends.items():
            part = np.where((share >= 0) == positive, share, 0)
            panel.barh(range(values.shape[1]), part, left=end, color=colour, edgecolor="white", label=token * positive)
            end += part
    panel.set_yticks(range(values.shape[1]), [f"number {i + 1}" for i in range(values.shape[1])])
    panel.invert_yaxis()
    panel.set_xlabel("weight × value, summed over the tokens")
    figure.legend(*panel.get_legend_handles_labels(), loc="outside upper center", ncols=min(len(tokens), 6))
    totals = ", ".join(f"{total:.2f}" for total in shares.sum(0))
    return _with_caption(
        figure, caption or f"The context vector ({totals}), each number stacked from the tokens' shares."
    )


def curves(x, series, *, xlabel, ylabel, log_x=False, log_y=False, caption):
    """Draw one line a name over the same x, told apart by marker as well as by colour.

    x: (n,). series: dict from a name to (n,). caption: a sentence that says what to see. Returns a Figure.
    """
    figure = _figure(PAGE_WIDTH, 4.2)
    panel = figure.subplots()
    colours = sns.color_palette("colorblind")
    for (name, y), colour, marker in zip(series.items(), colours, "osD^vPX", strict=False):
        panel.plot(_array(x), _array(y), color=colour, marker=marker if len(x) <= 20 else "", label=name)
    panel.set(xlabel=xlabel, ylabel=ylabel)
    if log_x:
        panel.set_xscale("log", base=2)
        panel.xaxis.set_major_formatter(matplotlib.ticker.ScalarFormatter())
    if log_y:
        panel.set_yscale("log")
        panel.yaxis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 3)))
        panel.yaxis.set_major_formatter("{x:g}")
        panel.yaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
    panel.grid(color="0.9")
    if len(series) > 1:
        panel.legend()
    return _with_caption(figure, caption)


def diagram(boxes, arrows, *, size, caption):
    """Draw labelled boxes and the arrows between them.

    boxes: dict from a name to (x, y, text), in inches from the lower left, y of the box's middle.
    arrows: triples (from, to, label). size: (width, height) in inches. caption: the same in words. Returns a Figure.
    """
    figure = Figure(figsize=size)
    panel = figure.add_axes((0, 0, 1, 1))
    panel.set(xlim=(0, size[0]), ylim=(0, size[1]))
    panel.axis("off")
    look = {"boxstyle": "round,pad=0.5", "facecolor": "#eef4f8", "edgecolor": "#2b5c77", "linewidth": 1.5}
    drawn = {
        name: panel.text(x, y, text, ha="center", va="center", fontsize=12, linespacing=1.4, bbox=look)
        for name, (x, y, text) in boxes.items()
    }
    figure.draw_without_rendering()  # a text has its box, which an arrow starts from, only once it is laid out
    for start, end, label in arrows:
        arrow = {"arrowstyle": "-|>", "lw": 1.8, "color": "#2b5c77", "patchA": drawn[start].get_bbox_patch()}
        arrow |= {"patchB": drawn[end].get_bbox_patch(), "shrinkA": 2, "shrinkB": 2}
        panel.annotate("", boxes[end][:2], boxes[start][:2], arrowprops=arrow)
        middle = np.mean([boxes[start][:2], boxes[end][:2]], axis=0)
        panel.annotate(label, middle, ha="left", va="bottom", fontsize=11, color="#2b5c77")
    return _with_caption(figure, caption)


def path(steps, columns, *, caption):
    """Draw steps in their order, row by row, with an arrow from each to the next in its row.

    steps: texts. columns: how many stand in a row. caption: the same in words. Returns a Figure.
    """
    rows = -(-len(steps) // columns)
    boxes = {}
    for index, step in enumerate(steps):
        row, column = divmod(index, columns)
        boxes[step] = ((column + 0.5) * PAGE_WIDTH / columns, 1.15 * (rows - row) - 0.5, step)
    arrows = [(start, end, "") for i, (start, end) in enumerate(itertools.pairwise(steps), 1) if i % columns]
    return diagram(boxes, arrows, size=(PAGE_WIDTH, 1.15 * rows + 0.1), caption=caption)


def _array(tensor):
    return tensor.detach().cpu().numpy() if hasattr(tensor, "detach") else np.asarray(tensor, dtype=float)


def _figure(width, height):
    return Figure(figsize=(width, height), layout="constrained")  # not pyplot's: nothing to close, nothing shown twice


def _grid(num_panels, tokens, key_tokens, colorbars=1, titled=True):
    """Returns a figure and its panels (rows, columns), sized so that cells are square and labels have room."""
    columns = num_panels if num_panels < 4 else 4 if num_panels % 4 == 0 else 3
    rows = -(-num_panels // columns)
    left, bottom = 0.5 + 0.11 * _longest(tokens), 0.65 + 0.11 * _longest(key_tokens)
    room = PAGE_WIDTH - left - 0.25 * (columns - 1) - 1.1 * colorbars
    cell = min(0.7, room / (columns * len(key_tokens)))
    width = PAGE_WIDTH - room + columns * cell * len(key_tokens)
    figure = _figure(width, rows * (cell * len(tokens) + (0.45 if titled else 0.1)) + bottom)
    return figure, figure.subplots(rows, columns, squeeze=False), cell


def _heatmap(panel, matrix, tokens, key_tokens, colour_map, limits, cell):
    values_fit = cell >= 0.38
    sns.heatmap(
        matrix, ax=panel, cmap=colour_map, vmin=limits[0], vmax=limits[1], cbar=False, square=True,
        linewidths=0.5 if cell > 0.2 else 0, annot=values_fit, fmt=".2f",
        annot_kws={"fontsize": 11 if cell > 0.55 else 10},
    )  # fmt: skip
    panel.set_facecolor("0.75")  # nan cells are left out by seaborn: grey shows that a number is missing
    size = float(np.clip(60 * cell, 7, 12))
    every = int(np.ceil(1.2 * size / 72 / cell))  # where cells are smaller than letters, only every so many are named
    flat = values_fit and _longest(key_tokens) * 0.09 < cell
    for axis, labels, rotation in ((panel.xaxis, key_tokens, 0 if flat else 90), (panel.yaxis, tokens, 0)):
        shown = range(0, len(labels), every)
        axis.set_ticks([i + 0.5 for i in shown], [labels[i] for i in shown], rotation=rotation, fontsize=size)
    panel.tick_params(length=0)
    return panel.collections[0]


def _label_outer(panel, index, num_panels, columns):
    """Only the outer panels carry token names: all share them."""
    if index % columns == 0:
        panel.set_ylabel("query")
    else:
        panel.set_yticklabels([])
    if index + columns >= num_panels:
        panel.set_xlabel("key")
    else:
        panel.set_xticklabels([])


def _strongest(weights, titles, tokens, key_tokens):
    links = []
    for weight, title in zip(weights, titles, strict=False):
        query, key = np.unravel_index(np.nanargmax(weight), weight.shape)
        links.append(f"{title + ': ' if title else ''}{tokens[query]} → {key_tokens[key]} {weight[query, key]:.2f}")
    return f"Attention weights, rows query, columns key. Strongest: {'; '.join(links)}."


def _check_labels(name, array, axes, *sizes):
    if array.ndim != axes or array.shape[-len(sizes) :] != sizes:
        needed = ", ".join(map(str, ("heads", *sizes) if axes > len(sizes) else sizes))
        raise ValueError(f"{name} of shape {tuple(array.shape)} do not fit the labels: they need shape ({needed}).")


def _colours(number):
    return sns.color_palette("colorblind", number)


def _longest(labels):
    return max(map(len, labels), default=0)


def _with_caption(figure, caption):
    figure.caption = caption
    return figure

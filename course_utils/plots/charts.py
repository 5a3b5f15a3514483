"""Charts: bars of weights, arrows of vectors, context vectors as stacked bars, histograms and patches."""

import matplotlib
import numpy as np

from course_utils.fonts import say
from course_utils.inputs import as_list, as_weights, check_shares
from course_utils.plots.arguments import as_array, as_arrays, as_labels, check_finite, check_shape, check_some, longest
from course_utils.plots.common import GRID, PAGE_WIDTH, hues, new_figure, said, with_caption

BINS = 20  # of a histogram


def attention_bars(rows, tokens, *, label="attention weight", caption=None):
    """Draw the attention weights of one query as bars, in one panel for each case; four or more stand in two columns.

    rows: dict from the name of a case to its weights (num_keys,), or to other shares. tokens: one label per key. label:
    the name of the scale. caption: a text (default: the largest weight of each case). Returns a matplotlib Figure in
    which all panels share one scale.
    Errors: ValueError if there is no row, if a row does not fit the labels, and for weights that are negative or not
    finite.
    """
    tokens = as_labels(tokens)
    rows = as_arrays("rows", rows, "row", len(tokens))
    for name, row in rows.items():
        check_shares(row, f"row {name!r}", finite=True)
    columns = 1 if len(rows) < 4 else 2
    high = -(-len(rows) // columns)
    below = 0.09 * max(0, longest(tokens) - 12)  # long labels would leave the bars no room
    figure = new_figure(PAGE_WIDTH, 0.7 + 1.75 * high + below)
    panels = figure.subplots(high, columns, sharex=True, sharey=True, squeeze=False)
    for panel in panels.flat[len(rows) :]:
        panel.set_visible(False)
    for panel, (name, row) in zip(panels.flat, rows.items(), strict=False):
        bars = panel.bar(range(len(tokens)), row, color=hues(1)[0])
        labels = [f"{value:.2f}" if value >= 0.005 else "" for value in row]
        panel.bar_label(bars, labels, fontsize=11, padding=2)
        panel.set_title(name, loc="left")
        panel.set_ylim(0, 1.18 * max(row.max() for row in rows.values()) or 1)
    flat = longest(tokens) * len(tokens) * columns < 50  # about 50 letters fit side by side
    for panel in panels.flat[len(rows) - columns : len(rows)]:
        panel.set_xticks(range(len(tokens)), tokens, rotation=0 if flat else 45, ha="center" if flat else "right")
        panel.tick_params(labelbottom=True)  # sharex hides the labels of a panel above an empty place
    figure.supylabel(said(label), fontsize=13)
    strongest = [
        say("{name}: most on {key} ({share})", name=name, key=tokens[row.argmax()], share=f"{row.max():.2f}")
        for name, row in rows.items()
    ]
    return with_caption(figure, caption or say("{cases}.", cases=say("; ").join(strongest)))


def vectors(points, labels, *, shadow=None, caption=None):
    """Draw two-dimensional vectors as arrows from the origin.

    points: (n, 2), the (x, y) of each tip. labels: n names. shadow: two of the labels, to draw the projection of the
    first vector onto the line of the second, with its right angle; None for none. caption: a text (default: where the
    arrows end). Returns a matplotlib Figure with equal scales on both axes.
    Errors: ValueError if the points do not have shape (n, 2) or are not finite, and if shadow does not name two labels.
    """
    names = as_list(labels, "labels")
    labels = as_labels(names, "labels")
    points = as_array(points, "points", len(labels), 2)
    check_finite("points", points)
    low, high = np.minimum(points.min(0), 0), np.maximum(points.max(0), 0)
    margin = 0.18 * ((high - low).max() or 1)
    (left, bottom), (right, top) = low - margin, high + (2 * margin, margin)  # room for labels beside the tips
    figure = new_figure(5.5, 0.5 + 5.0 * (top - bottom) / (right - left))
    panel = figure.subplots()
    for point, label, colour in zip(points, labels, hues(len(labels)), strict=True):
        panel.annotate("", point, (0, 0), arrowprops={"arrowstyle": "-|>", "lw": 3, "color": colour, "shrinkB": 0})
        side = "left" if point[0] >= 0 else "right"
        panel.annotate(f" {label} ", point, color=colour, ha=side, va="bottom", fontsize=14, fontweight="bold")
    if shadow is not None:
        if len(shadow) != 2 or not set(shadow) <= set(names):
            raise ValueError(f"shadow must name two of the labels {', '.join(labels)}, got {shadow!r:.80}.")
        _shadow(panel, *(points[names.index(label)] for label in shadow))
    panel.set(xlim=(left, right), ylim=(bottom, top), aspect="equal")
    panel.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(6, integer=True))
    panel.yaxis.set_major_locator(matplotlib.ticker.MaxNLocator(6, integer=True))
    panel.grid(color=GRID)
    panel.axhline(0, color="0.6", lw=1, zorder=0)
    panel.axvline(0, color="0.6", lw=1, zorder=0)
    places = [
        say("{label} at ({x}, {y})", label=label, x=f"{x:.2f}", y=f"{y:.2f}")
        for label, (x, y) in zip(labels, points, strict=True)
    ]
    return with_caption(figure, caption or say("Arrows from the origin: {places}.", places=say(", ").join(places)))


def _shadow(panel, vector, onto):
    """Draw the projection of a vector onto the line of another, `onto`, into an Axes; both are arrays (2,) from 0."""
    along = onto / (np.linalg.norm(onto) or 1)
    foot = (vector @ along) * along
    panel.plot(*np.transpose([(0, 0), foot]), color="0.6", lw=9, solid_capstyle="butt", zorder=0.5)
    panel.plot(*np.transpose([vector, foot]), color="0.4", lw=1.5, linestyle="--", zorder=1)
    up = vector - foot
    if length := np.linalg.norm(up):
        side, back = 0.13 * up / length, np.copysign(0.13, -vector @ along) * along
        panel.plot(*np.transpose([foot + side, foot + side + back, foot + back]), color="0.4", lw=1.5, zorder=1)


def mixture(attn_weights, values, tokens, *, caption=None):
    """Draw a context vector as stacked bars: one bar for each of its numbers, with one part from each token.

    A part is a token's weight times its value. attn_weights: (num_keys,), those of one query. values: (num_keys,
    value_dim). tokens: one label per key. caption: a text (default: the context vector). Returns a matplotlib Figure.
    Errors: ValueError if the labels do not fit, for weights that are negative or not finite, and for values that are
    not finite.
    """
    tokens = as_labels(tokens)
    weights = as_weights(attn_weights)
    check_shape("attn_weights", weights, len(tokens))
    values = as_array(values, "values", len(tokens), "value_dim")
    check_shares(weights, "attn_weights", finite=True)
    check_finite("values", values)
    shares = weights[:, None] * values  # (num_keys, value_dim)
    figure = new_figure(PAGE_WIDTH, 1.6 + 0.75 * values.shape[1])
    panel = figure.subplots()
    # Where the next part begins: positive parts are stacked to the right of 0, negative ones to the left.
    ends = {True: np.zeros(values.shape[1]), False: np.zeros(values.shape[1])}
    for share, token, colour in zip(shares, tokens, hues(len(tokens)), strict=True):
        for positive, end in ends.items():
            part = np.where((share >= 0) == positive, share, 0)
            panel.barh(range(values.shape[1]), part, left=end, color=colour, edgecolor="white", label=token * positive)
            end += part
    panel.set_yticks(range(values.shape[1]), [say("number {number}", number=i + 1) for i in range(values.shape[1])])
    low, high = ends[False].min(), ends[True].max()
    room = 0.05 * (high - low or 1)  # because bars of length 0 at the longest bar's end take away matplotlib's margin
    panel.set_xlim(low - room if low < 0 else 0, high + room)
    panel.invert_yaxis()
    panel.set_xlabel(say("weight × value, summed over the tokens"))
    figure.legend(*panel.get_legend_handles_labels(), loc="outside upper center", ncols=min(len(tokens), 6))
    totals = ", ".join(f"{total:.2f}" for total in shares.sum(0))
    template = "The context vector ({numbers}), each number stacked from the tokens' shares."
    return with_caption(figure, caption or say(template, numbers=totals))


def histograms(samples, *, xlabel, ylabel, low, caption):
    """Draw a histogram of the numbers in each sample, all in the same 20 bins and over one another in one panel.

    samples: dict from a name to its numbers (n,), from 0 on; n may differ. xlabel, ylabel: the labels of the axes; x is
    logarithmic, y the share of a sample in each bin. low: the left end of x, above 0; smaller numbers are counted in
    the first bin. caption: a sentence that says what to see. Returns a matplotlib Figure.
    Errors: ValueError if there is no sample, and for numbers that are below 0 or not finite.
    """
    import seaborn  # imported here, as in draw_cells

    samples = as_arrays("samples", samples, "sample", "n")
    for name, values in samples.items():
        check_shares(values, f"sample {name!r}", finite=True)
    high = max(values.max() for values in samples.values())
    bins = np.geomspace(low, max(high, 2 * low), BINS + 1)
    figure = new_figure(PAGE_WIDTH, 3.6)
    panel = figure.subplots()
    for (name, values), colour in zip(samples.items(), hues(len(samples)), strict=True):
        seaborn.histplot(
            values.clip(low, bins[-1]), bins=bins, stat="proportion", element="step", color=colour, label=name,
            alpha=0.3, ax=panel,
        )  # fmt: skip
    panel.set(xscale="log", xlabel=xlabel, ylabel=ylabel)
    panel.xaxis.set_major_formatter(lambda x, place: f"{'≤ ' if x == low else ''}{x:g}")
    panel.grid(color=GRID)
    panel.set_axisbelow(True)
    panel.legend()
    return with_caption(figure, caption)


def heads_bars(scores, *, label, caption):
    """Draw one number for each head of a model as a bar: one panel for each layer, all on one scale from 0.

    scores: (num_layers, num_heads), from 0 on. label: the name of the scale. caption: a sentence that says what to see.
    Returns a matplotlib Figure.
    Errors: ValueError for another number of axes, for no scores, and for scores that are not finite.
    """
    values = as_array(scores, "scores", "layers", "heads")
    check_finite("scores", values)
    figure = new_figure(PAGE_WIDTH, 3.2)
    panels = figure.subplots(1, len(values), sharey=True, squeeze=False)[0]
    for layer, (panel, row, hue) in enumerate(zip(panels, values, hues(len(values)), strict=True)):
        panel.bar_label(panel.bar(range(len(row)), row, color=hue), fmt="{:.2f}", padding=2)
        panel.set(title=say("layer {layer}", layer=layer), xlabel=say("head"))
        panel.set(xticks=range(len(row)), ylim=(0, 1.15 * values.max() or 1))
    panels[0].set_ylabel(label)
    return with_caption(figure, caption)


def patches(pictures, *, caption):
    """Draw pictures that are cut into patches, side by side, with gaps between the patches.

    pictures: dict from a title to the patches of a picture, (rows, columns, 3, height, width): rows and columns of
    patches, red, green and blue from 0 to 1, height and width of a patch in pixels. caption: a sentence that says what
    is drawn. Returns a matplotlib Figure.
    Errors: ValueError if there is no picture, and for other shapes or numbers.
    """
    check_some("pictures", pictures)
    arrays = {str(title): _with_gaps(title, as_array(cut)) for title, cut in pictures.items()}
    width = min(4.2, PAGE_WIDTH / len(arrays))
    tallest = max(len(array) / array.shape[1] for array in arrays.values())
    figure = new_figure(width * len(arrays), 0.4 + width * tallest)
    panels = figure.subplots(1, len(arrays), squeeze=False)[0]
    for panel, (title, array) in zip(panels, arrays.items(), strict=True):
        panel.imshow(array, interpolation="none")
        panel.set_title(title)
        panel.set_axis_off()
    return with_caption(figure, caption)


def _with_gaps(title, cut):
    """Return patches (rows, columns, 3, height, width) as an image (height, width, 4) with gaps. Errors: ValueError."""
    if cut.ndim != 5 or cut.shape[2] != 3 or 0 in cut.shape:
        raise ValueError(f"picture {title!r} of shape {cut.shape} needs shape (rows, columns, 3, height, width).")
    if not (cut.min() >= 0 and cut.max() <= 1):
        raise ValueError(f"picture {title!r} needs numbers from 0 to 1, got {cut.min():.2f} to {cut.max():.2f}.")
    rows, columns, _, height, width = cut.shape
    gap = max(1, round(width / 8))
    sheet = np.zeros((rows, height + gap, columns, width + gap, 4))
    sheet[:, :height, :, :width, :3] = cut.transpose(0, 3, 1, 4, 2)
    sheet[:, :height, :, :width, 3] = 1
    return sheet.reshape(rows * (height + gap), columns * (width + gap), 4)[:-gap, :-gap]

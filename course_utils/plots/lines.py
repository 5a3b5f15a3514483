"""Charts of lines: curves, how costs grow, and the scores of heads over the steps of a training."""

import matplotlib
import numpy as np

from course_utils.fonts import say
from course_utils.plots.arguments import as_array, as_arrays, check_finite
from course_utils.plots.common import GRID, PAGE_WIDTH, hues, make_drawable, new_figure, with_caption

MARKERS = list("osD^vPX")
DASHES = ["", (4, 1.5), (1, 1), (3, 1.25, 1.5, 1.25)]  # lengths of ink and gap, one style for each layer


def curves(x, series, *, xlabel, ylabel, log_x=False, log_y=False, points=None, caption):
    """Draw one line for each series over the same x, with a colour and, up to 20 points, a marker of its own.

    x: (n,). series: dict from a name to the heights of its line, (n,). xlabel, ylabel: the labels of the axes. log_x,
    log_y: whether an axis is logarithmic, x to base 2. points: dict from a name to (x, y), each (num_points,), drawn as
    grey dots behind the lines; None for none. caption: a sentence that says what to see. Returns a matplotlib Figure.
    Errors: ValueError if there is no series or no point, if a series has another number of points than x, and if the
    x and y of points differ in number or are not finite.
    """
    import seaborn  # imported here, as in draw_cells

    x = as_array(x, "x", "n")
    series = as_arrays("series", series, "series", *x.shape)
    figure = new_figure(PAGE_WIDTH, 4.2)
    panel = figure.subplots()
    markers = (MARKERS * len(series))[: len(series)] if len(x) <= 20 else False
    _draw_lines(panel, x, list(series.values()), list(series), markers=markers, dashes=False)
    for name, (places, heights) in (points or {}).items():
        places = as_array(places, f"x of {name!r}", "points")
        heights = as_array(heights, f"y of {name!r}", *places.shape)
        check_finite(f"x of {name!r}", places)
        check_finite(f"y of {name!r}", heights)
        seaborn.scatterplot(x=places, y=heights, color="0.6", label=name, legend=False, zorder=1, ax=panel)
    panel.set(xlabel=xlabel, ylabel=ylabel)
    if log_x:
        panel.set_xscale("log", base=2)
        panel.xaxis.set_major_formatter(matplotlib.ticker.ScalarFormatter())
    elif len(x) <= 6:
        panel.set_xticks(x)  # a few cases, such as 0 to 4 heads, need no ticks between them
    elif (x == x.round()).all():  # whole numbers, such as positions, need no tick at 2.5
        panel.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator("auto", steps=[1, 2, 5, 10], integer=True))
    if log_y:
        panel.set_yscale("log")
        panel.yaxis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 3)))
        panel.yaxis.set_major_formatter("{x:g}")
        panel.yaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
    panel.grid(color=GRID)
    if len(series) > 1 and len(x) > 20:  # dense lines leave no room for a legend inside
        figure.legend(loc="outside upper center", ncols=min(len(series) + len(points or {}), 4), fontsize=12)
    elif len(series) > 1:
        panel.legend()
    return with_caption(figure, caption)


def growth(sizes, costs, slopes, *, since, xlabel, ylabel, caption):
    """Draw measured costs as points on logarithmic axes, with a straight line of the given slope through each series.

    sizes: (n,), numbers above 0, such as counts of tokens. costs: dict from a name to its measured costs (n,), above 0.
    slopes: dict from each of these names to the slope of its line, as measure.slope returns it. since: a size; the
    lines are drawn over the sizes from this one on. xlabel, ylabel: the labels of the axes, units included.
    caption: a sentence that says what to see. Returns a matplotlib Figure.
    Errors: ValueError for a cost without a slope, and if fewer than two sizes are left from `since` on.
    """
    if missing := [name for name in costs if name not in slopes]:
        raise ValueError(f"slopes has none for {', '.join(map(repr, missing))}: give one for each of costs.")
    if sum(size >= since for size in sizes) < 2:
        raise ValueError(f"since={since} leaves fewer than two of the sizes {list(sizes)!r:.80}: a line needs two.")
    template = "{name}: slope {slope}"
    named = {say(template, name=name, slope=f"{slopes[name]:.2f}"): cost for name, cost in costs.items()}
    figure = curves(sizes, named, xlabel=xlabel, ylabel=ylabel, log_x=True, log_y=True, caption=caption)
    panel, sizes = figure.axes[0], np.asarray(sizes, dtype=float)
    fitted = sizes >= since
    for points, (name, cost) in zip(list(panel.lines), costs.items(), strict=True):
        middle, height = (np.exp(np.log(np.asarray(part, dtype=float)[fitted]).mean()) for part in (sizes, cost))
        line = height * (sizes[fitted] / middle) ** slopes[name]
        panel.plot(sizes[fitted], line, color=points.get_color(), label="_fitted")
        points.set(linestyle="none", markersize=9)
    panel.legend()
    make_drawable(figure)  # the legend is new
    return figure


def heads_over_steps(steps, scores, *, caption):
    """Draw scores of every head over the steps of a training: one panel for each score, one colour for each layer.

    steps: (n,), the numbers of the steps. scores: dict from the name of a score to its values at each step, (n,
    num_layers, num_heads), from 0 to 1. caption: a sentence that says what to see. Returns a matplotlib Figure.
    Errors: ValueError if there is no score, and if a score has another number of steps.
    """
    scores = as_arrays("scores", scores, "scores", len(steps), "layers", "heads")
    figure = new_figure(PAGE_WIDTH, 0.6 + 2.6 * len(scores))
    panels = figure.subplots(len(scores), 1, sharex=True, squeeze=False)[:, 0]
    for panel, (name, values) in zip(panels, scores.items(), strict=True):
        _, num_layers, num_heads = values.shape
        layers = np.repeat([say("heads of layer {layer}", layer=layer) for layer in range(num_layers)], num_heads)
        lines = values.reshape(len(values), -1).transpose()
        _draw_lines(panel, as_array(steps), lines, layers.tolist(), dashes=(DASHES * num_layers)[:num_layers])
        panel.set(title=name, ylim=(0, 1.03), yticks=[0, 0.25, 0.5, 0.75, 1], ylabel=say("mean weight"))
        panel.grid(color=GRID)
    panels[-1].set(xlabel=say("step"), xticks=np.linspace(steps[0], steps[-1], 5))
    panels[0].legend()
    return with_caption(figure, caption)


def _draw_lines(panel, x, lines, groups, **look):
    """Draw lines (num_lines, n) over the same x (n,) into an Axes, those of one group in one colour and style.

    groups: the name of each line's group; only the first line of a group has it as its label in a legend.
    """
    import seaborn  # imported here, as in draw_cells

    names = list(dict.fromkeys(groups))
    table = {
        "x": np.tile(x, len(lines)),
        "y": np.ravel(lines),
        "group": np.repeat(groups, len(x)),
        "line": np.repeat(range(len(lines)), len(x)),
    }
    seaborn.lineplot(
        table, x="x", y="y", hue="group", style="group", units="line", estimator=None, palette=hues(len(names)),
        legend=False, ax=panel, **look,
    )  # fmt: skip
    present = [group for line, group in zip(lines, groups, strict=True) if np.isfinite(line).any()]
    order = sorted(present, key=names.index)  # seaborn draws no line without a number
    for name, colour in zip(names, hues(len(names)), strict=True):
        if name in order:
            panel.lines[order.index(name)].set_label(name)
        else:
            panel.plot([], [], color=colour, label=name)

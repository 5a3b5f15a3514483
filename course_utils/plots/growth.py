"""A chart of costs that grow with size, on logarithmic axes, where a power is a straight line."""

import numpy as np

from course_utils.plots.charts import curves


def growth(sizes, costs, slopes, *, since, xlabel, ylabel, caption):
    """Draw measured costs as points on logarithmic axes, with a straight line of the given slope through each series.

    sizes: (n,). costs: dict from a name to (n,). slopes: dict from a name to the slope of its line, as measure.slope
    returns it. since: the lines are drawn over the sizes from this one on. xlabel, ylabel: the labels of the axes.
    caption: a sentence that says what to see. Returns a Figure.
    Errors: ValueError for a cost without a slope, and if fewer than two sizes are left from `since` on.
    """
    if missing := [name for name in costs if name not in slopes]:
        raise ValueError(f"slopes has none for {', '.join(map(repr, missing))}: give one for each of costs.")
    if sum(size >= since for size in sizes) < 2:
        raise ValueError(f"since={since} leaves fewer than two of the sizes {list(sizes)!r:.80}: a line needs two.")
    named = {f"{name}: slope {slopes[name]:.2f}": cost for name, cost in costs.items()}
    figure = curves(sizes, named, xlabel=xlabel, ylabel=ylabel, log_x=True, log_y=True, caption=caption)
    panel, sizes = figure.axes[0], np.asarray(sizes, dtype=float)
    fitted = sizes >= since
    for points, (name, cost) in zip(list(panel.lines), costs.items(), strict=True):
        middle, height = (np.exp(np.log(np.asarray(part, dtype=float)[fitted]).mean()) for part in (sizes, cost))
        line = height * (sizes[fitted] / middle) ** slopes[name]
        panel.plot(sizes[fitted], line, color=points.get_color(), label="_fitted")
        points.set(linestyle="none", markersize=9)
    panel.legend()
    return figure

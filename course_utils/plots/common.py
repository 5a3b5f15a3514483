"""What all figures share: colours, the size of a page, captions, and a check that labels fit."""

import numpy as np
import seaborn as sns
from matplotlib.figure import Figure

WEIGHTS_MAP = "mako_r"  # one hue from light to dark, even in lightness: read right by colour-blind eyes and in print
SCORES_MAP = "vlag"  # scores have a sign: white at 0, blue below, red above
PAGE_WIDTH = 8.0  # inches: the column of a notebook on a laptop


def as_array(tensor):
    return tensor.detach().cpu().numpy() if hasattr(tensor, "detach") else np.asarray(tensor, dtype=float)


def new_figure(width, height):
    return Figure(figsize=(width, height), layout="constrained")  # not pyplot's: nothing to close, nothing shown twice


def with_caption(figure, caption):
    figure.caption = caption
    return figure


def check_labels(name, array, axes, *sizes):
    if array.ndim != axes or array.shape[-len(sizes) :] != sizes:
        needed = ", ".join(map(str, ("heads", *sizes) if axes > len(sizes) else sizes))
        raise ValueError(f"{name} of shape {tuple(array.shape)} do not fit the labels: they need shape ({needed}).")


def hues(number):
    return sns.color_palette("colorblind", number)


def longest(labels):
    return max(map(len, labels), default=0)

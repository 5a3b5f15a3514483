"""The static picture of a SentenceView, for pages in which no script runs: a sentence with the arcs of one word."""

from typing import NamedTuple

import numpy as np

from course_utils import inputs
from course_utils.widgets.shared.svg import MARK, length, rect, text

WIDTH = 700  # pixels
THICKEST = 15
SIZES = np.arange(22, 12.5, -0.5)
ROOM = {"one line": 75, "several": 35}  # pixels for arcs above a line, if the words take one line or several
CENTRED = 'text-anchor="middle"'


class Place(NamedTuple):
    """The position of a word in pixels: its horizontal middle, its top, and half its width with the space around it."""

    x: float
    top: float
    half: float


def sentence_picture(words, keys, weights, asking, asked):
    """Return (SVG elements, a str; width; height), in pixels, of words with the arcs of one word and its weights.

    words: the labels of the queries. keys: the labels of the keys, drawn on a line below, or None if the words are the
    keys too. asked: whether the chosen word is a key, whose arcs lead to the queries, and not a query. asking: the
    index of the chosen word. weights: its row of weights (num_keys,), or if asked, its column (num_queries,).
    """
    lines = [[inputs.cut(word) for word in line] for line in (words, keys) if line is not None]
    fitting = [size for size in SIZES if all(sum(2 * _half(word, size) for word in line) <= WIDTH for line in lines)]
    size, room = (fitting[0], ROOM["one line"]) if fitting else (SIZES[-1], ROOM["several"])
    places, bottom = [], 0 if keys is None else -room
    for line in lines:
        places.append(_places(line, size, bottom + room, room))
        bottom = places[-1][-1].top + 2.2 * size
    askers, others = (-1, 0) if asked else (0, -1)
    start = places[askers][asking]
    parts = [_arcs(start, places[others], weights, size, room)]
    parts.append(_frame(start, size, f'fill="none" stroke="{MARK}" stroke-width="2"'))
    for word, place in zip(sum(lines, []), sum(places, []), strict=True):
        parts.append(text(place.x, place.top + 0.95 * size, word, size, CENTRED))
    for weight, place in zip(weights, places[others], strict=True):
        if weight >= 0.05:
            parts.append(text(place.x, place.top + 1.95 * size, f"{weight:.2f}", 0.62 * size, CENTRED))
    return "".join(parts), WIDTH, round(bottom)


def _half(word, size):
    return max(length(word, size) / 2 + 0.27 * size, 0.8 * size)  # at least as wide as the number below the word


def _places(line, size, top, room):
    """Return the Place of each word of a line, which is wrapped at the picture's width; top: of its first line."""
    places, x = [], 0
    for word in line:
        half = _half(word, size)
        if x and x + 2 * half > WIDTH:
            x, top = 0, top + 2.2 * size + room
        places.append(Place(x + half, top, half))
        x += 2 * half
    return places


def _frame(place, size, look):
    return rect(place.x - place.half, place.top, 2 * place.half, 1.3 * size, f'rx="4" {look}')


def _arcs(start, ends, weights, size, room):
    """Return the SVG, a str, of an arc to each word with a weight of 0.005 or more, and of a tint on that word."""
    parts = []
    shares = np.nan_to_num(weights).clip(0, 1)
    for share, end in sorted(zip(shares, ends, strict=True)):  # so that the thickest arc is drawn last, on top
        if share >= 0.005:
            look = f'stroke-width="{max(1, THICKEST * share):.1f}" stroke-opacity="{0.35 + 0.5 * share:.2f}"'
            parts.append(f'<path d="{_curve(start, end, size, room)}" {look}/>')
            parts.append(_frame(end, size, f'stroke="none" fill="{MARK}" fill-opacity="{0.6 * share:.2f}"'))
    return f'<g fill="none" stroke="{MARK}">{"".join(parts)}</g>'


def _curve(start, end, size, room):
    """Return the path of the arc from one Place to another, for the attribute d, similar to `arc` in arcs.js."""
    if start == end:
        x, top, _ = start
        points = (x - 5, top), (x - size, top - 1.2 * size), (x + size, top - 1.2 * size), (x + 5, top)
    elif start.top == end.top:
        high = start.top - (room - 10) * (abs(end.x - start.x) / WIDTH) ** 0.5 / 0.75
        points = (start.x, start.top), (start.x, high), (end.x, high), (end.x, end.top)
    else:
        below = (1.3 * size, 0) if start.top < end.top else (0, 1.3 * size)
        begin, stop = start.top + below[0], end.top + below[1]
        points = (start.x, begin), (start.x, (begin + stop) / 2), (end.x, (begin + stop) / 2), (end.x, stop)
    return "M{} C{} {} {}".format(*(f"{x:.1f},{y:.1f}" for x, y in points))

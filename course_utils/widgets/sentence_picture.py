"""The static picture of a SentenceView, for pages in which no script runs: a sentence with the arcs of one word."""

from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw

from course_utils import fonts, inputs
from course_utils.widgets.lettering import length, write

WIDTH = 1400  # pixels, two for each pixel of the page, so that letters are sharp
FINER = 2  # arcs are drawn at twice that size and then scaled down, because Pillow does not smooth their edges
MARK = (0xE8, 0x59, 0x0C)
INK = (0x11, 0x11, 0x11)
THICKEST = 30
SIZES = range(44, 25, -1)
ROOM = {"one line": 150, "several": 70}  # pixels for arcs above a line, if the words take one line or several


class Place(NamedTuple):
    """The position of a word in pixels: its horizontal middle, its top, and half its width with the space around it."""

    x: float
    top: float
    half: float


def sentence_image(words, keys, weights, asking, asked):
    """Return a PIL image of words with the arcs of one word, and its weights as numbers.

    words: the labels of the queries. keys: the labels of the keys, drawn on a line below, or None if the words are the
    keys too. asked: whether the chosen word is a key, whose arcs lead to the queries, and not a query. asking: the
    index of the chosen word. weights: its row of weights (num_keys,), or if asked, its column (num_queries,).
    """
    lines = [words] if keys is None else [words, keys]
    lines = [[inputs.cut(fonts.drawable(word)) for word in line] for line in lines]
    fitting = [size for size in SIZES if all(_width(line, size) <= WIDTH for line in lines)]
    size, room = (fitting[0], ROOM["one line"]) if fitting else (SIZES[-1], ROOM["several"])
    places, bottom = [], 0 if keys is None else -room
    for line in lines:
        places.append(_places(line, size, bottom + room, room))
        bottom = places[-1][-1].top + 2.2 * size
    askers, others = (-1, 0) if asked else (0, -1)
    page = Image.new("RGB", (FINER * WIDTH, FINER * round(bottom)), "white")
    _draw_arcs(ImageDraw.Draw(page), places[askers][asking], places[others], weights, size, room)
    page = page.resize((WIDTH, round(bottom)), Image.Resampling.LANCZOS)
    draw = ImageDraw.Draw(page)
    x, top, half = places[askers][asking]
    draw.rounded_rectangle((x - half, top, x + half, top + 1.3 * size), 8, outline=MARK, width=4)
    for word, place in zip(sum(lines, []), sum(places, []), strict=True):
        write(draw, (place.x, place.top), word, size, INK, anchor="ma")
    for weight, place in zip(weights, places[others], strict=True):
        if weight >= 0.05:
            at = place.x, place.top + 1.35 * size
            write(draw, at, f"{weight:.2f}", round(0.62 * size), INK, anchor="ma")
    return page


def below_one_another(pictures):
    """Return one PIL image with pictures, each WIDTH pixels wide, below one another."""
    page, top = Image.new("RGB", (WIDTH, sum(picture.height for picture in pictures)), "white"), 0
    for picture in pictures:
        page.paste(picture, (0, top))
        top += picture.height
    return page


def _half(word, size):
    """Return half the width of a word with the space around it, in pixels; size: the font size in pixels."""
    return max(length(word, size) / 2 + 0.27 * size, 0.8 * size)  # at least as wide as the number below the word


def _width(line, size):
    """Return the width of a line, a list of words, in pixels; size: the font size in pixels."""
    return sum(2 * _half(word, size) for word in line)


def _places(line, size, top, room):
    """Return a list with the Place of each word of a line, which is wrapped at WIDTH.

    line: a list of words. size: the font size. top: of the first words. room: for the arcs above each line. All three
    are in pixels.
    """
    places, x = [], 0
    for word in line:
        half = _half(word, size)
        if x and x + 2 * half > WIDTH:
            x, top = 0, top + 2.2 * size + room
        places.append(Place(x + half, top, half))
        x += 2 * half
    return places


def _draw_arcs(draw, start, ends, weights, size, room):
    """Draw an arc from a word to each word with a weight of 0.005 or more, and tint that word.

    The larger the weight, the thicker is the arc, and the stronger the colour. draw: an ImageDraw, FINER times as large
    as the picture. start, ends: the Place of the word, and of each of the others. weights: one for each of `ends`.
    size, room: as in `_curve`.
    """
    shares = np.nan_to_num(weights).clip(0, 1)
    for share, end in sorted(zip(shares, ends, strict=True)):  # so that the thickest arc is drawn last, on top
        if share < 0.005:
            continue
        points = [tuple(point) for point in FINER * _curve(start, end, size, room)]
        draw.line(points, _mark(0.35 + 0.5 * share), round(max(2, FINER * THICKEST * share)), joint="curve")
        x, top, half = (FINER * part for part in end)
        draw.rounded_rectangle((x - half, top, x + half, top + FINER * 1.3 * size), 16, fill=_mark(0.6 * share))


def _mark(share):
    """Return the colour MARK mixed with white, as (red, green, blue): white for a share of 0, MARK for 1."""
    return tuple(round(255 + (part - 255) * share) for part in MARK)


def _curve(start, end, size, room):
    """Return 60 points, (60, 2), of the cubic Bézier curve from one Place to another, similar to `arc` in arcs.js.

    size: the font size. room: the height of the space above a line. Both are in pixels.
    """
    if start == end:
        x, top, _ = start
        handles = (x - 10, top), (x - size, top - 1.2 * size), (x + size, top - 1.2 * size), (x + 10, top)
    elif start.top == end.top:
        high = start.top - (room - 20) * (abs(end.x - start.x) / WIDTH) ** 0.5 / 0.75
        handles = (start.x, start.top), (start.x, high), (end.x, high), (end.x, end.top)
    else:
        is_below = start.top < end.top
        begin, stop = (start.top + 1.3 * size, end.top) if is_below else (start.top, end.top + 1.3 * size)
        handles = (start.x, begin), (start.x, (begin + stop) / 2), (end.x, (begin + stop) / 2), (end.x, stop)
    t = np.linspace(0, 1, 60)[:, None]
    a, b, c, d = map(np.array, handles)
    return (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d

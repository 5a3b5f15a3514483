"""A sentence with the arcs of one word, as a picture for where no script runs."""

from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw

from course_utils import fonts, inputs
from course_utils.widgets.lettering import length, write

WIDTH = 1400  # twice as large as it is shown, so that letters are sharp
FINER = 2  # arcs are drawn twice as large again, since Pillow leaves their edges rough
MARK = (0xE8, 0x59, 0x0C)
INK = (0x11, 0x11, 0x11)
THICKEST = 30
SIZES = range(44, 25, -1)
ROOM = {"one line": 150, "several": 70}  # above a line


class Place(NamedTuple):
    """Where a word stands: its middle, its top and half its width, with the space around it."""

    x: float
    top: float
    half: float


def drawn(words, keys, weights, asking, asked):
    """Returns a PIL image: the words, the keys below them if there are any, and the arcs of the word that asks.

    weights: what it gives to each, or, if it is asked, gets from each. asking: its index.
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
    """Returns one PIL image of pictures of one width."""
    page, top = Image.new("RGB", (WIDTH, sum(picture.height for picture in pictures)), "white"), 0
    for picture in pictures:
        page.paste(picture, (0, top))
        top += picture.height
    return page


def _half(word, size):
    return max(length(word, size) / 2 + 0.27 * size, 0.8 * size)  # there is room for a number below


def _width(line, size):
    return sum(2 * _half(word, size) for word in line)


def _places(line, size, top, room):
    """A Place for each word, from left to right, on as many lines as it takes."""
    places, x = [], 0
    for word in line:
        half = _half(word, size)
        if x and x + 2 * half > WIDTH:
            x, top = 0, top + 2.2 * size + room
        places.append(Place(x + half, top, half))
        x += 2 * half
    return places


def _draw_arcs(draw, start, ends, weights, size, room):
    shares = np.nan_to_num(weights).clip(0, 1)
    for share, end in sorted(zip(shares, ends, strict=True)):  # the thickest on top
        if share < 0.005:
            continue
        points = [tuple(point) for point in FINER * _curve(start, end, size, room)]
        draw.line(points, _mark(0.35 + 0.5 * share), round(max(2, FINER * THICKEST * share)), joint="curve")
        x, top, half = (FINER * part for part in end)
        draw.rounded_rectangle((x - half, top, x + half, top + FINER * 1.3 * size), 16, fill=_mark(0.6 * share))


def _mark(share):
    """The colour of the mark, as strong as share, on white."""
    return tuple(round(255 + (part - 255) * share) for part in MARK)


def _curve(start, end, size, room):
    """Points of the cubic curve from the word that asks to another, (60, 2): as arcs.js draws it."""
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

"""Diagrams of boxes and arrows: a general one, three of a transformer's parts, and the path of the course."""

import textwrap

import numpy as np

from course_utils import course
from course_utils.fonts import say
from course_utils.inputs import check_whole
from course_utils.plots.arguments import check_some
from course_utils.plots.common import PAGE_WIDTH, blank, draw_arrow, draw_box, make_drawable, with_caption
from course_utils.theme import COLOURS

ROW = 1.1  # inches: the height of a row in path


def diagram(boxes, arrows, *, size, caption):
    """Draw labelled boxes and the arrows between them.

    boxes: dict from a name to (x, y, text); x and y are the middle of the box, in inches from the lower left corner. A
    box whose name is in theme.COLOURS, such as query, key or value, has a broad edge in that colour.
    arrows: a list of (from, to, label), where from and to are names of boxes; label is a str, "" for none.
    size: (width, height) of the figure in inches. caption: the content of the diagram in words.
    Returns a matplotlib Figure. Errors: ValueError for an arrow from or to a name that is not in boxes.
    """
    for start, end, _ in arrows:
        if not {start, end} <= set(boxes):
            raise ValueError(f"an arrow goes from {start!r} to {end!r}, but the boxes are {', '.join(boxes)}.")
    figure, panel = blank(*size)
    line, look = COLOURS["box"].light, {"boxstyle": "round,pad=0.5", "facecolor": COLOURS["paper"].light}
    texts = {}
    for name, (x, y, text) in boxes.items():
        box = look | {"edgecolor": COLOURS.get(name, COLOURS["box"]).light, "linewidth": 3 if name in COLOURS else 1.5}
        texts[name] = panel.text(x, y, text, ha="center", va="center", fontsize=12, linespacing=1.4, bbox=box)
    make_drawable(figure)
    figure.draw_without_rendering()  # a text gets the box that arrows start from only when it is laid out
    for start, end, label in arrows:
        arrow = {"arrowstyle": "-|>", "lw": 1.8, "color": line, "patchA": texts[start].get_bbox_patch()}
        arrow |= {"patchB": texts[end].get_bbox_patch(), "shrinkA": 2, "shrinkB": 2}
        panel.annotate("", boxes[end][:2], boxes[start][:2], arrowprops=arrow)
        middle = np.mean([boxes[start][:2], boxes[end][:2]], axis=0)
        panel.annotate(label, middle, ha="left", va="bottom", fontsize=12, color=line)
    return with_caption(figure, caption)


def residual_path():
    """Return a captioned matplotlib Figure of the residual path that the two layers of a model read and add to."""
    boxes = {
        "tokens": (0.7, 1.9, say("tokens")), "tables": (2.3, 1.9, say("embedding\n+ positions")),
        "one": (4.2, 0.6, say("layer norm\n4 heads")), "add": (4.2, 1.9, say("add")),
        "two": (5.9, 0.6, say("layer norm\n4 heads")), "again": (5.9, 1.9, say("add")),
        "out": (7.3, 1.9, say("layer norm\nread-out")),
    }  # fmt: skip
    ways = "tokens tables, tables add, tables one, one add, add again, add two, two again, again out"
    arrows = [(*way.split(), "") for way in ways.split(", ")]
    caption = say("The residual path runs straight through. Two layers read from it, and add what they find.")
    return diagram(boxes, arrows, size=(PAGE_WIDTH, 2.6), caption=caption)


def induction_plan():
    """Return a captioned matplotlib Figure of how two heads, in turn, predict the next letter of a repeated word."""
    boxes = {
        **{name: (0.6 + 1.2 * i, 0.5, name) for i, name in enumerate(["P", "L", "A", "N E T S"])},
        "P again": (5.4, 0.5, "P"), "L again": (6.6, 0.5, "L"),
        "note": (3.0, 1.9, say("an earlier head notes:\nA, after L")),
        "guess": (6.6, 2.9, say("a later head adds:\nL, next is A")),
    }  # fmt: skip
    arrows = [("L", "note", ""), ("A", "note", ""), ("note", "guess", ""), ("L again", "guess", "")]
    caption = say(
        "The plan. First A looks one step back, and notes that it comes after L. "
        "Then the second L asks who comes after L, and A answers."
    )
    return diagram(boxes, arrows, size=(PAGE_WIDTH, 3.5), caption=caption)


def translation_path():
    """Return a captioned matplotlib Figure of a model that translates by cross-attention between two sequences."""
    boxes = {
        "source": (1.6, 0.4, say("the original")), "reads": (1.6, 1.45, say("asks itself\nmask: its padding")),
        "kept": (1.6, 2.65, say("made once, kept:\nkeys and values")),
        "target": (6.0, 0.4, say("the translation so far")),
        "writes": (6.0, 1.45, say("asks itself\nmask: the future")),
        "cross": (6.0, 2.65, say("cross-attention\nmask: the original's padding")),
        "next": (6.0, 3.75, say("the next word")),
    }  # fmt: skip
    arrows = [
        (*way.split(), "") for way in "source reads, reads kept, kept cross, target writes, cross next".split(", ")
    ]
    arrows += [("writes", "cross", say(" queries"))]
    caption = say(
        "Where cross-attention stands in a model that translates. On the left the original is read once. On the right "
        "the translation is written word by word; its queries meet the keys and values of the original."
    )
    return diagram(boxes, arrows, size=(PAGE_WIDTH, 4.1), caption=caption)


def path(steps, columns, *, caption):
    """Draw a sequence of steps as boxes of one size, row by row, with an arrow from each to the next.

    steps: a list of texts. columns: the number of boxes in a row. caption: the content in words.
    Returns a matplotlib Figure.
    Errors: ValueError if there are no steps, and if columns is not a whole number of at least 1.
    """
    check_whole("columns", columns)
    check_some("steps", steps)
    rows = -(-len(steps) // columns)
    figure, panel = blank(PAGE_WIDTH, ROW * rows)
    apart = PAGE_WIDTH / columns
    wide, tall = apart - 0.35, ROW - 0.35
    for index, words in enumerate(steps):
        row, column = divmod(index, columns)
        x, y = (column + 0.5) * apart, ROW * (rows - row - 0.5)
        draw_box(panel, x - wide / 2, y - tall / 2, wide, tall)
        panel.text(x, y, words, ha="center", va="center", fontsize=12, linespacing=1.3)
        if index + 1 == len(steps):
            break
        if column + 1 < columns:
            draw_arrow(panel, (x + wide / 2, y), (x + apart - wide / 2, y))
        else:  # the arrow to the next row goes down, back through the gap between the rows, and down again
            gap = y - ROW / 2
            panel.plot([x, x, apart / 2], [y - tall / 2, gap, gap], color=COLOURS["box"].light, lw=1.6)
            draw_arrow(panel, (apart / 2, gap), (apart / 2, gap - (ROW - tall) / 2))
    return with_caption(figure, caption)


def course_path(columns=4):
    """Draw the notebooks of the course, with number and title, as boxes in rows, with an arrow from each to the next.

    columns: the number of boxes in a row. Returns a matplotlib Figure with a caption.
    Errors: ValueError if columns is not a whole number of at least 1.
    """
    listed = course.notebooks()
    titles = [f"{int(one.number)}  {say(one.title)}" for one in listed]
    # A letter of Chinese is wider than a Latin one; a translated title has spaces where a line may end.
    steps = ["\n".join(textwrap.wrap(title, 17 if title.isascii() else 11)) for title in titles]
    template = "The path of the course, from {first} to {last}."
    caption = say(template, first=say(listed[0].title), last=say(listed[-1].title))
    return path(steps, columns, caption=caption)

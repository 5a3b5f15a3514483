"""The flow diagram of the course, from inputs to context vectors. Each topic adds parts, whose places never change."""

import itertools
from typing import NamedTuple

from course_utils.fonts import say
from course_utils.plots.common import PAGE_WIDTH, blank, draw_arrow, draw_box, with_caption
from course_utils.theme import COLOURS

HIGH = 4.9  # inches: the height of the figure
BOX_HEIGHT = 0.5
CHOSEN = COLOURS["chosen"].light
CENTRED = {"ha": "center", "va": "center", "fontsize": 12.5}  # the text of a part


class Part(NamedTuple):
    """A box of the flow diagram.

    x, y: its middle, in inches from the lower left corner. width: in inches. words: its text, in English.
    """

    x: float
    y: float
    width: float
    words: str


# Name -> Part. The column from scores down to mix is one head; the place of a part stays empty until its topic comes.
PARTS = {
    "inputs": Part(0.75, 3.05, 1.0, "inputs"),
    "position": Part(0.75, 4.35, 1.1, "+ position"),
    "second": Part(0.75, 1.15, 1.1, "a second\nsequence"),
    "query": Part(2.4, 4.35, 1.05, "queries"),
    "key": Part(2.4, 3.05, 1.05, "keys"),
    "value": Part(2.4, 0.4, 1.05, "values"),
    "cache": Part(2.4, 1.75, 1.05, "cache"),
    "split": Part(3.42, 2.4, 0.3, "split"),
    "scores": Part(4.6, 4.35, 1.2, "scores"),
    "scale": Part(4.6, 3.56, 1.36, "÷ √head_dim"),
    "mask": Part(4.6, 2.77, 1.2, "mask"),
    "softmax": Part(4.6, 1.98, 1.2, "softmax"),
    "dropout": Part(4.6, 1.19, 1.2, "dropout"),
    "mix": Part(4.6, 0.4, 1.2, "mix"),
    "merge": Part(6.2, 0.4, 1.08, "side by side"),
    "out_proj": Part(7.45, 0.4, 0.9, "out_proj"),
    "add": Part(7.45, 1.19, 0.9, "+ inputs"),
    "feed_forward": Part(7.45, 2.13, 0.9, "feed-\nforward"),
}
CHAIN = ("scores", "scale", "mask", "softmax", "dropout", "mix")
# Topic -> the names of the parts that it adds or changes, which are highlighted. "inputs" is there from the start.
STATES = {
    "dot_product_attention": ("scores", "softmax", "mix"),
    "softmax_and_scaling": ("scale",),
    "trainable_qkv": ("query", "key", "value"),
    "causal_masking": ("mask",),
    "dropout": ("dropout",),
    "several_heads": ("heads", "merge", "out_proj"),
    "the_reshape": ("split", "merge"),
    "padding_and_cross_attention": ("second", "mask"),
    "positions": ("position", "query", "key", "scores"),
    "fast_and_long": ("cache",),
    "a_language_model": ("add", "feed_forward"),
}
# Topic -> the text beside the chain that says what is new.
NEWS = {
    "dot_product_attention": "each word asks\nall words",
    "softmax_and_scaling": "the root keeps\nthe scores small\nat any width",
    "trainable_qkv": "three matrices:\nwho asks,\nwho answers, what\nis delivered",
    "causal_masking": "what lies ahead\nis closed, before\nsoftmax",
    "dropout": "in training,\nconnections are cut\nby chance",
    "several_heads": "the chain several\ntimes, each with its\nown three matrices",
    "the_reshape": "three large\nproducts, split\ninto heads, and\nmerged again",
    "padding_and_cross_attention": "keys and values\nfrom elsewhere;\nthe mask closes\npadding",
    "positions": "places: with inputs,\nas a turn, or\nat the scores",
    "fast_and_long": "keys and values\nof the past are\nkept",
    "a_language_model": "30 such layers; then\na table gives scores\nfor the next token",
}
COLOURED = ("query", "key", "value")
ROLES = {"query": "asks", "key": "is asked", "value": "is mixed", "merge": "context\nvectors"}


def flow(topic, *, caption=None):
    """Draw the flow from inputs to context vectors up to a topic of the course, and highlight what the topic adds.

    topic: the topic of a notebook, a key of STATES such as "causal_masking". caption: a text; None: a list of the steps
    in their order, and of the new parts. Returns a matplotlib Figure.
    Errors: ValueError for a topic that is no key of STATES, since it adds nothing to the diagram.
    """
    if topic not in STATES:
        raise ValueError(f"there is no state {topic!r} of the diagram. There are: {', '.join(STATES)}.")
    reached = list(STATES)[: list(STATES).index(topic) + 1]
    fresh = STATES[topic]
    known = {"inputs"}.union(*(STATES[name] for name in reached))
    there = [name for name in PARTS if name in known and (name != "second" or name in fresh)]
    figure, panel = blank(PAGE_WIDTH, HIGH)
    if "several_heads" in reached:
        _draw_heads(panel, "heads" in fresh)
    for start, end in _arrows(there):
        draw_arrow(panel, *_ends(start, end, there))
    for name in there:
        _draw_part(panel, name, name in fresh, _words(name, there))
    for name in (role for role in ROLES if role not in there):  # before its box appears, a part is named by its role
        _draw_role(panel, name)
    panel.text(5.75, 3.0, say(NEWS[topic]), fontsize=13, color=CHOSEN, va="center", linespacing=1.5, gid="new")
    panel.text(5.75, 3.85, say("new"), fontsize=13, color=CHOSEN, va="center", fontweight="bold")
    return with_caption(figure, caption or _default_caption(there, fresh))


def _words(name, there):
    """Return the text of a part, a key of PARTS: it is "merge" for that part once the part "split" is drawn."""
    return say("merge") if name == "merge" and "split" in there else say(PARTS[name].words)


def _arrows(there):
    """Return pairs of keys of PARTS, (from, to); an arrow may end at a role, where a box is not drawn yet."""
    chain = [name for name in CHAIN if name in there]
    asked = "second" if "second" in there else "inputs"
    pairs = [*itertools.pairwise(chain), ("inputs", "query"), ("query", "scores"), (asked, "key"), ("key", "scores")]
    pairs += [(asked, "value"), ("value", "mix"), ("mix", "merge")]
    more = (("position", "inputs"), ("key", "cache"), ("value", "cache"), ("merge", "out_proj"), ("out_proj", "add"))
    more += (("add", "feed_forward"),)
    return pairs + [pair for pair in more if set(pair) <= set(there)]


def _ends(start, end, there):
    """Return the ends of an arrow, ((x, y), (x, y)) in inches, at the edges of boxes or beside a role."""
    (x, y), (to_x, to_y) = ((PARTS[name].x, PARTS[name].y) for name in (start, end))
    half, to_half = PARTS[start].width / 2 + 0.07, PARTS[end].width / 2 + 0.07
    if abs(to_x - x) < 0.1:  # straight down, or up
        step = (BOX_HEIGHT / 2 + 0.07) * (1 if to_y > y else -1)
        ends = (x, y + step), (to_x, to_y - step)
    else:
        ends = (x + half, y), (to_x - to_half, to_y)
    if start not in there:
        ends = (x + 0.4, y), ends[1]
    if end not in there:
        ends = ends[0], (to_x - 0.4, to_y)
    return ends


def _draw_part(panel, name, is_new, words):
    """Draw the box of a part into an Axes, the panel. name: a key of PARTS. is_new: highlight it. words: its text."""
    part = PARTS[name]
    tall = 4.4 if name == "split" else 0.65 if "\n" in words else BOX_HEIGHT
    edge = "chosen" if is_new else name if name in COLOURED else "box"
    paper, line = ("fresh", 3) if is_new else ("paper", 2 if name in COLOURED else 1.5)
    place = (part.x - part.width / 2, part.y - tall / 2, part.width, tall)
    draw_box(panel, *place, paper=paper, edge=edge, line=line, zorder=2)
    ink = COLOURS[name].light if name in COLOURED else "black"
    turn = 90 if name == "split" and words.isascii() else 0
    words = "\n".join(words) if name == "split" and not turn else words  # Chinese stands upright in a narrow box
    panel.text(part.x, part.y, words, color=ink, rotation=turn, zorder=3, gid=name, **CENTRED)


def _draw_role(panel, name):
    part, ink = PARTS[name], COLOURS[name if name in COLOURED else "box"].light
    panel.text(part.x, part.y, say(ROLES[name]), style="italic", color=ink, **CENTRED)


def _draw_heads(panel, is_new):
    """Draw three empty boxes behind the chain of boxes, one over another: they stand for the other heads."""
    paper, edge = ("fresh", "chosen") if is_new else ("white", "box")
    for shift in (0.24, 0.16, 0.08):
        draw_box(panel, 3.75 + shift, 0.02 + shift, 1.55, 4.55, paper=paper, edge=edge, line=1, zorder=0)


def _default_caption(there, fresh):
    lines = {name: _words(name, there).replace("-\n", "-").replace("\n", " ") for name in PARTS}
    steps = [lines[name] for name in CHAIN if name in there]
    new = [say("more heads") if name == "heads" else lines[name] for name in fresh]
    template = "From inputs to context vectors: {steps}. New here: {new}."
    return say(template, steps=say(", ").join(steps), new=say(", ").join(new))

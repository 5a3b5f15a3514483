"""The list of the course: its notebooks in order, and the exercises of each."""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

# From each notebook of version 0.1, of which learners may still have copies, to the topics of those that replace it.
BEFORE = {
    "00_start_here": ("start_here",), "01_dot_product_attention": ("dot_product_attention",),
    "02_softmax_and_scaling": ("softmax_and_scaling",), "03_trainable_qkv": ("trainable_qkv",),
    "04_causal_masking": ("causal_masking",), "05_dropout": ("dropout",),
    "06_multi_head": ("several_heads", "the_reshape"),
    "07_padding_and_cross_attention": ("padding_and_cross_attention",),
    "08_pytorch_attention": ("pytorch_attention", "fast_and_long"), "09_watch_heads_learn": ("watch_heads_learn",),
    "10_real_heads": ("real_heads",), "11_debug_clinic": ("debug_clinic",),
}  # fmt: skip


class Notebook(NamedTuple):
    """A notebook of the course.

    file: the name of its file without folder and suffix. title, question: the text of its heading, and the question
    that it answers. minutes: how long, as "45". exercises: their names as in `checks.<name>`, in the page's order.
    """

    file: str
    title: str
    question: str
    minutes: str
    exercises: tuple

    @property
    def number(self):
        """Return its number in the course as a str of two digits, with which its file name begins: "04"."""
        return self.file[:2]

    @property
    def topic(self):
        """Return its topic, the rest of the file name, which stays when its number changes: "causal_masking"."""
        return self.file[3:]


@cache
def notebooks():
    """Return the notebooks of the course, as course.json lists them in order, as a tuple of Notebook; cached."""
    listed = json.loads(Path(__file__).with_name("course.json").read_text("utf-8"))
    return tuple(Notebook(**{**one, "exercises": tuple(one["exercises"])}) for one in listed)

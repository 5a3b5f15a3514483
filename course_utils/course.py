"""The list of the course: its notebooks in order, and the exercises of each."""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

# The notebooks of version 1 by their numbers: the topics that each had. Learners keep their copies.
BEFORE = {
    "00": ("start_here",),
    "01": ("dot_product_attention",),
    "02": ("softmax_and_scaling",),
    "03": ("trainable_qkv",),
    "04": ("causal_masking",),
    "05": ("dropout",),
    "06": ("multi_head",),
    "07": ("padding_and_cross_attention",),
    "08": ("pytorch_attention",),
    "09": ("watch_heads_learn",),
    "10": ("real_heads",),
    "11": ("debug_clinic",),
}


class Notebook(NamedTuple):
    """One notebook. file: its name without folder and ending. exercises: as in `checks.<name>`, in the page's order."""

    file: str
    title: str
    question: str
    minutes: str
    exercises: tuple

    @property
    def number(self):
        """Its place in the course, as its file name begins: "04"."""
        return self.file[:2]

    @property
    def topic(self):
        """What it is about, in a word that does not change with its place: "causal_masking"."""
        return self.file[3:]


@cache
def notebooks():
    """Returns the notebooks of the course in order, as a tuple of Notebook."""
    listed = json.loads(Path(__file__).with_name("course.json").read_text("utf-8"))
    return tuple(Notebook(**{**one, "exercises": tuple(one["exercises"])}) for one in listed)

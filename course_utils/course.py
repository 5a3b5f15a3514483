"""The list of the course: its notebooks in order, and the exercises of each."""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple


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

"""The list of the course: its notebooks in order, and the exercises of each."""

import json
from functools import cache
from typing import NamedTuple

from course_utils import lessons


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
    listed = json.loads((lessons.FOLDER / "course.json").read_text("utf-8"))
    return tuple(Notebook(**{**one, "exercises": tuple(one["exercises"])}) for one in listed)

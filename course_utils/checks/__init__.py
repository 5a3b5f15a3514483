"""Checks of the exercises: `checks.scores(my_scores)` says whether the answer is right, and if not, what went wrong.

The exercises stand in `course_utils.exercises`, a file for each; one is loaded when it is first asked for.
"""

import importlib
import importlib.util

from course_utils import course

from .record import Overview


def all():
    """Every exercise by its name, in the order of the course: each with .check(answer), .solution and .mistakes."""
    return {exercise.name: exercise for exercises in by_notebook().values() for exercise in exercises}


def by_notebook():
    """The exercises of each notebook, as a dict from "01" to a list in the order of the page."""
    return {one.number: [_load(one.topic, name) for name in one.exercises] for one in course.notebooks()}


def progress():
    """Show which exercises of the course are passed, and where that is kept."""
    return Overview(by_notebook()).show()


def _load(topic, name):
    return importlib.import_module(f"course_utils.exercises.{topic}.{name}").exercise


def __getattr__(name):
    if name.startswith("__") or importlib.util.find_spec(f"{__name__}.{name}"):
        raise AttributeError(name)  # `from . import words` asks here before it loads the module
    listed = {exercise: one.topic for one in course.notebooks() for exercise in one.exercises}
    if name not in listed:
        raise AttributeError(f"there is no check {name!r}. There are: {', '.join(listed)}.")
    return _load(listed[name], name)


def __dir__():
    return ["all", "progress", *(name for one in course.notebooks() for name in one.exercises)]

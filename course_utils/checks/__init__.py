"""Checks of the exercises: `checks.scores(my_scores)` shows whether the answer is right, and if not, what went wrong.

Each exercise has a file of its own in `course_utils.lessons`, which is imported when the exercise is first used.
"""

import importlib
import importlib.util
import sys

from course_utils import course


def all():
    """Import every exercise's file; return a dict from an exercise's name to its Exercise, in the order of the course.

    An Exercise has .check(answer), .solution and .mistakes.
    """
    return {exercise.name: exercise for exercises in by_notebook().values() for exercise in exercises}


def by_notebook() -> dict:
    """Import every exercise's file; return a dict from a notebook's number, "01", to the list of its Exercises.

    Both are in the order of the course.
    """
    notebooks = course.notebooks()
    return {notebook.number: [_load(notebook.topic, name) for name in notebook.exercises] for notebook in notebooks}


def progress():
    """Display how far the learner has come, with links to the exercises; return the overview.Overview."""
    from .overview import Overview  # not above: this package is imported without torch

    return Overview(by_notebook()).show()


def _load(topic: str, name: str):
    """Import `course_utils.lessons.<topic>.exercises.<name>`, the file of one exercise, and return its Exercise."""
    from . import settings  # not above: this package is imported without torch

    module = f"course_utils.lessons.{topic}.exercises.{name}"
    if module not in sys.modules:
        with settings.own():  # the file may make tensors
            importlib.import_module(module)
    return sys.modules[module].exercise


def __getattr__(name):
    """Return the Exercise with this name, after an import of its file. Errors: AttributeError for any other name."""
    if name.startswith("__") or importlib.util.find_spec(f"{__name__}.{name}"):
        raise AttributeError(name)  # `from . import messages` calls __getattr__ before it imports the submodule
    topics = {exercise: notebook.topic for notebook in course.notebooks() for exercise in notebook.exercises}
    if name not in topics:
        raise AttributeError(f"there is no check {name!r}. There are: {', '.join(topics)}.")
    return _load(topics[name], name)


def __dir__():
    return ["all", "progress", *(name for notebook in course.notebooks() for name in notebook.exercises)]

"""Checks of the exercises: `checks.scores(my_scores)` says whether the answer is right, and if not, what went wrong."""

import importlib.util
import pkgutil

from .exercise import Exercise
from .record import Overview


def all():
    """Every exercise by its name, in the order of the course: each with .check(answer), .solution and .mistakes."""
    return {exercise.name: exercise for exercises in by_notebook().values() for exercise in exercises}


def by_notebook():
    """The exercises of each notebook, as a dict from "01" to a list; one that several modules know is listed once."""
    found, seen = {}, set()
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name.startswith("notebook_")):
        exercises = found.setdefault(name[9:11], [])
        for one in vars(importlib.import_module(f".{name}", __name__)).values():
            if isinstance(one, Exercise) and one not in seen:
                seen.add(one)
                exercises.append(one)
    return found


def progress():
    """Show which exercises of the course are passed, and where that is kept."""
    return Overview(by_notebook()).show()


def __getattr__(name):
    if name.startswith("__") or importlib.util.find_spec(f"{__name__}.{name}"):
        raise AttributeError(name)  # `from . import steps` asks here before it loads the module
    exercises = all()
    if name not in exercises:
        raise AttributeError(f"there is no check {name!r}. There are: {', '.join(exercises)}.")
    return exercises[name]


def __dir__():
    return ["all", "progress", *all()]

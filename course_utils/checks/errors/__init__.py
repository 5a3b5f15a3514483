"""Explanations for learners of the errors that PyTorch and Python raise.

A row of ROWS has either a template for `StoppedCode.sentence`, in which the named groups of the row's pattern are
places, or a function, which takes the StoppedCode and these groups, texts or None, as keyword arguments. The function
yields the sentences of its explanation, or nothing where it has nothing to say, most often because it does not know the
values; then the next matching row is tried.
"""

import re

from ..sentences import together
from . import arguments, broadcasting, calls, foreign_call, masks, modules, names, products, shapes, wrong_types
from .caught import Caught, catch, in_code_of_the_learner, summary
from .stopped import StoppedCode

__all__ = ["Caught", "catch", "explain", "in_code_of_the_learner", "on_purpose", "summary"]

# (exception types, pattern of the message, its explanation); the first row that explains the error is taken.
MODULES = [modules, calls, products, broadcasting, shapes, masks, wrong_types, names, arguments, foreign_call]
ROWS = [row for module in MODULES for row in module.ROWS]


def explain(error, namespace: dict) -> str | None:
    """Return an explanation of an error for a learner, or None where there is nothing to add. Never raise.

    error: a Caught, or the exception with its traceback. namespace: the globals of the learner's code, which identify
    the learner's frames. If the explanation itself fails, return None.
    """
    try:
        return _first(StoppedCode(error if type(error) is Caught else Caught(error), namespace))
    except Exception:  # a failing explanation must not take the place of the learner's error
        return None


def on_purpose(error: Caught, namespace: dict) -> bool:
    """Return whether a `raise` or `assert` statement in the learner's own code, with these globals, raised an error."""
    return StoppedCode(error, namespace).on_purpose


def _first(stop: StoppedCode) -> str | None:
    """Return the explanation by the first row of ROWS that has one; None if no row has, or it is raised on purpose."""
    if stop.on_purpose:
        return None
    for kinds, pattern, explain in ROWS:
        if stop.error.is_a(kinds) and (match := re.search(pattern, stop.message)):
            groups = match.groupdict()
            if isinstance(explain, str):
                return stop.sentence(explain, **groups)
            if explanation := together(*explain(stop, **groups)):
                return explanation
    return None

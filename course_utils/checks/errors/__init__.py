"""Explanations for learners of the errors that PyTorch and Python raise.

A row of ROWS has either a template for `Stop.sentence`, in which the named groups of the row's pattern are places, or a
function, which takes the Stop and these groups as keyword arguments. The function yields the sentences of its
explanation, or nothing where it has nothing to say, most often because it does not know the values; then the next
matching row is tried.
"""

import re

from . import (
    arguments,
    broadcasting,
    calls,
    foreign_call,
    joined,
    masks,
    modules,
    names,
    products,
    pytorch_attention,
    shapes,
    wrong_types,
)
from .caught import Caught, catch, in_code_of_the_learner, summary
from .stopped import Stop

__all__ = ["Caught", "catch", "explain", "in_code_of_the_learner", "on_purpose", "summary"]

# (exception types, pattern of the message, its explanation); the first row that explains the error is taken.
# The rows for PyTorch's own attention come first, because products and masks inside it fail with the usual messages.
MODULES = [modules, pytorch_attention, calls, products, broadcasting, shapes, joined, masks, wrong_types]
ROWS = [row for module in [*MODULES, names, arguments, foreign_call] for row in module.ROWS]


def explain(error, namespace):
    """Return an explanation of an error for a learner, or None where there is nothing to add, or it fails.

    error: a Caught, or the exception with its traceback. namespace: the globals of the learner's code, which identify
    the learner's frames.
    """
    try:
        return _first(Stop(error if type(error) is Caught else Caught(error), namespace))
    except Exception:  # a failing explanation must not take the place of the learner's error
        return None


def on_purpose(error, namespace):
    """Return whether a `raise` or `assert` in the learner's own code, with these globals, raised a Caught, `error`."""
    return Stop(error, namespace).on_purpose


def _first(stop):
    """Return the first explanation of a Stop by a row of ROWS, or None, also for an error raised on purpose."""
    if stop.on_purpose and "must derive from BaseException" not in stop.message:
        return None
    for kinds, pattern, explain in ROWS:
        if stop.error.is_a(kinds) and (match := re.search(pattern, stop.message)):
            groups = match.groupdict()
            if isinstance(explain, str):
                return stop.sentence(explain, **groups)
            if explanation := " ".join(explain(stop, **groups)):
                return explanation
    return None

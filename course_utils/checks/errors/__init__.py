"""Explanations for learners of the errors that PyTorch and Python raise.

A function in ROWS takes a Stop and the `re.Match` of its row's pattern in the error's message. It returns a sentence
for the learner, or None where it has nothing to say; then the next matching row is tried.
"""

import re

from . import broadcasting, calls, foreign_call, masks, modules, names, products, shapes, wrong_types
from .caught import Caught, caught, in_code_of_the_learner, summary
from .stopped import Stop

__all__ = ["Caught", "caught", "explained", "in_code_of_the_learner", "on_purpose", "summary"]

# (exception types, pattern of the message, function that explains it); the first row that explains the error is taken.
# The rows for PyTorch's own attention come first, because products and masks inside it fail with the usual messages.
ROWS = [
    *modules.ROWS,
    *calls.ROWS,
    *products.ROWS,
    *broadcasting.ROWS,
    *shapes.ROWS,
    *masks.ROWS,
    *wrong_types.ROWS,
    *names.ROWS,
    *foreign_call.ROWS,
]


def explained(error, namespace):
    """Return an explanation of an error in words for a learner, or None where there is nothing to add to Python's.

    error: a Caught, or the exception with its traceback. namespace: the globals of the learner's code, which identify
    the learner's frames. None comes back also if the explanation itself fails.
    """
    try:
        return _first(Stop(error if type(error) is Caught else Caught(error), namespace))
    except Exception:  # a failing explanation must not take the place of the learner's error
        return None


def on_purpose(error, namespace):
    """Return whether a `raise` or `assert` in the learner's own code raised an error.

    error: a Caught. namespace: the globals of the learner's code.
    """
    return Stop(error, namespace).on_purpose


def _first(stop):
    """Return the explanation, a text, of the first row in ROWS that has one, or None. stop: a Stop.

    For an error that the learner's own `raise` or `assert` raises on purpose, there is none.
    """
    if stop.on_purpose and "must derive from BaseException" not in stop.message:
        return None
    for kinds, pattern, explain in ROWS:
        if stop.error.is_a(kinds) and (match := re.search(pattern, stop.message)):
            if explanation := explain(stop, match):
                return explanation
    return None

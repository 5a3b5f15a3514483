"""What stops with PyTorch's or Python's own message, told to a learner in words."""

import re

from . import calls, handed, masks, modules, names, pairs, products, shapes, types
from .caught import Caught, caught, in_code_of_the_learner, summary
from .stopped import Stop

__all__ = ["Caught", "caught", "explained", "in_code_of_the_learner", "on_purpose", "summary"]

# (types of the error, what its message says, what makes the sentence of it); the first that finds words is taken.
# PyTorch's own attention comes first: within it, products and masks fail as they do elsewhere.
ROWS = [
    *modules.ROWS,
    *calls.ROWS,
    *products.ROWS,
    *pairs.ROWS,
    *shapes.ROWS,
    *masks.ROWS,
    *types.ROWS,
    *names.ROWS,
    *handed.ROWS,
]


def explained(error, namespace):
    """What stopped, in words for a learner, or None where nothing better can be said than Python says itself.

    error: a Caught, or the exception with its traceback. namespace: the globals of the learner's code, by which its
    frames are known.
    """
    try:
        return _first(Stop(error if type(error) is Caught else Caught(error), namespace))
    except Exception:  # words about an error must never be the next one
        return None


def on_purpose(error, namespace):
    """Whether a `raise` or `assert` of the learner's own stopped it."""
    return Stop(error, namespace).on_purpose


def _first(stop):
    if stop.on_purpose and "must derive from BaseException" not in stop.message:
        return None
    for kinds, pattern, words in ROWS:
        if stop.error.is_a(kinds) and (found := re.search(pattern, stop.message)):
            if said := words(stop, found):
                return said
    return None

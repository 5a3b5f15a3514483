"""Labels that stand for values in a sentence: a shape, the kind of thing that a value is, names as code."""

import torch

from ..sentences import sentence
from .safe_value import TENSORS, UNKNOWN

KINDS = {"list": "a list", "tuple": "a tuple", "str": "a text", "ndarray": "a NumPy array", "Size": "a shape"}
KINDS["function"] = "a function"


def shape(tensor):
    """Return the shape of a tensor as text, such as "(2, 3)"."""
    return f"{tuple(tensor.shape)}"


def kind(value):
    """Return in words what kind of thing a value is, such as "a tensor of shape (2, 3)"; None if it is UNKNOWN."""
    name = type(value).__name__
    if value is UNKNOWN:
        return None
    if type(value) in TENSORS:
        return sentence("a tensor of shape {shape}", shape=shape(value))
    if value is None or isinstance(value, bool):
        return f"{value}"
    if isinstance(value, int | float):
        return sentence("the number {value}", value=value)
    if callable(value) and type(value).__module__.startswith("course_utils.exercises"):
        return "a function"  # the prompt calls it a function, whatever object the check made for it
    if isinstance(value, torch.nn.Module):
        return sentence("a module, `{name}`", name=name)
    return KINDS.get(name) or sentence("a `{name}`", name=name)

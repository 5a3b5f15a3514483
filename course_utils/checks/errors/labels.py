"""The label that stands for a value in a sentence: what kind of thing it is."""

import torch

from ..sentences import sentence
from .safe_value import TENSORS, UNKNOWN

KINDS = {"list": "a list", "tuple": "a tuple", "str": "a text", "ndarray": "a NumPy array", "Size": "a shape"}
KINDS["function"] = "a function"


def kind(value) -> str | None:
    """Return a str that says what kind of thing a value is, such as "a tensor of shape (2, 3)"; None for UNKNOWN."""
    name = type(value).__name__
    if value is UNKNOWN:
        return None
    if type(value) in TENSORS:
        return sentence("a tensor of shape {shape}", shape=tuple(value.shape))
    if value is None or isinstance(value, bool):
        return f"{value}"
    if isinstance(value, int | float):
        return sentence("the number {value}", value=value)
    if isinstance(value, torch.nn.Module):
        return sentence("a module, `{name}`", name=name)
    if callable(value) and type(value).__module__.startswith("course_utils.lessons"):
        return "a function"  # the prompt calls it a function, whatever object the check made for it
    return KINDS.get(name) or sentence("a `{name}`", name=name)

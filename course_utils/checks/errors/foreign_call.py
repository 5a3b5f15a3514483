"""Explanations for errors inside a function whose source the learner does not see: the arguments that it was given.

Python's message then quotes operators and names of that function, which appear nowhere in the learner's code.
"""

import ast

import torch

from .masks import handed_over
from .safe_value import TENSORS, UNKNOWN
from .stopped import called, kind


def _call(name, *args):
    """Return a call of a function as an `ast` node. name: of the function, with dots or without. args: nodes."""
    return ast.Call(ast.parse(name, mode="eval").body, list(args), [])


def as_tensor(stop, node):
    """Return the code that makes a tensor of a list of numbers or tensors, or None if none can be made.

    stop: the Stop, which knows the values. node: the list's expression.
    """
    for maker in ("torch.stack", "torch.tensor"):
        if torch.is_tensor(stop.value(_call(maker, node))):
            return stop.text(_call(maker, node))
    return None


def from_list(stop, node):
    """Return a sentence that names the tensor to use in place of a list, or None if there is none.

    stop: the Stop, which knows the values. node: the list's expression.
    """
    if isinstance(node, ast.Call) and called(node) == "tolist" and stop.tensor(node.func.value) is not None:
        return f"Take the tensor itself: `{stop.text(node.func.value)}`."
    change = as_tensor(stop, node)
    return change and f"Make a tensor of the list: `{change}`."


def handed(stop, match):
    """Return an explanation of an error inside a called function by its arguments, each with its type and shape.

    stop: the Stop. match: not used. None comes back if no call stopped.
    """
    if not isinstance(stop.node, ast.Call):
        return None
    given = [(part, stop.value(part)) for part in handed_over(stop)]
    func = stop.node.func
    if isinstance(func, ast.Attribute) and type(stop.value(func.value)) in TENSORS:
        given.insert(0, (func.value, stop.value(func.value)))
    known = [_with_kind(stop, part, value) for part, value in given if value is not UNKNOWN]
    if not known:
        return f"{stop.at} it stops inside of `{stop.text(func)}`. Look up what that takes."
    said = f"{stop.at} `{stop.text(func)}` is handed {' and '.join(known)}."
    for part, value in given:
        if value is None:
            return f"{said} Something is needed in place of None."
        if type(value) is list and (change := from_list(stop, part)):
            return f"{said} {change}"
    return f"{said} Look up what it takes."


def _with_kind(stop, part, value):
    """Return an argument in words: its code with its kind in brackets, or its kind alone if it is a constant.

    stop: the Stop. part: the argument, an `ast` node. value: its value.
    """
    what = kind(value)
    if isinstance(value, list | tuple) and value and (inner := kind(value[0])):
        what += f" of {len(value)}, the first of them {inner}"
    return what if isinstance(part, ast.Constant) else f"`{stop.text(part)}` ({what})"


ROWS = [
    (TypeError, r"' not supported between instances|(unsupported|bad) operand type", handed),
    (AttributeError, r"object has no attribute", handed),
    (TypeError, r"object is not (iterable|subscriptable|callable)|has no len\(\)|indices must be", handed),
]

"""Explanations for errors inside a function whose source the learner does not see: the arguments that it was given.

Python's message then quotes operators and names of that function, which appear nowhere in the learner's code.
"""

import ast

import torch

from .expressions import build, called
from .labels import kind
from .safe_value import UNKNOWN


def as_tensor(stop, node):
    """Return the call that makes a tensor of a list of numbers or tensors, as a node, or None if none can be made.

    stop: the Stop, which knows the values. node: the list's expression.
    """
    calls = (build("torch.stack(x)", node), build("torch.tensor(x)", node))
    return stop.first(torch.is_tensor, calls)


def from_list(stop, node):
    """Return a sentence that names the tensor to use in place of a list, or None if there is none.

    stop: the Stop, which knows the values. node: the list's expression.
    """
    if isinstance(node, ast.Call) and called(node) == "tolist" and stop.tensor(node.func.value) is not None:
        return stop.sentence("Take the tensor itself: `{code}`.", node.func.value)
    change = as_tensor(stop, node)
    return change and stop.sentence("Make a tensor of the list: `{code}`.", change)


def handed(stop):
    """Explain an error inside a called function by its arguments, each with its type and shape."""
    if not isinstance(stop.node, ast.Call):
        return
    func, nodes = stop.node.func, stop.arguments()
    if isinstance(func, ast.Attribute) and stop.tensor(func.value) is not None:
        nodes.insert(0, func.value)
    values = {node: stop.value(node) for node in nodes if stop.runs(node)}
    if not values:
        yield stop.sentence("{at} it stops inside of `{function}`. Look up what that takes.", function=func)
        return
    known = " and ".join(_with_kind(stop, node, value) for node, value in values.items())
    yield stop.sentence("{at} `{function}` is handed {arguments}.", function=func, arguments=known)
    for node, value in values.items():
        if value is None:
            yield "Something is needed in place of None."
            return
        if type(value) is list and (change := from_list(stop, node)):
            yield change
            return
    yield "Look up what it takes."


def _with_kind(stop, node, value):
    """Return the label of an argument: its code with its kind in brackets, or its kind alone if it is a constant."""
    label = kind(value)
    if isinstance(value, list | tuple) and value and value[0] is not UNKNOWN:
        label = stop.sentence(
            "{kind} of {count}, the first of them {first}", kind=label, count=len(value), first=kind(value[0])
        )
    return label if isinstance(node, ast.Constant) else stop.sentence("`{code}` ({kind})", node, kind=label)


ROWS = [
    (TypeError, r"' not supported between instances|(unsupported|bad) operand type", handed),
    (AttributeError, r"object has no attribute", handed),
    (TypeError, r"object is not (iterable|subscriptable|callable)|has no len\(\)|indices must be", handed),
]

"""Explanations by its arguments for errors inside a function of which the learner's code has no operator or name."""

import ast

import torch

from .expressions import build, called
from .labels import kind
from .stopped import StoppedCode


def as_tensor(stop: StoppedCode, node: ast.AST) -> ast.AST | None:
    """Return `torch.stack(x)`, or else `torch.tensor(x)`, x being a list's node; None if neither runs."""
    return stop.first(torch.is_tensor, [build("torch.stack(x)", node), build("torch.tensor(x)", node)])


def from_list(stop: StoppedCode, node: ast.AST) -> str | None:
    """Return a sentence for the learner on which tensor to use in place of a list; None if no such tensor is known."""
    if isinstance(node, ast.Call) and called(node) == "tolist" and stop.tensor(node.func.value) is not None:
        return stop.sentence("Take the tensor itself: `{code}`.", node.func.value)
    change = as_tensor(stop, node)
    return change and stop.sentence("Make a tensor of the list: `{code}`.", change)


def foreign_arguments(stop: StoppedCode):
    """Yield sentences for a learner whose call of a function failed inside it: its arguments, and advice."""
    if not isinstance(stop.node, ast.Call):
        return
    func, nodes = stop.node.func, stop.arguments()
    if isinstance(func, ast.Attribute) and stop.tensor(func.value) is not None:
        nodes.insert(0, func.value)
    values = {node: stop.value(node) for node in nodes if stop.runs(node)}
    if not values:
        yield stop.sentence("{at} it stops inside of `{code}`. Look up what that takes.", func)
        return
    known = " and ".join(_label(stop, node, value) for node, value in values.items())
    yield stop.sentence("{at} `{code}` is handed {arguments}.", func, arguments=known)
    advice = "Their axes do not fit together." if stop.error.is_a(RuntimeError) else "Look up what it takes."
    for node, value in reversed(values.items()):
        if value is None:
            advice = "Something is needed in place of None."
        elif type(value) is list:
            advice = from_list(stop, node) or advice
    yield advice


def _label(stop: StoppedCode, node: ast.AST, value) -> str:
    """Return a label for an argument of a call: its code with its kind in brackets, or a constant's kind alone."""
    template, first = "{kind}", None
    if isinstance(value, list | tuple) and value and (first := kind(value[0])):
        template = "{kind} of {count}, the first of them {first}"
    label = stop.sentence(template, kind=kind(value), count=first and len(value), first=first)
    return label if isinstance(node, ast.Constant) else stop.sentence("`{code}` ({kind})", node, kind=label)


ROWS = [
    (TypeError, r"' not supported between instances|(unsupported|bad) operand type", foreign_arguments),
    (AttributeError, r"object has no attribute", foreign_arguments),
    (TypeError, r"object is not (iterable|subscriptable|callable)|has no len\(\)|indices must be", foreign_arguments),
    (RuntimeError, r"must match the size|doesn't match the broadcast shape|batch2 tensor", foreign_arguments),
]

"""Explanations for products whose axes do not match: `@` and its like, torch.einsum, nn.Linear."""

import ast
import itertools
import re

import torch
from torch import nn

from .expressions import build, transposed
from .stopped import StoppedCode

PRODUCTS = {"matmul", "mm", "bmm", "mv", "dot"}
TURNS = {"transpose", "permute", "t", "swapaxes", "swapdims", "movedim"}


def pair(stop: StoppedCode, names, operator) -> tuple:
    """Return (left, right), the `ast` nodes of the two operands of the expression that stopped.

    Return (None, None) unless it is an operator for which `operator(op)` is true, op being an `ast` operator such as
    ast.Add(), or a call of one of `names`.
    """
    match stop.node:
        case (
            ast.BinOp(left=left, op=op, right=right)
            | ast.AugAssign(target=left, op=op, value=right)
            | ast.Compare(left=left, ops=[op], comparators=[right])
        ) if operator(op):
            return left, right
        case ast.Call() if stop.called() in names:
            return stop.argument(0, "input"), stop.argument(1, "other")
    return None, None


def before_transpose(node: ast.AST) -> ast.AST | None:
    """Return the node of `x` for that of `x.T`, `x.transpose(…)`, `torch.permute(x, …)` or the like; else None."""
    match node:
        case ast.Attribute(value=base, attr="T" | "mT" | "H"):
            return base
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr=name), args=[base, *_]) if name in TURNS:
            return base
        case ast.Call(func=ast.Attribute(value=base, attr=name)) if name in TURNS:
            return base
    return None


def product(stop: StoppedCode):
    """Yield sentences for a learner whose matrix product, by `@` or a call in PRODUCTS, has axes that do not match."""
    left, right = pair(stop, PRODUCTS, lambda op: isinstance(op, ast.MatMult))
    first, second = stop.tensor(left), stop.tensor(right)
    if first is None or second is None:
        return
    whole = build("x @ y", left, right)
    yield stop.sentence("{at} {left} meets {right}.", left=first, right=second)
    if not first.dim() or not second.dim():
        yield "A single number has no axis to meet: multiply by it with `*`."
    elif stop.called() == "dot":
        if first.dim() < second.dim() and first.shape[-1] == second.shape[-1]:
            whole = build("x @ y", right, left)
        yield stop.sentence("`dot` takes two vectors. For a table and a vector: `{code}`.", whole)
    elif first.shape[-1] != second.shape[-2:][0]:
        template = {
            True: "A product needs the last axis of the left, {left}, and the only axis of the right, {right}, to be "
            "equal.",
            False: "A product needs the last axis of the left, {left}, and the second-to-last of the right, {right}, "
            "to be equal.",
        }[second.dim() == 1]
        yield stop.sentence(template, left=first.shape[-1], right=second.shape[-2:][0])
        yield from _change(stop, whole)
    elif torch.is_tensor(stop.value(whole)):
        yield stop.sentence("`{name}` takes other numbers of axes. `{code}` takes any.", whole, name=stop.called())
    else:
        template = "The axes before the last two must be equal, or 1: here {left} meets {right}."
        yield stop.sentence(template, left=first.shape[:-2], right=second.shape[:-2])


def _change(stop: StoppedCode, whole: ast.BinOp):
    """Yield at most one sentence, on a change of the operands that makes a matrix product run, such as a transpose."""
    left, right = whole.left, whole.right
    changes = []
    for part in (right, left):
        if (base := before_transpose(part)) is not None:
            changes += [(part, transposed(base), "Turn the last two axes instead: `{code}`.")]
            changes += [(part, base, "`{code}` fits as it is, without turning its axes.")]
    changes += [
        (right, transposed(right), "`{code}` would fit on the right. Are these two what should meet?"),
        (whole, build("x @ y", right, left), "The other way round they fit: `{code}`."),
        (right, build("x[..., None]", right), "As a column it fits: `{code}`."),
        (left, transposed(left), "`{code}` would fit on the left. Are these two what should meet?"),
    ]
    fits = (stop.sentence(template, new) for old, new, template in changes if stop.changed(old, new, whole))
    yield from itertools.islice(fits, 1)


def layer(stop: StoppedCode):
    """Yield sentences for a learner who gave an `nn.Linear` inputs of the wrong width, wherever it was called."""
    inside = [frame for frame in stop.below if frame.f_code is nn.Linear.forward.__code__]
    if not inside:
        return
    linear, inputs = (inside[-1].f_locals[name] for name in ("self", "input"))
    takes, gives, sizes = linear.in_features, linear.out_features, inputs.shape
    template = "{at} an `nn.Linear({takes}, {gives})` takes inputs whose last axis is {takes}, and gets {inputs}."
    yield stop.sentence(template, takes=takes, gives=gives, inputs=inputs)
    heads = [axis for axis in (1, 2, 0) if inputs.dim() == 4 and sizes[axis] * sizes[3] == takes]
    if heads:
        yield {
            1: "The heads are still apart: merge them first, `.transpose(1, 2).flatten(-2)`.",
            2: "The heads are still apart: merge them first, `.flatten(-2)`.",
            0: "The heads were stacked: `torch.cat` with `dim=-1` puts their features side by side.",
        }[heads[0]]
    elif takes in sizes[:-1]:
        axis = list(sizes).index(takes)
        yield stop.sentence("Its axis {axis} has {takes}: are the axes turned?", axis=axis, takes=takes)
    else:
        yield stop.sentence("For this input the layer is `nn.Linear({width}, {gives})`.", width=sizes[-1], gives=gives)


def equation(stop: StoppedCode, letter=None, size=None, other=None):
    """Yield sentences for a learner whose `torch.einsum` has a wrong number of letters, or one letter for two sizes."""
    if stop.called() != "einsum" or not stop.node.args:
        return
    node, *parts = stop.node.args
    letters, tensors = stop.value(node), [stop.tensor(part) for part in parts]
    if not isinstance(letters, str) or any(tensor is None for tensor in tensors):
        return
    letters = letters.replace(" ", "")
    terms = [
        stop.sentence("`{term}` names {tensor}", term=term, tensor=tensor)
        for term, tensor in zip(letters.replace("->", ",").split(","), tensors, strict=False)
    ]
    yield stop.sentence("{at} {terms}.", terms=", ".join(terms))
    if size is not None:
        template = "One letter is one size, and `{letter}` would be {other} and {size}."
        yield stop.sentence(template, letter=letter, other=other, size=size)
        return
    yield "Each axis needs a letter."
    longer = ast.Constant(re.sub(r"(^|,|->)", r"\1...", letters))
    if stop.changed(node, longer):
        yield stop.sentence("`...` stands for the axes in front: `{code}`.", longer)


SIZES = r"must match the size of tensor b|doesn't match the broadcast shape"
ROWS = [
    (RuntimeError, r"shapes cannot be multiplied", layer),
    (RuntimeError,
     r"shapes cannot be multiplied|size mismatch, got input|batch2 tensor|inconsistent tensor size|must be a matrix"
     r"|must be a 3D tensor|[12]D tensors expected|arguments to matmul|vector", product),
    (RuntimeError, SIZES, product),
    (RuntimeError, r"subscript (?P<letter>\w) has size (?P<size>\d+).* seen size (?P<other>\d+)", equation),
    (RuntimeError, r"number of subscripts in the equation", equation),
]  # fmt: skip

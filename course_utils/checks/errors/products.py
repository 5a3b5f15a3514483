"""Explanations for products whose axes do not match: `@` and its like, torch.einsum, nn.Linear."""

import ast
import re

import torch
from torch import nn

from .stopped import shape

PRODUCTS = {"matmul", "mm", "bmm", "mv", "dot"}
TURNS = {"transpose", "permute", "t", "swapaxes", "swapdims", "movedim"}


def pair(stop, names, operator):
    """Return the nodes of both operands of an operator, or of an equivalent call; (None, None) for other nodes.

    stop: the Stop, whose node it is. names: of the equivalent functions. operator: a function that takes an `ast`
    operator and returns whether it is meant.
    """
    match stop.node:
        case ast.BinOp(left=left, op=op, right=right) if operator(op):
            return left, right
        case ast.AugAssign(target=left, op=op, value=right) if operator(op):
            return left, right
        case ast.Compare(left=left, ops=[op], comparators=[right]) if operator(op):
            return left, right
        case ast.Call() if stop.called() in names:
            return stop.argument(0, "input"), stop.argument(1, "other")
    return None, None


def turned(node):
    """Return the node of an expression with its last two axes transposed."""
    axes = [ast.UnaryOp(ast.USub(), ast.Constant(axis)) for axis in (2, 1)]
    return ast.Call(ast.Attribute(node, "transpose"), axes, [])


def before_turn(node):
    """Return the node whose axes an expression transposes: `x` in `x.T`; None if it transposes none."""
    match node:
        case ast.Attribute(value=base, attr="T" | "mT" | "H"):
            return base
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr=name), args=[base, *_]) if name in TURNS:
            return base
        case ast.Call(func=ast.Attribute(value=base, attr=name)) if name in TURNS:
            return base
    return None


def product(stop, match):
    """Return an explanation of a matrix product of two tensors whose axes do not match; None for other operations.

    stop: the Stop. match: not used. If the tensors are not known, it has the sizes in the error's message.
    """
    left, right = pair(stop, PRODUCTS, lambda op: isinstance(op, ast.MatMult))
    if left is None:
        return None
    one, other, whole = stop.tensor(left), stop.tensor(right), ast.BinOp(left, ast.MatMult(), right)
    if one is None or other is None:
        return _by_message(stop)
    said = f"{stop.at} {shape(one)} meets {shape(other)}. "
    if not one.dim() or not other.dim():
        return said + "A single number has no axis to meet: multiply by it with `*`."
    if stop.called() == "dot":
        return (
            f"{said}`dot` takes two vectors. For a table and a vector: `{stop.text(_table_first(whole, one, other))}`."
        )
    if one.shape[-1] != other.shape[-2:][0]:
        which = "second-to-last of the right" if other.dim() > 1 else "only axis of the right"
        said += f"A product needs the last axis of the left, {one.shape[-1]}, and the {which}, {other.shape[-2:][0]}, "
        return f"{said}to be equal. {_change(stop, whole)}".rstrip()
    if torch.is_tensor(stop.value(whole)):
        return f"{said}`{stop.called()}` takes other numbers of axes. `{stop.text(whole)}` takes any."
    before = [str(tuple(tensor.shape[:-2])) for tensor in (one, other)]
    return f"{said}The axes before the last two must be equal, or 1: here {before[0]} meets {before[1]}."


def _table_first(whole, one, other):
    """Return the node of the product of a table and a vector, in the order in which their axes match.

    whole: the product as an `ast.BinOp`. one, other: the tensors that are its operands.
    """
    if one.dim() < other.dim() and one.shape[-1] == other.shape[-1]:
        return ast.BinOp(whole.right, ast.MatMult(), whole.left)
    return whole


def _change(stop, whole):
    """Return a sentence on a change of the operands that makes the product work; "" where none was found.

    stop: the Stop. whole: the product as an `ast.BinOp`.
    """
    left, right = whole.left, whole.right
    for part in (right, left):
        if (base := before_turn(part)) is not None:
            if stop.changed(part, turned(base), whole):
                return f"Turn the last two axes of `{stop.text(base)}` instead: `{stop.text(turned(base))}`."
            if stop.changed(part, base, whole):
                return f"`{stop.text(base)}` fits as it is, without turning its axes."
    if stop.changed(right, turned(right), whole):
        return f"`{stop.text(turned(right))}` would fit on the right. Are these two what should meet?"
    if found := stop.changed(whole, ast.BinOp(right, ast.MatMult(), left), whole):
        return f"The other way round they fit: `{found[0]}`."
    column = ast.Subscript(right, ast.Tuple([ast.Constant(...), ast.Constant(None)]))
    if stop.changed(right, column, whole):
        return f"As a column it fits: `{stop.text(column)}`."
    if stop.changed(left, turned(left), whole):
        return f"`{stop.text(turned(left))}` would fit on the left. Are these two what should meet?"
    return ""


def _by_message(stop):
    """Return an explanation of a product by the two sizes that the error's message names, or None if it names none.

    stop: the Stop.
    """
    sizes = re.search(r"\(\d+x(\d+) and (\d+)x\d+\)", stop.message)
    sizes = sizes or re.search(r"to be: \[\d+, (\d+)\] but got: \[\d+, (\d+)\]", stop.message)
    if not sizes or sizes[1] == sizes[2]:
        return None
    return (
        f"{stop.at} a product needs the last axis of the left and the second-to-last of the right to be equal, "
        f"and here {sizes[1]} meets {sizes[2]}."
    )


def layer(stop, match):
    """Return an explanation of an `nn.Linear`, wherever called, that got inputs of a width it was not made for.

    stop: the Stop. match: not used. None comes back if no `nn.Linear` stopped.
    """
    inside = [frame for frame in stop.below if frame.f_code is nn.Linear.forward.__code__]
    if not inside:
        return None
    linear, got = (inside[-1].f_locals[name] for name in ("self", "input"))
    takes, gives = linear.in_features, linear.out_features
    said = (
        f"{stop.at} an `nn.Linear({takes}, {gives})` takes inputs whose last axis is {takes}, and gets {shape(got)}. "
    )
    for axis, merge in ((1, ".transpose(1, 2).flatten(-2)"), (2, ".flatten(-2)")):
        if got.dim() == 4 and got.shape[axis] * got.shape[3] == takes:
            return f"{said}The heads are still apart: merge them first, `{merge}`."
    if got.dim() == 4 and got.shape[0] * got.shape[3] == takes:
        return said + "The heads were stacked: `torch.cat` with `dim=-1` puts their features side by side."
    if takes in got.shape[:-1]:
        return said + f"Its axis {list(got.shape).index(takes)} has {takes}: are the axes turned?"
    return said + f"For this input the layer is `nn.Linear({got.shape[-1]}, {gives})`."


def equation(stop, match):
    """Return an explanation of a `torch.einsum` whose letters do not fit the axes; None if the values are not known.

    stop: the Stop. match: the `re.Match` in the error's message. If one letter has two sizes, its groups are the
    "letter", the "size" and the "other" size; else it has none.
    """
    if stop.called() != "einsum" or not stop.node.args:
        return None
    node, *parts = stop.node.args
    letters, tensors = stop.value(node), [stop.tensor(part) for part in parts]
    if not isinstance(letters, str) or any(tensor is None for tensor in tensors):
        return None
    terms = letters.replace(" ", "").replace("->", ",").split(",")
    met = ", ".join(f"`{term}` names {shape(tensor)}" for term, tensor in zip(terms, tensors, strict=False))
    if size := match.groupdict().get("size"):
        return f"{stop.at} {met}. One letter is one size, and `{match['letter']}` would be {match['other']} and {size}."
    more = "->".join(
        ",".join("..." + term for term in side.split(",")) for side in letters.replace(" ", "").split("->")
    )
    rest = f" `...` stands for the axes in front: `{more!r}`." if stop.changed(node, ast.Constant(more)) else ""
    return f"{stop.at} {met}. Each axis needs a letter.{rest}"


SIZES = r"must match the size of tensor b|doesn't match the broadcast shape"
ROWS = [
    (RuntimeError, r"shapes cannot be multiplied", layer),
    (
        RuntimeError,
        r"shapes cannot be multiplied|size mismatch, got input|batch2 tensor|inconsistent tensor size|must be a matrix"
        r"|must be a 3D tensor|[12]D tensors expected|arguments to matmul|vector|" + SIZES,
        product,
    ),
    (RuntimeError, r"subscript (?P<letter>\w) has size (?P<size>\d+).* seen size (?P<other>\d+)", equation),
    (RuntimeError, r"number of subscripts in the equation", equation),
]

"""Explanations for truth values: a tensor as a condition, a mask of numbers, `-mask`, a mask as an index."""

import ast

import torch

from .safe_value import TENSORS
from .stopped import called, shape, swapped

SIGNS = {ast.And: ("and", "&"), ast.Or: ("or", "|")}


def handed_over(stop):
    """Return the nodes of all arguments of the call that stopped, as a list; [] if no call did. stop: the Stop."""
    return [*getattr(stop.node, "args", []), *(keyword.value for keyword in getattr(stop.node, "keywords", []))]


def atom(stop, node):
    """Return the code of a node, in brackets if it is an operation, so that a method or an operator can follow.

    stop: the Stop. node: an `ast` node.
    """
    text = stop.text(node)
    return f"({text})" if isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare) else text


def _is_mask(value):
    """Return whether a value is a tensor of booleans."""
    return type(value) in TENSORS and value.dtype == torch.bool


def truth(stop, match):
    """Return an explanation, always a text, of a tensor of many values where Python needs one True or False.

    stop: the Stop. match: not used.
    """
    node = stop.node
    if node is None:
        return f"{stop.at} one True or False is needed, and this has many. Say which, with `.any()` or `.all()`."
    if isinstance(node, ast.Call) and stop.called() in ("max", "min", "sorted"):
        return _of_python(stop)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node = node.operand
        if _is_mask(stop.value(node)):
            said = f"{stop.at} `not` turns one truth value, and `{stop.text(node)}` is {shape(stop.value(node))}."
            return f"{said} For each place: `~{atom(stop, node)}`."
    if isinstance(node, ast.BoolOp):
        (word, sign), (first, second, *_) = SIGNS[type(node.op)], node.values
        if _is_mask(stop.value(first)) and _is_mask(stop.value(second)):
            said = f"{stop.at} `{word}` joins two truth values, and `{stop.text(first)}` is {shape(stop.value(first))}."
            return f"{said} For each place: `{atom(stop, first)} {sign} {atom(stop, second)}`."
        if isinstance(node.op, ast.Or):
            change = ast.IfExp(ast.Compare(first, [ast.IsNot()], [ast.Constant(None)]), first, second)
            return f"{stop.at} `or` asks a whole table for one True or False. Is it there? `{stop.text(change)}`."
        node = first
    tensor, text = stop.tensor(node), atom(stop, node)
    what = f"`{stop.text(node)}` has {tensor.numel()}, {shape(tensor)}" if tensor is not None else "this has many"
    at = f"`{stop.text(node)}` stops as a condition:" if stop.node is node else stop.at
    said = f"{at} one True or False is needed, and {what}. Say which: `{text}.any()` or `{text}.all()`."
    code = stop.frame.f_code
    if isinstance(node, ast.Name) and node.id in code.co_varnames[: code.co_argcount] and not _is_mask(tensor):
        return f"{said} Whether it was handed over: `{text} is not None`."
    return said


def _of_python(stop):
    """Return an explanation of Python's own `max`, `min` or `sorted` of tensors, as a text. stop: the Stop."""
    name, args = stop.called(), stop.node.args
    said = f"{stop.at} Python's `{name}` compares single numbers."
    tensor, number = (stop.tensor(args[0]), stop.value(args[-1])) if len(args) == 2 else (None, None)
    if name != "sorted" and tensor is not None and isinstance(number, int | float):
        end = {"max": "min", "min": "max"}[name]
        return f"{said} For each place: `{atom(stop, args[0])}.clamp({end}={stop.text(args[1])})`."
    if name != "sorted" and len(args) == 2:
        return f"{said} For each place: `torch.{name}imum({', '.join(map(stop.text, args))})`."
    text = atom(stop, args[0])
    if name != "sorted" and stop.tensor(args[0]) is not None and stop.tensor(args[0]).dim() > 1:
        each = f"of each row `{text}.a{name}(dim=-1, keepdim=True)`"
        return f"{said} Ask the tensor: of the whole table `{text}.{name}()`, {each}."
    return f"{said} Ask the tensor: `{text}.{name.replace('sorted', 'sort')}()`."


def not_bool(stop, match):
    """Return an explanation, always a text, of numbers where a mask of booleans is needed.

    stop: the Stop. match: not used.
    """
    parts = [*(getattr(stop.node, name, None) for name in ("operand", "left", "right")), *handed_over(stop)]
    if stop.called() == "where":
        parts = [stop.argument(0, "condition")]
    for part in parts:
        tensor = stop.tensor(part)
        if tensor is None or tensor.dtype == torch.bool:
            continue
        said = f"{stop.at} a mask of True and False is needed, and `{stop.text(part)}` holds `{tensor.dtype}`."
        change = ast.Compare(part, [ast.NotEq()], [ast.Constant(0)])
        if not stop.changed(part, change, _not_in_place(stop.node)):
            return said
        if isinstance(stop.node, ast.UnaryOp):
            return f"{said} Its opposite, True wherever it is 0: `{atom(stop, part)} == 0`."
        return f"{said} `{stop.text(change)}` is True wherever it is not 0."
    return f"{stop.at} a mask of True and False is needed, and this one holds numbers. `.bool()` makes one."


def _not_in_place(node):
    """Return the node of a call `x.method_(…)` as one of `x.method(…)`, so that it can be tried; others as they are."""
    if called(node).endswith("_"):
        return swapped(node, node.func, ast.Attribute(node.func.value, called(node)[:-1]))
    return node


def minus(stop, match):
    """Return an explanation, always a text, of `1 - mask` and `-mask`. stop: the Stop. match: not used."""
    if isinstance(stop.node, ast.Call):
        return f"{stop.at} True and False cannot be subtracted from each other. `.int()` makes 1 and 0 of them."
    parts = [getattr(stop.node, name, None) for name in ("operand", "right", "left")]
    node = next((part for part in parts if _is_mask(stop.value(part))), None)
    what = f"`{stop.text(node)}` holds True and False" if node is not None else "a mask holds True and False"
    change = f"`~{atom(stop, node)}`" if node is not None else "written with `~`"
    return f"{stop.at} {what}, and has no minus. Its opposite is {change}."


def picks(stop, match):
    """Return an explanation of a mask as an index whose sizes differ from those of the indexed tensor, or None.

    stop: the Stop. match: not used. None comes back if either tensor is not known.
    """
    node = stop.node.targets[0] if isinstance(stop.node, ast.Assign) else stop.node
    base, at = (stop.tensor(getattr(node, part, None)) for part in ("value", "slice"))
    if base is None or at is None:
        return None
    said = f"{stop.at} a mask of shape {shape(at)} picks from {shape(base)}."
    said = f"{said} From the first axis on, their sizes must be equal."
    if isinstance(stop.node, ast.Subscript):  # the indexed tensor is read, not assigned to
        ways = [ast.Subscript(node.value, ast.Tuple([ast.Constant(...), node.slice, *[ast.Slice()] * more]))
                for more in range(base.dim() - at.dim())]  # fmt: skip
        fits = [f"`{stop.text(way)}`" for way in ways if stop.tensor(way) is not None]
        return f"{said} To pick along later axes, write {' or '.join(fits)}." if fits else said
    if not at.dim() or at.shape != base.shape[-at.dim() :]:
        return said
    return f"{said} `masked_fill`, or `torch.where`, lays a mask with fewer axes over all of them."


def fill(stop, match):
    """Return an explanation of a `masked_fill` with a text such as "-inf" in place of a number; else None.

    stop: the Stop. match: not used; an explanation must take it, the `re.Match` in the error's message.
    """
    value = stop.value(stop.argument(2, "value"))
    if not (isinstance(value, str) and "inf" in value):
        return None
    change = stop.changed(stop.argument(2, "value"), "-torch.inf", _not_in_place(stop.node))
    said = f"{stop.at} the value to fill in is a text, {value!r}."
    return f"{said} The number is `-torch.inf`." if change else said


def as_parameter(stop, match):
    """Return an explanation of an `nn.Parameter` made of a mask or of whole numbers, which can have no gradients.

    stop: the Stop. match: not used. It is always a text.
    """
    tensor = stop.tensor(stop.argument(0, "data"))
    what = f"`{tensor.dtype}`" if tensor is not None else "whole numbers or truth values"
    said = f"{stop.at} a parameter is what training changes, and {what} cannot be changed by a little."
    return f"{said} What belongs to the module and stays as it is goes into `self.register_buffer(…)`."


ROWS = [
    (RuntimeError, r"Boolean value of Tensor with more than one", truth),
    (RuntimeError, r"only supports boolean masks|condition to be a boolean tensor", not_bool),
    (TypeError, r"~ \(operator.invert\) is only", not_bool),
    (NotImplementedError, r'"bitwise_\w+" not implemented', not_bool),
    (RuntimeError, r"(Subtraction|Negation), the `-` operator", minus),
    (IndexError, r"The shape of the mask", picks),
    (RuntimeError, r"^Only Tensors of floating point and complex dtype can require gradients", as_parameter),
    (TypeError, r"masked_fill_?\(\) received an invalid combination", fill),
]

"""The value of an expression from a learner's code, computed without side effects."""

import ast
import builtins
import math
import operator
import types
import warnings

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

UNKNOWN = type("Unknown", (), {"__repr__": lambda self: "UNKNOWN"})()
LIMIT = 100_000  # numbers, parts and letters in a value that is computed with: an explanation must not take long
TENSORS = (torch.Tensor, nn.Parameter)
NUMBERS = (int, float, bool)
PLAIN = (*TENSORS, *NUMBERS, str, slice, type(None), type(...), torch.dtype)
READ = {"shape", "dtype", "ndim", "T", "mT", "data", "grad", "requires_grad", "is_leaf", "device"}
WITH_EFFECTS = {"backward", "register_hook", "retain_grad", "bernoulli", "multinomial", "resize", "resize_as", "cuda"}
FUNCTIONS = """abs add all allclose amax amin any arange argmax argmin bmm broadcast_to cat chunk clamp concat cos
    cumsum div dot einsum equal exp eye flatten full full_like log logical_and logical_not logical_or logsumexp
    matmul max maximum mean min minimum mm mul mv ones ones_like outer permute pow reshape sigmoid sin softmax split
    sqrt square squeeze stack std sub sum tanh tensor topk transpose tril triu unsqueeze var where zeros zeros_like"""
PURE = {getattr(torch, name) for name in FUNCTIONS.split()}
PURE |= {F.softmax, F.pad, F.linear, F.scaled_dot_product_attention, math.sqrt, math.exp, math.log}
BUILTINS = {builtins.len, builtins.int, builtins.float, builtins.range, builtins.tuple, builtins.list, builtins.bool}
OPERATORS = {
    **{ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv},
    **{ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.MatMult: operator.matmul},
    **{ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor},
    **{ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le},
    **{ast.Gt: operator.gt, ast.GtE: operator.ge},
    **{ast.USub: operator.neg, ast.Invert: operator.invert, ast.Not: operator.not_},
}


class _Unsafe(Exception):
    """The exception that the functions below raise for a part of an expression that must not be evaluated again."""


def value(node: ast.AST, names):
    """Return the value of an expression, or UNKNOWN if to compute it might have side effects, take long or fail.

    names: a mapping from names to their values.
    """
    try:
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _value(node, names)
    except Exception:
        return UNKNOWN


def _value(node: ast.AST, names):
    """Return the value of an expression. Errors: _Unsafe if it may have side effects or take long, and its own."""

    def of(part):
        return _value(part, names)

    match node:
        case ast.Constant(value=constant):
            return constant
        case ast.Name(id=name):
            if names[name] is not UNKNOWN:
                return names[name]
        case ast.Attribute(value=base, attr=name):
            return _attribute(of(base), name)
        case ast.Subscript(value=base, slice=index):
            return _item(of(base), of(index))
        case ast.Slice(lower=lower, upper=upper, step=step):
            return slice(*(None if part is None else of(part) for part in (lower, upper, step)))
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return (tuple if isinstance(node, ast.Tuple) else list)(_spread(parts, names))
        case ast.UnaryOp(op=op, operand=operand):
            return OPERATORS[type(op)](_small(of(operand)))
        case ast.BinOp(left=left, op=op, right=right) | ast.Compare(left=left, ops=[op], comparators=[right]):
            return _computed(op, of(left), of(right))
        case ast.Call(func=func, args=args, keywords=keywords):
            named = {keyword.arg: _small(of(keyword.value)) for keyword in keywords}
            return _call(func, [_small(arg) for arg in _spread(args, names)], named, names)
    raise _Unsafe


def _spread(parts: list[ast.AST], names):
    for part in parts:
        if isinstance(part, ast.Starred):
            yield from _small(_value(part.value, names))
        else:
            yield _value(part, names)


def _small(value):
    """Return a value as it is. Errors: _Unsafe if computing with it may take long or run code of the learner's."""
    _room_after(value, LIMIT)
    return value


def _room_after(value, room: int) -> int:
    """Return `room`, a number of parts, less those of a value.

    A tensor has as many as it has numbers, a text its length, a list or tuple its length and the parts of its parts,
    any other value none. Errors: _Unsafe if `room` is too small, or for a type that may run code of the learner's.
    """
    kind = type(value)
    if kind in (tuple, list, torch.Size, str):
        room -= len(value)
    elif kind not in PLAIN:
        raise _Unsafe
    elif kind in TENSORS:
        room -= value.numel()
    if room < 0:
        raise _Unsafe
    for part in value if kind in (tuple, list) else ():
        room = _room_after(part, room)
    return room


def _attribute(base, name: str):
    """Return the attribute `name` of a value. Errors: _Unsafe if reading it might run code of the learner's."""
    if type(base) in TENSORS:
        if name in READ:
            return getattr(base, name)
        raise _Unsafe
    if type(base).__module__ == "torch.return_types":
        return getattr(base, name)
    for names in (vars(base), *(vars(base).get(kind, {}) for kind in ("_parameters", "_buffers", "_modules"))):
        if name in names:
            return names[name]
    raise _Unsafe


def _item(base, index):
    """Return `base[index]`. Errors: _Unsafe if this might run code of the learner's, and whatever reading it raises."""
    if type(base) in (nn.ModuleList, nn.ParameterList, nn.Sequential, dict) and type(index) in (int, str):
        return base[index]
    if type(base) in (*TENSORS, tuple, list, torch.Size) or type(base).__module__ == "torch.return_types":
        return base[_small(index)]
    raise _Unsafe


def _computed(op: ast.AST, left, right):
    """Return the result of an operator such as ast.Add(). Errors: _Unsafe if it may take long, and its own."""
    shapes = [tuple(operand.shape) for operand in (left, right) if type(operand) in TENSORS]
    if len(shapes) == 2:
        outer = [shape[:-2] for shape in shapes] if isinstance(op, ast.MatMult) else shapes
        size = math.prod(np.broadcast_shapes(*outer))  # torch.broadcast_shapes would import sympy
        if isinstance(op, ast.MatMult):
            size *= math.prod(shapes[0][-2:-1]) * math.prod(shapes[1][-1:]) * math.prod(shapes[0][-1:])
        if size > 10 * LIMIT:
            raise _Unsafe
    return OPERATORS[type(op)](_small(left), _small(right))


def _call(func: ast.AST, args: list, named: dict, names):
    """Return the result of a call. Errors: _Unsafe unless the function is known to have no side effects; its own."""
    if isinstance(func, ast.Attribute):
        base = _value(func.value, names)
        if type(base) in TENSORS:
            if func.attr.endswith("_") or func.attr.startswith("_") or func.attr in WITH_EFFECTS:
                raise _Unsafe
            return getattr(torch.Tensor, func.attr)(_small(base), *args, **named)
        if isinstance(base, nn.Module) and func.attr == "state_dict" and not (args or named):
            return dict(nn.Module.state_dict(base))
    function = _value(func, names)
    if type(function) is nn.Linear and not named:
        return F.linear(*args, function.weight, function.bias)
    if isinstance(function, types.FunctionType | types.BuiltinFunctionType | type):
        if function in PURE or function in BUILTINS:
            return function(*args, **named)
    raise _Unsafe

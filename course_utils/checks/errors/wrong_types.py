"""Explanations for values of a wrong type: a number or list in place of a tensor, a float as a size, a wrong dtype."""

import ast
import re

import torch
from torch import nn

from .expressions import build, with_keyword
from .foreign_call import as_tensor, from_list
from .labels import kind
from .products import pair
from .safe_value import TENSORS, UNKNOWN
from .stopped import StoppedCode

OF_NUMBERS = {"sqrt": "x ** 0.5", "exp": "math.exp(x)", "log": "math.log(x)", "abs": "abs(x)"}


def highest(stop: StoppedCode, name: str):
    """Yield sentences for a learner who uses the result of `max(dim=…)`, or its like, as one tensor; it holds two."""
    part = stop.first(lambda value: type(value).__name__ == name)
    if part is None:
        yield stop.sentence("{at} `{name}` along an axis gives two tensors, values and places.", name=name)
        yield "Take `.values`."
        return
    yield stop.sentence("{at} `{code}` is two tensors, the values and their places.", part)
    values = build("x.values", part)
    if name not in ("max", "min"):
        yield stop.sentence("They are `{code}` and `{places}`.", values, places=build("x.indices", part))
    elif stop.changed(part, values) or isinstance(stop.node, ast.Attribute):
        yield stop.sentence("Take the first: `{code}`.", values)
    else:
        kept = build("x.values", with_keyword(part, "keepdim", "True")) if isinstance(part, ast.Call) else values
        fits = stop.changed(part, kept) is not None
        yield stop.sentence("Take the first, with its axis kept: `{code}`." if fits else "Take `.values`.", kept)


def not_a_tensor(stop: StoppedCode, function: str, got: str):
    """Yield sentences for a learner who calls a function of torch with a value that is no tensor."""
    node = stop.first(lambda value: type(value).__name__ == got, stop.arguments())
    if node is None:
        yield stop.sentence("{at} `{function}` takes a tensor, and gets a `{kind}`.", function=function, kind=got)
        return
    value, places = stop.value(node), {"function": function, "code": node}
    yield stop.sentence("{at} `{function}` takes a tensor, and `{code}` is {kind}.", kind=kind(value), **places)
    if isinstance(value, int | float) and function in OF_NUMBERS:
        yield stop.sentence("For a number: `{code}`.", build(OF_NUMBERS[function], node))
    elif not isinstance(value, int | float) and (change := as_tensor(stop, node)):
        yield stop.sentence("`{code}` is a tensor of it.", change)


def no_number(stop: StoppedCode, got: str):
    """Yield a sentence for a learner who makes a tensor of a list that holds functions or None."""
    if got == "NoneType":
        yield stop.sentence("{at} a tensor is made of numbers, and one of them is `None`: is a `return` missing?")
    else:
        yield stop.sentence("{at} a tensor is made of numbers, and one of them is a function: call it, with `()`.")


def whole_number(stop: StoppedCode, constructor: str | None = None):
    """Yield sentences for a learner who uses a float where a whole number is needed.

    constructor: the name of a function like "zeros" if it is not certain that a float is the cause; then, yield none if
    no float is found.
    """
    part = stop.first(lambda value: isinstance(value, float))
    if part is not None:
        assigned = stop.assigned(part) or part
        yield stop.sentence("{at} a whole number is needed, and `{code}` is {value}.", part, value=stop.value(part))
        if isinstance(assigned, ast.BinOp) and isinstance(assigned.op, ast.Div):
            change = build("x // y", assigned.left, assigned.right)
            yield stop.sentence("`/` always gives a float: `{code}`.", change)
        else:
            yield "If it comes from a `/`: `//` gives whole numbers."
    elif constructor is None:
        yield stop.sentence("{at} a whole number is needed, and it gets a float. `/` always gives one, `//` does not.")


def single(stop: StoppedCode):
    """Yield sentences for a learner who uses a tensor of many numbers where a single number is needed."""
    name, func = stop.called(), getattr(stop.node, "func", None)
    node = func.value if name == "item" else stop.argument(0, "data")
    tensor = stop.tensor(node)
    if name == "tensor" and isinstance(stop.value(node), list | tuple):
        yield stop.sentence("{at} `torch.tensor` takes numbers, and gets a list of tensors.")
        if change := as_tensor(stop, node):
            yield stop.sentence("One tensor of them: `{code}`.", change)
    elif tensor is not None:
        template = "{at} a single number is needed, and `{code}` has {count}, {tensor}."
        yield stop.sentence(template, node, count=tensor.numel(), tensor=tensor)
        if stop.text(func).startswith("math.") and hasattr(torch, name):
            yield stop.sentence("For each of them: `{code}`.", build(f"torch.{name}(x)", node))
        else:
            yield "Pick one by its place, or make one of all, with `.sum()`, `.mean()` or `.max()`."


def wrong_kinds(stop: StoppedCode):
    """Yield sentences for a learner whose operator joins what does not go together, such as a list and a tensor."""
    left, right = pair(stop, (), lambda op: True)
    if left is None:
        return
    values = {left: stop.value(left), right: stop.value(right)}
    for node, value in values.items():
        if isinstance(node, ast.Attribute) and stop.tensor(node.value) is not None and value is UNKNOWN:
            template = "{at} `{code}` is a function that was not called: its brackets are missing, `{code}(…)`."
            yield stop.sentence(template, node)
            return
    if any(value is UNKNOWN for value in values.values()):
        return
    yield stop.sentence("{at} {left} meets {right}.", left=kind(values[left]), right=kind(values[right]))
    for node, value in values.items():
        if type(value) is list and (change := from_list(stop, node)):
            yield change
        elif isinstance(value, torch.Size):
            yield stop.sentence("Take one of its sizes, such as `{code}`.", build("x[-1]", node))
        elif isinstance(value, tuple):
            yield stop.sentence("Take the part of `{code}` that you want: it has {count}.", node, count=len(value))
        elif isinstance(value, nn.Module):
            yield stop.sentence("A module is called: `{code}(…)`.", node)
        else:
            continue
        return
    is_product = isinstance(getattr(stop.node, "op", None), ast.MatMult)
    if is_product and {type(value) for value in values.values()} & {int, float}:
        yield "`@` is for tensors: with a number, write `*`."


def index_kind(stop: StoppedCode):
    """Yield sentences for a learner who indexes with a float, a text or a float tensor, or indexes a list twice."""
    if not isinstance(stop.node, ast.Subscript):
        return
    node, place = stop.node.value, stop.node.slice
    base, index = stop.value(node), stop.value(place)
    if isinstance(base, list | tuple | range) and (isinstance(index, tuple) or index is ...):
        template = "{at} `{code}` is {kind}, and takes one whole number in its brackets."
        yield stop.sentence(template, node, kind=kind(base))
        assigned, change = stop.assigned(node) or node, as_tensor(stop, node)
        if isinstance(base, range) and isinstance(assigned, ast.Call):
            change = ast.Call(build("torch.arange"), assigned.args, [])
        if change:
            yield stop.sentence("A tensor of it takes more: `{code}`.", change)
    elif type(index) in TENSORS and index.is_floating_point():
        yield stop.sentence("{at} `{code}` holds `{dtype}`.", place, dtype=index.dtype)
        template, change = "An index needs whole numbers or booleans.", build("x.long()", place)
        if (index == index.round()).all() and stop.changed(place, change):
            template = "An index needs whole numbers or booleans: `{code}` for places, `.bool()` for a mask."
        yield stop.sentence(template, change)
    elif index is not UNKNOWN and not isinstance(index, int | tuple | slice):
        yield stop.sentence("{at} an index needs whole numbers, and `{code}` is {kind}.", place, kind=kind(index))


def dtypes(stop: StoppedCode):
    """Yield sentences for a learner who multiplies tensors of two dtypes, or gives a layer inputs of another dtype."""
    parts = [part for name in ("left", "right") if (part := getattr(stop.node, name, None))] or stop.arguments()
    kinds = {part: stop.tensor(part).dtype for part in parts if stop.tensor(part) is not None}
    layers = [frame.f_locals["self"] for frame in stop.below if frame.f_code is nn.Linear.forward.__code__]
    changes = [build("x.float()", part) for part, dtype in kinds.items() if dtype != torch.float32]
    if layers and len(kinds) == 1:
        [(part, dtype)], weights = kinds.items(), layers[-1].weight.dtype
        template = "{at} the layer holds `{weights}`, and `{code}` `{dtype}`."
        yield stop.sentence(template, part, weights=weights, dtype=dtype)
        changes = changes if weights == torch.float32 else []
    elif len(set(kinds.values())) > 1:
        first, second, *_ = dict.fromkeys(kinds.values())
        yield stop.sentence("{at} `{first}` meets `{second}`.", first=first, second=second)
        changes = [change for change in changes if stop.changed(change.func.value, change)]
    elif names := re.search(r"got:? (\w+(?: int)?)(?: !=| and) (\w+(?: int)?)", stop.message):
        yield stop.sentence("{at} {first} meets {second}.", first=names[1].lower(), second=names[2].lower())
        changes = []
    else:
        return
    yield stop.sentence("Both need one dtype: `{code}`.", changes[0]) if changes else "Both need one dtype."


def floats(stop: StoppedCode):
    """Yield at most one sentence for a learner who calls a function for floats alone, as `mean`, on other numbers."""
    node = stop.subject()
    if stop.tensor(node) is not None:
        template = "{at} `{code}` holds `{dtype}`, and this needs floats."
        if change := stop.changed(node, build("x.float()", node)):
            template = "{at} `{code}` holds `{dtype}`, and this needs floats: `{change}`."
        yield stop.sentence(template, node, dtype=stop.tensor(node).dtype, change=change)


ROWS = [
    ((TypeError, AttributeError), r"torch\.return_types\.(?P<name>\w+)", highest),
    (TypeError, r"^(?P<function>\w+)\(\): argument '\w+' .*must be Tensor, not (?:torch\.)?"
     r"(?P<got>int|float|bool|list|tuple|str|ndarray|Size)$", not_a_tensor),
    (TypeError, r"must be (tuple of ints|int),? ?(not|but got) ?float|'float' object cannot be inter", whole_number),
    (TypeError, r"^(?P<constructor>zeros|ones|rand|randn|empty)\(\) takes 1 positional argument", whole_number),
    (TypeError, r"^slice indices must be integers|^repeat_interleave\(\) .*got \(float", whole_number),
    ((ValueError, RuntimeError), r"only one element tensors|cannot be converted to Scalar", single),
    (TypeError, r"unsupported operand type|' not supported between instances", wrong_kinds),
    ((IndexError, TypeError), r"used as indices|only integers, slices|indices must be int|invalid data type",
     index_kind),
    (RuntimeError, r"have the same dtype|did not match (Float|Double|Long)|scalar type \w+ but", dtypes),
    (RuntimeError, r"^Could not infer dtype of (?P<got>(builtin_)?function(_or_method)?|method|NoneType)$", no_number),
    (RuntimeError, r"could not infer output dtype. Input dtype must be", floats),
    (NotImplementedError, r"not implemented for '(Long|Int|Bool)'", floats),
]  # fmt: skip

"""Explanations for values of a wrong type: a number or list in place of a tensor, a float as a size, a wrong dtype."""

import ast
import re

import torch
from torch import nn

from .foreign_call import as_tensor, from_list
from .masks import atom, handed_over
from .safe_value import TENSORS, UNKNOWN
from .stopped import kind, shape

OF_NUMBERS = {"sqrt": "{1} ** 0.5", "exp": "math.exp({0})", "log": "math.log({0})", "abs": "abs({0})"}
SEVERAL = (list, tuple)
PICK = "Where a call gives several things, take the one that you want, such as `[0]`."


def highest(stop, match):
    """Return an explanation, always a text, of the two tensors of `max(dim=…)` or its like where one is needed.

    stop: the Stop. match: the `re.Match` in the error's message; its group "name" is the function's, such as "max".
    """
    inside = [part for part in ast.walk(stop.node) if isinstance(part, ast.expr)] if stop.node is not None else []
    part = next((part for part in inside if type(stop.value(part)).__name__ == match["name"]), None)
    if part is None:
        return f"{stop.at} `{match['name']}` along an axis gives two tensors, values and places. Take `.values`."
    said = f"{stop.at} `{stop.text(part)}` is two tensors, the values and their places."
    first = ast.Attribute(part, "values")
    if match["name"] not in ("max", "min"):
        return f"{said} They are `{stop.text(first)}` and `{stop.text(ast.Attribute(part, 'indices'))}`."
    if stop.changed(part, first) or isinstance(stop.node, ast.Attribute):
        return f"{said} Take the first: `{stop.text(first)}`."
    if isinstance(part, ast.Call):
        kept = ast.Call(part.func, part.args, [*part.keywords, ast.keyword("keepdim", ast.Constant(True))])
        if stop.changed(part, ast.Attribute(kept, "values")):
            return f"{said} Take the first, with its axis kept: `{stop.text(ast.Attribute(kept, 'values'))}`."
    return f"{said} Take `.values`."


def not_a_tensor(stop, match):
    """Return an explanation, always a text, of a number or a list where a function of torch takes a tensor.

    stop: the Stop. match: the `re.Match` in the error's message; its group "function" is the function's name, and "got"
    the name of the wrong type.
    """
    name = match["function"]
    node = next((part for part in handed_over(stop) if type(stop.value(part)).__name__ == match["got"]), None)
    if node is None:
        return f"{stop.at} `{name}` takes a tensor, and gets a `{match['got']}`."
    value, said = stop.value(node), f"{stop.at} `{name}` takes a tensor, and `{stop.text(node)}` is "
    said += f"{kind(value)}."
    if isinstance(value, int | float):
        if name in OF_NUMBERS:
            return f"{said} For a number: `{OF_NUMBERS[name].format(stop.text(node), atom(stop, node))}`."
        return said
    change = as_tensor(stop, node)
    return f"{said} `{change}` is a tensor of it." if change else said


def whole_number(stop, match):
    """Return an explanation of a float where a size or an index must be a whole number.

    stop: the Stop. match: the `re.Match` in the error's message. None comes back if its text has "takes 1", as in that
    of `torch.zeros`, and no float is found in the expression.
    """
    inside = [part for part in ast.walk(stop.node) if isinstance(part, ast.expr)] if stop.node is not None else []
    for part in (part for part in inside if isinstance(stop.value(part), float)):
        made = stop.made(part) or part
        said = f"{stop.at} a whole number is needed, and `{stop.text(part)}` is {stop.value(part)}."
        if isinstance(made, ast.BinOp) and isinstance(made.op, ast.Div):
            return f"{said} `/` always gives a float: `{stop.text(ast.BinOp(made.left, ast.FloorDiv(), made.right))}`."
        return f"{said} If it comes from a `/`: `//` gives whole numbers."
    if "takes 1" in match[0]:
        return None
    return f"{stop.at} a whole number is needed, and it gets a float. `/` always gives one, `//` does not."


def size_of(stop, match):
    """Return an explanation of a tensor in place of its sizes, as in `torch.zeros(x)`; None if no tensor is found.

    stop: the Stop. match: not used.
    """
    for part in handed_over(stop):
        if stop.tensor(part) is not None:
            said = f"{stop.at} sizes are needed, and `{stop.text(part)}` is {kind(stop.value(part))}."
            return f"{said} Its sizes: `{atom(stop, part)}.shape`."
    return None


def single(stop, match):
    """Return an explanation of a tensor of many numbers where a single number is needed; None if it is not known.

    stop: the Stop. match: not used.
    """
    name, func = stop.called(), getattr(stop.node, "func", None)
    node = func.value if name == "item" else stop.argument(0, "data")
    if name == "tensor" and isinstance(stop.value(node), SEVERAL):
        change = as_tensor(stop, node)
        said = f"{stop.at} `torch.tensor` takes numbers, and gets a list of tensors."
        return f"{said} One tensor of them: `{change}`." if change else said
    if stop.tensor(node) is None:
        return None
    tensor = stop.tensor(node)
    said = f"{stop.at} a single number is needed, and `{stop.text(node)}` has {tensor.numel()}, {shape(tensor)}."
    if stop.text(func).startswith("math.") and hasattr(torch, name):
        return f"{said} For each of them: `torch.{name}({stop.text(node)})`."
    return f"{said} Pick one by its place, or make one of all, with `.sum()`, `.mean()` or `.max()`."


def as_place(stop, match):
    """Return an explanation of a tensor in place of one whole number, or of a list combined with a tensor; else None.

    stop: the Stop. match: handed on to `wrong_kinds`, which does not use it.
    """
    if isinstance(stop.node, ast.BinOp | ast.AugAssign):
        return wrong_kinds(stop, match)
    node = stop.node.targets[0] if isinstance(stop.node, ast.Assign) else stop.node
    node = getattr(node, "slice", node)
    for part in ast.walk(node) if node is not None else ():
        if not isinstance(part, ast.expr) or stop.tensor(part) is None:
            continue
        tensor, text = stop.tensor(part), stop.text(part)
        said = f"{stop.at} one whole number is needed, and `{text}` is {shape(tensor)}, `{tensor.dtype}`."
        return f"{said} As a number: `int({text})`." if tensor.numel() == 1 else said
    return None


def wrong_kinds(stop, match):
    """Return an explanation of an operator between things that do not go together, such as a list and a tensor.

    stop: the Stop. match: not used. None comes back if no operator stopped, or an operand's value is not known.
    """
    match stop.node:
        case (
            ast.BinOp(left=left, op=op, right=right)
            | ast.AugAssign(target=left, op=op, value=right)
            | ast.Compare(left=left, ops=[op], comparators=[right])
        ):
            one, other = stop.value(left), stop.value(right)
        case _:
            return None
    for node in (left, right):
        if isinstance(node, ast.Attribute) and stop.tensor(node.value) is not None and stop.value(node) is UNKNOWN:
            text = stop.text(node)
            return f"{stop.at} `{text}` is a function that was not called: its brackets are missing, `{text}(…)`."
    if UNKNOWN in (kinds := [one if one is UNKNOWN else kind(one), other if other is UNKNOWN else kind(other)]):
        return None
    said = f"{stop.at} {kinds[0]} meets {kinds[1]}."
    for node, value in ((left, one), (right, other)):
        if type(value) is list and (change := from_list(stop, node)):
            return f"{said} {change}"
        if isinstance(value, torch.Size):
            return f"{said} Take one of its sizes, such as `{stop.text(node)}[-1]`."
        if isinstance(value, tuple):
            return f"{said} Take the part of `{stop.text(node)}` that you want: it has {len(value)}."
        if isinstance(value, nn.Module):
            return f"{said} A module is called: `{stop.text(node)}(…)`."
    if isinstance(op, ast.MatMult) and {type(one), type(other)} & {int, float}:
        return f"{said} `@` is for tensors: with a number, write `*`."
    return said


def index_kind(stop, match):
    """Return an explanation of an index that is a float, text or float tensor, or of a list indexed like a tensor.

    stop: the Stop. match: not used. None comes back if no index stopped, its value is not known, or it may be right.
    """
    if not isinstance(stop.node, ast.Subscript):
        return None
    node, (base, at) = stop.node.value, (stop.value(stop.node.value), stop.value(stop.node.slice))
    if isinstance(base, (*SEVERAL, range)) and (isinstance(at, tuple) or at is ...):
        said = f"{stop.at} `{stop.text(node)}` is {kind(base)}, and takes one whole number in its brackets."
        made = stop.made(node) or node
        change = as_tensor(stop, node)
        if isinstance(base, range) and isinstance(made, ast.Call):
            change = stop.text(ast.Call(ast.parse("torch.arange", mode="eval").body, made.args, []))
        return f"{said} A tensor of it takes more: `{change}`." if change else said
    text = stop.text(stop.node.slice)
    if type(at) in TENSORS and at.is_floating_point():
        said = f"{stop.at} `{text}` holds `{at.dtype}`. An index needs whole numbers or booleans"
        whole = ast.Call(ast.Attribute(stop.node.slice, "long"), [], [])
        if (at == at.round()).all() and stop.changed(stop.node.slice, whole):
            return f"{said}: `{stop.text(whole)}` for places, `.bool()` for a mask."
        return f"{said}."
    if at is UNKNOWN or isinstance(at, int | tuple | slice):
        return None
    return f"{stop.at} an index needs whole numbers, and `{text}` is {kind(at)}."


def one_list(stop, match):
    """Return an explanation, always a text, of a `cat` or `stack` that did not get one list of tensors.

    stop: the Stop. match: not used.
    """
    tensors = [part for part in stop.node.args if stop.tensor(part) is not None] if stop.called() else []
    if len(tensors) < 2:
        return f"{stop.at} it takes a list of tensors, and this is a tensor already."
    return f"{stop.at} it takes one list of tensors: `[{', '.join(map(stop.text, tensors))}]`."


def of_tensors(stop, match):
    """Return an explanation, always a text, of a `cat` or `stack` of a list that holds something other than tensors.

    stop: the Stop. match: the `re.Match` in the error's message; its group "place" is the index of that in the list,
    and "got" the name of its type.
    """
    node, place = stop.argument(0, "tensors"), int(match["place"])
    parts = stop.value(node)
    if not isinstance(parts, SEVERAL) or place >= len(parts):
        said = f"{stop.at} a list of tensors is needed, and part {place} of this one is a `{match['got']}`."
        return f"{said} {PICK}" if match["got"] == "tuple" else said
    what = f"`{stop.text(node.elts[place])}`" if isinstance(node, ast.List) else f"part {place} of `{stop.text(node)}`"
    said = f"{stop.at} a list of tensors is needed, and {what} is {kind(parts[place])}."
    if parts[place] is None:
        return f"{said} As long as there is nothing yet, take the new one alone."
    if isinstance(parts[place], tuple):
        return f"{said} {PICK}"
    if isinstance(parts[place], nn.Linear) and isinstance(node, ast.List):
        return f"{said} Its numbers are `{stop.text(node.elts[place])}.weight`."
    change = as_tensor(stop, node)
    return f"{said} A tensor of numbers: `{change}`." if change else said


def empty(stop, match):
    """Return an explanation, always a text, of a `cat` or `stack` of an empty list. stop: the Stop. match: not used."""
    return f"{stop.at} the list is empty. Did the loop that fills it run, and did it `append`?"


def dtypes(stop, match):
    """Return an explanation of a product of two tensors of different dtypes, or None.

    stop: the Stop. match: not used. If the tensors are not known, it has the dtypes in the error's message; None comes
    back if that has none.
    """
    parts = [part for name in ("left", "right") if (part := getattr(stop.node, name, None))] or handed_over(stop)
    known = [part for part in parts if stop.tensor(part) is not None]
    kinds = {part: stop.tensor(part).dtype for part in known}
    layers = [frame.f_locals["self"] for frame in stop.below if frame.f_code is nn.Linear.forward.__code__]
    if layers and len(known) == 1:
        met = f"the layer holds `{layers[-1].weight.dtype}`, and `{stop.text(known[0])}` `{kinds[known[0]]}`"
        if layers[-1].weight.dtype != torch.float32:
            return f"{stop.at} {met}. Both need one dtype."
        return f"{stop.at} {met}. Both need one dtype: `{atom(stop, known[0])}.float()`."
    if len(set(kinds.values())) < 2:
        names = re.search(r"got:? (\w+(?: int)?)(?: !=| and) (\w+(?: int)?)", stop.message)
        return f"{stop.at} {names[1].lower()} meets {names[2].lower()}. Both need one dtype." if names else None
    met = " meets ".join(f"`{dtype}`" for dtype in dict.fromkeys(kinds.values()))
    for part in (part for part in known if kinds[part] != torch.float32):
        change = ast.Call(ast.Attribute(part, "float"), [], [])
        if stop.changed(part, change):
            return f"{stop.at} {met}. Both need one dtype: `{stop.text(change)}`."
    return f"{stop.at} {met}. Both need one dtype."


def floats(stop, match):
    """Return an explanation of a mean or a softmax of whole numbers or booleans, which is defined for floats alone.

    stop: the Stop. match: not used. None comes back if the tensor is not known.
    """
    node = stop.subject()
    if stop.tensor(node) is None:
        return None
    said = f"{stop.at} `{stop.text(node)}` holds `{stop.tensor(node).dtype}`, and this needs floats"
    tried = stop.changed(node, ast.Call(ast.Attribute(node, "float"), [], []))
    return f"{said}: `{tried[0]}`." if tried else f"{said}."


OTHER = r"(?P<got>int|float|bool|list|tuple|str|ndarray|Size)$"
ROWS = [
    ((TypeError, AttributeError), r"torch\.return_types\.(?P<name>\w+)", highest),
    (TypeError, r"'tensors' \(position 1\) must be tuple of Tensors, not Tensor", one_list),
    (TypeError, r"expected Tensor as element (?P<place>\d+) in argument 0, but got (?P<got>\w+)", of_tensors),
    ((RuntimeError, ValueError), r"non-empty (TensorList|list of Tensors)", empty),
    (TypeError, r"^(?P<function>\w+)\(\): argument '\w+' .*must be Tensor, not (?:torch\.)?" + OTHER, not_a_tensor),
    (TypeError, r"must be (tuple of ints|int),? ?(not|but got) ?float|'float' object cannot be inter", whole_number),
    (TypeError, r"^(?:zeros|ones|rand|randn|empty)\(\) takes 1 positional argument", whole_number),
    (TypeError, r"argument 'size' .*must be tuple of ints, not Tensor", size_of),
    (TypeError, r"^slice indices must be integers", whole_number),
    ((ValueError, RuntimeError), r"only one element tensors|cannot be converted to Scalar", single),
    (TypeError, r"only integer tensors of a single element", as_place),
    (TypeError, r"unsupported operand type|' not supported between instances", wrong_kinds),
    (
        (IndexError, TypeError),
        r"used as indices|only integers, slices|indices must be int|invalid data type",
        index_kind,
    ),
    (RuntimeError, r"have the same dtype|did not match (Float|Double|Long)|scalar type \w+ but", dtypes),
    (RuntimeError, r"could not infer output dtype. Input dtype must be", floats),
    (NotImplementedError, r"not implemented for '(Long|Int|Bool)'", floats),
]

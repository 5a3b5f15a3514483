"""Explanations for errors of Python itself: None, things that cannot be called or indexed, endless recursion."""

import ast
import dis
import types

import torch

from .expressions import build
from .labels import kind
from .safe_value import TENSORS, UNKNOWN
from .stopped import StoppedCode

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
IN_PLACE = {"append", "extend", "sort", "reverse", "insert", "update", "shuffle", "manual_seed"}


def nothing(stop: StoppedCode):
    """Yield sentences for a learner who has a None where a value is needed, and on where it comes from."""
    parts = _parts(stop.node)
    node = stop.first(lambda value: value is None, parts)
    if node is None or isinstance(node, ast.Constant):
        node = next((part for part in parts if isinstance(part, ast.Call) and any(_why(stop, part))), node)
    if node is None and isinstance(stop.node, ast.Attribute | ast.Subscript):
        node = stop.node.value
    if node is not None and not isinstance(node, ast.Constant):
        yield stop.sentence("{at} `{code}` is None.", node)
        yield from _why(stop, node)


def _parts(node: ast.AST) -> list[ast.expr]:
    names = ("left", "right", "value", "func", "operand", "target", "iter")
    parts = [getattr(node, name, None) for name in names] + list(getattr(node, "args", [])) + [node]
    return [part for part in parts if isinstance(part, ast.expr)]


def _why(stop: StoppedCode, node: ast.AST):
    """Yield at most one sentence for a learner on why an expression is None, such as a function without `return`."""
    match stop.assigned(node) or node:
        case ast.Name(id=name) if name in stop.parameters():
            template = "It was handed over as None, or not at all: say with `if {name} is None:` what then."
            yield stop.sentence(template, name=name)
        case ast.Name(id=name) if name not in stop.frame.f_locals and stop.runs(build(f"self.{name}")):
            template = "That is the notebook's. The object has one of its own: write `self.{name}`."
            yield stop.sentence(template, name=name)
        case ast.Call(func=ast.Attribute(attr="register_buffer"), args=[ast.Constant(value=buffer), *_]):
            template = "`register_buffer` makes `self.{name}` itself, and gives nothing back: leave `{left} =` out."
            yield stop.sentence(template, name=buffer, left=node)
        case ast.Call(func=ast.Attribute(attr=name)) if name in IN_PLACE:
            yield stop.sentence("`{name}` changes the thing itself, and gives nothing back.", name=name)
        case ast.Call(func=func):
            function = stop.value(func)
            if isinstance(function, torch.nn.Module):
                function = type(function).forward
            if isinstance(function, types.FunctionType) and _returns_nothing(function):
                name = function.__qualname__
                yield stop.sentence("`{name}` has no `return` that gives something back.", name=name)


def _returns_nothing(function: types.FunctionType) -> bool:
    """Return whether every `return` in a function's bytecode returns None; False for a generator function."""
    steps = list(dis.get_instructions(function))
    if function.__code__.co_flags & 0x20:  # a generator
        return False
    given = [steps[place - 1] for place, step in enumerate(steps) if step.opname == "RETURN_VALUE"]
    given += [step for step in steps if step.opname == "RETURN_CONST"]
    return all(step.opname.endswith("_CONST") and step.argval is None for step in given)


def no_function(stop: StoppedCode):
    """Yield sentences for a learner who calls something that cannot be called; none if its value is unknown."""
    func = getattr(stop.node, "func", None)
    thing = stop.value(func)
    if thing is UNKNOWN:
        return
    if thing is None:
        yield from nothing(stop)
        return
    yield stop.sentence("{at} `{code}` is {kind}, not a function.", func, kind=kind(thing))
    args, layer = stop.node.args, getattr(func, "attr", "").capitalize()
    if not args and not stop.node.keywords:
        yield stop.sentence("Leave out the brackets: `{code}`.", func)
    elif isinstance(thing, list | tuple) and len(args) == 1:
        if stop.runs(item := build("x[y]", func, args[0])):
            yield stop.sentence("A place in it stands in square brackets: `{code}`.", item)
    elif isinstance(thing, int | float) and isinstance(getattr(torch.nn, layer, None), type):
        yield stop.sentence("Where `{code}` is made, write `nn.{layer}(…)` around it.", func, layer=layer)
    elif args and stop.runs(product := build("x @ y" if type(thing) in TENSORS else "x * y", func, args[0])):
        yield stop.sentence("Is a sign missing, as in `{code}`?", product)


def square_brackets(stop: StoppedCode):
    """Yield sentences for a learner who puts square brackets after a function, or another value that takes no index."""
    if not isinstance(stop.node, ast.Subscript):
        return
    base, thing = stop.node.value, stop.value(stop.node.value)
    call = build("x(y)", base, stop.node.slice)
    if thing is None:
        yield from nothing(stop)
    elif stop.runs(call):
        template = "{at} `{code}` is a function, and is called with round brackets: `{call}`."
        yield stop.sentence(template, base, call=call)
    elif thing is not UNKNOWN:
        yield stop.sentence("{at} `{code}` is {kind}, and has no places in square brackets.", base, kind=kind(thing))
    elif isinstance(base, ast.Attribute) and stop.tensor(base.value) is not None:
        yield stop.sentence("{at} `{name}` is a function of tensors: round brackets call it.", name=base.attr)


def no_parts(stop: StoppedCode):
    """Yield sentences for a learner who loops over, unpacks, or takes the `len` of a value that has no parts."""
    node = stop.node
    if isinstance(node, ast.Assign):
        node = node.value
    elif isinstance(node, ast.Call) and len(node.args) == 1 and not any(_why(stop, node)):
        node = node.args[0]
    counts = node is stop.node
    if isinstance(node, COMPREHENSIONS):
        node, counts = node.generators[0].iter, True
    value = stop.value(node)
    if value is UNKNOWN and node is not None and "NoneType" in stop.message:
        value = None
    if value is UNKNOWN:
        return
    if node is not stop.node:
        yield stop.at
    template = "`{code}` is {kind}, and has no parts."
    if type(value) in TENSORS:
        template = "`{code}` is a tensor of one number, {value}, and has no parts."
    yield stop.sentence(template, node, kind=kind(value), value=value)
    if value is None:
        yield from _why(stop, node)
    elif isinstance(value, int) and counts:
        yield stop.sentence("To count up to it: `range({code})`.", node)


def endless(stop: StoppedCode):
    """Yield a sentence for a learner whose function, named in it, calls itself without an end."""
    if stop.frame is not None:
        template = "`{name}` calls itself without an end. Call the function that you meant, or end on some input."
        yield stop.sentence(template, name=stop.frame.f_code.co_name)


ROWS = [
    ((TypeError, AttributeError), r"'NoneType' object (has no attribute|is not (callable|subscriptable))", nothing),
    (TypeError, r"unsupported operand type.*'NoneType'|must be Tensor, not NoneType", nothing),
    (TypeError, r"object is not callable", no_function),
    (TypeError, r"object is not subscriptable", square_brackets),
    (TypeError, r"is not iterable|cannot unpack non-iterable|0-d tensor|has no len\(\)", no_parts),
    (TypeError, r"'type' object does not support the context manager",
     "{at} its brackets are missing. Behind `with` stands a call, such as `torch.no_grad()`."),
    (RecursionError, r"", endless),
    (ValueError, r"must be a tensor, got tuple",
     "{at} it gets a tuple. Where a call gives several things, take the one that you want: `first, _ = …`."),
    (ZeroDivisionError, r"", "{at} nothing can be divided by 0."),
    (IndexError, r"^(list|tuple) index out of range", "{at} it has fewer parts: the first is 0, the last -1."),
]  # fmt: skip

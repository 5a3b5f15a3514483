"""Explanations for errors of Python itself: None, things that cannot be called or indexed, endless recursion."""

import ast
import dis
import types

import torch

from .safe_value import TENSORS, UNKNOWN
from .stopped import kind, shape

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
IN_PLACE = {"append", "extend", "sort", "reverse", "insert", "update", "shuffle", "manual_seed"}


def nothing(stop, match):
    """Return an explanation of None in a place that needs a value, or None if no expression there can be blamed.

    stop: the Stop. match: not used.
    """
    node = next((part for part in _parts(stop.node) if stop.value(part) is None), None)
    if node is None or isinstance(node, ast.Constant):
        node = next((part for part in _parts(stop.node) if isinstance(part, ast.Call) and _why(stop, part)), node)
    if node is None and isinstance(stop.node, ast.Attribute | ast.Subscript):
        node = stop.node.value
    if node is None or isinstance(node, ast.Constant):
        return None
    return f"{stop.at} `{stop.text(node)}` is None.{_because(stop, node)}"


def _because(stop, node):
    """Return the reason why an expression is None, a sentence with a space before it; "" where it is not known.

    stop: the Stop. node: the expression.
    """
    why = _why(stop, stop.made(node)) or _why(stop, node)
    return f" {why}" if why else ""


def _parts(node):
    """Return the expressions that an operator, a call, an attribute or an index works on, and last the node itself.

    All are `ast` nodes, in a list; `node` is left out if it is a statement.
    """
    names = ("left", "right", "value", "func", "operand", "target", "iter")
    parts = [getattr(node, name, None) for name in names] + list(getattr(node, "args", [])) + [node]
    return [part for part in parts if isinstance(part, ast.expr)]


def _why(stop, node):
    """Return a sentence on why an expression is None, or None where that is not known.

    stop: the Stop. node: the expression.
    """
    match node:
        case ast.Name(id=name):
            code = stop.frame.f_code
            if name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
                return f"It was handed over as None, or not at all: say with `if {name} is None:` what then."
        case ast.Call(func=ast.Attribute(attr=name)) if name in IN_PLACE:
            return f"`{name}` changes the thing itself, and gives nothing back."
        case ast.Call(func=func):
            function = stop.value(func)
            if isinstance(function, torch.nn.Module):
                function = type(function).forward
            if isinstance(function, types.FunctionType) and _returns_nothing(function):
                return f"`{function.__qualname__}` has no `return` that gives something back."
    return None


def _returns_nothing(function):
    """Return whether every `return` of a function returns None, by its bytecode; False for a generator."""
    steps = list(dis.get_instructions(function))
    if function.__code__.co_flags & 0x20:  # a generator
        return False
    given = [steps[place - 1] for place, step in enumerate(steps) if step.opname == "RETURN_VALUE"]
    given += [step for step in steps if step.opname == "RETURN_CONST"]
    return all(step.opname.endswith("_CONST") and step.argval is None for step in given)


def no_function(stop, match):
    """Return an explanation of a call of something that cannot be called; None if no call stopped, or of an unknown.

    stop: the Stop. match: not used.
    """
    if not isinstance(stop.node, ast.Call):
        return None
    func, args = stop.node.func, stop.node.args
    what, text = stop.value(func), stop.text(func)
    if what is UNKNOWN:
        return None
    if what is None:
        return nothing(stop, match)
    said = f"{stop.at} `{text}` is {kind(what)}, not a function."
    if not args and not stop.node.keywords:
        return f"{said} Leave out the brackets: `{text}`."
    if isinstance(what, list | tuple) and len(args) == 1:
        item = ast.Subscript(func, args[0])
        return f"{said} A place in it stands in square brackets: `{stop.text(item)}`." if _runs(stop, item) else said
    layer = getattr(func, "attr", "").capitalize()
    if isinstance(what, int | float) and isinstance(getattr(torch.nn, layer, None), type):
        return f"{said} Where `{text}` is made, write `nn.{layer}(…)` around it."
    product = ast.BinOp(func, ast.MatMult() if type(what) in TENSORS else ast.Mult(), args[0]) if args else None
    return f"{said} Is a sign missing, as in `{stop.text(product)}`?" if product and _runs(stop, product) else said


def _runs(stop, node):
    """Return whether the value of an expression can be found without side effects. node: an `ast` node."""
    return stop.value(node) is not UNKNOWN


def square_brackets(stop, match):
    """Return an explanation of an index on a function, or on something else that cannot be indexed; else None.

    stop: the Stop. match: not used.
    """
    if not isinstance(stop.node, ast.Subscript):
        return None
    base, at = stop.node.value, stop.node.slice
    if stop.value(base) is None:
        return nothing(stop, match)
    call = ast.Call(base, [at], [])
    if _runs(stop, call):
        return f"{stop.at} `{stop.text(base)}` is a function, and is called with round brackets: `{stop.text(call)}`."
    what = kind(stop.value(base))
    if what is None and isinstance(base, ast.Attribute) and stop.tensor(base.value) is not None:
        return f"{stop.at} `{base.attr}` is a function of tensors: round brackets call it."
    return f"{stop.at} `{stop.text(base)}` is {what}, and has no places in square brackets." if what else None


def no_parts(stop, match):
    """Return an explanation of a loop over, an unpacking of or a `len` of something that has no parts, or None.

    stop: the Stop. match: not used. None comes back if the place or the value is not known.
    """
    node = stop.node
    if isinstance(node, ast.Assign):
        node = node.value
    elif isinstance(node, ast.Call) and len(node.args) == 1:
        node = node.args[0]
    counts = node is stop.node
    if isinstance(node, COMPREHENSIONS):
        node, counts = node.generators[0].iter, True
    if node is None:
        return None
    value = stop.value(node)
    said = f"`{stop.text(node)}` is " if node is stop.node else f"{stop.at} `{stop.text(node)}` is "
    if value is UNKNOWN:
        return f"{said}None.{_because(stop, node)}" if "NoneType" in stop.message else None
    if value is None:
        return f"{said}None, and has no parts.{_because(stop, node)}"
    if type(value) in TENSORS:
        return f"{said}a tensor of one number, {shape(value)}, and has no parts."
    if isinstance(value, int) and counts:
        return f"{said}{kind(value)}, and has no parts. To count up to it: `range({stop.text(node)})`."
    return f"{said}{kind(value)}, and has no parts."


def no_error(stop, match):
    """Return an explanation, always a text, of a `raise` of something that is not an exception.

    stop: the Stop. match: not used.
    """
    node = stop.node
    thing = getattr(node, "exc", node)
    if isinstance(thing, ast.Constant) and isinstance(thing.value, str):
        return f"`raise` takes an error, not a text. Write `raise ValueError({ast.unparse(thing)})`."
    return '`raise` takes an error, such as `raise ValueError("…")`.'


def endless(stop, match):
    """Return an explanation of a recursion without an end; None if it is not in the learner's code.

    stop: the Stop. match: not used.
    """
    name = stop.frame.f_code.co_name if stop.frame is not None else None
    if name is None:
        return None
    return f"`{name}` calls itself without an end. Call the function that you meant, or end on some input."


def by_zero(stop, match):
    """Return an explanation of a division by zero, or None if the divisor is not known to be 0.

    stop: the Stop. match: not used.
    """
    node = stop.node
    divisor = getattr(node, "right", getattr(node, "value", None))
    if divisor is None or stop.value(divisor) != 0:
        return None
    what = "" if isinstance(divisor, ast.Constant) else f"`{stop.text(divisor)}` is 0, and "
    return f"{stop.at} {what}nothing can be divided by 0."


def used_up(stop, match):
    """Return an explanation of a `next` on an iterator that is exhausted; None if it is not in the learner's code.

    stop: the Stop. match: not used.
    """
    return f"{stop.at} there is no next one: what `next` goes through is used up, or empty." if stop.frame else None


ROWS = [
    ((TypeError, AttributeError), r"'NoneType' object (has no attribute|is not (callable|subscriptable))", nothing),
    (TypeError, r"unsupported operand type.*'NoneType'|must be Tensor, not NoneType", nothing),
    (TypeError, r"object is not callable", no_function),
    (TypeError, r"object is not subscriptable", square_brackets),
    (TypeError, r"is not iterable|cannot unpack non-iterable|0-d tensor|has no len\(\)", no_parts),
    (TypeError, r"exceptions must derive from BaseException", no_error),
    (RecursionError, r"", endless),
    (ZeroDivisionError, r"", by_zero),
    (StopIteration, r"^$", used_up),
]

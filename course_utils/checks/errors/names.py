"""Explanations for a name, an attribute, a key or an argument that does not exist."""

import ast
import builtins
import difflib
import dis
import inspect
import re
import types

import torch
from torch import nn

from .safe_value import TENSORS, UNKNOWN
from .stopped import kind

SHORT = {"np": "import numpy as np", "nn": "from torch import nn", "F": "from torch.nn import functional as F"}
MODULES = {"math", "torch", "random", "copy", "itertools", "functools"}
READABLE = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)
INSTEAD = {"astype": "to", "copy": "clone", "concat": "cat", "concatenate": "cat", "len": "shape", "length": "shape"}


def closest(name, names):
    """Return the names most similar to a name, whatever their case, as a list of at most three, the most similar first.

    names: the names to choose from; those with a leading underscore are left out.
    """
    lower = {other.lower(): other for other in names if not other.startswith("_")}
    return [lower[other] for other in difflib.get_close_matches(name.lower(), lower, 3, 0.6)]


def name(stop, match):
    """Return an explanation of a name that is not defined; None if it is not read in the learner's code.

    stop: the Stop. match: the `re.Match` in the error's message; its group "name" is the name.
    """
    if stop.frame is None:
        return None
    name, local = match["name"], stop.frame.f_locals
    said = f"{stop.line} reads `{name}`, and nothing has that name"
    owner = local.get("self")
    if owner is not None and name in _attributes(owner):
        return f"{said} on its own: it belongs to the object. Write `self.{name}`."
    if owner is not None and name in inspect.signature(type(owner)).parameters:
        return f"{said} here: it was handed to `__init__`, and not kept. There, write `self.{name} = {name}`."
    if name in MODULES or name in SHORT:
        return f"{said}: the import is missing, `{SHORT.get(name, f'import {name}')}`."
    own, known = {*local, *_own(stop)}, set()
    if len(name) > 2:  # too many names are similar to a short one
        known = {*_readable(stop.frame.f_globals), *_readable(vars(builtins))}
    alike = closest(name, sorted({*own, *known} - {name}))
    if alike:
        return f"{said}. The closest is `{next((other for other in alike if other in own), alike[0])}`."
    arguments = ", ".join(f"`{other}`" for other in local if not other.startswith("."))
    return f"{said}. " + (f"Known here are {arguments}." if arguments else "Has the cell that makes it run?")


def _own(stop):
    """Return the names of the arguments and variables of the learner's function that stopped, as a list.

    stop: the Stop.
    """
    at = stop.position[0] or 0
    around = [one for one in ast.walk(stop.tree or ast.Module([], [])) if isinstance(one, ast.FunctionDef)]
    inside = [part for one in around if one.lineno <= at <= one.end_lineno for part in ast.walk(one)]
    names = [part.arg for part in inside if isinstance(part, ast.arg)]
    return names + [part.id for part in inside if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]


def _readable(names):
    """Return the names that an answer may read, as a list: modules, functions and classes, but none that IPython adds.

    names: a dict from names to values. A notebook's other values are left out: an answer that reads one is refused.
    """
    own = {name: what for name, what in names.items() if isinstance(what, READABLE)}
    return [name for name, what in own.items() if not (getattr(what, "__module__", None) or "").startswith("IPython")]


def local(stop, match):
    """Return an explanation, always a text, of a variable of a function that is read before it has a value.

    stop: the Stop. match: the `re.Match` in the error's message; its group "name" is the variable's.
    """
    name, code, line = match["name"], stop.frame.f_code, stop.position[0]
    given = [step.positions.lineno for step in dis.get_instructions(code) if _stores(step, name)]
    said = f"{stop.line} reads `{name}` before it has a value"
    if name in stop.namespace:
        said += f": the `{name}` of the notebook is another one, as this function gives the name a value itself"
    if all(at is not None and at >= line for at in given):
        where = "only there" if line in given else "only on a later line"
        return f"{said}. It gets one {where}: begin with one, or take another name."
    return f"{said}. The line that gives it one was skipped, by an `if` or by a loop without a round."


def _stores(step, name):
    """Return whether a bytecode instruction gives a value to a name. step: a dis.Instruction."""
    return step.opname.startswith("STORE_") and step.argval == name


def _attributes(owner):
    """Return the names that a learner gave to an object's modules, parameters, buffers, other values and methods.

    They come as a list. Values and methods with a leading underscore are left out.
    """
    own = vars(owner) if hasattr(owner, "__dict__") else {}
    parts = [name for kind in ("_modules", "_parameters", "_buffers") for name in own.get(kind) or {}]
    plain = [name for name in own if not name.startswith("_") and name != "training"]
    methods = [
        name for name, what in vars(type(owner)).items() if inspect.isfunction(what) and not name.startswith("_")
    ]
    return [*parts, *plain, *methods]


def attribute(stop, match):
    """Return an explanation of an attribute that an object does not have, or None.

    stop: the Stop. match: the `re.Match` in the error's message; its group "name" is the attribute's. None comes back
    if the object is not known, its class has the attribute, or the error was raised inside a called function.
    """
    name, base = match["name"], getattr(stop.node, "value", None)
    if isinstance(stop.node, ast.Call):  # the error was raised inside the function that was called
        return None
    owner = stop.value(base)
    if owner is UNKNOWN and stop.error.obj is not None:  # an AttributeError keeps the object, even a call's result
        owner = stop.error.obj
    if owner is UNKNOWN or base is None or name in dir(type(owner)):
        return None
    text = stop.text(base)
    said = f"`{text}.{name}` stops: `{text}` is {kind(owner)}"
    if isinstance(owner, types.FunctionType):
        return f"{said} that was not called: `{text}(…)`."
    if isinstance(owner, types.ModuleType):
        alike = closest(name, vars(owner))
        return f"{stop.at} `{text}` has no `{name}`." + (f" The closest is `{text}.{alike[0]}`." if alike else "")
    if isinstance(owner, nn.ModuleList | nn.Sequential) and len(owner) and hasattr(owner[0], name):
        return f"{said}. It holds modules, and each of them has `{name}`: `{text}[0].{name}`."
    if isinstance(owner, nn.Module):
        has = _attributes(owner)
        alike = closest(name, has)
        if not has:
            return f"{said}, and has no `{name}`: nothing was given to it yet."
        order = ", ".join(f"`{other}`" for other in dict.fromkeys([*alike, *has[:8]]))
        return f"{said}, and has no `{name}`. It has {order}."
    if isinstance(owner, list | tuple) and hasattr(torch.Tensor, name):
        if isinstance(owner, tuple):
            return f"{said} of {len(owner)}, not a tensor. Take the part that you want: `first, *others = {text}`."
        maker = "torch.stack" if owner and all(type(part) in TENSORS for part in owner) else "torch.tensor"
        return f"{said}, and only a tensor has `{name}`. Make one: `{maker}({text})`."
    if isinstance(owner, int | float) and hasattr(torch.Tensor, name):
        return f"{said}, and only a tensor has `{name}`."
    alike = [INSTEAD[name]] if name in INSTEAD and hasattr(owner, INSTEAD[name]) else closest(name, dir(type(owner)))
    return f"{said}, and has no `{name}`." + (f" The closest is `{alike[0]}`." if alike else "")


def key(stop, match):
    """Return an explanation of a key that a dict, such as a state dict, does not have; else None.

    stop: the Stop. match: not used. None comes back unless an index into a known dict stopped.
    """
    wanted = stop.error.args[0] if stop.error.args else None
    owner = stop.value(getattr(stop.node, "value", None)) if isinstance(stop.node, ast.Subscript) else UNKNOWN
    if not isinstance(owner, dict):
        return None
    names = [str(name) for name in owner]
    order = ", ".join(f"`{name!r}`" for name in dict.fromkeys([*closest(str(wanted), names), *names[:8]]))
    has = f"It has {order}." if names else "It is empty."
    return f"{stop.at} `{stop.text(stop.node.value)}` has no key `{wanted!r}`. {has}"


def arguments(stop, match):
    """Return an explanation of a call with too many or too few arguments, or with an unknown keyword; else None.

    stop: the Stop. match: the `re.Match` in the error's message; its group "function" is the name of what was called.
    None comes back if that function is not found.
    """
    function = _function(stop, match["function"])
    if function is None:
        return None
    names = list(inspect.signature(function).parameters)
    called = match["function"]
    if (function.__module__ or "").startswith(
        "course_utils.exercises"
    ):  # the check made this function: its parameter names mean nothing to a learner
        count = len(names) - ("self" in names)
        said = f"{stop.at} `{stop.text(stop.node.func)}` takes {count or 'no'} argument{'s' * (count != 1)}"
        return f"{said}. It is handed {_listed(stop)}."
    if "." in called and names[:1] != ["self"] and inspect.isfunction(function):
        return (
            f"`{called}` is a method: its first argument must be `self`, as in `def {called.split('.')[-1]}(self, …)`."
        )
    takes = ", ".join(f"`{name}`" for name in names if name != "self") or "nothing"
    if isinstance(stop.node, ast.Call) and function.__globals__ is not stop.namespace:
        called = stop.text(stop.node.func)  # the message has the name from the function's definition
    said = f"{stop.at} `{called}`" if stop.frame is not None else f"`{called}`"
    if missing := re.search(r"missing \d+ required .*?arguments?: (.*)", stop.message):
        free = [one for one in inspect.signature(function).parameters.values() if one.default is one.empty]
        needs = ", ".join(f"`{one.name}`" for one in free if one.name != "self")
        return f"{said} needs {needs}. Not handed over: {missing[1].replace(chr(39), '`')}."
    if extra := re.search(r"unexpected keyword argument '(\w+)'", stop.message):
        alike = closest(extra[1], names)
        return f"{said} takes {takes}, and no `{extra[1]}`." + (f" The closest is `{alike[0]}`." if alike else "")
    if twice := re.search(r"multiple values for argument '(\w+)'", stop.message):
        return f"{said} takes {takes}, and gets `{twice[1]}` twice: by its place, and by its name."
    if counts := re.search(r"takes .*?(\d+) positional arguments? but (\d+)", stop.message):
        less = "self" in names
        return f"{said} takes {takes}, {int(counts[1]) - less} in all, and gets {int(counts[2]) - less}."
    return None


def _listed(stop):
    """Return a text with the arguments of the call that stopped: their code, and of keyword arguments the names alone.

    stop: the Stop. It is "nothing" if there are none.
    """
    texts = [f"`{stop.text(part)}`" for part in stop.node.args]
    return " and ".join(texts + [f"`{one.arg}`" for one in stop.node.keywords]) or "nothing"


def _function(stop, called):
    """Return the function that an error's message names, or None: the one called at the stop, or the notebook's.

    stop: a Stop. called: the name in the message, such as "f" or "MyHeads.forward". If a module is called, its
    `forward` is the function, and for a class its `__init__`. If the last part of its name is not the one in the
    message, the name is looked up in the notebook.
    """
    if isinstance(stop.node, ast.Call):
        what = stop.value(stop.node.func)
        if isinstance(what, nn.Module):
            what = type(what).forward
        elif isinstance(what, type):
            what = what.__init__
        elif type(what).__module__.startswith("course_utils.exercises"):
            what = type(what).__call__
        if inspect.isfunction(what) and what.__qualname__.split(".")[-1] == called.split(".")[-1]:
            return what
    if stop.frame is not None and "." not in called and not isinstance(stop.node, ast.Call):
        return None
    what = stop.namespace.get(called.split(".")[0])
    for part in called.split(".")[1:]:
        what = vars(what).get(part) if isinstance(what, type) else None
    return what if inspect.isfunction(what) else None


def keyword_of_torch(stop, match):
    """Return an explanation, always a text, of a keyword argument that a function of torch does not take.

    stop: the Stop. match: the `re.Match` in the error's message; its groups "function" and "keyword" are their names.
    """
    said = f"{stop.at} `{match['function']}` knows no `{match['keyword']}`."
    known = ("dim", "keepdim", "dtype", "diagonal", "unbiased", "largest", "descending", "input", "mask", "value")
    alike = {"axis": "dim", "dimension": "dim"}.get(match["keyword"]) or next(
        iter(closest(match["keyword"], known)), None
    )
    for keyword in stop.node.keywords if alike and isinstance(stop.node, ast.Call) else ():
        if keyword.arg == match["keyword"] and (tried := stop.changed(keyword, ast.keyword(alike, keyword.value))):
            return f"{said} Its name is `{alike}`: `{tried[0]}`."
    return said


def needs_dim(stop, match):
    """Return an explanation of a call of a torch function without a required argument, most often `dim`.

    stop: the Stop. match: the `re.Match` in the error's message; its group "function" is the name of the function, and
    "names" those of the arguments. None comes back if no call stopped.
    """
    call, what = stop.node, match["names"]
    if not isinstance(call, ast.Call):
        return None
    said = f"{stop.at} `{match['function']}` must be told {what.replace(chr(34), '`')}."
    last = ast.keyword("dim", ast.UnaryOp(ast.USub(), ast.Constant(1)))
    tried = stop.changed(call, ast.Call(call.func, call.args, [*call.keywords, last])) if what == '"dim"' else None
    return f"{said} Along the last axis: `{tried[0]}`." if tried else said


def keepdim_alone(stop, match):
    """Return an explanation of `keepdim` without `dim`, as in `sum(keepdim=True)`, or None if `dim=-1` does not help.

    stop: the Stop. match: not used.
    """
    call = stop.node
    if not (isinstance(call, ast.Call) and {keyword.arg for keyword in call.keywords} == {"keepdim"}):
        return None
    last = ast.keyword("dim", ast.UnaryOp(ast.USub(), ast.Constant(1)))
    tried = stop.changed(call, ast.Call(call.func, call.args, [last, *call.keywords]))
    return f"{stop.at} `keepdim` needs the axis to keep. Along the last: `{tried[0]}`." if tried else None


ROWS = [
    (UnboundLocalError, r"variable '(?P<name>\w+)'", local),
    (NameError, r"name '(?P<name>\w+)' is not defined", name),
    (AttributeError, r"has no attribute '(?P<name>\w+)'", attribute),
    (KeyError, r"", key),
    (TypeError, r"^(?P<function>\w+)\(\) missing \d+ required positional arguments?: (?P<names>\".*)", needs_dim),
    (TypeError, r"^(?P<function>[\w.<>]+)\(\) (missing|takes|got an unexpected|got multiple)", arguments),
    (TypeError, r"^(?P<function>\w+)\(\) got an unexpected keyword argument '(?P<keyword>\w+)'", keyword_of_torch),
    (TypeError, r"^\w+\(\) received an invalid combination of arguments - got \(.*keepdim", keepdim_alone),
]

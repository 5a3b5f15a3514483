"""Explanations for a name, an attribute or a key that does not exist."""

import ast
import builtins
import difflib
import inspect
import itertools
import types

import torch
from torch import nn

from ..sentences import as_code
from .expressions import build
from .labels import kind
from .safe_value import TENSORS, UNKNOWN
from .stopped import StoppedCode

SHORT = {"np": "import numpy as np", "nn": "from torch import nn", "F": "from torch.nn import functional as F"}
MODULES = {"math", "torch", "random", "copy", "itertools", "functools"}
READABLE = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)
MOST_LETTERS = 90  # of a key that is shown
INSTEAD = {"astype": "to", "copy": "clone", "concat": "cat", "concatenate": "cat", "len": "shape", "length": "shape"}


def closest(name: str, names, least: float = 0.6) -> list[str]:
    """Return at most three of `names` that are similar to `name`, the most similar first, ignoring case.

    Names with a first "_" are left out. least: the similarity that counts, from 0 to 1, as difflib measures it.
    """
    lower = {known.lower(): known for known in names if not known.startswith("_")}
    return [lower[match] for match in difflib.get_close_matches(name.lower(), lower, 3, least)]


def name(stop: StoppedCode, name: str):
    """Yield sentences for a learner who reads a name that is not defined, with the closest name or an import."""
    if stop.frame is None:
        return
    local, owner = stop.frame.f_locals, stop.frame.f_locals.get("self")
    template, places = None, {"line": stop.line, "name": name, "missing": SHORT.get(name, f"import {name}")}
    if owner is not None and name in _attributes(owner):
        template = (
            "{line} reads `{name}`, and nothing has that name on its own: it belongs to the object. "
            "Write `self.{name}`."
        )
    elif owner is not None and name in inspect.signature(type(owner)).parameters:
        template = (
            "{line} reads `{name}`, and nothing has that name here: it was handed to `__init__`, and not kept. "
            "There, write `self.{name} = {name}`."
        )
    elif name in MODULES or name in SHORT:
        template = "{line} reads `{name}`, and nothing has that name: the import is missing, `{missing}`."
    if template:
        yield stop.sentence(template, **places)
        return
    yield stop.sentence("{line} reads `{name}`, and nothing has that name.", **places)
    others = {name} | _running(stop.frame)
    alike = closest(name, sorted({*local, *_own(stop)} - others))
    if not alike and len(name) > 2:  # too many names are similar to a short one
        known = {*_readable(stop.frame.f_globals), *_readable(vars(builtins))} - others
        alike = closest(name, sorted(known), least=0.75)  # at 0.6, `max` would be the closest to `softmax`
    arguments = [argument for argument in local if not argument.startswith(".")]
    if alike:
        yield stop.sentence("The closest is `{name}`.", name=alike[0])
    elif arguments:
        yield stop.sentence("Known here are {names}.", names=as_code(arguments))
    else:
        yield "Has the cell that makes it run?"


def _running(frame) -> set[str]:
    """Return the names of the learner's running functions, and of their classes: a call of these was never meant."""
    file, names = frame.f_code.co_filename, set()
    while frame is not None and frame.f_code.co_filename == file:
        names |= {frame.f_code.co_name, type(frame.f_locals.get("self")).__name__}
        frame = frame.f_back
    return names


def _own(stop: StoppedCode) -> list[str]:
    """Return the names of parameters and assigned variables in the functions around the stopped line."""
    at = stop.position[0] or 0
    functions = [node for node in ast.walk(stop.tree) if isinstance(node, ast.FunctionDef)]
    around = [function for function in functions if function.lineno <= at <= function.end_lineno]
    inside = [part for function in around for part in ast.walk(function)]
    names = [part.arg for part in inside if isinstance(part, ast.arg)]
    return names + [part.id for part in inside if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]


def _readable(names: dict) -> list[str]:
    own = {name: value for name, value in names.items() if isinstance(value, READABLE)}
    return [name for name, value in own.items() if not (getattr(value, "__module__", None) or "").startswith("IPython")]


def _attributes(owner) -> list[str]:
    """Return the public names of an object: modules, parameters, buffers, other attributes, its class's methods."""
    own = vars(owner) if hasattr(owner, "__dict__") else {}
    parts = [name for kind in ("_modules", "_parameters", "_buffers") for name in own.get(kind) or {}]
    plain = [name for name in own if not name.startswith("_") and name != "training"]
    methods = [name for name, value in vars(type(owner)).items() if inspect.isfunction(value) and name[0] != "_"]
    return [*parts, *plain, *methods]


def local(stop: StoppedCode, name: str):
    """Yield sentences for a learner who reads a variable of a function, `name`, before it has a value."""
    template = "{line} reads `{name}` before it has a value: the line that gives it one comes later, or was skipped."
    yield stop.sentence(template, line=stop.line, name=name)
    if name in stop.namespace:
        yield stop.sentence("The `{name}` of the notebook is another one.", name=name)


def key(stop: StoppedCode):
    """Yield a sentence for a learner who looks up a key that a dict lacks; none if the dict is unknown."""
    owner = stop.value(stop.node.value) if isinstance(stop.node, ast.Subscript) else None
    if isinstance(owner, dict):
        texts = (name for name in owner if type(name) is str)
        names = [repr(name[:MOST_LETTERS]) for name in itertools.islice(texts, 8)]
        template = "{at} `{code}` has no such key. It has {names}." if names else "{at} `{code}` has no such key."
        yield stop.sentence(template, stop.node.value, names=as_code(names))


def attribute(stop: StoppedCode, name: str):
    """Yield sentences for a learner who reads an attribute, `name`, that an object lacks."""
    if not isinstance(stop.node, ast.Attribute):
        return
    base, owner = stop.node.value, stop.value(stop.node.value)
    if owner is UNKNOWN and stop.error.obj is not None:  # an AttributeError keeps the object, even a call's result
        owner = stop.error.obj
    if owner is UNKNOWN or name in dir(type(owner)):
        return
    of_tensors = hasattr(torch.Tensor, name)
    places = {"code": base, "kind": kind(owner), "name": name}
    lacks = "{at} `{code}` is {kind}, and has no `{name}`."
    match owner:
        case types.ModuleType():
            yield stop.sentence("{at} `{code}` has no `{name}`.", **places)
            for match in closest(name, vars(owner))[:1]:
                yield stop.sentence("The closest is `{code}.{name}`.", base, name=match)
        case types.FunctionType():
            yield stop.sentence("{at} `{code}` is {kind} that was not called: `{code}(…)`.", **places)
        case tuple() if of_tensors:
            template = (
                "{at} `{code}` is {kind} of {count}, not a tensor. Take the part that you want: "
                "`first, *others = {code}`."
            )
            yield stop.sentence(template, count=len(owner), **places)
        case list() | int() | float() if of_tensors:
            yield stop.sentence("{at} `{code}` is {kind}, and only a tensor has `{name}`.", **places)
            if isinstance(owner, list):
                tensors = owner and all(type(part) in TENSORS for part in owner)
                yield stop.sentence("Make one: `{code}`.", build(f"torch.{'stack' if tensors else 'tensor'}(x)", base))
        case nn.Module():
            yield stop.sentence(lacks, **places)
            if names := _attributes(owner):
                has = dict.fromkeys([*closest(name, names), *names[:8]])
                yield stop.sentence("It has {names}.", names=as_code(has))
        case _:
            yield stop.sentence(lacks, **places)
            alike = [INSTEAD[name]] if hasattr(owner, INSTEAD.get(name, "")) else closest(name, dir(type(owner)))
            for match in alike[:1]:
                yield stop.sentence("The closest is `{name}`.", name=match)


ROWS = [
    (NameError, r"name '(?P<name>\w+)' is not defined", name),
    (UnboundLocalError, r"variable '(?P<name>\w+)'", local),
    (KeyError, r"", key),
    (AttributeError, r"has no attribute '(?P<name>\w+)'", attribute),
]

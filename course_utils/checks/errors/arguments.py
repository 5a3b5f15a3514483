"""Explanations for calls with too few or too many arguments, or with a keyword that the function does not know."""

import ast
import inspect
import re

from torch import nn

from ..sentences import as_code
from .expressions import build, with_keyword
from .names import closest
from .stopped import StoppedCode


def arguments(stop: StoppedCode, function: str):
    """Yield sentences for a learner who calls a function or class with too few, too many or unknown arguments."""
    called, name = _function(stop, function), function
    if called is None:
        return
    names = list(inspect.signature(called).parameters)
    if (called.__module__ or "").startswith("course_utils.lessons"):
        yield from _of_a_check(stop, len(names) - ("self" in names))  # its parameter names mean nothing to a learner
        return
    if "." in name and names[:1] != ["self"] and inspect.isfunction(called):
        template = "`{name}` is a method: its first argument must be `self`, as in `def {method}(self, …)`."
        yield stop.sentence(template, name=name, method=name.split(".")[-1])
        return
    if isinstance(stop.node, ast.Call) and called.__globals__ is not stop.namespace:
        name = stop.text(stop.node.func)  # the message has the name from the function's definition
    yield from _unlike(stop, name, inspect.signature(called).parameters)


def _of_a_check(stop: StoppedCode, count: int):
    """Yield sentences for a learner whose answer got a function from the check, and calls it wrongly."""
    template = "{at} `{code}` takes {count} arguments."
    if count < 2:
        template = ["{at} `{code}` takes no arguments.", "{at} `{code}` takes 1 argument."][count]
    yield stop.sentence(template, stop.node.func, count=count)
    given = [f"`{stop.text(part)}`" for part in stop.node.args] + [f"`{part.arg}`" for part in stop.node.keywords]
    template = "It is handed {arguments}." if given else "It is handed nothing."
    yield stop.sentence(template, arguments=" and ".join(given))


def _unlike(stop: StoppedCode, name: str, parameters: dict):
    """Yield sentences for a learner on how a call's arguments differ from a function's parameters."""
    names = [parameter for parameter in parameters if parameter != "self"]
    places, alike = {"function": name, "names": as_code(names)}, []
    if missing := re.search(r"missing \d+ required .*?arguments?: (.*)", stop.message):
        needs = as_code(needed for needed in names if parameters[needed].default is inspect.Parameter.empty)
        template = "`{function}` needs {needs}. Not handed over: {missing}."
        places |= {"needs": needs, "missing": missing[1].replace("'", "`")}
    elif extra := re.search(r"unexpected keyword argument '(\w+)'", stop.message):
        template = "`{function}` takes {names}, and no `{keyword}`."
        template = template if names else "`{function}` takes nothing, and no `{keyword}`."
        places, alike = {**places, "keyword": extra[1]}, closest(extra[1], parameters)
    elif counts := re.search(r"takes .*?(\d+) positional arguments? but (\d+)", stop.message):
        template = "`{function}` takes {names}, {count} in all, and gets {given}."
        template = template if names else "`{function}` takes nothing, {count} in all, and gets {given}."
        places |= {
            key: int(text) - ("self" in parameters)
            for key, text in zip(("count", "given"), counts.groups(), strict=True)
        }
    else:
        return
    if stop.frame is not None:
        yield stop.at
    yield stop.sentence(template, **places)
    for match in alike[:1]:
        yield stop.sentence("The closest is `{name}`.", name=match)


def _function(stop: StoppedCode, called: str):
    """Return the function, such as a module's `forward`, to which an error's message refers; None if not found."""
    if isinstance(stop.node, ast.Call):
        function = stop.value(stop.node.func)
        if isinstance(function, nn.Module):
            function = type(function).forward
        elif isinstance(function, type):
            function = function.__init__
        elif type(function).__module__.startswith("course_utils.lessons"):
            function = type(function).__call__
        if inspect.isfunction(function) and function.__qualname__.split(".")[-1] == called.split(".")[-1]:
            return function
    if stop.frame is not None and "." not in called and not isinstance(stop.node, ast.Call):
        return None
    function = stop.namespace.get(called.split(".")[0])
    for part in called.split(".")[1:]:
        function = vars(function).get(part) if isinstance(function, type) else None
    return function if inspect.isfunction(function) else None


def keepdim_alone(stop: StoppedCode):
    """Yield a sentence for a learner who passes `keepdim` without `dim`, as in `sum(keepdim=True)`."""
    call = stop.node
    if isinstance(call, ast.Call) and {keyword.arg for keyword in call.keywords} == {"keepdim"}:
        change = ast.Call(call.func, call.args, [ast.keyword("dim", build("-1")), *call.keywords])
        if stop.runs(change):
            yield stop.sentence("{at} `keepdim` needs the axis to keep. Along the last: `{code}`.", change)


def no_axis(stop: StoppedCode):
    """Yield a sentence for a learner who calls a function of torch without its axis, as in `torch.softmax(scores)`."""
    if isinstance(call := stop.node, ast.Call):
        if stop.runs(change := with_keyword(call, "dim", "-1")):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else stop.text(call.func)
            template = "{at} `{name}` needs the axis along which it works. Along the last: `{code}`."
            yield stop.sentence(template, change, name=name)


ROWS = [
    (TypeError, r"^(?P<function>[\w.<>]+)\(\) (missing|takes|got an unexpected|got multiple)", arguments),
    (TypeError, r"^\w+\(\) missing 1 required positional arguments: \"dim\"", no_axis),
    (TypeError, r"^\w+\(\) received an invalid combination of arguments - got \(.*keepdim", keepdim_alone),
]

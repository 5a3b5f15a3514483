"""Explanations for calls with too few or too many arguments, or with a keyword that the function does not know."""

import ast
import inspect
import re

from torch import nn

from ..sentences import as_code
from .expressions import build, with_keyword
from .names import closest

KEYWORDS = ("dim", "keepdim", "dtype", "diagonal", "unbiased", "largest", "descending", "input", "mask", "value")


def arguments(stop, function):
    """Yield sentences on a call with wrong arguments of a function of the notebook or of the check.

    function: its name in the error's message, such as "f" or "MyHeads.forward". stop: a Stop; its error matches ROWS.
    """
    called, name = _function(stop, function), function
    if called is None:
        return
    names = list(inspect.signature(called).parameters)
    if (called.__module__ or "").startswith("course_utils.exercises"):
        yield from _of_a_check(stop, len(names) - ("self" in names))  # its parameter names mean nothing to a learner
        return
    if "." in name and names[:1] != ["self"] and inspect.isfunction(called):
        template = "`{name}` is a method: its first argument must be `self`, as in `def {method}(self, …)`."
        yield stop.sentence(template, name=name, method=name.split(".")[-1])
        return
    if isinstance(stop.node, ast.Call) and called.__globals__ is not stop.namespace:
        name = stop.text(stop.node.func)  # the message has the name from the function's definition
    yield from _unlike(stop, name, inspect.signature(called).parameters)


def _of_a_check(stop, count):
    """Yield sentences on a wrong call of a function that the check made. count: how many arguments it takes."""
    template = "{at} `{code}` takes {count} arguments."
    if count < 2:
        template = ["{at} `{code}` takes no arguments.", "{at} `{code}` takes 1 argument."][count]
    yield stop.sentence(template, stop.node.func, count=count)
    given = [f"`{stop.text(part)}`" for part in stop.node.args] + [f"`{part.arg}`" for part in stop.node.keywords]
    template = "It is handed {arguments}." if given else "It is handed nothing."
    yield stop.sentence(template, arguments=" and ".join(given))


def _unlike(stop, name, parameters):
    """Yield sentences on how a call differs from a function's parameters; none if the message is of no known kind.

    name: the function's. parameters: a dict from names to inspect.Parameters, with `self`.
    """
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
    elif twice := re.search(r"multiple values for argument '(\w+)'", stop.message):
        template = "`{function}` takes {names}, and gets `{keyword}` twice: by its place, and by its name."
        places |= {"keyword": twice[1]}
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


def _function(stop, called):
    """Return the Python function that an error's message names: the one called at the stop, or the notebook's; or None.

    called: the name in the message, such as "f" or "MyHeads.forward". If a module is called, its `forward` is the
    function, and for a class its `__init__`.
    """
    if isinstance(stop.node, ast.Call):
        function = stop.value(stop.node.func)
        if isinstance(function, nn.Module):
            function = type(function).forward
        elif isinstance(function, type):
            function = function.__init__
        elif type(function).__module__.startswith("course_utils.exercises"):
            function = type(function).__call__
        if inspect.isfunction(function) and function.__qualname__.split(".")[-1] == called.split(".")[-1]:
            return function
    if stop.frame is not None and "." not in called and not isinstance(stop.node, ast.Call):
        return None
    function = stop.namespace.get(called.split(".")[0])
    for part in called.split(".")[1:]:
        function = vars(function).get(part) if isinstance(function, type) else None
    return function if inspect.isfunction(function) else None


def keyword_of_torch(stop, function, keyword):
    """Yield sentences on a keyword argument that a function of torch does not take. function, keyword: their names."""
    yield stop.sentence("{at} `{function}` knows no `{keyword}`.", function=function, keyword=keyword)
    alike = {"axis": "dim", "dimension": "dim"}.get(keyword) or next(iter(closest(keyword, KEYWORDS)), None)
    for part in stop.node.keywords if alike and isinstance(stop.node, ast.Call) else ():
        if part.arg == keyword and (change := stop.changed(part, ast.keyword(alike, part.value))):
            yield stop.sentence("Its name is `{name}`: `{code}`.", change, name=alike)
            return


def needs_dim(stop, function, names):
    """Yield sentences on a call of a torch function without some required arguments; none if the source is unknown.

    names: of those, as in the error's message, such as '"dim"'. stop: a Stop; its error matches ROWS.
    """
    if not isinstance(stop.node, ast.Call):
        return
    missing = names.replace('"', "`")
    yield stop.sentence("{at} `{function}` must be told {missing}.", function=function, missing=missing)
    change = with_keyword(stop.node, "dim", "-1")
    if names == '"dim"' and stop.runs(change):
        yield stop.sentence("Along the last axis: `{code}`.", change)


def keepdim_alone(stop):
    """Yield a sentence on `keepdim` as the only keyword, as in `sum(keepdim=True)`, if `dim=-1` makes it run."""
    call = stop.node
    if isinstance(call, ast.Call) and {keyword.arg for keyword in call.keywords} == {"keepdim"}:
        change = ast.Call(call.func, call.args, [ast.keyword("dim", build("-1")), *call.keywords])
        if stop.runs(change):
            yield stop.sentence("{at} `keepdim` needs the axis to keep. Along the last: `{code}`.", change)


ROWS = [
    (TypeError, r"^(?P<function>\w+)\(\) missing \d+ required positional arguments?: (?P<names>\".*)", needs_dim),
    (TypeError, r"^(?P<function>[\w.<>]+)\(\) (missing|takes|got an unexpected|got multiple)", arguments),
    (TypeError, r"^(?P<function>\w+)\(\) got an unexpected keyword argument '(?P<keyword>\w+)'", keyword_of_torch),
    (TypeError, r"^\w+\(\) received an invalid combination of arguments - got \(.*keepdim", keepdim_alone),
]

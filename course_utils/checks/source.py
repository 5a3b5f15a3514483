"""What an answer's code says before it runs: is it still the stub, and does it read the notebook's own numbers?"""

import dis
import inspect
import types

import torch
from torch import nn

READY_MADE = {"torch", "course_utils"}  # what comes from there is nobody's own answer
DOES_NOTHING = {"RESUME", "NOP", "POP_TOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "COPY_FREE_VARS"}


def is_stub(answer):
    """Whether nothing has been written yet: `...`, None, or a function or `forward` in which no line does a thing."""
    if answer is None or answer is ...:
        return True
    function = vars(answer).get("forward") if inspect.isclass(answer) else answer
    if not isinstance(function, types.FunctionType):
        return False
    steps = list(dis.get_instructions(function))
    says = {step.argval for step in steps if step.opname.endswith("_CONST")}
    return all(step.opname in DOES_NOTHING for step in steps) and says <= {None, ...}


def unfit(exercise, answer):
    """What is wrong with the kind of thing that was handed in, in words, or None."""
    name = exercise.stub
    if exercise.kind == "class":
        if isinstance(answer, nn.Module):
            return (
                f"This is an object made from your class. The check makes its own: hand in `{name}`, without brackets."
            )
        if not (inspect.isclass(answer) and issubclass(answer, nn.Module)):
            return f"A class is asked for: `class {name}(nn.Module):`."
        if "forward" not in vars(answer) and answer.forward is nn.Module.forward:
            return f"`{name}` has no `forward` yet: look at its name and its indentation."
    if exercise.kind == "function" and not callable(answer):
        return f"This is what your function gave back. The check calls it itself: hand in `{name}`, without brackets."
    if exercise.kind == "value" and inspect.isroutine(answer):
        return f"A function was handed in. A tensor is asked for: add the brackets that call it to `{name}`."
    return None


def namespace(answer):
    """The globals of the learner's code: by them its frames are known."""
    code = vars(answer).get("forward") if inspect.isclass(answer) else answer
    return code.__globals__ if type(code) in (types.FunctionType, types.MethodType) else None


def leaks(answer):
    """Which tensors and numbers of the notebook an answer reads, by name.

    Imports and helper functions are fine, and so is a number WRITTEN_LIKE_THIS, which is meant for all to read.
    """
    read = [pair for function in functions(answer) for pair in (*_read(function), *_enclosed(function))]
    return sorted({name for name, value in read if _belongs_to_the_notebook(name, value)})


def names(answer):
    """Every name that an answer's code looks up: functions it calls, attributes, imports; not the learner's own."""
    if _is_ready_made(answer):
        return {getattr(answer, "__name__", "")}  # handed in as it is
    own = {function.__name__ for function in functions(answer)}
    found = {base.__name__ for base in getattr(answer, "__mro__", ()) if base is not nn.Module and _is_ready_made(base)}
    for function in functions(answer):
        for code in _codes(function.__code__):
            for name in code.co_names:
                found |= _real_names(function.__globals__.get(name), name)
    return found - own


def _is_ready_made(answer):
    """Whether it is PyTorch's or the course's own; the exercises' solutions are answers like any other."""
    package, *inside = (getattr(answer, "__module__", None) or "torch").split(".")
    return package in READY_MADE and inside[:1] != ["exercises"]


def has_loop(answer):
    """Whether an answer's code goes round: `for`, `while`, a comprehension, or `map`."""
    return "map" in names(answer) or any(
        _goes_round(code) for function in functions(answer) for code in _codes(function.__code__)
    )


def _goes_round(code):
    """Whether a step back leads to itself again; from Python 3.12 on, a `with` has one that does not."""
    steps = list(dis.get_instructions(code))
    places = {step.offset: place for place, step in enumerate(steps)}
    return any(
        "JUMP_BACKWARD" in step.opname and place in _after(place, steps, places) for place, step in enumerate(steps)
    )


def _after(place, steps, places):
    """The places of the steps that may come after one, as long as nothing is raised."""
    found, waiting = set(), [place]
    while waiting:
        place = waiting.pop()
        name = steps[place].opname
        follow = [places[steps[place].argval]] if steps[place].opcode in dis.hasjrel else []
        if not name.startswith(("RETURN", "RAISE", "RERAISE", "JUMP")):
            follow.append(place + 1)
        waiting += [one for one in follow if one not in found]
        found.update(follow)
    return found


def functions(answer):
    """The functions of the learner's that an answer is made of: itself or its methods, and the helpers they name."""
    found, seen, waiting = [], set(), [answer]
    while waiting:
        one = waiting.pop()
        one = getattr(one, "__func__", one)  # of a static method, or one of a class
        one = inspect.unwrap(one)  # what a decorator hides
        if id(one) in seen:
            continue
        seen.add(id(one))
        if inspect.isclass(one):
            waiting += [
                part for base in one.__mro__ if base.__module__ == one.__module__ for part in vars(base).values()
            ]
        elif isinstance(one, types.FunctionType):
            found.append(one)
            waiting += [value for _, value in (*_read(one), *_enclosed(one)) if _is_beside(value, one)]
    return found


def _is_beside(value, function):
    """Whether a function or class comes from where this function comes from: the learner's notebook."""
    if inspect.isclass(value):
        return value.__module__ == function.__module__
    return getattr(value, "__globals__", None) is function.__globals__


def _real_names(value, name):
    """What an import under another name is really called, with its module where that is one of the course."""
    if not isinstance(value, types.BuiltinFunctionType | types.FunctionType | type):
        return {name}
    package, _, module = (value.__module__ or "").rpartition(".")
    return {value.__name__, module} if package == "course_utils" else {value.__name__}


def _read(function):
    """The names, with their values, that a function reads from outside."""
    for code in _codes(function.__code__):
        for step in dis.get_instructions(code):
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") and step.argval in function.__globals__:
                yield step.argval, function.__globals__[step.argval]


def _enclosed(function):
    """The tensors and functions of a function around this one; numbers there are how one is made to order."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if torch.is_tensor(value := _contents(cell)) or isinstance(value, types.FunctionType):
            yield name, value


def _contents(cell):
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None


def _codes(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def _belongs_to_the_notebook(name, value):
    if torch.is_tensor(value) or isinstance(value, nn.Module | torch.optim.Optimizer):
        return True
    return isinstance(value, int | float) and not isinstance(value, bool) and not name.isupper()

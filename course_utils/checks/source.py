"""What an answer's code says before it runs: is it still the stub, and does it read the notebook's own numbers?"""

import dis
import inspect
import types

import torch
from torch import nn

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


def leaks(answer):
    """Which tensors and numbers of the notebook an answer reads, by name.

    Imports and helper functions are fine, and so is a number WRITTEN_LIKE_THIS, which is meant for all to read.
    """
    found, seen = [], set()
    waiting = list(vars(answer).values()) if inspect.isclass(answer) else [answer]
    while waiting:
        function = waiting.pop()
        if not isinstance(function, types.FunctionType) or function in seen:
            continue
        seen.add(function)
        for name, value in [*_read(function), *_enclosed(function)]:
            if isinstance(value, types.FunctionType) and value.__globals__ is function.__globals__:
                waiting.append(value)
            elif _belongs_to_the_notebook(name, value):
                found.append(name)
    return sorted(set(found))


def _read(function):
    """The names, with their values, that a function reads from outside."""
    for code in _codes(function.__code__):
        for step in dis.get_instructions(code):
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") and step.argval in function.__globals__:
                yield step.argval, function.__globals__[step.argval]


def _enclosed(function):
    """The tensors of a function around this one; numbers there are how a function is made to order."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if torch.is_tensor(value := _contents(cell)):
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

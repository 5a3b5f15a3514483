"""Inspect an answer's code without running it: whether it is still the stub, which names it uses, whether it loops."""

import ast
import contextlib
import dis
import functools
import inspect
import linecache
import types

import torch
from torch import nn

from .sentences import sentence

READY_MADE = {"torch", "course_utils"}  # packages whose functions and classes the learner has not written
DOES_NOTHING = {"RESUME", "NOP", "POP_TOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "COPY_FREE_VARS"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.comprehension)


def is_stub(answer) -> bool:
    """Return whether an answer is still empty: `...`, None, or a function or a class's `forward` that does nothing."""
    if answer is None or answer is ...:
        return True
    function = vars(answer).get("forward") if inspect.isclass(answer) else answer
    if not isinstance(function, types.FunctionType):
        return False
    steps = list(dis.get_instructions(function))
    constants = {step.argval for step in steps if step.opname.endswith("_CONST")}
    return all(step.opname in DOES_NOTHING for step in steps) and constants <= {None, ...}


def as_written(answer):
    """Return the function that `torch.compile` or `torch.jit.script` was called on; any other answer as it is.

    Both promise the results of that function, whose code can be read.
    """
    compiled = type(answer) in (types.FunctionType, torch.jit.ScriptFunction)
    return vars(answer).get("_torchdynamo_inline", answer) if compiled else answer


def wrong_kind(exercise, answer) -> str | None:
    """Return a message if an answer is of the wrong kind, such as an instance where a class is asked for; else None."""
    template = None
    if exercise.kind == "class":
        if isinstance(answer, nn.Module):
            template = (
                "This is an object made from your class. The check makes its own: hand in `{name}`, without brackets."
            )
        elif not (inspect.isclass(answer) and issubclass(answer, nn.Module)):
            template = "A class is asked for: `class {name}(nn.Module):`."
        elif "forward" not in vars(answer) and answer.forward is nn.Module.forward:
            template = "`{name}` has no `forward` yet: look at its name and its indentation."
    elif exercise.kind == "function" and not callable(answer):
        template = (
            "This is what your function gave back. The check calls it itself: hand in `{name}`, without brackets."
        )
    elif exercise.kind == "value" and answer is None:
        template = "`{name}` is `None`: what you call gives nothing back, as `print(…)` does. Assign the tensor itself."
    elif exercise.kind == "value" and inspect.isroutine(answer):
        template = "A function was handed in. A tensor is asked for: add the brackets that call it to `{name}`."
    return template and sentence(template, name=exercise.stub)


def namespace(answer) -> dict | None:
    """Return the globals of an answer, a function or a class with a `forward` of its own, below decorators; else None.

    By this dict, the frames of the learner's code are recognised.
    """
    code = vars(answer).get("forward") if inspect.isclass(answer) else answer
    code = inspect.unwrap(code) if type(code) is types.FunctionType else code  # below a decorator, as torch.no_grad()
    return code.__globals__ if type(code) in (types.FunctionType, types.MethodType) else None


def leaks(answer) -> list[str]:
    """Return the sorted names of notebook variables that an answer's code reads and should not.

    They hold tensors, modules, optimizers or numbers. Imports and helper functions are fine, and so is a number
    WRITTEN_LIKE_THIS, which is a constant by convention. Tensors of an enclosing function count, too.
    """
    read = [pair for function in functions(answer) for pair in (*_read(function), *_enclosed(function))]
    return sorted({name for name, value in read if _belongs_to_the_notebook(name, value)})


def names(answer) -> set[str]:
    """Return the names that an answer's code and the learner's helpers use: globals, attributes and base classes.

    The names of the answer, of its methods and of those helpers are left out. An imported function or class counts by
    its real name. If a library's function itself is the answer, return its name alone.
    """
    if _is_ready_made(answer):
        return {getattr(answer, "__name__", "")}  # a library function that is handed in as the answer
    own = {function.__name__ for function in functions(answer)}
    read = {base.__name__ for base in getattr(answer, "__mro__", ()) if base is not nn.Module and _is_ready_made(base)}
    for function in functions(answer):
        for code in _codes(function.__code__):
            for name in code.co_names:
                read |= _real_names(function.__globals__.get(name), name)
    return read - own


def _is_ready_made(answer) -> bool:
    """Return whether an object is PyTorch's or the course's (not its `lessons`'), or has no module."""
    package, *inside = (getattr(answer, "__module__", None) or "torch").split(".")
    return package in READY_MADE and inside[:1] != ["lessons"]


def has_loop(answer) -> bool:
    """Return whether the code of an answer or of its helpers has a loop: `for`, `while`, a comprehension, or `map`.

    Code whose source is unknown has none but `map`.
    """
    return "map" in names(answer) or any(map(_goes_round, functions(answer)))


def _goes_round(function) -> bool:
    first = function.__code__.co_firstlineno
    definitions = [node for node in ast.walk(tree(function.__code__)) if isinstance(node, FUNCTIONS)]
    own = [node for node in definitions if first_line(node) == first]
    return any(isinstance(part, LOOPS) for node in own for part in ast.walk(node))


def tree(code) -> ast.Module:
    """Return the syntax tree of the cell or file that a code object stands in; an empty one if that is unknown."""
    try:
        return ast.parse("".join(linecache.getlines(code.co_filename)))
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def first_line(definition: ast.AST) -> int:
    """Return the number of the first line of a definition's node: that of its first decorator if it has any."""
    return min(node.lineno for node in (definition, *getattr(definition, "decorator_list", ())))


def functions(answer) -> list:
    """Return the functions that the learner wrote for an answer: itself or its methods, and their helpers.

    Helpers are the functions, and the methods of classes, of the same module that these read, directly or not. All are
    without their decorators.
    """
    functions, visited, waiting = [], set(), [answer]
    while waiting:
        part = waiting.pop()
        part = inspect.unwrap(getattr(part, "__func__", part))  # below a static or class method, and a decorator
        if id(part) in visited:
            continue
        visited.add(id(part))
        if inspect.isclass(part):
            bases = [base for base in part.__mro__ if base.__module__ == part.__module__]
            waiting += [value for base in bases for value in vars(base).values()]
        elif isinstance(part, types.FunctionType):
            functions.append(part)
            waiting += [value for _, value in (*_read(part), *_enclosed(part)) if _is_beside(value, part)]
    return functions


def _is_beside(value, function) -> bool:
    if inspect.isclass(value):
        return value.__module__ == function.__module__
    return getattr(value, "__globals__", None) is function.__globals__


def _real_names(value, name: str) -> set[str]:
    """Return {real name} of a function or class, with its module if it is of course_utils; {name} for other values."""
    if not isinstance(value, types.BuiltinFunctionType | types.FunctionType | type):
        return {name}
    package, _, module = (value.__module__ or "").rpartition(".")
    return {value.__name__, module} if package == "course_utils" else {value.__name__}


def _read(function):
    """Yield (name, value) for each global variable that a function, or a function inside it, reads."""
    for name in _global_names(function.__code__):
        if name in function.__globals__:
            yield name, function.__globals__[name]


@functools.lru_cache(maxsize=64)  # a check asks this several times of each function of an answer
def _global_names(code) -> list[str]:
    steps = [step for part in _codes(code) for step in dis.get_instructions(part)]
    return [step.argval for step in steps if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")]


def _enclosed(function):
    """Yield (name, value) for each tensor and function that a function reads from its closure; numbers are left out."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # the cell is not filled yet
            if torch.is_tensor(cell.cell_contents) or isinstance(cell.cell_contents, types.FunctionType):
                yield name, cell.cell_contents


def _codes(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def _belongs_to_the_notebook(name: str, value) -> bool:
    if torch.is_tensor(value) or isinstance(value, nn.Module | torch.optim.Optimizer):
        return True
    return isinstance(value, int | float) and not isinstance(value, bool) and not name.isupper()

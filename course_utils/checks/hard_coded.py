"""Find a typed-in number that should be a size: replace it, compile the code again, and try it on every input."""

import ast
import inspect
import itertools
import types

from . import running
from .errors.expressions import swapped
from .faults import fault
from .sentences import sentence
from .source import first_line, tree

TRIALS = 40  # replacements that are tried at most: each takes 2 ms, in a large class 3 ms
WIDEST = 100_000  # no width is larger: 1/√n of a larger n is meant as a small number, such as a tolerance
MOST_AXES = 3  # axes of a shape that are tried, from the last: width, tokens, and heads or texts
# Methods whose arguments are axes, not sizes.
NAMES_AXES = {"transpose", "swapaxes", "permute", "movedim", "unsqueeze", "squeeze", "size", "flatten"}


def explain(exercise, answer, first: int) -> str | None:
    """Return a sentence on a number typed into an answer that should be a size; None if there is none.

    Replaced by code for the size, it makes the answer right on all inputs that the prompt asks for. At most TRIALS
    replacements are tried, under the time limit. exercise: the Exercise. answer: of any type. first: the index of an
    input on which the answer is wrong, which is tried first.
    """
    definition, names = _definition(answer)
    asked = [index for index, case in enumerate(exercise.inputs) if case.asked and index != first]

    def search():
        for numbers, size in itertools.islice(_replacements(definition), TRIALS):
            changed = _compiled(definition, numbers, size, names)
            faults = (
                fault(exercise.outcome(changed, exercise.inputs[index]), exercise.expected[index], exercise.outputs)
                for index in (first, *asked)
            )
            if changed and not any(faults):
                return _message(definition, numbers, size)
        return None

    return running.run_limited(search).result if definition and any(_numbers(definition)) else None


def _message(definition: ast.AST, numbers: list[ast.Constant], size: str) -> str:
    """Return the sentence for the learner on a typed-in number, with its lines and the code to write in its place."""
    function = _functions(definition)[numbers[0]]
    *earlier, last = sorted({number.lineno - first_line(function) + 1 for number in numbers})
    places = {"last": last, "function": function.name, "number": numbers[0].value, "size": size}
    if not earlier:
        template = (
            "In line {last} of `{function}`, `{number}` is typed in, and the inputs have several sizes. Write `{size}` "
            "in its place."
        )
        return sentence(template, **places)
    template = (
        "In lines {others} and {last} of `{function}`, `{number}` is typed in, and the inputs have several sizes. "
        "Write `{size}` in its place."
    )
    return sentence(template, others=", ".join(map(str, earlier)), **places)


def _definition(answer) -> tuple:
    """Return an answer's node and globals; (None, None) if its code is unknown, a closure or has no `forward`."""
    function = vars(answer).get("forward") if inspect.isclass(answer) else answer
    if not isinstance(function, types.FunctionType) or set(function.__code__.co_freevars) - {"__class__"}:
        return None, None  # code that reads variables of an enclosing function cannot be compiled on its own
    kind = ast.ClassDef if inspect.isclass(answer) else ast.FunctionDef
    for node in ast.walk(tree(function.__code__)):
        if isinstance(node, kind) and node.name == answer.__name__:
            if first_line(node) <= function.__code__.co_firstlineno <= node.end_lineno:
                return node, function.__globals__
    return None, None


def _compiled(definition: ast.AST, numbers: list[ast.Constant], size: str, names: dict):
    """Return what a definition defines, with some numbers replaced by the code of a size; None if this raises."""
    for number in numbers:
        definition = swapped(definition, number, ast.parse(size, mode="eval").body)
    module, names = ast.fix_missing_locations(ast.Module([definition], type_ignores=[])), dict(names)
    try:
        exec(compile(module, "<typed in>", "exec"), names)
    except Exception:  # such as a default value, which cannot read an argument
        return None
    return names[definition.name]


def _replacements(definition: ast.AST):
    """Yield (numbers, code) for each replacement: equal numbers of a function together first, then each alone."""
    groups = {}
    for number, function in _functions(definition).items():
        groups.setdefault((function, number.value), []).append(number)
    together = [(function, numbers) for (function, _), numbers in groups.items()]
    alone = [(function, [number]) for function, numbers in together if len(numbers) > 1 for number in numbers]
    for candidates, sizes in itertools.product((together, alone), (_of_arguments, _of_variables)):
        for function, numbers in candidates:
            for size in sizes(definition, function, numbers[0].lineno):
                value = numbers[0].value
                root = "" if isinstance(value, int) else " ** 0.5" if value > 1 else " ** -0.5"
                yield numbers, f"{size}{root}"


def _functions(definition: ast.AST) -> dict:
    """Return a dict from each of the `_numbers` in a definition, ast.Constants, to the ast.FunctionDef around it."""
    functions = [definition] if isinstance(definition, ast.FunctionDef) else definition.body
    functions = [function for function in functions if isinstance(function, ast.FunctionDef)]
    return {number: function for function in functions for number in _numbers(function)}


def _numbers(node: ast.AST):
    """Yield each number below a node that may be a size, an int above 1, or the root of one, as an ast.Constant."""
    value = getattr(node, "value", None)
    if isinstance(node, ast.Constant):
        if type(value) is int and value > 1 or type(value) is float and _is_root(value):
            yield node
    for part in ast.iter_child_nodes(node):
        if not _is_no_size(node, part):
            yield from _numbers(part)


def _is_root(value: float) -> bool:
    """Return whether a number is √n or 1/√n for a whole number n from 2 to WIDEST, as precisely as people type it."""
    squares = (value**2, value and value**-2)
    return any(1.5 < square < WIDEST + 1 and abs(square - round(square)) < 0.01 * square**0.5 for square in squares)


def _is_no_size(node: ast.AST, part: ast.AST) -> bool:
    """Return whether a node's child, `part`, stands where an axis or a power is given, a step or a tolerance."""
    if isinstance(part, ast.Constant) and isinstance(part.value, float):
        adds = isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub)
        if adds or isinstance(node, ast.Compare):
            return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return part is node.right
    if isinstance(node, ast.keyword):
        return node.arg in ("dim", "axis")
    if isinstance(node, ast.Subscript):
        return getattr(node.value, "attr", None) == "shape" and part is node.slice
    return isinstance(node, ast.Call) and part in node.args and getattr(node.func, "attr", None) in NAMES_AXES


def _of_arguments(definition, function: ast.FunctionDef, line):
    """Yield code for each size in a function's arguments: `x.shape[-1]` and so on, then their names."""
    names = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args) if arg.arg != "self"]
    if function.name != "__init__":
        yield from _shapes(names)
    yield from names


def _of_variables(definition: ast.AST, function: ast.FunctionDef, line: int):
    """Yield code that may be a size: attributes of the class, variables assigned above `line`, their shapes."""
    if isinstance(definition, ast.ClassDef) and function.name != "__init__":
        for node in ast.walk(definition):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name | ast.BinOp):
                yield from (ast.unparse(target) for target in node.targets if isinstance(target, ast.Attribute))
    before = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.lineno < line]
    names = list(dict.fromkeys(node.id for node in before if isinstance(node.ctx, ast.Store)))
    yield from names
    yield from _shapes(names)


def _shapes(names: list[str]):
    for axis, name in itertools.product(range(1, MOST_AXES + 1), names):
        yield f"{name}.shape[-{axis}]"

"""Find which answers a mutant may concern, without running each mutant: by probes in the engine as it is.

Where a mutant changes one expression inside of a function, a probe computes the expression both ways, and notes the
mutant if the results differ. Where it changes more, a probe notes that the function is called; where it changes what a
module defines, that a function is called that uses the name.
"""

import ast
import functools

import torch
from mutants import ROOT

from course_utils.checks.source import first_line

CODE = ("course_utils/**/*.py", "lessons/*.py", "lessons/*/exercises/*.py")
SEEN = set()  # ids of mutants, since it was last cleared
PIECES = (ast.Starred, ast.Slice, ast.FormattedValue, ast.JoinedStr)  # no other expression can stand in their place
BOUND = (ast.NamedExpr, ast.Yield, ast.YieldFrom)  # these would mean something else in a function of their own


def codes(mutants: list) -> dict:
    """Return a dict from the Path of each file of CODE to its code, a code object, with probes for mutants.

    A probe is a call of `probe`, which must be a builtin where the code runs.
    """
    trees = {path: ast.parse(path.read_text("utf-8")) for pattern in CODE for path in ROOT.glob(pattern)}
    expressions, calls = [], []
    for mutant in mutants:
        tree, changed = trees[ROOT / mutant.file], ast.parse(mutant.source)
        if steps := _to_expression(tree, changed):
            expressions.append((tree, steps, mutant.id, _at(changed, steps)))
        else:
            calls += [(function, mutant.id) for function in _touched(trees, tree, mutant.lines)]
    # Those inside of others come first.
    for tree, steps, id, changed in sorted(expressions, key=lambda part: -len(part[1])):
        parent, field = _at(tree, steps[:-1]), steps[-1]
        probe = _call(ast.Constant(id), _function(_at(tree, steps)), _function(changed))
        parent.__setitem__(field, probe) if isinstance(parent, list) else setattr(parent, field, probe)
    for function, id in calls:
        function.body.insert(0, ast.Expr(_call(ast.Constant(id))))
    return {path: compile(ast.fix_missing_locations(tree), path, "exec") for path, tree in trees.items()}


def probe(id: str, plain=None, changed=None):
    """Note a mutant unless both functions return the same, and return what `plain` does. Without functions, note it."""
    if id in SEEN or plain is None:
        SEEN.add(id)
        return plain and plain()
    SEEN.add(id)
    result = plain()
    try:
        if _same(result, changed()):
            SEEN.discard(id)
    except Exception:
        pass
    return result


def _same(first, second) -> bool:
    if isinstance(first, torch.Tensor) and isinstance(second, torch.Tensor):
        return first is second
    return type(first) is type(second) and bool(first == second)


def _call(*arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name("probe", ast.Load()), list(arguments), [])


def _function(body: ast.expr) -> ast.Lambda:
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), body)


def _difference(old, new) -> list | None:
    """Return the steps, fields and indices, to the smallest part that differs in two trees; None if none does."""
    if type(old) is not type(new) or isinstance(old, list) and len(old) != len(new):
        return []
    if not isinstance(old, ast.AST | list):
        return None if old == new else []
    keys = range(len(old)) if isinstance(old, list) else old._fields
    pairs = ((key, _difference(_at(old, [key]), _at(new, [key]))) for key in keys)
    different = [[key, *rest] for key, rest in pairs if rest is not None]
    return different[0] if len(different) == 1 else [] if different else None


def _at(tree, steps: list):
    """Return the part of a tree to which some steps lead."""
    return functools.reduce(lambda part, step: part[step] if type(step) is int else getattr(part, step), steps, tree)


def _to_expression(old: ast.Module, new: ast.Module) -> list | None:
    """Return the steps to the smallest expression in a function's body in which two trees differ; None without one."""
    steps = _difference(old, new)
    for length in range(len(steps), 0, -1):
        before = [_at(old, steps[:end]) for end in range(length + 1)]
        parts = (before[-1], _at(new, steps[:length]))
        functions = [end for end, part in enumerate(before) if isinstance(part, ast.FunctionDef)]
        if not functions or steps[functions[-1]] != "body" or isinstance(before[-1], ast.stmt):
            return None
        if all(map(_is_fit, parts)) and not isinstance(before[-3], ast.JoinedStr):
            return steps[:length]
    return None


def _is_fit(node) -> bool:
    """Return whether a node is an expression that a function of its own can compute."""
    is_whole = isinstance(node, ast.expr) and not isinstance(node, PIECES)
    return is_whole and not any(isinstance(part, BOUND) for part in ast.walk(node))


def _touched(trees: dict, tree: ast.Module, lines) -> list[ast.FunctionDef]:
    """Return the functions that a change of some lines of a tree concerns, or all functions there are."""
    touched = []
    for line in lines:
        [statement] = [node for node in tree.body if first_line(node) <= line <= node.end_lineno]
        around = [node for node in _functions(statement) if first_line(node) <= line <= node.end_lineno]
        made = _made_by(tree, statement)
        users = [node for other in trees.values() for node in _functions(other) if made & _names(node)]
        touched += around[:1] or users
    return touched


def _made_by(tree: ast.Module, statement: ast.stmt) -> set[str]:
    """Return the names that a statement of a module defines, and those that are defined by them, directly or not."""
    made, waiting = set(), [statement]
    while waiting:
        statement = waiting.pop()
        targets = getattr(statement, "targets", [getattr(statement, "target", statement)])
        new = set().union(*map(_names, targets)) - made
        made |= new
        waiting += [node for node in tree.body if isinstance(node, ast.Assign) and new & _names(node.value)]
    return made


@functools.cache
def _functions(tree: ast.AST) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


@functools.cache
def _names(tree: ast.AST) -> set[str]:
    """Return the names in a tree, of variables and attributes."""
    return {getattr(node, "id", getattr(node, "attr", None)) for node in ast.walk(tree)} - {None}

"""Which cells of a page give an exercise away: those that say so in their metadata, and those that show its code.

A page goes on with what an exercise asked for, so a cell after it may hold the answer. Such a cell names the exercise
in its metadata, `"answers": ["causal_mask"]`, and an assignment leaves it out. No program can know every way to write
an answer, so a person marks the cells; what is found here is the least that must be marked.
"""

import ast
import copy
from functools import cache

from course_utils import checks
from course_utils.checks.edits import edited

PRACTICE = {"exercise", "check", "solution"}
LIBRARIES = {"torch", "nn", "F", "attention", "properties"}  # what these are called says something; other names do not
PARTS = ast.Call | ast.BinOp | ast.Compare | ast.Subscript | ast.Attribute
SIMPLE = ast.Assign | ast.AugAssign | ast.Expr | ast.Return
TELLING = 3  # an expression of fewer parts, such as `weights @ values`, is nobody's answer
SAME_LINES = 3  # so many lines of a solution, and half of it, are the solution


def marked(cell):
    """The names of the exercises that a cell says it answers."""
    return list(cell.metadata.get("answers", ()))


def given_away(cell, name):
    """Whether a cell answers an exercise, as its metadata say, or because it shows the code of a right answer."""
    return name in marked(cell) or bool(shown(cell, name))


def shown(cell, name, before=()):
    """The pieces of code in a cell that are those of a right answer to an exercise.

    before: cells whose code is known already when the exercise is met; what they show is no secret.
    """
    if not _is_lesson(cell):
        return []
    expressions, lines = _telling(name)
    known = set().union(*(_expressions(one.source) for one in before if _is_lesson(one)))
    found = [expressions[one] for one in _expressions(cell.source) - known if one in expressions]
    known = set().union(*(_lines(one.source) for one in before if _is_lesson(one)))
    for solution in lines:
        same = _lines(cell.source).keys() & solution.keys()
        if len(same) >= max(SAME_LINES, len(solution) / 2) and not same <= known:
            found += [solution[one] for one in same]
    return sorted(set(found))


def _is_lesson(cell):
    return cell.cell_type == "code" and not PRACTICE & set(cell.metadata.get("tags", []))


@cache
def _telling(name):
    """Of every right way that the exercise knows: expressions, normalised -> source, and the same for its lines."""
    expressions, lines = {}, []
    exercise = getattr(checks, name)
    for form in exercise.forms:
        for way in form.right_ways:
            source = edited(form.source, way)
            whole = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, SIMPLE) and node.value)
            expressions |= {_normal(node): ast.unparse(node) for node in whole if _size(node) >= TELLING}
            lines.append(_lines(source))
    return expressions, lines


@cache
def _expressions(source):
    return frozenset(_normal(node) for node in _nodes(source) if isinstance(node, ast.expr) and _size(node) >= TELLING)


@cache
def _lines(source):
    return {_normal(node): ast.unparse(node) for node in _nodes(source) if isinstance(node, SIMPLE) and _size(node)}


def _nodes(source):
    try:
        return list(ast.walk(ast.parse(source)))
    except SyntaxError:
        return []  # a rule of its own names it


def _size(node):
    return sum(isinstance(part, PARTS) for part in ast.walk(node))


def _normal(node):
    """The code with every name of its own replaced: `place + 1` is `row + 1`."""
    node = copy.deepcopy(node)
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id not in LIBRARIES:
            part.id = "_"
    return ast.dump(node)

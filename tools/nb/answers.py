"""Find the cells of a notebook that answer one of its exercises: by their metadata, or because they show its code.

A notebook goes on with what an exercise asked for, so a cell after it may hold the answer. Such a cell names the
exercise in its metadata, `"answers": ["causal_mask"]`, and an assignment leaves it out. No program can recognise every
way to write an answer, so a person marks the cells; the code here finds the minimum that must be marked.
"""

import ast
import copy
from functools import cache

from course_utils import checks
from course_utils.checks.edits import edited
from nb.format import tags

PRACTICE = {"exercise", "check", "solution"}
LIBRARIES = {"torch", "nn", "F", "attention", "properties"}  # these names mean something; all others are ignored
PARTS = ast.Call | ast.BinOp | ast.Compare | ast.Subscript | ast.Attribute
SIMPLE = ast.Assign | ast.AugAssign | ast.Expr | ast.Return
MIN_SIZE = 3  # operations in an expression; a smaller one, such as `weights @ values`, is nobody's answer
SAME_LINES = 3  # this many lines of a solution, if they are half of it, count as the solution


def marked(cell):
    """Return the names of the exercises that a cell's metadata says it answers, as a list."""
    return list(cell.metadata.get("answers", ()))


def given_away(cell, name):
    """Return whether a cell answers the exercise `name`: its metadata says so, or it shows code of a right answer."""
    return name in marked(cell) or bool(answer_pieces(cell, name))


def answer_pieces(cell, name, before=()):
    """Return the pieces of code in a cell that also stand in a right answer to the exercise `name`, a sorted list.

    The pieces are whole expressions and statements, as source. before: the cells above the exercise; code that they
    show already is not counted.
    """
    if not _is_lesson(cell):
        return []
    expressions, lines = _answer_code(name)
    seen = set().union(*(_expressions(above.source) for above in before if _is_lesson(above)))
    pieces = [expressions[expression] for expression in _expressions(cell.source) - seen if expression in expressions]
    seen = set().union(*(_lines(above.source) for above in before if _is_lesson(above)))
    for solution in lines:
        same = _lines(cell.source).keys() & solution.keys()
        if len(same) >= max(SAME_LINES, len(solution) / 2) and not same <= seen:
            pieces += [solution[expression] for expression in same]
    return sorted(set(pieces))


def _is_lesson(cell):
    """Return whether a cell is code, but not tagged as an exercise's stub, check or solution."""
    return cell.cell_type == "code" and not PRACTICE & set(tags(cell))


@cache
def _answer_code(name):
    """Return the code of all right answers to the exercise `name`: a dict of expressions, and a list of dicts of lines.

    Both map normalised code (see `_normal`) to source. The expressions are those of at least MIN_SIZE operations that
    are the whole value of a simple statement. Each dict of lines holds the simple statements of one answer.
    """
    expressions, lines = {}, []
    exercise = getattr(checks, name)
    for form in exercise.forms:
        for variant in form.right_variants:
            source = edited(form.source, variant)
            values = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, SIMPLE) and node.value)
            expressions |= {_normal(node): ast.unparse(node) for node in values if _size(node) >= MIN_SIZE}
            lines.append(_lines(source))
    return expressions, lines


@cache
def _expressions(source):
    """Return the expressions in a source with at least MIN_SIZE operations, normalised, as a frozenset of strings."""
    return frozenset(_normal(node) for node in _nodes(source) if isinstance(node, ast.expr) and _size(node) >= MIN_SIZE)


@cache
def _lines(source):
    """Return normalised code -> source for each simple statement in a source that has an operation.

    Simple statements are assignments, expressions and returns, also inside functions.
    """
    return {_normal(node): ast.unparse(node) for node in _nodes(source) if isinstance(node, SIMPLE) and _size(node)}


def _nodes(source):
    """Return all AST nodes of a source, as a list; [] if it is not Python."""
    try:
        return list(ast.walk(ast.parse(source)))
    except SyntaxError:
        return []  # the rule code.is_plain_python reports it


def _size(node):
    """Return how many operations an AST node has: calls, binary operators, comparisons, subscripts and attributes."""
    return sum(isinstance(part, PARTS) for part in ast.walk(node))


def _normal(node):
    """Return an AST node as a string, in which `_` replaces every name but those of LIBRARIES.

    So `place + 1` equals `row + 1`.
    """
    node = copy.deepcopy(node)
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id not in LIBRARIES:
            part.id = "_"
    return ast.dump(node)

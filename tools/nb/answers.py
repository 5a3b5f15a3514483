"""Find the cells of a notebook that answer one of its exercises: by their metadata, or because they show its code.

Such a cell names the exercise in its metadata, `"answers": ["causal_mask"]`. A person marks the cells, since no program
recognises every answer; this finds those that must be marked at least.
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


def marked(cell) -> list[str]:
    return list(cell.metadata.get("answers", ()))


def given_away(cell, name: str) -> bool:
    return name in marked(cell) or bool(answer_pieces(cell, name))


def answer_pieces(cell, name: str, before=()) -> list[str]:
    """Return the pieces of code, sorted, that an nbformat cell shares with right answers to the exercise `name`.

    A piece is an expression that is the whole value of a statement in an answer; or a statement, if the cell has at
    least 3 of an answer's and half of them. The names of variables may differ. before: the cells above the exercise;
    what they show is no piece. A cell with text, a stub, a check or a solution gives [].
    """
    if not _is_lesson(cell):
        return []
    expressions, answers = _answer_code(name)
    above = [other.source for other in before if _is_lesson(other)]
    fresh = _expressions(cell.source).difference(*map(_expressions, above))
    pieces = [expressions[key] for key in fresh & expressions.keys()]
    seen = set().union(*map(_lines, above))
    for solution in answers:
        same = _lines(cell.source).keys() & solution.keys()
        if len(same) >= max(SAME_LINES, len(solution) / 2) and not same <= seen:
            pieces += [solution[line] for line in same]
    return sorted(set(pieces))


def _is_lesson(cell):
    return cell.cell_type == "code" and not PRACTICE & set(tags(cell))


@cache
def _answer_code(name: str) -> tuple[dict, list[dict]]:
    """Return the code of all right answers to an exercise, normal form -> source: whole values, and lines by answer."""
    sources = [edited(form.source, at) for form in getattr(checks, name).forms for at in form.right_variants]
    values = [node.value for source in sources for node in _nodes(source) if isinstance(node, SIMPLE) and node.value]
    return {_normal(node): ast.unparse(node) for node in values if _size(node) >= MIN_SIZE}, list(map(_lines, sources))


@cache
def _expressions(source: str) -> frozenset[str]:
    return frozenset(_normal(node) for node in _nodes(source) if isinstance(node, ast.expr) and _size(node) >= MIN_SIZE)


@cache
def _lines(source: str) -> dict[str, str]:
    return {_normal(node): ast.unparse(node) for node in _nodes(source) if isinstance(node, SIMPLE) and _size(node)}


def _nodes(source: str) -> list[ast.AST]:
    try:
        return list(ast.walk(ast.parse(source)))
    except SyntaxError:
        return []  # the rule code.is_plain_python reports it


def _size(node: ast.AST) -> int:
    return sum(isinstance(part, PARTS) for part in ast.walk(node))


def _normal(node: ast.AST) -> str:
    """Return the ast.dump of a node with `_` in place of each variable's name that is not in LIBRARIES."""
    node = copy.deepcopy(node)
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id not in LIBRARIES:
            part.id = "_"
    return ast.dump(node)

"""Syntax trees of expressions, and copies of them with a change."""

import ast
import sys

INLINED = (ast.ListComp, ast.SetComp, ast.DictComp) if sys.version_info >= (3, 12) else ()
SCOPES = (ast.FunctionDef, ast.Lambda, ast.GeneratorExp)


def called(node):
    """Return the last part of the name that a node calls: `sum` for the node of `x.sum()`; "" if it calls none."""
    func = getattr(node, "func", None)
    return getattr(func, "attr", None) or getattr(func, "id", "")


def build(code, *parts):
    """Return the `ast` node of an expression, `code`, with the nodes `parts` in place of the names `x` and `y`."""
    tree, nodes = ast.parse(code, mode="eval").body, dict(zip("xy", parts, strict=False))
    for node in [node for node in ast.walk(tree) if isinstance(node, ast.expr)]:
        node.end_lineno = None  # its code does not stand in the learner's source
        if isinstance(node, ast.Name) and node.id in nodes:
            tree = swapped(tree, node, nodes[node.id])
    return tree


def transposed(node):
    """Return the node of an expression with its last two axes transposed."""
    return build("x.transpose(-2, -1)", node)


def with_keyword(call, name, code):
    """Return a copy of a call's node with one more keyword argument. name: of the keyword. code: of its value."""
    return ast.Call(call.func, call.args, [*call.keywords, ast.keyword(name, build(code))])


def swapped(node, old, new):
    """Return a copy of an expression in which the part `old` is replaced by `new`; all are `ast` nodes."""
    if node is old:
        return new
    if isinstance(node, list):
        return [swapped(part, old, new) for part in node]
    if isinstance(node, ast.AST) and any(part is old for part in ast.walk(node)):
        return type(node)(**{name: swapped(part, old, new) for name, part in ast.iter_fields(node)})
    return node


def not_in_place(node):
    """Return the node of a call `x.method_(…)` as one of `x.method(…)`, so that it can be tried; others as they are."""
    if called(node).endswith("_"):
        return swapped(node, node.func, ast.Attribute(node.func.value, called(node)[:-1]))
    return node


def inlined(tree, node):
    """Return a list of the comprehensions in a tree around a node that are inlined in their function, outermost first.

    From Python 3.12 on, a comprehension has no frame of its own, and its variables are gone when it stops.
    """
    around = []
    while tree is not None and tree is not node:
        if isinstance(tree, SCOPES):
            around = []
        elif isinstance(tree, INLINED):
            around.append(tree)
        inside = ast.iter_child_nodes(tree)
        tree = next((part for part in inside if any(deeper is node for deeper in ast.walk(part))), None)
    return around

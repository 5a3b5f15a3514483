"""Syntax trees of expressions, and copies of them with a change."""

import ast
import sys

INLINED = (ast.ListComp, ast.SetComp, ast.DictComp) if sys.version_info >= (3, 12) else ()
SCOPES = (ast.FunctionDef, ast.Lambda, ast.GeneratorExp)


def called(node: ast.AST) -> str:
    """Return the name that a call calls, without what comes before a dot: "sum" for `x.sum()`.

    Return "" if the node is no call, or calls something without a name.
    """
    func = getattr(node, "func", None)
    return getattr(func, "attr", None) or getattr(func, "id", "")


def build(code: str, *parts: ast.AST) -> ast.expr:
    """Return the syntax tree of an expression that is given as code, such as "x @ y".

    parts: nodes of expressions that are put in place of the names `x` and `y`.
    """
    tree, nodes = ast.parse(code, mode="eval").body, dict(zip("xy", parts, strict=False))
    for node in [node for node in ast.walk(tree) if isinstance(node, ast.expr)]:
        node.end_lineno = None  # its code does not stand in the learner's source
        if isinstance(node, ast.Name) and node.id in nodes:
            tree = swapped(tree, node, nodes[node.id])
    return tree


def transposed(node: ast.AST) -> ast.expr:
    """Return the syntax tree of `x.transpose(-2, -1)`, x being the expression `node`."""
    return build("x.transpose(-2, -1)", node)


def with_keyword(call: ast.Call, name: str, code: str) -> ast.Call:
    """Return a copy of a call with one more keyword argument, `name`, whose value is given as code."""
    return ast.Call(call.func, call.args, [*call.keywords, ast.keyword(name, build(code))])


def swapped(node, old: ast.AST, new: ast.AST):
    """Return a copy of a syntax tree, or of a list of them, with its part `old` replaced by `new`.

    `old` is found by identity; without it, the node itself is returned.
    """
    if node is old:
        return new
    if isinstance(node, list):
        return [swapped(part, old, new) for part in node]
    if isinstance(node, ast.AST) and any(part is old for part in ast.walk(node)):
        return type(node)(**{name: swapped(part, old, new) for name, part in ast.iter_fields(node)})
    return node


def not_in_place(node: ast.AST) -> ast.AST:
    """Return `x.method(…)` for `x.method_(…)`, a call that would change x; other nodes as they are."""
    if called(node).endswith("_"):
        return swapped(node, node.func, ast.Attribute(node.func.value, called(node)[:-1]))
    return node


def inlined(tree: ast.AST, node: ast.AST | None) -> list[ast.AST]:
    """Return the comprehensions around a node of a tree that have no frame of their own, outermost first.

    Python inlines them in their function from 3.12 on, and their variables are gone when they stop. Before that, the
    list is empty.
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

"""The place where a learner's code stopped: the expression, the values of its parts, and what a change would give."""

import ast
import builtins
import dis
import functools
import linecache
import sys
from collections import ChainMap

import torch

from .safe_value import TENSORS, UNKNOWN, value

LONGEST = 90  # characters of an expression that are shown
INLINED = (ast.ListComp, ast.SetComp, ast.DictComp) if sys.version_info >= (3, 12) else ()
SCOPES = (ast.FunctionDef, ast.Lambda, ast.GeneratorExp)


class Stop:
    """The place where an error stopped a learner's code, with the values that can be read there.

    error: a Caught. namespace: the globals of the learner's code. frame: the learner's innermost frame, or None. below:
    the frames of library code that it called, the outermost first. node: the expression that stopped, as an `ast` node,
    or None. lines, tree: the source of the learner's code and its syntax tree; empty and None where there is none.
    """

    def __init__(self, error, namespace):
        self.error, self.message, self.namespace = error, error.message, namespace
        self.frame, self.below, self._last = None, [], 0
        step = error.traceback
        while step is not None:
            if step.tb_frame.f_globals is namespace:
                self.frame, self._last, self.below = step.tb_frame, step.tb_lasti, []
            else:
                self.below.append(step.tb_frame)
            step = step.tb_next
        self.lines = linecache.getlines(self.frame.f_code.co_filename, self.frame.f_globals) if self.frame else []
        self.tree = _read("".join(self.lines))

    @property
    def on_purpose(self):
        """Return whether a `raise` or `assert` in the learner's own code raised the error."""
        return self.frame is not None and self._opname == "RAISE_VARARGS"

    @property
    def _opname(self):
        """Return the name of the bytecode instruction that stopped, such as "BINARY_OP"."""
        code, place = self.frame.f_code.co_code, self._last
        while dis.opname[code[place]] == "CACHE":  # inline cache entries follow the instruction that they belong to
            place -= 2
        return dis.opname[code[place]]

    @property
    def position(self):
        """Return [line, last line, column, last column] of the instruction that stopped; each may be None."""
        return list(self.frame.f_code.co_positions())[self._last // 2]

    @functools.cached_property
    def node(self):
        """Return the expression or statement that stopped, as an `ast` node, or None if the source is not known."""
        if self.frame is None:
            return None
        return self._in_source() if self.tree else None

    def _in_source(self):
        """Return the node of the syntax tree at the position that stopped, or None."""
        line, last_line, start, end = self.position
        ends = [node for node in ast.walk(self.tree) if _end(node) == (last_line, end)]
        exact = [node for node in ends if (node.lineno, node.col_offset) == (line, start)]
        if exact:
            node = exact[-1] if isinstance(exact[0], ast.Expr) else exact[0]
        else:  # in a chain of methods over several lines, the call begins on an earlier line
            node = next((node for node in ends if isinstance(node, ast.Call)), None)
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            node = node.test
        elif isinstance(node, ast.For):
            node = node.iter
        if self._opname in ("UNPACK_SEQUENCE", "STORE_ATTR", "STORE_SUBSCR"):
            node = next((one for one in ast.walk(self.tree) if node in getattr(one, "targets", ())), node)
        return node

    @property
    def at(self):
        """Return the beginning of an explanation: the expression or the line that stopped, then "stops:"."""
        if self.node is not None:
            return f"`{self.text(self.node)}` stops:"
        return f"{self.line} stops:"

    @property
    def line(self):
        """Return the line that stopped, in words: by its number in the function, or by its code."""
        code, line = self.frame.f_code, self.position[0]
        if code.co_name.startswith("<"):  # a comprehension or a lambda, which has no name
            written = self.lines[line - 1].strip() if line and self.lines else ""
            return f"`{_cut(written)}`" if written else "A line of your code"
        return f"Line {(line or 1) - code.co_firstlineno + 1} of `{code.co_name}`"

    def text(self, node):
        """Return the code of an `ast` node, cut to LONGEST characters: as the learner wrote it, if it is in the source.

        The code of any other node is made by `ast.unparse`.
        """
        written = self.lines and getattr(node, "end_lineno", None)
        return _cut(" ".join((_segment(self.lines, node) if written else ast.unparse(node)).split()))

    def value(self, node):
        """Return the value of an expression, or UNKNOWN. node: an `ast` node, or None."""
        return UNKNOWN if node is None or self.frame is None else value(node, self._names)

    @functools.cached_property
    def _names(self):
        """Return a mapping from each name to its value where the code stopped.

        The loop variables of inlined comprehensions are gone by then. A variable that goes through a tensor gets the
        tensor's first element, which has the shape and the dtype of all; the others get UNKNOWN.
        """
        names = ChainMap(self.frame.f_locals, self.frame.f_globals, vars(builtins))
        for comprehension in _inlined(self.tree, self.node):
            for loop in comprehension.generators:
                through, element = value(loop.iter, names), names.new_child()
                for name in (part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name)):
                    element[name] = UNKNOWN
                if isinstance(loop.target, ast.Name) and type(through) in TENSORS and through.ndim > 1 and len(through):
                    element[loop.target.id] = through[0]
                names = element
        return names

    def tensor(self, node):
        """Return the tensor that is the value of an expression, or None. node: an `ast` node, or None."""
        found = self.value(node)
        return found if type(found) in TENSORS else None

    def changed(self, old, new, node=None):
        """Return (text, value) of an expression with one part replaced, or None where it still does not run.

        old: the node of that part. new: a node, or code. node: the expression; by default, the one that stopped.
        """
        node = swapped(self.node if node is None else node, old, _parsed(new))
        found = self.value(node)
        return None if found is UNKNOWN else (self.text(node), found)

    def made(self, node):
        """Return the expression assigned to a name, if the function that stopped assigns to it once; else None.

        node: the name, an ast.Name; for any other node, None comes back. The expression is an `ast` node.
        """
        if not (self.tree and isinstance(node, ast.Name)):
            return None
        first = self.frame.f_code.co_firstlineno
        inside = [one for one in ast.walk(self.tree) if isinstance(one, ast.FunctionDef) and one.lineno == first]
        values = [
            one.value
            for one in (ast.walk(inside[0]) if inside else ())
            if isinstance(one, ast.Assign) and any(node.id == getattr(to, "id", None) for to in one.targets)
        ]
        return values[0] if len(values) == 1 else None

    def subject(self):
        """Return the node that a call works on: `x` in `x.sum()` and in `torch.sum(x)`; None if there is none.

        The call is the one that stopped.
        """
        if not isinstance(self.node, ast.Call):
            return None
        func = self.node.func
        if isinstance(func, ast.Attribute) and self.tensor(func.value) is not None:
            return func.value
        named = {keyword.arg: keyword.value for keyword in self.node.keywords}
        return self.node.args[0] if self.node.args else named.get("input")

    def called(self):
        """Return the last part of the name that `node` calls: `sum` in `x.sum()`; "" if it calls none."""
        return getattr(self.node, "func", None) and called(self.node) or ""

    def argument(self, place, name):
        """Return the node of an argument of the call that stopped, or None. place: an int. name: of the keyword.

        An argument by keyword is found by its name, any other by its place. In `x.sum(0)`, x has place 0.
        """
        if not isinstance(self.node, ast.Call):
            return None
        for keyword in self.node.keywords:
            if keyword.arg == name:
                return keyword.value
        args = self.node.args
        if isinstance(self.node.func, ast.Attribute) and self.subject() is self.node.func.value:
            args = [self.node.func.value, *args]
        return args[place] if place < len(args) else None


def _cut(text):
    """Return a text, cut to LONGEST characters; then its last one is "…"."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def called(node):
    """Return the last part of the name that a node calls: `sum` for the node of `x.sum()`; "" if it calls none."""
    func = getattr(node, "func", None)
    return getattr(func, "attr", None) or getattr(func, "id", "")


def swapped(node, old, new):
    """Return a copy of an expression in which the part `old` is replaced by `new`; all are `ast` nodes."""
    if node is old:
        return new
    if isinstance(node, list):
        return [swapped(part, old, new) for part in node]
    if isinstance(node, ast.AST) and any(part is old for part in ast.walk(node)):
        return type(node)(**{name: swapped(part, old, new) for name, part in ast.iter_fields(node)})
    return node


def _parsed(text):
    """Return the `ast` node of an expression that is given as a text; a node comes back as it is."""
    return ast.parse(text, mode="eval").body if isinstance(text, str) else text


def _end(node):
    """Return (last line, last column) of a node; each is None where the node has none."""
    return getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)


def _inlined(tree, node):
    """Return the comprehensions around a node that are inlined in their function, as a list, the outermost first.

    tree: the syntax tree of the source, or None. From Python 3.12 on, a comprehension has no frame of its own, and its
    variables are gone when it stops.
    """
    found = []
    while tree is not None and tree is not node:
        if isinstance(tree, SCOPES):
            found = []
        elif isinstance(tree, INLINED):
            found.append(tree)
        inside = ast.iter_child_nodes(tree)
        tree = next((part for part in inside if any(one is node for one in ast.walk(part))), None)
    return found


def _read(source):
    """Return the syntax tree of Python source, a text, or None if it is empty or not valid."""
    try:
        return ast.parse(source) if source else None
    except SyntaxError:
        return None


def _segment(lines, node):
    """Return the text of a node, as it is in the source. lines: of the source, a list.

    Columns of `ast` count bytes of UTF-8. `ast.get_source_segment` would split the whole source each time.
    """
    rows = [line.encode() for line in lines[node.lineno - 1 : node.end_lineno]]
    rows[-1] = rows[-1][: node.end_col_offset]
    rows[0] = rows[0][node.col_offset :]
    return b"".join(rows).decode()


def shape(tensor):
    """Return the shape of a tensor as text, such as "(2, 3)"."""
    return f"{tuple(tensor.shape)}"


def kind(value):
    """Return in words what kind of thing a value is, such as "a tensor of shape (2, 3)"; None if it is UNKNOWN."""
    if value is UNKNOWN:
        return None
    if type(value) in TENSORS:
        return f"a tensor of shape {shape(value)}"
    if value is None or isinstance(value, bool):
        return f"{value}"
    if isinstance(value, int | float):
        return f"the number {value}"
    if callable(value) and type(value).__module__.startswith("course_utils.exercises"):
        return "a function"  # the prompt calls it a function, whatever object the check made for it
    if isinstance(value, torch.nn.Module):
        return f"a module, `{type(value).__name__}`"
    names = {"list": "a list", "tuple": "a tuple", "str": "a text", "ndarray": "a NumPy array", "Size": "a shape"}
    names["function"] = "a function"
    return names.get(type(value).__name__, f"a `{type(value).__name__}`")

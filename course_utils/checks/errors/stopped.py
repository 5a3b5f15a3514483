"""Where a learner's code stopped: the expression, what its parts stood for, and what it would give if changed."""

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
    """What there is to know of an error. frame: the learner's innermost frame, or None; below: the library's, after it.

    node: the expression that stopped, as a node of `ast`, or None. Its text is the learner's own where it can be had.
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
        """Whether a `raise` or `assert` of the learner's own stopped it."""
        return self.frame is not None and self._opname == "RAISE_VARARGS"

    @property
    def _opname(self):
        code, place = self.frame.f_code.co_code, self._last
        while dis.opname[code[place]] == "CACHE":  # what belongs to the instruction before it
            place -= 2
        return dis.opname[code[place]]

    @property
    def position(self):
        """(line, last line, column, last column) of what stopped, each perhaps None."""
        return list(self.frame.f_code.co_positions())[self._last // 2]

    @functools.cached_property
    def node(self):
        if self.frame is None:
            return None
        return self._in_source() if self.tree else None

    def _in_source(self):
        line, last_line, start, end = self.position
        ends = [node for node in ast.walk(self.tree) if _end(node) == (last_line, end)]
        exact = [node for node in ends if (node.lineno, node.col_offset) == (line, start)]
        if exact:
            node = exact[-1] if isinstance(exact[0], ast.Expr) else exact[0]
        else:  # a chain of methods over several lines: what stopped begins further up
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
        """The beginning of the sentence: what stops."""
        if self.node is not None:
            return f"`{self.text(self.node)}` stops:"
        return f"{self.line} stops:"

    @property
    def line(self):
        code, line = self.frame.f_code, self.position[0]
        if code.co_name.startswith("<"):  # of a comprehension or a lambda, which has no name
            written = self.lines[line - 1].strip() if line and self.lines else ""
            return f"`{_cut(written)}`" if written else "A line of your code"
        return f"Line {(line or 1) - code.co_firstlineno + 1} of `{code.co_name}`"

    def text(self, node):
        """An expression as the learner wrote it, or as it must have been written; cut where it is long."""
        written = self.lines and getattr(node, "end_lineno", None)
        return _cut(" ".join((_segment(self.lines, node) if written else ast.unparse(node)).split()))

    def value(self, node):
        """What an expression stands for, or UNKNOWN."""
        return UNKNOWN if node is None or self.frame is None else value(node, self._names)

    @functools.cached_property
    def _names(self):
        """Of each name, what it stood for where the code stopped."""
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
        """The tensor that an expression stands for, or None."""
        found = self.value(node)
        return found if type(found) in TENSORS else None

    def changed(self, old, new, node=None):
        """(text, value) of the expression with one part of it replaced, or None where it still does not run."""
        node = swapped(self.node if node is None else node, old, _parsed(new))
        found = self.value(node)
        return None if found is UNKNOWN else (self.text(node), found)

    def made(self, node):
        """The expression that a name was made with, where the function gives it a value once; else None."""
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
        """The node that a call works on: `x` in `x.sum()` and in `torch.sum(x)`; None if this is no such call."""
        if not isinstance(self.node, ast.Call):
            return None
        func = self.node.func
        if isinstance(func, ast.Attribute) and self.tensor(func.value) is not None:
            return func.value
        named = {keyword.arg: keyword.value for keyword in self.node.keywords}
        return self.node.args[0] if self.node.args else named.get("input")

    def called(self):
        """The last name of what is called: `sum` in `x.sum()`; "" if this is no call."""
        return getattr(self.node, "func", None) and called(self.node) or ""

    def argument(self, place, name):
        """The node handed over in a place or under a name, or None; the subject of a method stands in place 0."""
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
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def called(node):
    """The last name of what a call calls, or ""."""
    func = getattr(node, "func", None)
    return getattr(func, "attr", None) or getattr(func, "id", "")


def swapped(node, old, new):
    """A copy of an expression with one part of it replaced."""
    if node is old:
        return new
    if isinstance(node, list):
        return [swapped(part, old, new) for part in node]
    if isinstance(node, ast.AST) and any(part is old for part in ast.walk(node)):
        return type(node)(**{name: swapped(part, old, new) for name, part in ast.iter_fields(node)})
    return node


def _parsed(text):
    return ast.parse(text, mode="eval").body if isinstance(text, str) else text


def _end(node):
    return getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)


def _inlined(tree, node):
    """The comprehensions around a node whose own names are gone when they stop, the outermost first.

    From Python 3.12 on, a comprehension is a part of its function, and takes its names with it. Of a tensor's elements,
    one has the shape and the dtype of all.
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
    try:
        return ast.parse(source) if source else None
    except SyntaxError:
        return None


def _segment(lines, node):
    """The text of a node; `ast` counts bytes, and its own way to this reads the whole source."""
    rows = [line.encode() for line in lines[node.lineno - 1 : node.end_lineno]]
    rows[-1] = rows[-1][: node.end_col_offset]
    rows[0] = rows[0][node.col_offset :]
    return b"".join(rows).decode()


def shape(tensor):
    return f"{tuple(tensor.shape)}"


def kind(value):
    """What a value is, in words, or None where it is not known."""
    if value is UNKNOWN:
        return None
    if type(value) in TENSORS:
        return f"a tensor of shape {shape(value)}"
    if value is None or isinstance(value, bool):
        return f"{value}"
    if isinstance(value, int | float):
        return f"the number {value}"
    if callable(value) and type(value).__module__.startswith("course_utils.exercises"):
        return "a function"  # as the prompt calls it: how a check makes its inputs is nobody's concern
    if isinstance(value, torch.nn.Module):
        return f"a module, `{type(value).__name__}`"
    names = {"list": "a list", "tuple": "a tuple", "str": "a text", "ndarray": "a NumPy array", "Size": "a shape"}
    names["function"] = "a function"
    return names.get(type(value).__name__, f"a `{type(value).__name__}`")

"""The place where a learner's code stopped: the expression, the values of its parts, and what a change would give."""

import ast
import builtins
import functools
import linecache
from collections import ChainMap

import torch

from ..sentences import sentence
from ..source import tree
from .caught import raises
from .expressions import build, called, inlined, swapped
from .safe_value import TENSORS, UNKNOWN, value

LONGEST = 90  # characters of an expression that are shown
COMPREHENSIONS = {"<listcomp>", "<setcomp>", "<dictcomp>"}  # functions of their own in Python 3.11, in 3.12 no longer


class StoppedCode:
    """The place where an error stopped a learner's code, with the values that can be read there.

    error: a Caught. namespace: the globals of the learner's code. frame: the learner's innermost frame, or None. below:
    the frames of library code that it called, the outermost first. node: the expression that stopped, as an `ast` node,
    or None. lines, tree: the source of the learner's code and its syntax tree, both empty where there is none.
    Without a frame, values are UNKNOWN, and `at`, `line`, `position` and `parameters` raise AttributeError.
    """

    def __init__(self, error, namespace):
        self.error, self.message, self.namespace = error, error.message, namespace
        self.frame, self.below, self._step = None, [], None
        step = error.traceback
        while step is not None:
            if step.tb_frame.f_globals is namespace:
                self.frame, self.below, self._step = step.tb_frame, [], step
            else:
                self.below.append(step.tb_frame)
            step = step.tb_next
        self.lines = linecache.getlines(self.frame.f_code.co_filename) if self.frame else []
        self.tree = tree(self.frame.f_code) if self.frame else ast.Module([], [])

    @property
    def on_purpose(self) -> bool:
        """Return whether a `raise` or `assert` in the learner's own code raised the error, not one in a library."""
        return self.frame is not None and raises(self._step)

    @property
    def position(self) -> tuple:
        """Return (line, last line, column, last column) of the code that stopped, ints; each may be None."""
        return list(self.frame.f_code.co_positions())[self._step.tb_lasti // 2]

    @functools.cached_property
    def node(self) -> ast.AST | None:
        """Return the expression or assignment that stopped; of `if`, `while` and `for`, the condition or the iterable.

        Return None if the source is not known, or nothing in it ends where the code stopped.
        """
        if self.frame is None:
            return None
        line, last_line, start, last = self.position
        nodes = [node for node in ast.walk(self.tree) if hasattr(node, "end_lineno") and not isinstance(node, ast.Expr)]
        ends = [node for node in nodes if (node.end_lineno, node.end_col_offset) == (last_line, last)]
        exact = [node for node in ends if (node.lineno, node.col_offset) == (line, start)]
        # in a chain of methods over several lines, the call begins on an earlier line
        node = next(iter(exact or [node for node in ends if isinstance(node, ast.Call)]), None)
        assignments = [node for node in nodes if isinstance(node, ast.Assign)]
        whole = [assignment for assignment in assignments if node in assignment.targets]
        return whole[0] if whole else getattr(node, "test", getattr(node, "iter", node))

    @property
    def at(self) -> str:
        """Return the words that begin an explanation: the expression or line that stopped, as in "`x @ y` stops:"."""
        if self.node is not None:
            return sentence("`{code}` stops:", code=self.text(self.node))
        return sentence("{line} stops:", line=self.line)

    @property
    def line(self) -> str:
        """Return words for the line that stopped, such as "Line 3 of `scores`"; in a lambda or the like, its code."""
        frame, line = self.frame, self.position[0]
        while frame.f_code.co_name in COMPREHENSIONS and frame.f_back:
            frame = frame.f_back
        code = frame.f_code
        if code.co_name.startswith("<"):  # a lambda or the like, which has no name
            source = "".join(self.lines[line - 1 : line]).strip() if line else ""
            return f"`{_cut(source)}`" if source else "A line of your code"
        number = (line or 1) - code.co_firstlineno + 1
        return sentence("Line {number} of `{function}`", number=number, function=code.co_name)

    def sentence(self, template: str, code=None, **places) -> str:
        """Return a sentence for the learner: the template with its places filled in; `{at}` is known.

        An `ast` node is shown as its code, a tensor as its shape. code: the value for `{code}`, or None. places: the
        others; those that the template lacks are ignored. Errors: TypeError for a place without a value.
        """
        places |= {"code": code} | ({"at": self.at} if "{at}" in template else {})
        labels = {name: self._label(part) for name, part in places.items() if f"{{{name}}}" in template}
        return sentence(template, **labels)

    def _label(self, part):
        """Return what a sentence shows for a value: a node's code, a tensor's shape as a tuple, others as they are."""
        if isinstance(part, ast.AST):
            return self.text(part)
        part = part.shape if type(part) in TENSORS else part
        return tuple(part) if isinstance(part, torch.Size) else part

    def text(self, node: ast.AST) -> str:
        """Return the source code of a node on one line, cut to LONGEST characters."""
        in_source = self.lines and getattr(node, "end_lineno", None)
        code = ast.get_source_segment("".join(self.lines), node) if in_source else ast.unparse(node)
        return _cut(" ".join(code.split()))

    def value(self, node: ast.AST | None):
        """Return the value of an expression where the code stopped; UNKNOWN if it cannot be had."""
        return UNKNOWN if node is None or self.frame is None else value(node, self._names)

    @functools.cached_property
    def _names(self):
        """Return a mapping from each name that is visible where the code stopped to its value.

        The loop variables of inlined comprehensions are gone by then: one that runs through a tensor gets the first
        element, which has the shape and the dtype of all; any other gets UNKNOWN.
        """
        names = ChainMap(self.frame.f_locals, self.frame.f_globals, vars(builtins))
        for comprehension in inlined(self.tree, self.node):
            for loop in comprehension.generators:
                through, element = value(loop.iter, names), names.new_child()
                for name in (part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name)):
                    element[name] = UNKNOWN
                if isinstance(loop.target, ast.Name) and type(through) in TENSORS and through.ndim > 1 and len(through):
                    element[loop.target.id] = through[0]
                names = element
        return names

    def tensor(self, node: ast.AST | None) -> torch.Tensor | None:
        """Return the value of an expression if it is a tensor; else None."""
        tensor = self.value(node)
        return tensor if type(tensor) in TENSORS else None

    def runs(self, node: ast.AST) -> bool:
        """Return whether an expression can be evaluated safely, without error, where the code stopped."""
        return self.value(node) is not UNKNOWN

    def changed(self, old: ast.AST, new, node: ast.AST | None = None) -> ast.AST | None:
        """Return a copy of the expression `node` in which its part `old` is replaced by `new`, a node or code (a str).

        Return None if that does not run. By default, `node` is the expression that stopped.
        """
        node = swapped(self.node if node is None else node, old, build(new) if isinstance(new, str) else new)
        return node if self.runs(node) else None

    def assigned(self, node: ast.AST) -> ast.AST | None:
        """Return the expression that is assigned to a variable, an ast.Name, in the stopped function.

        For an attribute, as `self.mask`, it is the one assigned anywhere in the class around it. Return None unless
        exactly one is assigned to it, and for any other node.
        """
        if self.frame is None or not isinstance(node, ast.Name | ast.Attribute):
            return None
        line, kind = self.frame.f_code.co_firstlineno, ast.FunctionDef if isinstance(node, ast.Name) else ast.ClassDef
        around = [part for part in ast.walk(self.tree) if isinstance(part, kind)]
        around = [part for part in around if part.lineno <= line <= part.end_lineno]  # the innermost is the last
        values = [
            part.value
            for part in (ast.walk(around[-1]) if around else ())
            if isinstance(part, ast.Assign) and ast.unparse(node) in map(ast.unparse, part.targets)
        ]
        return values[0] if len(values) == 1 else None

    def subject(self) -> ast.AST | None:
        """Return the node of what the stopped call works on: `x` in `x.sum()` and in `torch.sum(x)`; else None."""
        if not isinstance(self.node, ast.Call):
            return None
        func = self.node.func
        if isinstance(func, ast.Attribute) and self.tensor(func.value) is not None:
            return func.value
        named = {keyword.arg: keyword.value for keyword in self.node.keywords}
        return self.node.args[0] if self.node.args else named.get("input")

    def called(self) -> str:
        """Return the name that the stopped call calls, "sum" for `x.sum()`; "" if what stopped is no call."""
        return called(self.node)

    def target(self) -> ast.AST | None:
        """Return the node that stopped, or None; of an assignment, the node to the left of the first `=`."""
        return self.node.targets[0] if isinstance(self.node, ast.Assign) else self.node

    def argument(self, place: int, name: str) -> ast.AST | None:
        """Return the node of the stopped call's argument with keyword `name`, else with positional index `place`.

        In a call of a tensor's method, the tensor is number 0, as `x` in `x.sum(1)`. Return None if there is none.
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

    def parameters(self) -> tuple[str, ...]:
        """Return the parameter names of the learner's function that stopped."""
        code = self.frame.f_code
        return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]

    def arguments(self) -> list[ast.AST]:
        """Return the nodes of the stopped call's arguments, those with keywords last; [] if what stopped is no call."""
        return [*getattr(self.node, "args", []), *(part.value for part in getattr(self.node, "keywords", []))]

    def first(self, test, parts=None) -> ast.AST | None:
        """Return the first of `parts`, `ast` nodes, for whose value `test(value)` is true, or None.

        `test` gets UNKNOWN for a value that cannot be had. By default, parts are all expressions in the stopped one,
        itself first, breadth first.
        """
        if parts is None:
            parts = (part for part in ast.walk(self.node or ast.Pass()) if isinstance(part, ast.expr))
        return next((part for part in parts if test(self.value(part))), None)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"

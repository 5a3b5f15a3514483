"""Classes that represent a notebook and its cells for the rules."""

import ast
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from nbformat import NotebookNode
from notebook_format import read_notebook


@dataclass(frozen=True)
class Cell:
    """One cell, with its place in the notebook, counted from 1. It has the attributes of its nbformat node too."""

    number: int
    node: NotebookNode

    def __getattr__(self, name):
        return getattr(self.node, name)  # source, metadata, outputs, …

    @property
    def label(self):
        """The cell's name in a message: its number, its id and its first line."""
        first_line = next(iter(self.source.strip().splitlines()), "")
        return f'cell {self.number} ({self.id}, "{first_line[:60]}")'

    @property
    def tags(self):
        return self.metadata.get("tags", [])

    @property
    def is_code(self):
        return self.cell_type == "code"

    @cached_property
    def tree(self):
        """The AST of the source; an empty module if it is not Python, which the rule code.is_plain_python reports."""
        try:
            return ast.parse(self.source)
        except SyntaxError:
            return ast.parse("")

    def module_level(self):
        """Yield every AST node that runs when the cell runs, so none inside a function, a class or a lambda."""
        waiting = list(self.tree.body)
        while waiting:
            node = waiting.pop(0)
            yield node
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                waiting += ast.iter_child_nodes(node)

    def definitions(self):
        """Yield the names of the functions and classes that the cell defines."""
        kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        return (node.name for node in self.module_level() if isinstance(node, kinds))


@dataclass(frozen=True)
class Notebook:
    """A notebook: its path and its cells."""

    path: Path
    cells: list[Cell]

    @classmethod
    def read(cls, path):
        """Read the notebook at a path. Errors: NotebookError if it cannot be read, with the reason."""
        return cls(path, [Cell(number, node) for number, node in enumerate(read_notebook(path, strict=True).cells, 1)])

    @property
    def code_cells(self):
        return [cell for cell in self.cells if cell.is_code]

    @property
    def markdown_cells(self):
        return [cell for cell in self.cells if cell.cell_type == "markdown"]


def called(call):
    """Return the last part of the name that an AST call calls: `backward` for `loss.backward()`; "" if it has none."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))

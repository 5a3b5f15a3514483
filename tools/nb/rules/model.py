"""Classes that represent a notebook and its cells for the rules."""

import ast
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from nbformat import NotebookNode

from course_utils import course
from nb.format import read_notebook


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook: its number, from 1, and the attributes of its nbformat node (source, metadata, …)."""

    number: int
    node: NotebookNode

    def __getattr__(self, name):
        return getattr(self.node, name)

    @property
    def label(self):
        """The name of the cell in messages: its number, its id and the first 60 characters of its first line."""
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
        """The syntax tree of the source, an ast.Module, empty if that is not Python, which another rule reports."""
        try:
            return ast.parse(self.source)
        except SyntaxError:
            return ast.parse("")

    def module_level(self):
        """Yield every AST node of the source that is not inside a function, a class or a lambda, breadth first."""
        waiting = list(self.tree.body)
        while waiting:
            node = waiting.pop(0)
            yield node
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                waiting += ast.iter_child_nodes(node)

    def definitions(self):
        kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        return (node.name for node in self.module_level() if isinstance(node, kinds))


@dataclass(frozen=True)
class Notebook:
    """A notebook: the path of its file, and its cells in order."""

    path: Path
    cells: list[Cell]

    @classmethod
    def read(cls, path: Path):
        """Return the Notebook stored at a path. Errors: NotebookError, with the reason, if it cannot be read."""
        return cls(path, [Cell(number, node) for number, node in enumerate(read_notebook(path, strict=True).cells, 1)])

    @property
    def listed(self) -> list[course.Notebook]:
        """The entry of the course's list for the notebook, in a list; [] for a notebook outside the course."""
        return [page for page in course.notebooks() if page.file == self.path.stem]

    @property
    def code_cells(self):
        return [cell for cell in self.cells if cell.is_code]

    @property
    def markdown_cells(self):
        return [cell for cell in self.cells if cell.cell_type == "markdown"]


def called_name(call: ast.Call) -> str:
    """Return the last part of the name that is called: "step" for `model.step()`, "" for `functions[0]()`."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))

"""Make a solved notebook, in which every stub is replaced by its solution, as if a learner had solved it all."""

import ast
import copy
from pathlib import Path

from nb.definitions import defined
from nb.files import PUBLISHED, find_notebooks, write_atomically
from nb.format import code_cells, read_notebook, to_bytes


def with_solutions(notebook) -> tuple:
    """Return (a copy of a NotebookNode in which solutions replace the stubs, a list of the names of these stubs).

    A stub is a definition in a code cell tagged exercise; its solution, in a cell tagged solution, has the name that
    `_solution_name` gives. A stub without a solution stays as it is.
    """
    notebook, filled, solutions = copy.deepcopy(notebook), [], {}
    for cell in code_cells(notebook, "solution"):
        solutions |= defined(cell.source)
    for cell in code_cells(notebook, "exercise"):
        for name, stub in defined(cell.source).items():
            solution = _solution_name(name)
            if solution in solutions:
                cell.source = cell.source.replace(stub, _renamed(solutions[solution], solution, name))
                filled.append(name)
    return notebook, filled


def _solution_name(stub: str) -> str:
    """Return "scores_solution" for a stub "my_scores", "SelfAttentionSolution" for "MySelfAttention"."""
    return f"{stub[2:]}Solution" if stub.startswith("My") else f"{stub.removeprefix('my_')}_solution"


def _renamed(source: str, old: str, new: str) -> str:
    """Return Python source in which variables, functions and classes named `old` are named `new`; texts stay."""
    lines = source.splitlines()
    named = [node for node in ast.walk(ast.parse(source)) if old in (getattr(node, "name", 0), getattr(node, "id", 0))]
    for line, column in sorted(((node.lineno, node.col_offset) for node in named), reverse=True):
        before, after = lines[line - 1][:column], lines[line - 1][column:]
        lines[line - 1] = before + after.replace(old, new, 1)
    return "\n".join(lines)


def write_solved(folder: str | Path) -> list[str]:
    """Write the published notebooks, solved, into a folder, over earlier ones; return lines, "05_x.ipynb: 3 solved"."""
    lines = []
    for path in find_notebooks([PUBLISHED]):
        notebook, filled = with_solutions(read_notebook(path))
        write_atomically(Path(folder) / path.name, to_bytes(notebook))
        lines.append(f"{path.name}: {len(filled)} solved")
    return lines

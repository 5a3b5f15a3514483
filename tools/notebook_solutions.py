"""Make a solved notebook, in which every stub is replaced by its solution, as if a learner had solved it all."""

import ast
import copy
from pathlib import Path

from notebook_files import PUBLISHED, find_notebooks, write_atomically
from notebook_format import read_notebook, to_bytes


def with_solutions(notebook):
    """Return a copy of a notebook in which solutions replace their stubs, and the names of these stubs.

    The solution of a stub `my_scores` is `scores_solution`, that of `MySelfAttention` is `SelfAttentionSolution`, in a
    cell tagged solution. A stub without a solution stays as it is.
    """
    notebook, filled = copy.deepcopy(notebook), []
    solutions = {}
    for cell in _code_cells(notebook, "solution"):
        solutions |= _definitions(cell.source)
    for cell in _code_cells(notebook, "exercise"):
        for name, stub in _definitions(cell.source).items():
            solution = _solution_name(name)
            if solution in solutions:
                cell.source = cell.source.replace(stub, _renamed(solutions[solution], solution, name))
                filled.append(name)
    return notebook, filled


def _code_cells(notebook, tag):
    return [cell for cell in notebook.cells if cell.cell_type == "code" and tag in cell.metadata.get("tags", [])]


def _definitions(source):
    """Return name -> source of the functions, classes and variables that a cell defines at its top level."""
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = ast.get_source_segment(source, node)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = ast.get_source_segment(source, node)
    return found


def _solution_name(stub):
    """Return the name of a stub's solution."""
    return f"{stub[2:]}Solution" if stub.startswith("My") else f"{stub.removeprefix('my_')}_solution"


def _renamed(source, old, new):
    """Replace an identifier in a source, but not inside strings, comments or longer names."""
    lines = source.splitlines()
    places = {(node.lineno, node.col_offset) for node in ast.walk(ast.parse(source)) if _named(node, old)}
    for line, column in sorted(places, reverse=True):
        before, after = lines[line - 1][:column], lines[line - 1][column:]
        lines[line - 1] = before + after.replace(old, new, 1)
    return "\n".join(lines)


def _named(node, name):
    """Check whether an AST node is a use or a definition of a name."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name == name
    return isinstance(node, ast.Name) and node.id == name


def write_solved(folder):
    """Write the published notebooks with their solutions into a folder; return a line for each."""
    lines = []
    for path in find_notebooks([PUBLISHED]):
        notebook, filled = with_solutions(read_notebook(path))
        write_atomically(Path(folder) / path.name, to_bytes(notebook))
        lines.append(f"{path.name}: {len(filled)} solved")
    return lines

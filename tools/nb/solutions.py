"""Make a solved notebook, in which every stub is replaced by its solution, as if a learner had solved it all."""

import ast
import copy
from pathlib import Path

from nb.files import PUBLISHED, find_notebooks, write_atomically
from nb.format import code_cells, read_notebook, to_bytes


def with_solutions(notebook):
    """Return (a copy of a notebook in which solutions replace their stubs, the list of these stubs' names).

    The solution of a stub `my_scores` is `scores_solution`, that of `MySelfAttention` is `SelfAttentionSolution`, in a
    cell tagged solution. A stub without a solution stays as it is.
    """
    notebook, filled = copy.deepcopy(notebook), []
    solutions = {}
    for cell in code_cells(notebook, "solution"):
        solutions |= _definitions(cell.source)
    for cell in code_cells(notebook, "exercise"):
        for name, stub in _definitions(cell.source).items():
            solution = _solution_name(name)
            if solution in solutions:
                cell.source = cell.source.replace(stub, _renamed(solutions[solution], solution, name))
                filled.append(name)
    return notebook, filled


def _definitions(source):
    """Return name -> source of the definition, for the functions, classes and variables at a source's top level."""
    definitions = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            definitions[node.name] = ast.get_source_segment(source, node)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            definitions[node.targets[0].id] = ast.get_source_segment(source, node)
    return definitions


def _solution_name(stub):
    """Return the name of a stub's solution: "scores_solution" for "my_scores"."""
    return f"{stub[2:]}Solution" if stub.startswith("My") else f"{stub.removeprefix('my_')}_solution"


def _renamed(source, old, new):
    """Return a source with the identifier `old` replaced by `new`, but not in strings, comments or longer names."""
    lines = source.splitlines()
    places = {(node.lineno, node.col_offset) for node in ast.walk(ast.parse(source)) if _named(node, old)}
    for line, column in sorted(places, reverse=True):
        before, after = lines[line - 1][:column], lines[line - 1][column:]
        lines[line - 1] = before + after.replace(old, new, 1)
    return "\n".join(lines)


def _named(node, name):
    """Return whether an AST node is a use or a definition of a name."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name == name
    return isinstance(node, ast.Name) and node.id == name


def write_solved(folder):
    """Write the published notebooks with their stubs solved into a folder; return a list of lines, one for each.

    A line says how many stubs of a notebook were solved.
    """
    lines = []
    for path in find_notebooks([PUBLISHED]):
        notebook, filled = with_solutions(read_notebook(path))
        write_atomically(Path(folder) / path.name, to_bytes(notebook))
        lines.append(f"{path.name}: {len(filled)} solved")
    return lines

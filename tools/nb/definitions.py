"""Keep the definitions in solution cells equal to those in the exercises' files, which are their only source."""

import ast
from functools import cache

from course_utils import course, lessons
from nb.format import tags


def defined(source: str) -> dict[str, str]:
    """Return name -> code of the functions, classes and variables that Python source defines at its top level.

    The code is whole lines, without decorators. {} if it is not Python.
    """
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return {}
    lines, definitions = source.splitlines(), {}
    for node in body:
        named = [node] if isinstance(node, ast.FunctionDef | ast.ClassDef) else getattr(node, "targets", [])
        for target in named:
            name = getattr(target, "name", getattr(target, "id", ""))
            definitions[name] = "\n".join(lines[node.lineno - 1 : node.end_lineno])
    return definitions


def renew(notebook, stem: str):
    """Replace, in a NotebookNode, the solutions that differ from those in the exercises' files. stem: "05_dropout"."""
    for cell, _, stored, current in differing(notebook.cells, stem):
        cell.source = cell.source.replace(stored, current)


def differing(cells: list, stem: str):
    """Yield (cell, name, its code there, its code in the exercise's file) for each solution that differs."""
    for cell in cells:
        stored = defined(cell.source) if cell.cell_type == "code" and "solution" in tags(cell) else {}
        for name, current in _solutions(stem).items():
            if stored.get(name, current) != current:
                yield cell, name, stored[name], current


def missing(cells: list, stem: str) -> list[str]:
    """Return the names of the solutions in the exercises' files that no solution cell of a notebook defines."""
    stored = set().union(*(defined(cell.source) for cell in cells if "solution" in tags(cell)))
    return [name for name in _solutions(stem) if name not in stored]


@cache
def _solutions(stem: str) -> dict[str, str]:
    """Return name -> code of each solution in the files of a notebook's exercises; {} for one outside the course."""
    topics = {name: page.topic for page in course.notebooks() if page.file == stem for name in page.exercises}
    paths = [lessons.FOLDER / topic / "exercises" / f"{name}.py" for name, topic in topics.items()]
    found = [pair for path in paths for pair in defined(path.read_text("utf-8")).items()]
    return {name: code for name, code in found if name.lower().endswith("solution")}

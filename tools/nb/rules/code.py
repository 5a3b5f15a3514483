"""Rules about the code in a notebook."""

import ast
import re

from nb import definitions
from nb.rules.model import Cell, Notebook, called_name

MOST_LINES, MOST_CHARACTERS = 25, 95
PRACTICE = {"exercise", "check", "solution"}  # cells with these tags may show a mistake on purpose
MAGIC = re.compile(r"^\s*(?:[%!]|\w+\s*=\s*[%!])", re.MULTILINE)
NBVAL_COMMENT = re.compile(r"^\s*#+\s*(?:NBVAL_|PYTEST_VALIDATE_)\w+", re.MULTILINE)


def is_plain_python(cell: Cell):
    """Yield a message if a code cell is not plain Python, for example because it has a magic line (% or !)."""
    try:
        ast.parse(cell.source)
    except SyntaxError as error:
        if MAGIC.search(cell.source):
            yield "a magic line (% or !): write plain Python; installs belong in pyproject.toml"
        else:
            yield f"not Python: {error.msg} in line {error.lineno}: mend it, or write it as text in a Markdown cell"


def nothing_hidden_from_tests(cell: Cell):
    """Yield a message if a code cell has a comment that steers nbval, and one if it ends in `;`, where nbval fails."""
    if NBVAL_COMMENT.search(cell.source):
        yield "a comment that steers nbval: use the tag nbval-ignore-output, with a reason"
    if _ends_in_semicolon(cell):
        yield "ends in `;`, on which nbval fails: give the value a name, or show it"


def length(cell: Cell):
    """Yield a message if a code cell has more than MOST_LINES non-blank lines, since it then holds two ideas."""
    lines = sum(bool(line.strip()) for line in cell.source.splitlines())
    if lines > MOST_LINES:
        yield f"{lines} lines of code, {MOST_LINES} are the most: give the second idea in it another cell"


def width(cell: Cell):
    """Yield a message if a code cell, but a solution, has a line over MOST_CHARACTERS, which the page would wrap."""
    longest = max(map(len, cell.source.splitlines()), default=0)
    if longest > MOST_CHARACTERS and "solution" not in cell.tags:
        yield f"a line of {longest} characters: {MOST_CHARACTERS} are the most before the page wraps: break it"


def batch_safe(cell: Cell):
    """Yield a message if a code cell uses `.T`, and one if it uses `masked_fill_`, unless it has a tag in PRACTICE."""
    nodes = () if PRACTICE.intersection(cell.tags) else ast.walk(cell.tree)
    used = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    if "T" in used:
        yield "`.T` turns every axis of a batch: write `.transpose(-2, -1)`"
    if "masked_fill_" in used:
        yield "`masked_fill_` changes the scores in place: write `masked_fill`, under a new name"


def comparisons_allow_for_rounding(cell: Cell):
    """Yield a message for each `allclose` or `isclose` without `atol`: near 0, sums round by more than its 1e-8."""
    for call in ast.walk(cell.tree):
        if isinstance(call, ast.Call) and called_name(call) in ("allclose", "isclose"):
            if "atol" not in {keyword.arg for keyword in call.keywords}:
                yield f"`{called_name(call)}` takes rounding near 0 for a difference: write `atol=1e-5`"


def not_defined_before(notebook: Notebook):
    """Yield (Cell, message) for each definition of a name that was defined before, such as a learner's function."""
    seen = {}
    for cell in notebook.code_cells:
        for name in cell.definitions():
            if name in seen:
                yield cell, f"{name} is defined already in {seen[name].label}: give this one a name of its own"
            seen.setdefault(name, cell)


def nothing_rests_on_a_solution(cell: Cell):
    """Yield a message for each solution that a code cell reads: it may not have run, and an assignment lacks it."""
    names = {node.id for node in ast.walk(cell.tree) if isinstance(node, ast.Name)}
    for name in sorted(names if "solution" not in cell.tags else ()):
        if name.lower().endswith("solution"):
            yield f"reads {name}, which an assignment lacks: use the one of course_utils, or checks.<name>.solution"


def solutions_are_those_of_the_exercises(notebook: Notebook):
    """Yield (Cell or None, message) for each solution that differs from its exercise's file, or is missing."""
    stem = notebook.path.stem
    for cell, name, _, _ in definitions.differing(notebook.cells, stem):
        yield cell, f"{name} is not as in its exercise's file: edit it there, and `run`, which writes it here"
    for name in definitions.missing(notebook.cells, stem):
        yield None, f"no solution cell defines {name}, which the exercise's file has: add one, with any body, and `run`"


def not_defined_elsewhere(notebooks: list[Notebook]):
    """Yield (Notebook, Cell, message) for each function or class that an earlier one of the notebooks defines too."""
    seen = {}
    for notebook in notebooks:
        here = {name: cell for cell in reversed(notebook.code_cells) for name in cell.definitions()}
        for name, cell in here.items():
            if name in seen:
                yield notebook, cell, f"{name} is defined in {seen[name]} too: import it from course_utils"
            seen.setdefault(name, notebook.path.name)


def _ends_in_semicolon(cell: Cell) -> bool:
    if not cell.tree.body:
        return False
    last = cell.tree.body[-1]
    rest = cell.source.splitlines()[last.end_lineno - 1].encode()[last.end_col_offset :].decode()
    return rest.strip().startswith(";")

"""Rules about the code in a notebook."""

import ast
import re

import notebook_definitions

MOST_LINES, MOST_CHARACTERS = 25, 95
PRACTICE = {"exercise", "check", "solution"}  # these may show a mistake on purpose
MAGIC = re.compile(r"^\s*(?:[%!]|\w+\s*=\s*[%!])", re.MULTILINE)
NBVAL_COMMENT = re.compile(r"^\s*#+\s*(?:NBVAL_|PYTEST_VALIDATE_)\w+", re.MULTILINE)


def is_plain_python(notebook):
    """Check that every code cell is Python, without magics (so without installs and downloads)."""
    for cell in notebook.code_cells:
        try:
            ast.parse(cell.source)
        except SyntaxError as error:
            if MAGIC.search(cell.source):
                yield cell, "a magic line (% or !): write plain Python; installs belong in pyproject.toml"
            else:
                yield cell, f"not Python: {error.msg} in line {error.lineno}"


def nothing_hidden_from_tests(notebook):
    """Check that no cell switches the comparison of its outputs off, or makes it fail, without a tag that says so."""
    for cell in notebook.code_cells:
        if NBVAL_COMMENT.search(cell.source):
            yield cell, "a comment that steers nbval: use the tag nbval-ignore-output, with a reason"
        if _ends_in_semicolon(cell):
            yield cell, "ends in `;`, on which nbval fails: give the value a name, or show it"


def length(notebook):
    """Check that no cell has more than MOST_LINES lines of code: a longer one holds two ideas."""
    for cell in notebook.code_cells:
        lines = sum(bool(line.strip()) for line in cell.source.splitlines())
        if lines > MOST_LINES:
            yield cell, f"{lines} lines of code, {MOST_LINES} are the most: look for the second idea in it"


def width(notebook):
    """Check that no line is so long that the page wraps it; solutions are exempt, as they stand in a file too."""
    for cell in notebook.code_cells:
        longest = max(map(len, cell.source.splitlines()), default=0)
        if longest > MOST_CHARACTERS and "solution" not in cell.tags:
            yield (
                cell,
                f"a line of {longest} characters: {MOST_CHARACTERS} are the most that the page shows without wrapping",
            )


def batch_safe(notebook):
    """Check that no cell uses `.T`, which reverses the batch axis too, or masks in place; exercises are exempt."""
    for cell in notebook.code_cells:
        if PRACTICE.intersection(cell.tags):
            continue
        used = {node.attr for node in ast.walk(cell.tree) if isinstance(node, ast.Attribute)}
        if "T" in used:
            yield cell, "`.T` turns every axis of a batch: write `.transpose(-2, -1)`"
        if "masked_fill_" in used:
            yield cell, "`masked_fill_` changes the scores in place: write `masked_fill`, under a new name"


def not_defined_before(notebook):
    """Check that no function or class is defined twice, so that a solution does not overwrite the learner's."""
    seen = {}
    for cell in notebook.code_cells:
        for name in cell.definitions():
            if name in seen:
                yield cell, f"{name} is defined already in {seen[name].label}: give this one a name of its own"
            seen.setdefault(name, cell)


def nothing_rests_on_a_solution(notebook):
    """Check that only solution cells read a solution: learners may not have run them, and an assignment lacks them."""
    for cell in notebook.code_cells:
        if "solution" in cell.tags:
            continue
        read = {node.id for node in ast.walk(cell.tree) if isinstance(node, ast.Name)}
        for name in sorted(name for name in read if name.lower().endswith("solution")):
            yield (
                cell,
                f"reads {name}, which an assignment lacks: use the one of course_utils, or checks.<name>.solution",
            )


def solutions_are_those_of_the_exercises(notebook):
    """Check that each solution on the page equals the one in its exercise's file, letter for letter."""
    stem = notebook.path.stem
    for cell, stands, _ in notebook_definitions.differing(notebook.cells, stem):
        name = stands.split("(")[0].split("=")[0].split()[-1]
        yield cell, f"{name} is not as in its exercise's file: edit it there, `run` writes it here"
    for name in notebook_definitions.missing(notebook.cells, stem):
        yield None, f"no solution cell defines {name}, which the exercise's file has"


def not_defined_elsewhere(notebooks):
    """Check that no function or class is defined in two notebooks: the later one should import it."""
    seen = {}
    for notebook in notebooks:
        here = {name: cell for cell in reversed(notebook.code_cells) for name in cell.definitions()}
        for name, cell in here.items():
            if name in seen:
                yield notebook, cell, f"{name} is defined in {seen[name]} too: import it from course_utils"
            seen.setdefault(name, notebook.path.name)


def _ends_in_semicolon(cell):
    """Check whether a `;` follows the last statement of a cell, whatever comment comes after it."""
    if not cell.tree.body:
        return False
    last = cell.tree.body[-1]
    rest = cell.source.splitlines()[last.end_lineno - 1].encode()[last.end_col_offset :].decode()
    return rest.strip().startswith(";")

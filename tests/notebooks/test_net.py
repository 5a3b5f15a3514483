"""Test that `check` or nbval finds each fault in a stored notebook, and that neither objects to rounding."""

import ast
import os
import re
import subprocess
import sys
from typing import NamedTuple

import nbformat
import pytest
from nb.files import COURSE
from nb.rules import findings

REAL = COURSE / "notebooks" / "01_dot_product_attention.ipynb"
LAST_DIGIT = re.compile(r"\d(?=\D*$)")
NUMBER = re.compile(r"-?\d+\.\d{4}")


def shows_numbers(cell) -> bool:
    """Return whether an nbformat cell is code that ends in an expression whose stored value is a tensor."""
    is_value = cell.cell_type == "code" and isinstance(ast.parse(cell.source).body[-1], ast.Expr)
    texts = [output.get("data", {}).get("text/plain", "") for output in cell.outputs] if is_value else []
    return any(text.startswith("tensor") for text in texts)


def numbers_changed(pattern: re.Pattern, change):
    """Return a function that changes the text of a notebook's first stored tensor by pattern.sub(change, …)."""

    def mutate(notebook):
        data = next(filter(shows_numbers, notebook.cells)).outputs[-1].data
        changed = pattern.sub(change, data["text/plain"])
        assert changed != data["text/plain"]
        data["text/plain"] = changed

    return mutate


def cells_changed(**changes):
    """Return a function that sets these attributes of all code cells of a notebook, in place."""
    return lambda notebook: [cell.update(changes) for cell in notebook.cells if cell.cell_type == "code"]


def first_changed(change):
    """Return a function that updates, by the dict change(cell), a notebook's first cell that shows numbers."""
    return lambda notebook: (cell := next(filter(shows_numbers, notebook.cells))).update(change(cell))


def edited(cell):
    *before, last = ast.parse(cell.source).body
    return {"source": "\n".join([*map(ast.unparse, before), f"{ast.unparse(last)} + 1"])}


HARMLESS = {
    "as stored": lambda notebook: None,
    "one unit": numbers_changed(LAST_DIGIT, lambda digit: str(int(digit[0]) - 1)),
}
MUTATIONS = {
    "two units": numbers_changed(LAST_DIGIT, lambda digit: str(int(digit[0]) - 2)),
    "every number by one unit": numbers_changed(NUMBER, lambda number: f"{float(number[0]) + 1e-4:.4f}"),
    "output removed": first_changed(lambda cell: {"outputs": []}),
    "source edited": first_changed(edited),
    "outputs stripped": cells_changed(outputs=[]),
    "outputs and counts stripped": cells_changed(outputs=[], execution_count=None),
    "error introduced": first_changed(lambda cell: {"source": "1 / 0\n" + cell.source}),
}


class Verdict(NamedTuple):
    """The verdict on a mutated notebook.

    found: the findings of `check`. cell: what nbval says of the mutated cell, "PASSED" or "FAILED"; None if `check`
    found something. report: nbval's report on all mutated cells together.
    """

    found: list[str]
    cell: str | None
    report: str


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    """Return a dict from the name of each mutation to its Verdict."""
    folder = tmp_path_factory.mktemp("net")
    all_of_them = (HARMLESS | MUTATIONS).items()
    copies = {name: mutated_copy(folder / name.replace(" ", "_"), mutate) for name, mutate in all_of_them}
    found = {name: findings([path]) for name, path in copies.items()}
    passed = [name for name in copies if not found[name]]
    path, first = beside_each_other(copies["as stored"].with_name("together.ipynb"), map(copies.get, passed))
    report = nbval(folder, path)
    cells = {name: outcome(report, first + number) for number, name in enumerate(passed)}
    return {name: Verdict(found[name], cells.get(name), report) for name in copies}


def mutated_copy(folder, mutate):
    """Write the mutated notebook into a folder with links to the course's other files, and return its path.

    The links keep the notebook's own links valid.
    """
    (folder / "notebooks").mkdir(parents=True)
    for path in [*COURSE.iterdir(), *(COURSE / "notebooks").iterdir()]:
        if path.name not in ("notebooks", REAL.name):
            (folder / path.relative_to(COURSE)).symlink_to(path)
    copy = folder / "notebooks" / REAL.name
    notebook = nbformat.read(REAL, as_version=4)
    mutate(notebook)
    nbformat.write(notebook, copy)
    return copy


def beside_each_other(path, copies):
    """Write a notebook with the mutated cells of all copies, which one kernel runs; return (its path, a number).

    Each copy has its mutation in the first cell of REAL that shows a tensor. The notebook has what stands above that
    cell, then the cell of each copy. The number is that of the first of these, as nbval counts code cells.
    """
    notebook = nbformat.read(REAL, as_version=4)
    place = next(number for number, cell in enumerate(notebook.cells) if shows_numbers(cell))
    above = notebook.cells[:place]
    mutated = [nbformat.read(copy, as_version=4).cells[place] for copy in copies]
    for number, cell in enumerate(mutated):
        cell.id = f"mutated-{number}"
    notebook.cells = above + mutated
    nbformat.write(notebook, path)
    return path, sum(cell.cell_type == "code" for cell in above)


def nbval(folder, path) -> str:
    """Run nbval over the notebook at a path below `folder`, configured as in this repository; return its report."""
    options = ["--nbval", "-q", "-rA", "-p", "no:cacheprovider", "-c", COURSE / "pyproject.toml"]
    options += ["--rootdir", folder]  # the report names only notebooks inside rootdir
    command = [sys.executable, "-m", "pytest", *options, path]
    settings = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=settings).stdout


def outcome(report: str, number: int) -> str | None:
    """Return what nbval's report says of the code cell with this number, such as "PASSED"; None if it was not run."""
    found = re.search(rf"^([A-Z]+) \S*::Cell {number}\b", report, re.MULTILINE)
    return found and found[1]


@pytest.mark.parametrize("name", HARMLESS)
def test_what_any_processor_may_print_passes_both(verdicts, name):
    assert verdicts[name].found == [] and verdicts[name].cell == "PASSED"


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_is_caught(verdicts, name):
    assert verdicts[name].found or verdicts[name].cell == "FAILED"


def test_a_failure_says_which_numbers_differ_and_why_that_is_too_much(verdicts):
    assert "text/plain: 1.0863 is now 1.0865, 2 units of its last digit away" in verdicts["two units"].report
    words = "text/plain: 6 of 6 numbers differ in the last digit, 1 may: 0.9545 is now 0.9544; "
    assert words in verdicts["every number by one unit"].report

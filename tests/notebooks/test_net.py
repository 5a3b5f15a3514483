"""Test that nbval finds a fault in a cell's stored output or source, and says what nb.outputs says of it."""

import ast
import os
import re
import subprocess
import sys

import nbformat
import pytest
from nb.files import COURSE

REAL = COURSE / "notebooks" / "01_dot_product_attention.ipynb"
NUMBER = re.compile(r"-?\d+\.\d{4}")


def shows_numbers(cell) -> bool:
    """Return whether an nbformat cell is code that ends in an expression whose stored value is a tensor."""
    is_value = cell.cell_type == "code" and isinstance(ast.parse(cell.source).body[-1], ast.Expr)
    texts = [output.get("data", {}).get("text/plain", "") for output in cell.outputs] if is_value else []
    return any(text.startswith("tensor") for text in texts)


def numbers_changed(cell):
    data = cell.outputs[-1].data
    data["text/plain"], count = NUMBER.subn(lambda one: f"{float(one[0]) + 1e-4:.4f}", data["text/plain"])
    assert count


def edited(cell):
    *before, last = ast.parse(cell.source).body
    cell.source = "\n".join([*map(ast.unparse, before), f"{ast.unparse(last)} + 1"])


MUTATIONS = {  # name -> (what is changed in a cell that shows numbers, what nbval says of it)
    "as stored": (lambda cell: None, "PASSED"),
    "every number by one unit": (numbers_changed, "FAILED"),
    "source edited": (edited, "FAILED"),
    "error introduced": (lambda cell: cell.update(source="1 / 0\n" + cell.source), "FAILED"),
}


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Return nbval's report on REAL up to its first cell that shows a tensor, which stands there once a mutation."""
    folder = tmp_path_factory.mktemp("net")
    (folder / "conftest.py").symlink_to(COURSE / "conftest.py")
    notebook = nbformat.read(REAL, as_version=4)
    place = next(number for number, cell in enumerate(notebook.cells) if shows_numbers(cell))
    mutated = [nbformat.from_dict(notebook.cells[place] | {"id": f"mutated-{n}"}) for n in range(len(MUTATIONS))]
    for cell, (mutate, _) in zip(mutated, MUTATIONS.values(), strict=True):
        mutate(cell)
    notebook.cells[place:] = mutated
    nbformat.write(notebook, folder / "together.ipynb")
    options = ["--nbval", "-q", "-rA", "-p", "no:cacheprovider", "-c", COURSE / "pyproject.toml"]
    options += ["--rootdir", folder]  # the report names only notebooks inside rootdir
    command = [sys.executable, "-m", "pytest", *options, folder / "together.ipynb"]
    settings = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=settings).stdout


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_is_caught(report, name):
    verdicts = re.findall(r"^([A-Z]+) \S*::Cell (\d+)\b", report, re.MULTILINE)
    said = [verdict for verdict, number in sorted(verdicts, key=lambda pair: int(pair[1]))][-len(MUTATIONS) :]
    assert said[list(MUTATIONS).index(name)] == MUTATIONS[name][1]


def test_a_failure_says_which_numbers_differ_and_why_that_is_too_much(report):
    assert "text/plain: 6 of 6 numbers differ in the last digit, 1 may: 0.9545 is now 0.9544; " in report

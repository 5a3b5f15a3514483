"""The net holds: whatever goes wrong in a stored notebook, `check` or nbval finds it, and neither cries wolf."""

import ast
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest
from notebook_files import COURSE
from notebook_rules import findings

REAL = COURSE / "notebooks" / "01_dot_product_attention.ipynb"
LAST_DIGIT = re.compile(r"\d(?=\D*$)")


def shows_numbers(cell):
    """Whether the cell ends in an expression whose stored value is a tensor."""
    is_value = cell.cell_type == "code" and isinstance(ast.parse(cell.source).body[-1], ast.Expr)
    return is_value and any(
        output.get("data", {}).get("text/plain", "").startswith("tensor") for output in cell.outputs
    )


def nothing(notebook):
    pass


def last_digit(notebook):
    data = next(filter(shows_numbers, notebook.cells)).outputs[-1].data
    data["text/plain"] = LAST_DIGIT.sub(lambda digit: str((int(digit[0]) + 1) % 10), data["text/plain"])


def output_removed(notebook):
    next(filter(shows_numbers, notebook.cells)).outputs = []


def source_edited(notebook):
    cell = next(filter(shows_numbers, notebook.cells))
    *before, last = ast.parse(cell.source).body
    cell.source = "\n".join([*map(ast.unparse, before), f"{ast.unparse(last)} + 1"])


def outputs_stripped(notebook):
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []


def outputs_and_counts_stripped(notebook):
    outputs_stripped(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count = None


def error_introduced(notebook):
    cell = [cell for cell in notebook.cells if cell.cell_type == "code"][-1]
    cell.source = "1 / 0\n" + cell.source


MUTATIONS = [
    last_digit, output_removed, source_edited, outputs_stripped, outputs_and_counts_stripped, error_introduced
]  # fmt: skip


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    """Return for each mutation what `check` finds and, where that is nothing, how the cells fare with nbval."""
    folder = tmp_path_factory.mktemp("net")
    copies = {mutate: mutated_copy(folder / mutate.__name__, mutate) for mutate in [nothing, *MUTATIONS]}
    found = {mutate: findings([path]) for mutate, path in copies.items()}
    passed = [copies[mutate] for mutate in copies if not found[mutate]]
    with ThreadPoolExecutor(2) as two_at_once:
        report = "\n".join(two_at_once.map(nbval, [folder] * 2, [passed[::2], passed[1::2]]))
    return {mutate: (found[mutate], outcomes(report, copies[mutate])) for mutate in copies}


def mutated_copy(folder, mutate):
    """Put the changed notebook among the other files of the course, so that its links still lead somewhere."""
    (folder / "notebooks").mkdir(parents=True)
    for path in [*COURSE.iterdir(), *(COURSE / "notebooks").iterdir()]:
        if path.name not in ("notebooks", REAL.name):
            (folder / path.relative_to(COURSE)).symlink_to(path)
    copy = folder / "notebooks" / REAL.name
    notebook = nbformat.read(REAL, as_version=4)
    mutate(notebook)
    nbformat.write(notebook, copy)
    return copy


def nbval(folder, paths):
    """Run the tests' own nbval over the notebooks; return its report."""
    options = ["--nbval", "-q", "-rA", "-p", "no:cacheprovider", "-c", COURSE / "pyproject.toml"]
    options += ["--rootdir", folder]  # a notebook outside of it has no name in the report
    command = [sys.executable, "-m", "pytest", *options, *paths]
    settings = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=settings).stdout


def outcomes(report, path):
    """Return how the cells of one notebook fared: {"PASSED"} or {"PASSED", "FAILED"}; empty if none was run."""
    return set(re.findall(rf"^([A-Z]+) {path.parent.parent.name}/notebooks/", report, re.MULTILINE))


def test_the_stored_notebook_passes_both(verdicts):
    assert verdicts[nothing] == ([], {"PASSED"})


@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
def test_a_mutation_is_caught(verdicts, mutate):
    found, cells = verdicts[mutate]
    assert found or "FAILED" in cells

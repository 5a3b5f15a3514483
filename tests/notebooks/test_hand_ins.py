"""Test that right sheets from any editor, with any habit, get the points that a kernel says they earn."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest
from grading import runner
from grading.findings import parse_findings
from grading.submissions import read_submissions
from hand_ins import FORMS, HABITS, ON_SHEET, SHEET, cells, check
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager
from nb.format import code_cells, parse_sources
from nb.run import SETTINGS, Client

CODE = ["".join(cell["source"]) for cell in cells() if cell["cell_type"] == "code"]
EXERCISES = [*ON_SHEET, *(name for name, _ in HABITS.values())]


def in_a_kernel(notebook, folder) -> dict[str, str]:
    """Run a notebook in a kernel, on after errors, as a person would; return exercise -> what its check said."""
    manager = AsyncKernelManager(kernel_name="python3", kernel_spec_manager=KernelSpecManager(kernel_dirs=[]))
    client = Client(notebook, km=manager, timeout=600, allow_errors=True, extra_arguments=["--log-level=ERROR"])
    asyncio.run(client.async_execute(cwd=str(folder), env=runner._environment(folder) | SETTINGS))
    said = {}
    for cell in notebook.cells:
        for name in (name for name in EXERCISES if check(name) in cell.source):
            said[name] = "".join(output.get("data", {}).get("text/plain", "") for output in cell.outputs)
    return said


def graded(notebook) -> dict[str, str]:
    """Grade a notebook; return exercise -> "✓" and the check's message, or the status and that."""
    way = runner.find_way(unconfined=True)
    assert "with your rights" in way.protection and way.sandbox is None
    ended = runner.run(way, nbformat.writes(notebook).encode(), "unused")
    assert ended.failure is None
    findings = parse_findings(ended.output)[1:]
    sign = {"passed": "✓"}
    return {one["exercise"]: f"{sign.get(one['status'], one['status'])} {one['message']}" for one in findings}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    """Return (what a kernel says, what grading says) of all answers of the sheet and of HABITS, in one notebook."""
    sources = CODE + [source for _, habit in HABITS.values() for source in habit]
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, sources)))
    with ThreadPoolExecutor() as pool:
        grading = pool.submit(graded, nbformat.from_dict(notebook))
        return in_a_kernel(notebook, tmp_path_factory.mktemp("home")), grading.result()


def test_each_habit_has_an_exercise_of_its_own():
    assert len(set(EXERCISES)) == len(EXERCISES) and len(FORMS) + len(HABITS) >= 40


@pytest.mark.parametrize("name", EXERCISES, ids=[*ON_SHEET, *HABITS])
def test_grading_says_what_a_kernel_says(verdicts, name):
    kernel, grading = verdicts
    assert kernel[name].startswith("✓ passed: ")
    assert grading[name].splitlines()[0] == kernel[name].splitlines()[0]


@pytest.mark.parametrize("form", FORMS)
def test_a_form_of_an_editor_is_read_as_the_sheet(tmp_path, form):
    """Its code cells are those of the sheet, which `verdicts` grades, so it gets the same points."""
    ending, data = FORMS[form]
    (tmp_path / f"anna.{ending}").write_bytes(data)
    [submission] = read_submissions(tmp_path)
    assert (submission.student, submission.why) == ("anna", None)
    notebook = parse_sources(submission.data)
    assert [cell.source for cell in code_cells(notebook)] == CODE
    assert len(notebook.cells) == len(SHEET)

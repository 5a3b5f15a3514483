"""Test the notebooks' checks: untouched stubs are not attempted; with the solutions, all pass and later cells run."""

import copy
import json
import re

import pytest
import torch
from nb.definitions import defined
from nb.files import PUBLISHED
from nb.format import code_cells as of_tag
from nb.format import read_notebook
from nb.slices import Code
from notebook_cells import code_cells, path_of, run_cells

from course_utils import checks, session

PAGES = sorted(PUBLISHED.glob("*.ipynb"))


@pytest.fixture
def page(tmp_path, monkeypatch):
    """Return run(notebook, names), which runs a notebook in a learner's folder, in this process.

    It runs the statements that depend on `names`, and returns the reports of the checks, a dict by exercise.
    """
    (tmp_path / "mine.ipynb").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COURSE_PROGRESS")  # keep progress, in this folder
    monkeypatch.setattr(session, "progress", lambda steps, label, news=None: range(steps))
    monkeypatch.setattr(session, "start", lambda seed=123: torch.manual_seed(seed))
    reports = {}
    for name, exercise in checks.all().items():
        monkeypatch.setattr(
            exercise, "check", lambda answer, name=name, check=exercise.check: keep(name, check(answer))
        )

    def keep(name, report):
        reports[name] = report
        return report

    def run(notebook, names):
        code = Code(notebook)
        code.run(_touched(code.statements, set(names)), {"__name__": "__main__"})
        return reports

    return run


def _touched(statements, names):
    """Return the statements that depend on these names, directly or through others, and all that these need.

    The other statements do the same whatever the names stand for, and nbval tests them. names: a set, which is changed.
    """
    touched, needed, kept = set(), set(), []
    for place, statement in enumerate(statements):
        if names & (statement.binds | statement.reads):
            names |= statement.binds
            touched.add(place)
    for place, statement in reversed(list(enumerate(statements))):
        if place in touched or statement.binds & needed:
            needed |= statement.reads
            kept.append(statement)
    return kept[::-1]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_in_the_published_notebook_nothing_has_been_attempted(path):
    """Each stored output of a check must be "not attempted"; nbval tests that the notebook still prints it."""
    cells = [cell for cell in read_notebook(path).cells if "check" in cell.metadata.get("tags", [])]
    assert len(cells) == len(checks.by_notebook()[path.name[:2]])
    for cell in cells:
        [output] = cell.outputs
        assert output.data["text/plain"].startswith("not attempted")


def with_solutions(notebook):
    """Return (a copy of a notebook in which the solutions have the names and places of the stubs, these names)."""
    notebook, filled = copy.deepcopy(notebook), []
    solutions = {name: code for cell in of_tag(notebook, "solution") for name, code in defined(cell.source).items()}
    for cell in of_tag(notebook, "exercise"):
        for name, stub in defined(cell.source).items():
            solution = f"{name[2:]}Solution" if name.startswith("My") else f"{name.removeprefix('my_')}_solution"
            if solution in solutions:  # another stub is no exercise
                cell.source = cell.source.replace(stub, re.sub(rf"\b{solution}\b", name, solutions[solution]))
                filled.append(name)
    return notebook, filled


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_with_all_solutions_every_exercise_of_the_notebook_passes(path, page, tmp_path):
    notebook, filled = with_solutions(read_notebook(path))
    exercises = checks.by_notebook()[path.name[:2]]
    assert {exercise.stub for exercise in exercises} == set(filled)
    reports = page(notebook, filled)
    assert set(reports) == {exercise.name for exercise in exercises}
    assert all(report.status == "passed" for report in reports.values()), reports
    if reports:  # the notebook has check cells
        assert set(json.loads((tmp_path / "progress.json").read_text("utf-8"))["passed"]) == set(reports)


# ---- the notebook debug_clinic, which has a broken function or class for each exercise

BUGS = {
    "row_weights": "softmax-fixed-axis",
    "one_row": "pairs-diagonal",
    "causal_weights": "mask-normalised",
    "projected_attention": "global-leak",
    "many_heads": "split-discarded",
    "masked_attention": "all-masked-nan",
    "attend_to": "values-from-queries",
    "any_width": "global-leak",
    "adopt": "qk-swapped",
    "same_outputs": "dropout-left-on",
}


@pytest.fixture(scope="module")
def clinic():
    """Return the namespace of the notebook debug_clinic after a run."""
    skipped = {"check", "figure", "widget", "solution"}
    cells = code_cells(path_of("debug_clinic"))
    return run_cells([cell for cell in cells if not skipped.intersection(cell.metadata.get("tags", []))])


def test_the_bug_of_each_exercise_is_known():
    assert BUGS.keys() == {exercise.name for exercise in checks.by_notebook()[path_of("debug_clinic").name[:2]]}


@pytest.mark.parametrize("name", BUGS)
def test_the_broken_code_of_the_page_is_known_as_what_it_is(name, clinic):
    exercise = getattr(checks, name)
    broken = exercise.stub.replace("my_", "broken_").replace("My", "Broken")
    report = exercise.check(clinic[broken])
    assert (report.status, report.mistake) == ("failed", BUGS[name]), report

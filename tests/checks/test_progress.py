"""Test that progress is kept beside the learner's notebooks, survives damage to its file, and never stops a check."""

import json
import subprocess
import sys
import types
from pathlib import Path

import nbformat
import pytest
from nb.run import run_notebooks
from nbformat.v4 import new_code_cell, new_notebook
from typed_answers import my_scores, wrong_scores

from course_utils import checks, course, progress
from course_utils.checks.overview import Overview


@pytest.fixture(autouse=True)
def as_for_a_learner(monkeypatch):
    monkeypatch.delenv("COURSE_PROGRESS")  # set to off for all tests


def kept(folder, key="passed"):
    return json.loads((folder / "progress.json").read_text("utf-8"))[key]


def test_a_pass_is_kept_once_and_stays(work):
    for answer in (wrong_scores, my_scores, my_scores, wrong_scores):
        checks.scores(answer)
    assert kept(work) == ["scores"]
    assert [file.name for file in work.iterdir() if "part" in file.name] == []


def test_what_is_no_try_is_not_kept(work):
    checks.scores(...)
    checks.all()["scores"].check(my_scores)
    assert not (work / "progress.json").exists()


def test_tries_are_counted_until_the_pass(work):
    for answer in (wrong_scores, ..., wrong_scores, my_scores, wrong_scores, my_scores):
        checks.scores(answer)
    checks.weights(wrong_scores)
    assert kept(work, "tries") == {"scores": 3, "weights": 1} and kept(work) == ["scores"]
    assert "01  ✓ my_scores (3 tries)  ○ my_weights (1 try)  ○ my_context_vector  ○" in str(checks.progress())
    html = checks.progress()._html()
    assert "<li>✓ passed <code>my_scores</code> (3 tries)</li><li>○ open <code>my_weights</code> (1 try)<p" in html


def test_a_file_of_before_is_read_and_one_of_now_holds_what_it_held(work):
    """A file of an older version, without `tries` and `reports`, is read, and rewriting it keeps all its entries."""
    before = {"passed": ["means"], "predictions": {"a": [1, 2, 3]}, "of another version": 5}
    (work / "progress.json").write_text(json.dumps(before), "utf-8")
    assert str(checks.progress()).startswith("1 of")
    checks.scores(wrong_scores)
    now = json.loads((work / "progress.json").read_text("utf-8"))
    assert now.pop("reports").keys() == {"scores"} and now == before | {"tries": {"scores": 1}}


@pytest.fixture
def notebook(monkeypatch):
    notebook = types.ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", notebook)
    return notebook


NOT_RECORDED = "This is not recorded: it has the name of the notebook's own solution, `{name}`."


@pytest.mark.parametrize("name", ["scores", "self_attention"])  # a function, a class
def test_the_solution_given_in_the_notebook_does_not_count(work, notebook, name):
    """The solution cell's own object is not the learner's, whatever the learner calls it, and a note says so."""
    exercise = checks.all()[name]
    form = exercise.forms[0]
    exec(f"import torch\nfrom torch import nn\nfrom course_utils import attention\n{form.source}", vars(notebook))
    report = exercise(getattr(notebook, form.name))
    assert report.status == "passed" and not (work / "progress.json").exists()
    assert NOT_RECORDED.format(name=form.name) in str(report)


def test_a_function_of_ones_own_with_a_second_name_counts(work, notebook):
    for name in ("solution_try", "my_solution", "scores_solution"):
        setattr(notebook, name, my_scores)
    report = checks.scores(my_scores)
    assert report.status == "passed" and not report.notes and kept(work) == ["scores"]


def test_a_tensor_with_the_solutions_name_cannot_be_told_apart(work, notebook):
    notebook.batch_solution = mine = checks.batch.solution.clone()
    assert checks.batch(mine).status == "passed" and not (work / "progress.json").exists()
    assert checks.batch(mine.clone()).status == "passed" and kept(work) == ["batch"]


@pytest.mark.parametrize("name", checks.all())
def test_the_courses_own_solution_is_no_answer(work, name):
    exercise = checks.all()[name]
    another_name = exercise.solution
    report = exercise(another_name)
    assert (report.status, report.mistake) == ("not attempted", "course-solution")
    assert str(report).startswith("not attempted: this is the course's own solution.") and exercise.stub in str(report)
    assert not (work / "progress.json").exists()


def test_a_notebook_without_exercises_has_no_row_in_the_overview(work):
    overview = Overview({"01": [checks.scores, checks.weights], "02": []})
    assert str(overview).splitlines() == [
        "0 of 2 exercises passed",
        "01  ○ my_scores  ○ my_weights",
        "Kept in progress.json.",
    ]
    assert overview._html().count("<tr") == 1


def test_the_overview_counts_over_all_notebooks(work, capsys):
    checks.scores(my_scores)
    checks.means(checks.means.solution.clone())
    capsys.readouterr()
    overview = checks.progress()
    assert capsys.readouterr().out == f"{overview}\n"
    lines = str(overview).splitlines()
    assert lines[0] == f"2 of {len(checks.all())} exercises passed"
    assert lines[1].startswith("00  ○ my_batch  ✓ my_means (1 try)")
    assert lines[2].startswith("01  ✓ my_scores (1 try)  ○ my_weights")
    assert [line[:2] for line in lines[1:-1]] == [
        notebook.number for notebook in course.notebooks() if notebook.exercises
    ]
    assert lines[-1] == "Kept in progress.json."
    html = overview._html()
    assert html.count("✓ passed") == 2 and "<th scope='row'" in html and "Kept in progress.json." in html


def test_the_overview_names_notebooks_links_copies_and_counts_quizzes_and_predictions(work):
    (work / "04_causal_masking.ipynb").touch()
    kept = {"quizzes": {"causal_masking": {"1": 2, "3": 1}}, "predictions": {"who": {}, "row": {}}}
    (work / "progress.json").write_text(json.dumps({"passed": ["causal_mask"]} | kept))
    overview = checks.progress()
    assert "✓ my_causal_mask" in str(overview) and str(overview).count("quiz: 2 answered") == 1
    assert str(overview).splitlines()[-2:] == ["Predictions made: 2.", "Kept in progress.json."]
    html = overview._html()
    assert "<a href='04_causal_masking.ipynb'>4 · Causal masking</a>" in html and html.count("<a ") == 1
    assert "5 · Dropout" in html and "1 of 5 passed · quiz: 2 answered" in html


SAID = {"day": "2026-03-01", "words": "Your scores are not added up."}


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b'{"passed": 3}',
        b"\xff\xfe",
        b"null",
        b'{"passed": [], "tries": []}',
        b'{"reports": {"dropout": "right"}}',
        *(b'{"passed": ' + depth * b"[" + depth * b"]" + b"}" for depth in (2_000, 100_000)),
    ],
    ids=repr,
)
def test_a_damaged_file_is_set_aside_and_said(work, damage):
    (work / "progress.json").write_bytes(damage)
    report = checks.scores(my_scores)
    assert report.status == "passed" and "progress.json was damaged and is now progress.json.damaged" in str(report)
    assert (work / "progress.json.damaged").read_bytes() == damage
    assert kept(work) == ["scores"]


def test_each_damage_has_a_copy_of_its_own(work):
    """A second damage does not take the place of the copy of the first, in which earlier passes can still be read."""
    damages = [b'{"passed": ["means"],, }', b"\0", b"{"]
    for damage in damages:
        (work / "progress.json").write_bytes(damage)
        assert "A new one is begun: run your checks again." in str(checks.progress())
    names = [f"progress.json.damaged{ending}" for ending in ("", ".2", ".3")]
    assert [(work / name).read_bytes() for name in names] == damages


@pytest.mark.parametrize(
    ("key", "wrong", "valid"),
    [
        ("tries", {"scores": 0, "means": 2, "weights": True}, {"means": 2}),
        ("passed", ["scores", None, "means", 3], ["scores", "means"]),
        ("predictions", "none", {}),
        ("tries", None, {}),
        ("quizzes", {"dropout": 3, "positions": {"1": 2}}, {"positions": {"1": 2}}),
        ("reports", 3, {}),
        ("reports", {"a": SAID | {"day": "2026-02-30"}, "b": SAID | {"words": 5}, "c": SAID}, {"c": SAID}),
    ],
)
def test_a_wrong_value_costs_its_entry_alone(work, key, wrong, valid):
    whole = {"passed": ["means"], "tries": {"means": 3}, "predictions": {"who": [1]}, "of another version": 5}
    (work / "progress.json").write_text(json.dumps(whole | {key: wrong}), "utf-8")
    said = str(checks.progress())
    assert "progress.json was damaged and is now progress.json.damaged. All that could be read is in the new" in said
    assert json.loads((work / "progress.json").read_text("utf-8")) == whole | {key: valid}
    assert json.loads((work / "progress.json.damaged").read_text("utf-8")) == whole | {key: wrong}
    assert "damaged" not in str(checks.progress())


def test_a_link_stays_and_its_file_is_written(work, tmp_path_factory):
    """Some keep the file on a synchronised disk, and a link to it beside the notebooks."""
    target = tmp_path_factory.mktemp("synchronised") / "mine.json"
    (work / "progress.json").symlink_to(target)
    for content in (b"", b'{"passed": ["means"]}'):
        target.write_bytes(content)
        checks.scores(my_scores)
    assert (work / "progress.json").is_symlink() and kept(work) == ["means", "scores"]
    begun = {file.name: file.read_bytes()[:1] for file in target.parent.iterdir()}
    assert begun == {"mine.json": b"{", "mine.json.damaged": b""}


def test_a_file_that_cannot_be_written_is_a_note(work, monkeypatch):
    def refuse(*names):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(progress.os, "replace", refuse)
    report = checks.scores(my_scores)
    assert report.status == "passed"
    assert "Your progress could not be kept in progress.json: Permission denied." in str(report)
    assert [file.name for file in work.iterdir()] == ["01_mine.ipynb"]


def test_a_file_that_cannot_be_read_is_a_note(work):
    (work / "progress.json").mkdir()
    assert checks.scores(my_scores).status == "passed"
    assert str(checks.scores(...)).count("\n") == 0
    assert "progress.json cannot be read" in str(checks.progress())


def test_a_name_that_the_course_no_longer_has_does_no_harm(work):
    (work / "progress.json").write_text('{"passed": ["an_older_one"]}', "utf-8")
    checks.scores(my_scores)
    assert kept(work) == ["an_older_one", "scores"] and str(checks.progress()).startswith("1 of")


def test_where_progress_is_kept(tmp_path, monkeypatch, work):
    assert progress.path() == work / "progress.json"
    elsewhere = tmp_path / "empty"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert progress.path() == progress.COURSE / "work" / "progress.json"


def test_the_published_notebooks_keep_nothing(monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2] / "notebooks")
    assert checks.scores(my_scores).notes == [] and progress.path() is None
    assert str(checks.progress()).endswith(
        "Nothing is kept here. Progress is kept with your own copies, which `make lab` opens."
    )


def test_what_tools_build_keeps_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "COURSE", tmp_path)
    for folder in ("build/solved", "build/assignments", "notebooks/part"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.ipynb").touch()
        monkeypatch.chdir(tmp_path / folder)
        assert progress.path() is None


KEEP = "from course_utils import checks\ndef mine(query, keys): return keys @ query\nchecks.scores(mine).status"


@pytest.fixture
def as_in_other_tests(monkeypatch, as_for_a_learner):
    monkeypatch.undo()


def test_no_test_writes_a_learners_progress(as_in_other_tests, tmp_path, monkeypatch):
    for folder in (progress.COURSE, tmp_path):  # folders from which progress would go to work/
        monkeypatch.chdir(folder)
        assert checks.scores(my_scores).status == "passed" and progress.path() is None
    (tmp_path / "01_mine.ipynb").touch()  # now progress would be kept beside this notebook
    subprocess.run([sys.executable, "-c", KEEP], check=True)
    assert [file.name for file in tmp_path.iterdir()] == ["01_mine.ipynb"]


def test_a_notebook_that_the_tool_runs_writes_no_progress(tmp_path):
    path = tmp_path / "01_mine.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell(KEEP)]), path)
    assert run_notebooks([path], jobs=1) == []
    (cell,) = nbformat.read(path, as_version=4).cells
    assert cell.outputs[-1].data["text/plain"] == "'passed'"
    assert [*tmp_path.iterdir()] == [path]

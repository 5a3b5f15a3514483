"""Assignments are handed out without solutions; what comes back is graded, and nobody's code harms anybody else's."""

import csv

import nbformat
import notebook_grading
import pytest
from notebook_assignment import write_assignment
from notebook_files import PUBLISHED, NotebookError
from notebook_format import read_notebook
from notebook_slices import Code

SETUP = "import os, time, torch\nfrom course_utils import checks, session\nsession.start()"
SOFTMAX = """def my_softmax(scores):
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exps / exps.sum(dim=-1, keepdim=True)"""
TEMPERED = "def my_tempered_softmax(scores, temperature):\n    ..."
SCORES = "def my_scaled_scores(queries, keys):\n    ..."
NAMES = ["softmax", "tempered_softmax", "scaled_scores", "scaled_attention"]
CHECKS = [f"checks.{name}(my_{name})" for name in NAMES]
SLOW = "# nothing needs it\ntime.sleep(1000)"
SUBMISSIONS = {  # file -> its cells
    "=right.ipynb": [SETUP, SOFTMAX, CHECKS[0], TEMPERED, CHECKS[1]],
    "helper/deep/down/mine.ipynb": [
        SETUP, SLOW, "axis = lambda: -1", SOFTMAX.replace("-1", "axis()"), CHECKS[0],
        "%matplotlib inline\nlimit = 0.01\nclass Unused: pass",
        TEMPERED.replace("...", "return torch.softmax(scores / (temperature + limit), -1)"), CHECKS[1],
    ],
    "wrong.ipynb": [
        SETUP, SOFTMAX.replace("sum(dim=-1", "sum(dim=-2"), CHECKS[0],
        "kept = torch.ones(2 * 10**9)\n" + TEMPERED, CHECKS[1], SCORES.replace("keys", "keys:"), CHECKS[2],
    ],
    "raises.ipynb": [
        SETUP, "1 / 0\n" + SOFTMAX, CHECKS[0], "raise SystemExit\n" + TEMPERED, CHECKS[1],
        "open('left_behind', 'w').write('x' * 2**25)\n" + SCORES, CHECKS[2],
    ],
    "crashes.ipynb": [SETUP, SOFTMAX, CHECKS[0], TEMPERED.replace("...", "os._exit(1)"), CHECKS[1], CHECKS[2]],
    "hangs.ipynb": [SETUP, SOFTMAX, CHECKS[0], "sum(range(10**13))\n" + TEMPERED, CHECKS[1]],
    "prints.ipynb": [SETUP, "while True:\n    print('x' * 1000)\n" + SOFTMAX, CHECKS[0], TEMPERED, CHECKS[1]],
}  # fmt: skip


def write(path, cells):
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells]), path)


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Every submission graded in one go: the printed lines, the folder, and (student, exercise) -> row of the table."""
    folder = tmp_path_factory.mktemp("submitted")
    for name, cells in SUBMISSIONS.items():
        write(folder / name, cells)
    (folder / "damaged.ipynb").write_text("{")
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "raises.ipynb").write_text("{")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(notebook_grading, "SECONDS", 20)
        lines = notebook_grading.grade(folder)
    with open(folder / "grades.csv", encoding="utf-8-sig", newline="") as file:
        return lines, folder, {(row["student"], row["exercise"]): row for row in csv.DictReader(file)}


OUTCOMES = {  # student and exercise -> status, mistake and a part of the message
    ("'=right", "softmax"): ("passed", "", "right on"),  # a spreadsheet would take the bare name for a formula
    ("'=right", "tempered_softmax"): ("not attempted", "", "not attempted yet"),
    ("'=right", "scaled_scores"): ("missing", "", "No call of `checks.scaled_scores`"),
    ("helper", "softmax"): ("passed", "", "right on"),
    ("helper", "tempered_softmax"): ("failed", "global-leak", "limit"),
    ("wrong", "softmax"): ("failed", "softmax-axis", "dim"),
    ("wrong", "tempered_softmax"): ("failed", "", "memory"),
    ("wrong", "scaled_scores"): ("failed", "", "is not defined. Not readable: code cell 6: "),
    ("wrong", "scaled_attention"): ("missing", "", "cell 6: "),
    ("raises", "softmax"): ("failed", "", "ZeroDivisionError: division by zero"),
    ("raises", "tempered_softmax"): ("failed", "", "SystemExit"),
    ("raises", "scaled_scores"): ("failed", "", "OSError"),
    ("crashes", "softmax"): ("passed", "", "right on"),  # what was found before is kept
    ("crashes", "tempered_softmax"): ("broke off", "", "a crash, or an exit"),
    ("crashes", "scaled_scores"): ("not reached", "", "before, at tempered_softmax"),
    ("hangs", "softmax"): ("passed", "", "right on"),
    ("hangs", "tempered_softmax"): ("broke off", "", "longer than 20 seconds"),
    ("prints", "softmax"): ("failed", "", "had not ended after 10 seconds"),
    ("prints", "tempered_softmax"): ("not attempted", "", "not attempted yet"),
    ("damaged", "softmax"): ("unreadable", "", "is not JSON"),
}


@pytest.mark.parametrize("place", OUTCOMES, ids="-".join)
def test_each_is_told_what_it_did(graded, place):
    row = graded[2][place]
    status, mistake, words = OUTCOMES[place]
    assert (row["status"], row["mistake"]) == (status, mistake)
    assert words in row["message"]


def test_all_exercises_of_all_students_stand_in_the_table(graded):
    """Also those that nobody's notebook checks."""
    lines, _, rows = graded
    students = {student for student, _ in OUTCOMES}
    assert rows.keys() == {(student, name) for student in students for name in NAMES}
    assert lines[0].split() == ["notebook", *NAMES, "passed"]
    assert next(line for line in lines if line.startswith("=right.ipynb")).endswith("1 of 4")
    assert lines[-1].endswith("with the message that each answer got.")


def test_mistakes_are_counted_below_the_table(graded):
    counted = [line for line in graded[0] if line.startswith("1 of 8  ")]
    assert [line.split(". ")[0][8:] for line in counted] == ["tempered_softmax: global-leak", "softmax: softmax-axis"]


def test_nothing_is_left_behind(graded):
    """What a notebook writes into its folder is gone, and the submissions are as they were."""
    folder = graded[1]
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert there == {*SUBMISSIONS, "grades.csv", "damaged.ipynb", ".ipynb_checkpoints/raises.ipynb"}


def test_nothing_to_grade(tmp_path, monkeypatch):
    with pytest.raises(NotebookError, match="holds no notebooks"):
        notebook_grading.grade(tmp_path)
    write(tmp_path / "a.ipynb", ["x = 1"])
    monkeypatch.setattr(notebook_grading, "_findings", lambda path: ([{"found": [], "broken": {}}], None))
    with pytest.raises(NotebookError, match="none of the notebooks"):
        notebook_grading.grade(tmp_path)


@pytest.mark.parametrize("path", sorted(PUBLISHED.glob("*.ipynb")), ids=lambda path: path.stem)
def test_an_assignment_has_all_checks_and_no_solution(path):
    """And nothing that stays in it reads what only a solution defined."""
    whole = read_notebook(path)
    handed_out, removed = without_solutions(whole)
    before, after = Code(whole), Code(handed_out)
    assert after.calls.keys() == before.calls.keys()
    assert not any("solution" in cell.metadata.get("tags", []) for cell in handed_out.cells)
    assert removed == len(whole.cells) - len(handed_out.cells) >= len(after.calls) - 1
    only_in_solutions = _bound(before) - _bound(after)
    missed = {name for one in after.statements for name in one.reads - one.binds if name in only_in_solutions}
    assert not missed
    assert not any(cell.get("outputs") for cell in handed_out.cells)


def _bound(code):
    return set().union(*(one.binds for one in code.statements))


def test_an_assignment_is_asked_for_by_number():
    path, removed = write_assignment("1")
    assert path.name == "01_dot_product_attention.ipynb"
    assert removed == 4
    with pytest.raises(NotebookError, match="There is no notebook '77'.*00, 01"):
        write_assignment("77")

"""Test that submissions are graded, the same each time, and that no student's code affects another's result."""

import csv
import os

import pytest
from good_notebook import write
from grading import grade, runner
from nb.files import NotebookError

SETUP = "import os, time, torch\nfrom course_utils import checks, session\nsession.start()"
SOFTMAX = """def my_softmax(scores):
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exps / exps.sum(dim=-1, keepdim=True)"""
NEEDS = SOFTMAX.replace("scores.amax", "needed and scores.amax")  # an answer that reads a variable of the notebook
TEMPERED = "def my_tempered_softmax(scores, temperature):\n    ..."
COLD = """def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"the temperature must be above 0, got {temperature}")
    return torch.softmax(scores / temperature, -1)"""
COLD_NEEDS = COLD.replace("scores /", "wanted and scores /")
SCORES = "def my_scaled_scores(queries, keys):\n    ..."
SCALED = SCORES.replace("...", "return queries @ keys.mT / keys.shape[-1] ** 0.5")
NAMES = ["softmax", "tempered_softmax", "scaled_scores"]
CHECKS = [f"checks.{name}(my_{name})" for name in NAMES]
SLOW = "# nothing needs it\ntime.sleep(1000)"
DELETES = """import pathlib
for path in pathlib.Path({folder!r}).rglob('*'):
    try:
        path.unlink()
    except OSError:
        pass
"""
FORGES = """forged = b'{"exercise": "scaled_scores", "status": "best", "message": [1]}\\n'
for channel in range(3, 30):
    try:
        os.write(channel, forged)
    except OSError:
        pass
"""
FLOODS = """for channel in range(3, 30):
    try:
        while True:
            os.write(channel, b'x' * 65536)
    except OSError:
        pass
"""
CRASH = "import ctypes\nctypes.string_at(0)\n"
ODD = r"'\x1b[31m \ud800 \u202e'"
SUBMISSIONS = {  # file -> its cells. Each is graded in a process of its own, so few of them hold many answers
    "=right.ipynb": [SETUP, DELETES + SOFTMAX, CHECKS[0], TEMPERED, CHECKS[1]],
    "helper/deep/down/mine.ipynb": [
        SETUP, SLOW, "axis = lambda: -1", SOFTMAX.replace("-1", "axis()"), CHECKS[0],
        "%matplotlib inline\nlimit = 0.01\nclass Unused: pass",
        TEMPERED.replace("...", "return torch.softmax(scores / (temperature + limit), -1)"), CHECKS[1],
        FORGES + SCALED, CHECKS[2],
    ],
    "wrong.ipynb": [
        SETUP, SOFTMAX.replace("sum(dim=-1", "sum(dim=-2"), CHECKS[0],
        "wanted = torch.ones(2 * 10**9)\n" + COLD_NEEDS, CHECKS[1], SCORES.replace("keys", "keys:"), CHECKS[2],
    ],
    "raises.ipynb": [
        SETUP, "needed = 1 / 0\n" + NEEDS, CHECKS[0], "wanted = exit()\n" + COLD_NEEDS, CHECKS[1],
        "size = open('left_behind', 'w').write('x' * 2**25)\n" + SCORES.replace("...", "return size"), CHECKS[2],
    ],
    "beside.ipynb": [
        SETUP, "1 / 0\n" + SOFTMAX + "\nraise SystemExit", CHECKS[0],
        "print(keep)\nkept = []\nwhile True:\n    kept.append(bytes(10**8))\n" + COLD, CHECKS[1],
        "while True:\n    print('x' * 1000)\n" + SCALED, CHECKS[2],
    ],
    "crashes.ipynb": [
        SETUP, "deeper = lambda: deeper()\nneeded = deeper()\n" + NEEDS, CHECKS[0],
        CRASH + TEMPERED, CHECKS[1], CHECKS[2],
    ],
    "exits.ipynb": [
        SETUP, SOFTMAX.replace("exps =", f"raise ValueError({ODD})\n    exps ="), CHECKS[0],
        f"wanted = {{}}[{ODD}]\n" + COLD_NEEDS, CHECKS[1], SCORES.replace("...", "os._exit(1)"), CHECKS[2],
    ],
    "hangs.ipynb": [
        SETUP, "needed = [bytes(10**8) for _ in range(10**5)]\n" + NEEDS, CHECKS[0],
        "sum(range(10**13))\n" + TEMPERED, CHECKS[1],
    ],
    "prints.ipynb": [
        SETUP, "while needed := True:\n    print('x' * 1000)\n" + NEEDS, CHECKS[0],
        "wanted = time.sleep(1000)\n" + COLD_NEEDS, CHECKS[1], FLOODS + SCALED, CHECKS[2],
    ],
}  # fmt: skip


def submit(folder, name: str):
    """Write a notebook of SUBMISSIONS, in which {folder!r} becomes the path of the folder."""
    write(folder / name, *(source.replace("{folder!r}", repr(str(folder))) for source in SUBMISSIONS[name]))


def table(folder, name=grade.TABLE):
    with open(folder / name, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module", autouse=True)
def one_sandbox(sandboxed):
    """Find out once what kind of sandbox works here: each trial takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "find_way", lambda *options: sandboxed)
        yield patch


@pytest.fixture(scope="module")
def graded(one_sandbox, tmp_path_factory):
    """Grade all submissions at once; return (printed lines, folder, (student, exercise) -> row of the table)."""
    folder = tmp_path_factory.mktemp("submitted")
    for name in SUBMISSIONS:
        submit(folder, name)
    (folder / "damaged.ipynb").write_text("{")
    if os.name == "posix":
        (folder / "link.ipynb").symlink_to("=right.ipynb")
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "raises.ipynb").write_text("{")
    one_sandbox.setattr(runner, "SECONDS", 18)
    lines = grade.grade(folder).lines
    return lines, folder, {(row["student"], row["exercise"]): row for row in table(folder)}


OUTCOMES = {  # student and exercise -> status, mistake and a part of the message
    ("'=right", "softmax"): ("passed", "", "right on"),  # a spreadsheet would take the bare name for a formula
    ("'=right", "tempered_softmax"): ("not attempted", "", "not attempted yet"),
    ("'=right", "scaled_scores"): ("missing", "", "No call of `checks.scaled_scores`"),
    ("helper", "softmax"): ("passed", "", "right on"),
    ("helper", "tempered_softmax"): ("failed", "global-leak", "limit"),
    ("helper", "scaled_scores"): ("broke off", "", "stopped here"),  # a finding that the notebook wrote
    ("wrong", "softmax"): ("failed", "softmax-axis", "dim"),
    ("wrong", "tempered_softmax"): ("failed", "", "memory"),
    ("wrong", "scaled_scores"): ("failed", "", "Python cannot read code cell 6: "),
    ("raises", "softmax"): ("failed", "", "ZeroDivisionError: division by zero"),
    ("raises", "tempered_softmax"): ("failed", "", "SystemExit"),
    ("raises", "scaled_scores"): ("failed", "", "OSError"),
    ("beside", "softmax"): ("passed", "", "right on"),  # what the answer does not need cannot make it fail
    ("beside", "tempered_softmax"): ("passed", "", "right on"),
    ("beside", "scaled_scores"): ("passed", "", "right on"),
    ("exits", "softmax"): ("failed", "", r"`ValueError`: \x1b[31m ? \u202e"),  # results from before the end are kept
    ("exits", "tempered_softmax"): ("failed", "", "KeyError"),
    ("exits", "scaled_scores"): ("broke off", "", "a crash, or an exit"),
    ("crashes", "softmax"): ("failed", "", "RecursionError"),
    ("crashes", "tempered_softmax"): ("broke off", "", "a crash, or an exit"),
    ("crashes", "scaled_scores"): ("not reached", "", "before, at tempered_softmax"),
    ("hangs", "softmax"): ("failed", "", "more memory than there is"),
    ("hangs", "tempered_softmax"): ("broke off", "", "computed for more than 18 seconds"),
    ("prints", "softmax"): ("failed", "", "had not ended after 3 seconds of computing"),
    ("prints", "tempered_softmax"): ("failed", "", "had not ended after 18 seconds by the clock: it waits"),
    ("prints", "scaled_scores"): ("broke off", "", "printed more than there is room for"),
    ("damaged", "softmax"): ("unreadable", "", "is not JSON"),
}
if os.name == "posix":
    OUTCOMES["link", "softmax"] = ("unreadable", "", "links are not followed")


@pytest.mark.parametrize("place", OUTCOMES, ids="-".join)
def test_each_is_told_what_it_did(graded, place):
    row = graded[2][place]
    status, mistake, words = OUTCOMES[place]
    assert (row["status"], row["mistake"]) == (status, mistake)
    assert words in row["message"]


def test_all_exercises_of_all_students_stand_in_the_table(graded, sandboxed):
    lines, _, rows = graded
    students = {student for student, _ in OUTCOMES}
    assert rows.keys() == {(student, name) for student in students for name in NAMES}
    assert lines[0].split() == ["notebook", *NAMES, "passed"]
    assert next(line for line in lines if line.startswith("=right.ipynb")).endswith("1 of 3")
    assert sandboxed.protection in lines


def test_each_student_has_a_line_and_a_page(graded):
    folder = graded[1]
    rows = {row["identifier"]: row for row in table(folder, grade.STUDENTS)}
    assert list(rows["helper"]) == ["identifier", "points", "maximum", "feedback", *NAMES]
    assert list(rows["helper"].values()) == ["helper", "1", "3", "feedback/helper.html", "1", "0", "0"]
    assert [*rows] == sorted(rows, key=lambda name: name.removeprefix("'"))
    assert len(rows) == len({student for student, _ in graded[2]})
    for row in rows.values():
        assert row["points"] + " of 3 points" in (folder / row["feedback"]).read_text("utf-8")
    assert (folder / grade.STUDENTS).read_bytes().startswith(b"identifier,points,")  # no byte order mark


def test_nothing_is_left_behind_and_nothing_taken_away(graded):
    folder = graded[1]
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    pages = {name for name in there if name.startswith("feedback/")}
    tables = {grade.TABLE, grade.STUDENTS}
    others = {"damaged.ipynb", ".ipynb_checkpoints/raises.ipynb", *(["link.ipynb"] if os.name == "posix" else [])}
    assert there - pages == {*SUBMISSIONS, *tables, *others}


def test_the_same_again_in_another_folder(graded, tmp_path):
    submit(tmp_path, "wrong.ipynb")
    grade.grade(tmp_path)
    here = [row for row in table(graded[1]) if row["student"] == "wrong"]
    assert table(tmp_path) == here and len(here) == len(NAMES)
    page = "feedback/wrong.html"
    assert (tmp_path / page).read_bytes() == (graded[1] / page).read_bytes()


def test_of_two_notebooks_the_better_answer_counts(submitted):
    for name, first, second in (("ben", {"message": "no"}, {}), ("chris", {}, {"message": "no"})):
        submitted.put(f"{name}/1.ipynb", **first), submitted.put(f"{name}/2.ipynb", **second)
    submitted.grade()
    points = {row["identifier"]: row["points"] for row in submitted.table(grade.STUDENTS)}
    assert points["ben"] == points["chris"] == "1"


def test_a_table_of_points_says_what_is_graded(submitted):
    points = submitted.folder.parent / "points.csv"
    points.write_text("exercise,points\nmy_weights,2.5\nmy_scores,\n")
    grade.grade(submitted.folder, points)
    row, _ = submitted.table(grade.STUDENTS)
    worth = {"points": "1", "maximum": "3.5", "feedback": "feedback/anna.html", "scores": "1", "weights": "0"}
    assert list(row.items())[1:] == list(worth.items())
    points.write_text("weights,2.5\n")
    assert any(line.endswith("and so not graded: scores.") for line in grade.grade(submitted.folder, points).lines)


def test_nothing_to_grade(tmp_path):
    with pytest.raises(NotebookError, match="holds no notebooks"):
        grade.grade(tmp_path)

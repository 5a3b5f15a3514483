"""Test the making of an exercise: what the command writes works, `check` asks for the rest, and few files change."""

import json
import re
import shutil

import forks
import pytest
from nb import new_exercise
from nb.files import COURSE, NotebookError
from publish import around

TOPIC, PAGE, NAME = "dot_product_attention", "notebooks/01_dot_product_attention.ipynb", "last_row"
FILE, NOTES = f"lessons/{TOPIC}/exercises/{NAME}.py", f"lessons/{TOPIC}/teaching.md"
WRITTEN = {  # path -> what a maintainer writes in the place of what stands there
    FILE: {
        r"TODO: say in a line.*(?=\"\"\")": "the last row of a table.",
        r"2 \* x  # TODO.*": "x[-1]",
        r" *# TODO: yield.*\n": "",
        r"not-doubled: TODO.*\n.*": "first-row: That is the first row. The last one is counted from the end: `-1`."
        "\n    x[-1] -> x[0]",
    },
    PAGE: {
        r"(## Further · )\d+": r"\g<1>5",
        r"(Reading on\*\* )\d+": r"\g<1>6",
        "TODO minutes": "2 minutes",
        "which … TODO.*(?=[.])": "which takes `(num_tokens, d)` and returns its last row, `(d,)`",
        "TODO: say how to begin": "Rows are counted from 0",
        "TODO: name what to look up": "Or from the end",
    },
    NOTES: {r"(\{#last-row-prompt\}\n)": r"\1**1 min** to explain, two to do, at home.\n"},
}
ANSWERS = f"""\
# %% right {NAME}
def my_{NAME}(x):
    return x[-1]

# %% right {NAME}
def my_{NAME}(x):
    return x[len(x) - 1]

# %% right {NAME}
def my_{NAME}(x):
    return x.flip(0)[0]

# %% wrong {NAME}
def my_{NAME}(x):
    return x[0]
"""


@pytest.fixture
def copy(tmp_path):
    """Return a folder with a copy of the course."""
    folder = tmp_path / "course"
    for path in around.files():
        (folder / path.relative_to(COURSE)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder / path.relative_to(COURSE))
    return folder


def contents(folder):
    """Return path -> bytes for each file of a course."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in around.files(folder)}


START = """
import os, pathlib, re, runpy, sys, torch

def run(program, *arguments):
    sys.argv = [program, *arguments]
    sys.path[:1] = [os.path.dirname(program), os.getcwd()]
    runpy.run_path(program, run_name="__main__")

def write(written):
    for file, changes in written.items():
        text = pathlib.Path(file).read_text("utf-8")
        for pattern, new in changes.items():
            text, count = re.subn(pattern, new, text)
            assert count == 1, (file, pattern)
        pathlib.Path(file).write_text(text, "utf-8")
"""
TESTS = ["-p", "no:xdist", "-p", "no:cacheprovider", "tests/lessons", "-v", "-k", f"{NAME} or listed"]
STEPS = [
    ("torch", START, True),
    ("made", f"run('tools/notebooks.py', 'exercise', {TOPIC!r}, {NAME!r})", False),
    ("asked", "run('tools/notebooks.py', 'check', '01')", False),
    ("added", f"write({WRITTEN!r}); run('tests/lessons/answer_files.py', 'add', 'build/new.py')", False),
    ("ran", "run('tools/notebooks.py', 'run', '01')", False),
    ("checked", "run('tools/notebooks.py', 'check', '01')", False),
    ("tested", f"sys.path.insert(0, os.getcwd()); import pytest; pytest.main({TESTS!r})", False),
]


def test_check_asks_for_what_is_missing_until_the_exercise_is_whole(copy):
    before = contents(copy)
    (copy / "build").mkdir()
    (copy / "build" / "new.py").write_text(ANSWERS, "utf-8")
    said = forks.printed(STEPS, copy, {"PYTHONPATH": str(copy), "OMP_NUM_THREADS": "1"})
    assert "check` names what to write" in said["made"]
    for words in (
        "TODO: say in a line",
        "says no minutes",
        f"{NAME} has 0 right and 0 wrong",
        "the note is empty",
        "was not run",
    ):
        assert words in said["asked"], said
    assert "4 answers, 1 wrong; told in words: 1; added: 4." in said["added"], said
    assert "1 notebook run and stored." in said["ran"], said
    assert said["checked"] == "1 notebook checked, nothing found\n"
    assert f"[{NAME}] PASSED" in said["tested"] and "FAILED" not in said["tested"], said["tested"]
    after = contents(copy)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    made = {FILE, f"lessons/{TOPIC}/answers/{NAME}.py"}
    assert changed == made | {NOTES, PAGE, "lessons/course.json"}


def test_it_stands_in_the_list_in_the_order_of_the_page(tmp_path, monkeypatch):
    for path in ("lessons/course.json", PAGE, NOTES):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(COURSE / path, tmp_path / path)
    monkeypatch.setattr(new_exercise, "COURSE", tmp_path)
    monkeypatch.setattr(new_exercise, "PUBLISHED", tmp_path / "notebooks")
    cells = json.loads((tmp_path / PAGE).read_text("utf-8"))["cells"]
    first = next(cell["id"] for cell in cells if cell["source"][0].startswith("checks.scores("))
    new_exercise.make(TOPIC, NAME, after=first)
    listed = json.loads((tmp_path / "lessons/course.json").read_text("utf-8"))[1]["exercises"]
    assert listed == ["scores", NAME, "weights", "context_vector", "batch_attention"]
    notes = re.findall(r"^### .*\{#([\w-]+)", (tmp_path / NOTES).read_text("utf-8"), re.MULTILINE)
    assert notes.index("last-row-prompt") < len(notes) / 2


@pytest.mark.parametrize(
    ("topic", "name", "after", "words"),
    [
        ("dropouts", "new", None, "there is no lesson 'dropouts': use one of start_here, "),
        ("dropout", "New", None, "'New' cannot be a name"),
        ("dropout", "while", None, "'while' cannot be a name"),
        ("dropout", "scores", None, "there is an exercise scores in dot_product_attention"),
        ("dropout", "rules", None, "checks.rules is a part of the checks themselves"),
        ("dropout", "progress", None, "checks.progress is a part of the checks themselves"),
        ("dot_product_attention", "dot", None, "dot.py is there already"),
        ("dropout", "new", "no-cell", "the page has no cell 'no-cell'"),
    ],
)
def test_what_cannot_be_made_is_refused_in_words(topic, name, after, words):
    with pytest.raises(NotebookError, match=re.escape(words)):
        new_exercise.make(topic, name, after)

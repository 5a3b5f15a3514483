"""A sheet goes to every home of a hub's machine and comes back, each time as the student whose home it is."""

import os
import subprocess
import sys

import pytest
from notebook_files import COURSE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what a hub's machine runs")
SCRIPT = COURSE / "deploy" / "hub" / "homes.sh"
RUNUSER = """#!/bin/sh
[ "$1" = -u ] && [ "$3" = -- ] || exit 9
echo "$2" >> "$CALLS"; shift 3; exec "$@"
"""
ID = """#!/bin/sh
case "$2" in jupyter-teacher) echo users jupyterhub-admins ;; *) echo users ;; esac
"""


@pytest.fixture
def machine(tmp_path):
    """A machine with homes, and in place of runuser and id programs that need no users; returns `homes.sh`."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, text in {"runuser": RUNUSER, "id": ID}.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    for name in ("anna", "ben", "teacher"):
        (tmp_path / f"home-{name}" / "attention-course").mkdir(parents=True)
    (tmp_path / "home-new").mkdir()
    (tmp_path / "sheet.ipynb").write_text("the sheet")
    variables = os.environ | {"HOMES": f"{tmp_path}/home-", "CALLS": str(tmp_path / "calls")}
    variables["PATH"] = f"{programs}{os.pathsep}{variables['PATH']}"

    def homes(*words, code=0):
        done = subprocess.run(
            [SCRIPT, *words], cwd=tmp_path, env=variables, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stderr
        return (done.stdout + done.stderr).splitlines()

    return homes


def test_a_sheet_is_given_once_and_never_over_an_answer(machine, tmp_path):
    first = machine("give", "sheet.ipynb")
    assert first[:2] == ["anna: given", "ben: given"] and first[2].startswith("new: not yet;")
    mine = tmp_path / "home-anna" / "attention-course" / "sheet.ipynb"
    mine.write_text("my answer")
    (tmp_path / "home-new" / "attention-course").mkdir()
    again = ["anna: has one", "ben: has one", "new: given", "teacher: has one"]
    assert machine("give", "sheet.ipynb") == again and mine.read_text() == "my answer"
    assert set((tmp_path / "calls").read_text().split()) == {
        f"jupyter-{name}" for name in ("anna", "ben", "new", "teacher")
    }


def test_what_students_made_of_it_is_taken_into_a_folder_for_the_teacher_alone(machine, tmp_path):
    machine("give", "sheet.ipynb")
    (tmp_path / "home-anna" / "attention-course" / "sheet.ipynb").write_text("my answer")
    (tmp_path / "home-ben" / "attention-course" / "sheet.ipynb").unlink()
    (tmp_path / "home-ben" / "attention-course" / "sheet.ipynb").symlink_to("/dev/zero")  # it would never end
    said = ["anna: taken", "ben: has none", "new: has none", "teacher: teaches"]
    assert machine("take", "sheet.ipynb", "taken") == said
    taken = tmp_path / "taken"
    assert taken.stat().st_mode & 0o777 == 0o700 and [path.name for path in taken.iterdir()] == ["anna.ipynb"]
    assert (taken / "anna.ipynb").read_text() == "my answer"


def test_each_student_gets_their_own_page(machine, tmp_path):
    pages = tmp_path / "feedback"
    pages.mkdir()
    for name in ("anna", "zoe"):
        (pages / f"{name}.html").write_text(f"for {name}")
    assert machine("return", "feedback", "week.html") == ["anna: returned", "zoe: nobody has this name"]
    assert (tmp_path / "home-anna" / "attention-course" / "week.html").read_text() == "for anna"
    assert not (tmp_path / "home-ben" / "attention-course" / "week.html").exists()


@pytest.mark.parametrize("words", [(), ("give",), ("take", "a"), ("give", "absent.ipynb"), ("return", ".", "a.html")])
def test_what_is_missing_is_said(machine, words):
    (line,) = machine(*words, code=2)
    assert "notebooks.py" in line or "see the guide, deploy/hub/README.md" in line

"""Test that homes.sh names each student whose home has a problem, and still serves all the others."""

import os
import sys
from pathlib import Path

import pytest
from homes import ROUNDS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what a hub's machine runs")


@pytest.fixture
def taken(machine):
    """Return a function that reads the answer taken from chris, who is served last of the students with answers."""
    return lambda: (machine.folder / "taken" / "chris.ipynb").read_text()


ODD = {  # what may stand in the place of a file -> what makes it
    "folder": Path.mkdir,
    "pipe": lambda path: os.mkfifo(path),  # looked up when it runs: Windows has none
    "link to nothing": lambda path: path.symlink_to("anywhere"),
    "closed file": lambda path: path.touch(0),
    "link without an end": lambda path: path.symlink_to("/dev/zero"),
}
in_the_way = pytest.mark.parametrize("what", [*ODD][:3])


@pytest.mark.parametrize("what", ODD)
def test_an_answer_that_cannot_be_read_stops_nobody(machine, taken, what):
    path = machine.folder / "home-anna" / "attention-course" / "sheet.ipynb"
    ODD[what](path)
    machine.theirs(path)
    machine.answer("chris")
    said = machine.run("take", "sheet.ipynb", "taken", code=1)
    reason = "Permission denied" if what == "closed file" else "sheet.ipynb is no file"
    assert said == ["ben: has none", "chris: taken", "new: has none", "teacher: teaches", f"anna: not taken, {reason}"]
    assert taken() == "my answer" and [path.name for path in (machine.folder / "taken").iterdir()] == ["chris.ipynb"]


def test_an_answer_that_is_too_large_is_said_and_never_cut(machine, taken):
    large = machine.answer("anna")
    os.truncate(large, 32 * 2**20 + 1)
    os.truncate(machine.answer("ben"), 32 * 2**20)
    machine.answer("chris")
    said = machine.run("take", "sheet.ipynb", "taken", code=1)
    assert said[-1] == "anna: not taken, larger than 32 MB" and "ben: taken" in said and taken() == "my answer"
    assert sorted(path.name for path in (machine.folder / "taken").iterdir()) == ["ben.ipynb", "chris.ipynb"]


def test_an_answer_that_was_taken_stays_until_another_takes_its_place(machine):
    path = machine.answer("anna")
    machine.run("take", "sheet.ipynb", "taken")
    path.chmod(0)
    machine.run("take", "sheet.ipynb", "taken", code=1)
    assert (machine.folder / "taken" / "anna.ipynb").read_text() == "my answer"


@in_the_way
def test_what_has_the_name_of_a_page_stays_and_is_said(machine, what):
    path = machine.folder / "home-anna" / "attention-course" / "week.html"
    ODD[what](path)
    machine.theirs(path)
    before = path.lstat().st_ino
    machine.pages("anna", "chris")
    said = machine.run("return", "feedback", "week.html", code=1)
    assert said == ["chris: returned", "anna: not returned, week.html is there and is no file"]
    assert path.lstat().st_ino == before and not path.with_name("anywhere").exists()
    assert (machine.folder / "home-chris" / "attention-course" / "week.html").read_text() == "for chris"


@in_the_way
def test_what_has_the_name_of_a_sheet_is_said(machine, what):
    path = machine.folder / "home-anna" / "attention-course" / "sheet.ipynb"
    ODD[what](path)
    machine.theirs(path)
    said = machine.run("give", "sheet.ipynb", code=1)
    assert said[-1] == "anna: not given, sheet.ipynb is there and is no file" and "chris: given" in said
    assert not path.with_name("anywhere").exists()


@pytest.mark.parametrize("words", ROUNDS)
@pytest.mark.parametrize("mode", [0, 0o500])
def test_a_folder_without_permissions_stops_nobody(machine, words, mode):
    machine.answer("chris")
    machine.pages("anna", "chris")
    course = machine.folder / "home-anna" / "attention-course"
    course.chmod(mode)
    if words[0] == "take" and mode:
        assert "anna: has none" in machine.run(*words)  # the folder can still be read
        return
    said = machine.run(*words, code=1)
    assert said[-1].startswith("anna: not ") and said[-1].endswith(", Permission denied")
    assert {"chris: has one", "chris: taken", "chris: returned"} & {*said}
    course.chmod(0o755)
    assert [*course.iterdir()] == []


@pytest.mark.parametrize("words", ROUNDS)
def test_a_disk_that_is_full_leaves_no_part_of_a_file(machine, words):
    """If `cat` and `head` fail as on a full disk, in the home of `full`, no half-written file is left."""
    machine.answer("chris")
    machine.home("full")
    machine.answer("full") if words[0] == "take" else None
    machine.pages("chris", "full")
    for name in ("cat", "head"):
        program = machine.folder / "bin" / name
        program.write_text(f"""#!/bin/sh
case "$PWD" in *home-full*) echo half; echo "{name}: write error: No space left on device" >&2; exit 1 ;; esac
exec /usr/bin/env -i PATH=/usr/bin:/bin {name} "$@"
""")
        program.chmod(0o755)
    said = machine.run(*words, code=1)
    assert said[-1].startswith("full: not ") and said[-1].endswith(", No space left on device")
    names = [path.name for path in (machine.folder / "home-full" / "attention-course").iterdir()]
    assert names == (["sheet.ipynb"] if words[0] == "take" else [])
    assert not (machine.folder / "taken" / "full.ipynb").exists()


@pytest.mark.timed
@pytest.mark.parametrize("words", ROUNDS)
def test_a_student_whose_disk_does_not_answer_is_left_out(machine, words):
    machine.home("slow")
    machine.answer("teacher")
    machine.pages("chris", "slow")
    said = machine.run(*words, code=1, PATIENCE="2")  # normally one student takes a fiftieth of a second
    assert said[-1].startswith("slow: not ") and said[-1].endswith(", no answer within 2 seconds")
    assert {"teacher: has one", "teacher: teaches", "chris: returned"} & {*said}


@pytest.mark.parametrize("words", ROUNDS)
def test_a_home_of_nobody_and_one_that_is_a_link_are_said(machine, words):
    machine.home("ghost")
    (machine.folder / "home-link").symlink_to(machine.folder / "home-anna")
    (machine.folder / "home-gone").symlink_to(machine.folder / "nowhere")
    (machine.folder / "home-backup.tar").touch()  # not a home: a file
    machine.answer("chris")
    machine.pages("chris", "ghost", "link", "gone", "backup.tar")
    said = machine.run(*words, code=1)
    assert {"chris: has one", "chris: taken", "chris: returned"} & {*said}
    failed = [line for line in said if ": not " in line and "not yet" not in line]
    reasons = {line.split(":")[0]: line.split(", ", 1)[1] for line in failed}
    assert reasons.pop("backup.tar", None) == ("nobody has this name" if words[0] == "return" else None)
    link = "the home is a link; HOMES can name the place that it leads to"
    assert reasons == {"ghost": "user jupyter-ghost does not exist", "link": link, "gone": link}


def test_names_may_hold_spaces_and_odd_characters(bare):
    names = ["-rf", "$(touch x)", "a b", "a*", "anna.b", "esc\x1b[31m", "étudiante"]
    for name in names:
        bare.home(name)
    bare.run("give", "sheet.ipynb")
    said = bare.run("take", "sheet.ipynb", "taken")
    assert "a b: taken" in said and "esc?[31m: taken" in said
    assert {path.stem for path in (bare.folder / "taken").iterdir()} == {*names}
    bare.pages(*names)
    assert len(bare.run("return", "feedback", "week 2.html")) == len(names)
    for name in names:
        assert (bare.folder / f"home-{name}" / "attention-course" / "week 2.html").read_text() == f"for {name}"
    assert not [*bare.folder.rglob("x")]


def test_a_name_is_that_of_a_file_in_the_folder_of_the_course(machine):
    machine.pages("anna")
    for words in (("take", "../.bashrc", "taken"), ("return", "feedback", "../../x.html")):
        (line,) = machine.run(*words, code=2)
        assert "is no name" in line

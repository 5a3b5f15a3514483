"""Test that names and texts of students are printable wherever shown, and that no two students become one."""

import os
import re
import sys
import unicodedata

import pytest
from grading import grade
from grading.feedback import file_names
from grading.findings import sentences
from nb.files import COURSE

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="such names, and links, need another system")


NAMES = {  # file name as bytes -> the student's name as shown
    b"mallory\xff.ipynb": "mallory\\udcff",
    b"mal\nlory.ipynb": "mal lory",
    b"mal\x1b[31mlory.ipynb": "mal\\x1b[31mlory",
    "mal\u202elory.ipynb".encode(): "mal\\u202elory",
    b"=mallory.ipynb": "'=mallory",
    b"mallory;=1+1.ipynb": "mallory;'=1+1",
    "＝mallory.ipynb".encode(): "'＝mallory",
    b"con.ipynb": "con",
    b"a\\..\\b.ipynb": "a\\..\\b",
    b" .ipynb": "(no name)",
    b"anna .ipynb": "anna (2)",
    "Zoë Müller-O’Brien.ipynb".encode(): "Zoë Müller-O’Brien",
    "王小明.ipynb".encode(): "王小明",
    "عمر.ipynb".encode(): "عمر",
    "می\u200cخواهم.ipynb".encode(): "می\u200cخواهم",
    b"anna@example.org.ipynb": "anna@example.org",
}


@needs_links
@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_name_is_shown_as_it_can_be(submitted, name):
    """Real names are shown unchanged, control characters are escaped, and no student gets another's name."""
    with open(os.fsencode(submitted.folder) + b"/" + name, "wb") as file:
        file.write(submitted.data)
    [row] = submitted.grade()[0].values()
    assert (row["student"], row["status"]) == (NAMES[name], "passed")
    rows = {row["identifier"]: row for row in submitted.table("students.csv")}
    assert rows.keys() == {"anna", "zoe", NAMES[name]} and (submitted.folder / rows[NAMES[name]]["feedback"]).is_file()


@needs_links
def test_two_that_look_the_same_are_two(submitted):
    for name in (b"ben\x1b", b"ben\\x1b", b"be n", b"be\nn", b"be\tn"):
        with open(os.fsencode(submitted.folder) + b"/" + name + b".ipynb", "wb") as file:
            file.write(submitted.data)
    rows, lines = submitted.grade()
    names = {"be n", "be n (2)", "be n (3)", "ben\\x1b", "ben\\x1b (2)"}
    assert {row["student"] for row in rows.values()} == names and len(rows) == 5
    assert {row["identifier"] for row in submitted.table("students.csv")} == {"anna", "zoe", *names}
    assert sum(line.startswith("be") for line in lines) == 5


def test_pages_differ_by_more_than_large_and_small_letters():
    names = file_names(["Anna", "anna", "anna (2)", "jose\u0301", "josé", "a/b", "a:b", ".."])
    assert names["Anna"] == "Anna" and names["anna"] == "anna (3)" and names["anna (2)"] == "anna (2)"
    assert len({unicodedata.normalize("NFC", name).lower() for name in names.values()}) == 8
    assert not any(set(name) & set("/:") or name.startswith(".") for name in names.values())


@needs_links
def test_a_page_that_cannot_be_written_costs_nobody_else_theirs(submitted):
    name = "m" * 248  # with ".ipynb" close to the longest file name the system takes
    submitted.put(f"{name}.ipynb")
    (submitted.folder / "feedback" / "ben.html").mkdir(parents=True)
    submitted.put("ben.ipynb")
    _, lines = submitted.grade()
    rows = {row["identifier"]: row["feedback"] for row in submitted.table("students.csv")}
    assert rows[name] == "not written: File name too long" and rows["ben"] == "not written: Is a directory"
    assert (submitted.folder / rows["anna"]).is_file() and (submitted.folder / rows["zoe"]).is_file()
    assert max(map(len, lines)) < 400 and any("feedback/ben.html could not be written" in line for line in lines)


@needs_links
def test_nothing_is_written_through_a_link(submitted):
    """Grading replaces links in the folder; students who can write there could point them at a teacher's file."""
    mine = submitted.folder.parent / "mine"
    mine.write_text("mine")
    (submitted.folder / "feedback").mkdir()
    for name in ("grades.csv", "students.csv", "feedback/anna.html"):
        (submitted.folder / name).symlink_to(mine)
    submitted.grade()
    assert mine.read_text() == "mine" and (submitted.folder / "feedback" / "anna.html").is_file()


@needs_links
def test_no_page_goes_to_a_folder_elsewhere(submitted):
    (submitted.folder.parent / "elsewhere").mkdir()
    (submitted.folder / "feedback").symlink_to("../elsewhere")
    _, lines = submitted.grade()
    assert not any((submitted.folder.parent / "elsewhere").iterdir())
    assert any("feedback/anna.html could not be written" in line and "feedback is a link" in line for line in lines)


def test_a_student_called_like_a_table(submitted):
    submitted.put("grades.csv/x.ipynb")
    lines = grade.grade(submitted.folder).lines
    assert {row["identifier"] for row in submitted.table("students.csv")} == {"anna", "zoe", "grades.csv"}
    assert any(line.startswith("grades.csv could not be written") for line in lines)


HOSTILE_WORDS = "red \x1b[31m \ud800 \u202e\nzoe.ipynb,scores,failed"


@pytest.mark.parametrize("key", ["message", "mistake", "tried", "hints", "also"])
def test_what_is_said_is_printable_wherever_it_is_shown(submitted, key):
    words = [HOSTILE_WORDS] if key in ("tried", "hints", "also") else HOSTILE_WORDS
    submitted.put("mallory.ipynb", **{key: words})
    rows, lines = submitted.grade()
    assert rows["mallory.ipynb"]["mistake"] == "" and len(rows) == 1
    page = (submitted.folder / "feedback" / "mallory.html").read_text("utf-8")
    assert not any(char in page for char in "\x1b\u202e")
    if key in ("message", "tried", "hints"):
        assert r"red \x1b[31m \ud800 \u202e zoe.ipynb" in page


def test_a_mistake_is_one_that_the_check_knows(submitted):
    for name, mistake in {"ben": "no-such-mistake", "mallory": "keys-not-transposed"}.items():
        submitted.put(f"{name}.ipynb", mistake=mistake)
    assert [row["mistake"] for row in submitted.grade()[0].values()] == ["", "keys-not-transposed"]


def test_every_mistake_that_a_check_has_named_is_known():
    """The mistakes that checks name in the recorded answers must have a sentence in `sentences`."""
    head = re.compile(r"^# %% wrong: ([a-z0-9-]+(?: \+ [a-z0-9-]+)*)$", re.MULTILINE)
    files = COURSE.glob("lessons/*/answers/*.py")
    heads = [(path.stem, ids) for path in files for ids in head.findall(path.read_text("utf-8"))]
    named = {(name, id) for name, ids in heads for id in ids.split(" + ")}
    assert len(named) > 20 and [(name, id) for name, id in named if id not in sentences(name)] == []


def test_an_answer_with_two_mistakes_counts_once_for_each(submitted):
    two = {"mistake": "scaled-too-early", "also": ["last-left-out", "scaled-too-early"], "message": "First: …"}
    for name, made in {"ben": {"mistake": "last-left-out"}, "chris": two, "dora": two}.items():
        submitted.put(f"{name}.ipynb", **made)
    rows, lines = submitted.grade()
    assert [row["mistake"] for row in rows.values()] == ["last-left-out", "scaled-too-early", "scaled-too-early"]
    counted = [line.split(". ")[0] for line in lines if " of 5  " in line]
    assert counted == ["3 of 5  scores: last-left-out", "2 of 5  scores: scaled-too-early"]


def test_nobody_speaks_for_others_below_the_table(submitted):
    """The text of a mistake comes from the exercise, or else is the message that most students got."""
    for name, words in {"ben": "A.", "chris": "A.", "mallory": "B."}.items():
        for mistake in ("random", "last-left-out"):
            submitted.put(f"{name}/{mistake}.ipynb", mistake=mistake, message=words)
    _, lines = submitted.grade()
    assert {"3 of 8  scores: random. A.", "3 of 8  scores: last-left-out. The last key has no score."} <= {*lines}

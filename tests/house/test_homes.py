"""Test homes.sh: it gives a sheet to every home, takes answers and returns pages, always as the home's own user."""

import sys

import pytest
from homes import ROUNDS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what a hub's machine runs")


def test_a_sheet_is_given_once_and_never_over_an_answer(machine):
    said = machine.run("give", "sheet.ipynb")
    assert said[:3] == ["anna: given", "ben: given", "chris: given"] and said[3].startswith("new: not yet;")
    mine = machine.answer("anna")
    machine.theirs(machine.folder / "home-new").joinpath("attention-course").mkdir()
    machine.theirs(machine.folder / "home-new" / "attention-course")
    again = ["anna: has one", "ben: has one", "chris: has one", "new: given", "teacher: has one"]
    assert machine.run("give", "sheet.ipynb") == again and mine.read_text() == "my answer"
    assert set((machine.folder / "calls").read_text().split()) == {
        f"jupyter-{name}" for name in ("anna", "ben", "chris", "new", "teacher")
    }


def test_reasons_are_in_english_whatever_the_language_of_the_machine(machine):
    machine.variables |= {"LANG": "zh_CN.UTF-8", "LC_ALL": "zh_CN.UTF-8", "LANGUAGE": "zh"}
    machine.run("give", "sheet.ipynb")
    assert set((machine.folder / "calls-language").read_text().splitlines()) == {"C.UTF-8 "}


def test_what_students_made_of_it_is_taken_into_a_folder_for_the_teacher_alone(machine):
    for name in ("anna", "chris", "teacher"):
        machine.answer(name)
    said = ["anna: taken", "ben: has none", "chris: taken", "new: has none", "teacher: teaches"]
    assert machine.run("take", "sheet.ipynb", "taken") == said
    folder = machine.folder / "taken"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.read_text() for path in folder.iterdir()} == dict.fromkeys(
        ("anna.ipynb", "chris.ipynb"), "my answer"
    )


def test_each_student_gets_their_own_page_in_place_of_an_older_one(machine):
    machine.pages("anna", "zoe")
    machine.answer("anna", "an older page", "week.html")
    said = ["anna: returned", "zoe: not returned, nobody has this name"]
    assert machine.run("return", "feedback", "week.html", code=1) == said
    course = machine.folder / "home-anna" / "attention-course"
    assert [(path.name, path.read_text()) for path in course.iterdir()] == [("week.html", "for anna")]
    assert not (machine.folder / "home-ben" / "attention-course" / "week.html").exists()


@pytest.mark.parametrize("words", [(), ("give",), ("take", "a"), ("give", "absent.ipynb"), ("return", "bin", "a.html")])
def test_what_is_missing_is_said(machine, words):
    (line,) = machine.run(*words, code=2)
    assert "notebooks.py" in line or "see the guide, deploy/hub/README.md" in line


@pytest.mark.parametrize("words", ROUNDS)
def test_a_machine_without_homes_is_an_error(bare, words):
    bare.pages("anna")
    (line,) = bare.run(*words, code=2)
    assert line.startswith("There is no home") and not (bare.folder / "taken").exists()


@pytest.mark.parametrize("words", [("take", "sheet.ipynb", "target"), ("return", "target", "week.html")])
class TestTheFolderThatRootUses:
    """The folder that root reads or writes must be one in which no student can create a link."""

    @pytest.fixture
    def target(self, machine):
        machine.pages("anna")
        machine.answer("anna")
        return (machine.folder / "feedback").rename(machine.folder / "target")

    def refused(self, machine, words):
        (line,) = machine.run(*words, code=2)
        assert "/root/week_2" in line or "is a link" in line
        assert not [*machine.folder.rglob("anna.ipynb")] and not [*machine.folder.glob("home-*/*/week.html")]

    def test_its_owners_own_is_taken(self, machine, words, target):
        machine.run(*words)

    def test_a_link_is_refused(self, machine, words, target):
        target.rename(machine.folder / "elsewhere")
        target.symlink_to("elsewhere")
        self.refused(machine, words)

    def test_one_that_others_may_write_to_is_refused(self, machine, words, target):
        target.chmod(0o777)
        self.refused(machine, words)
        target.chmod(0o1777)
        self.refused(machine, words)

    def test_one_below_a_folder_that_others_may_write_to_is_refused(self, machine, words, target):
        machine.folder.chmod(0o777)
        self.refused(machine, words)

    @pytest.mark.needs_root
    def test_somebody_elses_is_refused(self, machine, words, target):
        machine.theirs(target)
        self.refused(machine, words)

    @pytest.mark.needs_root
    def test_one_in_a_home_is_refused(self, machine, words, target):
        inside = target.rename(machine.folder / "home-ben" / "target")
        self.refused(machine, [str(inside) if word == "target" else word for word in words])


def test_a_link_in_the_folder_is_replaced_and_not_followed(machine):
    machine.answer("anna")
    machine.mkdir(machine.folder / "taken")
    secret = machine.folder / "secret"
    secret.write_text("of root")
    (machine.folder / "taken" / "anna.ipynb").symlink_to(secret)
    machine.run("take", "sheet.ipynb", "taken")
    assert secret.read_text() == "of root"
    assert (machine.folder / "taken" / "anna.ipynb").read_text() == "my answer"


def test_a_page_that_is_a_link_is_handed_to_nobody(machine):
    machine.pages("chris")
    (machine.folder / "feedback" / "anna.html").symlink_to("/etc/passwd")
    said = machine.run("return", "feedback", "week.html", code=1)
    assert said == ["chris: returned", "anna: not returned, the page is a link or no file"]
    assert not (machine.folder / "home-anna" / "attention-course" / "week.html").exists()


def test_a_folder_with_a_students_name_in_the_way_is_said(machine):
    machine.answer("anna")
    machine.answer("chris")
    machine.mkdir(machine.folder / "taken" / "anna.ipynb")
    said = machine.run("take", "sheet.ipynb", "taken", code=1)
    assert said[-1].startswith("anna: not taken, ") and "directory" in said[-1] and "chris: taken" in said

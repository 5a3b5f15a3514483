"""Test that anything odd in the folder of submissions gives its student a row, and does not affect the others."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from grading import archives, submissions
from nb.files import NotebookError
from nb.format import parse_notebook

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes need another system")


# What stands in place of a notebook -> (function that puts it into the folder, part of the message).
LINK = "It is a link"
NO_NOTEBOOKS = {
    "a pipe": (lambda folder: os.mkfifo(folder / "mallory.ipynb"), "a pipe, a socket or a device"),
    "a link to a device": (lambda folder: (folder / "mallory.ipynb").symlink_to("/dev/zero"), LINK),
    "a dangling link": (lambda folder: (folder / "mallory.ipynb").symlink_to("nowhere"), LINK),
    "a link to itself": (lambda folder: (folder / "mallory.ipynb").symlink_to("mallory.ipynb"), LINK),
    "a link to another's": (lambda folder: below(folder, "x.ipynb").symlink_to("../anna.ipynb"), LINK),
    "a link to another's folder": (lambda folder: (folder / "mallory").symlink_to("ben"), LINK),
    "a link that leaves": (lambda folder: below(folder, "week").symlink_to(folder.parent), LINK),
    "a folder": (lambda folder: shutil.copytree(folder / "ben", folder / "mallory.ipynb"), "It is a folder"),
    "2 GB": (lambda folder: os.truncate(touched(folder), 2 * 2**30), "larger than 20 MB"),
    "brackets": (lambda folder: touched(folder).write_bytes(b"[" * 100_000), "is not JSON"),
    "UTF-16": (lambda folder: touched(folder).write_bytes("{}".encode("utf-16")), "as UTF-16: save it as UTF-8"),
}


def touched(folder):
    (folder / "mallory.ipynb").touch()
    return folder / "mallory.ipynb"


def below(folder, name):
    (folder / "mallory").mkdir()
    return folder / "mallory" / name


@needs_links
@pytest.mark.parametrize("what", NO_NOTEBOOKS)
def test_what_is_no_notebook_is_said_of_its_student_alone(submitted, what):
    make, words = NO_NOTEBOOKS[what]
    submitted.put("ben/x.ipynb"), submitted.put("../x.ipynb")
    make(submitted.folder)
    rows, lines = submitted.grade()
    [row] = [row for row in rows.values() if row["student"] != "ben"]
    assert (row["student"], row["status"]) == ("mallory", "unreadable") and words in row["message"]
    assert (submitted.folder / "feedback" / "mallory.html").exists()


@pytest.mark.parametrize("depth", [600 if sys.version_info < (3, 12) else 3000, 100_000])
def test_brackets_deep_in_a_notebook_are_no_crash(submitted, depth):
    """Deep nesting raises NotebookError: the first depth breaks the notebook's validation, 100,000 the JSON parser."""
    made = submitted.data.decode().replace('"metadata": {}', f'"metadata": {{"a": {"[" * depth}{"]" * depth}}}')
    with pytest.raises(NotebookError, match="brackets inside brackets"):
        parse_notebook(made.encode())


@pytest.mark.skipif(sys.platform != "linux", reason="Linux has files that hold more than their size says")
def test_what_grows_is_not_read_to_its_end(monkeypatch):
    monkeypatch.setattr(submissions, "LARGEST", 100)
    assert Path("/proc/cpuinfo").stat().st_size == 0
    entry = submissions.Entry("cpuinfo.ipynb", "/proc/cpuinfo", None)
    with pytest.raises(archives.Unreadable, match="larger than"):
        submissions._Student()._read(entry)


@needs_links
def test_what_may_not_be_read_is_said(submitted):
    """Unreadable files and folders are reported; root can read everything, so root tests as another user."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # other users cannot enter pytest's own folders
        os.chmod(folder, 0o755)
        for name in ("ben.ipynb", "mallory/x.ipynb"):
            Path(folder, name).parent.mkdir(exist_ok=True)
            Path(folder, name).write_bytes(submitted.data)
            Path(folder, name).chmod(0)
        Path(folder, "mallory").chmod(0)
        own = os.geteuid()
        os.seteuid(own or 65534)
        try:
            found = submissions.read_submissions(folder)
        finally:
            os.seteuid(own)
        Path(folder, "mallory").chmod(0o700)
    assert [(one.student, one.data, one.why) for one in found] == [
        ("ben", None, "The file cannot be read (Permission denied)."),
        ("mallory", None, "The folder cannot be read (Permission denied)."),
    ]


@needs_links
def test_folders_deeper_than_any_path(submitted):
    """Folders nested deeper than Python's recursion limit, with a path too long for the system, are only reported."""
    here = os.getcwd()
    try:
        os.chdir(submitted.folder)
        for name in ["mallory", *["down"] * 1500]:
            os.mkdir(name)
            os.chdir(name)
    finally:
        os.chdir(here)
    try:
        rows, _ = submitted.grade()
    finally:
        subprocess.run(["rm", "-rf", submitted.folder / "mallory"], check=True)
    [row] = rows.values()
    assert row["student"] == "mallory" and "The folder cannot be read (File name too long)" in row["message"]
    assert len(row["file"]) <= submissions.LONGEST


@pytest.mark.parametrize(("limit", "most", "graded"), [("MOST", 2, 2), ("ROOM", 0, 1)])
def test_so_many_notebooks_of_one_student_and_no_more(submitted, monkeypatch, limit, most, graded):
    monkeypatch.setattr(submissions, limit, most)
    for name in "abcd":
        submitted.put(f"mallory/{name}.ipynb")
    rows, _ = submitted.grade()
    passed, others = list(rows.values())[:graded], list(rows.values())[graded:]
    assert {row["status"] for row in passed} == {"passed"} and others
    assert all(row["status"] == "unreadable" and "no more than" in row["message"] for row in others)


def test_pages_of_an_earlier_grading_are_nobodys(submitted):
    submitted.grade()
    submitted.put("feedback/x.ipynb")
    (submitted.folder / ".hidden.ipynb").write_bytes(b"")
    rows, _ = submitted.grade()
    assert not rows and not (submitted.folder / "feedback" / "feedback.html").exists()

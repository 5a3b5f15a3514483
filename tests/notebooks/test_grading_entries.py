"""Test that each entry of the folder of submissions has its row, and that a hostile archive costs its student alone."""

import io
import stat
import struct
import tracemalloc
import zipfile

import pytest
from grading import archives, grade, submissions
from grading.submissions import read_submissions
from hand_ins import stored, zipped

WANTED = "hand in the notebook itself, the file whose name ends in .ipynb."
PNG = b"\x89PNG\r\n\x1a\n"


def packed(*members, method=zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return file.getvalue()


def locked(data: bytes) -> bytes:
    flags = {b"PK\x03\x04": 6, b"PK\x01\x02": 8}
    for start, at in flags.items():
        place = data.index(start) + at
        data = data[:place] + struct.pack("<H", 1) + data[place + 2 :]
    return data


def link_to(target: str) -> tuple:
    info = zipfile.ZipInfo("sheet.ipynb")
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info, target


ENTRIES = {  # path in the folder -> (its content, None for a folder; the status of its row, and part of the message)
    "a01.ipynb": (stored(), "passed", ""),
    "a02/sheet.ipynb": (stored(), "passed", ""),
    "a03/week 2/deep/sheet.ipynb": (stored(), "passed", ""),
    "a08.zip": (zipped("sheet.ipynb"), "passed", ""),
    "a09/hand in.ZIP": (zipped("week 2/sheet.ipynb", "week 2/more.ipynb"), "passed", ""),
    "a10.ipynb": (zipped("sheet.ipynb"), "passed", ""),  # an archive under another name
    "a11.zip": (packed(("inner.zip", zipped("sheet.ipynb"))), "passed", ""),
    "a12/Sheet (1).ipynb": (stored(), "passed", ""),
    "b01.py": (b"# %%\nprint(1)\n", "unreadable", f"It is a Python program, and no notebook: {WANTED}"),
    "b02.html": (b"<!DOCTYPE html><html></html>", "unreadable", "It is a web page"),
    "b03.pdf": (b"%PDF-1.7\n", "unreadable", "It is a PDF"),
    "b04.docx": (packed(("word/document.xml", "<x/>")), "unreadable", "It is a document of a word processor"),
    "b05.txt": (b"my answers", "unreadable", "It is a text"),
    "b06.ipynb": (b"\n<html>Sign in to see this page</html>", "unreadable", "It is a web page"),
    "b07.ipynb": (b"", "unreadable", "It is an empty file"),
    "b08.ipynb": (b'{"cells": "don\x92t"', "unreadable", "is not UTF-8 (byte 0x92 at 14): save it as UTF-8"),
    "b09.rar": (b"Rar!\x1a\x07", "unreadable", "It is an archive that is no zip"),
    "b10.png": (PNG, "unreadable", "It is a picture"),
    "b11": (b"\0\1\2", "unreadable", "It is a file of another kind"),
    "b12/": (None, "unreadable", f"The folder is empty: {WANTED}"),
    "b13/sheet.py": (b"print(1)", "unreadable", "no notebook in the folder, only sheet.py (a Python program): hand in"),
    "b14/week 2/": (None, "unreadable", "The folder is empty"),
    "b15.zip": (packed(("x/a.pdf", b"%PDF"), ("b.py", "1")), "unreadable", "b.py (a Python program), x/a.pdf (a PDF)"),
    "b16.zip": (packed(), "unreadable", "The archive is empty"),
    "b17/hand in.zip": (packed(("a.pdf", b"%PDF")), "unreadable", "only hand in.zip/a.pdf (a PDF)"),
    "b18/students.csv": (b"a,b", "unreadable", "students.csv (a spreadsheet or a table)"),
}  # fmt: skip


def put(folder, path: str, data: bytes | None):
    where = folder / path
    (where if data is None else where.parent).mkdir(parents=True, exist_ok=True)
    if data is not None:
        where.write_bytes(data)


def test_each_entry_has_its_row(submitted):
    for path, (data, _, _) in ENTRIES.items():
        put(submitted.folder, path, data)
    rows, lines = submitted.grade()
    by_student = {}
    for row in rows.values():
        by_student.setdefault(row["student"], []).append(row)
    assert [*by_student] == [path[:3] for path in ENTRIES]
    for path, (_, status, words) in ENTRIES.items():
        for row in by_student[path[:3]]:
            assert row["status"] == status and words in row["message"], row
        assert (submitted.folder / "feedback" / f"{path[:3]}.html").exists()
    assert len(rows) == len(ENTRIES) + 1  # one archive holds two notebooks
    assert lines[lines.index("Not read:") + 1].startswith("b01.py: It is a Python program, and no notebook: hand in")
    points = {row["identifier"]: row["points"] for row in submitted.table("students.csv")}
    assert points.items() >= {path[:3]: "1" if entry[1] == "passed" else "0" for path, entry in ENTRIES.items()}.items()


def test_what_stands_beside_a_notebook_needs_no_row(submitted):
    """Other files of a student's folder cost nothing; but a second entry of the folder of submissions has its row."""
    for name in ("ben/sheet.ipynb", "ben/notes.txt", "ben/data.zip", "ben.pdf"):
        put(submitted.folder, name, {"t": b"text", "p": packed(("a.csv", "1")), "f": b"%PDF"}.get(name[-1], stored()))
    rows, _ = submitted.grade()
    assert {(row["student"], row["file"], row["status"]) for row in rows.values()} == {
        ("ben", "ben/sheet.ipynb", "passed"),
        ("ben", "ben.pdf", "unreadable"),
    }


def test_where_nobody_hands_in_a_notebook_the_reasons_are_said(submitted):
    for path in submitted.folder.iterdir():
        path.unlink()
    put(submitted.folder, "ben.pdf", b"%PDF")
    with pytest.raises(grade.NotebookError, match="(?s)none of the notebooks.*ben.pdf: It is a PDF"):
        grade.grade(submitted.folder)


@pytest.mark.parametrize("ending", ["ipynb", "IPYNB", "ipynb.txt", "zip", "tar.gz", "html"])
def test_a_student_is_called_by_the_name_without_endings(tmp_path, ending):
    put(tmp_path, f"anna.b@example.org.{ending}", stored())
    assert [submission.student for submission in read_submissions(tmp_path)] == ["anna.b@example.org"]


LARGEST = 2**20  # stands in for submissions.LARGEST
BOMB = packed(("sheet.ipynb", b"0" * (LARGEST + 1)))
DEEP = packed(("d.zip", packed(("e.zip", packed(("f.zip", zipped("sheet.ipynb")))))))
HOSTILE = {  # an archive that does harm -> (a function that makes it, part of the message)
    "a bomb": (lambda: BOMB, "The file is larger than 20 MB"),
    "bombs in an archive": (lambda: packed(*((f"{i}.zip", BOMB) for i in range(60))), "no more than 40"),
    "a path that leaves": (lambda: packed(("../anna.ipynb", stored())), archives.LEAVES),
    "a path from the root": (lambda: packed(("/etc/sheet.ipynb", stored())), archives.LEAVES),
    "a link": (lambda: packed(link_to("/etc/passwd")), "It is a link in an archive"),
    "a password": (lambda: locked(zipped("sheet.ipynb")), archives.LOCKED),
    "archives in archives": (lambda: DEEP, submissions.TOO_DEEP),
    "another method": (lambda: packed(("sheet.ipynb", stored()), method=zipfile.ZIP_LZMA), archives.PACKED),
    "many files": (lambda: packed(*((f"{i}", "") for i in range(archives.MOST_FILES + 1))), archives.MANY),
    "many notebooks": (lambda: zipped(*(f"{i:03}.ipynb" for i in range(100))), "no more than 40"),
    "cut in the middle": (lambda: zipped("sheet.ipynb")[:-30], "The archive cannot be opened (BadZipFile)"),
    "a wrong sum": (
        lambda: zipped("sheet.ipynb").replace(b"sheet.ipynb", b"other.ipynb", 1),
        "The archive cannot be opened",
    ),
    "a beginning alone": (lambda: b"PK\x03\x04" + bytes(100), "The archive cannot be opened (BadZipFile)"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_an_archive_that_does_harm_costs_its_student_alone(submitted, monkeypatch, what):
    monkeypatch.setattr(submissions, "LARGEST", LARGEST)
    data, words = HOSTILE[what]
    put(submitted.folder, "mallory.zip", data())
    rows, _ = submitted.grade()  # anna and zoe have passed
    assert {row["student"] for row in rows.values()} == {"mallory"} and len(rows) <= submissions.MOST + 1
    assert words in list(rows.values())[-1]["message"]
    there = sorted(path.name for path in submitted.folder.iterdir())
    assert there == ["anna.ipynb", "feedback", "grades.csv", "mallory.zip", "students.csv", "zoe.ipynb"]
    assert not (submitted.folder.parent / "anna.ipynb").exists()


def test_a_bomb_is_not_unpacked_whole():
    [member] = archives.members(packed(("sheet.ipynb", b"0" * 10**7)))
    tracemalloc.start()
    try:
        assert len(member.read(1000)) == 1000 and tracemalloc.get_traced_memory()[1] < 10**6
    finally:
        tracemalloc.stop()

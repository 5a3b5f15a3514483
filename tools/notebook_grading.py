"""Grade a folder of submitted notebooks: each in a process of its own, the findings in tables and on pages."""

import csv
import io
import json
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import grading_process
import notebook_points
from notebook_feedback import page
from notebook_files import NotebookError, shown, write_atomically
from tqdm import tqdm

from course_utils import course
from course_utils.checks import words

TABLE, STUDENTS, PAGES = "grades.csv", "students.csv", "feedback"
MARK = "\ufeff".encode()  # by which a spreadsheet knows UTF-8; learning platforms stumble over it
MARKS = {"passed": "passed", "not attempted": "-"}
FOUND = ("passed", "failed", "not attempted")
BEST_FIRST = (*FOUND, "broke off", "not reached", "missing", "unreadable")
LARGEST = 20 * 2**20  # bytes of a notebook; one with all results of the course has two million
LONGEST = 5000  # characters of anything said about an answer


class Row(NamedTuple):
    """What a student did in one exercise. tried, hints: lines that the check said besides its message."""

    student: str
    file: str
    exercise: str
    status: str
    mistake: str
    message: str
    tried: tuple = ()
    hints: tuple = ()


def grade(folder, points=None, image=None):
    """Grade the notebooks below a folder, write tables and pages there, and return a line for each thing to be told.

    A notebook is student.ipynb, or lies anywhere in a folder named after the student. points: the path of a table that
    says what is graded and what it is worth. image: the container image to run each notebook in.
    Errors: NotebookError if there is no notebook, no check in any, a table that cannot be used, or no container.
    """
    folder, table = Path(folder), notebook_points.read(points) if points else {}
    paths = [path for path in folder.rglob("*.ipynb") if not _hidden(path.relative_to(folder))]
    if not paths:
        raise NotebookError(
            f"{shown(folder)} holds no notebooks: put each student's there, as name.ipynb or in a folder name/."
        )
    files = {path.relative_to(folder).as_posix(): path for path in paths}
    way = grading_process.find_way(image)
    findings = _graded({name: _bytes(files[name]) for name in sorted(files)}, way, tuple(table))
    asked = _in_order(name for found, _ in findings.values() for name in found[0].get("found", ()))
    worth = table or dict.fromkeys(asked, notebook_points.EACH)
    if not worth:
        raise NotebookError("In none of the notebooks is there a call of a check, such as `checks.scores(my_scores)`.")
    rows = [row for file, found in findings.items() for row in _rows(file, tuple(worth), *found)]
    best = _best(rows)
    write_atomically(folder / TABLE, MARK + _as_csv(Row._fields[:6], [row[:6] for row in rows]))
    write_atomically(folder / STUDENTS, _as_csv(*_students(best, worth)))
    for student, answers in best.items():
        write_atomically(folder / PAGES / f"{student}.html", page(student, answers, worth).encode())
    others = [name for name in asked if name not in worth]
    return [
        *_as_text(rows),
        *_most_frequent(rows),
        *([f"Not in {shown(points)}, and so not graded: {', '.join(others)}."] if others else []),
        way.words,
        f"Written to {shown(folder / TABLE)}, with the message that each answer got.",
        f"Written to {shown(folder / STUDENTS)}: the points, a line for each student, for a learning platform.",
        f"Written to {shown(folder / PAGES)}: a page for each student, to hand back.",
    ]


def _hidden(path):
    return any(part.startswith(".") for part in path.parts)


def _bytes(path):
    """What was handed in, or None for a file too large; all are read before any of them runs."""
    return path.read_bytes() if path.stat().st_size <= LARGEST else None


def _graded(notebooks, way, exercises):
    """For each file, what the grader found: a dict for each line, and a word on how it ended, or None."""

    def one(numbered):
        number, data = numbered
        if data is None:
            return [{"unreadable": f"The file is larger than {LARGEST // 2**20} MB."}], None
        printed, how = grading_process.run(way, data, f"attention-grading-{os.getpid()}-{number}", exercises)
        return _understood(printed) or [{"unreadable": how or "The grader said nothing about it."}], how

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        work = pool.map(one, enumerate(notebooks.values()))
        done = list(tqdm(work, total=len(notebooks), unit="notebook", disable=None, leave=False))
    return dict(zip(notebooks, done, strict=True))


def _understood(printed):
    """The findings, as far as they have the form of findings: a stranger's code may have written between them."""
    findings = []
    for line in printed.splitlines():
        try:
            one = json.loads(line)
        except (ValueError, RecursionError):
            break  # cut off in the middle
        if not (_is_finding(one, findings) if findings else _is_first(one)):
            break
        findings.append(one)
    return findings


def _is_first(one):
    if not isinstance(one, dict):
        return False
    if "unreadable" in one:
        return _is_words(one["unreadable"])
    found, broken = one.get("found"), one.get("broken")
    return _are_words(found) and isinstance(broken, dict) and _are_words([*broken.values()])


def _is_finding(one, before):
    if not isinstance(one, dict) or one.get("exercise") not in before[0].get("found", ()):
        return False
    new = all(one["exercise"] != other.get("exercise") for other in before)
    lines = _are_words(one.get("tried")) and _are_words(one.get("hints"))
    return (
        new and one.get("status") in FOUND and _is_words(one.get("mistake")) and _is_words(one.get("message")) and lines
    )


def _is_words(value):
    return isinstance(value, str) and len(value) <= LONGEST


def _are_words(value):
    return isinstance(value, list) and len(value) <= 100 and all(map(_is_words, value))


def _in_order(names):
    """The names of exercises, each once, in the order of the notebooks."""
    wanted = set(names)
    return [name for one in course.notebooks() for name in one.exercises if name in wanted]


def _rows(file, exercises, findings, ending):
    """A row for every exercise that is graded."""
    parts = Path(file).parts
    student = parts[0] if len(parts) > 1 else Path(file).stem
    if "unreadable" in findings[0]:
        return [Row(student, file, name, "unreadable", "", findings[0]["unreadable"]) for name in exercises]
    found = [name for name in findings[0]["found"] if name in exercises]
    known = {one["exercise"]: one for one in findings[1:]}
    broke = next((name for name in found if name not in known), None)
    return [Row(student, file, name, *_one(name, found, findings[0], known, broke, ending)) for name in exercises]


def _one(name, found, first, known, broke, ending):
    """Status, mistake, message, and what else was said."""
    if name in known:
        one = known[name]
        return one["status"], one["mistake"], one["message"], tuple(one["tried"]), tuple(one["hints"])
    if name == broke:
        return "broke off", "", ending or "The grader stopped here."
    if name in found:
        return "not reached", "", f"Not tried: the notebook broke off before, at {broke}."
    cells = "".join(f" Python cannot read code cell {cell}: {why}." for cell, why in first["broken"].items())
    return "missing", "", f"No call of `checks.{name}` was found.{cells}"


def _best(rows):
    """student -> exercise -> row: of several notebooks of a student, the best answer to each exercise counts."""
    best = {}
    for row in sorted(rows, key=lambda row: (row.student, BEST_FIRST.index(row.status))):
        best.setdefault(row.student, {}).setdefault(row.exercise, row)
    return {student: {name: own[name] for name in _in_order(own)} for student, own in best.items()}


def _students(best, worth):
    """The head and the rows of the table of points: a line for each student, a column for each exercise."""
    head = ("identifier", "points", "maximum", "feedback", *worth)
    rows = []
    for student, answers in best.items():
        own = [worth[name] if answers[name].status == "passed" else 0 for name in worth]
        numbers = [notebook_points.written(number) for number in (sum(own), sum(worth.values()), *own)]
        rows.append((student, *numbers[:2], f"{PAGES}/{student}.html", *numbers[2:]))
    return head, rows


def _as_csv(head, rows):
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(head)
    table.writerows([_harmless(value) for value in row] for row in rows)
    return text.getvalue().encode("utf-8")


def _harmless(value):
    """A spreadsheet would run what begins like a formula."""
    return f"'{value}" if value[:1] in tuple("=+-@\t\r\n") else value


def _as_text(rows):
    """A table for the terminal: a line a notebook, a column an exercise."""
    exercises = list(dict.fromkeys(row.exercise for row in rows))
    lines = [["notebook", *exercises, "passed"]]
    for file in dict.fromkeys(row.file for row in rows):
        own = {row.exercise: row for row in rows if row.file == file}
        marks = [own[name].mistake or MARKS.get(own[name].status, own[name].status) for name in exercises]
        done = sum(row.status == "passed" for row in own.values())
        lines.append([file, *marks, f"{done} of {len(exercises)}"])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]


def _most_frequent(rows):
    """A line for each mistake, the most frequent first, with the first sentence of what the check said of it."""
    said = {(row.exercise, row.mistake): words.alone(row.message) for row in rows if row.mistake}
    counted = Counter((row.exercise, row.mistake) for row in rows if row.mistake).most_common()
    notebooks = len({row.file for row in rows})
    lines = [f"{count} of {notebooks}  {name}: {mistake}. {said[name, mistake]}." for (name, mistake), count in counted]
    return ["", "Mistakes, the most frequent first:", *lines, ""] if lines else []

"""Grade a folder of submitted notebooks: each in a process of its own, the findings in one table."""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from notebook_files import NotebookError, shown, write_atomically
from tqdm import tqdm

GRADER = Path(__file__).with_name("grade_submission.py")
SECONDS = 60  # for one notebook; a right one takes five
TABLE = "grades.csv"
MARKS = {"passed": "passed", "not attempted": "-"}


class Row(NamedTuple):
    """One line of the table: what a student did in one exercise."""

    student: str
    file: str
    exercise: str
    status: str
    mistake: str
    message: str


def grade(folder):
    """Grade the notebooks below a folder and write grades.csv there; return a line for each thing to be told.

    A notebook is student.ipynb, or lies anywhere in a folder named after the student.
    Errors: NotebookError if there is no notebook.
    """
    folder = Path(folder)
    found = sorted(path for path in folder.rglob("*.ipynb") if not _hidden(path.relative_to(folder)))
    if not found:
        raise NotebookError(
            f"{shown(folder)} holds no notebooks: put each student's there, as name.ipynb or in a folder name/."
        )
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        work = tqdm(pool.map(_findings, found), total=len(found), unit="notebook", disable=None, leave=False)
        findings = list(work)
    rows = _rows(folder, found, findings)
    write_atomically(folder / TABLE, _as_csv(rows))
    return [
        *_as_text(rows),
        *_most_frequent(rows),
        f"Written to {shown(folder / TABLE)}, with the message that each answer got.",
    ]


def _hidden(path):
    return any(part.startswith(".") for part in path.parts)


def _findings(path):
    """What the grader printed about one notebook, a dict for each line, and a word on how it ended, or None."""
    with tempfile.TemporaryDirectory() as elsewhere, tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(
            [sys.executable, str(GRADER), str(path.resolve())],
            cwd=elsewhere,  # what an answer writes goes with it
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(_paths())},
            start_new_session=True,  # so that what it starts ends with it
        )
        try:
            ended = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            ended = None
        finally:
            _end(process)
        printed.seek(0)
        lines = printed.read().decode("utf-8", "replace").splitlines()
    return _understood(lines), _how(ended)


def _paths():
    return [str(GRADER.parent), str(GRADER.parent.parent), *filter(None, [os.environ.get("PYTHONPATH")])]


def _end(process):
    """End the process and whatever it has started."""
    if hasattr(os, "killpg"):
        try:
            os.killpg(process.pid, 9)
        except ProcessLookupError:
            pass  # all of it has ended
    else:
        process.kill()
    process.wait()


def _understood(lines):
    findings = []
    for line in lines:
        try:
            findings.append(json.loads(line))
        except ValueError:
            break  # cut off in the middle
    return findings


def _how(ended):
    if ended == 0:
        return None
    if ended is None:
        return f"The notebook took longer than {SECONDS} seconds and was stopped here."
    return "The process that ran the notebook broke off here: a crash, or an exit that the code asked for."


def _rows(folder, paths, graded):
    """A row for every exercise of the notebooks that anybody handed in, for every student."""
    from course_utils import checks

    named = {one["exercise"] for findings, _ in graded for one in findings if "exercise" in one}
    named |= {name for findings, _ in graded for one in findings[:1] for name in one.get("found", [])}
    groups = checks.by_notebook().values()
    exercises = [one.name for group in groups if named & {one.name for one in group} for one in group]
    if not exercises:
        raise NotebookError("In none of the notebooks is there a call of a check, such as `checks.scores(my_scores)`.")
    rows = []
    for path, (findings, ending) in zip(paths, graded, strict=True):
        inside = path.relative_to(folder)
        student = inside.parts[0] if len(inside.parts) > 1 else inside.stem
        rows += [Row(student, inside.as_posix(), *one) for one in _student(exercises, findings, ending)]
    return rows


def _student(exercises, findings, ending):
    """(exercise, status, mistake, message) for each exercise."""
    if not findings or "unreadable" in findings[0]:
        message = findings[0]["unreadable"] if findings else ending
        return [(name, "unreadable", "", message) for name in exercises]
    found, broken = findings[0]["found"], findings[0]["broken"]
    known = {one["exercise"]: one for one in findings[1:]}
    broke = next((name for name in found if name not in known), None)
    return [_one(name, found, broken, known, broke, ending) for name in exercises]


def _one(name, found, broken, known, broke, ending):
    if name in known:
        one = known[name]
        return name, one["status"], one["mistake"] or "", one["message"]
    if name == broke:
        return name, "broke off", "", ending
    if name in found:
        return name, "not reached", "", f"Not tried: the notebook broke off before, at {broke}."
    cells = "; ".join(f"code cell {cell}: {why}" for cell, why in broken.items())
    return name, "missing", "", f"No call of `checks.{name}` was found." + (f" Not readable: {cells}" if cells else "")


def _as_csv(rows):
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(Row._fields)
    table.writerows([_harmless(value) for value in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")  # with the mark by which a spreadsheet knows it


def _harmless(value):
    """A spreadsheet would run what begins like a formula."""
    return f"'{value}" if value[:1] in tuple("=+-@\t") else value


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
    """A line for each mistake, the most frequent first, with the first sentence of what the check said."""
    said = {(row.exercise, row.mistake): row.message.split(". ")[0].rstrip(".") for row in rows if row.mistake}
    counted = Counter((row.exercise, row.mistake) for row in rows if row.mistake).most_common()
    notebooks = len({row.file for row in rows})
    lines = [f"{count} of {notebooks}  {name}: {mistake}. {said[name, mistake]}." for (name, mistake), count in counted]
    return ["", "Mistakes, the most frequent first:", *lines, ""] if lines else []

"""Make the tables of a grading: two CSV files for spreadsheets and learning platforms, and one for the terminal."""

import csv
import io
from collections import Counter, defaultdict

from course_utils.checks import messages
from grading.findings import Row, sentences
from grading.points import earned, points_text
from grading.printable import cut, harmless

MARKS = {"passed": "passed", "not attempted": "-"}
WIDEST = 60  # the most characters of a file's name in the terminal
LONGEST = 200  # the most characters of a sentence about a mistake in the terminal


def as_csv(head, rows) -> bytes:
    """Return a table as the content of a CSV file, in whose rows no cell is a formula to a spreadsheet."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(head)
    table.writerows([harmless(value) for value in row] for row in rows)
    return text.getvalue().encode("utf-8")


def students(best: dict, worth: dict, pages: dict[str, str]) -> tuple[tuple, list[tuple]]:
    """Return the table of points, (column names, rows): a row of texts for each student.

    Points of which a part is not graded are left empty. pages: student -> the feedback page's file, or a reason.
    """
    head = ("identifier", "points", "maximum", "feedback", *worth)
    rows, maximum = [], points_text(sum(worth.values()))
    for student, answers in best.items():
        points = {name: earned(answers[name], worth[name]) for name in worth if answers[name].status != "not graded"}
        total = points_text(sum(points.values())) if len(points) == len(worth) else ""
        each = (points_text(points[name]) if name in points else "" for name in worth)
        rows.append((student, total, maximum, pages[student], *each))
    return head, rows


def as_text(rows: list[Row]) -> list[str]:
    """Return a table for the terminal, a line for each notebook: of each exercise the mistake's id, or the status."""
    exercises = list(dict.fromkeys(row.exercise for row in rows))
    files = {}
    for row in rows:
        files.setdefault(row.file, {})[row.exercise] = row
    lines = [["notebook", *exercises, "passed"]]
    for file, results in files.items():
        ordered = [results[name] for name in exercises]
        marks = [row.mistake or MARKS.get(row.status, row.status) for row in ordered]
        num_passed = sum(row.status == "passed" for row in ordered)
        lines.append([cut(file, WIDEST), *marks, f"{num_passed} of {len(exercises)}"])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]


def unreadable(rows: list[Row]) -> list[str]:
    """Return a heading, and a line with the reason for each unreadable file; [] if there are none."""
    reasons = {row.file: row.message for row in rows if row.status == "unreadable"}
    lines = [f"{cut(file, WIDEST)}: {cut(why, LONGEST)}" for file, why in reasons.items()]
    return ["", "Not read:", *lines] if lines else []


def most_frequent(rows: list[Row]) -> list[str]:
    """Return a heading, and a line for each mistake, the most frequent first, with what is wrong; [] without any."""
    said = defaultdict(Counter)  # (exercise, mistake) -> the sentences about it -> how often each was said
    for row in rows:
        for mistake in dict.fromkeys(filter(None, (row.mistake, *row.also))):
            said[row.exercise, mistake][messages.main_sentence(row.message)] += 1
    notebooks = len({row.file for row in rows})
    lines = []
    for (exercise, mistake), words in sorted(said.items(), key=lambda pair: -pair[1].total()):
        sentence = sentences(exercise)[mistake] or words.most_common(1)[0][0]
        lines.append(f"{words.total()} of {notebooks}  {exercise}: {mistake}. {cut(sentence, LONGEST)}.")
    return ["", "Mistakes, the most frequent first:", *lines, ""] if lines else []

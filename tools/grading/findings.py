"""Parse what the grader printed about a notebook, and turn it into rows.

A finding is what one line of that output, JSON, says. Submitted code may have written into it: a line is used only if
it has the form of a finding, and its text is made safe to show.
"""

import ast
import functools
import inspect
import json
import re
import sys
from typing import NamedTuple

from course_utils import checks, course
from course_utils.checks import behaviours, engine, messages
from grading.printable import printable

STATUSES = ("passed", "failed", "not attempted")
BEST_FIRST = ("passed", "not graded", "failed", "not attempted", "broke off", "not reached", "missing", "unreadable")
WITHOUT_CODE = ("not graded", "not reached", "unreadable")  # statuses of all exercises of a notebook that did not run
LONGEST = 5000  # the most characters of any text about an answer
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class Row(NamedTuple):
    """A student's result in one exercise: a row of the table of grades. student, file: names.

    status: one of BEST_FIRST. mistake: its id, "" if the check knows none. message: what the check said. tried, hints:
    further lines that it said. also: the ids of other mistakes in the same answer.
    """

    student: str
    file: str
    exercise: str
    status: str
    mistake: str
    message: str
    tried: tuple = ()
    hints: tuple = ()
    also: tuple = ()


def parse_findings(printed: str) -> list[dict]:
    """Return the findings in what the grader printed, until the first line that is none, made safe to show.

    The docstring of `main` in grade_submission.py says what they are.
    """
    findings = []
    for line in printed.splitlines():
        try:
            finding = _printable(json.loads(line))
        except (ValueError, RecursionError):
            break  # the line was cut off in the middle
        if not (_is_finding(finding, findings) if findings else _is_first(finding)):
            break
        findings.append(finding)
    return findings


def rows(student: str, file: str, exercises, findings: list[dict], ending: str | None) -> list[Row]:
    """Return a Row for each graded exercise, in order: what the grader found about a student's answer in one file.

    findings: what `parse_findings` returned; or, for a notebook that did not run, [{one of WITHOUT_CODE: why}]. ending:
    how the grader ended, a sentence; None if normally.
    """
    for status, why in findings[0].items():
        if status in WITHOUT_CODE:
            return [Row(student, file, name, status, "", why) for name in exercises]
    checked = [name for name in findings[0]["found"] if name in exercises]
    known = {finding["exercise"]: finding for finding in findings[1:]}
    broken_at = next((name for name in checked if name not in known), None)
    results = ((name, _result(name, checked, findings[0], known, broken_at, ending)) for name in exercises)
    return [Row(student, file, name, *result) for name, result in results]


def best(rows: list[Row]) -> dict[str, dict[str, Row]]:
    """Return student -> exercise, in the course's order -> the Row of the best answer in all their notebooks."""
    best_rows = {}
    for row in sorted(rows, key=lambda row: (row.student, BEST_FIRST.index(row.status))):
        best_rows.setdefault(row.student, {}).setdefault(row.exercise, row)
    return {student: {name: own[name] for name in in_order(own)} for student, own in best_rows.items()}


def in_order(names) -> list[str]:
    """Return those of the names that are exercises of the course, each once, in the order of the course."""
    wanted = set(names)
    return [name for notebook in course.notebooks() for name in notebook.exercises if name in wanted]


@functools.cache
def sentences(name: str) -> dict[str, str]:
    """Return id -> sentence of every mistake that the check of the exercise `name` can name; cached.

    The sentence is "" for one that a function finds: every string of the form ID in the modules of these functions.
    """
    exercise = getattr(checks, name)
    topic = next(notebook.topic for notebook in course.notebooks() if name in notebook.exercises)
    finders = (engine.check, behaviours.repeats, *exercise.behaviours, *exercise.rules)
    modules = {f"course_utils.lessons.{topic}.exercises.{name}", *(finder.__module__ for finder in finders)}
    sources = [inspect.getsource(sys.modules[module]) for module in modules]
    nodes = [node for source in sources for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    ids = {node.value for node in nodes if isinstance(node.value, str) and ID.fullmatch(node.value)}
    sentences = {mistake.id: messages.main_sentence(mistake.words) for mistake in reversed(exercise.bank)}
    return dict.fromkeys(ids, "") | sentences | {engine.OWN_SOLUTION: "It is the course's own solution, and no answer"}


def _printable(value):
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [_printable(part) for part in value]
    return {printable(key): _printable(part) for key, part in value.items()} if isinstance(value, dict) else value


def _is_first(finding) -> bool:
    match finding:
        case {"unreadable": why}:
            return _is_text(why)
        case {"found": found, "broken": dict(broken), "aside": dict(aside)}:
            return all(map(_are_texts, (found, [*broken, *broken.values()], [*aside, *aside.values()])))
    return False


def _is_finding(finding, before: list[dict]) -> bool:
    """Return whether parsed JSON has the form of a finding on an exercise that was found, the first on it."""
    if not isinstance(finding, dict) or finding.get("exercise") not in before[0].get("found", ()):
        return False
    return (
        all(finding["exercise"] != other.get("exercise") for other in before)
        and finding.get("status") in STATUSES
        and all(_is_text(finding.get(key)) for key in ("mistake", "message"))
        and all(_are_texts(finding.get(key, [])) for key in ("tried", "hints", "also"))
    )


def _is_text(value) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST


def _are_texts(value) -> bool:
    return isinstance(value, list) and len(value) <= 100 and all(map(_is_text, value))


def _result(name: str, checked: list[str], first: dict, known: dict, broken_at: str | None, ending: str | None):
    """Return the fields of an exercise's Row from `status` on: (status, mistake, message), or all six.

    checked: the exercises with a check in the notebook. first: the finding on the whole notebook. known: exercise ->
    its own finding. broken_at: the exercise at which the grader broke off, or None.
    """
    if name in known:
        finding = known[name]
        mistake, *also = [id if id in sentences(name) else "" for id in (finding["mistake"], *finding.get("also", []))]
        lines = (tuple(finding.get(key, [])) for key in ("tried", "hints"))
        return finding["status"], mistake, finding["message"], *lines, tuple(filter(None, also))
    if name == broken_at:
        return "broke off", "", ending or "The grader stopped here."
    if name in checked:
        return "not reached", "", f"Not tried: the notebook broke off before, at {broken_at}."
    if name in first["aside"]:
        where = f"`checks.{name}` stands in {first['aside'][name]}"
        return "missing", "", f"{where}, which is not run: make it a code cell."
    cells = "".join(f" Python cannot read code cell {cell}: {why}." for cell, why in first["broken"].items())
    return "missing", "", f"No call of `checks.{name}` was found.{cells}"

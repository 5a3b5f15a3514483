"""Read what the grader found about a notebook, as far as it has the form of findings, and make rows of it.

A stranger's code may have written between the lines: nothing is believed of them but what can be shown safely.
"""

import ast
import functools
import inspect
import json
import re
import sys
from typing import NamedTuple

from printable import printable

from course_utils import checks, course
from course_utils.checks import behaviours, engine, words

FOUND = ("passed", "failed", "not attempted")
BEST_FIRST = (*FOUND, "broke off", "not reached", "missing", "unreadable")
LONGEST = 5000  # characters of anything said about an answer
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class Row(NamedTuple):
    """What a student did in one exercise. tried, hints: lines that the check said besides its message.

    mistake: its id, if the check knows it. also: the ids of other mistakes in the same answer.
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


def understood(printed):
    """Return the findings: a dict for each line that has the form of one, up to the first that has not."""
    findings = []
    for line in printed.splitlines():
        try:
            finding = _printable(json.loads(line))
        except (ValueError, RecursionError):
            break  # cut off in the middle
        if not (_is_finding(finding, findings) if findings else _is_first(finding)):
            break
        findings.append(finding)
    return findings


def rows(student, file, exercises, findings, ending):
    """Return a Row for every exercise that is graded. ending: a word on how the grader ended, or None."""
    if "unreadable" in findings[0]:
        return [Row(student, file, name, "unreadable", "", findings[0]["unreadable"]) for name in exercises]
    found = [name for name in findings[0]["found"] if name in exercises]
    known = {finding["exercise"]: finding for finding in findings[1:]}
    broke = next((name for name in found if name not in known), None)
    return [Row(student, file, name, *_said(name, found, findings[0], known, broke, ending)) for name in exercises]


def best(rows):
    """student -> exercise -> row: of several notebooks of a student, the best answer to each exercise counts."""
    kept = {}
    for row in sorted(rows, key=lambda row: (row.student, BEST_FIRST.index(row.status))):
        kept.setdefault(row.student, {}).setdefault(row.exercise, row)
    return {student: {name: own[name] for name in in_order(own)} for student, own in kept.items()}


def in_order(names):
    """Return the names of exercises, each once, in the order of the notebooks."""
    wanted = set(names)
    return [name for notebook in course.notebooks() for name in notebook.exercises if name in wanted]


@functools.cache
def sentences(name):
    """Return a dict from the id of every mistake that a check can name to what is wrong, in one sentence.

    The sentence is "" where a behaviour or a rule finds the mistake: these write their ids as literals in their code.
    """
    exercise = getattr(checks, name)
    finders = (engine.check, behaviours.repeats, *exercise.behaviours, *exercise.rules)
    sources = {inspect.getsource(sys.modules[finder.__module__]) for finder in finders}
    literals = [
        node.value for source in sources for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)
    ]
    ids = {literal for literal in literals if isinstance(literal, str) and ID.fullmatch(literal)}
    return dict.fromkeys(ids, "") | {one.id: words.alone(one.words) for one in reversed(exercise.bank)}


def _printable(value):
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [_printable(part) for part in value]
    return {printable(key): _printable(part) for key, part in value.items()} if isinstance(value, dict) else value


def _is_first(finding):
    if not isinstance(finding, dict):
        return False
    if "unreadable" in finding:
        return _is_text(finding["unreadable"])
    found, broken = finding.get("found"), finding.get("broken")
    return _are_texts(found) and isinstance(broken, dict) and _are_texts([*broken, *broken.values()])


def _is_finding(finding, before):
    if not isinstance(finding, dict) or finding.get("exercise") not in before[0].get("found", ()):
        return False
    return (
        all(finding["exercise"] != other.get("exercise") for other in before)
        and finding.get("status") in FOUND
        and all(_is_text(finding.get(key)) for key in ("mistake", "message"))
        and all(_are_texts(finding.get(key, [])) for key in ("tried", "hints", "also"))
    )


def _is_text(value):
    return isinstance(value, str) and len(value) <= LONGEST


def _are_texts(value):
    return isinstance(value, list) and len(value) <= 100 and all(map(_is_text, value))


def _said(name, found, first, known, broke, ending):
    """Status, mistake, message, and what else was said."""
    if name in known:
        finding = known[name]
        mistake, *also = [id if id in sentences(name) else "" for id in (finding["mistake"], *finding.get("also", []))]
        lines = (tuple(finding.get(key, [])) for key in ("tried", "hints"))
        return finding["status"], mistake, finding["message"], *lines, tuple(filter(None, also))
    if name == broke:
        return "broke off", "", ending or "The grader stopped here."
    if name in found:
        return "not reached", "", f"Not tried: the notebook broke off before, at {broke}."
    cells = "".join(f" Python cannot read code cell {cell}: {why}." for cell, why in first["broken"].items())
    return "missing", "", f"No call of `checks.{name}` was found.{cells}"

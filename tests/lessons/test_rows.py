"""Test that the tables of mistakes have no row whose wrong answer the engine explains as well without them.

Only a reader can say what is said as well. A row is suspected if each piece of code in its sentence stands in what the
engine says of its wrong answers without any table. `rows_kept.json` has the rows that a reader has kept all the same,
with the reason: exercise -> id -> why.
"""

import functools
import json
import re
from collections import defaultdict
from pathlib import Path

import answer_files
import pytest

from course_utils import checks
from course_utils.checks import diagnosis, faults, source

EXERCISES = checks.all()
KEPT = json.loads(Path(__file__).with_name("rows_kept.json").read_text("utf-8"))
CODE = re.compile(r"`([^`]+)`")


def suspected():
    """Yield (exercise, id, sentence, what the engine says) for each row that is suspected, the first exercise of it."""
    answers = defaultdict(list)
    for name, exercise in EXERCISES.items():
        for mistake in exercise.bank:
            answers[mistake.id, mistake.words].append((name, mistake.answer))
    for (id, words), some in answers.items():
        code = CODE.findall(words)
        said = (said_without_tables(EXERCISES[name], answer) for name, answer in some)
        if code and all(all(piece in message for piece in code) for message in said):
            name, answer = some[0]
            yield name, id, words, said_without_tables(EXERCISES[name], answer)


@functools.cache
def said_without_tables(exercise, answer):
    """Return the engine's message on a wrong answer if there were no tables; "" if it only says that it differs."""
    cases = [case for case in exercise.inputs if case.asked]
    outcomes = [exercise.outcome(answer, case) for case in cases]
    found = [faults.fault(*both, exercise.outputs) for both in zip(outcomes, exercise.expected, strict=False)]
    if not any(found):
        return ""  # a behaviour finds it, and takes its words from the table
    report = diagnosis.diagnose(exercise, answer, cases, outcomes, found, source.namespace(answer), None)
    finding = answer_files.finding(answer_files.Answer("wrong", exercise.name, "", ""), report)
    return report.message if answer_files.is_explained(finding) else ""


@pytest.fixture(scope="module")
def rows():
    """Return the suspected rows, a dict from (exercise, id) to the two messages on it."""
    with pytest.MonkeyPatch.context() as patch:
        # Trying numbers in place of those typed in takes longer than all the rest.
        patch.setattr(diagnosis.hard_coded, "explain", lambda *_: None)
        for exercise in EXERCISES.values():
            patch.setitem(vars(exercise), "candidates", [])
        return {(name, id): f"{name}, {id}\n    {words}\n    {said}" for name, id, words, said in suspected()}


def test_no_row_tells_what_the_engine_tells_as_well(rows):
    kept = {(name, id) for name, ids in KEPT.items() for id in ids}
    new = [text for row, text in rows.items() if row not in kept]
    assert not new, "Take these rows out, or write into rows_kept.json why they stay:\n" + "\n".join(new)


def test_each_row_that_was_kept_is_there_and_would_be_suspected(rows):
    assert {(name, id) for name, ids in KEPT.items() for id in ids} <= rows.keys()

"""Find what is wrong with the table of a report: `python tests/lessons/tables.py` counts it over all filed answers."""

import re

import answer_files

from course_utils import checks
from course_utils.checks import heatmap

WIDEST = 100  # letters
TRUTH = re.compile(r"\b(True|False)\b")


def faults(exercise, report) -> list[str]:
    """Return what is wrong with the table of an Exercise's Report, a list of words; [] if there is no table."""
    if report.status != "failed" or report.pair is None:
        return []
    pair, lines = report.pair, heatmap.text(report.pair)
    asked = [case.label for case in exercise.inputs if case.asked]
    spoken_of = next((label for label in asked if report.message.startswith(f"On {label}: ")), None)
    first_wrong = next((label for label, right in report.tried if right is False), pair.label)
    of_booleans = any("bool" in str(side.dtype) for side in (pair.expected, pair.got))
    found = {
        "no ≠": any("≠ marks" in line for line in lines)
        and not any("≠ marks" not in line and "≠" in line for line in lines),
        "another input": pair.label != (spoken_of or first_wrong),
        "too wide": max(map(len, lines)) > WIDEST,
        "numbers as booleans": not of_booleans and bool(TRUTH.search("\n".join(lines[1:]))),
    }
    return [words for words, is_so in found.items() if is_so]


def filed():
    """Yield (Exercise, Answer, Report) for each wrong answer that is filed."""
    for name, exercise in checks.all().items():
        for answer in answer_files.read(answer_files.path_of(name)):
            if answer.kind == "wrong":
                yield exercise, answer, answer_files.check(answer)


if __name__ == "__main__":
    reports = [(answer, faults(exercise, report)) for exercise, answer, report in filed()]
    for answer, found in reports:
        if found:
            print(answer.exercise, *found, sep=", ")
    print(f"{len(reports)} reports, {sum(bool(found) for _, found in reports)} of them with a bad table.")

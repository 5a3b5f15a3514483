"""A right answer passes, however it is written: every exercise is answered in several ways."""

import importlib
from pathlib import Path

import pytest

from course_utils import checks

MODULES = [importlib.import_module(path.stem) for path in sorted(Path(__file__).parent.glob("test_checks_answers*.py"))]
RIGHT = {name: answers for module in MODULES for name, answers in module.RIGHT.items()}
ANSWERS = [
    pytest.param(name, one, id=f"{name}-{i}") for name, answers in RIGHT.items() for i, one in enumerate(answers)
]


@pytest.mark.parametrize("name, answer", ANSWERS)
def test_a_right_answer_passes(name, answer):
    report = checks.all()[name].check(answer)
    assert report.status == "passed", report


def test_every_exercise_is_answered_in_several_ways():
    assert RIGHT.keys() == checks.all().keys()
    assert all(len(RIGHT[name]) >= 3 for name, exercise in checks.all().items() if exercise.kind != "value")

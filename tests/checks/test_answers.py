"""Test that right answers pass, however they are written, and that wrong ones that no table has get a clear message."""

import importlib

import pytest
import torch

from course_utils import checks, course

MODULES = [importlib.import_module(f"answers.{one.topic}") for one in course.notebooks() if one.exercises]
RIGHT = {name: answers for module in MODULES for name, answers in module.RIGHT.items()}
ANSWERS = [
    pytest.param(name, one, id=f"{name}-{i}") for name, answers in RIGHT.items() for i, one in enumerate(answers)
]
SAID = [one for module in MODULES for one in getattr(module, "SAID", [])]


@pytest.mark.parametrize("name, answer", ANSWERS)
def test_a_right_answer_passes(name, answer):
    report = getattr(checks, name).check(answer)
    assert report.status == "passed", report


def test_every_exercise_is_answered_in_several_ways():
    exercises = checks.all()
    assert RIGHT.keys() == exercises.keys()
    assert [name for name, answers in RIGHT.items() if len(answers) < 3 and exercises[name].kind != "value"] == []


@pytest.mark.parametrize("name, answer, words", SAID, ids=[f"{name}-{i}" for i, (name, *_) in enumerate(SAID)])
def test_what_is_wrong_is_said(name, answer, words):
    report = getattr(checks, name).check(answer)
    assert report.status == "failed" and words in report.message, report


@pytest.mark.parametrize("seed", range(5))
def test_a_right_layer_passes_whatever_is_drawn(seed, monkeypatch):
    monkeypatch.setattr("course_utils.checks.running.SEED", seed)
    report = checks.dropout_layer.check(checks.dropout_layer.solution)
    assert report.status == "passed", report


@pytest.mark.parametrize("name", RIGHT)
def test_the_learners_random_numbers_go_on_as_if_nothing_had_happened(name):
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    getattr(checks, name).check(RIGHT[name][-1])
    assert torch.equal(torch.rand(3), expected)

"""Every exercise lets its solution pass, calls its stub not attempted, and names every mistake of its bank."""

import re
import subprocess
import sys

import pytest
import torch
from torch import nn

from course_utils import checks

EXERCISES = checks.all()
BANK = [(name, mistake) for name, exercise in EXERCISES.items() for mistake in exercise.bank]
SQUARE = {"previous_score", "induction_score"}  # they get the weights of a sequence over itself
OF_THE_COURSE = (
    "softmax-axis softmax-all sum-normalise naive-overflow no-scale scale-model scale-no-root scale-after "
    "scale-wrong-axis keys-not-transposed qk-swapped v-unprojected weights-on-keys linear-layout batch-mixed "
    "seq-batch-swapped weights-transposed heads-in-list dropout-in-eval mask-not-buffer global-leak detached"
).split()  # what can go wrong in 01 to 03, of the misconceptions that the course knows


class Stub(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        ...

    def forward(self, x): ...


def stub(*arguments):
    """Not written yet."""
    ...


def not_implemented(*arguments):
    raise NotImplementedError


def returns_none(*arguments):
    return None


@pytest.mark.parametrize("name", EXERCISES)
def test_the_solution_passes(name):
    report = EXERCISES[name].check(EXERCISES[name].solution)
    assert (report.status, report.mistake) == ("passed", None), report


@pytest.mark.parametrize("name", EXERCISES)
def test_what_is_not_written_yet_is_not_attempted(name):
    exercise = EXERCISES[name]
    stubs = {"class": [Stub], "function": [stub, not_implemented, returns_none], "value": []}[exercise.kind]
    for answer in (..., None, *stubs):
        report = exercise.check(answer)
        assert report.status == "not attempted" and report.mistake is None
        assert str(report) == f"not attempted yet: replace the ... in {exercise.stub}, run the cell, and come back."


@pytest.mark.parametrize("name, mistake", BANK, ids=[f"{name}-{mistake.id}" for name, mistake in BANK])
def test_a_mistake_is_rejected_and_named(name, mistake):
    report = EXERCISES[name].check(mistake.answer)
    assert report.status == "failed"
    assert (report.mistake, report.named) == (mistake.id, (mistake.id,)), report
    assert re.search(r"[.)`]$", report.message)


def test_every_mistake_of_these_notebooks_has_a_wrong_answer():
    assert set(OF_THE_COURSE) <= {mistake.id for _, mistake in BANK}


@pytest.mark.parametrize("name", [name for name, exercise in EXERCISES.items() if exercise.kind != "value"])
def test_functions_and_classes_know_many_mistakes(name):
    assert len(EXERCISES[name].mistakes) >= 8


@pytest.mark.parametrize("name", EXERCISES)
def test_no_two_axes_of_the_first_input_are_equal(name):
    for argument in EXERCISES[name].cases()[0].args:
        if torch.is_tensor(argument):
            assert len(set(argument.shape)) == argument.dim() - (name in SQUARE and argument.dim() > 1)
            rows = argument.reshape(-1, argument.shape[-1])
            assert len(rows) == 1 or not torch.allclose(rows[0], rows[1])


@pytest.mark.parametrize("name", ["scaled_attention", "self_attention"])
def test_two_mistakes_at_once_are_rejected_and_one_is_named(name):
    """Every pair of mistakes in different steps: both are named, or one of them."""
    exercise = EXERCISES[name]
    assert len(exercise.pairs) > 50
    for pair in exercise.pairs[::7]:
        report = exercise.check(pair.answer)
        ids = {mistake.id for mistake in pair.words}
        assert report.status == "failed"
        assert set(report.named) & ids, (ids, report)


def test_both_mistakes_are_named_in_words():
    exercise = EXERCISES["scaled_attention"]
    answer = exercise.make(
        score=lambda queries, keys: queries @ keys.transpose(-2, -1),
        normalise=lambda scores: torch.softmax(scores, dim=-2),
    )
    report = exercise.check(answer)
    assert set(report.named) == {"softmax-axis", "no-scale"}
    assert report.message.startswith("Two things at once. First: ")


def test_a_known_mistake_beside_an_unknown_one_is_named():
    def answer(queries, keys, values):
        attn_weights = torch.softmax(queries @ keys.transpose(-2, -1), dim=-1)
        return attn_weights @ values * 1.5, attn_weights

    report = EXERCISES["scaled_attention"].check(answer)
    assert report.mistake == "no-scale" and "Something else is wrong as well" in report.message


def test_an_unknown_mistake_is_located():
    def answer(scores):
        return torch.softmax(scores, dim=-1) * 1.1

    report = EXERCISES["weights"].check(answer)
    assert report.status == "failed" and report.mistake is None
    assert "On 3 queries, 4 keys: In the weights, the first difference is at `[0, 0]`" in report.message
    assert "adds up to 1.10" in report.message


def test_the_row_that_is_wrong_is_the_one_named():
    def answer(scores):
        weights = torch.softmax(scores, dim=-1)
        return torch.cat([weights[:-1], weights[-1:] * 1.3])

    assert "adds up to 1.30" in EXERCISES["weights"].check(answer).message


def test_mistakes_that_cannot_be_told_apart_are_both_named():
    from course_utils.checks.exercise import Exercise

    twins = Exercise("twins", torch.sum, lambda draw: [("three numbers", draw(3))])
    twins.mistake("one", "The first sentence.")(torch.prod)
    twins.mistake("other", "The second sentence.")(lambda x: x.prod())
    report = twins.check(lambda x: x[0] * x[1] * x[2])
    assert report.named == ("one", "other")
    assert "Either: The first sentence. Or: The second sentence." in report.message


def test_an_unknown_check_lists_those_there_are():
    with pytest.raises(AttributeError, match="no check 'score'. There are: batch, .*scores"):
        checks.score  # noqa: B018


def test_checks_are_found_by_name():
    assert {"scores", "softmax", "self_attention", "progress", "all"} <= set(dir(checks))
    assert checks.scores is EXERCISES["scores"]


def test_a_module_of_exercises_may_import_another():
    """`from . import steps` in one must not load all the others on the way, or two could not share a thing."""
    code = "import sys; from course_utils.checks import steps; print(*(n for n in sys.modules if '.notebook_' in n))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""

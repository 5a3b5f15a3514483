"""Test that every exercise passes its solution, calls its stub not attempted, and names each mistake of its table."""

import functools
import re

import pytest
import torch
from torch import nn

from course_utils import checks
from course_utils.checks import edits
from course_utils.lessons import shared
from course_utils.lessons.findings import finding

EXERCISES = checks.all()
CALLED = [name for name, exercise in EXERCISES.items() if exercise.kind != "value"]
BANK = [(name, mistake) for name, exercise in EXERCISES.items() for mistake in exercise.bank]
VARIANTS = [
    pytest.param(exercise, form, variant, id=f"{name}-{i}-{j}", marks=[] if i or j else pytest.mark.right_answers)
    for name, exercise in EXERCISES.items()
    for i, form in enumerate(exercise.forms)
    for j, variant in enumerate(form.right_variants)
]
SHARED = [(name, row) for name, table in vars(shared).items() if name.isupper() for row in edits.rows(table)]


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


@pytest.mark.parametrize("exercise, form, variant", VARIANTS)
def test_the_solution_passes_in_each_right_variant(exercise, form, variant):
    report = exercise.check(exercise.solution if form is exercise.forms[0] and not variant else form.answer(variant))
    assert (report.status, report.mistake) == ("passed", None), report


@pytest.mark.parametrize("name", EXERCISES)
def test_what_is_not_written_yet_is_not_attempted(name):
    exercise = EXERCISES[name]
    stubs = {"class": [None, Stub], "function": [None, stub, not_implemented, returns_none], "value": []}[exercise.kind]
    for answer in (..., *stubs):
        report = exercise.check(answer)
        assert report.status == "not attempted" and report.mistake is None
        assert str(report) == f"not attempted yet: replace the ... in {exercise.stub}, run the cell, and come back."


def test_none_in_place_of_a_tensor_is_refused():
    report = EXERCISES["batch"].check(None)
    assert report.status == "failed" and "`my_batch` is `None`" in report.message


@functools.cache
def report_on(name, mistake):
    return EXERCISES[name].check(mistake.answer)


@pytest.mark.parametrize("name", EXERCISES)
def test_each_mistake_is_refused_and_named_and_its_words_are_shown(name):
    unlike = [
        f"{mistake.id}: {report_on(name, mistake)}" for mistake in EXERCISES[name].bank if not is_named(name, mistake)
    ]
    assert unlike == []


def is_named(name, mistake):
    report = report_on(name, mistake)
    named = report.status == "failed" and report.mistake and mistake.id in report.named
    return named and mistake.words in report.message and re.search(r"[.)`*]$", report.message)


def test_hardly_any_mistake_looks_like_another():
    """At most one mistake in fifty may give the same result as another one on every input, so that both are named."""
    shared_with = [
        (name, mistake.id) for name, mistake in BANK if mistake.words and len(report_on(name, mistake).named) > 1
    ]
    assert len(shared_with) <= len(BANK) / 50, shared_with


@pytest.mark.parametrize("name", CALLED)
def test_the_first_input_tells_its_axes_apart(name):
    """At most two axes may have equal lengths (self-attention weights are square), or a transpose could go unnoticed.

    The first two rows must differ, too.
    """
    for argument in EXERCISES[name].inputs[0].args:
        if torch.is_tensor(argument):
            assert len(set(argument.shape)) >= argument.dim() - 1
            rows = argument.reshape(-1, argument.shape[-1])
            assert len(rows) == 1 or not torch.allclose(rows[0].double(), rows[1].double())


@pytest.mark.parametrize("table, row", SHARED, ids=[f"{table}-{row.id}-{i}" for i, (table, row) in enumerate(SHARED)])
def test_a_shared_row_fits_somewhere(table, row):
    sources = [form.source for exercise in EXERCISES.values() for form in exercise.forms]
    assert any(fits(source, row) for source in sources), f"{row.id} of {table} fits no solution"


def fits(source, row):
    try:
        return edits.places(source, row)
    except edits.TableError:
        return False


# ---- mistakes possible in any exercise, which no exercise declares: tested on each one's solution

some_table = torch.eye(3)  # stands for a variable of the notebook


@pytest.mark.parametrize("name", CALLED)
def test_an_answer_that_reads_the_notebook_is_found(name):
    exercise = EXERCISES[name]
    reads = class_that_reads if exercise.kind == "class" else function_that_reads
    report = exercise.check(reads(exercise.solution))
    assert (report.status, report.mistake) == ("failed", "global-leak"), report
    assert "`some_table`" in report.message


def function_that_reads(solution):
    def answer(*arguments):
        some_table.sum()
        return solution(*arguments)

    return answer


def class_that_reads(solution):
    class Answer(solution):
        def forward(self, *inputs, **options):
            some_table.sum()
            return super().forward(*inputs, **options)

    return Answer


def test_a_finding_has_the_sentence_of_its_row_and_without_one_it_says_what_to_write():
    exercise = EXERCISES["dropout_layer"]
    assert finding(exercise, "range-late")[1].startswith("`p = 1.5` is refused when the layer is called.")
    with pytest.raises(edits.TableError, match="no-such-row: a behaviour of dropout_layer finds it, so its row needs"):
        finding(exercise, "no-such-row")

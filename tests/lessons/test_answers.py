"""Test checks on answers as learners write them: right ones pass, wrong ones get the finding recorded beside them."""

import answer_files
import pytest
import tables
import torch

from course_utils import checks
from course_utils.checks.faults import fault
from course_utils.checks.outcome import Outcome
from course_utils.checks.report import Report

EXERCISES = checks.all()
NOT_EXPLAINED = 31  # wrong answers that may hear only that something differs: so many do, and should hear more
NEW = """\
# %% wrong scores
# turned round
def my_scores(query, keys):
    return -(keys @ query)

# %% right scores
def my_scores(query, keys):
    return keys @ query

# %% right scores
def my_scores(q, k):
    '''The same in other words.'''
    return k @ q

# %% wrong scores: no longer said
def my_scores(query, keys):
    return keys @ query + 0.1 * torch.sin(keys @ query + query.sum())

# %% wrong scores
keys = torch.ones(3, 2) @ torch.ones(3)
my_scores = ...
"""


def answers_to(exercise, kind):
    return [answer for answer in answer_files.read(answer_files.path_of(exercise)) if answer.kind == kind]


@pytest.mark.parametrize("exercise", EXERCISES)
def test_right_answers_pass(exercise):
    reports = [(answer, answer_files.check(answer)) for answer in answers_to(exercise, "right")]
    refused = [f"{answer.text}\n{report}" for answer, report in reports if report.status != "passed"]
    assert refused == [], "\n".join(refused)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_wrong_answers_get_the_recorded_finding(exercise):
    reports = [(answer, answer_files.check(answer)) for answer in answers_to(exercise, "wrong")]
    unlike = [f"{answer.text}\n{report}" for answer, report in reports if not is_as_recorded(answer, report)]
    assert reports and unlike == [], "\n".join(unlike)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_table_of_a_wrong_answer_is_true(exercise):
    reports = [(answer, answer_files.check(answer)) for answer in answers_to(exercise, "wrong")]
    bad = [
        f"{found}\n{answer.text}\n{report}"
        for answer, report in reports
        if (found := tables.faults(EXERCISES[exercise], report))
    ]
    assert bad == [], "\n".join(bad)


def is_as_recorded(answer, report):
    return report.status != "passed" and answer_files.finding(answer, report) == answer.finding


def test_a_file_of_answers_belongs_to_each_exercise_and_to_nothing_else():
    files = {path.relative_to(answer_files.LESSONS) for path in answer_files.LESSONS.glob("*/answers/*.py")}
    assert files == {answer_files.path_of(name).relative_to(answer_files.LESSONS) for name in EXERCISES}


def test_hardly_any_wrong_answer_hears_only_that_it_is_wrong():
    wrong = [answer for name in EXERCISES for answer in answers_to(name, "wrong")]
    silent = [answer.text for answer in wrong if not answer_files.is_explained(answer.finding)]
    assert len(silent) <= NOT_EXPLAINED, "\n".join(silent)


def test_that_an_answer_differs_is_no_explanation_whatever_its_output_is_called():
    for exercise in EXERCISES.values():
        for index, name in enumerate(exercise.outputs):
            right = [torch.zeros(2, 3) for _ in exercise.outputs]
            for wrong in (torch.ones(2, 3), torch.zeros(3, 3), torch.full((2, 3), torch.nan)):
                given = [*right[:index], wrong, *right[index + 1 :]]
                words = fault(Outcome(tuple(given)), Outcome(tuple(right)), exercise.outputs).words
                report = Report(exercise.stub, "failed", words)
                recorded = answer_files.finding(answer_files.Answer("wrong", exercise.name, "", ""), report)
                assert not answer_files.is_explained(recorded), (name, recorded)


@pytest.mark.parametrize("seed", range(5))
def test_a_right_layer_passes_whatever_is_drawn(seed, monkeypatch):
    monkeypatch.setattr("course_utils.checks.running.SEED", seed)
    report = checks.dropout_layer.check(checks.dropout_layer.solution)
    assert report.status == "passed", report


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_learners_random_numbers_go_on_as_if_nothing_had_happened(exercise):
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    answer_files.check(answers_to(exercise, "right")[-1])
    assert torch.equal(torch.rand(3), expected)


def test_the_command_files_what_is_new(tmp_path, monkeypatch):
    monkeypatch.setattr(answer_files, "LESSONS", tmp_path / "answers")
    source = tmp_path / "new.py"
    source.write_text(NEW, "utf-8")
    assert answer_files.add(source) == "5 answers, 3 wrong; told in words: 1; added: 4."
    filed = answers_to("scores", "wrong")
    assert [answer.finding[:40] for answer in filed] == [
        '- "In the scores, the first difference i',
        '- "In your scores, every sign is turned ',
        '- "The cell stops before it can be check',
    ]
    assert len(answers_to("scores", "right")) == 1
    assert answer_files.add(source).endswith("added: 0.")


def test_an_answer_that_is_not_what_it_is_said_to_be_is_shown_and_not_filed(tmp_path, monkeypatch):
    monkeypatch.setattr(answer_files, "LESSONS", tmp_path / "answers")
    source = tmp_path / "new.py"
    source.write_text("# %% wrong scores\ndef my_scores(query, keys):\n    return keys @ query\n", "utf-8")
    assert answer_files.add(source).startswith("passed, and said to be wrong:\n# %% wrong\ndef my_scores")
    assert not (tmp_path / "answers").exists()


def test_a_head_that_cannot_be_read_is_named(tmp_path):
    source = tmp_path / "new.py"
    source.write_text("# %% wrong: scores: 3\n# %% false\n", "utf-8")
    with pytest.raises(ValueError, match="'# %% false' should be like"):
        answer_files.read(source)

"""Test that a check says the same whatever the notebook has set in torch, and leaves that as it was."""

import contextlib
import subprocess
import sys

import pytest
import torch
from typed_answers import typed

from course_utils import checks, course
from course_utils.checks import settings
from course_utils.checks.exercise import Exercise


def is_set(setter, value, before):
    """Return a function that makes a context manager in which setter(value) was called, and setter(before) after it."""

    @contextlib.contextmanager
    def during():
        setter(value)
        try:
            yield
        finally:
            setter(before)

    return during


STATES = {
    "no_grad": torch.no_grad,
    "inference mode": torch.inference_mode,
    "gradients off": is_set(torch.set_grad_enabled, False, True),
    "float64": is_set(torch.set_default_dtype, torch.float64, torch.float32),
    "autocast": lambda: torch.autocast("cpu", dtype=torch.bfloat16),
    "meta device": is_set(torch.set_default_device, "meta", "cpu"),
    "on the meta device": lambda: torch.device("meta"),
    "deterministic": is_set(torch.set_deterministic_debug_mode, "error", "default"),
    "anomalies": lambda: torch.autograd.set_detect_anomaly(True),
    "low precision": is_set(torch.set_float32_matmul_precision, "medium", "highest"),
}
in_each_state = pytest.mark.parametrize("state", STATES)

# Some state once changed what the check said of their answers; one of the others is tried in each state.
SENSITIVE = ["scaled_scores", "training_step", "order_free", "padded_softmax", "masked_attention"]
NAMES = [name for notebook in course.notebooks() for name in notebook.exercises]


@pytest.fixture
def fresh(monkeypatch):
    """Return a function that imports an exercise anew, by its name, so that nothing in it is cached."""

    def load(name):
        [topic] = [notebook.topic for notebook in course.notebooks() if name in notebook.exercises]
        monkeypatch.delitem(sys.modules, f"course_utils.lessons.{topic}.exercises.{name}", raising=False)
        return getattr(checks, name)

    return load


def read_all():
    return [setting.read() for setting in settings.SETTINGS] + [torch.is_inference_mode_enabled()]


@pytest.fixture(scope="module")
def told_in_none():
    """Return a dict from the name of each exercise that is tried with wrong answers to what is told of them."""
    return {name: told(getattr(checks, name)) for name in ("training_step", "scaled_scores")}


def told(exercise):
    """Return what the check names in each known wrong answer, a list of tuples of ids."""
    return [exercise.check(mistake.answer).named for mistake in exercise.bank]


def is_right(report):
    return report.status == "passed" and not report.notes and not report.hints


@in_each_state
def test_a_right_answer_is_right_in_each_state_and_after_it(fresh, state):
    others = NAMES[list(STATES).index(state) :: len(STATES)]
    for name in dict.fromkeys([*SENSITIVE, *others]):
        with STATES[state]():
            before = read_all()
            exercise = fresh(name)  # its file makes tensors
            inside = exercise.check(exercise.solution)
            assert read_all() == before
        assert is_right(inside), (name, inside)
        assert is_right(exercise.check(exercise.solution)), name


@in_each_state
def test_a_wrong_answer_is_told_the_same_in_each_state(fresh, told_in_none, state):
    for name, outside in told_in_none.items():
        with STATES[state]():
            assert told(fresh(name)) == outside
        assert all(outside)


@pytest.mark.parametrize("state", ["no_grad", "inference mode", "gradients off"])
def test_an_answer_that_stops_as_the_solution_would_is_not_right(fresh, state):
    def stops(optimizer, compute_loss):
        raise RuntimeError("element 0 of tensors does not require grad and does not have a grad_fn")

    with STATES[state]():
        assert fresh("training_step").check(stops).status == "failed"


def test_a_solution_that_stops_is_the_fault_of_the_course():
    def stops_solution(x):
        return x @ x

    exercise = Exercise(stops_solution, lambda draw: [("3 numbers", draw(2, 3))])
    with pytest.raises(RuntimeError, match="the solution of .* stops on 3 numbers: mat1 and mat2"):
        exercise.check(stops_solution)


# Written with `exp`, as the prompt demands, and without: what was compiled is read, too.
SOFTMAX = """
def my_softmax(scores):
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exps / exps.sum(dim=-1, keepdim=True)
"""
READY_MADE = """
def my_softmax(scores):
    return torch.softmax(scores, dim=-1)
"""


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
def test_what_was_scripted_is_checked_as_it_was_written():
    assert is_right(checks.softmax.check(torch.jit.script(typed(SOFTMAX, "my_softmax"))))
    named = checks.softmax.check(typed(READY_MADE, "my_softmax")).named
    assert checks.softmax.check(torch.jit.script(typed(READY_MADE, "my_softmax"))).named == named != ()


COMPILED = """
import torch
from course_utils import checks

# The first optimizer of a process loads torch's compiler, which wraps functions of torch; no note may follow.
print(checks.training_step.check(checks.training_step.solution))
compiled = torch.compile(checks.causal_mask.solution, backend="eager")
print(checks.causal_mask.check(compiled))
print(checks.causal_mask.check(torch.compile(lambda num_tokens: ..., backend="eager")))
compiled(3)  # here it is compiled, for which torch puts a function of its own in the place of nn.Module.__init__
print(checks.causal_mask.check(lambda num_tokens: compiled(num_tokens)))
print(checks.self_attention.check(checks.self_attention.solution))
"""


def test_what_was_compiled_is_checked_as_it_was_written_and_what_torch_replaces_is_nobodys_doing(tmp_path):
    script = tmp_path / "compiled.py"
    script.write_text(COMPILED, "utf-8")
    run = subprocess.run([sys.executable, "-X", "utf8", script], capture_output=True, encoding="utf-8", check=True)
    assert "notebook had put" not in run.stdout
    beginnings = [
        "✓ passed: my_training",
        "✓ passed: my_causal",
        "not attempted yet",
        "✓ passed: my_causal",
        "✓ passed: MySelf",
    ]
    lines = run.stdout.splitlines()
    assert [line[: len(start)] for line, start in zip(lines, beginnings, strict=True)] == beginnings

"""Test that functions of PyTorch which an answer or a notebook has replaced spoil no check, and are restored by it."""

import functools

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from typed_answers import HeadSolution, head_cases

from course_utils.checks.modules import ModuleExercise
from course_utils.checks.replaced import put_back
from course_utils.checks.running import run_limited

MISTAKES = """
softmax-axis: The softmax runs down the columns.
    dim=-1 -> dim=-2
"""


class Head(nn.Module):
    """A learner's right answer, which calls every function of REPLACED."""

    dim = -1

    def __init__(self, d_in):
        super().__init__()
        self.layer = nn.Linear(d_in, 2, bias=False)

    def forward(self, x):
        x = self.layer(x)
        return (torch.softmax(x, self.dim) + F.softmax(x, self.dim) + x.softmax(self.dim)) @ torch.eye(2).to(x) / 3


class DownTheColumns(Head):
    dim = -2


REPLACED = {
    "torch.softmax": (torch, "softmax"),
    "F.softmax": (F, "softmax"),
    "torch.Tensor.softmax": (torch.Tensor, "softmax"),
    "torch.Tensor.__matmul__": (torch.Tensor, "__matmul__"),
    "nn.Linear.forward": (nn.Linear, "forward"),
}
replaced = pytest.mark.parametrize("name", REPLACED)


def replace(name):
    """Replace a function of PyTorch, as a learner's decorator would, by one that adds 1 to its result."""
    where, function = REPLACED[name]
    own = getattr(where, function)

    @functools.wraps(own)
    def plus_one(*args, **options):
        return own(*args, **options) + 1

    setattr(where, function, plus_one)
    assert getattr(where, function) is not own


@pytest.fixture(autouse=True)
def pytorch_is_its_own_again():
    own = {name: getattr(*place) for name, place in REPLACED.items()}
    yield
    try:
        assert [name for name, place in REPLACED.items() if getattr(*place) is not own[name]] == []
    finally:
        put_back()


@pytest.fixture
def exercise():
    """Return an exercise, new for each test so that nothing in it is cached."""
    return ModuleExercise(HeadSolution, head_cases, MISTAKES)


def both_are_known(exercise):
    assert exercise.check(Head).status == "passed"
    assert exercise.check(DownTheColumns).named == ("softmax-axis",)


@replaced
@pytest.mark.parametrize("answer, named", [(Head, ()), (DownTheColumns, ("softmax-axis",))])
def test_what_the_notebook_replaced_is_put_back_and_named(exercise, name, answer, named):
    replace(name)
    report = exercise.check(answer)
    assert report.named == named
    assert report.notes == [
        f"Your notebook had put something else in the place of `{name}`. It is PyTorch's own again."
    ]
    assert exercise.check(answer).notes == []
    both_are_known(exercise)


@replaced
@pytest.mark.parametrize("place", ["__init__", "forward", "after its last line"])
def test_an_answer_that_replaces_a_function_is_refused_and_spoils_nothing(exercise, name, place):
    class Replaces(Head):
        def __init__(self, d_in):
            if place == "__init__":
                replace(name)
            super().__init__(d_in)

        def forward(self, x):
            if place == "forward":
                replace(name)
            out = super().forward(x)
            if place == "after its last line":
                replace(name)
            return out

    report = exercise.check(Replaces)
    assert report.status == "failed"
    if place == "after its last line":
        assert f"Your code changes {name}, for all code that runs after it." in report.message
    both_are_known(exercise)


def test_torch_is_restored_where_a_check_breaks_off(monkeypatch):
    softmax = torch.softmax

    def breaks_off():
        monkeypatch.setattr(torch, "softmax", len)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_limited(breaks_off)
    assert torch.softmax is softmax

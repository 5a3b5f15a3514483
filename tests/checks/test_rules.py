"""Test the rules of prompts: forbidden and required calls are found in an answer's code; a loop gives only a hint."""

import pytest
import torch
from typed_answers import HeadSolution, head_cases, typed

from course_utils.checks.exercise import Exercise
from course_utils.checks.modules import ModuleExercise
from course_utils.checks.rules import demands, forbids, no_loop


def halves_solution(x):
    return torch.softmax(x, dim=-1) / 2


def cases(draw):
    yield "a table", draw(3, 4)


FORBIDDEN = forbids("softmax", "Softmax", prompt="with `torch.exp` and a sum")
DEMANDED = demands("scaled_dot_product_attention", prompt="use `F.scaled_dot_product_attention`")
READY_MADE = {
    "a function of torch": "def my_answer(x):\n    return torch.softmax(x, -1) / 2",
    "a method": "def my_answer(x):\n    return x.softmax(-1) / 2",
    "the course's own": "def my_answer(x):\n    return attention.softmax(x) / 2",
    "under another name": "def my_answer(x):\n    return ready(x, -1) / 2",
    "imported inside": "def my_answer(x):\n    from torch import softmax\n    return softmax(x, -1) / 2",
    "in a lambda": "my_answer = lambda x: (lambda y: F.softmax(y, dim=-1))(x) / 2",
    "in a helper": "def helper(x):\n    return F.softmax(x, -1)\n\ndef my_answer(x):\n    return helper(x) / 2",
    "under a decorator": "@torch.no_grad()\ndef my_answer(x):\n    return x.softmax(-1) / 2",
    "a layer": "def my_answer(x):\n    return nn.Softmax(-1)(x) / 2",
}
BY_HAND = {
    "exp and a sum": "def my_answer(x):\n    e = torch.exp(x)\n    return e / e.sum(-1, keepdim=True) / 2",
    "a helper of that name": (
        "def softmax(x):\n    e = x.exp()\n    return e / e.sum(-1, keepdim=True)\n\n"
        "def my_answer(x):\n    return softmax(x) / 2"
    ),
    "a local name": "def my_answer(x):\n    softmax = x.exp()\n    return softmax / softmax.sum(-1, keepdim=True) / 2",
}


@pytest.mark.parametrize("with_source", [True, False])
@pytest.mark.parametrize("code", READY_MADE.values(), ids=READY_MADE)
def test_what_is_forbidden_is_refused_in_the_prompts_words(code, with_source):
    report = Exercise(halves_solution, cases, rules=(FORBIDDEN,)).check(typed(code, with_source=with_source))
    assert (report.status, report.mistake) == ("failed", "ready-made")
    assert "The prompt says “with `torch.exp` and a sum”." in report.message


@pytest.mark.parametrize("code", BY_HAND.values(), ids=BY_HAND)
def test_what_is_written_by_hand_passes(code):
    assert Exercise(halves_solution, cases, rules=(FORBIDDEN,)).check(typed(code, with_source=False)).status == "passed"


HEAD = """
class MyHead(nn.Module):
    def __init__(self, d_in):
        super().__init__()
        self.layer = nn.Linear(d_in, 2, bias=False)
        {made}

    def forward(self, x):
        x = self.layer(x)
        return {used}
"""


@pytest.mark.parametrize("with_source", [True, False])
@pytest.mark.parametrize(
    "made, used, status",
    [
        ("pass", "F.softmax(x, dim=-1)", "failed"),
        ("self.normalise = nn.Softmax(-1)", "self.normalise(x)", "failed"),
        ("pass", "x.exp() / x.exp().sum(-1, keepdim=True)", "passed"),
    ],
)
def test_a_class_typed_into_a_notebook_has_rules_too(made, used, status, with_source):
    exercise = ModuleExercise(HeadSolution, head_cases, rules=(FORBIDDEN,))
    answer = typed(HEAD.format(made=made, used=used), "MyHead", with_source)
    assert exercise.check(answer).status == status


def test_numbers_come_before_rules():
    """An answer that is wrong and breaks a rule is reported as wrong, because the rule would hide the mistake."""
    exercise = Exercise(halves_solution, cases, rules=(FORBIDDEN,))
    report = exercise.check(typed("def my_answer(x):\n    return torch.softmax(x, 0)", with_source=False))
    assert report.status == "failed" and report.mistake != "ready-made"


def attend_solution(x):
    return torch.nn.functional.scaled_dot_product_attention(x, x, x)


@pytest.mark.parametrize("with_source", [True, False])
def test_what_is_demanded_and_not_called_is_refused(with_source):
    exercise = Exercise(attend_solution, cases, rules=(DEMANDED,))
    by_hand = "def my_answer(x):\n    return torch.softmax(x @ x.mT / 2, -1) @ x"
    called = "def my_answer(x):\n    return F.scaled_dot_product_attention(x, x, x)"
    report = exercise.check(typed(by_hand, with_source=with_source))
    assert (report.status, report.mistake) == ("failed", "not-used")
    assert "use `F.scaled_dot_product_attention`" in report.message
    assert exercise.check(typed(called, with_source=with_source)).status == "passed"


LOOPS = [
    "def my_answer(x):\n    return torch.stack(list(map(lambda row: row.softmax(-1), x))) / 2",
    "def my_answer(x):\n    return torch.stack([row.softmax(-1) for row in x]) / 2",
    "my_answer = (\n    lambda x: torch.stack([row.softmax(-1) for row in x]) / 2\n)",
    "def helper(x):\n    return [row.softmax(-1) for row in x]\n\n"
    "@torch.no_grad()\ndef my_answer(x):\n    return torch.stack(helper(x)) / 2",
    "def my_answer(x):\n    y = x.clone()\n    for i in range(3):\n        y[i] = x[i].softmax(-1) / 2\n    return y",
    "def my_answer(x):\n    i = 0\n    while i < 3:\n        i += 1\n    return x.softmax(-1) / 2",
    """def my_answer(x):
    i = 0
    with torch.no_grad():
        while True:
            try:
                i += 1
            except ValueError:
                pass
            if i > 2:
                return x.softmax(-1) / 2""",
]
NO_LOOPS = [
    "def my_answer(x):\n    return torch.vmap(lambda row: row.softmax(-1))(x) / 2",
    BY_HAND["exp and a sum"],
    "for _ in range(2):\n    def my_answer(x):\n        return x.softmax(-1) / 2",
    "def my_answer(x):\n    with torch.no_grad():\n        y = x.softmax(-1)\n    return y / 2",
    """def my_answer(x):
    try:
        y = x.softmax(-1)
    except ValueError:
        y = x
    if y.sum() > 0:
        y = y / 2
    return y""",
]


@pytest.mark.parametrize("code", LOOPS)
def test_a_loop_passes_with_a_hint(code):
    exercise = Exercise(halves_solution, cases, hints=(no_loop,))
    report = exercise.check(typed(code))
    [(id, words)] = report.hints
    assert (report.status, id) == ("passed", "loop")
    assert "The prompt says “Try it without a loop”" in words and words in str(report)


NO_SOURCE = f"{LOOPS[1]}\n"  # a text that is in no other test, which would make its source known


@pytest.mark.parametrize("code", [*NO_LOOPS, NO_SOURCE])
def test_without_a_loop_or_its_source_there_is_no_hint(code):
    exercise = Exercise(halves_solution, cases, hints=(no_loop,))
    report = exercise.check(typed(code, with_source=code is not NO_SOURCE))
    assert (report.status, report.hints, report.notes) == ("passed", [], [])

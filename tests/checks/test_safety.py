"""Test that a check survives what a learner's code does: it reports failures in words, and restores all settings."""

import random

import numpy as np
import pytest
import torch
from hostile_objects import Unreadable
from torch import nn

from course_utils import checks
from course_utils.checks import settings

six_tokens = torch.eye(3)  # with width, stands for variables of the notebook
width = 3


def draws(query, keys):
    return keys @ query + torch.rand(len(keys))


def counts(query, keys, calls=[]):  # noqa: B006
    calls.append(1)
    return keys @ query * len(calls)


def reads_a_tensor(query, keys):
    return keys @ query + 0 * six_tokens.sum()


def reads_a_number(query, keys):
    return keys @ query * width / width


def through_a_helper(query, keys):
    return reads_a_tensor(query, keys)


def check(answer, name="scores"):
    return checks.all()[name].check(answer)


@pytest.mark.parametrize("answer", [draws, counts])
def test_an_answer_that_gives_two_results_is_refused(answer):
    report = check(answer)
    assert report.status == "failed" and "Two calls on the same input give two results" in report.message


@pytest.mark.parametrize("answer, names", [
    (reads_a_tensor, "`six_tokens`"), (reads_a_number, "`width`"), (through_a_helper, "`six_tokens`"),
])  # fmt: skip
def test_what_is_read_from_the_notebook_is_named(answer, names):
    report = check(answer)
    assert report.mistake == "global-leak" and f"reads {names} from the notebook" in report.message


# The page has made such layers for its own text.
W_query = nn.Linear(3, 2, bias=False)


def test_a_layer_without_self_is_told_from_the_notebooks_layer_of_that_name():
    class ForgetsSelf(nn.Module):
        def __init__(self, d_in, d_out):
            super().__init__()
            self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(2))

        def forward(self, x):
            attn_weights = torch.softmax(W_query(x) @ self.W_key(x).transpose(-2, -1), dim=-1)
            return attn_weights @ self.W_value(x), attn_weights

    report = checks.self_attention.check(ForgetsSelf)
    assert report.mistake == "global-leak" and "as `self.W_query = …`" in report.message


def test_prints_are_shown_shortened():
    def talks(query, keys):
        print("on and on " * 10_000)
        return keys @ query

    report, calls = check(talks), len(checks.scores.inputs)
    assert report.status == "passed"
    assert f"printed {100_001 * calls:,} characters. They begin: on and on" in str(report) and len(str(report)) < 600


def test_a_short_print_is_shown(capsys):
    def talks(query, keys):
        print(keys.shape)
        return keys

    assert "Your code printed: torch.Size([4, 3])" in str(check(talks))
    assert capsys.readouterr().out == ""


SETTINGS = {
    "the seed": lambda: torch.manual_seed(0),
    "dtype": lambda: torch.set_default_dtype(torch.float64),
    "device": lambda: torch.set_default_device("meta"),
    "gradients": lambda: torch.set_grad_enabled(False),
    "autocast": lambda: torch.autocast("cpu").__enter__(),
    "deterministic": lambda: torch.set_deterministic_debug_mode("error"),
    "nan in gradients": lambda: torch.autograd.set_detect_anomaly(True),
    "matrix products": lambda: torch.set_float32_matmul_precision("medium"),
    "how torch prints": lambda: torch.set_printoptions(precision=1),
    "threads": lambda: torch.set_num_threads(torch.get_num_threads() + 1),
}


def read_all():
    return [setting.read() for setting in settings.SETTINGS]


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_that_were_changed_are_named_and_put_back(name):
    def changes(query, keys):
        scores = keys @ query
        SETTINGS[name]()
        return scores

    before = read_all()
    report = check(changes)
    assert report.status == "failed" and name in report.message
    assert read_all() == before


def test_an_answer_runs_on_one_thread_and_the_number_is_put_back():
    """On two, PyTorch names now one and now another of several wrong indices: a mistake is not always recognised."""
    before, inside = torch.get_num_threads(), []

    def notes_threads(query, keys):
        inside.append(torch.get_num_threads())
        return keys @ query

    torch.set_num_threads(2)
    try:
        assert check(notes_threads).status == "passed"
        assert set(inside) == {1} and torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_random_numbers_go_on_as_if_nothing_had_happened():
    def draw():
        return torch.rand(1).item(), random.random(), np.random.rand()

    def uses_random_numbers(query, keys):
        draw()
        np.random.seed(0)
        random.seed(0)
        torch.manual_seed(1)
        return keys @ query

    def seed():
        torch.manual_seed(5), random.seed(5), np.random.seed(5)  # noqa: B018

    seed()
    expected = draw()
    seed()
    check(uses_random_numbers)
    check(lambda query, keys: keys @ query)
    check(Head, "self_attention")
    check(lambda *sizes: nn.Linear(1, 1), "self_attention")
    check(Unreadable())
    assert "stay as many" in check(lambda n, d, h: (4 * n * d**2, 2 * n**2 * d, 36), "attention_cost").message
    for mistake in checks.all()["self_attention"].bank[::6]:
        check(mistake.answer, "self_attention")
    assert draw() == expected


def test_an_empty_buffer_of_random_numbers_is_no_fault():
    def filled_later(query, keys):
        scores = torch.rand(len(keys), dtype=keys.dtype)
        for i, key in enumerate(keys):
            scores[i] = key @ query
        return scores

    assert check(filled_later).status == "passed"


Head = checks.self_attention.solution


def test_a_class_that_keeps_its_last_weights_to_look_at_is_right():
    class Keeps(Head):
        def forward(self, x):
            self.last = super().forward(x)
            return self.last

    assert check(Keeps, "self_attention").status == "passed"


class NotWritten(Head):
    def forward(self, x):
        raise NotImplementedError("later")


@pytest.mark.parametrize(
    "answer, name, status",
    [
        (NotWritten, "self_attention", "not attempted"),
        (lambda query, keys: torch.softmax((keys @ query).int(), dim=0), "scores", "failed"),
    ],
)
def test_pytorchs_own_not_implemented_error_is_no_stub(answer, name, status):
    report = check(answer, name)
    assert report.status == status
    assert ("`torch.int32`" in report.message) == (status == "failed")

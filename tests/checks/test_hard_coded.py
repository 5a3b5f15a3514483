"""Test that checks find a hard-coded number, by trying whether a size in its place makes the answer right."""

import pytest
from typed_answers import typed

from course_utils import checks
from course_utils.checks import hard_coded

KEYS = "queries @ keys.transpose(-2, -1)"
LAYER = """
class my(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1) / 20 ** 0.5
        weights = torch.softmax(scores, dim=-1)
        return weights @ self.W_value(x), weights
"""
NUMBERS = [  # (exercise, answer, line of the number, the number, the size that the check must suggest)
    ("scaled_scores", f"def my(queries, keys):\n    return {KEYS} / 20 ** 0.5", "line 2", "20", "queries.shape[-1]"),
    ("scaled_scores", "def my(q, k):\n    r = 4.472\n    return q @ k.mT / r", "line 2", "4.472", "q.shape[-1] ** 0.5"),
    ("scaled_scores", "def my(q, k):\n    return q @ k.mT * 0.2236", "line 2", "0.2236", "q.shape[-1] ** -0.5"),
    ("scaled_scores", "import math\n\ndef my(q, k):\n    return q @ k.mT / math.sqrt(20)", "line 2", "20",
     "q.shape[-1]"),
    ("causal_mask", "def my(n):\n    return torch.ones(8, 8).tril().bool()", "line 2", "8", "n"),
    ("self_attention", LAYER, "line 2", "20", "self.d_out"),
    ("split_heads",
     "def my(x, num_heads):\n    if x.shape[-1] % num_heads:\n        raise ValueError(f'{num_heads} heads')\n"
     "    width = x.shape[-1] // num_heads\n    return x.view(x.shape[0], 8, num_heads, width).transpose(1, 2)",
     "line 5", "8", "x.shape[-2]"),
]  # fmt: skip
UP_TO_8 = [  # answers that are right for at most 8 tokens: (exercise, result, parameters, size to suggest)
    ("causal_mask", "torch.ones(8, 8).tril().bool()[:n, :n]", "n", "n"),
    ("scores", "torch.stack([k @ q for k in keys[:8]])", "q, keys", "keys.shape[-2]"),
    ("padding_mask", "(torch.arange(8)[:num_keys] < lens[:, None])[:, None, None]", "lens, num_keys", "num_keys"),
    ("alibi", "s - m[:, None, None] * (torch.arange(8)[:, None] - torch.arange(8)).abs()[: s.shape[-1], : s.shape[-1]]",
     "s, m", "s.shape[-1]"),
]  # fmt: skip


@pytest.mark.parametrize("name, code, line, number, size", NUMBERS)
def test_a_typed_in_number_is_named_with_the_size_that_belongs_there(name, code, line, number, size):
    function = "forward" if "class" in code else "my"
    report = checks.all()[name].check(typed(code, "my"))
    assert f"In {line} of `{function}`, `{number}` is typed in" in report.message
    assert f"Write `{size}` in its place" in report.message


@pytest.mark.parametrize("name, result, arguments, size", UP_TO_8)
def test_what_is_right_for_8_tokens_at_most_is_refused_and_reported(name, result, arguments, size):
    report = checks.all()[name].check(typed(f"def my({arguments}):\n    return {result}", "my"))
    assert report.status == "failed"
    assert "`8` is typed in" in report.message and f"Write `{size}` in its place" in report.message


@pytest.mark.parametrize(
    "code",
    [
        "def my(q, k):\n    return (q @ k.mT / 20 ** 0.5).softmax(dim=-1) * 20",  # two, and one size does not help
        "def my(q, k):\n    return q @ k.mT + 20",  # no size in its place makes it right
        "def my(q, k):\n    return q @ k.transpose(2, 1) / q.shape[1] ** 0.5",  # the numbers are axes, not sizes
    ],
)
def test_a_number_that_no_size_makes_right_is_not_named(code):
    report = checks.all()["scaled_scores"].check(typed(code, "my"))
    assert report.status == "failed" and "typed in" not in report.message


def test_a_step_or_a_tolerance_is_no_size():
    lines = (
        "def my(attend, inputs):",
        "    before, columns = attend(inputs), []",
        "    for j in range(len(inputs)):",
        "        changed = inputs.clone()",
        "        changed[j] += 0.01",
        "        columns.append(((attend(changed) - before).abs() > 0.01).any(dim=-1))",
        "    return torch.stack(columns, dim=1)",
    )
    answer = typed("\n".join(lines), "my")
    assert hard_coded.explain(checks.who_sees, answer, 0) is None


def test_the_inverse_of_a_huge_number_is_no_root_of_a_width():
    roots = [2.0**0.5, 4096.0**-0.5, 1e-3, 1e-8, 1e-12]
    assert [hard_coded._is_root(number) for number in roots] == [True, True, False, False, False]


def test_what_an_answer_holds_of_the_function_around_it_is_left_alone():
    code = "def made(n):\n    def my(q, k):\n        return q @ k.mT / n / 20 ** 0.5\n    return my\nmy = made(1)"
    report = checks.all()["scaled_scores"].check(typed(code, "my"))
    assert report.status == "failed" and "typed in" not in report.message

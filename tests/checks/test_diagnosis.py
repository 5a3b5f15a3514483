"""Test which mistake a check names, on small exercises defined here, so that only the engine is tested."""

from pathlib import Path

import pytest
import torch
from typed_answers import HeadSolution, head_cases, typed

from course_utils import checks, lessons
from course_utils.checks.behaviours import gradient_flows
from course_utils.checks.exercise import Exercise
from course_utils.checks.faults import fault
from course_utils.checks.modules import ModuleExercise
from course_utils.checks.outcome import Outcome

ATTEND = """
no-scale: The scores are not divided.
    / queries.shape[-1] ** 0.5 ->
softmax-axis: The softmax runs down the columns.
    dim=-1 -> dim=-2
mixed-twice: The values are mixed twice.
    attn_weights @ values, -> attn_weights @ attn_weights.mT @ attn_weights @ values,
"""


def attend_solution(queries, keys, values):
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5, dim=-1)
    return attn_weights @ values, attn_weights


def attend_cases(draw):
    yield "3 queries, 4 keys", draw(3, 5), draw(4, 5), draw(4, 2)
    yield "6 queries, 2 keys", draw(6, 3), draw(2, 3), draw(2, 7)
    yield "2 texts", draw(2, 4, 3), draw(2, 5, 3), draw(2, 5, 6)
    yield "a single key", draw(3, 4), draw(1, 4), draw(1, 2)


def attend(**options):
    outputs = ("context_vecs", "attn_weights")
    return Exercise(attend_solution, attend_cases, ATTEND, outputs=outputs, rows="attn_weights", **options)


def attending(score="q @ k.mT / k.shape[-1] ** 0.5", dim=-1, after="", mixed="w @ v"):
    """Return an answer to `attend` that is written differently from the solution.

    score, dim, mixed: source of its parts. after: a statement to add before the result.
    """
    code = f"def my_answer(q, k, v):\n    s = {score}\n    w = s.softmax({dim})\n    {after}\n    return [{mixed}, w]\n"
    return typed(code)


# ---- known mistakes


def test_an_exact_mistake_is_named_with_its_own_words_alone():
    report = attend().check(attending(score="torch.einsum('...qd,...kd->...qk', q, k)"))
    assert (report.status, report.mistake, report.named) == ("failed", "no-scale", ("no-scale",))
    assert report.message == "The scores are not divided."


def test_the_first_input_that_is_wrong_is_shown_by_the_weights_from_which_all_else_comes():
    report = attend().check(attending(dim=-2))
    assert (report.pair.label, report.pair.name) == ("3 queries, 4 keys", "attn_weights")
    assert report.tried == [(case.label, False) for case in attend().inputs if case.asked]


def test_two_mistakes_at_once_are_both_named():
    report = attend().check(attending(score="q @ k.mT", dim=-2))
    assert set(report.named) == {"no-scale", "softmax-axis"}
    assert report.message == (
        "Two things at once. First: The scores are not divided. Then: The softmax runs down the columns."
    )


def test_a_known_mistake_that_explains_most_is_named_where_nothing_denies_it():
    other = "w = w.flip(-1) if w.shape[-2:] == (6, 2) else w"
    report = attend().check(attending(score="q @ k.mT", after=other))
    assert report.named == ("no-scale",)
    assert report.message == "Most of what is wrong looks like one mistake. The scores are not divided."


def test_a_mistake_that_fails_an_input_which_the_learner_passes_is_not_named():
    """The answer lacks the scale on two inputs of three, but is right on the third, where no-scale would be wrong."""
    right_on_one = "k.shape[-1] ** 0.5 * (k.dim() == 3) + (k.dim() == 2)"
    report = attend().check(attending(score=f"q @ k.mT / ({right_on_one})"))
    assert report.status == "failed" and report.named == ()
    assert [right for _, right in report.tried] == [False, False, True, True]
    assert "not divided" not in report.message


def twice_solution(x):
    return torch.sum(x) * 2


def three_numbers(draw):
    yield "three numbers", draw(3)


def test_mistakes_that_look_alike_are_both_named():
    table = (
        "one: The first sentence.\n    torch.sum(x) -> torch.prod(x)\nother: The second.\n    sum(x) -> prod(x, dim=0)"
    )
    report = Exercise(twice_solution, three_numbers, table).check(lambda x: x[0] * x[1] * x[2] * 2)
    assert report.named == ("one", "other")
    assert report.message == "More than one mistake looks like this. Either: The first sentence. Or: The second."


def softmax_solution(x):
    exps = torch.exp(x)
    return exps / exps.sum(dim=-1, keepdim=True)


def tables(draw):
    yield "3 rows", draw(3, 4)
    yield "2 tables", draw(2, 3, 5)


SOFTMAX = """
not-divided: The rows are not divided by their sums.
    exps / exps.sum(dim=-1, keepdim=True) -> exps
=stable:
    torch.exp(x) -> torch.exp(x - x.amax(dim=-1, keepdim=True))
"""


@pytest.mark.parametrize("answer", [torch.exp, lambda x: torch.exp(x - x.amax(dim=-1, keepdim=True))])
def test_a_mistake_is_known_in_each_right_way(answer):
    exercise = Exercise(softmax_solution, tables, SOFTMAX)
    report = exercise.check(lambda x: answer(x))
    assert report.message == "The rows are not divided by their sums."


# ---- unknown mistakes


@pytest.mark.parametrize("wrong, place", [("w * 1.3", "[0, 0]"), ("torch.cat([w[:-1], w[-1:] * 1.3])", "[2, 0]")])
def test_an_unknown_mistake_is_located_with_the_sum_of_the_row_that_is_wrong(wrong, place):
    report = attend().check(attending(after=f"w = {wrong} if len(w) == 3 else w * torch.linspace(1, 2, w.shape[-1])"))
    assert report.status == "failed" and report.mistake is None
    assert report.message.startswith(
        f"On 3 queries, 4 keys: In the context vecs, the first difference is at `{place}`: "
    )
    row = place.split(",")[0]
    assert report.message.endswith(f"Row `{row}]` of your weights adds up to 1.3. It must add up to 1.")


def test_numbers_that_differ_late_are_shown_with_as_many_places():
    for late in (1.3e-4, 1.3e-6):
        given = Outcome((torch.tensor([0.25 + late], dtype=torch.float64),))
        words = fault(given, Outcome((torch.tensor([0.25], dtype=torch.float64),)), ("scores",)).words
        right, yours = words.partition("it should be ")[2].rstrip(".").split(", yours is ")
        assert (float(right), float(yours)) == (0.25, pytest.approx(0.25 + late, abs=late / 2)), words


@pytest.mark.parametrize("part, words", [("", "The gradient flows back through a part"), (".detach()", "No gradient")])
def test_a_gradient_that_is_cut_off_in_a_part_is_told_as_that(part, words):
    answer = attending(score="q.detach() @ k.detach().mT / k.shape[-1] ** 0.5", mixed=f"w @ v{part}")
    assert attend(behaviours=(gradient_flows,)).check(answer).message.startswith(words)


def test_wrong_numbers_are_reported_by_how_they_lie_to_the_right_ones():
    report = Exercise(softmax_solution, tables, SOFTMAX).check(lambda x: -torch.softmax(x, -1))
    assert report.named == () and report.message.startswith("In your result, every sign is turned around")


def test_what_stops_is_reported_with_the_shapes_that_met():
    report = attend().check(attending(score="q @ k"))
    assert report.named == ()
    assert report.message.startswith("On 3 queries, 4 keys: `q @ k` stops: (3, 5) meets (4, 5)")


def test_nothing_says_that_something_else_is_wrong():
    """No message may say "something else is wrong", which made learners look for a second mistake."""
    package = Path(checks.__file__).parents[1]
    files = [file for part in (package / "checks", lessons.FOLDER) for file in part.rglob("*.py")]
    assert [file.name for file in files if "something else is wrong" in file.read_text("utf-8").lower()] == []


# ---- mistakes that are possible in every exercise


@pytest.mark.parametrize(
    "mixed, mistake, words",
    [
        ({"after": "q /= 2"}, "input-changed", "other numbers in `queries` afterwards"),
        ({"score": "q.mul_(1.37) @ k.mT / k.shape[-1] ** 0.5"}, "input-changed", ""),  # before what nobody knows
        ({"score": "q @ k.mT", "after": "k *= 2"}, "no-scale", ""),
    ],
)
def test_a_changed_input_is_named_after_a_known_mistake_alone(mixed, mistake, words):
    report = attend().check(attending(**mixed))
    assert report.mistake == mistake and words in report.message


def test_what_no_prompt_asks_for_is_a_hint():
    def cases(draw):
        yield "3 rows", draw(3, 4)

    def answer(x):
        return torch.softmax(x @ torch.eye(4), dim=-1)

    report = Exercise(softmax_solution, cases).check(answer)
    [(id, words)] = report.hints
    assert (report.status, id) == ("passed", "unasked")
    assert words.startswith("On float64, which nobody asked for, your answer is not right yet.")
    assert report.tried == [("3 rows", True)]


@pytest.mark.parametrize(
    "made", ["torch.tensor(y.tolist())", "y.detach()", "y.data", "torch.from_numpy(y.numpy(force=True))"]
)
def test_gradients_that_are_cut_off_are_a_hint_to_a_function(made):
    answer = typed(f"def my_answer(x):\n    y = torch.softmax(x, -1)\n    return {made}")
    report = Exercise(softmax_solution, tables, hints=(gradient_flows,)).check(answer)
    assert (report.status, [id for id, _ in report.hints]) == ("passed", ["detached"])


HEAD = """
class MyHead(nn.Module):
    def __init__(self, d_in):
        super().__init__()
        self.layer = nn.Linear(d_in, 2, bias=False)

    def forward(self, x):
        return torch.softmax({projected}, dim=-1)
"""


@pytest.mark.parametrize(
    "projected, status",
    [
        ("self.layer(x)", "passed"),
        ("x @ self.layer.weight.T", "passed"),
        ("self.layer(x).detach()", "failed"),
        ("x @ self.layer.weight.data.T", "failed"),
        ("torch.tensor(self.layer(x).tolist())", "failed"),
    ],
)
def test_a_layer_whose_parameters_cannot_learn_is_refused(projected, status):
    report = ModuleExercise(HeadSolution, head_cases).check(typed(HEAD.format(projected=projected), "MyHead"))
    assert (report.status, report.mistake, report.hints) == (status, "detached" if status == "failed" else None, [])


def test_gradients_of_the_inputs_alone_that_are_cut_off_are_a_hint_to_a_layer():
    code = HEAD.format(projected="self.layer(x.detach())")
    report = ModuleExercise(HeadSolution, head_cases).check(typed(code, "MyHead"))
    assert (report.status, [id for id, _ in report.hints]) == ("passed", ["detached"])


# ---- numbers in messages: whole ones without decimals, booleans as True and False


def open_solution(mask):
    return mask.any(dim=-1)


def masks(draw):
    yield "4 rows", torch.tensor([[True, False], [False, False], [True, True], [False, True]])
    yield "3 rows", torch.tensor([[False, False], [False, True], [True, False]])


def count_solution(mask):
    return mask.sum(dim=-1)


def whole_solution(mask):
    return mask.double().sum(dim=-1)


@pytest.mark.parametrize(
    "solution, answer, words",
    [
        (open_solution, lambda m: m[:, 0] ^ m[:, -1], "at `[2]`: it should be `True`, yours is `False`."),
        (open_solution, lambda m: (m[:, 0] ^ m[:, -1]).float(), "at `[2]`: it should be `True`, yours is `False`."),
        (count_solution, lambda m: m.sum(-1) + (m.sum(-1) > 1), "at `[2]`: it should be 2, yours is 3."),
        (count_solution, lambda m: m.sum(-1) + 0.25 * (m.sum(-1) > 1), "at `[2]`: it should be 2, yours is 2.2500."),
        (whole_solution, lambda m: m.double().sum(-1) + (m.sum(-1) > 1), "at `[2]`: it should be 2, yours is 3."),
        (whole_solution, lambda m: m.double().sum(-1) + 0.25 * (m.sum(-1) > 1),
         "at `[2]`: it should be 2, yours is 2.2500."),
    ],
)  # fmt: skip
def test_what_is_whole_has_no_decimals_and_truth_values_have_their_names(solution, answer, words):
    assert words in Exercise(solution, masks).check(answer).message


SAME = "def my_answer(ours, theirs, inputs):\n    return {}(inputs.shape[0] == 2)\n"
FREE = "def my_answer(answer, items):\n    answer(items), answer(items.flip(1))\n    return items.shape[0] < 3\n"


@pytest.mark.parametrize(
    "name, code",
    [*(("same_outputs", SAME.format(kind)) for kind in ("bool", "float", "int", "")), ("order_free", FREE)],
)
def test_a_verdict_is_shown_as_true_or_false(name, code):
    report = getattr(checks, name).check(typed(code))
    assert report.pair.expected.dtype == report.pair.got.dtype == torch.bool


def masked_solution(queries, keys, values, mask):
    scores = (queries @ keys.mT).masked_fill(~mask, -torch.inf)
    attn_weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
    return attn_weights @ values, attn_weights


def masked_cases(draw):
    mask = torch.tensor([[False, False, False], [True, True, False], [True, True, True]])
    yield "a row with nothing open", draw(3, 4), draw(3, 4), draw(3, 2), mask
    yield "another", draw(3, 5), draw(3, 5), draw(3, 2), mask.flip(0)


@pytest.mark.parametrize(
    "after, words",
    [
        ("w * torch.tensor([1.0, 0.7, 1.0])[:, None]",
         "Row `[1]` of your weights adds up to 0.7. It must add up to 1."),
        ("w + torch.eye(3)[:, :1] * 0.4", "Row `[0]` of your weights adds up to 1.2. It must add up to 0."),
        ("torch.cat([w[:2], w[2:].flip(-1)])", "yours is"),  # no row has a wrong sum
    ],
)  # fmt: skip
def test_the_row_that_is_named_adds_up_to_another_number_than_in_the_solution(after, words):
    answer = typed(
        "def my_answer(q, k, v, m):\n"
        "    w = torch.softmax((q @ k.mT).masked_fill(~m, -torch.inf), dim=-1).nan_to_num(0.0)\n"
        f"    w = {after} if m[2].all() else w * torch.linspace(1, 2, w.shape[-1])\n    return w @ v, w\n"
    )
    exercise = Exercise(masked_solution, masked_cases, outputs=("context_vecs", "attn_weights"), rows="attn_weights")
    message = exercise.check(answer).message
    assert words in message and ("adds up to 0.00" not in message), message
    assert ("adds up" in message) == ("adds up" in words), message


@pytest.mark.parametrize("name", ["masked_weights", "padded_softmax"])
def test_rows_that_may_be_empty_are_added_up_too(name):
    code = "e = torch.exp(s - s.amax(-1, keepdim=True)) * mask\n    return e / (e.sum(-1, keepdim=True) + 1.37)"
    message = getattr(checks, name).check(typed(f"def my_answer(s, mask):\n    {code}\n")).message
    assert "of your weights adds up to" in message and "It must add up to 1." in message


@pytest.mark.parametrize(
    "counts, words",
    [
        ("4 * n * d**2, 2 * n**2 * d, 3 * n**2", "With `num_heads` twice as large, your kept weights stay as many."),
        ("4 * n * d**2, 2 * n**2 * d, 36", "With `num_tokens` twice as large, your kept weights stay as many."),
    ],
)
def test_a_ratio_of_1_is_said_in_words(counts, words):
    report = checks.attention_cost.check(typed(f"def my_answer(n, d, h):\n    return {counts}\n"))
    assert report.status == "failed" and " 1 times" not in report.message
    assert words in report.message

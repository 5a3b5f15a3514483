"""Test that explaining an error runs no code with side effects, and never raises."""

import ast

import pytest
import torch
from snippets import HELPERS, arguments, names, run

from course_utils.checks import errors
from course_utils.checks.errors.safe_value import UNKNOWN, value
from course_utils.checks.outcome import Refused


class Watchful(dict):
    """A dict that records each access to it in `touched`."""

    def __init__(self):
        self.touched = []

    def __getitem__(self, name):
        self.touched.append(name)
        return torch.ones(2)

    @property
    def width(self):
        self.touched.append("width")
        return 3


@pytest.mark.parametrize("snippet", ["queries @ thing['keys']", "table @ table[: thing.width]"])
def test_no_code_of_the_learner_runs_again(snippet):
    thing, space = Watchful(), {**names(), **arguments()}
    space["thing"] = thing
    with pytest.raises(RuntimeError) as stopped:
        exec(compile(f"def answer():\n    return {snippet}\nanswer()", "<cell>", "exec"), space)
    before = list(thing.touched)
    assert before
    errors.explain(stopped.value, space)
    assert thing.touched == before


@pytest.mark.parametrize("snippet", ["queries.add_(1) @ keys", "queries.fill_(0) / three"])
def test_nothing_is_changed_in_place_a_second_time(snippet):
    error, space = run(snippet, source=True)
    queries = error.__traceback__.tb_next.tb_frame.f_locals["queries"]
    before = queries.clone()
    errors.explain(error, space)
    assert torch.equal(queries, before)


def test_words_are_found_without_a_frame_of_the_learner():
    space = names()
    exec(HELPERS + "def answer(queries, keys):\n    return queries\n", space)
    for call, words in [
        (lambda: space["answer"](1), "`answer` needs `queries`, `keys`. Not handed over: `keys`."),
        (lambda: space["Selfless"]()(1), "first argument must be `self`"),
        (lambda: space["Late"]()(1), "`super().__init__()` is missing"),
    ]:
        with pytest.raises((TypeError, AttributeError)) as stopped:
            call()
        assert words in errors.explain(stopped.value, space)


def test_it_never_raises():
    assert errors.explain(RuntimeError("shapes cannot be multiplied (2x3 and 4x5)"), {}) is None
    assert errors.explain(None, None) is None
    assert errors.explain(KeyError(), {}) is None


@pytest.mark.parametrize("most", [torch.zeros(100_000), [0] * 100_000, [[0] * 49_000] * 2, ["a" * 99_990]])
def test_what_is_long_is_not_computed_with(most):
    node = ast.parse("len(things)", mode="eval").body
    longer = torch.zeros(100_001) if torch.is_tensor(most) else [*most, "a" * 2_001]
    assert value(node, {"len": len, "things": most}) == len(most)
    assert value(node, {"len": len, "things": longer}) is UNKNOWN


def test_a_list_that_holds_itself_is_not_computed_with():
    around = [1]
    around.append(around)
    assert value(ast.parse("len(around)", mode="eval").body, {"len": len, "around": around}) is UNKNOWN


def test_a_message_shows_the_beginning_of_what_is_long():
    error, space = run("found = {'k' * 10**6: 1} | {f'k{i}': 1 for i in range(1000)}\nfound['v']", source=True)
    message = errors.explain(error, space)
    assert "`found` has no such key. It has `'kkk" in message and "`'k6'`" in message and len(message) < 300
    assert len(str(Refused("`{value}` came back.", value="9" * 10**6))) < 400
    assert str(Refused("`{value}` came back.", value=3.0)) == "`3.0` came back."

"""Test that explaining an error runs no code with side effects, and never raises."""

import pytest
import torch
from snippets import HELPERS, arguments, names, run

from course_utils.checks import errors


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

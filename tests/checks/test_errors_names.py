"""Test which names an explanation of an error suggests, and what it calls the objects that a check hands in."""

import linecache

import pytest
import torch
from snippets import names

from course_utils import checks
from course_utils.checks import errors


def display(thing):
    """Stand in for IPython's display function."""


display.__module__ = "IPython.core.display_functions"


class Shell:
    def get_ipython(self):
        """Stand in for the method of the shell that IPython puts among a notebook's names."""


NOTEBOOK = {"In": ["..."], "Out": {}, "_oh": {}, "inputs": torch.ones(2, 3), "widths": [1, 2]}
NOTEBOOK |= {"get_ipython": Shell().get_ipython, "display": display, "exit": object(), "quit": object()}


@pytest.mark.parametrize("typed", "in_ Inn ins outs out exits quits get_python displya _1 inpust widht I Imp".split())
def test_the_closest_name_is_one_that_an_answer_may_read(typed):
    """No suggestion may be a name of IPython or a value of the notebook, since checks refuse answers that read them."""
    space = names() | NOTEBOOK
    exec(f"def answer(queries, keys):\n    return {typed}\n", space)
    with pytest.raises(NameError) as stopped:
        space["answer"](1, 2)
    sentence = errors.explain(stopped.value, space)
    assert not any(f"The closest is `{name}`" in sentence for name in NOTEBOOK)
    assert "queries" in sentence or "The closest is" in sentence, sentence


def test_a_source_that_is_too_short_hides_no_explanation():
    """From Python 3.13 on, `python -c` leaves its own line as the source of all code without a file."""
    file, space = "<short>", names()
    linecache.cache[file] = (2, None, ["1\n"], file)
    exec(compile("def my_softmax(x):\n    return (lambda row: softmax(row))(x)\n", file, "exec"), space)
    with pytest.raises(NameError) as stopped:
        space["my_softmax"](1)
    assert "reads `softmax`, and nothing has that name" in errors.explain(stopped.value, space)


@pytest.mark.parametrize(
    "name, code, words",
    [
        ("who_sees", "attend(inputs.tolist())",
         "`attend` is handed `inputs.tolist()` (a list of 4, the first of them a list)"),
        ("who_sees", "attend(inputs, 3)", "`attend` takes 1 argument. It is handed `inputs` and `3`."),
        ("who_sees", "attend()", "`attend` takes 1 argument. It is handed nothing."),
        ("who_sees", "attend(items=inputs)", "`attend` takes 1 argument. It is handed `items`."),
        ("order_free", "attend(inputs, 3)", "`attend` takes 1 argument. It is handed `inputs` and `3`."),
        ("order_free", "attend[0]", "`attend` is a function"),
        ("order_free", "attend + inputs", "a function meets a tensor"),
        ("order_free", "attend.shape", "`attend` is a function"),
        ("training_step", "inputs(3)", "`inputs` takes no arguments. It is handed `3`."),
    ],
)  # fmt: skip
def test_what_a_check_hands_in_is_called_as_the_learner_calls_it(name, code, words):
    """For an object that a check passes in, a message uses the learner's words, not names inside the check."""
    file, space = f"<cell {name} {code}>", names()
    text = f"def my_answer(attend, inputs):\n    return {code}\n"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), space)
    message = getattr(checks, name).check(space["my_answer"]).message
    assert words in message, message
    assert not any(part in message for part in ("<locals>", "Watched", "__call__", "instances of", "object has no"))


@pytest.mark.parametrize(
    "code",
    [
        "def my_softmax(x):\n    return softmax(x)\nmy_softmax(1)",
        "class MyHeads:\n    def merge(self):\n        return Heads()\nMyHeads().merge()",
        "def my_softmax(x):\n    return list(map(lambda row: softmax(row), x))\nmy_softmax([1])",
        "class MyHeads:\n    def merge(self):\n        return [Heads() for _ in '12']\nMyHeads().merge()",
    ],
)
def test_the_closest_name_is_not_that_of_the_answer_itself(code):
    """Nor is it one that only shares some letters, such as `max` for `softmax`."""
    space = names()
    with pytest.raises(NameError) as stopped:
        exec(code, space)
    sentence = errors.explain(stopped.value, space)
    assert "nothing has that name" in sentence and "The closest is" not in sentence, sentence

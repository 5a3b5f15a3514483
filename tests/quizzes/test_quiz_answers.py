"""Test the right choices of the quizzes against computed answers, which one generator for each topic yields."""

import re

import answers_basics  # noqa: F401 - these five modules fill COMPUTED
import answers_beyond  # noqa: F401
import answers_language  # noqa: F401
import answers_layers  # noqa: F401
import answers_models  # noqa: F401
import pytest
import torch
from computed import COMPUTED, MEASURED, asked

from course_utils import data, quiz


@pytest.mark.parametrize("topic", sorted(path.stem for path in (data.DATA / "quizzes").glob("*.json")))
def test_what_is_computed_is_the_right_choice_and_every_answer_with_a_number_is_computed(topic):
    computed, found = [], COMPUTED[topic]()
    while (answer := next_with_seed(found)) is not None:
        phrase, right, *wrong = answer
        question = asked(topic, phrase)
        choices = {choice["text"]: choice["right"] for choice in question["choices"]}
        assert [text for text, is_right in choices.items() if is_right] == [right]
        assert set(wrong) <= {text for text, is_right in choices.items() if not is_right}
        computed.append(question["question"])
    assert len(set(computed)) == len(computed) > 0  # no question is computed twice
    for question in quiz.load(topic):
        (right,) = [choice["text"] for choice in question["choices"] if choice["right"]]
        if re.search(r"\d", right) and MEASURED not in question["question"]:
            assert question["question"] in computed


def next_with_seed(found):
    """Return what a generator yields next, None at its end; it draws from the same seed each time."""
    torch.manual_seed(0)
    return next(found, None)

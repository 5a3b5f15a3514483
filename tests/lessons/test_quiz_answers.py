"""Test the right choices of the quizzes against computed answers, which quiz_answers.py of each lesson yields."""

import importlib
import re

import pytest
import torch
from computed import MEASURED, asked

from course_utils import course, quiz


@pytest.mark.parametrize("topic", [one.topic for one in course.notebooks()])
def test_what_is_computed_is_the_right_choice_and_every_answer_with_a_number_is_computed(topic):
    computed, found = [], importlib.import_module(f"course_utils.lessons.{topic}.quiz_answers").answers()
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

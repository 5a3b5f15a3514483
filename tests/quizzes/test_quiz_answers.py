"""Test the right choices of the quizzes against computed answers, which one function for each question returns."""

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


@pytest.mark.parametrize(("topic", "phrase"), COMPUTED)
def test_what_is_computed_is_the_right_choice(topic, phrase):
    torch.manual_seed(0)
    found = COMPUTED[topic, phrase]()
    right, *wrong = [found] if isinstance(found, str) else found
    choices = {choice["text"]: choice["right"] for choice in asked(topic, phrase)["choices"]}
    assert [text for text, is_right in choices.items() if is_right] == [right]
    assert set(wrong) <= {text for text, is_right in choices.items() if not is_right}


@pytest.mark.parametrize("topic", sorted(path.stem for path in (data.DATA / "quizzes").glob("*.json")))
def test_every_answer_with_a_number_in_it_is_computed(topic):
    computed = [asked(*key)["question"] for key in COMPUTED if key[0] == topic]
    assert len(set(computed)) == len(computed) > 0  # no question is computed twice
    for question in quiz.load(topic):
        (right,) = [choice["text"] for choice in question["choices"] if choice["right"]]
        if re.search(r"\d", right) and MEASURED not in question["question"]:
            assert question["question"] in computed

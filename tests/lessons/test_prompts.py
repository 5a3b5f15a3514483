"""Test that checks enforce whatever a prompt forbids or demands, and that what a check quotes stands in the prompt.

A check enforces words of the prompt if a rule quotes them; or if they begin with *Try* and a hint quotes them; or if
the exercise has a mistake that breaks them, which `test_exercises.py` shows to be refused.
"""

import pytest
from nb import prompts
from nb.exercises import find

from course_utils import checks

EXERCISES = checks.all()


def prompt_of(name):
    place = find(name)
    return place.cells[place.prompt].source


@pytest.mark.parametrize("name", EXERCISES)
def test_what_a_prompt_forbids_or_demands_is_held(name):
    assert faults_of(name) == []


@pytest.mark.parametrize(
    "more",
    [
        "No comprehension.",
        "Do it without `torch.einsum`.",
        "Use `torch.einsum`.",
        "Write it with `torch.einsum`.",
        "You must not sort.",
        "Only one call.",
        "Build the table yourself.",
        "Try it without a table.",
    ],
)
def test_words_that_a_prompt_gains_are_found(more):
    messages = [*prompts.faults("dot_product_attention", "scores", f"{prompt_of('scores')} {more}")]
    assert messages and all(more[:-1] in message and '"held"' in message for message in messages)


def test_words_that_a_prompt_loses_are_found_where_they_are_quoted():
    messages = [*prompts.faults("trainable_qkv", "load", prompt_of("load").replace("Return nothing", "Give back"))]
    assert len(messages) == 1 and "does not say 'Return nothing'" in messages[0]


def test_a_mistake_that_holds_words_is_one_that_the_exercise_knows(monkeypatch):
    monkeypatch.setattr(prompts, "notes", lambda topic: {"mix": {"held": {"Write": "no-such-id"}}})
    assert any("'no-such-id', which should hold 'Write', is no mistake of mix" in line for line in faults_of("mix"))


def test_a_rule_is_law_and_a_hint_says_try(monkeypatch):
    exercise = EXERCISES["causal_mask"]
    assert exercise.hints and faults_of("causal_mask") == []
    monkeypatch.setattr(exercise, "rules", exercise.hints)
    [message] = faults_of("causal_mask")
    assert message.startswith("a rule of causal_mask quotes 'Try it without a loop'")


def faults_of(name):
    return list(prompts.faults(find(name).notebook.topic, name, prompt_of(name)))

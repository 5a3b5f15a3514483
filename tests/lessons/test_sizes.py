"""Test that each exercise for any number of tokens is checked on more tokens than its notebook shows."""

import ast
import json
import re
from pathlib import Path

import pytest
import torch
from nb import prompts

from course_utils import checks, course

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
USUAL = 8  # learners hard-code this number if the notebook has no larger one
MOST = 24  # longer texts are for measuring or training; nobody hard-codes their length
DRAWS = {"rand", "randn", "zeros", "ones", "empty"}
SIZES = {"num_tokens", "num_queries", "num_keys", "context_length"}
NOTES = {name: said for page in course.notebooks() for name, said in prompts.notes(page.topic).items()}


def sizes_on(page):
    """Return the set of numbers of tokens in a notebook: of texts, drawn tensors, named sizes and printed shapes."""
    cells = [cell for cell in json.loads(page.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    return {size for cell in cells for size in (*_in_code("".join(cell["source"])), *_in_outputs(cell["outputs"]))}


def _in_code(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.keyword) and node.arg in SIZES:
            yield from _whole_numbers([node.value])
        if isinstance(node, ast.Assign) and SIZES & {getattr(target, "id", "") for target in node.targets}:
            yield from _whole_numbers([node.value])
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", "")
            text = getattr(getattr(node.func, "value", None), "value", "")
            if name in DRAWS and len(node.args) > 1:
                yield from _whole_numbers(node.args[-2:-1])
            if name == "split" and isinstance(text, str):
                yield len(text.split())


def _whole_numbers(nodes):
    return [node.value for node in nodes if isinstance(node, ast.Constant) and type(node.value) is int]


def _in_outputs(outputs):
    for output in outputs:
        text = "".join(output.get("text", output.get("data", {}).get("text/plain", "")))
        for shape in re.findall(r"\((?:\[)?(\d+(?:, \d+)+)\]?\)", text):
            yield int(shape.split(", ")[-2])


def longest_text(exercise):
    """Return the largest number of tokens among the inputs that the prompt asks for."""
    return max(
        _tokens(argument, exercise.argument(index), NOTES.get(exercise.name, {}).get("axis of tokens", -2))
        for case in exercise.inputs
        if case.asked
        for index, argument in enumerate(case.args)
    )


# Return how many tokens an argument has; axis: that of its tokens, if it is a tensor.
def _tokens(argument, name, axis):
    if torch.is_tensor(argument):
        return argument.shape[axis] if argument.dim() > 1 else 0
    if isinstance(argument, list):
        return len(argument)
    return argument if name in SIZES else 0


TAKES_TOKENS = [
    pytest.param(notebook.number, exercise.name, id=exercise.name)
    for notebook in course.notebooks()
    for exercise in checks.by_notebook()[notebook.number]
    if exercise.kind != "value" and "no tokens" not in NOTES.get(exercise.name, {})
]


@pytest.mark.parametrize("number, name", TAKES_TOKENS)
def test_an_exercise_is_tried_on_more_tokens_than_its_page_shows(number, name):
    [page] = NOTEBOOKS.glob(f"{number}_*.ipynb")
    shown = max(size for size in (USUAL, *sizes_on(page)) if size <= MOST)
    longer = f'yield an input of {MOST + 1} tokens, or say in prompts.json of its lesson why not: "no tokens": "reason"'
    assert longest_text(checks.all()[name]) > shown, (
        f"{name} is tried on no more tokens than {page.name} shows: {longer}"
    )


def test_what_is_said_of_exercises_is_of_the_lesson_s_own():
    for page in course.notebooks():
        assert prompts.notes(page.topic).keys() <= set(page.exercises), page.topic

"""Test that each exercise for any number of tokens is checked on more tokens than its notebook shows."""

import ast
import json
import re
from pathlib import Path

import pytest
import torch

from course_utils import checks, course

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
USUAL = 8  # learners hard-code this number if the notebook has no larger one
MOST = 24  # longer texts are for measuring or training; nobody hard-codes their length
DRAWS = {"rand", "randn", "zeros", "ones", "empty"}
SIZES = {"num_tokens", "num_queries", "num_keys", "context_length"}
ROWS_OF_TOKENS = {"basket_mask", "left_padded_places"}  # exercises whose tokens lie along the last axis
OTHERWISE = {  # exercises that take no tokens, or a fixed number of them, with the reason
    "load": "copies the weights of one layer",
    "training_step": "takes a step of an optimizer on one parameter",
    "dropout": "works number by number",
    "dropout_layer": "works number by number",
    "evaluate": "takes a model, and hands its input on",
    "half_split": "reorders the rows of a weight",
    "copy_heads": "copies the weights of one layer",
    "attention_cost": "computes from sizes, and is tried with 2,000 tokens",
    "cache_bytes": "computes from sizes, and is tried with 100,000 tokens",
    "top_heads": "takes layers and heads",
    "without_head": "closes a head of a layer, and leaves tokens to it",
    "measure_without": "closes a head of a model, and leaves tokens to it",
    "token_shares": "takes the scores of one next token",
    "patches": "takes pictures",
    "frame_spectra": "takes sound, of up to 40 samples",
    "order_free": "takes a layer, and hands its input on",
    "same_outputs": "takes two layers, and hands its input on",
    "adopt": "copies the weights of one layer",
}


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
        _tokens(argument, exercise.argument(index), -1 if exercise.name in ROWS_OF_TOKENS else -2)
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
    if exercise.kind != "value" and exercise.name not in OTHERWISE
]


@pytest.mark.parametrize("number, name", TAKES_TOKENS)
def test_an_exercise_is_tried_on_more_tokens_than_its_page_shows(number, name):
    [page] = NOTEBOOKS.glob(f"{number}_*.ipynb")
    shown = max(size for size in (USUAL, *sizes_on(page)) if size <= MOST)
    assert longest_text(checks.all()[name]) > shown


def test_what_needs_no_larger_input_is_an_exercise():
    assert OTHERWISE.keys() <= checks.all().keys()

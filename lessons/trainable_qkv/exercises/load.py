"""`my_load(linear, matrix)`: fill an `nn.Linear` with a matrix."""

import torch
from torch import nn

from course_utils.checks.exercise import Exercise
from course_utils.checks.outcome import Refused
from course_utils.lessons.findings import finding


def load_solution(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.transpose(-2, -1))
        if linear.bias is not None:
            linear.bias.zero_()


def cases(draw):
    yield "3 wide to 2, no bias", draw(3, 2), False, draw(4, 3)
    yield "2 wide to 5, with a bias", draw(2, 5), True, draw(3, 2)
    yield "as wide before as after", draw(4, 4), True, draw(3, 4)
    yield "4 wide to 1, with a bias", draw(4, 1), True, draw(3, 4)


def filled(answer, matrix, bias):
    """Call answer(linear, matrix) to fill a new nn.Linear with a matrix, and return the layer.

    matrix: (d_in, d_out). bias: whether the layer has biases; they are 0.25 before, and its weights 0.5. Errors:
    Refused if the answer returns something, or fills the biases with other numbers than 0.
    """
    linear = nn.Linear(*matrix.shape, bias=bias).to(matrix.dtype)
    if bias:
        nn.init.constant_(linear.bias, 0.25)
    nn.init.constant_(linear.weight, 0.5)
    if answer(linear, matrix) is not None:
        raise Refused(
            "Your function gives something back, and nothing is asked for: the layer that was handed in is looked at. "
            "Leave out the `return`."
        )
    if linear.bias is not None and (linear.bias != 0.25).any() and linear.bias.any():
        raise Refused("The bias is filled with other numbers than 0: `linear.bias.zero_()`.")
    return linear


def outputs_of_filled(answer, matrix, bias, x):
    """Return the outputs (..., d_out) for inputs x of the nn.Linear that the answer has filled; see `filled`."""
    return filled(answer, matrix, bias)(x)


def keeps_its_parameters(exercise, answer):
    """Yield ("bias-removed", message) if the layer has lost its bias, else ("frozen", message) if it cannot be trained.

    answer: a function that fills a layer, which is called for each case of the exercise.
    """
    for _, (matrix, bias, _) in exercise.cases():
        linear = filled(answer, matrix, bias)
        if bias and linear.bias is None:
            yield finding(exercise, "bias-removed")
        elif not all(parameter.requires_grad for parameter in linear.parameters()):
            yield finding(exercise, "frozen")


def is_a_copy(exercise, answer):
    """Yield ("shared-memory", message) if a later change of the matrix also changes the layer filled from it."""
    matrix, bias, x = exercise.case(0).args
    linear = filled(answer, matrix, bias)
    before = linear(x).detach()
    with torch.no_grad():
        matrix.add_(1.0)
    if not torch.equal(before, linear(x)):
        yield (
            "shared-memory",
            "The layer and the matrix share one memory: change one, and the other changes too. To keep them apart, "
            "write the numbers into the layer with `copy_`.",
        )


MISTAKES = """
linear-layout: `nn.Linear` stores its weight turned, `(d_out, d_in)`: copy `matrix.transpose(-2, -1)`, not `matrix`.
    matrix.transpose(-2, -1) -> matrix
reshape-for-transpose: The matrix is cut anew, as by `reshape`. Its rows should become columns: `transpose(-2, -1)`.
    matrix.transpose(-2, -1) -> matrix.reshape(linear.weight.shape)
bias-kept: The bias keeps its old numbers. Where there is one, fill it with zeros: `linear.bias.zero_()`.
    if linear.bias is not None:…zero_() ->
bias-none: A layer without bias has `None` there. Ask first, before you write: `if linear.bias is not None`.
    if linear.bias is not None:…linear.bias.zero_() -> linear.bias.zero_()
    or
    with torch.no_grad():…linear.bias.zero_() ->
        linear.load_state_dict({"weight": matrix.transpose(-2, -1), "bias": torch.zeros(matrix.shape[1])})
weight-with-bias-only: Without a bias, your code leaves before the weight is filled. Fill the weight in any case.
    with torch.no_grad(): -> if linear.bias is None: ⏎     return ⏎ with torch.no_grad():
bias-inverted: You fill the bias where there is none, and leave it where there is one: `is not None`.
    linear.bias is not None -> linear.bias is None
    or
    linear.bias is not None -> linear.bias is None
    linear.bias.zero_() -> linear.bias = torch.zeros(matrix.shape[1])
bias-length: Your bias has `d_in` numbers. It needs one for each output, `d_out`: `linear.bias.zero_()` always fits.
    linear.bias.zero_() -> linear.bias = nn.Parameter(torch.zeros(matrix.shape[0]))
result-unused: The layer that was handed in is as it was. Write into it: `linear.weight.copy_(…)`.
    with torch.no_grad(): -> linear = nn.Linear(*matrix.shape) ⏎ with torch.no_grad():
weight-kept: The weight keeps its old numbers. Write the turned matrix into the layer: `linear.weight.copy_(…)`.
    linear.weight.copy_(matrix.transpose(-2, -1)) -> weight = matrix.transpose(-2, -1)
added: The numbers are added to the old ones. They should replace them: `copy_`, not `add_` or `+=`.
    copy_( -> add_(
something-returned:
    with torch.no_grad():…linear.bias.zero_() ->
        with torch.no_grad(): linear.weight.copy_(matrix.transpose(-2, -1)) ⏎ return linear
bias-removed: The bias is gone from the layer. It should stay, and be zero: `linear.bias.zero_()`.
    linear.bias.zero_() -> linear.bias = None
frozen: The layer can no longer be trained: leave `requires_grad` as it was.
    linear.weight.copy_( -> linear.weight.requires_grad_(False).copy_(
"""

exercise = Exercise(
    load_solution,
    cases,
    MISTAKES,
    outputs=("linear(x)",),
    observe=outputs_of_filled,
    behaviours=(keeps_its_parameters,),
    hints=(is_a_copy,),
)

"""Behaviours: functions of (exercise, answer) that test more than numbers, and yield (mistake id, message)."""

import torch

from . import outcome
from .draw import Draw

NO_GRADIENT = (
    "No gradient flows back through your code, so nothing could be learnt. The numbers are right. Look for `.item()`, "
    "`.detach()`, `.data`, `torch.no_grad()`, NumPy, or `torch.tensor(...)` around a result."
)
CUT_OFF = (
    "The gradient flows back through a part of your code alone: the rest could not learn. The numbers are right. Look "
    "for `.item()`, `.detach()`, `.data`, `torch.no_grad()`, NumPy, `torch.tensor(...)` around a result, or a cache."
)

IN_EVAL = (
    "Two calls on the same input give two results, in eval mode: something still draws random numbers. "
    "`nn.Dropout` stops after `.eval()`; `F.dropout` needs `training=self.training`; numbers you draw yourself need "
    "`if self.training:`, without brackets. A layer made inside `forward` has new weights each time: make it in "
    "`__init__`."
)
RANDOM = (
    "Two calls on the same input give two results. Look for random numbers (a layer made inside your function has new "
    "ones each time), and for something that one call leaves behind for the next."
)


def gradient_flows(exercise, answer):
    """Yield one ("detached", message) if gradients on one of the first three inputs differ from the solution's."""
    for index in range(min(3, len(exercise.inputs))):
        if exercise.expected[index].error is None:
            ours, theirs = (_gradients(exercise, which, index) for which in (answer, exercise.solution))
            if not all(map(agree, ours, theirs)):
                yield "detached", on_gradients(ours)
                return


def _gradients(exercise, answer, index: int) -> list[torch.Tensor | None]:
    """Return the gradient of each tensor argument of the exercise's input at `index`; None where it gets none."""
    inputs = [arg for arg in exercise.case(index).args]
    inputs = [arg.requires_grad_() if torch.is_tensor(arg) and arg.is_floating_point() else arg for arg in inputs]
    backward(outcome.as_tensors(exercise.observe(answer, *inputs), exercise.outputs))
    return [arg.grad for arg in inputs if torch.is_tensor(arg)]


def backward(tensors: list[torch.Tensor]) -> None:
    """Backpropagate from the sum of all numbers in some tensors, each times a fixed random factor."""
    draw = Draw(seed=1)
    parts = [(tensor.double() * draw(*tensor.shape, dtype=torch.float64)).sum() for tensor in tensors]
    total = sum(part for part in parts if part.requires_grad)
    if torch.is_tensor(total):
        total.backward()


def on_gradients(gradients: list[torch.Tensor | None]) -> str:
    """Return the message on gradients of which one or more are not the solution's."""
    return CUT_OFF if any(gradient is not None and gradient.any() for gradient in gradients) else NO_GRADIENT


def agree(ours: torch.Tensor | None, theirs: torch.Tensor | None) -> bool:
    """Return whether two gradients are equal up to rounding; None, for no gradient, equals only None."""
    if ours is None or theirs is None:
        return ours is theirs
    return outcome.close(ours, theirs)


def repeats(exercise, answer):
    """Yield one (mistake id, message) if two calls of an answer on one of the first three inputs give two results."""
    for index in range(min(3, len(exercise.inputs))):
        first = outcome.run(exercise, answer, exercise.case(index))
        second = first.tensors and outcome.run(exercise, answer, exercise.case(index))
        if second and second.tensors and not outcome.same(first, second):
            yield ("dropout-in-eval", IN_EVAL) if exercise.kind == "class" else ("random", RANDOM)
            return


OVERWRITTEN = (
    "The numbers are right, but nothing could be learnt: you write into a tensor that training needs as it was. In "
    "place of `[...] = 0`, or a method that ends in `_`, use `masked_fill`: it makes a new tensor."
)


def finite_gradients(cases: slice, nan: str):
    """Return a function of (exercise, answer) that yields one (mistake id, message) if training would fail.

    The id is "repair-in-place" if a tensor is overwritten that gradients need, and "nan-gradient", with `nan` as the
    message, if a gradient is nan. cases: which of the exercise's inputs to try; their last argument is a mask, the
    others are tensors. Any other error propagates.
    """

    def gradients(exercise, answer):
        for _, (*parts, mask) in exercise.cases()[cases]:
            results = exercise.observe(answer, *(part.requires_grad_() for part in parts), mask)
            try:
                backward(outcome.as_tensors(results, exercise.outputs))
            except RuntimeError as error:
                if "inplace operation" not in str(error):
                    raise
                yield "repair-in-place", OVERWRITTEN
                return
            if any(part.grad is not None and part.grad.isnan().any() for part in parts):
                yield "nan-gradient", nan
                return

    return gradients

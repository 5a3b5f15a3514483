"""A behaviour: a gradient flows to queries, keys and scores, but not to speeds and slopes, which are not trained."""

from course_utils.checks import outcome
from course_utils.checks.behaviours import NO_GRADIENT, agree, backward


def gradient_flows_to_the_first(exercise, answer):
    """Yield ("detached", message) if the gradient of the first argument, on the first input, is not the solution's."""
    if not agree(_gradient(exercise, answer), _gradient(exercise, exercise.solution)):
        yield "detached", NO_GRADIENT


def _gradient(exercise, answer):
    """Call an answer on the exercise's first input, and backpropagate; return the gradient of the first argument.

    It is that of the sum of all output numbers, each times a fixed random factor; None if no gradient arrives.
    """
    first, *others = exercise.case(0).args
    backward(outcome.as_tensors(exercise.observe(answer, first.requires_grad_(), *others), exercise.outputs))
    return first.grad

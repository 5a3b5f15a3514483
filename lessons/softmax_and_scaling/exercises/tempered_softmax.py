"""`my_tempered_softmax(scores, temperature)`: softmax of the scores divided by a temperature, which must be above 0."""

import torch

from course_utils import attention
from course_utils.checks.behaviours import gradient_flows
from course_utils.checks.exercise import Exercise
from course_utils.lessons import shared
from course_utils.lessons.arguments import WEIGHTS
from course_utils.lessons.findings import finding


def tempered_softmax_solution(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"temperature must be above 0, got {temperature}.")
    return attention.softmax(scores / temperature)


def cases(draw):
    yield "temperature 2", draw(3, 4), 2.0
    yield "temperature 0.25", draw(2, 5), 0.25
    yield "a single row, temperature 4", draw(3), 4
    yield "a batch, temperature 0.5", draw(2, 3, 5), 0.5
    yield "temperature 0.005", draw(2, 3) + 3, 0.005
    yield "a single key", draw(3, 1), 3.0
    yield "a square, temperature 1", draw(17, 17), 1.0
    yield "temperature 0", draw(2, 3), 0
    yield "temperature -1.5", draw(2, 3), -1.5


def tells_what_it_got(exercise, answer):
    """Yield ("error-says-nothing", message) if the answer's ValueError for the temperature -1.5 lacks that number."""
    try:
        answer(torch.zeros(2), -1.5)
    except ValueError as error:
        if "1.5" not in str(error):
            yield finding(exercise, "error-says-nothing")


MISTAKES = """
no-scale: The temperature changes nothing. Divide the scores by it, before softmax: adding it leaves all gaps alike.
    / temperature) -> )
scale-inverted: A high temperature makes your weights sharper, not more even. Before softmax, `scores / temperature`.
    scores / temperature -> scores * temperature
scale-root: You divided by the root of the temperature. Divide by the temperature itself.
    / temperature) -> / temperature**0.5)
upside-down: You divided the temperature by the scores. It is the other way round: `scores / temperature`.
    scores / temperature) -> temperature / scores)
floor-division: The scores are cut to whole numbers, as by `//`. Divide with `/`, and round nothing.
    / temperature) -> // temperature)
powers: You raised the weights to a power, and they no longer add up to 1. Divide the scores, before softmax.
    attention.softmax(scores / temperature) -> attention.softmax(scores) ** (1 / temperature)
scale-after: The temperature falls on the weights, and rows no longer add up to 1. Divide the scores, before softmax.
    scores / temperature) -> scores) / temperature
no-check: A temperature of 0 or less goes through. Begin with `if temperature <= 0:` and raise a `ValueError`.
    temperature <= 0 -> False
zero-allowed: A temperature of 0 goes through. It is refused too: `<= 0`.
    temperature <= 0 -> temperature < 0
negative-allowed: A temperature below 0 goes through. It is refused too: `<= 0`.
    temperature <= 0 -> temperature == 0
small-refused: You refuse small temperatures above 0. Those make sense: they sharpen. Only 0 and less do not: `<= 0`.
    temperature <= 0 -> temperature < 1
error-returned: The error is not raised: one that is returned or printed stops nobody. Write `raise ValueError(…)`.
    raise ValueError -> return ValueError
error-kind: Your error is of another kind than asked for (`assert` has its own). Raise a `ValueError`.
    raise ValueError(…) -> assert temperature > 0
error-says-nothing: Your `ValueError` does not say what was received. Put the temperature into its words:
    `f"… got {temperature}"`, with the `f` before the quotes.
    f"temperature must be above 0, got {temperature}." -> "bad temperature"
"""

SHARED = (shared.SOFTMAX, shared.SOFTMAX_OF_ONE_HEAD)
MUST_HOLD = (tells_what_it_got,)
exercise = Exercise(
    tempered_softmax_solution, cases, MISTAKES, shared=SHARED, behaviours=MUST_HOLD, hints=(gradient_flows,), **WEIGHTS
)

"""`my_dropout(x, noise, p)`: dropout whose random numbers are an argument, `noise`."""

import torch

from course_utils.checks.behaviours import gradient_flows
from course_utils.checks.exercise import Exercise
from course_utils.lessons.dropout.exercises.rates import RANGE


def dropout_solution(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(f"p must be in [0, 1), got {p}.")
    return x * (noise >= p) / (1 - p)


def uniform(draw, *shape):
    """Return a tensor of the sizes `shape` with random numbers, uniform between 0 and 1, from the Draw `draw`."""
    return torch.special.ndtr(draw(*shape))


def cases(draw):
    on_the_edge = torch.tensor([[0.5, 0.25, 0.5], [0.75, 0.5, 0.0]])
    yield "3 rows of 4, p = 0.3", draw(3, 4), uniform(draw, 3, 4), 0.3
    yield "5 numbers, p = 0.5", draw(5), uniform(draw, 5), 0.5
    yield "3 axes, (2, 3, 5), p = 0.8", draw(2, 3, 5), uniform(draw, 2, 3, 5), 0.8
    yield "p = 0, nothing to drop", draw(2, 3), uniform(draw, 2, 3), 0.0
    yield "noise that is exactly p", draw(2, 3), on_the_edge, 0.5
    yield "all of it dropped", draw(2, 3), uniform(draw, 2, 3) / 2, 0.6
    yield "a single number", draw(1), uniform(draw, 1), 0.1
    yield "p = 1", draw(2, 3), uniform(draw, 2, 3), 1.0
    yield "p = 1.5", draw(2, 3), uniform(draw, 2, 3), 1.5
    yield "p = -0.1", draw(2, 3), uniform(draw, 2, 3), -0.1


MISTAKES = """
dropout-no-rescale: What is kept keeps its size, so the mean becomes too small. Divide by the share kept, `1 - p`.
    / (1 - p) ->
dropout-missing: Nothing is dropped. Where the noise is below `p` the result is 0: multiply by `noise >= p`.
    x * (noise >= p) -> x
dropout-inverted: You keep what should be dropped. Dropped is where the noise is *below* `p`, so kept is `noise >= p`.
    noise >= p -> noise < p
keep-rate: You took `p` for the chance to be kept. It is the chance to be dropped: `1 - p` is that to be kept.
    (noise >= p) / (1 - p) -> (noise < p) / p
edge-dropped: Noise that is exactly `p` is not below it, and is kept: `noise >= p`.
    noise >= p -> noise > p
half-rate: Half is dropped, whatever `p` is. Compare the noise with `p`.
    noise >= p -> noise > 0.5
    or
    noise >= p -> noise >= 0.5
rescale-by-p: You divided by `p`, the chance to be dropped. Divide by the chance to be kept, `1 - p`.
    / (1 - p) -> / p
rescale-multiplied: What is kept is multiplied by `1 - p`. It should become larger: `/ (1 - p)`.
    / (1 - p) -> * (1 - p)
rescale-double: What is kept is doubled, whatever `p` is. That is right for one half alone: divide by `1 - p`.
    / (1 - p) -> * 2
rescale-brackets: `p` is taken off each number, as `/ 1 - p` does. Write `/ (1 - p)`.
    / (1 - p) -> / 1 - p
noise-multiplied: The numbers are multiplied by the noise. It only decides: each is kept whole, or becomes 0.
    (noise >= p) -> noise
    or
    (noise >= p) -> (noise >= p) * noise
x-compared: You compare `x` with `p`. It is the noise that decides: `noise >= p` is kept.
    noise >= p -> x >= p
rescale-by-count: You divided by how many are kept in this draw, or by their share, which is chance. Divide by `1 - p`.
    / (1 - p) -> / (noise >= p).float().mean()
survivors-only: What is dropped has gone from the tensor. It stays in its place, as 0: multiply by the booleans.
    x * (noise >= p) -> x[noise >= p]
one-row-only: Only a single row of numbers works. `x` may have any shape: do it for all at once, `x * (noise >= p)`.
    return x * (noise >= p) / (1 - p) ->
        numbers = zip(x.tolist(), noise.tolist()) ⏎
        return torch.tensor([0.0 if drawn < p else number / (1 - p) for number, drawn in numbers])
error-kind: An `AssertionError` comes where a `ValueError` is asked for: `raise ValueError(…)`, no `assert`.
    if not 0 <= p < 1:…return -> assert 0 <= p < 1 ⏎ return
error-returned: For a rate that cannot be, something comes back, and nobody is stopped: `raise ValueError(…)`.
    raise ValueError -> return ValueError
rescale-added: What is kept grows by `p` of its size, which is too little. Divide by `1 - p`.
    / (1 - p) -> * (1 + p)
shared-out: Each row is divided by its own sum. That is no part of dropout: divide by `1 - p`.
    return x * (noise >= p) / (1 - p) -> kept = x * (noise >= p) ⏎ return kept / kept.sum(dim=-1, keepdim=True)
"""

exercise = Exercise(dropout_solution, cases, MISTAKES, shared=(RANGE,), hints=(gradient_flows,))

"""`my_dropout(x, noise, p)`: dropout whose random numbers are an argument, `noise`."""

import torch

from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.exercises.dropout.rates import RANGE


def dropout_solution(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(f"p must be in [0, 1), got {p}.")
    return x * (noise >= p) / (1 - p)


def uniform(draw, *shape, dtype=torch.float32):
    """Return a tensor of numbers spread evenly over 0 to 1. draw: a Draw. shape: the tensor's sizes."""
    return torch.special.ndtr(draw(*shape, dtype=torch.float64)).to(dtype)


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
    yield Unasked("float64"), draw(3, 4, dtype=torch.float64), uniform(draw, 3, 4, dtype=torch.float64), 0.4


MISTAKES = """
dropout-no-rescale: What is kept keeps its size, so the mean becomes too small. Divide by the share kept, `1 - p`.
    / (1 - p) ->
dropout-missing: Nothing is dropped. Where the noise is below `p` the result is 0: multiply by `noise >= p`.
    x * (noise >= p) -> x
    or
    return x * (noise >= p) / (1 - p) -> return x
dropout-inverted: You keep what should be dropped. Dropped is where the noise is *below* `p`, so kept is `noise >= p`.
    noise >= p -> noise < p
keep-rate: You took `p` for the chance to be kept. It is the chance to be dropped: `1 - p` is that to be kept.
    (noise >= p) / (1 - p) -> (noise < p) / p
keep-rate: Your comparison is with `1 - p`. Where the noise is below `p`, the result is 0: `noise >= p` is kept.
    noise >= p -> noise >= 1 - p
    or
    noise >= p -> noise > 1 - p
    or
    noise >= p -> noise < 1 - p
    or
    noise >= p -> noise <= 1 - p
edge-dropped: Noise that is exactly `p` is not below it, and is kept: `noise >= p`.
    noise >= p -> noise > p
half-rate: Half is dropped, whatever `p` is. Compare the noise with `p`.
    noise >= p -> noise >= 0.5
    or
    noise >= p -> noise > 0.5
dropped-to-infinity: What is dropped is minus infinity, which is for scores, before softmax. Here it should be 0.
    return x * (noise >= p) / (1 - p) -> return x.masked_fill(noise < p, -torch.inf) / (1 - p)
rescale-by-p: You divided by `p`, the chance to be dropped. Divide by the chance to be kept, `1 - p`.
    / (1 - p) -> / p
    or
    / (1 - p) -> / (p or 1)
rescale-multiplied: What is kept is multiplied by `1 - p`. It should become larger: `/ (1 - p)`.
    / (1 - p) -> * (1 - p)
rescale-double: What is kept is doubled, whatever `p` is. That is right for one half alone: divide by `1 - p`.
    / (1 - p) -> * 2
rescale-plus: What is kept is multiplied by `1 + p`. Divide by the share kept: `/ (1 - p)`.
    / (1 - p) -> * (1 + p)
rescale-rounded: The factor `1 / (1 - p)` is rounded, or its root is taken. Divide by `1 - p` as it is.
    / (1 - p) -> * round(1 / (1 - p))
    or
    / (1 - p) -> * int(1 / (1 - p))
    or
    / (1 - p) -> / (1 - p) ** 0.5
rescale-cut: The numbers are cut to whole ones, as by `//`. Divide with `/`.
    / (1 - p) -> // (1 - p)
rescale-twice: What is kept is made larger twice. Divide by `1 - p` once.
    / (1 - p) -> / (1 - p) ** 2
rescale-brackets: `p` is taken off each number, as `/ 1 - p` does. Write `/ (1 - p)`.
    / (1 - p) -> / 1 - p
compare-brackets: Booleans come back: without brackets, `x * noise` is compared. Write `x * (noise >= p)`.
    (noise >= p) -> noise >= p
x-missing: What you make larger is the table of booleans itself. Multiply `x` by it.
    x * (noise >= p) -> (noise >= p)
noise-multiplied: The numbers are multiplied by the noise. It only decides: each is kept whole, or becomes 0.
    (noise >= p) -> noise
noise-of-others: Some numbers have no noise of their own: rows or columns fall together. Compare all of `noise >= p`.
    noise >= p -> noise.mean(dim=-1, keepdim=True) >= p
    or
    noise >= p -> noise.mean() >= p
    or
    noise >= p -> noise[..., :1] >= p
    or
    noise >= p -> noise[:1] >= p
noise-kept: Your result holds the noise. It only decides: what is kept are the numbers of `x`.
    x * (noise >= p) -> noise * (noise >= p)
x-compared: You compare `x` with `p`. It is the noise that decides: `noise >= p` is kept.
    noise >= p -> x >= p
rescale-by-count: You divided by how many are kept in this draw, or by their share, which is chance. Divide by `1 - p`.
    / (1 - p) -> / (noise >= p).float().mean()
    or
    / (1 - p) -> / (noise >= p).float().mean(dim=-1, keepdim=True)
    or
    / (1 - p) -> / (noise >= p).sum()
rescale-rows: What is kept is stretched to a fixed sum. Dropout keeps sums on average alone: divide by `1 - p`.
    return x * (noise >= p) / (1 - p) ->
        kept = x * (noise >= p) ⏎ return kept * x.sum(dim=-1, keepdim=True) / kept.sum(dim=-1, keepdim=True)
    or
    / (1 - p) -> / (x * (noise >= p)).sum(dim=-1, keepdim=True)
    or
    / (1 - p) -> / (x * (noise >= p)).sum() * x.sum()
survivors-only: What is dropped has gone from the tensor. It stays in its place, as 0: multiply by the booleans.
    x * (noise >= p) -> x[noise >= p]
dropped-rescaled: You make larger what should be dropped, and keep the rest. Below `p` it is 0, else `x / (1 - p)`.
    return x * (noise >= p) / (1 - p) -> return torch.where(noise < p, x / (1 - p), x)
dropped-left-alone: What should be dropped keeps its number. Where the noise is below `p` the result is 0, not `x`.
    return x * (noise >= p) / (1 - p) -> return torch.where(noise >= p, x / (1 - p), x)
share-by-order: You drop the least noise until a share of `p` is gone. Each number is decided alone: below `p`, or not.
    return x * (noise >= p) / (1 - p) ->
        number = int(p * x.numel()) ⏎ order = noise.flatten().argsort().argsort().view_as(x)
        ⏎ return x * (order >= number) / (1 - p)
flat-result: Your result is one long row. It should have the shape of `x`: `.view_as(x)`, or `x * (noise >= p)`.
    return x * (noise >= p) / (1 - p) -> return (x * (noise >= p) / (1 - p)).flatten()
one-row-only: Only a single row of numbers works. `x` may have any shape: do it for all at once, `x * (noise >= p)`.
    return x * (noise >= p) / (1 - p) ->
        numbers = zip(x.tolist(), noise.tolist()) ⏎
        return torch.tensor([0.0 if drawn < p else number / (1 - p) for number, drawn in numbers])
    or
    return x * (noise >= p) / (1 - p) ->
        return torch.stack([0 * number if drawn < p else number / (1 - p) for number, drawn in zip(x, noise)])
tables-only: Only tables of two axes work. `x` may have any shape: do it for all at once, `x * (noise >= p)`.
    return x -> rows, columns = x.shape ⏎ return x
    or
    return x * (noise >= p) / (1 - p) ->
        result = torch.zeros_like(x) ⏎ for i in range(x.shape[0]): ⏎     for j in range(x.shape[1]):
        ⏎         if noise[i, j] >= p: result[i, j] = x[i, j] / (1 - p) ⏎ return result
if-on-table: `noise < p` is a whole table of answers, and `if` wants one. Multiply by the table: `x * (noise >= p)`.
    return x * (noise >= p) / (1 - p) -> return x * 0 if noise < p else x / (1 - p)
no-range-check: A rate outside [0, 1) gets no `ValueError` of yours. Begin with `if not 0 <= p < 1:`, and `raise` there.
    if not 0 <= p < 1:…return -> return
error-kind: An `AssertionError` comes where a `ValueError` is asked for: `raise ValueError(…)`, no `assert`.
    if not 0 <= p < 1:…return -> assert 0 <= p < 1 ⏎ return
error-kind: A `TypeError` comes where a `ValueError` is asked for: `raise ValueError(…)`.
    raise ValueError -> raise TypeError
error-returned: For a rate that cannot be, something comes back, and nobody is stopped: `raise ValueError(…)`.
    raise ValueError -> return ValueError
    or
    raise ValueError(…) -> return
random:
    noise >= p -> torch.rand_like(x) >= p
"""

exercise = Exercise(
    dropout_solution,
    cases,
    MISTAKES,
    shared=(RANGE,),
    behaviours=(repeats,),
    hints=(gradient_flows,),
)

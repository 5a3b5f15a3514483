"""`my_dropout(x, noise, p)`: dropout whose random numbers are handed in."""

import torch

from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked


def dropout_solution(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(f"p must be in [0, 1), got {p}.")
    return x * (noise >= p) / (1 - p)


def uniform(draw, *shape, dtype=torch.float32):
    """Numbers spread evenly over 0 to 1."""
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
dropout-no-rescale: What is kept keeps its size, so the mean becomes too small. Divide by `1 - p`, the share that is
    kept on average.
    / (1 - p) ->
dropout-missing: Nothing is dropped. Where the noise is below `p` the result is 0: multiply by `noise >= p`. (If you use
    `masked_fill`: keep its result, it does not change `x`.)
    x * (noise >= p) -> x
    or
    return x * (noise >= p) / (1 - p) -> return x
dropout-inverted: You keep what should be dropped. Dropped is where the noise is *below* `p`, so kept is `noise >= p`.
    noise >= p -> noise < p
keep-rate: You took `p` for the share that is kept. It is the share that is dropped: `1 - p` are kept.
    (noise >= p) / (1 - p) -> (noise < p) / p
keep-rate: Your comparison is with `1 - p`. Where the noise is below `p`, the result is 0: `noise >= p` is kept.
    noise >= p -> noise >= 1 - p
    or
    noise >= p -> noise > 1 - p
    or
    noise >= p -> noise < 1 - p
    or
    noise >= p -> noise <= 1 - p
edge-dropped: Noise that is exactly `p` is not below it, and is kept: `>=`, not `>`.
    noise >= p -> noise > p
half-rate: You drop half, whatever `p` is. Compare the noise with `p`.
    noise >= p -> noise >= 0.5
    or
    noise >= p -> noise > 0.5
    or
    noise >= p -> noise.round()
dropped-to-infinity: What is dropped becomes minus infinity. That is for scores, before softmax: here it should be 0.
    return x * (noise >= p) / (1 - p) -> return x.masked_fill(noise < p, -torch.inf) / (1 - p)
rescale-by-p: You divided by `p`, the share that is dropped. Divide by the share that is kept, `1 - p`.
    / (1 - p) -> / p
rescale-multiplied: You multiplied by `1 - p`. What is kept should become larger: divide. (`1 / 1 - p` is `1 - p`, too:
    write `1 / (1 - p)`.)
    / (1 - p) -> * (1 - p)
rescale-double: You double what is kept, whatever `p` is. That is right for one half alone: divide by `1 - p`.
    / (1 - p) -> * 2
rescale-plus: You multiplied by `1 + p`. Of what goes in, `1 - p` is kept: divide by that.
    / (1 - p) -> * (1 + p)
rescale-twice: What is kept is made larger twice. Divide by `1 - p` once.
    / (1 - p) -> / (1 - p) ** 2
rescale-brackets: `/ 1 - p` divides by 1, and takes `p` off afterwards. Write `/ (1 - p)`.
    / (1 - p) -> / 1 - p
compare-brackets: `*` and `/` come before `>=`: you compare `x * noise`, and get booleans. Put brackets round
    `noise >= p`.
    (noise >= p) -> noise >= p
x-missing: `x` is missing: what you make larger is the table of booleans itself. Multiply `x` by it.
    x * (noise >= p) -> (noise >= p)
noise-multiplied: You multiplied by the noise itself. It only decides: a number is kept whole, or becomes 0.
    (noise >= p) -> noise
noise-kept: Where it is not dropped, your result holds the noise. It only decides: what is kept are the numbers of `x`.
    x * (noise >= p) -> noise * (noise >= p)
x-compared: You compare `x` with `p`. It is the noise that decides: `noise >= p` is kept.
    noise >= p -> x >= p
rescale-by-count: You divided by the share that happens to be kept in this draw. That share is a matter of chance, and
    can be 0. Divide by `1 - p`, which is what is kept on average.
    / (1 - p) -> / (noise >= p).float().mean()
    or
    / (1 - p) -> / (noise >= p).float().mean(dim=-1, keepdim=True)
rescale-by-count: You divided by how many are kept in this draw. Divide by the share that is kept on average, `1 - p`.
    / (1 - p) -> / (noise >= p).sum()
rescale-rows: You stretched each row so that it adds up to what it was before. Dropout keeps sums on average alone:
    divide everything by `1 - p`.
    return x * (noise >= p) / (1 - p) ->
        kept = x * (noise >= p) ⏎ return kept * x.sum(dim=-1, keepdim=True) / kept.sum(dim=-1, keepdim=True)
rescale-rows: You divided by the sum of what is left. Dropout keeps sums on average alone: divide by `1 - p`.
    / (1 - p) -> / (x * (noise >= p)).sum(dim=-1, keepdim=True)
survivors-only: What is dropped has disappeared from the tensor. It should stay in its place, as 0: multiply by the
    table of booleans, do not index with it.
    x * (noise >= p) -> x[noise >= p]
dropped-rescaled: You make larger what should be dropped, and leave the rest as it is. Below `p` the result is 0, and
    the rest is divided by `1 - p`.
    return x * (noise >= p) / (1 - p) -> return torch.where(noise < p, x / (1 - p), x)
dropped-left-alone: What should be dropped keeps its number: where the noise is below `p` the result is 0, not `x`.
    return x * (noise >= p) / (1 - p) -> return torch.where(noise >= p, x / (1 - p), x)
share-by-order: You drop the places with the least noise until a share of `p` is gone. Each number is decided alone: it
    is dropped where its noise is below `p`.
    return x * (noise >= p) / (1 - p) ->
        number = int(p * x.numel()) ⏎ order = noise.flatten().argsort().argsort().view_as(x)
        ⏎ return x * (order >= number) / (1 - p)
flat-result: Your result is one long row. It should have the shape of `x`: `.view_as(x)`, or do without the loop,
    `x * (noise >= p) / (1 - p)`.
    return x * (noise >= p) / (1 - p) -> return (x * (noise >= p) / (1 - p)).flatten()
one-row-only: Your loop goes through the numbers of one row, as above. `x` may have any shape: do it for all at once,
    `x * (noise >= p)`.
    return x * (noise >= p) / (1 - p) ->
        numbers = zip(x.tolist(), noise.tolist()) ⏎
        return torch.tensor([0.0 if drawn < p else number / (1 - p) for number, drawn in numbers])
    or
    return x * (noise >= p) / (1 - p) ->
        return torch.stack([0 * number if drawn < p else number / (1 - p) for number, drawn in zip(x, noise)])
tables-only: Your loops, or your `shape`, take tables of two axes. `x` may have any shape: do it for all at once,
    `x * (noise >= p)`.
    return x -> rows, columns = x.shape ⏎ return x
    or
    return x * (noise >= p) / (1 - p) ->
        result = torch.zeros_like(x) ⏎ for i in range(x.shape[0]): ⏎     for j in range(x.shape[1]):
        ⏎         if noise[i, j] >= p: result[i, j] = x[i, j] / (1 - p) ⏎ return result
if-on-table: `noise < p` is a whole table of answers, and `if` wants one. Do without `if`: multiply `x` by the table of
    booleans `noise >= p`.
    return x * (noise >= p) / (1 - p) -> return x * 0 if noise < p else x / (1 - p)
no-range-check: A rate outside [0, 1) gets no `ValueError` of yours: with `p = 1` nothing is left to make larger, and
    you would divide by 0. Begin with `if not 0 <= p < 1:` and `raise`.
    if not 0 <= p < 1:…return -> return
    or
    not 0 <= p < 1 -> p < 0 and p >= 1
range-one: `p = 1` is let through, and 1 - p is 0 then. Refuse it: `p < 1`, not `p <= 1`.
    p < 1 -> p <= 1
range-zero: `p = 0` is refused. It drops nothing, and is a good rate: `0 <= p`, not `0 < p`.
    0 <= p -> 0 < p
range-below: A rate below 0 is let through. Refuse it as well: `if not 0 <= p < 1`.
    not 0 <= p < 1 -> p >= 1
range-above: A rate of 1 and more is let through. Refuse it as well: `if not 0 <= p < 1`.
    not 0 <= p < 1 -> p < 0
range-both: Two ends of your range are wrong: `p = 1` should be refused as well, and a rate below 0 too. Write
    `if not 0 <= p < 1`.
    not 0 <= p < 1 -> p > 1
range-both: Two ends of your range are wrong: `p = 0` is a good rate, and `p = 1` is none. Write `if not 0 <= p < 1`.
    not 0 <= p < 1 -> not 0 < p <= 1
range-one-alone: You refuse `p = 1` alone. A rate below 0, or above 1, makes no sense either: `if not 0 <= p < 1`.
    not 0 <= p < 1 -> p == 1
range-inverted: Your condition is the wrong way round: good rates are refused, the others let through.
    if not 0 -> if 0
error-kind: An `assert` raises an `AssertionError`, and can be switched off. Raise a `ValueError` instead.
    if not 0 <= p < 1:…return -> assert 0 <= p < 1 ⏎ return
error-kind: Another error is raised than asked for: `raise ValueError(…)`.
    raise ValueError -> raise Exception
error-returned: Your `ValueError` is returned as a result. Nobody is stopped by that: write `raise`.
    raise ValueError -> return ValueError
error-returned: For a rate that cannot be, nothing comes back, and nobody is stopped by that: `raise ValueError(…)`.
    raise ValueError(…) -> return
random:
    noise >= p -> torch.rand_like(x) >= p
"""

exercise = Exercise(
    dropout_solution,
    cases,
    MISTAKES,
    behaviours=(repeats,),
    hints=(gradient_flows,),
)

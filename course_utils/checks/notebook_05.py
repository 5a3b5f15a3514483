"""The exercise of notebook 05 on dropout itself: the random numbers are handed in, so that results are exact."""

import torch

from . import steps
from .behaviours import gradient_flows, repeats
from .legacy import Exercise

rate = 0.3  # lies about in the notebook

NO_RESCALE = (
    "What is kept keeps its size, so the mean becomes too small. Divide by `1 - p`, the share that is kept on average."
)
KEEP_RATE = "You took `p` for the share that is kept. It is the share that is dropped: `1 - p` are kept."
NO_RANGE_CHECK = (
    "A rate outside [0, 1) gets no `ValueError` of yours: with `p = 1` nothing is left to make larger, and you would "
    "divide by 0. Begin with `if not 0 <= p < 1:` and `raise`."
)


def uniform(draw, *shape, dtype=torch.float32):
    """Numbers spread evenly over 0 to 1."""
    return torch.special.ndtr(draw(*shape, dtype=torch.float64)).to(dtype)


def refuse_rate(p):
    if not 0 <= p < 1:
        raise ValueError(f"p must be in [0, 1), got {p}.")


def kept(noise, p):
    return noise >= p


def rescaled(x, keep, p):
    return x * keep / (1 - p)


def dropping(refuse=refuse_rate, keep=kept, cut=rescaled):
    """An answer with some of its steps replaced."""

    def answer(x, noise, p):
        refuse(p)
        return cut(x, keep(noise, p), p)

    return answer


def by_noise(x, noise, p):
    refuse_rate(p)
    return x * (noise >= p) / (1 - p)


def dropout_cases(draw):
    yield "3 rows of 4, p = 0.3", draw(3, 4), uniform(draw, 3, 4), 0.3
    yield "5 numbers, p = 0.5", draw(5), uniform(draw, 5), 0.5
    yield "3 axes, (2, 3, 5), p = 0.8", draw(2, 3, 5), uniform(draw, 2, 3, 5), 0.8
    yield "p = 0, nothing to drop", draw(2, 3), uniform(draw, 2, 3), 0.0
    yield "all of it dropped", draw(2, 3), uniform(draw, 2, 3) / 2, 0.6
    yield "a single number", draw(1), uniform(draw, 1), 0.1
    yield "float64", draw(3, 4, dtype=torch.float64), uniform(draw, 3, 4, dtype=torch.float64), 0.4
    yield "p = 1", draw(2, 3), uniform(draw, 2, 3), 1.0
    yield "p = 1.5", draw(2, 3), uniform(draw, 2, 3), 1.5
    yield "p = -0.1", draw(2, 3), uniform(draw, 2, 3), -0.1


def refuse_above_one(p):
    if not 0 <= p <= 1:
        raise ValueError(p)


def refuse_zero(p):
    if not 0 < p < 1:
        raise ValueError(p)


def assert_rate(p):
    assert 0 <= p < 1


dropout = Exercise("dropout", by_noise, dropout_cases, behaviours=(repeats, gradient_flows), make=dropping)
dropout.wrong_steps(
    {
        "dropout-no-rescale": (NO_RESCALE, "cut", lambda x, keep, p: x * keep),
        "dropout-inverted": (
            "You keep what should be dropped. Dropped is where the noise is *below* `p`, so kept is `noise >= p`.",
            "keep",
            lambda noise, p: noise < p,
        ),
        "half-rate": (
            "You drop half, whatever `p` is. Compare the noise with `p`.",
            "keep",
            lambda noise, p: noise >= 0.5,
        ),
        "rescale-by-p": (
            "You divided by `p`, the share that is dropped. Divide by the share that is kept, `1 - p`.",
            "cut",
            lambda x, keep, p: x * keep / p,
        ),
        "rescale-multiplied": (
            "You multiplied by `1 - p`. What is kept should become larger: divide.",
            "cut",
            lambda x, keep, p: x * keep * (1 - p),
        ),
        "rescale-double": (
            "You double what is kept, whatever `p` is. That is right for one half alone: divide by `1 - p`.",
            "cut",
            lambda x, keep, p: x * keep * 2,
        ),
        "rescale-brackets": (
            "`/ 1 - p` divides by 1, and takes `p` off afterwards. Write `/ (1 - p)`.",
            "cut",
            lambda x, keep, p: x * keep / 1 - p,
        ),
        "x-missing": (
            "`x` is missing: what you make larger is the table of booleans itself. Multiply `x` by it.",
            "cut",
            lambda x, keep, p: keep / (1 - p),
        ),
        "rescale-by-count": (
            "You divided by the share that happens to be kept in this draw. That share is a matter of chance, and can "
            "be 0. Divide by `1 - p`, which is what is kept on average.",
            "cut",
            lambda x, keep, p: x * keep / keep.to(x.dtype).mean(),
        ),
        "rescale-rows": (
            "You stretched each row so that it adds up to what it was before. Dropout keeps sums on average alone: "
            "divide everything by `1 - p`.",
            "cut",
            lambda x, keep, p: x * keep * x.sum(-1, keepdim=True) / (x * keep).sum(-1, keepdim=True),
        ),
        "survivors-only": (
            "What is dropped has disappeared from the tensor. It should stay in its place, as 0: multiply by the "
            "table of booleans, do not index with it.",
            "cut",
            lambda x, keep, p: x[keep] / (1 - p),
        ),
        "no-range-check": (NO_RANGE_CHECK, "refuse", lambda p: None),
        "range-one": (
            "`p = 1` is let through, and 1 - p is 0 then. Refuse it: `p < 1`, not `p <= 1`.",
            "refuse",
            refuse_above_one,
        ),
        "range-zero": (
            "`p = 0` is refused. It drops nothing, and is a good rate: `0 <= p`, not `0 < p`.",
            "refuse",
            refuse_zero,
        ),
        "error-kind": (
            "An `assert` raises an `AssertionError`, and can be switched off. Raise a `ValueError` instead.",
            "refuse",
            assert_rate,
        ),
    }
)


@dropout.mistake("keep-rate", KEEP_RATE)
def _(x, noise, p):
    refuse_rate(p)
    return x * (noise < p) / p


@dropout.mistake(
    "noise-multiplied", "You multiplied by the noise itself. It only decides: a number is kept whole, or becomes 0."
)
def _(x, noise, p):
    refuse_rate(p)
    return x * noise / (1 - p)


@dropout.mistake("x-compared", "You compare `x` with `p`. It is the noise that decides: `noise >= p` is kept.")
def _(x, noise, p):
    refuse_rate(p)
    return x * (x >= p) / (1 - p)


@dropout.mistake(
    "if-on-table",
    "`noise < p` is a whole table of answers, and `if` wants one. Do without `if`: multiply `x` by the table of "
    "booleans `noise >= p`.",
)
def _(x, noise, p):
    refuse_rate(p)
    return x * 0 if noise < p else x / (1 - p)


@dropout.mistake("random", "You draw random numbers of your own. Use those of `noise`.")
def _(x, noise, p):
    refuse_rate(p)
    return x * (torch.rand_like(x) >= p) / (1 - p)


@dropout.mistake("input-changed", "Your code changes its input: multiply, and do not write into `x`.")
def _(x, noise, p):
    refuse_rate(p)
    x[noise < p] = 0
    return x / (1 - p)


@dropout.mistake("detached", steps.DETACHED)
def _(x, noise, p):
    return by_noise(x.detach(), noise, p)


@dropout.mistake("global-leak", steps.LEAK)
def _(x, noise, p):
    refuse_rate(p)
    return x * (noise >= p) / (1 - rate)

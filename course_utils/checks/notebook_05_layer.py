"""The exercise of notebook 05 on a dropout layer, which has two modes."""

import torch
from torch import nn

from . import steps
from .draw import Draw
from .legacy import BEHAVIOURS, ModuleExercise
from .notebook_05 import KEEP_RATE, NO_RESCALE, refuse_rate

RATE = 0.3  # neither one half nor its own complement, so that a mistaken rate shows


class Dropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        refuse_rate(p)
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        return x * (torch.rand_like(x) >= self.p) / (1 - self.p)


def layer_cases(draw):
    yield "3 rows of 4, in eval mode", (0.5,), draw(3, 4)
    yield "weights of 2 texts, in eval mode", (0.3,), draw(2, 4, 5)
    yield "p = 0, in eval mode", (0.0,), draw(5)
    yield "float64", (0.8,), draw(2, 3, dtype=torch.float64)
    yield "p = 1", (1.0,), draw(2, 3)
    yield "p = 1.5", (1.5,), draw(2, 3)
    yield "p = -0.1", (-0.1,), draw(2, 3)


def in_training(exercise, answer):
    """12,000 numbers in training mode: the right share is 0, the others larger by 1 / (1 - p), anew at each call."""
    model, x = answer(RATE).train(), Draw(seed=5)(20, 30, 20)
    before, dropped = x.clone(), model(x)
    if not torch.equal(x, before):
        yield "input-changed", "Your `forward` changes its input: multiply, and do not write into `x`."
        return
    if dropped.shape != x.shape:
        yield (
            "survivors-only",
            "In training mode the shape changes. What is dropped stays in its place, as 0: multiply.",
        )
        return
    if not model.training:
        yield (
            "mode-switched",
            "Your `forward` switches the mode: `self.eval()` and `self.train()` are commands. Ask `self.training`, "
            "without brackets: it is True or False.",
        )
        return
    shares = [(model(x) == 0).float().mean().item() for _ in range(6)]
    if {0.0, 1.0} == set(shares):
        yield (
            "all-together",
            "One random number decides for the whole tensor: all of it is dropped, or nothing. Draw one for each "
            "number: `torch.rand_like(x)`.",
        )
        return
    zero = dropped == 0
    factor = (dropped / x)[~zero]
    yield from _wrong_numbers(zero.float().mean().item(), factor)
    yield from _wrong_places(zero, model(x) == 0)


def _wrong_numbers(share, factor):
    """share: of zeros. factor: by how much each other number has grown."""
    if share == 0:
        yield "dropout-missing", "In training mode nothing is dropped. While `self.training` is True, some become 0."
    elif torch.allclose(factor, torch.ones(())):
        yield "dropout-no-rescale", NO_RESCALE
    elif torch.allclose(factor, torch.tensor(1 / RATE)) and 0.6 < share < 0.8:
        yield "keep-rate", KEEP_RATE
    elif 0.59 < share < 0.65:
        yield (
            "randn-for-rand",
            f"With `p = {RATE}`, {share:.0%} of 12,000 numbers are dropped. That happens with `torch.randn`, whose "
            "numbers lie around 0. Take `torch.rand_like(x)`: evenly spread, from 0 to 1.",
        )
    elif not 0.2 < share < 0.4:
        yield (
            "dropout-rate",
            f"With `p = {RATE}`, {share:.0%} of 12,000 numbers are dropped. Keep where the random numbers are at "
            "least `self.p`.",
        )
    elif not torch.allclose(factor, torch.tensor(1 / (1 - RATE))):
        yield (
            "rescale-wrong",
            f"What is kept should be divided by `1 - p`, times {1 / (1 - RATE):.2f} here. Yours is times "
            f"{factor.mean().item():.2f} on average.",
        )


def _wrong_places(zero, later):
    """zero, later: (20, 30, 20) what was dropped in two calls."""
    if torch.equal(zero, later):
        yield (
            "same-draw",
            "Two calls in training mode drop the same places. Draw anew in each `forward`: not in `__init__`, and "
            "with no seed.",
        )
    elif (zero.all(-1) | ~zero.any(-1)).all():
        yield (
            "rows-together",
            "Whole rows are dropped or kept. Draw a random number for each number: `torch.rand_like(x)`.",
        )
    elif (zero == zero[:1]).all():
        yield (
            "samples-together",
            "The same places are dropped in every text of the batch. Draw a random number for each number: "
            "`torch.rand_like(x)`.",
        )


def learns_in_training(exercise, answer):
    """The gradient passes where nothing is dropped."""
    model, x = answer(RATE).train(), Draw(seed=5)(3, 40).requires_grad_()
    dropped = model(x)
    if dropped.requires_grad:
        dropped.sum().backward()
    if x.grad is None or not torch.allclose(x.grad, (dropped / x).detach()):
        yield "detached", steps.DETACHED


def nothing_at_rate_zero(exercise, answer):
    x = Draw(seed=5)(20, 30)
    if not torch.allclose(answer(0.0).train()(x), x):
        yield "rate-zero", "With `p = 0`, something changes in training mode. Nothing should be dropped then."


def refused_when_made(exercise, answer):
    """A rate that cannot be is an error of the line that makes the layer."""
    try:
        answer(1.5)
    except ValueError:
        return
    yield (
        "range-late",
        "`p = 1.5` is refused when the layer is called, and should be refused when it is made: look at `p` in "
        "`__init__`.",
    )


dropout_layer = ModuleExercise(
    "dropout_layer", Dropout, layer_cases, stub="MyDropout",
    behaviours=(*BEHAVIOURS, in_training, learns_in_training, nothing_at_rate_zero, refused_when_made),
)  # fmt: skip

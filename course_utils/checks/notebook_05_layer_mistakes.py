"""Wrong answers to the dropout layer of notebook 05."""

import torch
from torch import nn

from . import notebook_05_layer as right  # the module: an exercise named here would be counted twice
from . import steps
from .notebook_05 import KEEP_RATE, NO_RANGE_CHECK, NO_RESCALE, refuse_above_one, refuse_rate

rate = 0.3  # lies about in the notebook
mistake = right.dropout_layer.mistake


def forward(id, words):
    """Add a layer whose forward is another one."""

    def add(function):
        mistake(id, words)(type("Layer", (right.Dropout,), {"forward": function}))

    return add


def in_training(id, words):
    """Add a layer that is wrong in training mode alone."""

    def add(function):
        forward(id, words)(lambda self, x: function(self, x) if self.training else x)

    return add


@forward("dropout-in-eval", "It still drops in eval mode: ask `self.training`, and give `x` back when it is False.")
def _(self, x):
    return x * (torch.rand_like(x) >= self.p) / (1 - self.p)


@forward("dropout-in-eval", "It drops in eval mode, and not in training: `self.training` is True while training.")
def _(self, x):
    return x if self.training else x * (torch.rand_like(x) >= self.p) / (1 - self.p)


@forward(
    "eval-scaled",
    "In eval mode everything is made smaller, by `1 - p`. That belongs to another form of dropout. Here what is kept "
    "is made larger in training, and in eval mode `x` comes back as it is.",
)
def _(self, x):
    return x * (torch.rand_like(x) >= self.p) if self.training else x * (1 - self.p)


@forward(
    "eval-scaled-up",
    "In eval mode everything is made larger: you divide by `1 - p` in both modes. Nothing is missing in eval mode: "
    "give `x` back.",
)
def _(self, x):
    keep = torch.rand_like(x) >= self.p if self.training else 1.0
    return x * keep / (1 - self.p)


@forward("dropout-missing", "In training mode nothing is dropped.")
def _(self, x):
    return x * 1.0


@in_training("dropout-no-rescale", NO_RESCALE)
def _(self, x):
    return x * (torch.rand_like(x) >= self.p)


@in_training("keep-rate", KEEP_RATE)
def _(self, x):
    return x * (torch.rand_like(x) < self.p) / self.p


@in_training("dropout-rate", "Another share is dropped than `p`.")
def _(self, x):
    return x * (torch.rand_like(x) >= 0.5) / (1 - self.p)


@in_training("dropout-rate", "You keep what should be dropped.")
def _(self, x):
    return x * (torch.rand_like(x) < self.p) / (1 - self.p)


@in_training("randn-for-rand", "You took `torch.randn`, whose numbers lie around 0.")
def _(self, x):
    return x * (torch.randn_like(x) >= self.p) / (1 - self.p)


@forward("mode-switched", "Your `forward` switches the mode.")
def _(self, x):
    return x if self.eval() else x * (torch.rand_like(x) >= self.p) / (1 - self.p)


@in_training("rescale-wrong", "What is kept is divided by something else than `1 - p`.")
def _(self, x):
    return x * (torch.rand_like(x) >= self.p) / self.p


@in_training("all-together", "One random number decides for the whole tensor.")
def _(self, x):
    return x * (torch.rand(1) >= self.p) / (1 - self.p)


@in_training("rows-together", "Whole rows are dropped or kept.")
def _(self, x):
    return x * (torch.rand(*x.shape[:-1], 1) >= self.p) / (1 - self.p)


@in_training("samples-together", "The same places are dropped in every text of the batch.")
def _(self, x):
    return x * (torch.rand(x.shape[1:]) >= self.p) / (1 - self.p)


@in_training("same-draw", "Two calls drop the same places.")
def _(self, x):
    generator = torch.Generator().manual_seed(0)
    return x * (torch.rand(x.shape, generator=generator) >= self.p) / (1 - self.p)


@in_training("survivors-only", "In training mode the shape changes.")
def _(self, x):
    return x[torch.rand_like(x) >= self.p] / (1 - self.p)


@in_training("input-changed", "Your `forward` changes its input.")
def _(self, x):
    x.data[torch.rand_like(x) < self.p] = 0
    return x / (1 - self.p)


@in_training("detached", steps.DETACHED)
def _(self, x):
    return x.detach() * (torch.rand_like(x) >= self.p) / (1 - self.p)


@in_training("rate-zero", "With `p = 0`, something changes.")
def _(self, x):
    return x * (torch.rand_like(x) >= max(self.p, 0.1)) / (1 - self.p)


@forward("global-leak", steps.LEAK)
def _(self, x):
    return x * (torch.rand_like(x) >= rate) / (1 - rate) if self.training else x


@mistake("no-range-check", NO_RANGE_CHECK)
class AnyRate(right.Dropout):
    def __init__(self, p):
        nn.Module.__init__(self)
        self.p = p


@mistake("range-late", "The rate is looked at when the layer is called, not when it is made.")
class RangeLate(right.Dropout):
    def __init__(self, p):
        nn.Module.__init__(self)
        self.p = p

    def forward(self, x):
        refuse_rate(self.p)
        return super().forward(x)


@mistake("range-one", "`p = 1` is let through, and 1 - p is 0 then. Refuse it: `p < 1`, not `p <= 1`.")
class UpToOne(right.Dropout):
    def __init__(self, p):
        nn.Module.__init__(self)
        refuse_above_one(p)
        self.p = p


@mistake("extra-parameter", "The rate is a parameter: training would change it. Keep it as a plain number.")
class LearntRate(right.Dropout):
    def __init__(self, p):
        nn.Module.__init__(self)
        refuse_rate(p)
        self.p = nn.Parameter(torch.tensor(float(p)))


@mistake("mask-not-buffer", "A mask is drawn in `__init__` and kept. Draw one in each `forward`.")
class DrawnOnce(right.Dropout):
    def __init__(self, p):
        super().__init__(p)
        self.keep = torch.rand(20) >= p

    def forward(self, x):
        return x * self.keep[: x.shape[-1]] / (1 - self.p) if self.training else x

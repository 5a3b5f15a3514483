"""`MyDropout(p)`: a layer that drops numbers in training, and nothing in eval mode."""

import torch
from torch import nn

from course_utils.checks.behaviours import repeats
from course_utils.checks.exercise import Unasked
from course_utils.checks.modules import ModuleExercise, keeps_nothing, no_stray_tensors, only_its_parameters
from course_utils.checks.rules import demands, forbids
from course_utils.exercises.dropout.training_mode import (
    in_training,
    inside_another,
    learns_in_training,
    nothing_at_rate_zero,
)


class DropoutSolution(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"p must be in [0, 1), got {p}.")
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        return x * (torch.rand_like(x) >= self.p) / (1 - self.p)


def cases(draw):
    yield "3 rows of 4, in eval mode", (0.5,), draw(3, 4)
    yield "weights of 2 texts, in eval mode", (0.3,), draw(2, 4, 5)
    yield "p = 0, in eval mode", (0.0,), draw(5)
    yield "p = 1", (1.0,), draw(2, 3)
    yield "p = 1.5", (1.5,), draw(2, 3)
    yield "p = -0.1", (-0.1,), draw(2, 3)
    yield Unasked("float64"), (0.8,), draw(2, 3, dtype=torch.float64)


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


MISTAKES = """
dropout-in-eval:
    if not self.training:…return x ->
    or
    not self.training -> self.training
eval-scaled: In eval mode everything is made smaller, by `1 - p`. That belongs to another form of dropout. Here what is
    kept is made larger in training, and in eval mode `x` comes back as it is.
    if not self.training:…return x -> if not self.training:…return x * (1 - self.p)
    / (1 - self.p) ->
eval-scaled-up: In eval mode everything is made larger: you divide by `1 - p` in both modes. Nothing is missing in eval
    mode: give `x` back.
    if not self.training:…return x -> if not self.training:…return x / (1 - self.p)
eval-nothing: In eval mode nothing comes back: that branch needs its own `return x`.
    if not self.training:…return x -> if not self.training:…return
eval-nothing: In eval mode zeros come back. Nothing is dropped there: give `x` back.
    if not self.training:…return x -> if not self.training:…return torch.zeros_like(x)
dropout-missing:
    return x * (torch.rand_like(x) >= self.p) / (1 - self.p) -> return x
dropout-no-rescale:
    / (1 - self.p) ->
keep-rate:
    (torch.rand_like(x) >= self.p) / (1 - self.p) -> (torch.rand_like(x) < self.p) / self.p
dropout-rate:
    >= self.p -> >= 0.5
    or
    >= self.p -> < self.p
    or
    >= self.p -> >= 1 - self.p
x-missing:
    x * (torch.rand_like(x) >= self.p) -> (torch.rand_like(x) >= self.p)
rescale-brackets:
    / (1 - self.p) -> / 1 - self.p
rescale-by-count:
    return x * (torch.rand_like(x) >= self.p) / (1 - self.p) ->
        keep = torch.rand_like(x) >= self.p ⏎ return x * keep / keep.float().mean()
rescale-wrong:
    / (1 - self.p) -> / self.p
    or
    / (1 - self.p) -> * (1 - self.p)
    or
    / (1 - self.p) -> * 2
randn-for-rand:
    torch.rand_like -> torch.randn_like
all-together:
    torch.rand_like(x) -> torch.rand(1)
rows-together:
    torch.rand_like(x) -> torch.rand(*x.shape[:-1], 1)
columns-together:
    torch.rand_like(x) -> torch.rand(x.shape[-1])
samples-together:
    torch.rand_like(x) -> torch.rand(x.shape[1:])
same-draw:
    torch.rand_like(x) -> torch.rand(x.shape, generator=torch.Generator().manual_seed(0))
    or
    self.p = p -> self.p = p ⏎ self.noise = None
    return x * -> if self.noise is None: self.noise = torch.rand_like(x) ⏎ return x *
    torch.rand_like(x) >= -> self.noise >=
survivors-only:
    x * (torch.rand_like(x) >= self.p) -> x[torch.rand_like(x) >= self.p]
x-compared:
    torch.rand_like(x) >= self.p -> x >= self.p
noise-multiplied:
    (torch.rand_like(x) >= self.p) -> torch.rand_like(x)
input-changed:
    return x * (torch.rand_like(x) >= self.p) -> x[torch.rand_like(x) < self.p] = 0.0 ⏎ return x
nothing-in-training:
    return x * (torch -> x = x * (torch
mode-switched:
    not self.training -> self.eval()
mode-overridden:
    def forward -> def eval(self): ⏎     self.active = False ⏎     return super().eval() ⏎ ⏎ def forward
    self.p = p -> self.p, self.active = p, True
    not self.training -> not self.active
    or
    def forward ->
        def train(self, mode=True): ⏎     self.active = True ⏎     return self
        ⏎ ⏎ def eval(self): ⏎     self.active = False ⏎     return self ⏎ ⏎ def forward
    self.p = p -> self.p, self.active = p, True
    not self.training -> not self.active
mode-overridden: Your own `eval` takes the place of the module's, and gives nothing back. Write no `eval` and no `train`
    of your own: `nn.Module` sets `self.training`, and `forward` asks for it.
    def forward -> def eval(self): ⏎     self.active = False ⏎ ⏎ def forward
stuck-in-eval:
    if not self.training:…return x -> if not self.training: self.p = 0.0
mode-called: `self.training` is True or False, and no function; `self.train` and `self.eval` are functions, which the
    module needs. Ask `if self.training:`, without brackets, and set none of the three.
    not self.training -> not self.training()
    or
    self.p = p -> self.p, self.train = p, True
    or
    self.p = p -> self.p, self.eval = p, False
rate-zero:
    self.p = p -> self.p = p or 0.5
no-range-check: The layer is made with a rate outside [0, 1), and no `ValueError` of yours stops it. Begin `__init__`
    with `if not 0 <= p < 1:` and `raise`: with `p = 1` nothing is left to make larger.
    if not 0 <= p < 1:…self.p = p -> self.p = p
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
range-late:
    if not 0 <= p < 1:…self.p = p -> self.p = p
    if not self.training: -> if not 0 <= self.p < 1: raise ValueError(self.p) ⏎ if not self.training:
error-kind: An `assert` raises an `AssertionError`, and can be switched off. Raise a `ValueError` instead.
    if not 0 <= p < 1:…self.p = p -> assert 0 <= p < 1 ⏎ self.p = p
error-kind: Another error is raised than asked for: `raise ValueError(…)`.
    raise ValueError -> raise Exception
error-kind: A `TypeError` comes where a `ValueError` is asked for: `raise ValueError(…)`. (Where `__init__` returns one,
    Python stops with a `TypeError`, too.)
    raise ValueError -> return ValueError
extra-parameter:
    self.p = p -> self.p = nn.Parameter(torch.tensor(float(p)))
"""

exercise = ModuleExercise(
    DropoutSolution,
    cases,
    MISTAKES,
    outputs=("x",),
    behaviours=(
        only_its_parameters,
        keeps_nothing,
        repeats,
        in_training,
        inside_another,
        nothing_at_rate_zero,
        refused_when_made,
    ),
    hints=(no_stray_tensors, learns_in_training),
    rules=(
        forbids("Dropout", "dropout", "dropout_", prompt="without `nn.Dropout` or `F.dropout`"),
        demands("rand", "rand_like", prompt="with `torch.rand`"),
    ),
)

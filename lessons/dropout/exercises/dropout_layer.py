"""`MyDropout(p)`: a layer that drops numbers in training, and nothing in eval mode."""

import torch
from torch import nn

from course_utils.checks.modules import ModuleExercise, keeps_nothing, no_stray_tensors, only_its_parameters
from course_utils.checks.rules import demands, forbids
from course_utils.lessons.dropout.exercises.rates import RANGE
from course_utils.lessons.dropout.exercises.training_mode import IN_TRAINING, learns_in_training
from course_utils.lessons.findings import finding


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


def refused_when_made(exercise, answer):
    """Yield ("range-late", message) if `answer(1.5)`, a layer with an impossible rate, is made without a ValueError."""
    try:
        answer(1.5)
    except ValueError:
        return
    yield finding(exercise, "range-late")


MISTAKES = """
eval-scaled: In eval mode everything is made smaller, by `1 - p`. What is kept grows in training: here, give `x` back.
    if not self.training:…return x -> if not self.training:…return x * (1 - self.p)
    / (1 - self.p) ->
eval-scaled-up: In eval mode everything is made larger, by `1 / (1 - p)`. Nothing is missing there: give `x` back.
    if not self.training:…return x -> if not self.training:…return x / (1 - self.p)
zeros-in-eval: In eval mode zeros come back. Nothing is dropped there: give `x` back.
    if not self.training:…return x -> if not self.training:…return 0 * x
dropped-again: Dropout falls on the same numbers again and again, as in a loop. Draw once, for all of `x`.
    return x * (torch.rand_like(x) >= self.p) / (1 - self.p) -> for _ in x:
        ⏎     x = x * (torch.rand_like(x) >= self.p) / (1 - self.p) ⏎ return x
    or
    return x * (torch.rand_like(x) >= self.p) / (1 - self.p) -> for _ in range(2):
        ⏎     x = x * (torch.rand_like(x) >= self.p) / (1 - self.p) ⏎ return x
dropout-missing: In training mode nothing is dropped. While `self.training` is True, some become 0.
    return x * (torch.rand_like(x) >= self.p) / (1 - self.p) -> return x
dropout-no-rescale: What is kept keeps its size, so the mean becomes too small. Divide by the share kept, `1 - p`.
    / (1 - self.p) ->
keep-rate: `p` is taken for the chance to be kept. It is the chance to be dropped: `1 - p` are kept.
    (torch.rand_like(x) >= self.p) / (1 - self.p) -> (torch.rand_like(x) < self.p) / self.p
dropout-rate:
    >= self.p -> >= 0.5
x-missing: What is kept are equal numbers, not those of `x`. Multiply `x` by the table of booleans.
    x * (torch.rand_like(x) >= self.p) -> (torch.rand_like(x) >= self.p)
rescale-brackets: `p` is taken off each number, as `/ 1 - p` does. Write `/ (1 - p)`.
    / (1 - self.p) -> / 1 - self.p
rescale-by-count: You divided by the share that happens to be kept in this draw, which is chance. Divide by `1 - p`.
    return x * (…) / (1 - self.p) -> keep = torch.rand_like(x) >= self.p ⏎ return x * keep / keep.float().mean()
all-together: All of the tensor is dropped, or nothing. Draw a random number for each number: `torch.rand_like(x)`.
    torch.rand_like(x) -> torch.rand(1)
rows-together: Whole rows are dropped or kept. Draw one for each number: `torch.rand_like(x)`.
    torch.rand_like(x) -> torch.rand(*x.shape[:-1], 1)
columns-together: All rows lose the same places. Draw one for each number: `torch.rand_like(x)`.
    torch.rand_like(x) -> torch.rand(x.shape[-1])
samples-together: All texts lose the same places. Draw one for each number: `torch.rand_like(x)`.
    torch.rand_like(x) -> torch.rand(x.shape[1:])
same-draw: Two calls in training mode drop the same places. Draw anew in each `forward`, and with no seed.
    torch.rand_like(x) -> torch.rand(x.shape, generator=torch.Generator().manual_seed(0))
survivors-only: In training mode the shape changes. What is dropped stays, as 0: multiply.
    x * (torch.rand_like(x) >= self.p) -> x[torch.rand_like(x) >= self.p]
share-changes: Some calls in training mode drop another share than the first. All are alike: in `forward`, change
    nothing on `self`, and let `self.training` alone decide.
    self.p = p -> self.p, self.calls = p, 0
    if not self.training: -> self.calls += self.training ⏎ if not self.training or self.calls > 2:
share-by-order: Each call drops exactly as many numbers as the one before. Chance decides on each number alone:
    `torch.rand_like(x) >= self.p` is kept.
    torch.rand_like(x) >= self.p -> torch.rand(x.numel()).argsort().view_as(x) >= int(self.p * x.numel())
x-compared: You compare `x` with `p`. Chance should decide: compare `torch.rand_like(x)`.
    torch.rand_like(x) >= self.p -> x >= self.p
noise-multiplied: Numbers change by chance, and none becomes 0. Multiply by `torch.rand_like(x) >= self.p`.
    (torch.rand_like(x) >= self.p) -> torch.rand_like(x)
input-changed:
    return x * (torch.rand_like(x) >= self.p) -> x[torch.rand_like(x) < self.p] = 0.0 ⏎ return x
nothing-in-training: In training mode, no tensor comes back: that branch needs a `return` as well.
    return x * (torch -> x = x * (torch
mode-switched: Your `forward` switches the mode, as `self.eval()` and `self.train()` do. Only ask: `if self.training:`.
    not self.training -> self.eval()
mode-overridden: Inside of a model, your layer drops in eval mode too: a model calls no `eval` of its parts, but sets
    their `training`. Write no `eval` and no `train` of your own, and ask `if self.training:`.
    def forward -> def eval(self): ⏎     self.active = False ⏎     return super().eval() ⏎ ⏎ def forward
    self.p = p -> self.p, self.active = p, True
    not self.training -> not self.active
stuck-in-eval: Back in training mode after eval mode, your layer drops nothing more. Ask `if self.training:` in each
    `forward`, and change nothing on `self`.
    if not self.training:…return x -> if not self.training: self.p = 0.0
mode-called: `self.training` is True or False, `self.train` a function. Ask `if self.training:`, set nothing.
    not self.training -> not self.training()
rate-zero: With `p = 0`, something changes in training mode. Nothing should be dropped then.
    self.p = p -> self.p = p or 0.5
no-range-check: A rate outside [0, 1) gets no `ValueError`. Begin `__init__` with `if not 0 <= p < 1:`.
    if not 0 <= p < 1:…self.p = p -> self.p = p
range-late: `p = 1.5` is refused when the layer is called. Refuse it when the layer is made: look at `p` in `__init__`.
    if not 0 <= p < 1:…self.p = p -> self.p = p
    if not self.training: -> if not 0 <= self.p < 1: raise ValueError(self.p) ⏎ if not self.training:
extra-parameter:
    self.p = p -> self.p = nn.Parameter(torch.tensor(float(p)))
"""

MUST_HOLD = (only_its_parameters, keeps_nothing, *IN_TRAINING, refused_when_made)
HINTS = (no_stray_tensors, learns_in_training)
RULES = (
    forbids("Dropout", "dropout", "dropout_", prompt="without `nn.Dropout` or `F.dropout`"),
    demands("rand", "rand_like", prompt="with `torch.rand`"),
)
exercise = ModuleExercise(
    DropoutSolution, cases, MISTAKES, shared=(RANGE,), outputs=("x",), behaviours=MUST_HOLD, hints=HINTS, rules=RULES
)

"""`my_evaluate(model, x)`: call a model with nothing dropped, and leave its modes as they were."""

import torch
from torch import nn

from course_utils.checks.exercise import Exercise
from course_utils.checks.outcome import Refused


def evaluate_solution(model, x):
    modes = [part.training for part in model.modules()]
    model.eval()
    try:
        return model(x)
    finally:
        for part, training in zip(model.modules(), modes):
            part.training = training


class EverySecond(nn.Dropout):
    """A dropout layer that drops every second number in training, so that its results can be compared exactly."""

    def forward(self, x):
        keep = torch.arange(x.numel()).view(x.shape) % 2 == 0
        return x * keep / (1 - self.p) if self.training and self.p else x


class Restless(nn.Module):
    """A module without dropout that adds 0.25 to its results in training mode, and counts its calls there."""

    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls += self.training
        return x.tanh() + (0.25 if self.training else 0.0)


class Model(nn.Module):
    """A model with two dropout layers, one deep inside, whose results depend on its mode; a call raises `fails`.

    One of its two parameters, each 1, is frozen.
    """

    def __init__(self, fails=()):
        super().__init__()
        self.first, self.rest, self.fails = EverySecond(), nn.Sequential(Restless(), EverySecond()), fails
        self.scale, self.frozen = nn.Parameter(torch.ones(())), nn.Parameter(torch.ones(()), requires_grad=False)

    def forward(self, x):
        if self.fails:
            raise self.fails("no such token")
        return self.scale * self.frozen * self.rest(self.first(x)) + (0.5 if self.training else 0.0)


def in_mode(training, *others, fails=()):
    """Return a Model in training mode, or in eval mode if `training` is False, but with some parts in the other mode.

    others: the names of these parts. fails: the exception class that a call raises, or (), as in Model.
    """
    model = Model(fails).train(training)
    for name in others:
        model.get_submodule(name).train(not training)
    return model


def cases(draw):
    yield "a model in training", in_mode(True), draw(3, 4)
    yield "a model in eval mode", in_mode(False), draw(2, 5)
    yield "in training, but one part in eval mode", in_mode(True, "first"), draw(3, 4)
    yield "in training, but a part of a part in eval mode", in_mode(True, "rest.1"), draw(2, 3, 4)
    yield "in eval mode, but one part in training", in_mode(False, "first"), draw(3, 4)
    yield "a call that fails", in_mode(True, fails=ValueError), draw(2, 3)
    yield "a call that fails, with one part in eval mode", in_mode(True, "first", fails=ValueError), draw(2, 3)
    yield "a call that fails with an `IndexError`", in_mode(True, fails=IndexError), draw(2, 3)


def result_and_modes(answer, model, x):
    """Call answer(model, x).

    Return (its result, a tensor of the modes and dropout rates of all parts of the model afterwards, of whether each
    parameter learns, and of how often the model was called in training mode). model: a Model. x: its input. For a model
    that raises an error, the result is 0 if the answer lets the error through, 1 if it catches it. Errors: Refused if
    several things come back, or a mode is not True or False.
    """
    try:
        result = answer(model, x)
        if isinstance(result, tuple | list):
            raise Refused("More than one thing comes back. What `model(x)` gives is asked for, and nothing else.")
        result = torch.ones(1) if model.fails else result
    except model.fails:
        result = torch.zeros(1)
    modes = [part.training for part in model.modules()]
    if not all(isinstance(mode, bool) for mode in modes):
        raise Refused("What you put back is no mode. Keep `part.training` of each part, which is True or False.")
    rates = [float(part.p) for part in model.modules() if isinstance(part, nn.Dropout)]
    learn = [parameter.requires_grad for parameter in model.parameters()]
    return result, torch.tensor([*modes, *rates, *learn, model.rest[0].calls])


MISTAKES = """
no-eval: Something is still dropped: `torch.no_grad()` does not stop that. Write `model.eval()`, with brackets.
    model.eval() -> model.eval
stays-in-eval: The model is left in eval mode. Note all modes in a list first, and put each back.
    try:…part.training = training -> return model(x)
always-train: The model ends in training mode, also where it came in eval mode. Put back what `training` was.
    for part, training…part.training = training -> model.train()
always-train: All ends in training mode, and after an error in eval mode. Put `training` back in a `finally`.
    try:…part.training = training -> result = model(x) ⏎ model.train() ⏎ return result
parts-forgotten: All parts end in the model's mode. Put back `part.training` for each in `model.modules()`.
    modes = [part.training for part in model.modules()] -> training = model.training
    for part, training…part.training = training -> model.train(training)
parts-forgotten: All parts end in one mode. Put back each `part.training`, also after an error: `finally`.
    modes = [part.training for part in model.modules()] -> training = model.training
    try:…part.training = training -> result = model(x) ⏎ model.train(training) ⏎ return result
parts-forgotten: Parts that came in eval mode are switched on: `train()` reaches all below. Set `part.training` itself.
    part.training = training -> if training: part.train()
one-mode-a-class: Two parts of one class end in one mode, and may have had two. Keep one for each part, in a list.
    [part.training for part in model.modules()] -> {type(part): part.training for part in model.modules()}
    zip(model.modules(), modes): -> ((part, modes[type(part)]) for part in model.modules()):
train-takes-one: `train(…)` takes one mode, True or False, no list. Go through `model.modules()`, set `part.training`.
    for part, training…part.training = training -> model.train(modes)
eval-only-if-training: Only the model's own mode is asked. Call `model.eval()` always, put back part by part.
    model.eval() -> was = model.training ⏎ if was: model.eval()
    for part, training…part.training = training -> if was: model.train()
parts-kept:
    [part.training for part in model.modules()] -> list(model.modules())
first-level-only: The parts of parts do not get their modes back. Take all, `model.modules()`, not `model.children()`.
    modes = […] -> parts = [model, *model.children()] ⏎ modes = [part.training for part in parts]
    zip(model.modules(), -> zip(parts,
    or
    modes = […] -> parts = [model, *model.children()] ⏎ modes = [part.training for part in parts]
    zip(model.modules(), -> zip(parts,
    part.training = training -> part.train(training)
first-level-only: `model.children()` are the parts right below: the model and all deeper parts stay in eval mode. Take
    `model.modules()`.
    [part.training for part in model.modules()] -> [part.training for part in model.children()]
    zip(model.modules(), -> zip(model.children(),
modes-misplaced: Modes of `model.modules()` go to `model.children()`, which are others. Go through `modules()` twice.
    zip(model.modules(), -> zip(model.children(),
flag-only: `model.training = False` reaches the model alone, and none of its parts. Call `model.eval()`.
    model.eval() -> model.training = False
called-in-training: The model is called in training mode too, which may change it. Call it once, after `model.eval()`.
    model.eval() -> model(x) ⏎ model.eval()
frozen: The parameters are frozen afterwards, and learn no more. Leave `requires_grad` alone: `torch.no_grad()` will do.
    model.eval() -> model.eval() ⏎ model.requires_grad_(False)
thawed: A parameter that was frozen learns afterwards. Leave `requires_grad` alone: `torch.no_grad()` will do.
    model.eval() -> model.eval() ⏎ model.requires_grad_(True)
not-after-error: After a failed call the modes are not put back. Call in a `try`, and put them back in its `finally`.
    try:…part.training = training -> result = model(x) ⏎ for part, training in zip(model.modules(), modes):
        ⏎     part.training = training ⏎ return result
not-after-any-error: After one kind of error the modes are put back, after others not. A `finally` runs after each.
    try:…part.training = training ->
        def put_back(): ⏎     for part, training in zip(model.modules(), modes): part.training = training
        ⏎ try: ⏎     result = model(x) ⏎ except ValueError: ⏎     put_back() ⏎     raise
        ⏎ put_back() ⏎ return result
only-after-error: The modes are put back after an error alone, and the error is lost: `finally`, not `except`.
    finally: -> except Exception:
only-after-error: The modes are put back after an error alone. A `finally` runs after each call, `except` does not.
    finally:…part.training = training -> except Exception:
        ⏎     for part, training in zip(model.modules(), modes): part.training = training ⏎     raise
rate-zeroed: The model's rates `p` are 0 afterwards. Leave them alone: `model.eval()` is what stops dropout.
    model.eval() -> for part in model.modules(): ⏎     if isinstance(part, nn.Dropout): part.p = 0.0
dropout-layers-only: You stop the dropout layers alone. Other parts look at their mode too: call `model.eval()`.
    model.eval() -> for part in model.modules(): ⏎     if isinstance(part, nn.Dropout): part.eval()
error-swallowed: After a failed call nobody hears of the error. Let it pass: `finally`, without `except` or `return`.
    finally: -> except Exception: return None ⏎ finally:
"""

OUTPUTS = ("result", "modes_afterwards")
AFTERWARDS = (
    "model.training", "first.training", "rest.training", "rest[0].training", "rest[1].training", "first.p", "rest[1].p",
    "scale.requires_grad", "frozen.requires_grad", "calls in training mode",
)  # fmt: skip
exercise = Exercise(
    evaluate_solution, cases, MISTAKES, outputs=OUTPUTS, observe=result_and_modes, places={OUTPUTS[1]: AFTERWARDS}
)

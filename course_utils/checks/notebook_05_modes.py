"""The exercise of notebook 05 on modes: call a model with nothing dropped, and leave it as it was."""

import torch
from torch import nn

from .behaviours import repeats
from .legacy import Exercise


class EverySecond(nn.Dropout):
    """Drops every second number in training, where nn.Dropout would draw: so what a mode does is exact."""

    def forward(self, x):
        keep = torch.arange(x.numel()).view(x.shape) % 2 == 0
        return x * keep / (1 - self.p) if self.training and self.p else x


class Model(nn.Module):
    """Something that drops in two of its parts, one of them deep inside, and looks at its own mode too."""

    def __init__(self, fails=False):
        super().__init__()
        self.first, self.rest, self.fails = EverySecond(), nn.Sequential(nn.Tanh(), EverySecond()), fails

    def forward(self, x):
        if self.fails:
            raise ValueError("no such token")
        return self.rest(self.first(x)) + (0.5 if self.training else 0.0)


notebook_model = Model()  # what a notebook leaves lying about
notebook_model.first.eval()  # its modes are not those of model.train(), which would be taken for it


def in_mode(training, *frozen, fails=False):
    model = Model(fails).train(training)
    for name in frozen:
        model.get_submodule(name).eval()
    return model


def modes_of(model):
    return [part.training for part in model.modules()]


def cases(draw):
    yield "a model in training", in_mode(True), draw(3, 4)
    yield "a model in eval mode", in_mode(False), draw(2, 5)
    yield "in training, but one part in eval mode", in_mode(True, "first"), draw(3, 4)
    yield "in training, but a part of a part in eval mode", in_mode(True, "rest.1"), draw(2, 3, 4)
    yield "a call that fails", in_mode(True, fails=True), draw(2, 3)


def result_and_modes(answer, model, x):
    """What comes back (0 for the model's own error), and the modes and rates of all parts afterwards."""
    try:
        result = answer(model, x)
        result = torch.ones(1) if model.fails else result
    except ValueError:
        result = torch.zeros(1)
    rates = [part.p for part in model.modules() if isinstance(part, nn.Dropout)]
    return result, torch.tensor([*modes_of(model), *rates])


def called_in_eval(model, x):
    modes = {part: part.training for part in model.modules()}
    model.eval()
    try:
        return model(x)
    finally:
        for part, training in modes.items():
            part.training = training


ALWAYS_TRAIN = (
    "You end with `model.train()`, also where the model came in eval mode. Keep what `training` was, and put that back."
)
PARTS_FORGOTTEN = (
    "One mode is put back for all parts. A part may have had a mode of its own: keep `part.training` for each part in "
    "`model.modules()`."
)

evaluate = Exercise(
    "evaluate", called_in_eval, cases, outputs=("result", "modes afterwards"), observe=result_and_modes,
    behaviours=(repeats,),
)  # fmt: skip


@evaluate.mistake(
    "no-eval",
    "Something is still dropped: the model was called in training mode. `torch.no_grad()` does not change that, and "
    "`model.eval` without brackets does nothing. Write `model.eval()` before the call.",
)
def _(model, x):
    with torch.no_grad():
        return model(x)


@evaluate.mistake(
    "stays-in-eval",
    "The result is right, and the model is left in eval mode: a training that goes on would drop nothing. Keep the "
    "modes before you call `model.eval()`, and put them back before you return.",
)
def _(model, x):
    return model.eval()(x)


@evaluate.mistake("always-train", ALWAYS_TRAIN)
def _(model, x):
    try:
        return model.eval()(x)
    finally:
        model.train()


@evaluate.mistake("always-train", f"{ALWAYS_TRAIN} When the call fails, nothing is put back: use `finally`.")
def _(model, x):
    result = model.eval()(x)
    model.train()
    return result


@evaluate.mistake("parts-forgotten", PARTS_FORGOTTEN)
def _(model, x):
    training = model.training
    try:
        return model.eval()(x)
    finally:
        model.train(training)


@evaluate.mistake("parts-forgotten", f"{PARTS_FORGOTTEN} When the call fails, nothing is put back: use `finally`.")
def _(model, x):
    training = model.training
    result = model.eval()(x)
    model.train(training)
    return result


@evaluate.mistake(
    "first-level-only",
    "The parts of parts do not get their modes back: `model.children()` ends after the first level. `model.modules()` "
    "goes on into every part, and begins with the model itself.",
)
def _(model, x):
    parts = [model, *model.children()]
    modes = [part.training for part in parts]
    try:
        return model.eval()(x)
    finally:
        for part, training in zip(parts, modes, strict=True):
            part.training = training


@evaluate.mistake(
    "not-after-error",
    "When the call fails, the modes are not put back. Call in a `try`, and put them back in its `finally`.",
)
def _(model, x):
    modes = modes_of(model)
    result = model.eval()(x)
    for part, training in zip(model.modules(), modes, strict=True):
        part.training = training
    return result


@evaluate.mistake(
    "top-only",
    "You set `model.training` by hand. That reaches the model itself and none of its parts, which go on dropping: "
    "call `model.eval()`.",
)
def _(model, x):
    training = model.training
    model.training = False
    try:
        return model(x)
    finally:
        model.training = training


@evaluate.mistake(
    "dropout-layers-only",
    "You set the dropout layers alone to eval mode. Others look at their mode too, and so may the model itself: call "
    "`model.eval()`.",
)
def _(model, x):
    layers = [part for part in model.modules() if isinstance(part, nn.Dropout)]
    modes = [layer.training for layer in layers]
    for layer in layers:
        layer.eval()
    try:
        return model(x)
    finally:
        for layer, training in zip(layers, modes, strict=True):
            layer.training = training


@evaluate.mistake(
    "rate-zeroed",
    "You set the rates `p` to 0, and the model keeps them so. Leave the rates alone: `model.eval()` is what stops "
    "dropout.",
)
def _(model, x):
    for part in model.modules():
        if isinstance(part, nn.Dropout):
            part.p = 0.0
    return model(x)


@evaluate.mistake(
    "mode-flipped",
    "You turn the mode round, so a model in eval mode is called in training mode. Call `model.eval()`, whatever it "
    "was.",
)
def _(model, x):
    modes = modes_of(model)
    model.train(not model.training)
    try:
        return model(x)
    finally:
        for part, training in zip(model.modules(), modes, strict=True):
            part.training = training


@evaluate.mistake(
    "error-swallowed",
    "When the call fails, nobody hears of it: your `except` swallows the error. Use `finally` without `except`.",
)
def _(model, x):
    try:
        return called_in_eval(model, x)
    except ValueError:
        return None


@evaluate.mistake("global-leak", "Your code reads a model of the notebook. Use the argument.")
def _(model, x):
    try:
        return model.eval()(x)
    finally:
        for part, training in zip(model.modules(), modes_of(notebook_model), strict=True):
            part.training = training

"""The repair of notebook 11, case 10: a comparison of two modules that was made with dropout on."""

import torch
from torch import nn

from .. import attention
from . import steps
from .behaviours import repeats
from .legacy import Exercise
from .notebook_08 import filled, made
from .outcome import Refused

WIDTH, HEADS = 8, 2
ROUNDING = 3e-6  # as large as that of a long sum
notebook_batch = 2  # what a notebook leaves lying about


class Again(nn.Module):
    """The same attention with other rounding, and a random draw of its own first."""

    def __init__(self, module):
        super().__init__()
        self.module, self.noise = module, nn.Dropout(0.5)

    def forward(self, x):
        self.noise(torch.ones(3))
        context_vecs, attn_weights = self.module(x)
        return context_vecs + ROUNDING, attn_weights


def two_modules(weights, ours=True, theirs=True, off=(0.0, 0.0), inner=None, spoilt=False):
    """Two modules of the same weights but for `off`, in these modes; inner: the mode of the first one's dropout."""
    first, second = (made(attention.MultiHeadAttention, WIDTH, WIDTH, HEADS, dropout=0.5) for _ in range(2))
    filled(first, weights, 0.5)
    second.load_state_dict(first.state_dict())
    with torch.no_grad():
        second.out_proj.bias += torch.tensor(off).repeat(WIDTH // 2)
        if spoilt:
            first.out_proj.bias[0] = torch.nan
    first, second = first.train(ours), Again(second).train(theirs)
    if inner is not None:
        first.dropout.train(inner)
    return first, second


def compare_cases(draw):
    def weights():
        return type(draw)(seed=WIDTH)

    inputs = draw(2, 5, WIDTH)
    yield "the same weights, both in training", inputs, two_modules(weights())
    yield "the same weights, both in eval mode", draw(3, 4, WIDTH), two_modules(weights(), False, False)
    yield "the first in training, the second in eval mode", draw(2, 5, WIDTH), two_modules(weights(), True, False)
    yield "the first in eval mode, the second in training", draw(2, 5, WIDTH), two_modules(weights(), False, True)
    yield "other weights, both in training", draw(2, 5, WIDTH), two_modules(weights(), off=(1.0, -1.0))
    yield "other weights, in eval mode", draw(2, 5, WIDTH), two_modules(weights(), False, False, off=(1.0, 0.0))
    yield (
        "weights that differ by a hundredth",
        draw(2, 5, WIDTH),
        two_modules(weights(), False, False, off=(0.01, -0.01)),
    )
    yield "a first that gives nan", draw(2, 5, WIDTH), two_modules(weights(), False, False, spoilt=True)
    yield "in training, but for its dropout", draw(2, 5, WIDTH), two_modules(weights(), True, False, inner=False)


def modes_of(*modules):
    return [part.training for module in modules for part in module.modules()]


def observe(answer, inputs, modules):
    """The verdict as a number, and the modes of all parts afterwards."""
    verdict = answer(*modules, inputs)
    if torch.is_tensor(verdict) and verdict.numel() != 1 or isinstance(verdict, tuple | list):
        raise Refused(
            "One True or False is asked for. Your code gives one for each number: `torch.allclose` gives one."
        )
    if verdict is None:
        raise Refused("It ran to its end and gave nothing back. `assert_close` returns None: return True or False.")
    return torch.tensor(float(verdict)), torch.tensor(modes_of(*modules), dtype=torch.float32)


def close(ours, theirs):
    return torch.allclose(ours, theirs, rtol=1e-4, atol=1e-5)


def in_eval(call, *modules):
    """What call() gives while all parts are in eval mode; each gets back the mode it had."""
    modes = {part: part.training for module in modules for part in module.modules()}
    for module in modules:
        module.eval()
    try:
        return call()
    finally:
        for part, training in modes.items():
            part.training = training


def compared_by(judge=close):
    """An answer whose verdict is judge(our vectors, their vectors)."""
    return lambda ours, theirs, inputs: in_eval(lambda: judge(ours(inputs)[0], theirs(inputs)[0]), ours, theirs)


same_outputs = Exercise(
    "same_outputs", compared_by(), compare_cases, outputs=("verdict", "modes_afterwards"), observe=observe,
    behaviours=(repeats,),
)  # fmt: skip
same_outputs.mistake(
    "tolerance-wide",
    "Halfway: with a tolerance so wide, weights that differ by a hundredth pass as the same. Leave dropout out of it "
    "with `.eval()`, and leave `torch.allclose` nearly as it is: `atol=1e-5` is plenty.",
)(compared_by(lambda ours, theirs: torch.allclose(ours, theirs, atol=0.1)))
same_outputs.mistake(
    "exact",
    "Too strict: the same sum in another order differs in its last digits. `==` and `torch.equal` ask for the same "
    "bits, `torch.allclose` alone for eight digits near 0: give it `atol=1e-5`.",
)(compared_by(torch.equal))
same_outputs.mistake(
    "means-compared",
    "You compare means or sums. Differences of opposite signs cancel in them: compare number by number, "
    "`torch.allclose`.",
)(compared_by(lambda ours, theirs: close(ours.mean(), theirs.mean())))
same_outputs.mistake(
    "shapes-compared",
    "You say True whatever the modules give. Compare the numbers of the context vectors, `[0]`: not the shapes, and "
    "not the attention weights.",
)(compared_by(lambda ours, theirs: ours.shape == theirs.shape))
same_outputs.mistake(
    "nan-passes",
    "A module that gives `nan` passes. A comparison with `nan` is never True, so ask whether all *are* close, not "
    "whether none is far.",
)(compared_by(lambda ours, theirs: not ((ours - theirs).abs() > 1e-4).any()))
same_outputs.mistake("verdict-inverted", "True and False have changed places: True means the same.")(
    compared_by(lambda ours, theirs: not close(ours, theirs))
)
same_outputs.mistake("same-twice", "The first module is compared with itself. The second is never called.")(
    lambda ours, theirs, inputs: in_eval(lambda: close(ours(inputs)[0], ours(inputs)[0]), ours, theirs)
)


@same_outputs.mistake(
    "dropout-left-on",
    "This is the bug as it was, or close to it: dropout draws anew for each module. Neither `torch.no_grad()` nor a "
    "seed stops that; `.eval()` does, on both.",
)
def _(ours, theirs, inputs):
    return close(ours(inputs)[0], theirs(inputs)[0])


@same_outputs.mistake(
    "stays-in-eval",
    "Halfway: the verdict is right, and the modules are left in eval mode: a training that goes on would drop nothing. "
    "Put back what `training` was.",
)
def _(ours, theirs, inputs):
    return close(ours.eval()(inputs)[0], theirs.eval()(inputs)[0])


@same_outputs.mistake(
    "always-train",
    "Halfway: you end with `.train()`, also where a module came in eval mode, or one of its parts did. Keep what "
    "`training` was, and put that back.",
)
def _(ours, theirs, inputs):
    verdict = close(ours.eval()(inputs)[0], theirs.eval()(inputs)[0])
    ours.train(), theirs.train()
    return verdict


@same_outputs.mistake(
    "one-only",
    "Halfway: only the first module is in eval mode. The second goes on dropping.",
)
def _(ours, theirs, inputs):
    return in_eval(lambda: close(ours(inputs)[0], theirs(inputs)[0]), ours)


@same_outputs.mistake("one-only", "Halfway: only the second module is in eval mode. The first goes on dropping.")
def _(ours, theirs, inputs):
    return in_eval(lambda: close(ours(inputs)[0], theirs(inputs)[0]), theirs)


@same_outputs.mistake(
    "parts-forgotten",
    "Halfway: one mode is put back for a whole module. A part may have had a mode of its own: keep `part.training` for "
    "each part in `.modules()`.",
)
def _(ours, theirs, inputs):
    modes = ours.training, theirs.training
    verdict = close(ours.eval()(inputs)[0], theirs.eval()(inputs)[0])
    ours.train(modes[0]), theirs.train(modes[1])
    return verdict


@same_outputs.mistake("pairs-compared", "Each module gives a pair. Compare the context vectors: `ours(inputs)[0]`.")
def _(ours, theirs, inputs):
    return in_eval(lambda: ours(inputs) == theirs(inputs), ours, theirs)


@same_outputs.mistake(
    "pairs-compared", "Each module gives a pair. Hand its first part to `torch.allclose`, with `[0]`."
)
def _(ours, theirs, inputs):
    return in_eval(lambda: torch.allclose(ours(inputs), theirs(inputs)), ours, theirs)


@same_outputs.mistake(
    "none-returned",
    "It ran to its end and gave nothing back. `assert_close` returns None: return True or False.",
)
def _(ours, theirs, inputs):
    in_eval(lambda: torch.testing.assert_close(ours(inputs)[0], theirs(inputs)[0]), ours, theirs)


@same_outputs.mistake("global-leak", steps.LEAK)
def _(ours, theirs, inputs):
    return compared_by()(ours, theirs, inputs) and len(inputs) == notebook_batch

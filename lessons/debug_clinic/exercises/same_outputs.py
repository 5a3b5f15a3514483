"""`my_same_outputs(ours, theirs, inputs)`: whether two modules give the same outputs when nothing is dropped."""

import torch
from torch import nn

from course_utils import attention
from course_utils.checks.exercise import Exercise
from course_utils.checks.outcome import Refused
from course_utils.lessons.filled_modules import filled

WIDTH = 8
ROUNDING = 3e-6  # a difference as large as the rounding of a long sum


def same_outputs_solution(ours, theirs, inputs):
    modes = {part: part.training for module in (ours, theirs) for part in module.modules()}
    ours.eval(), theirs.eval()
    with torch.no_grad():
        same = torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)
    for part, training in modes.items():
        part.training = training
    return same


class Again(nn.Module):
    """An attention module in a wrapper, which draws random numbers first, rounds differently, and drops outputs last.

    added: a number or tensor that is added to the context vectors.
    """

    def __init__(self, module, added):
        super().__init__()
        self.module, self.noise, self.added = module, nn.Dropout(0.5), added + ROUNDING

    def forward(self, x):
        self.noise(torch.ones(3))
        context_vecs, attn_weights = self.module(x)
        return nn.functional.dropout(context_vecs, 0.5, self.training) + self.added, attn_weights


def of_one_class(*heads: int) -> list:
    """Return a MultiHeadAttention for each num_heads in `heads`: with equal weights, in training mode, dropout 0.5."""
    kind = attention.MultiHeadAttention
    return [filled(WIDTH, kind, WIDTH, WIDTH, num_heads, dropout=0.5).train() for num_heads in heads]


def two(ours=True, theirs=True, biases=(0.0, 0.0), heads=(2, 2), added=0.0):
    """Return (a MultiHeadAttention, an Again: a module around another), with the same weights except for their biases.

    ours, theirs: whether each is in training mode. biases: what is added to each module's `out_proj.bias`. heads: the
    number of heads of each. added: what the second adds to its context vectors.
    """
    modules = of_one_class(*heads)
    with torch.no_grad():
        for module, bias in zip(modules, biases, strict=True):
            module.out_proj.bias += bias
    return modules[0].train(ours), Again(modules[1], added).train(theirs)


def level(first, second):
    """Return two modules in eval mode, as from `two`, whose outputs do not depend on the inputs.

    The first gives `first` for each token, and the other gives `second` but for rounding; each is a number or a tensor
    (WIDTH,).
    """
    ours, theirs = two(False, False)
    with torch.no_grad():
        for module, number in ((ours, first), (theirs.module, second)):
            module.out_proj.weight.zero_()
            module.out_proj.bias.copy_(number)
    return ours, theirs


def cases(draw):
    signs = torch.tensor([1.0, -1.0]).repeat(WIDTH // 2)
    edges = torch.tensor([0.05, 0.005, 0.0005, 0.00005]).repeat(WIDTH // 4) - ROUNDING / 2
    last_alone = torch.zeros(2, 5, WIDTH)
    last_alone[-1, -1, -1] = 1.0
    apart = two(True, False)
    apart[0].dropout.eval()
    outside = two()
    outside[0].dropout.eval(), outside[1].module.eval(), outside[1].noise.eval()
    yield "the same weights, both in training", *two(), draw(2, 5, WIDTH)
    yield "the same weights, both in eval mode", *two(False, False), draw(3, 4, WIDTH)
    yield "the first in training, the second in eval mode", *two(True, False), draw(2, 5, WIDTH)
    yield "the first in eval mode, the second in training", *two(False, True), draw(2, 5, WIDTH)
    yield "other weights, both in training", *two(biases=(0.0, signs)), draw(2, 5, WIDTH)
    yield "other weights, in eval mode", *two(False, False, (0.0, signs.clamp(min=0.0))), draw(2, 5, WIDTH)
    yield "weights that differ by a hundredth", *two(False, False, (0.0, 0.01 * signs)), draw(2, 5, WIDTH)
    yield "outputs far from 0, a hundredth apart", *two(False, False, (8.0, 8.01)), draw(2, 5, WIDTH)
    yield "outputs that differ for one token alone", *two(False, False, added=last_alone), draw(2, 5, WIDTH)
    yield "the same weights, in 2 heads and in 4", *two(False, False, heads=(2, 4)), draw(2, 5, WIDTH)
    yield "0.12 everywhere, and 0.13", *level(torch.tensor(0.12), torch.tensor(0.13)), draw(2, 5, WIDTH)
    yield "where rounding to few decimals goes up, and goes down", *level(edges, edges), draw(2, 5, WIDTH)
    yield "a first that gives nan", *two(False, False, (torch.nan, 0.0)), draw(2, 5, WIDTH)
    yield "a second that gives nan", *two(False, False, (0.0, torch.nan)), draw(2, 5, WIDTH)
    yield "in training, but for its dropout", *apart, draw(2, 5, WIDTH)
    yield "both in training, and none of their parts", *outside, draw(2, 5, WIDTH)
    yield "the same to the last bit, both in training", *two(added=-ROUNDING), draw(2, 5, WIDTH)
    yield "a module and itself, in training", *of_one_class(2) * 2, draw(2, 5, WIDTH)
    yield "the same class and weights, in training", *of_one_class(2, 2), draw(2, 5, WIDTH)
    yield "the same class and weights, in 2 heads and in 4", *of_one_class(2, 4), draw(2, 5, WIDTH)


def verdict_of(answer, ours, theirs, inputs):
    """Call answer(ours, theirs, inputs); return its verdict as a tensor of one bool, or of a number except 0 and 1.

    Errors: Refused if it gives anything but one value, if it raises an AssertionError, or if a part changes its mode or
    its dropout rate.
    """
    before = modes_and_rates(ours, theirs)
    try:
        verdict = answer(ours, theirs, inputs)
    except AssertionError:
        raise Refused(
            "Where the modules differ, your code stops: `assert` and `assert_close` raise an error. False is asked "
            "for: `return torch.allclose(…, atol=1e-5)`."
        ) from None
    if torch.is_tensor(verdict) and verdict.numel() != 1 or isinstance(verdict, tuple | list):
        raise Refused(
            "One True or False is asked for. Your code gives one for each number: `torch.allclose` gives one."
        )
    if verdict is None:
        raise Refused("It ran to its end and gave nothing back. `assert_close` returns None: return True or False.")
    changed = {name: state for name, state in modes_and_rates(ours, theirs).items() if state != before[name]}
    for name, state in changed.items():
        template = "Afterwards, `{name}` has `{state}`, and came with `{before}`. Leave all modes as they were."
        if len(changed) == 1:
            raise Refused(template, name=name, state=state, before=before[name])
        template = (
            "Afterwards, {count} parts are changed: `{name}` has `{state}`, and came with `{before}`. Leave all modes "
            "as they were."
        )
        raise Refused(template, count=len(changed), name=name, state=state, before=before[name])
    number = float(verdict)
    return torch.tensor(bool(number) if number in (0, 1) else number)  # 1 counts as True


def modes_and_rates(ours, theirs):
    """Return a dict from the name of each part of two modules to its mode and dropout rate, "training=True, p=0.5".

    A name is "ours", "theirs" or, for a part inside, such as "theirs.module". Only an nn.Dropout has a rate; for other
    parts the string is "training=True" or "training=False".
    """
    parts = {"ours": ours, "theirs": theirs}
    for name in ("ours", "theirs"):
        parts |= {f"{name}.{inner}": part for inner, part in parts[name].named_modules() if inner}
    return {
        name: f"training={part.training}, p={part.p}" if isinstance(part, nn.Dropout) else f"training={part.training}"
        for name, part in parts.items()
    }


MISTAKES = """
dropout-left-on: This is the bug as it was: dropout draws anew for each module. `torch.no_grad()` or a seed stops
    nothing. `.eval()` does, on both modules that are called: a copy has a mode of its own.
    ours.eval(), theirs.eval() ->
    or
    ours.eval(), theirs.eval() ->
    same = torch.allclose(ours(inputs)[0], -> torch.default_generator.manual_seed(0) ⏎ one = ours(inputs)[0]
        ⏎ torch.default_generator.manual_seed(0) ⏎ same = torch.allclose(one,
one-only: Halfway: only the first module is in eval mode. The second goes on dropping.
    ours.eval(), theirs.eval() -> ours.eval()
outside-only: Halfway: `training` is False on the two modules alone. Their parts go on dropping: `.eval()` reaches all.
    ours.eval(), theirs.eval() -> ours.training = theirs.training = False
stays-in-eval: Halfway: all is left in eval mode. Note each `part.training` first, and put it back in the end.
    for part, …part.training = training ->
inner-only: Halfway: some parts get their modes back, and some do not, as with `.children()`. Note all `.modules()`.
    in module.modules()} -> in module.children()}
    part.training = training -> part.train(training)
always-train: Halfway: all ends in training mode, also what came in eval mode. Put `training` back as it was.
    for part, …part.training = training -> ours.train(), theirs.train()
parts-forgotten: Halfway: a whole module gets one mode back. Keep `part.training` of each part in `.modules()`.
    modes = {…} -> modes = ours.training, theirs.training
    for part, …part.training = training -> ours.train(modes[0]), theirs.train(modes[1])
one-put-back: Halfway: only the first module gets its modes back. The second is left in eval mode.
    modes = {…} -> modes = {part: part.training for part in ours.modules()}
modes-noted-late: Halfway: the two may share parts, or be one. Note all modes before the first `.eval()`.
    modes = {…} -> modes = {part: part.training for part in ours.modules()}
    ours.eval(), theirs.eval() -> ours.eval() ⏎ modes |= {part: part.training for part in theirs.modules()}
        ⏎ theirs.eval()
modes-noted-late: Halfway: `part.eval()` reaches the parts within, before their modes are noted. Note all modes first.
    modes = {…} -> modes = {} ⏎ for module in (ours, theirs): ⏎     for part in module.modules():
        ⏎         modes[part] = part.training ⏎         part.eval()
copies-shallow: Parts are left in eval mode: `copy.copy` shares them. Take `copy.deepcopy`, or put back each part's.
    for part in module.modules() -> for part in [module]
rate-zeroed: The dropout's `p` is 0 and stays so: a training that goes on would drop nothing. Use `.eval()` instead.
    ours.eval(), theirs.eval() -> for part in modes: part.p = 0.0
rate-of-copies: Something still drops: `F.dropout(…, training=self.training)` is no `nn.Dropout`. Use `.eval()`.
    modes = {…} -> from copy import deepcopy ⏎ ours, theirs = deepcopy(ours), deepcopy(theirs) ⏎ modes = {}
    ours.eval(), theirs.eval() -> for part in [*ours.modules(), *theirs.modules()]: part.p = 0.0
tolerance-wide: Halfway: outputs that differ by a hundredth pass as the same. `torch.allclose(…, atol=1e-5)` is plenty.
    atol=1e-5 -> atol=0.1
exact: Too strict: rounding counts as a difference. `==` allows none, `torch.allclose` alone little: add `atol=1e-5`.
    torch.allclose(…, atol=1e-5) -> torch.equal(…)
rounded: Rounded, numbers nearly alike can differ, and a hundredth can be gone. Use `torch.allclose(…, atol=1e-5)`.
    torch.allclose(…, …, atol=1e-5) -> torch.equal(….round(decimals=2), ….round(decimals=2))
signed-difference: Differences below 0 count as small. Take their size first: `.abs()`.
    torch.allclose(…, …, atol=1e-5) -> ((… - …) < 1e-4).all()
means-compared: Differences of opposite signs cancel, as in means or sums. Compare number by number: `torch.allclose`.
    torch.allclose(…, …, atol=1e-5) -> torch.allclose(….mean(), ….mean(), atol=1e-5)
weights-compared: The attention weights are compared. Context vectors are asked for, `[0]`, and may differ all the same.
    torch.allclose(ours(inputs)[0], …) -> torch.allclose(ours(inputs)[1], theirs(inputs)[1], atol=1e-5)
parameters-compared: What the modules hold is compared. Call them on the inputs: other heads give something else.
    torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5) ->
        [*ours.state_dict()] == [*theirs.state_dict()] and all(map(torch.equal, ours.parameters(), theirs.parameters()))
    or
    torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5) ->
        all(map(torch.equal, ours.parameters(), theirs.parameters()))
never-same: False comes back, whatever the modules give. Compare the numbers of the context vectors: `torch.allclose`.
    torch.allclose(…, …, atol=1e-5) -> … is …
same-twice: The first module is compared with itself. Call the second, `theirs(inputs)`.
    theirs(inputs)[0] -> ours(inputs)[0]
one-for-each-number:
    torch.allclose -> torch.isclose
"""

exercise = Exercise(same_outputs_solution, cases, MISTAKES, outputs=("verdict",), observe=verdict_of)

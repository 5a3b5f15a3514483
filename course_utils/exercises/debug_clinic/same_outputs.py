"""`my_same_outputs(ours, theirs, inputs)`: whether two modules give the same when nothing is dropped."""

import torch
from torch import nn

from course_utils import attention
from course_utils.checks.behaviours import repeats
from course_utils.checks.exercise import Exercise
from course_utils.checks.outcome import Refused
from course_utils.exercises.debug_clinic.adopt import made

WIDTH = 8
ROUNDING = 3e-6  # as large as that of a long sum


def same_outputs_solution(ours, theirs, inputs):
    modes = {part: part.training for module in (ours, theirs) for part in module.modules()}
    ours.eval(), theirs.eval()
    with torch.no_grad():
        same = torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)
    for part, training in modes.items():
        part.training = training
    return same


class Again(nn.Module):
    """The same attention with other rounding, a random draw first, and dropout last; added: to the context vectors."""

    def __init__(self, module, added):
        super().__init__()
        self.module, self.noise, self.added = module, nn.Dropout(0.5), added + ROUNDING

    def forward(self, x):
        self.noise(torch.ones(3))
        context_vecs, attn_weights = self.module(x)
        return nn.functional.dropout(context_vecs, 0.5, self.training) + self.added, attn_weights


def of_one_class(*heads):
    """A module for each number of heads, in training, all with the same weights."""
    return [made(attention.MultiHeadAttention, WIDTH, WIDTH, num_heads, dropout=0.5).train() for num_heads in heads]


def two(ours=True, theirs=True, biases=(0.0, 0.0), heads=(2, 2), added=0.0):
    """Two modules in these modes, with the same weights but for what is put on the biases of their out_proj."""
    modules = of_one_class(*heads)
    with torch.no_grad():
        for module, bias in zip(modules, biases, strict=True):
            module.out_proj.bias += bias
    return modules[0].train(ours), Again(modules[1], added).train(theirs)


def cases(draw):
    signs = torch.tensor([1.0, -1.0]).repeat(WIDTH // 2)
    last_alone = torch.zeros(2, 5, WIDTH)
    last_alone[-1, -1, -1] = 1.0
    apart = two(True, False)
    apart[0].dropout.eval()
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
    yield "a first that gives nan", *two(False, False, (torch.nan, 0.0)), draw(2, 5, WIDTH)
    yield "a second that gives nan", *two(False, False, (0.0, torch.nan)), draw(2, 5, WIDTH)
    yield "in training, but for its dropout", *apart, draw(2, 5, WIDTH)
    yield "a module and itself, in training", *of_one_class(2) * 2, draw(2, 5, WIDTH)
    yield "the same class and weights, in training", *of_one_class(2, 2), draw(2, 5, WIDTH)
    yield "the same class and weights, in 2 heads and in 4", *of_one_class(2, 4), draw(2, 5, WIDTH)


def verdict_of(answer, ours, theirs, inputs):
    """The verdict as a number. Errors: Refused if a part changes its mode or its rate."""
    before = modes_and_rates(ours, theirs)
    try:
        verdict = answer(ours, theirs, inputs)
    except AssertionError:
        raise Refused(
            "Where the modules differ, your code stops: `assert` and `assert_close` raise an error. False is asked "
            "for: `return torch.allclose(…)`."
        ) from None
    if torch.is_tensor(verdict) and verdict.numel() != 1 or isinstance(verdict, tuple | list):
        raise Refused(
            "One True or False is asked for. Your code gives one for each number: `torch.allclose` gives one."
        )
    if verdict is None:
        raise Refused("It ran to its end and gave nothing back. `assert_close` returns None: return True or False.")
    for name, state in modes_and_rates(ours, theirs).items():
        if state != before[name]:
            raise Refused(f"Afterwards, `{name}` is {state}. It came {before[name]}: leave all modes as they were.")
    return torch.tensor(float(verdict))


def modes_and_rates(ours, theirs):
    """Each part's mode, and the share that it drops, by its name, in words."""
    parts = {"ours": ours, "theirs": theirs}
    for name in ("ours", "theirs"):
        parts |= {f"{name}.{inner}": part for inner, part in parts[name].named_modules() if inner}
    return {
        name: ("in training mode" if part.training else "in eval mode")
        + (f", with `p = {part.p}`" if isinstance(part, nn.Dropout) else "")
        for name, part in parts.items()
    }


MISTAKES = """
dropout-left-on: This is the bug as it was, or close to it: dropout draws anew for each module. Neither
    `torch.no_grad()` nor a seed stops that; `.eval()` does, on both. (That of a copy does not
    reach the original: call the copies.)
    ours.eval(), theirs.eval() ->
    or
    ours.eval(), theirs.eval() ->
    same = torch.allclose(ours(inputs)[0], -> torch.default_generator.manual_seed(0) ⏎ one = ours(inputs)[0]
        ⏎ torch.default_generator.manual_seed(0) ⏎ same = torch.allclose(one,
one-only: Halfway: only the first module is in eval mode. The second goes on dropping.
    ours.eval(), theirs.eval() -> ours.eval()
one-only: Halfway: only the second module is in eval mode. The first goes on dropping.
    ours.eval(), theirs.eval() -> theirs.eval()
stays-in-eval: Halfway: the verdict is right, and the modules are left in eval mode: a training that goes on would drop
    nothing. Put back what `training` was before `.eval()`.
    for part, …part.training = training ->
always-train: Halfway: you end with `.train()`, also where a module came in eval mode, or one of its parts did. Keep
    what `training` was, and put that back.
    for part, …part.training = training -> ours.train(), theirs.train()
parts-forgotten: Halfway: one mode is put back for a whole module. A part may have had a mode of its own: keep
    `part.training` for each part in `.modules()`.
    modes = {…} -> modes = ours.training, theirs.training
    for part, …part.training = training -> ours.train(modes[0]), theirs.train(modes[1])
one-put-back: Halfway: only the first module gets its modes back. The second is left in eval mode.
    modes = {…} -> modes = {part: part.training for part in ours.modules()}
one-put-back: Halfway: only the second module gets its modes back. The first is left in eval mode.
    modes = {…} -> modes = {part: part.training for part in theirs.modules()}
modes-noted-late: Halfway: you note modes when a module is in eval mode already. Two modules may share parts, and a
    module may be compared with itself: note all modes before the first `.eval()`.
    modes = {…} -> modes = {part: part.training for part in ours.modules()}
    ours.eval(), theirs.eval() -> ours.eval() ⏎ modes |= {part: part.training for part in theirs.modules()}
        ⏎ theirs.eval()
copies-shallow: The two modules have their own modes, and their parts are left in eval mode. `copy.copy` shares the
    parts, and `.eval()` reaches them: take `copy.deepcopy`, or put back `part.training` for each part in `.modules()`.
    for part in module.modules() -> for part in [module]
    or
    modes = {…} -> from copy import copy ⏎ ours, theirs = copy(ours), copy(theirs)
    for part, …part.training = training ->
rate-zeroed: You set the dropout's `p` to 0, and there it stays: a training that goes on would drop nothing. Use
    `.eval()`, and put the modes back.
    ours.eval(), theirs.eval() -> for part in modes: part.p = 0.0
rate-of-copies: You set the `p` of each `nn.Dropout` to 0, and `F.dropout(…, training=self.training)` has none: it still
    drops. `.eval()` stops both.
    modes = {…} -> from copy import deepcopy ⏎ ours, theirs = deepcopy(ours), deepcopy(theirs) ⏎ modes = {}
    ours.eval(), theirs.eval() -> for part in [*ours.modules(), *theirs.modules()]: part.p = 0.0
tolerance-wide: Halfway: with a tolerance so wide, weights that differ by a hundredth pass as the same. Leave dropout
    out of it with `.eval()`, and leave `torch.allclose` nearly as it is: `atol=1e-5` is plenty.
    atol=1e-5 -> atol=0.1
tolerance-wide: With so wide an `rtol`, a difference of a hundredth passes where the numbers are large. Leave it as it
    is: `torch.allclose(…, atol=1e-5)` is plenty.
    atol=1e-5 -> rtol=0.1, atol=1e-5
    or
    atol=1e-5 -> rtol=1e-2, atol=1e-5
exact: Too strict: the same sum in another order differs in its last digits. `==` and `torch.equal` ask for the same
    bits, `torch.allclose` alone for eight digits near 0: give it `atol=1e-5`.
    torch.allclose(…, atol=1e-5) -> torch.equal(…)
    or
    , atol=1e-5) -> )
nan-passes: A module that gives `nan` passes. A comparison with `nan` is never True, so ask whether all *are* close, not
    whether none is far.
    torch.allclose(…, …, atol=1e-5) -> not ((… - …).abs() > 1e-4).any()
signed-difference: Differences below 0 count as small. Take their size first: `.abs()`.
    torch.allclose(…, …, atol=1e-5) -> ((… - …) < 1e-4).all()
    or
    torch.allclose(…, …, atol=1e-5) -> (… - …).max() < 1e-4
any-for-all: One number that agrees is enough for your True. All of them must: `all`, not `any`.
    torch.allclose(…, …, atol=1e-5) -> ((… - …).abs() < 1e-4).any()
means-compared: You compare means or sums. Differences of opposite signs cancel in them: compare number by number,
    `torch.allclose`.
    torch.allclose(…, …, atol=1e-5) -> torch.allclose(….mean(), ….mean(), atol=1e-5)
    or
    torch.allclose(…, …, atol=1e-5) -> (… - …).mean().abs() < 1e-4
part-compared: You compare a part of the context vectors: one text, one token, or one number. `[0]` alone takes them out
    of the pair; compare all there is in them.
    [0], theirs(inputs)[0] -> [0][0], theirs(inputs)[0][0]
    or
    [0], theirs(inputs)[0] -> [0][:, 0], theirs(inputs)[0][:, 0]
    or
    [0], theirs(inputs)[0] -> [0][..., 0], theirs(inputs)[0][..., 0]
shapes-compared: You say True whatever the modules give. Compare the numbers of the context vectors, `[0]`: not the
    shapes, and not the attention weights.
    torch.allclose(…, …, atol=1e-5) -> ….shape == ….shape
weights-compared: You compare the attention weights. Context vectors are asked for, `[0]`: they may
    differ where those agree.
    torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5) ->
        torch.allclose(ours(inputs)[1], theirs(inputs)[1], atol=1e-5)
parameters-compared: You compare the weights that the modules hold. Context vectors are asked for: call the modules on
    the inputs. With the same weights, another number of heads gives others.
    torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5) ->
        all(map(torch.equal, ours.parameters(), theirs.parameters()))
    or
    torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5) ->
        [*ours.state_dict()] == [*theirs.state_dict()] and all(map(torch.equal, ours.parameters(), theirs.parameters()))
never-same: You say False whatever the modules give. Compare the numbers of the context vectors: `torch.allclose`.
    torch.allclose(…, …, atol=1e-5) -> … is …
verdict-inverted: True and False have changed places: True means the same.
    return same -> return not same
difference-returned: You return how far apart they are. True or False is asked for: compare that with a small number.
    torch.allclose(…, …, atol=1e-5) -> (… - …).abs().max()
same-twice: The first module is compared with itself. The second is never called.
    theirs(inputs)[0] -> ours(inputs)[0]
same-twice: The second module is compared with itself. The first is never called.
    ours(inputs)[0] -> theirs(inputs)[0]
pairs-compared: Each module gives a pair. Compare the context vectors: `ours(inputs)[0]`.
    torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5) -> ours(inputs) == theirs(inputs)
pairs-compared: Each module gives a pair. Hand its first part to `torch.allclose`, with `[0]`.
    (inputs)[0] ->> (inputs)
none-returned: It ran to its end and gave nothing back. `assert_close` returns None: return True or False.
    return same ->
    or
    torch.allclose(…, atol=1e-5) -> torch.testing.assert_close(…)
assertion-raised:
    torch.allclose(…, atol=1e-5) -> torch.testing.assert_close(…) is None
one-for-each-number:
    torch.allclose -> torch.isclose
"""

exercise = Exercise(
    same_outputs_solution,
    cases,
    MISTAKES,
    outputs=("verdict",),
    observe=verdict_of,
    behaviours=(repeats,),
)

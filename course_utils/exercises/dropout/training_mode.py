"""Behaviours of a dropout layer in training mode, in which its numbers are random."""

import torch
from torch import nn

from course_utils.checks.draw import Draw
from course_utils.checks.sentences import sentence

RATE = 0.3  # not one half, so that `p` taken for `1 - p` shows


def in_training(exercise, answer):
    """Yield (mistake id, message) for what a layer does wrong in training mode, on 12,000 numbers.

    answer: the class. Right is: the right share, drawn anew at each call, becomes 0; the others grow by 1 / (1 - p).
    """
    model, x = answer(RATE).train(), Draw(seed=5)(20, 30, 20)
    try:
        before, dropped = x.clone(), model(x)
    except RuntimeError:
        if not any(torch.is_tensor(kept) and kept.dim() for kept in [*vars(model).values(), *model.buffers()]):
            raise
        yield (
            "same-draw",
            "In training mode, a tensor of another size stops your layer, which keeps one of a fixed size. Draw anew "
            "in each `forward`, a number for each of `x`: `torch.rand_like(x)`.",
        )
        return
    if not torch.is_tensor(dropped):
        yield "nothing-in-training", "In training mode, no tensor comes back: that branch needs a `return` as well."
    elif not torch.equal(x, before):
        yield "input-changed", "Your `forward` changes its input: multiply, and do not write into `x`."
    elif dropped.shape != x.shape:
        yield "survivors-only", "In training mode the shape changes. What is dropped stays, as 0: multiply."
    elif not model.training:
        yield (
            "mode-switched",
            "Your `forward` switches the mode, as `self.eval()` and `self.train()` do. Only ask: `if self.training:`.",
        )
    elif {(model(x) == 0).float().mean().item() for _ in range(6)} == {0.0, 1.0}:
        yield (
            "all-together",
            "All of the tensor is dropped, or nothing. Draw a random number for each number: `torch.rand_like(x)`.",
        )
    elif torch.equal(dropped == 0, x < RATE):
        yield ("x-compared", "You compare `x` with `p`. Chance should decide: compare `torch.rand_like(x)`.")
    else:
        zero = dropped == 0
        share = zero.float().mean().item()
        if 0 < share < 1:
            yield from wrong_places(zero, [model(x) == 0 for _ in range(4)])
        yield from wrong_terms(dropped[~zero])
        yield from wrong_numbers(share, (dropped / x)[~zero])


def wrong_terms(kept):
    """Yield (mistake id, message) if all numbers that are kept are equal, or if the rate is subtracted from some.

    kept: the numbers in a layer's output that are not 0.
    """
    if len(kept) and torch.allclose(kept, kept[0]):
        yield "x-missing", "What is kept are equal numbers, not those of `x`. Multiply `x` by the table of booleans."
    elif (kept == -torch.tensor(RATE)).float().mean() > 0.1:
        yield "rescale-brackets", "`p` is taken off each number, as `/ 1 - p` does. Write `/ (1 - p)`."


def wrong_numbers(share, factor):
    """Yield at most one (mistake id, message), on a wrong share of dropped numbers, or a wrong factor of the others.

    share: the share of zeros in the layer's output, 0 to 1. factor: by how much each other number has grown.
    """
    if share == 0 and not torch.allclose(factor, factor[0]):
        yield (
            "noise-multiplied",
            "Numbers change by chance, and none becomes 0. Multiply by `torch.rand_like(x) >= self.p`.",
        )
    elif share == 0:
        yield "dropout-missing", "In training mode nothing is dropped. While `self.training` is True, some become 0."
    elif share < 1 and torch.allclose(factor, torch.ones(())):
        yield (
            "dropout-no-rescale",
            "What is kept keeps its size, so the mean becomes too small. Divide by the share kept, `1 - p`.",
        )
    elif torch.allclose(factor, torch.tensor(1 / RATE)) and 0.6 < share < 0.8:
        yield "keep-rate", "`p` is taken for the chance to be kept. It is the chance to be dropped: `1 - p` are kept."
    elif 0.59 < share < 0.65:
        template = (
            "With `p = {rate}`, {share} of 12,000 numbers are dropped, as with `torch.randn`, whose numbers lie around "
            "0. Take `torch.rand_like(x)`, from 0 to 1."
        )
        yield "randn-for-rand", sentence(template, rate=RATE, share=f"{share:.0%}")
    elif not 0.25 < share < 0.35:
        template = "With `p = {rate}`, {share} of 12,000 numbers are dropped. Keep `torch.rand_like(x) >= self.p`."
        yield "dropout-rate", sentence(template, rate=RATE, share=f"{share:.0%}")
    elif torch.allclose(factor, torch.tensor(1 / (1 - share))):
        yield (
            "rescale-by-count",
            "You divided by the share that happens to be kept in this draw, which is chance. Divide by `1 - p`.",
        )
    elif not torch.allclose(factor, torch.tensor(1 / (1 - RATE))):
        template = "What is kept should be divided by `1 - p`, times {right} here. Yours is times {yours} on average."
        yield "rescale-wrong", sentence(template, right=f"{1 / (1 - RATE):.2f}", yours=f"{factor.mean().item():.2f}")


def wrong_places(zero, later):
    """Yield at most one (mistake id, message), if places are not dropped by chance, each number by itself.

    zero: (20, 30, 20) bool, True for what was dropped in a call. later: a list of the same of four more calls.
    """
    if torch.equal(zero, later[0]):
        yield (
            "same-draw",
            "Two calls in training mode drop the same places. Draw anew in each `forward`, and with no seed.",
        )
    elif all(places.sum() == zero.sum() for places in later):
        yield (
            "share-by-order",
            "Each call drops exactly as many numbers as the one before. Chance decides on each number alone: "
            "`torch.rand_like(x) >= self.p` is kept.",
        )
    elif (zero.all(-1) | ~zero.any(-1)).all():
        yield "rows-together", "Whole rows are dropped or kept. Draw one for each number: `torch.rand_like(x)`."
    elif (zero == zero[:1, :1]).all():
        yield "columns-together", "All rows lose the same places. Draw one for each number: `torch.rand_like(x)`."
    elif (zero == zero[:1]).all():
        yield "samples-together", "All texts lose the same places. Draw one for each number: `torch.rand_like(x)`."
    elif any(abs(places.float().mean() - zero.float().mean()) > 0.1 for places in later):
        yield (
            "share-changes",
            "Some calls in training mode drop another share than the first. All are alike: in `forward`, change "
            "nothing on `self`, and let `self.training` alone decide.",
        )


def inside_another(exercise, answer):
    """Yield ("mode-overridden" or "stuck-in-eval", message) if a layer ignores the mode that a model around it sets."""
    layer, x = answer(RATE), Draw(seed=5)(20, 30)
    model = nn.Sequential(layer).eval()
    if not torch.equal(model(x), x):
        yield (
            "mode-overridden",
            "Inside of a model, your layer drops in eval mode too: a model calls no `eval` of its parts, but sets "
            "their `training`. Write no `eval` and no `train` of your own, and ask `if self.training:`.",
        )
    elif torch.equal(model.train()(x), x):
        yield (
            "stuck-in-eval",
            "Back in training mode after eval mode, your layer drops nothing more. Ask `if self.training:` in each "
            "`forward`, and change nothing on `self`.",
        )


def nothing_at_rate_zero(exercise, answer):
    """Yield ("rate-zero", message) if a layer with the rate 0 changes numbers in training mode."""
    x = Draw(seed=5)(20, 30)
    if not torch.allclose(answer(0.0).train()(x), x):
        yield "rate-zero", "With `p = 0`, something changes in training mode. Nothing should be dropped then."


def learns_in_training(exercise, answer):
    """Yield ("detached", message) if in training mode a gradient is not 0 where dropped, else the layer's factor."""
    model, x = answer(RATE).train(), Draw(seed=5)(3, 40).requires_grad_()
    dropped = model(x)
    if dropped.requires_grad:
        dropped.sum().backward()
    if x.grad is None or not torch.allclose(x.grad, (dropped / x).detach()):
        yield (
            "detached",
            "In training mode, the gradient does not pass your layer as it should: what comes before would not learn. "
            "Look for `.detach()`, `.data`, `torch.no_grad()`, NumPy, or `torch.tensor(…)` around a result.",
        )


IN_TRAINING = (in_training, inside_another, nothing_at_rate_zero)

"""Behaviours of a dropout layer in training mode, in which its numbers are random."""

import torch
from torch import nn

from course_utils.checks.draw import Draw
from course_utils.checks.sentences import sentence
from course_utils.exercises.findings import finding

RATE = 0.3  # not one half, so that `p` taken for `1 - p` shows


def in_training(exercise, answer):
    """Yield at most one (mistake id, message) on what a dropout layer does wrong in training mode, on 12,000 numbers.

    answer: the class. Right is: the right share, drawn anew at each call, becomes 0; the others grow by 1 / (1 - p).
    Errors: a RuntimeError of the layer, unless it may come from a stored mask of another size.
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
        yield finding(exercise, "nothing-in-training")
    elif not torch.equal(x, before):
        yield "input-changed", "Your `forward` changes its input: multiply, and do not write into `x`."
    elif dropped.shape != x.shape:
        yield finding(exercise, "survivors-only")
    elif not model.training:
        yield finding(exercise, "mode-switched")
    elif {(model(x) == 0).float().mean().item() for _ in range(6)} == {0.0, 1.0}:
        yield finding(exercise, "all-together")
    elif torch.equal(dropped == 0, x < RATE):
        yield finding(exercise, "x-compared")
    else:
        zero = dropped == 0
        share, kept, factor = zero.float().mean().item(), dropped[~zero], (dropped / x)[~zero]
        if 0 < share < 1 and (id := wrong_places(zero, [model(x) == 0 for _ in range(4)])):
            yield finding(exercise, id)
        elif len(kept) and torch.allclose(kept, kept[0]):
            yield finding(exercise, "x-missing")
        elif (kept == -torch.tensor(RATE)).float().mean() > 0.1:
            yield finding(exercise, "rescale-brackets")
        else:
            yield from wrong_numbers(exercise, share, factor)


def wrong_numbers(exercise, share, factor):
    """Yield at most one (mistake id, message) on a wrong share of zeros, or a wrong factor for the other numbers.

    share: the share of zeros, 0 to 1. factor: a tensor, by what each other number was multiplied.
    """
    if share == 0 and not torch.allclose(factor, factor[0]):
        yield finding(exercise, "noise-multiplied")
    elif share == 0:
        yield finding(exercise, "dropout-missing")
    elif share < 1 and torch.allclose(factor, torch.ones(())):
        yield finding(exercise, "dropout-no-rescale")
    elif torch.allclose(factor, torch.tensor(1 / RATE)) and 0.6 < share < 0.8:
        yield finding(exercise, "keep-rate")
    elif len(factor) and any(torch.allclose(factor, torch.tensor((1 - RATE) ** -times)) for times in range(2, 41)):
        yield finding(exercise, "dropped-again")
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
        yield finding(exercise, "rescale-by-count")
    elif not torch.allclose(factor, torch.tensor(1 / (1 - RATE))):
        template = "What is kept should be divided by `1 - p`, times {right} here. Yours is times {yours} on average."
        yield "rescale-wrong", sentence(template, right=f"{1 / (1 - RATE):.2f}", yours=f"{factor.mean().item():.2f}")


def wrong_places(zero, later):
    """Return the id of a mistake, such as "same-draw", if dropped places are not drawn one by one and anew; else None.

    zero: (batch, rows, columns) bool, True where the first call dropped a number. later: a list of the same for later
    calls, at least one.
    """
    signs = {
        "same-draw": torch.equal(zero, later[0]),
        "share-by-order": all(places.sum() == zero.sum() for places in later),
        "rows-together": (zero.all(-1) | ~zero.any(-1)).all(),
        "columns-together": (zero == zero[:1, :1]).all(),
        "samples-together": (zero == zero[:1]).all(),
        "share-changes": any(abs(places.float().mean() - zero.float().mean()) > 0.1 for places in later),
    }
    return next((id for id, is_so in signs.items() if is_so), None)


def inside_another(exercise, answer: type):
    """Yield ("mode-overridden" or "stuck-in-eval", message) if a layer ignores the mode of the module around it."""
    layer, x = answer(RATE), Draw(seed=5)(20, 30)
    model = nn.Sequential(layer).eval()
    if not torch.equal(model(x), x):
        yield finding(exercise, "mode-overridden")
    elif torch.equal(model.train()(x), x):
        yield finding(exercise, "stuck-in-eval")


def nothing_at_rate_zero(exercise, answer: type):
    """Yield ("rate-zero", message) if a layer with the dropout rate 0 changes numbers in training mode."""
    x = Draw(seed=5)(20, 30)
    if not torch.allclose(answer(0.0).train()(x), x):
        yield finding(exercise, "rate-zero")


def learns_in_training(exercise, answer):
    """Yield ("detached", message) if, in training mode, the gradient of an input is not the factor applied to it.

    That factor is 0 for a dropped number. exercise: not used. answer: the class of the layer.
    """
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

"""Behaviours of a dropout layer in training mode, in which its numbers are random."""

import torch
from torch import nn

from course_utils.checks.draw import Draw
from course_utils.checks.sentences import sentence
from course_utils.lessons.findings import finding

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
    for is_so, id, *words in _signs(model, x, before, dropped):
        if is_so:
            yield (id, *words) if words else finding(exercise, id)
            return


def _signs(model, x, before, dropped):
    """Yield (whether it was made, id of a mistake), and a message where the table has none, in the order to ask.

    model: the layer in training mode. x, before: its input after its first call and before. dropped: what came back.
    """
    yield not torch.is_tensor(dropped), "nothing-in-training"
    words = "Your `forward` changes its input: multiply, and do not write into `x`."
    yield not torch.equal(x, before), "input-changed", words
    yield dropped.shape != x.shape, "survivors-only"
    yield not model.training, "mode-switched"
    yield {(model(x) == 0).float().mean().item() for _ in range(6)} == {0.0, 1.0}, "all-together"
    zero = dropped == 0
    yield torch.equal(zero, x < RATE), "x-compared"
    share, kept, factor = zero.float().mean().item(), dropped[~zero], (dropped / x)[~zero]
    if 0 < share < 1:
        later = [model(x) == 0 for _ in range(4)]
        yield torch.equal(zero, later[0]), "same-draw"
        yield all(places.sum() == zero.sum() for places in later), "share-by-order"
        yield (zero.all(-1) | ~zero.any(-1)).all(), "rows-together"
        yield (zero == zero[:1, :1]).all(), "columns-together"
        yield (zero == zero[:1]).all(), "samples-together"
        yield any(abs(places.float().mean() - share) > 0.1 for places in later), "share-changes"
    yield len(kept) and torch.allclose(kept, kept[0]), "x-missing"
    yield (kept == -torch.tensor(RATE)).float().mean() > 0.1, "rescale-brackets"
    yield share == 0 and not torch.allclose(factor, factor[0]), "noise-multiplied"
    yield share == 0, "dropout-missing"
    yield share < 1 and torch.allclose(factor, torch.ones(())), "dropout-no-rescale"
    yield torch.allclose(factor, torch.tensor(1 / RATE)) and 0.6 < share < 0.8, "keep-rate"
    again = (torch.tensor((1 - RATE) ** -times) for times in range(2, 41))
    yield len(factor) and any(torch.allclose(factor, one) for one in again), "dropped-again"
    template = (
        "With `p = {rate}`, {share} of 12,000 numbers are dropped, as with `torch.randn`, whose numbers lie around 0. "
        "Take `torch.rand_like(x)`, from 0 to 1."
    )
    yield 0.59 < share < 0.65, "randn-for-rand", sentence(template, rate=RATE, share=f"{share:.0%}")
    template = "With `p = {rate}`, {share} of 12,000 numbers are dropped. Keep `torch.rand_like(x) >= self.p`."
    yield not 0.25 < share < 0.35, "dropout-rate", sentence(template, rate=RATE, share=f"{share:.0%}")
    yield torch.allclose(factor, torch.tensor(1 / (1 - share))), "rescale-by-count"
    template = "What is kept should be divided by `1 - p`, times {right} here. Yours is times {yours} on average."
    words = sentence(template, right=f"{1 / (1 - RATE):.2f}", yours=f"{factor.mean().item():.2f}")
    yield not torch.allclose(factor, torch.tensor(1 / (1 - RATE))), "rescale-wrong", words


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

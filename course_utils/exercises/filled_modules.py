"""Modules for exercises, with parameters that do not depend on the learner's seed."""

import torch

from course_utils.checks.draw import Draw


def filled(draw, kind, *sizes, **options):
    """Return a module in eval mode with drawn numbers in every parameter; the learner's random numbers stay.

    draw: a Draw, or the seed of one. kind: the module's class. sizes, options: its arguments.
    """
    draw = Draw(seed=draw) if isinstance(draw, int) else draw
    with torch.random.fork_rng(devices=[]):
        module = kind(*sizes, **options)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(draw(*parameter.shape) * 0.6)
    return module.eval()

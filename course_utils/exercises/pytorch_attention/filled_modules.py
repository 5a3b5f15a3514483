"""Modules for the exercises of this folder, with parameters that do not depend on the learner's seed."""

import torch


def filled(draw, kind, *sizes, **options):
    """Return a module in eval mode with drawn numbers in every parameter; the learner's random numbers stay.

    draw: a Draw. kind: the module's class. sizes, options: its arguments.
    """
    with torch.random.fork_rng(devices=[]):
        module = kind(*sizes, **options)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(draw(*parameter.shape) * 0.6)
    return module.eval()

"""Modules for the exercises of this folder: their numbers are drawn here, whatever the learner's seed."""

import torch


def filled(draw, kind, *sizes, **options):
    """Returns a module in eval mode with drawn numbers in every parameter; the learner's random numbers stay."""
    with torch.random.fork_rng(devices=[]):
        module = kind(*sizes, **options)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(draw(*parameter.shape) * 0.6)
    return module.eval()

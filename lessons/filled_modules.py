"""Modules for exercises, with parameters that do not depend on the learner's seed, and what copies of them keep."""

import torch

from course_utils.checks.draw import Draw
from course_utils.lessons.findings import finding


def filled(draw, kind, *sizes, **options):
    """Return a new module, kind(*sizes, **options), in eval mode, with fixed random numbers in every parameter.

    The state of torch's random numbers stays. draw: a Draw, which returns random tensors of the sizes it is called
    with, or the seed of one, an int. kind: an nn.Module class.
    """
    draw = Draw(seed=draw) if isinstance(draw, int) else draw
    with torch.random.fork_rng(devices=[]):
        module = kind(*sizes, **options)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(draw(*parameter.shape) * 0.6)
    return module.eval()


def trains_by_itself(exercise, module, original):
    """Yield ("frozen", message) if a module has a parameter with requires_grad=False.

    Yield ("shared-memory", message) if one of its parameters shares memory with a parameter of the module `original`.
    exercise: the Exercise whose table has the messages.
    """
    if not all(parameter.requires_grad for parameter in module.parameters()):
        yield finding(exercise, "frozen")
    memory = {parameter.untyped_storage().data_ptr() for parameter in original.parameters()}
    if memory & {parameter.untyped_storage().data_ptr() for parameter in module.parameters()}:
        yield finding(exercise, "shared-memory")

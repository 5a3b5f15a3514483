"""Answers of whole numbers: observers that take any whole dtype, or counts, and a behaviour that finds floats."""

from numbers import Number

import torch

from course_utils.checks.outcome import Refused


def of_any_whole_dtype(answer, *args):
    """Call an answer with `args`; return its result, as int64 if it is a tensor of an integer dtype.

    Anything else, such as floats or bools, is returned as it is.
    """
    result = answer(*args)
    whole = torch.is_tensor(result) and not result.is_floating_point() and result.dtype != torch.bool
    return result.long() if whole else result


def no_floats(id, message):
    """Return a behaviour: a function of (exercise, answer) that yields (id, message) if the answer returns floats.

    Only the result for the first input is looked at: a tensor or number, or a tuple or list of them.
    """

    def whole_numbers(exercise, answer):
        result = answer(*exercise.case(0).args)
        parts = result if isinstance(result, tuple | list) else [result]
        if any(torch.as_tensor(part).is_floating_point() for part in parts):
            yield id, message

    return whole_numbers


def as_count(count):
    """Return a number or tensor as a float64 tensor. Errors: Refused, with a message, for anything else."""
    if not isinstance(count, Number | torch.Tensor):
        raise Refused("`{value}` came back where a number is asked for.", value=repr(count))
    return torch.as_tensor(count, dtype=torch.float64)

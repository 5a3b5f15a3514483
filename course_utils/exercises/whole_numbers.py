"""Answers of whole numbers: observers that take any whole dtype, or counts, and a behaviour that finds floats."""

from numbers import Number

import torch

from course_utils.checks.outcome import Refused


def of_any_whole_dtype(answer, *args):
    """Return an answer's result, as int64 if it is a tensor of any whole dtype but bool; anything else as it is."""
    result = answer(*args)
    whole = torch.is_tensor(result) and not result.is_floating_point() and result.dtype != torch.bool
    return result.long() if whole else result


def no_floats(id, message):
    """Return a behaviour that yields (id, message) if an answer's result for the first case is or contains floats."""

    def whole_numbers(exercise, answer):
        result = answer(*exercise.case(0).args)
        parts = result if isinstance(result, tuple | list) else [result]
        if any(torch.as_tensor(part).is_floating_point() for part in parts):
            yield id, message

    return whole_numbers


def as_count(count):
    """Return a count as a float64 tensor. Errors: Refused for anything but a number."""
    if not isinstance(count, Number | torch.Tensor):
        raise Refused("`{value}` came back where a number is asked for.", value=repr(count))
    return torch.as_tensor(count, dtype=torch.float64)

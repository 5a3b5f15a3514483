"""Faults of an answer: the first difference between what it gives on one input and what the solution gives."""

from dataclasses import dataclass

import torch

from .errors import Caught
from .outcome import FLOATS, Outcome, close, in_words, tolerance
from .sentences import sentence


@dataclass
class Fault:
    """A fault on one input. kind: "error", "form", "shape" or "numbers". words: for learners. index: the output's."""

    kind: str
    words: str
    index: int = 0


def fault(got: Outcome, expected: Outcome, names) -> Fault | None:
    """Return the first thing wrong in what an answer gave on one input, or None; expected: what the solution gives."""
    if expected.error is not None:
        return _fault_in_error(got.error, expected.error)
    if got.error is not None:
        return Fault("error", error_sentence(got.error))
    if got.refused is not None:
        return Fault("form", got.refused)
    for index, (name, ours, theirs) in enumerate(zip(names, got.tensors, expected.tensors, strict=True)):
        if difference := _difference(in_words(name), ours, theirs):
            return Fault(*difference, index)
    return None


def _fault_in_error(got: Caught | None, expected: Caught) -> Fault | None:
    """Return a Fault unless the answer raised the error that the solution raises, or one of a subclass."""
    if got is None:
        return Fault("error", sentence("Here a `{wanted}` should be raised, and none was.", wanted=expected.name))
    if not got.is_a(expected.kind):
        template = "Here a `{wanted}` should be raised. {raised}"
        return Fault("error", sentence(template, wanted=expected.name, raised=error_sentence(got)))
    return None


def error_sentence(error: Caught) -> str:
    """Return a sentence for the learner with the name of an error and its message, cut to 160 characters."""
    if not error.message:
        return sentence("It stops with `{name}`.", name=error.name)
    text = error.message if len(error.message) < 160 else f"{error.message[:157]}..."
    template = "It stops with `{name}`: {text}"
    if error.kind is NameError:
        template = "It stops with `{name}`: {text}. Is it spelt as where you made it, and has that cell run?"
    return sentence(template, name=error.name, text=text)


def _difference(output: str, ours: torch.Tensor, theirs: torch.Tensor) -> tuple | None:
    """Return (kind, words) of the Fault in a tensor, `ours`, or None if it equals the solution's, `theirs`."""
    if ours.shape != theirs.shape:
        return "shape", sentence(_on_shapes(ours, theirs), output=output, ours=(*ours.shape,), theirs=(*theirs.shape,))
    if ours.dtype not in (*FLOATS, theirs.dtype):
        template = "The {output} has the dtype `{ours}` where `{theirs}` is needed."
        return "form", sentence(template, output=output, ours=ours.dtype, theirs=theirs.dtype)
    of_booleans = theirs.dtype == torch.bool
    if of_booleans and not ((ours == 0) | (ours == 1)).all():
        template = "The {output} holds numbers, such as {number}: compare, and return booleans."
        return "form", sentence(template, output=output, number=f"{ours[(ours != 0) & (ours != 1)][0].item():.4g}")
    if not close(ours, theirs):
        return "numbers", _on_numbers(output, ours, theirs)
    if of_booleans and ours.dtype != torch.bool:
        template = "The {output} is right, and its dtype is `{dtype}`: make booleans of it, with `.bool()`."
        return "form", sentence(template, output=output, dtype=ours.dtype)
    return None


def _on_shapes(ours: torch.Tensor, theirs: torch.Tensor) -> str:
    """Return the template of a message on two shapes; if only axes of length 1 differ, it says so."""
    if [size for size in ours.shape if size != 1] != [size for size in theirs.shape if size != 1]:
        return "The {output} should have the shape `{theirs}`. Yours has `{ours}`."
    if ours.dim() == theirs.dim():
        return (
            "The {output} should have the shape `{theirs}`. Yours has `{ours}`: an axis of length 1 stands in the "
            "wrong place."
        )
    if ours.dim() < theirs.dim():
        return "The {output} should have the shape `{theirs}`. Yours has `{ours}`: an axis of length 1 too few."
    return (
        "The {output} should have the shape `{theirs}`. Yours has `{ours}`: an axis of length 1 too many: `squeeze`, "
        "or index it away."
    )


def _on_numbers(output: str, ours: torch.Tensor, theirs: torch.Tensor) -> str:
    """Return the message on wrong numbers in a tensor of the right shape: a nan or inf, else the first difference."""
    bad = ~torch.isfinite(ours) & (ours != theirs)
    if bad.any() and not torch.isinf(theirs).any():  # -inf may be asked for
        template = "There is `{number}` in your {output}: something overflowed, or was divided by 0."
        return sentence(template, number=ours[bad][0].item(), output=output)
    where = (~torch.isclose(ours.double(), theirs.double(), **tolerance(ours, theirs))).nonzero()[0].tolist()
    pair = [numbers[tuple(where)].item() for numbers in (theirs, ours)]
    decimals = next((some for some in (4, 8, 12) if f"{pair[0]:.{some}f}" != f"{pair[1]:.{some}f}"), 16)
    right, yours = (_written(number, theirs, decimals) for number in pair)
    if not where:
        template = "In the {output}, the first difference is this: it should be {right}, yours is {yours}."
        return sentence(template, output=output, right=right, yours=yours)
    template = "In the {output}, the first difference is at `{where}`: it should be {right}, yours is {yours}."
    return sentence(template, output=output, where=where, right=right, yours=yours)


def _written(number, expected: torch.Tensor, decimals: int) -> str:
    if expected.dtype == torch.bool and number in (0, 1):
        return f"`{bool(number)}`"
    is_whole = float(number).is_integer() and bool((expected == expected.round()).all())
    return f"{number:.{0 if is_whole else decimals}f}"

"""Outcomes of an answer: its result on one input, what is wrong with it, and whether two answers gave the same."""

import re
from dataclasses import dataclass

import numpy as np
import torch

from . import errors, source

FLOATS = (torch.float32, torch.float64)
EIGHT_BITS = {kind for name, kind in vars(torch).items() if name.startswith("float8")}  # torch only stores these


class Refused(Exception):
    """The error for a result of another form than asked for; its message tells the learner what to change."""


@dataclass
class Outcome:
    """The result of an answer on one input.

    tensors: one for each output, or None if the answer raised (error) or returned something else (refused, a message).
    """

    tensors: tuple | None = None
    error: errors.Caught | None = None
    refused: str | None = None


@dataclass
class Fault:
    """A fault of an answer on one input.

    kind: "error", "form", "shape" or "numbers". words: the message for the learner. index: the index of the output.
    """

    kind: str
    words: str
    index: int = 0


def of(exercise, answer, case):
    """Run an answer on one Case and return its Outcome, which holds the exception if the answer raises one.

    exercise: an Exercise, which knows how to call the answer. Errors: those that are not the answer's: limits.TimeUp,
    and KeyboardInterrupt if the learner interrupts the kernel.
    """
    try:
        tensors = as_tensors(exercise.observe(answer, *case.args), exercise.outputs)
        return Outcome(tensors=tuple(map(_own, tensors)))
    except Refused as refused:
        return Outcome(refused=str(refused))
    except BaseException as error:
        return Outcome(error=errors.caught(error, source.namespace(answer)))


def as_tensors(value, names):
    """Return what an answer returned as a tuple with a tensor for each name. names: of the outputs.

    value: a tensor if there is one name, else a tuple or list of as many. Errors: Refused, with a message for the
    learner, for anything else.
    """
    if len(names) == 1:
        if isinstance(value, tuple):
            raise Refused(f"It gives a tuple of {len(value)} back. One thing is asked for: the {_words(names)}.")
        value = (value,)
    elif not _is_bundle(value) or len(value) != len(names):
        raise Refused(f"Two things are asked for, in this order: `return {', '.join(names)}`.")
    if len(names) > 1 and (none := [name for part, name in zip(value, names, strict=True) if part is None]):
        raise Refused(f"For the {_words(none)}, `None` came back. A tensor is asked for.")
    return tuple(_tensor(part, name) for part, name in zip(value, names, strict=True))


def _own(tensor):
    """Return a copy of a tensor without gradients, as a plain torch.Tensor.

    A subclass that the learner defines may report another shape or dtype.
    """
    copy = tensor.detach().clone()
    with torch._C.DisableTorchFunctionSubclass():
        return torch.Tensor.as_subclass(copy, torch.Tensor)


def _is_bundle(value):
    """Return whether a value is a tuple or list that is not empty."""
    return isinstance(value, tuple | list) and len(value) > 0


def _words(names):
    """Return the names of outputs as a text: "context vectors and attention weights" of two names with underscores."""
    return " and ".join(name.replace("_", " ") for name in names)


def _tensor(value, name):
    """Return one output if it is a plain tensor on the CPU. Errors: Refused, with a message, if it is anything else.

    value: the output, of any type. name: the output's, for the message.
    """
    name = name.replace("_", " ")
    if value is None:
        raise Refused("It ran to its end and gave nothing back: the last line needs a `return`.")
    if isinstance(value, np.ndarray):
        raise Refused(
            f"For the {name}, a NumPy array came back. Stay with torch all the way: NumPy keeps no gradients."
        )
    if isinstance(value, list | tuple):
        made = "`torch.stack` makes one tensor out of a list of tensors"
        if not any(map(torch.is_tensor, value)):
            made = "`torch.tensor` makes one tensor out of lists of numbers"
        raise Refused(f"For the {name}, a list came back. {made}.")
    if not torch.is_tensor(value):
        raise Refused(f"The {name} is of type `{type(value).__name__}`. A tensor is asked for.")
    if value.device.type != "cpu":
        raise Refused(f"The {name} lies on the device `{value.device}`, the inputs on `cpu`. Make new tensors there.")
    if value.layout != torch.strided or value.is_nested or value.is_quantized or value.dtype in EIGHT_BITS:
        raise Refused(
            f"The {name} is a tensor of a special kind (`{value.layout}`, `{value.dtype}`). Return a plain one."
        )
    return value


def fault(got, expected, names):
    """Return the first Fault of an answer on one input, or None if it is right.

    got, expected: the answer's Outcome and the solution's. names: of the outputs.
    """
    if expected.error is not None:
        return _fault_in_error(got.error, expected.error)
    if got.error is not None:
        return Fault("error", raised(got.error))
    if got.refused is not None:
        return Fault("form", got.refused)
    for index, (name, ours, theirs) in enumerate(zip(names, got.tensors, expected.tensors, strict=True)):
        name = name.replace("_", " ")
        if ours.shape != theirs.shape:
            return Fault("shape", _shapes(name, ours, theirs), index)
        if ours.dtype not in (*FLOATS, theirs.dtype):
            return Fault("form", f"The {name} has the dtype `{ours.dtype}` where `{theirs.dtype}` is needed.", index)
        if theirs.dtype == torch.bool and not ((ours == 0) | (ours == 1)).all():
            one = ours[(ours != 0) & (ours != 1)][0].item()
            return Fault("form", f"The {name} holds numbers, such as {one:.4g}: compare, and return booleans.", index)
        if not close(ours, theirs):
            return Fault("numbers", _numbers(name, ours, theirs), index)
        if theirs.dtype == torch.bool != ours.dtype:
            return Fault("form", f"The {name} is right, and its dtype is `{ours.dtype}`: make booleans of it.", index)
    return None


def _fault_in_error(got, expected):
    """Return the Fault of an answer where the solution raises, or None if the answer raises the same error.

    got: the answer's Caught, or None if it raised nothing. expected: the solution's Caught.
    """
    wanted = expected.name
    if got is None:
        return Fault("error", f"Here a `{wanted}` should be raised, and none was.")
    if not got.is_a(expected.kind):
        return Fault("error", f"Here a `{wanted}` should be raised. {raised(got)}")
    return None


def raised(error):
    """Return a sentence with the name and the message of an error. error: a Caught."""
    text = error.message if len(error.message) < 160 else error.message[:157] + "..."
    hint = ". Is it spelt as where you made it, and has that cell run?" if error.kind is NameError else ""
    return f"It stops with `{error.name}`" + (f": {text}{hint}" if text else ".")


def _shapes(name, ours, theirs):
    """Return the message on a wrong shape; if only axes of length 1 differ, it says so.

    name: of the output. ours, theirs: the learner's tensor and the solution's.
    """
    ours, theirs = tuple(ours.shape), tuple(theirs.shape)
    words = f"The {name} should have the shape `{theirs}`. Yours has `{ours}`"
    if [size for size in ours if size != 1] == [size for size in theirs if size != 1]:
        if len(ours) == len(theirs):
            return f"{words}: an axis of length 1 stands in the wrong place."
        extra = "an axis of length 1 too many: `squeeze`" if len(ours) > len(theirs) else "an axis of length 1 too few"
        return f"{words}: {extra}{', or index it away.' if len(ours) > len(theirs) else '.'}"
    return words + "."


def _numbers(name, ours, theirs):
    """Return the message on wrong numbers: it shows the first nan or inf, or else the first difference.

    name: of the output. ours, theirs: the learner's tensor and the solution's, of one shape.
    """
    bad = ~torch.isfinite(ours) & (ours != theirs)
    if bad.any() and not torch.isinf(theirs).any():  # -inf may be asked for
        return f"There is `{ours[bad][0].item()}` in your {name}: something overflowed, or was divided by 0."
    where = (~torch.isclose(ours.double(), theirs.double(), **_tolerance(ours, theirs))).nonzero()[0].tolist()
    at = f" at `{where}`" if where else ""
    number, yours = (written(numbers[tuple(where)].item(), theirs) for numbers in (theirs, ours))
    return f"In the {name}, the first difference is{at or ' this'}: it should be {number}, yours is {yours}."


def written(number, expected, decimals=4):
    """Return a number as text for a message: True or False in a boolean tensor, without decimals where all are whole.

    expected: the tensor of the right numbers, which says whether all are booleans or whole. decimals: how many any
    other number gets.
    """
    if expected.dtype == torch.bool and number in (0, 1):
        return f"`{bool(number)}`"
    is_whole = float(number).is_integer() and bool((expected == expected.round()).all())
    return f"{number:.{0 if is_whole else decimals}f}"


def close(ours, theirs):
    """Return whether two tensors have one shape and agree within the rounding of the coarser dtype; nan equals nan."""
    if ours.shape != theirs.shape:
        return False
    return torch.allclose(ours.double(), theirs.double(), **_tolerance(ours, theirs))


def _tolerance(ours, theirs):
    """Return the keyword arguments of `torch.isclose` for two tensors, strict only if both are float64."""
    rtol, atol = (1e-7, 1e-9) if ours.dtype == theirs.dtype == torch.float64 else (1e-4, 1e-5)
    return {"rtol": rtol, "atol": atol, "equal_nan": True}


def same(one, other, exactly=False):
    """Return whether two Outcomes on one input are the same: the same numbers, or the same kind of failure.

    one, other: Outcomes. exactly: whether the numbers in the error messages must agree as well.
    """
    if one.tensors is not None and other.tensors is not None:
        pairs = list(zip(one.tensors, other.tensors, strict=True))
        return all(_kind(a) == _kind(b) and close(a, b) for a, b in pairs)
    if one.error is not None and other.error is not None:
        return one.error.kind is other.error.kind and _gist(one.error, exactly) == _gist(other.error, exactly)
    return one.refused is not None and one.refused == other.refused


def _gist(error, exactly):
    """Return the part of an error's message that can be compared, as a text.

    error: a Caught. exactly: whether the text keeps its numbers. It is "" if the answer's own `raise` or `assert` has
    the message, since everybody words it differently.
    """
    if error.is_a((ValueError, AssertionError)) and _is_own(error):
        return ""
    said = re.sub(r"'(My\w+|\w+Solution)' object", "object", error.message)  # learners choose class names freely
    return said if exactly else re.sub(r"-?\d+", "", said)


def _is_own(error):
    """Return whether the answer itself raised an error, not PyTorch, the course, or Python when it unpacks a tuple.

    error: a Caught.
    """
    step = error.traceback
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    package, *inside = (step.tb_frame.f_globals.get("__name__", "") if step else "").split(".")
    from_a_library = package == "torch" or package == "course_utils" and inside[:1] != ["exercises"]
    return not from_a_library and "values to unpack" not in error.message


def _kind(tensor):
    """Return (whether a tensor is boolean, whether it holds floats): two mistakes may differ only in this."""
    return tensor.dtype == torch.bool, tensor.is_floating_point()

"""Outcomes of an answer: its result on one input, and whether two answers gave the same."""

import functools
import re
import traceback
from dataclasses import dataclass

import numpy as np
import torch

from . import errors, source
from .sentences import Sentence, sentence

MOST_SHOWN = 300  # letters of a learner's value in a message
RTOL, ATOL = 1e-4, 1e-5  # how far close numbers may lie apart
FLOATS = (torch.float32, torch.float64)
EIGHT_BITS = {kind for name, kind in vars(torch).items() if name.startswith("float8")}  # torch only stores these


class Refused(Exception):
    """The error for a result of another form than asked for. template, places: of its message, as in `sentence`.

    What stands in a place is cut after MOST_SHOWN letters.
    """

    def __init__(self, template, /, **places):
        texts = {name: part if isinstance(part, Sentence) else f"{part}" for name, part in places.items()}
        cut = {name: text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…" for name, text in texts.items()}
        self.message = sentence(template, **cut)
        super().__init__(self.message)


@dataclass
class Outcome:
    """The result of an answer on one input.

    tensors: a tuple with one for each output, or None. error: the Caught if the answer raised. refused: a message if it
    returned something else.
    """

    tensors: tuple | None = None
    error: errors.Caught | None = None
    refused: str | None = None

    @functools.cached_property
    def marks(self) -> list[tuple[float, float]]:
        """Return of each tensor a sum of its numbers, each with a weight, and by how much a close one's may differ."""
        flat = [in_float64(tensor).flatten() for tensor in self.tensors]
        weights = [torch.linspace(1, 2, len(numbers), dtype=torch.float64) for numbers in flat]
        most = [2 * (RTOL * numbers.abs() + ATOL).sum().item() for numbers in flat]
        return [((numbers @ of).item(), differ) for numbers, of, differ in zip(flat, weights, most, strict=True)]


def run(exercise, answer, case) -> Outcome:
    """Run an answer, of any type, on an input, a Case; return its tensors, its error, or a message that refuses it.

    Errors: those that are not the answer's: limits.TimeUp, and KeyboardInterrupt if the learner interrupts the kernel.
    """
    try:
        tensors = as_tensors(exercise.observe(answer, *case.args), exercise.outputs)
        return Outcome(tensors=tuple(map(_own, tensors)))
    except Refused as refused:
        return Outcome(refused=refused.message)
    except BaseException as error:
        return Outcome(error=errors.catch(error, source.namespace(answer)))


def as_tensors(value, names) -> tuple[torch.Tensor, ...]:
    """Return the tensors in what an answer returned, `value`, one for each of `names`, those of the outputs.

    The value must be a tensor if there is one name, else a tuple or list of as many. Errors: Refused, with a message
    for the learner, for anything else.
    """
    if len(names) == 1:
        if isinstance(value, tuple):
            template = "It gives a tuple of {count} back. One thing is asked for: the {output}."
            raise Refused(template, count=len(value), output=in_words(names[0]))
        if value is None:
            raise Refused("It ran to its end and gave nothing back: the last line needs a `return`.")
        value = (value,)
    elif not isinstance(value, tuple | list) or len(value) != len(names):
        raise Refused("Two things are asked for, in this order: `return {names}`.", names=", ".join(names))
    return tuple(_tensor(part, in_words(name)) for part, name in zip(value, names, strict=True))


def in_words(name: str) -> str:
    """Return the name of an output with spaces in place of underscores: "attn weights" for "attn_weights"."""
    return name.replace("_", " ")


def _own(tensor: torch.Tensor) -> torch.Tensor:
    """Return a copy of a tensor, without gradients, as a plain torch.Tensor: a subclass may report a wrong shape."""
    copy = tensor.detach().clone()
    with torch._C.DisableTorchFunctionSubclass():
        return torch.Tensor.as_subclass(copy, torch.Tensor)


def _tensor(value, output: str) -> torch.Tensor:
    """Return `value` itself if it is a plain tensor on the CPU. Errors: Refused, with a message for the learner."""
    template, places = None, {}
    if value is None:
        template = "For the {output}, `None` came back. A tensor is asked for."
    elif isinstance(value, np.ndarray):
        template = "For the {output}, a NumPy array came back. Stay with torch all the way: NumPy keeps no gradients."
    elif isinstance(value, list | tuple) and any(map(torch.is_tensor, value)):
        template = (
            "For the {output}, a list came back. One tensor is made of it by `torch.cat`, along an axis that is "
            "there, or by `torch.stack`, along a new one."
        )
    elif isinstance(value, list | tuple):
        template = "For the {output}, a list came back. `torch.tensor` makes one tensor out of lists of numbers."
    elif not torch.is_tensor(value):
        template, places = "The {output} is of type `{type}`. A tensor is asked for.", {"type": type(value).__name__}
    elif value.device.type != "cpu":
        template = "The {output} lies on the device `{device}`, the inputs on `cpu`. Make new tensors there."
        places = {"device": value.device}
    elif value.layout != torch.strided or value.is_nested or value.is_quantized or value.dtype in EIGHT_BITS:
        template = "The {output} is a tensor of a special kind (`{layout}`, `{dtype}`). Return a plain one."
        places = {"layout": value.layout, "dtype": value.dtype}
    if template:
        raise Refused(template, output=output, **places)
    return value


def close(ours: torch.Tensor, theirs: torch.Tensor) -> bool:
    """Return whether two tensors have the same shape and equal numbers, up to rounding; nan equals nan."""
    if ours.shape != theirs.shape:
        return False
    if ours.dtype == theirs.dtype and torch.equal(ours, theirs):
        return True  # twenty times as fast
    return torch.allclose(in_float64(ours), in_float64(theirs), **tolerance(ours, theirs))


def in_float64(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor in float64; of complex numbers the real part."""
    return (tensor.real if tensor.is_complex() else tensor).double()  # of complex numbers, double() would warn


def which_are_close(ours: Outcome, theirs: Outcome) -> list[bool]:
    """Return whether each tensor of an Outcome is close to that of another one; [] if one of them has none."""
    return list(map(close, ours.tensors, theirs.tensors)) if ours.tensors and theirs.tensors else []


def tolerance(ours: torch.Tensor, theirs: torch.Tensor) -> dict:
    """Return the tolerances for torch.isclose of two tensors, which are strict if both are float64."""
    rtol, atol = (1e-7, 1e-9) if ours.dtype == theirs.dtype == torch.float64 else (RTOL, ATOL)
    return {"rtol": rtol, "atol": atol, "equal_nan": True}


def far_apart(ours: Outcome, theirs: Outcome) -> bool:
    """Return whether the marks of two Outcomes with tensors show that these are not close, in a tenth of the time."""
    return any(abs(a - b) > most for (a, _), (b, most) in zip(ours.marks, theirs.marks, strict=True))


def same(ours: Outcome, theirs: Outcome, exactly: bool = False) -> bool:
    """Return whether two Outcomes are alike: close tensors, errors of one class and `_gist`, or the same refusal.

    Close tensors must also both be booleans, both floats, or neither. exactly: whether the numbers in an error's
    message count, too.
    """
    if ours.tensors is not None and theirs.tensors is not None:
        pairs = list(zip(ours.tensors, theirs.tensors, strict=True))
        return all(_kind(a) == _kind(b) and close(a, b) for a, b in pairs)
    if ours.error is not None and theirs.error is not None:
        return ours.error.kind is theirs.error.kind and _gist(ours.error, exactly) == _gist(theirs.error, exactly)
    return ours.refused is not None and ours.refused == theirs.refused


def _gist(error: errors.Caught, exactly: bool) -> str:
    """Return what is compared of an error's message: no numbers unless `exactly`; "" for words of the answer's own."""
    if error.is_a((ValueError, AssertionError)) and _is_own(error):
        return ""
    message = re.sub(r"'(My\w+|\w+Solution)' object", "object", error.message)  # learners choose class names freely
    return message if exactly else re.sub(r"-?\d+", "", message)


def _is_own(error: errors.Caught) -> bool:
    """Return whether the answer's code itself raised an error, not PyTorch, the course, or unpacking into variables."""
    frames = [frame for frame, _ in traceback.walk_tb(error.traceback)]
    package, *inside = (frames[-1].f_globals.get("__name__", "") if frames else "").split(".")
    from_a_library = package == "torch" or package == "course_utils" and inside[:1] != ["lessons"]
    return not from_a_library and "values to unpack" not in error.message


def _kind(tensor: torch.Tensor) -> tuple[bool, bool]:
    """Return whether a tensor is boolean, and whether it is of floats: two mistakes may differ only in this."""
    return tensor.dtype == torch.bool, tensor.is_floating_point()

"""A wrong output beside the right one, and the words in which a relation between the two is told."""

from typing import NamedTuple

import torch

from .. import outcome
from ..sentences import sentence

AXES = {1: ("number",), 2: ("row", "column"), 3: ("table", "row", "column"), 4: ("text", "head", "row", "column")}


class About:
    """A description of one output, with the words for it and its parts.

    output: its name in words. pairs: a list of (got, expected), two tensors for each wrong input. is_bool: whether
    booleans are expected. is_map: whether the name has "weights" or "mask" in it. dims, got_dims: how many axes the
    expected and the actual output have; None where that differs between inputs. parts: a tuple of the words for a slice
    along each axis, by default those of AXES.
    """

    def __init__(self, output, pairs, parts=None):
        self.output, self.is_bool = output, all(expected.dtype is torch.bool for _, expected in pairs)
        self.is_map = "weights" in output or "mask" in output  # then a row belongs to a query
        self.got_dims, self.dims = (_common(side.dim() for side in sides) for sides in zip(*pairs, strict=True))
        self.parts = parts or AXES[self.dims or 3]

    def sentence(self, template, *, axis=None, index=0, part=None, **places):
        """Return a sentence for the learner, a Sentence: the template, a str, with its places such as {axis} filled in.

        {output} becomes the name of the output, {axis} `axis`, {slice} the code of the slice at `index` along `axis`,
        and {part} `part` (default: the word for such a slice, as "column"). axis: a negative int, -1 for the last axis.
        places: the values of all other places. Errors: TypeError for a place without value, or a value without place.
        """
        places["output"] = self.output
        if "{axis}" in template:
            places["axis"] = axis
        if "{part}" in template:
            places["part"] = part or (self.parts[axis] if -axis <= len(self.parts) else "text")
        if "{slice}" in template:
            places["slice"] = self.at(axis, index)
        return sentence(template, **places)

    def at(self, axis: int, index: int) -> str:
        """Return the code of the slice at `index` along an axis, a negative int, in backticks, such as "`[:, 0]`"."""
        before = None if self.dims is None else self.dims + axis
        if before is None or before > 1:
            return f"`[..., {index}{', :' * (-axis - 1)}]`"
        return f"`[{':, ' * before}{index}]`"


class WrongOutput(NamedTuple):
    """A wrong output on one input, `got`, beside the right one, `expected`, and what the input consists of.

    got, expected: tensors of floats. tensors, sizes: the tensors and the whole numbers among the arguments. about: the
    About of the output.
    """

    got: torch.Tensor
    expected: torch.Tensor
    tensors: list
    sizes: list
    about: About


def wrong_output(got: torch.Tensor, expected: torch.Tensor, args: tuple, about: About) -> WrongOutput:
    """Return a WrongOutput of two tensors, each as float64 unless it is float32. args: all arguments of that input."""
    ours, theirs = (side if side.dtype in outcome.FLOATS else side.double() for side in (got, expected))
    sizes = [arg for arg in args if isinstance(arg, int) and not isinstance(arg, bool)]
    return WrongOutput(ours, theirs, [arg for arg in args if torch.is_tensor(arg)], sizes, about)


def _common(numbers):
    numbers = set(numbers)
    return numbers.pop() if len(numbers) == 1 else None

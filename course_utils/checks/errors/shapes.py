"""Explanations for axes and sizes: a missing axis, a view, an index, an unpacked shape, `cat` and `stack`."""

import ast
import math
import re

import torch

from .expressions import build, called, swapped, transposed
from .safe_value import TENSORS, UNKNOWN
from .stopped import StoppedCode

NEEDS = {
    "cat": "{at} `cat` needs equal sizes on all axes but the one that it goes along, and here are {shapes}.",
    "stack": "{at} `stack` needs tensors of one shape, and here are {shapes}.",
}


def axis(stop: StoppedCode, got: str):
    """Yield sentences for a learner who names an axis that the tensor does not have; none if the tensor is unknown."""
    node, tensor = stop.subject(), stop.tensor(stop.subject())
    if tensor is None:
        return
    yield _axes(stop, tensor)
    yield stop.sentence("Axis {axis} is not among them.", axis=got)
    if called(stop.node) == "transpose" and tensor.dim() >= 2:
        yield stop.sentence("`{code}` turns the last two, whatever stands in front.", transposed(node))
        return
    for place in ast.walk(stop.node):
        if isinstance(place, ast.Constant) and place.value == int(got) == tensor.dim():
            if change := stop.changed(place, "-1"):
                yield stop.sentence("The last one is always -1: `{code}`.", change)
                return


def _axes(stop: StoppedCode, tensor: torch.Tensor) -> str:
    """Return the sentence that begins an explanation: how many axes a tensor has, and how they are numbered."""
    count = tensor.dim()
    template = "{at} {tensor} has {count} axes, 0 to {last} or -{count} to -1."
    if count < 2:
        template = ["{at} {tensor} has no axes.", "{at} {tensor} has one axis, 0 or -1."][count]
    return stop.sentence(template, tensor=tensor, count=count, last=count - 1)


def sizes(stop: StoppedCode, asked: str):
    """Yield sentences for a learner whose `view` or `reshape` asks for another number of elements than there are."""
    node, asked = stop.subject(), [int(size) for size in re.findall(r"-?\d+", asked)]
    tensor, product = stop.tensor(node), " · ".join(map(str, asked))
    if tensor is None:
        return
    template = "{at} {tensor} holds {count} numbers, and {product} is {result}."
    if -1 in asked:
        template = "{at} {tensor} holds {count} numbers, which cannot be dealt out as {product}."
        product = product.replace("-1", "any")
    yield stop.sentence(template, tensor=tensor, count=tensor.numel(), product=product, result=math.prod(asked))
    for part in ast.walk(stop.node):
        if isinstance(part, ast.Constant) and part.value in asked:
            place = asked.index(part.value)
            if place < tensor.dim() and part.value != tensor.shape[place]:
                if change := stop.changed(part, build(f"x.shape[{place}]", node)):
                    yield stop.sentence("Read sizes off the input instead of typing them: `{code}`.", change)
                    return


def not_in_a_row(stop: StoppedCode):
    """Yield sentences for a learner who calls `view` on a tensor that is not contiguous; none for another call."""
    if stop.called() != "view":
        return
    yield stop.sentence("{at} its axes were turned, and the numbers no longer lie in memory as `view` needs them.")
    change = swapped(stop.node, stop.node.func, build("x.reshape", stop.node.func.value))
    template = "`reshape` copies them where it must."
    if stop.runs(change):
        template = "`reshape` copies them where it must: `{code}`."
    yield stop.sentence(template, change)


def unpack(stop: StoppedCode, amount: str):
    """Yield sentences for a learner who unpacks a value into too many or too few names; none if a name has a star."""
    if not isinstance(stop.node, ast.Assign) or any(isinstance(name, ast.Starred) for name in stop.target().elts):
        return
    node, value, names = stop.node.value, stop.value(stop.node.value), stop.target().elts
    parts = None if value is UNKNOWN else len(value)
    if value is UNKNOWN and amount == "too many":
        template = "{at} {count} names stand for more parts. A tensor falls apart along its first axis."
    elif value is UNKNOWN:
        template = "{at} {count} names stand for fewer parts. A tensor falls apart along its first axis."
    elif isinstance(value, torch.Size):
        template = "{at} `{code}` is {value}, {parts} sizes for {count} names."
    elif torch.is_tensor(value):
        template = "{at} `{code}` has {parts} rows: {value}, for {count} names."
    else:
        template = "{at} `{code}` has {parts} parts, for {count} names."
    yield stop.sentence(template, node, count=len(names), parts=parts, value=value)
    if isinstance(value, torch.Size) and parts > len(names) > 1:
        template = "For the last {count}, whatever stands in front: `{code}`."
        yield stop.sentence(template, f"*_, {', '.join(map(stop.text, names))} = {stop.text(node)}", count=len(names))
    elif value is not UNKNOWN and not isinstance(value, torch.Size):
        yield "Write as many names, or take the parts by their place."


def too_many(stop: StoppedCode):
    """Yield two sentences for a learner whose index has more places than axes; none if the tensor is unknown."""
    base = stop.tensor(getattr(stop.node, "value", None))
    if base is not None:
        yield _axes(stop, base)
        yield "An index takes no more than one place for each."


def beyond(stop: StoppedCode, index: str, size: str):
    """Yield sentences for a learner whose index lies beyond the end of an axis."""
    node, size = stop.target(), int(size)
    base = stop.tensor(getattr(node, "value", None))
    axes = [axis for axis, length in enumerate(base.shape) if length == size] if base is not None else []
    template = "{at} the axis has {size} places, from 0 to {last}, and {index} was asked for."
    if size < 2:
        template = "{at} an axis of length {size} has no place {index}."
    elif len(axes) == 1:
        template = "{at} axis {axis} of {base} has {size} places, from 0 to {last}, and {index} was asked for."
    elif axes:
        template = "{at} an axis of {base} has {size} places, from 0 to {last}, and {index} was asked for."
    yield stop.sentence(template, axis=axes and axes[0], base=base, size=size, last=size - 1, index=index)
    if any(isinstance(part, ast.Name) for part in ast.walk(getattr(node, "slice", ast.Pass()))):
        yield "Count no farther than it goes, or make it longer: read both from one size, and type none in."
    elif int(index) == size > 0:
        yield "The last one is -1."


def expand(stop: StoppedCode):
    """Yield a sentence for a learner whose `expand` does not fit the tensor; none if the tensor is unknown."""
    tensor = stop.tensor(stop.subject())
    if tensor is not None:
        template = "{at} `expand` can only lengthen axes of length 1, or add axes in front: it was given {tensor}."
        yield stop.sentence(template, tensor=tensor)


def together(stop: StoppedCode):
    """Yield sentences for a learner who calls `cat` or `stack` on tensors whose shapes do not go together."""
    node = stop.argument(0, "tensors")
    parts = stop.value(node)
    if stop.called() not in NEEDS or type(parts) not in (list, tuple) or {type(part) for part in parts} - {*TENSORS}:
        return
    shapes = " and ".join(dict.fromkeys(f"{tuple(part.shape)}" for part in parts))
    yield stop.sentence(NEEDS[stop.called()], shapes=shapes)
    axes = range(-parts[0].dim(), 0) if stop.called() == "cat" else ()
    fits = [call for axis in axes if stop.runs(call := build(f"x(y, dim={axis})", stop.node.func, node))]
    if len(fits) == 1:
        yield stop.sentence("They fit in `{code}`.", fits[0])


ROWS = [
    (IndexError, r"Dimension out of range .* but got (?P<got>-?\d+)\)", axis),
    (RuntimeError, r"^expand\(|^The expanded size", expand),
    (RuntimeError, r"shape '\[(?P<asked>[^\]]*)\]' is invalid for input of size", sizes),
    (RuntimeError, r"^Number of dimensions of repeat", "{at} `repeat` takes a number for each axis."),
    (RuntimeError, r"view size is not compatible", not_in_a_row),
    (ValueError, r"(?P<amount>too many|not enough) values to unpack", unpack),
    (IndexError, r"too many indices for tensor", too_many),
    (IndexError, r"index (?P<index>-?\d+) is out of bounds for dimension \d+ with size (?P<size>\d+)", beyond),
    (RuntimeError, r"same number of dimensions|must match except in dimension|equal size, but got", together),
    (TypeError, r"must be tuple of Tensors, not Tensor", "{at} it takes one list of tensors, such as `[a, b]`."),
    (TypeError, r"expected Tensor as element (?P<place>\d+) in argument 0, but got (?P<got>\w+)",
     "{at} a list of tensors is needed, and part {place} of this one is a `{got}`."),
    ((RuntimeError, ValueError), r"non-empty (TensorList|list of Tensors)",
     "{at} the list is empty. Did the loop that fills it run, and did it `append`?"),
]  # fmt: skip

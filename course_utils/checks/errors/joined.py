"""Explanations for `torch.cat` and `torch.stack`: shapes that do not go together, and things that are no tensors."""

import ast

import torch
from torch import nn

from .expressions import build
from .foreign_call import as_tensor
from .labels import kind, shape

PICK = "Where a call gives several things, take the one that you want, such as `[0]`."


def together(stop):
    """Yield sentences on a `cat` or `stack` of tensors whose shapes do not go together; none if they are unknown."""
    node = stop.argument(0, "tensors")
    parts = stop.value(node)
    if stop.called() not in ("cat", "concat", "stack") or type(parts) not in (list, tuple):
        return
    if not all(torch.is_tensor(part) for part in parts):
        return
    shapes = " and ".join(dict.fromkeys(shape(part) for part in parts))
    if stop.called() == "stack":
        yield stop.sentence("{at} `stack` needs tensors of one shape, and here are {shapes}.", shapes=shapes)
    elif len({part.dim() for part in parts}) > 1:
        yield stop.sentence("{at} `cat` needs tensors with equally many axes, and here are {shapes}.", shapes=shapes)
        yield from _lifted(stop, node, parts)
    else:
        yield stop.sentence(
            "{at} `cat` needs equal sizes on all axes but the one it goes along, and here are {shapes}.", shapes=shapes
        )
        axes = (*range(parts[0].dim() - 1), -1)
        calls = {axis: build(f"x(y, dim={axis})", stop.node.func, node) for axis in axes}
        fits = [axis for axis, call in calls.items() if stop.runs(call)]
        if len(fits) == 1:
            yield stop.sentence("They fit along axis {axis}: `{code}`.", calls[fits[0]], axis=fits[0])


def _lifted(stop, node, parts):
    """Yield a sentence on a tensor of a typed list, `node`, that lacks an axis, if just one `unsqueeze` helps."""
    most, fits = max(part.dim() for part in parts), []
    for part, tensor in zip(getattr(node, "elts", ()), parts, strict=False):
        if tensor.dim() == most - 1:
            changes = [build(f"x.unsqueeze({place})", part) for place in range(most)]
            fits += [change for change in changes if stop.changed(part, change)]
    if len(fits) == 1:
        yield stop.sentence("`{code}` has the axis that it lacks.", fits[0])


def one_list(stop):
    """Yield a sentence on a `cat` or `stack` that got one tensor, or several, in place of one list of tensors."""
    tensors = [part for part in stop.node.args if stop.tensor(part) is not None] if stop.called() else []
    if len(tensors) < 2:
        yield stop.sentence("{at} it takes a list of tensors, and this is a tensor already.")
    else:
        parts = ", ".join(map(stop.text, tensors))
        yield stop.sentence("{at} it takes one list of tensors: `[{parts}]`.", parts=parts)


def of_tensors(stop, place, got):
    """Yield sentences on a `cat` or `stack` of a list with one part of another type than tensor.

    stop: a Stop. place: the index of that part in the list, a text of digits ("1"). got: the name of its type, such as
    "int".
    """
    node, place = stop.argument(0, "tensors"), int(place)
    parts = stop.value(node)
    if not isinstance(parts, list | tuple) or place >= len(parts):
        yield stop.sentence(
            "{at} a list of tensors is needed, and part {place} of this one is a `{kind}`.", place=place, kind=got
        )
        if got == "tuple":
            yield PICK
        return
    part, literal = parts[place], isinstance(node, ast.List)
    template = "{at} a list of tensors is needed, and part {place} of `{code}` is {kind}."
    if literal:
        template = "{at} a list of tensors is needed, and `{code}` is {kind}."
    yield stop.sentence(template, node.elts[place] if literal else node, place=place, kind=kind(part))
    if part is None:
        yield "As long as there is nothing yet, take the new one alone."
    elif isinstance(part, tuple):
        yield PICK
    elif isinstance(part, nn.Linear) and literal:
        yield stop.sentence("Its numbers are `{code}.weight`.", node.elts[place])
    elif change := as_tensor(stop, node):
        yield stop.sentence("A tensor of numbers: `{code}`.", change)


EMPTY = "{at} the list is empty. Did the loop that fills it run, and did it `append`?"
ROWS = [
    (RuntimeError, r"same number of dimensions|must match except in dimension|equal size, but got", together),
    (TypeError, r"'tensors' \(position 1\) must be tuple of Tensors, not Tensor", one_list),
    (TypeError, r"expected Tensor as element (?P<place>\d+) in argument 0, but got (?P<got>\w+)", of_tensors),
    ((RuntimeError, ValueError), r"non-empty (TensorList|list of Tensors)", EMPTY),
]

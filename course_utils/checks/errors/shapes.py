"""Explanations for axes and sizes: a missing axis, a view, an index, an unpacked shape, a concatenation."""

import ast
import math
import re

import torch

from .masks import atom
from .safe_value import NUMBERS, UNKNOWN
from .stopped import called, shape, swapped

LAST_TWO = "transpose(-2, -1)"


def axis(stop, match):
    """Return an explanation of an axis that the tensor does not have; None if the tensor is not known.

    stop: the Stop. match: the `re.Match` in the error's message; its group "got" is the axis.
    """
    node, got = stop.subject(), int(match["got"])
    tensor = stop.tensor(node)
    if tensor is None:
        return None
    said = f"{stop.at} {shape(tensor)} has {_axes(tensor.dim())}, and axis {got} is not among them."
    if called(stop.node) == "transpose" and tensor.dim() >= 2:
        return f"{said} `{atom(stop, node)}.{LAST_TWO}` turns the last two, whatever stands in front."
    for place in ast.walk(stop.node):
        if isinstance(place, ast.Constant) and place.value == got and got == tensor.dim():
            if tried := stop.changed(place, "-1"):
                return f"{said} The last one is always -1: `{tried[0]}`."
    return said


def _axes(count):
    """Return in words how many axes there are, and how they are numbered: "2 axes, 0 to 1 or -2 to -1"."""
    if count < 2:
        return "one axis, 0 or -1" if count else "no axes"
    return f"{count} axes, 0 to {count - 1} or -{count} to -1"


def turn_of_a_table(stop, match):
    """Return an explanation of `t` on a tensor with more than 2 axes; None if the tensor is not known.

    stop: the Stop. match: not used.
    """
    node = stop.subject()
    if stop.tensor(node) is None:
        return None
    return (
        f"{stop.at} `t` turns a table with 2 axes, and {shape(stop.tensor(node))} has {stop.tensor(node).dim()}. "
        f"`{atom(stop, node)}.{LAST_TWO}` turns the last two, whatever stands in front."
    )


def order(stop, match):
    """Return an explanation of a `permute` with too few or too many axes; None if the tensor is not known.

    stop: the Stop. match: not used.
    """
    tensor = stop.tensor(stop.subject())
    if tensor is None:
        return None
    said = f"{stop.at} `permute` takes each axis once, and {shape(tensor)} has {tensor.dim()}."
    args = stop.node.args if stop.node.func.value is stop.subject() else []
    if len(args) == 2:
        swap = ast.Call(ast.Attribute(stop.subject(), "transpose"), args, [])
        if stop.changed(stop.node, swap):
            return f"{said} To exchange two: `{stop.text(swap)}`."
    return said


def sizes(stop, match):
    """Return an explanation of a `view` or `reshape` to a shape that holds another amount of numbers.

    stop: the Stop. match: the `re.Match` in the error's message; its group "sizes" is that shape. None comes back if
    the tensor is not known.
    """
    tensor, asked = stop.tensor(stop.subject()), [int(size) for size in re.findall(r"-?\d+", match["sizes"])]
    if tensor is None:
        return None
    said = f"{stop.at} {shape(tensor)} holds {tensor.numel()} numbers, "
    product = " · ".join(map(str, asked))
    if -1 in asked:
        said += f"which cannot be dealt out as {product.replace('-1', 'any')}."
    else:
        said += f"and {product} is {math.prod(asked)}."
    typed = [node for node in ast.walk(stop.node) if isinstance(node, ast.Constant) and node.value in asked]
    for node in typed:
        for place, size in enumerate(tensor.shape):
            if node.value != size and asked.index(node.value) == place:
                read = swapped(stop.node, node, ast.parse(f"{atom(stop, stop.subject())}.shape[{place}]").body[0].value)
                if stop.value(read) is not UNKNOWN:
                    return f"{said} Read sizes off the input instead of typing them: `{stop.text(read)}`."
    return said


def not_in_a_row(stop, match):
    """Return an explanation of a `view` of a tensor that is not contiguous; None for other calls.

    stop: the Stop. match: not used.
    """
    if stop.called() != "view":
        return None
    other = ast.Call(ast.Attribute(stop.node.func.value, "reshape"), stop.node.args, stop.node.keywords)
    rest = f": `{stop.text(other)}`" if stop.changed(stop.node, other) else ""
    return (
        f"{stop.at} its axes were turned, and the numbers no longer lie in memory as `view` needs them. "
        f"`reshape` copies them where it must{rest}."
    )


def unpack(stop, match):
    """Return an explanation of an unpacking into more or fewer names than there are parts; else None.

    stop: the Stop. match: the `re.Match` in the error's message; its first group is "too many" or "not enough". None
    comes back if no assignment stopped, or if one of its names has a star.
    """
    if not isinstance(stop.node, ast.Assign):
        return None
    value, names = stop.value(stop.node.value), stop.node.targets[0].elts
    if any(isinstance(name, ast.Starred) for name in names):
        return None
    if value is UNKNOWN:
        more = "more" if match[1] == "too many" else "fewer"
        return f"{stop.at} {len(names)} names stand for {more} parts. A tensor falls apart along its first axis."
    text, count = stop.text(stop.node.value), len(value)
    if isinstance(value, torch.Size):
        said = f"{stop.at} `{text}` is {tuple(value)}, {count} sizes for {len(names)} names."
        if count > len(names) > 1:
            last = ", ".join(stop.text(name) for name in names)
            return f"{said} For the last {len(names)}, whatever stands in front: `*_, {last} = {text}`."
        return said
    what = f"has {count} rows: {shape(value)}" if torch.is_tensor(value) else f"has {count} parts"
    return f"{stop.at} `{text}` {what}, for {len(names)} names. Write as many names, or take the parts by their place."


def too_many(stop, match):
    """Return an explanation of an index with more places than the tensor has axes; None if the tensor is not known.

    stop: the Stop. match: not used.
    """
    base = stop.tensor(getattr(stop.node, "value", None))
    if base is None:
        return None
    return f"{stop.at} {shape(base)} has {_axes(base.dim())}: an index takes no more than one place for each."


def beyond(stop, match):
    """Return an explanation, always a text, of an index beyond the end of an axis of a tensor.

    stop: the Stop. match: the `re.Match` in the error's message; its group "at" is the index, and "size" the length of
    the axis. The axis is named if no other one of the tensor has this length.
    """
    size, at, node = int(match["size"]), int(match["at"]), stop.node
    node = node.targets[0] if isinstance(node, ast.Assign) else node
    base = stop.tensor(getattr(node, "value", None))
    axes = [axis for axis, its in enumerate(base.shape) if its == size] if base is not None else []
    which = (
        f"axis {axes[0]} of {shape(base)}" if len(axes) == 1 else f"an axis of {shape(base)}" if axes else "the axis"
    )
    places = f"{size} places, from 0 to {size - 1}" if size > 1 else "only the place 0" if size else "no places"
    said = f"{stop.at} {which} has {places}, and {at} was asked for."
    place = getattr(node, "slice", None)
    if any(isinstance(part, ast.Name) for part in (ast.walk(place) if place else ())):
        return f"{said} Count no farther than it goes, or make it longer: read both from one size, and type none in."
    return f"{said} The last one is -1." if at == size else said


def beyond_list(stop, match):
    """Return an explanation of an index beyond the end of a list, a tuple or a shape; None if that is not known.

    stop: the Stop. match: not used.
    """
    match stop.node:
        case ast.Subscript(value=node, slice=index) if type(stop.value(node)) in (list, tuple, torch.Size):
            base, at = stop.value(node), stop.value(index)
            asked = f", and {at} was asked for" if isinstance(at, int) else ""
            here = f" is {tuple(base)}" if isinstance(base, torch.Size) else ""
            parts = f"{len(base)} parts, from 0 to {len(base) - 1} or -1 for the last" if base else "no parts"
            return f"{stop.at} `{stop.text(node)}`{here}{' and' if here else ''} has {parts}{asked}."
    return None


def together(stop, match):
    """Return an explanation of a `torch.cat` or `torch.stack` of tensors whose shapes do not go together.

    stop: the Stop. match: not used. None comes back for other calls, and if the tensors are not known.
    """
    node = stop.argument(0, "tensors")
    parts = stop.value(node)
    if stop.called() not in ("cat", "concat", "stack") or type(parts) not in (list, tuple):
        return None
    if not all(torch.is_tensor(part) for part in parts):
        return None
    met = " and ".join(dict.fromkeys(shape(part) for part in parts))
    if stop.called() == "stack":
        return f"{stop.at} `stack` needs tensors of one shape, and here are {met}."
    if len({part.dim() for part in parts}) > 1:
        said = f"{stop.at} `cat` needs tensors with equally many axes, and here are {met}."
        return f"{said} {_lifted(stop, node, parts)}".rstrip()
    said = f"{stop.at} `cat` needs equal sizes on all axes but the one it goes along, and here are {met}."
    fits = [(dim, new) for dim in [*range(parts[0].dim() - 1), -1] if (new := _along(stop, dim))]
    return f"{said} They fit along axis {fits[0][0]}: `{fits[0][1]}`." if len(fits) == 1 else said


def _along(stop, dim):
    """Return the text of the `cat` that stopped, along another axis; None if that does not run either.

    stop: the Stop. dim: the other axis, an int.
    """
    call, dim = stop.node, ast.parse(str(dim), mode="eval").body
    other = ast.Call(call.func, call.args[:1], [ast.keyword("dim", dim)])
    return stop.text(other) if call.args and stop.value(other) is not UNKNOWN else None


def _lifted(stop, node, parts):
    """Return a sentence on the one tensor that lacks an axis and the one place where the axis fits; else "".

    stop: the Stop. node: the list of tensors, as an `ast` node. parts: the tensors.
    """
    most, found = max(part.dim() for part in parts), []
    for part, tensor in zip(getattr(node, "elts", ()), parts, strict=False):
        for place in range(most if tensor.dim() == most - 1 else 0):
            new = ast.Call(ast.Attribute(part, "unsqueeze"), [ast.Constant(place)], [])
            if stop.changed(part, new):
                found.append(f"`{stop.text(new)}` has the axis that it lacks.")
    return found[0] if len(found) == 1 else ""


def expand(stop, match):
    """Return an explanation of an `expand` or `repeat` whose sizes do not fit the tensor; None if that is not known.

    stop: the Stop. match: not used.
    """
    tensor = stop.tensor(stop.subject())
    if tensor is None:
        return None
    if stop.called() == "repeat":
        return f"{stop.at} `repeat` takes one number for each axis, and {shape(tensor)} has {tensor.dim()}."
    return f"{stop.at} `expand` can only lengthen axes of length 1, or add axes in front: it was given {shape(tensor)}."


def highest(stop, match):
    """Return an explanation of a `topk` of more numbers than there are along the axis; None if the values are unknown.

    stop: the Stop. match: not used.
    """
    tensor, count = stop.tensor(stop.subject()), stop.value(stop.argument(1, "k"))
    if tensor is None or type(count) not in NUMBERS:
        return None
    said = (
        f"{stop.at} `topk` looks along one axis, the last if none is named, and {shape(tensor)} has no {count} there."
    )
    flat = ast.Call(ast.Attribute(stop.subject(), "flatten"), [], [])
    tried = stop.changed(stop.subject(), flat)
    return f"{said} For the highest of all: `{tried[0]}`." if tried else said


def corner(stop, match):
    """Return an explanation of a `tril`, or a function like it, of a tensor with fewer than 2 axes.

    stop: the Stop. match: not used. None comes back if the tensor is not known.
    """
    tensor = stop.tensor(stop.subject())
    if tensor is None:
        return None
    said = f"{stop.at} `{stop.called()}` cuts a table, with at least 2 axes, and this is {shape(tensor)}."
    node = stop.subject()
    if isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(stop.value(node.args[0]), int):
        square = ast.Call(node.func, node.args * 2, node.keywords)
        if stop.changed(node, square):
            return f"{said} A square is `{stop.text(square)}`."
    return said


ROWS = [
    (IndexError, r"Dimension out of range .* but got (?P<got>-?\d+)\)", axis),
    (RuntimeError, r"t\(\) expects a tensor with <= 2 dimensions", turn_of_a_table),
    (RuntimeError, r"^permute\(", order),
    (RuntimeError, r"shape '\[(?P<sizes>[^\]]*)\]' is invalid for input of size", sizes),
    (RuntimeError, r"view size is not compatible", not_in_a_row),
    (ValueError, r"(too many|not enough) values to unpack", unpack),
    (IndexError, r"too many indices for tensor", too_many),
    (IndexError, r"index (?P<at>-?\d+) is out of bounds for dimension (?P<axis>\d+) with size (?P<size>\d+)", beyond),
    (IndexError, r"^(list|tuple) index out of range", beyond_list),
    (RuntimeError, r"same number of dimensions|must match except in dimension|equal size, but got", together),
    (RuntimeError, r"^The expanded size|^expand\(|^Number of dimensions of repeat", expand),
    (RuntimeError, r"selected index k out of range", highest),
    (RuntimeError, r"input tensor must have at least 2 dimensions", corner),
]

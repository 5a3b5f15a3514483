"""Explanations for elementwise operations on tensors that do not broadcast, and for masks that do not fit."""

import ast
import itertools
import re

from .products import SIZES, before_turn, pair, turned
from .stopped import called, shape

PAIRWISE = {"add", "sub", "mul", "div", "maximum", "minimum", "eq", "ne", "lt", "le", "gt", "ge"}
REDUCTIONS = {"sum", "mean", "amax", "amin", "logsumexp", "std", "var", "norm", "all", "any", "prod", "argmax"}
RULE = "Counted from the right, sizes must be equal or 1"


def pairwise(stop, match):
    """Return an explanation of an elementwise operation on two tensors that do not broadcast; None for others.

    stop: the Stop. match: not used. If the tensors are not known, it has the sizes in the error's message.
    """
    left, right = pair(stop, PAIRWISE, lambda op: not isinstance(op, ast.MatMult))
    if left is None:
        return None
    one, other = stop.tensor(left), stop.tensor(right)
    if one is None or other is None:
        sizes = re.search(r"tensor a \((\d+)\).*tensor b \((\d+)\).*dimension (\d+)", stop.message)
        return f"{stop.at} sizes {sizes[1]} and {sizes[2]} meet at axis {sizes[3]}. {RULE}." if sizes else None
    met = zip(reversed(one.shape), reversed(other.shape), strict=False)
    where = [f": here {size} meets {its}" for size, its in met if size != its and 1 not in (size, its)][:1]
    said = f"{stop.at} {shape(one)} meets {shape(other)}. {RULE}{''.join(where)}."
    whole = ast.BinOp(left, stop.node.op, right) if isinstance(stop.node, ast.AugAssign) else stop.node
    for part, beside in sorted([(right, left), (left, right)], key=lambda two: "arange" in stop.text(two[0])):
        if change := _change(stop, whole, part, stop.tensor(beside).shape):
            return f"{said} {change}"
    return said


def _change(stop, whole, part, goal):
    """Return a sentence on a change of one operand that makes the operation work, or None.

    stop: the Stop. whole: the node of the operation. part: the operand's node. goal: the shape of the other operand.
    """
    text = stop.text(part)
    for reduced in filter(_loses_an_axis, (part, stop.made(part))):
        kept = ast.Call(reduced.func, reduced.args, [*reduced.keywords, ast.keyword("keepdim", ast.Constant(True))])
        if (tried := stop.changed(part, kept, whole)) and tried[1].shape == goal:
            return f"`{called(reduced)}` takes an axis away. Keep it, with length 1: `{stop.text(kept)}`."
    if new := with_new_axis(stop, part, whole, goal, lambda new: [-place for place in new]):
        return f"Give `{text}` the axis that it lacks: `{new}`."
    if (base := before_turn(part)) is not None and stop.changed(part, base, whole):
        return f"`{stop.text(base)}` fits as it is, without turning its axes."
    if (tried := stop.changed(part, turned(part), whole)) and tried[1].shape == goal:
        return f"With its last two axes turned, `{text}` fits: `{stop.text(turned(part))}`."
    column = ast.Subscript(part, ast.Tuple([ast.Slice(), ast.Constant(None)]))
    if isinstance(whole, ast.Compare) and stop.tensor(part).dim() == len(goal) == 1:
        if tried := stop.changed(part, column, whole):
            return f"Each against each needs a new axis: `{tried[0]}` has the shape {shape(tried[1])}."
    return None


def _loses_an_axis(node):
    """Return whether an `ast` node is a call of a reduction, such as `sum`, along an axis without `keepdim`."""
    if not (isinstance(node, ast.Call) and called(node) in REDUCTIONS):
        return False
    names = {keyword.arg for keyword in node.keywords}
    return "keepdim" not in names and bool(names & {"dim", "axis"} or node.args)


def with_new_axis(stop, part, whole, goal, order):
    """Return the text of a part with new axes of length 1, with which the whole has the shape `goal`; or None.

    stop: the Stop. part: a node in the expression `whole`. order: a sort key for tuples of new axes, to try the
    smallest first.
    """
    missing = len(goal) - stop.tensor(part).dim()
    for new in sorted(itertools.combinations(range(len(goal)), max(missing, 0)), key=order) if missing > 0 else ():
        index = [ast.Constant(None) if place in new else ast.Slice() for place in range(new[-1] + 1)]
        if new == tuple(range(len(goal) - missing, len(goal))):
            index = [ast.Constant(...), *index[-missing:]]
        longer = ast.Subscript(part, ast.Tuple(index) if len(index) > 1 else index[0])
        if (tried := stop.changed(part, longer, whole)) and tried[1].shape == goal:
            return stop.text(longer)
    return None


def mask(stop, match):
    """Return an explanation of a mask whose shape does not broadcast to that of the masked tensor, or None.

    stop: the Stop. match: not used. None comes back for other calls than `masked_fill` and `where`.
    """
    if stop.called() in ("masked_fill", "masked_fill_"):
        hidden, given = stop.argument(0, "input"), stop.argument(1, "mask")
    elif stop.called() == "where":
        hidden, given = stop.argument(1, "input"), stop.argument(0, "condition")
    else:
        return None
    scores, hides = stop.tensor(hidden), stop.tensor(given)
    if scores is None or hides is None:
        return f"{stop.at} the mask and what it hides have shapes that do not meet. {RULE}."
    whole = ast.BinOp(hidden, ast.Mult(), given)
    return (
        f"{stop.at} a mask of shape {shape(hides)} meets {shape(scores)}. {RULE}. {mask_change(stop, whole)}".rstrip()
    )


def mask_change(stop, whole):
    """Return a sentence on a change of a mask that makes it fit; "" where none was found.

    stop: the Stop. whole: a product as an `ast.BinOp`, the masked tensor on its left and the mask on its right.
    """
    goal, given = stop.tensor(whole.left).shape, whole.right
    text, sizes = stop.text(given), stop.tensor(given).shape
    new = with_new_axis(stop, given, whole, goal, lambda new: (0 in new, new))
    if not new and len(sizes) == 2 <= len(goal) and sizes[0] == sizes[1] > max(goal[-2:]):
        cut = ast.Subscript(given, ast.Tuple([ast.Slice(upper=ast.Constant(size)) for size in goal[-2:]]))
        if stop.changed(given, cut, whole):
            return f"It is made for more tokens. Cut it to those at hand, here `{stop.text(cut)}`."
    if new:
        return f"`{new}` fits, if the first axis of `{text}` is that of the samples."
    return ""


ROWS = [(RuntimeError, SIZES, mask), (RuntimeError, SIZES, pairwise)]

"""Explanations for elementwise operations on tensors that do not broadcast, and for masks that do not fit."""

import ast
import itertools

from .expressions import build, called, transposed, with_keyword
from .products import SIZES, before_transpose, pair
from .stopped import StoppedCode

PAIRWISE = {"add", "sub", "mul", "div", "maximum", "minimum", "eq", "ne", "lt", "le", "gt", "ge"}
REDUCTIONS = {"sum", "mean", "amax", "amin", "logsumexp", "std", "var", "norm", "all", "any", "prod", "argmax"}
RULE = "Counted from the right, sizes must be equal or 1."


def pairwise(stop: StoppedCode):
    """Yield sentences, with a repair if one is found, for a learner whose operands do not broadcast, as in `x + y`."""
    left, right = pair(stop, PAIRWISE, lambda op: not isinstance(op, ast.MatMult))
    first, second = stop.tensor(left), stop.tensor(right)
    if first is None or second is None:
        return
    yield stop.sentence("{at} {left} meets {right}.", left=first, right=second)
    for size, other in zip(reversed(first.shape), reversed(second.shape), strict=False):
        if size != other and 1 not in (size, other):
            template = "Counted from the right, sizes must be equal or 1: here {size} meets {other}."
            yield stop.sentence(template, size=size, other=other)
            break
    else:
        yield RULE
    whole = ast.BinOp(left, stop.node.op, right) if isinstance(stop.node, ast.AugAssign) else stop.node
    for part, beside in sorted([(right, left), (left, right)], key=lambda two: "arange" in stop.text(two[0])):
        if change := _change(stop, whole, part, stop.tensor(beside).shape):
            yield change
            return


def _change(stop: StoppedCode, whole: ast.AST, part: ast.AST, goal) -> str | None:
    """Return a sentence for the learner on a change of an operand that makes it broadcast; None if no change does."""
    for reduced in filter(_loses_an_axis, (part, stop.assigned(part))):
        kept = with_keyword(reduced, "keepdim", "True")
        if _has_shape(stop, stop.changed(part, kept, whole), goal):
            return stop.sentence(
                "`{name}` takes an axis away. Keep it, with length 1: `{code}`.", kept, name=called(reduced)
            )
    if new := with_new_axis(stop, part, whole, goal, lambda new: [-place for place in new]):
        return stop.sentence("Give `{code}` the axis that it lacks: `{change}`.", part, change=new)
    if (base := before_transpose(part)) is not None and stop.changed(part, base, whole):
        return stop.sentence("`{code}` fits as it is, without turning its axes.", base)
    if _has_shape(stop, stop.changed(part, transposed(part), whole), goal):
        return stop.sentence("With its last two axes turned, `{code}` fits: `{change}`.", part, change=transposed(part))
    if isinstance(whole, ast.Compare) and stop.tensor(part).dim() == len(goal) == 1:
        if change := stop.changed(part, build("x[:, None]", part), whole):
            template = "Each against each needs a new axis: `{change}` has the shape {result}."
            return stop.sentence(template, change=change, result=stop.tensor(change))
    return None


def _has_shape(stop: StoppedCode, node: ast.AST | None, shape) -> bool:
    return (tensor := stop.tensor(node)) is not None and tensor.shape == shape


def _loses_an_axis(node: ast.AST | None) -> bool:
    if not (isinstance(node, ast.Call) and called(node) in REDUCTIONS):
        return False
    names = {keyword.arg for keyword in node.keywords}
    return "keepdim" not in names and bool(names & {"dim", "axis"} or node.args)


def with_new_axis(stop: StoppedCode, part: ast.AST, whole: ast.AST, goal, order) -> ast.AST | None:
    """Return a tensor's expression with new axes, as `x[:, None]`, with which an operation gets the shape `goal`.

    Return None if no new axes do. part: the tensor. whole: the operation. order: a key function for sorting: of all
    possible tuples of new axes, the first that fits is taken.
    """
    missing = len(goal) - stop.tensor(part).dim()
    for new in sorted(itertools.combinations(range(len(goal)), max(missing, 0)), key=order) if missing > 0 else ():
        index = ["None" if place in new else ":" for place in range(new[-1] + 1)]
        if new == tuple(range(len(goal) - missing, len(goal))):
            index = ["...", *index[-missing:]]
        longer = build(f"x[{', '.join(index)}]", part)
        if _has_shape(stop, stop.changed(part, longer, whole), goal):
            return longer
    return None


def mask(stop: StoppedCode):
    """Yield sentences for a learner whose mask, in `masked_fill` or `where`, does not broadcast to what it hides."""
    if stop.called() in ("masked_fill", "masked_fill_"):
        hidden, given = stop.argument(0, "input"), stop.argument(1, "mask")
    elif stop.called() == "where":
        hidden, given = stop.argument(1, "input"), stop.argument(0, "condition")
    else:
        return
    scores, hides = stop.tensor(hidden), stop.tensor(given)
    if scores is None or hides is None:
        return
    yield stop.sentence("{at} a mask of shape {mask} meets {scores}.", mask=hides, scores=scores)
    yield RULE
    whole, goal, sizes = build("x * y", hidden, given), scores.shape, hides.shape
    if new := with_new_axis(stop, given, whole, goal, lambda new: (0 in new, new)):
        yield stop.sentence("`{change}` fits, if the first axis of `{code}` is that of the samples.", given, change=new)
    elif len(sizes) == 2 <= len(goal) and sizes[0] == sizes[1] > max(goal[-2:]):
        cut = build(f"x[:{goal[-2]}, :{goal[-1]}]", given)
        if stop.changed(given, cut, whole):
            yield stop.sentence("It is made for more tokens. Cut it to those at hand, here `{code}`.", cut)


ROWS = [(RuntimeError, SIZES, mask), (RuntimeError, SIZES, pairwise)]

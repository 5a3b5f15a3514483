"""Explanations for `torch.cat` and `torch.stack`: shapes that do not go together, and things that are no tensors."""

from .expressions import build
from .safe_value import TENSORS
from .stopped import StoppedCode

NEEDS = {
    "cat": "{at} `cat` needs equal sizes on all axes but the one that it goes along, and here are {shapes}.",
    "stack": "{at} `stack` needs tensors of one shape, and here are {shapes}.",
}


def together(stop: StoppedCode):
    """Yield sentences for a learner who calls `cat` or `stack` on tensors whose shapes do not go together.

    Yield none if the tensors are unknown.
    """
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
    (RuntimeError, r"same number of dimensions|must match except in dimension|equal size, but got", together),
    (TypeError, r"must be tuple of Tensors, not Tensor", "{at} it takes one list of tensors, such as `[a, b]`."),
    (TypeError, r"expected Tensor as element (?P<place>\d+) in argument 0, but got (?P<got>\w+)",
     "{at} a list of tensors is needed, and part {place} of this one is a `{got}`."),
    ((RuntimeError, ValueError), r"non-empty (TensorList|list of Tensors)",
     "{at} the list is empty. Did the loop that fills it run, and did it `append`?"),
]  # fmt: skip

"""Explanations for truth values: a tensor as a condition, a mask of numbers, `-mask`, a mask as an index."""

import ast

import torch

from .expressions import build, not_in_place
from .safe_value import TENSORS
from .stopped import StoppedCode


def _is_mask(value) -> bool:
    return type(value) in TENSORS and value.dtype == torch.bool


def _is_condition(stop: StoppedCode) -> bool:
    conditions = (ast.If, ast.While, ast.IfExp, ast.Assert)
    return any(isinstance(node, conditions) and node.test is stop.node for node in ast.walk(stop.tree))


def truth(stop: StoppedCode):
    """Yield sentences for a learner who has a tensor of many values where Python needs one True or False."""
    node = stop.node
    if stop.called() in ("max", "min", "sorted"):
        yield from _of_python(stop)
        return
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node = node.operand
        if _is_mask(mask := stop.value(node)) and not _is_condition(stop):
            template = "{at} `not` turns one truth value, and `{code}` is {mask}. For each place: `{change}`."
            yield stop.sentence(template, node, mask=mask, change=build("~x", node))
            return
    if isinstance(node, ast.BoolOp):
        first, second, *_ = node.values
        if _is_mask(stop.value(first)) and _is_mask(stop.value(second)):
            word, change = ("and", "x & y") if isinstance(node.op, ast.And) else ("or", "x | y")
            template = "{at} `{word}` joins two truth values, and `{code}` is {mask}. For each place: `{change}`."
            yield stop.sentence(template, first, word=word, mask=stop.value(first), change=build(change, first, second))
            return
        node = first
    tensor = stop.tensor(node)
    yield stop.sentence("`{code}` stops as a condition:", node) if node and node is stop.node else stop.at
    if tensor is None:
        yield "one True or False is needed, and this has many."
    else:
        template = "one True or False is needed, and `{code}` has {count}, {tensor}."
        yield stop.sentence(template, node, count=tensor.numel(), tensor=tensor)
    if node is None:
        yield "Say which, with `.any()` or `.all()`."
        return
    yield stop.sentence("Say which: `{any}` or `{all}`.", any=build("x.any()", node), all=build("x.all()", node))
    if (isinstance(node, ast.Attribute) or getattr(node, "id", None) in stop.parameters()) and not _is_mask(tensor):
        yield stop.sentence("Whether it is there: `{code} is not None`.", node)


def _of_python(stop: StoppedCode):
    """Yield sentences for a learner who calls Python's own `max`, `min` or `sorted` with tensors."""
    name, args = stop.called(), stop.node.args
    first, tensor = args[0], stop.tensor(args[0])
    yield stop.sentence("{at} Python's `{name}` compares single numbers.", name=name)
    if name != "sorted" and len(args) == 2:
        change = {"max": "torch.maximum(x, y)", "min": "torch.minimum(x, y)"}[name]
        if tensor is not None and isinstance(stop.value(args[1]), int | float):
            change = {"max": "x.clamp(min=y)", "min": "x.clamp(max=y)"}[name]
        yield stop.sentence("For each place: `{code}`.", build(change, first, args[1]))
    elif name != "sorted" and tensor is not None and tensor.dim() > 1:
        row = build(f"x.a{name}(dim=-1, keepdim=True)", first)
        template = "Ask the tensor: of the whole table `{code}`, of each row `{row}`."
        yield stop.sentence(template, build(f"x.{name}()", first), row=row)
    else:
        yield stop.sentence("Ask the tensor: `{code}`.", build(f"x.{name.removesuffix('ed')}()", first))


def not_bool(stop: StoppedCode):
    """Yield sentences for a learner who gives numbers where a mask of booleans is needed, as to `where` or `~`."""
    parts = [*(getattr(stop.node, name, None) for name in ("operand", "left", "right")), *stop.arguments()]
    if stop.called() == "where":
        parts = [stop.argument(0, "condition")]
    part = stop.first(lambda value: type(value) in TENSORS and value.dtype != torch.bool, parts)
    if part is None:
        return
    template = "{at} a mask of True and False is needed, and `{code}` holds `{dtype}`."
    yield stop.sentence(template, part, dtype=stop.tensor(part).dtype)
    change = build("x != 0", part)
    if stop.changed(part, change, not_in_place(stop.node)):
        if isinstance(stop.node, ast.UnaryOp):
            yield stop.sentence("Its opposite, True wherever it is 0: `{code}`.", build("x == 0", part))
        else:
            yield stop.sentence("`{code}` is True wherever it is not 0.", change)


def minus(stop: StoppedCode):
    """Yield a sentence for a learner who subtracts a boolean mask, `1 - mask`, or writes `-mask`."""
    node = stop.first(_is_mask, [getattr(stop.node, name, None) for name in ("operand", "right", "left")])
    if node is None:
        return
    if node is getattr(stop.node, "right", None) and stop.tensor(stop.node.left) is not None:
        template = "{at} `{code}` holds True and False, and has no minus. As numbers: `{change}`."
        yield stop.sentence(template, node, change=build("x.long()", node))
    else:
        template = "{at} `{code}` holds True and False, and has no minus. Its opposite is `{change}`."
        yield stop.sentence(template, node, change=build("~x", node))


def picks(stop: StoppedCode):
    """Yield sentences for a learner who indexes a tensor with a mask of sizes other than the tensor's."""
    node = stop.target()
    base, mask = (stop.tensor(getattr(node, part, None)) for part in ("value", "slice"))
    if base is None or mask is None:
        return
    yield stop.sentence("{at} a mask of shape {mask} picks from {code}.", base, mask=mask)
    yield "From the first axis on, their sizes must be equal."
    if isinstance(stop.node, ast.Subscript):  # the indexed tensor is read, not assigned to
        changes = [build(f"x[..., y{', :' * more}]", node.value, node.slice)
                for more in range(base.dim() - mask.dim())]  # fmt: skip
        match [change for change in changes if stop.tensor(change) is not None]:
            case [change]:
                yield stop.sentence("To pick along later axes, write `{code}`.", change)
            case [change, second, *_]:
                yield stop.sentence("To pick along later axes, write `{code}` or `{other}`.", change, other=second)
    elif mask.dim() and mask.shape == base.shape[-mask.dim() :]:
        yield "`masked_fill`, or `torch.where`, lays a mask with fewer axes over all of them."


def as_parameter(stop: StoppedCode):
    """Yield two sentences for a learner who makes an `nn.Parameter` of a mask or of whole numbers."""
    tensor = stop.tensor(stop.argument(0, "data"))
    template = "{at} a parameter is what training changes, and `{dtype}` cannot be changed by a little."
    if tensor is None:
        template = (
            "{at} a parameter is what training changes, and whole numbers or truth values cannot be changed by a "
            "little."
        )
    yield stop.sentence(template, dtype=tensor is not None and tensor.dtype)
    yield "What belongs to the module and stays as it is goes into `self.register_buffer(…)`."


ROWS = [
    (RuntimeError, r"Boolean value of Tensor with more than one", truth),
    (RuntimeError, r"only supports boolean masks|condition to be a boolean tensor", not_bool),
    (TypeError, r"~ \(operator.invert\) is only", not_bool),
    (NotImplementedError, r'"bitwise_\w+" not implemented', not_bool),
    (RuntimeError, r"(Subtraction|Negation), the `-` operator", minus),
    (IndexError, r"The shape of the mask", picks),
    (TypeError, r"masked_fill_?\(\) .*Tensor, str", "{at} a text is no number to fill in. The number is `-torch.inf`."),
    (RuntimeError, r"Need attn_mask if specifying the is_causal",
     "{at} `is_causal=True` is only a hint here. Hand over the mask too, `attn_mask`, in which True hides."),
    (RuntimeError, r"2D attn_mask is torch.Size\(\[(?P<got>.*?)\]\), but should be (?P<needed>\(.*?\))",
     "{at} `attn_mask` is ({got}), and must be {needed}: a row for each query, a place for each key."),
    (RuntimeError, r"^Only Tensors of floating point and complex dtype can require gradients", as_parameter),
]  # fmt: skip

"""Explanations for PyTorch's own attention: `F.scaled_dot_product_attention` and `nn.MultiheadAttention`."""

import torch
from torch import nn
from torch.nn import functional as F

from .broadcasting import mask_change
from .expressions import build


def fused(stop):
    """Yield sentences on the first wrong thing in a call of `F.scaled_dot_product_attention`: dtypes, shapes, mask.

    Other calls, and unknown tensors, yield nothing. stop: a Stop; its error matches ROWS.
    """
    if stop.called() != "scaled_dot_product_attention":
        return
    if stop.value(stop.node.func) is not F.scaled_dot_product_attention:
        return
    nodes = [stop.argument(place, name) for place, name in enumerate(("query", "key", "value", "attn_mask"))]
    queries, keys, values, mask = map(stop.tensor, nodes)
    if queries is None or keys is None or values is None:
        return
    dtypes = sorted({str(tensor.dtype) for tensor in (queries, keys, values)})
    shapes = "{at} queries {queries}, keys {keys}, values {values}."
    if len(dtypes) > 1:
        template = "{at} queries, keys and values need one dtype, and here are {dtypes}."
        yield stop.sentence(template, dtypes=" and ".join(dtypes))
    elif queries.shape[-1] != keys.shape[-1]:
        yield stop.sentence(shapes, queries=queries, keys=keys, values=values)
        yield "Queries and keys must be equally wide."
    elif keys.shape[-2] != values.shape[-2]:
        yield stop.sentence(shapes, queries=queries, keys=keys, values=values)
        yield "There must be a value for each key."
    elif mask is not None and mask.dtype not in (torch.bool, queries.dtype):
        template = "{at} the mask holds `{dtype}`. It must be bool, True where a query may attend: `{change}`."
        yield stop.sentence(template, dtype=mask.dtype, change=build("x.bool()", nodes[3]))
    elif mask is not None:
        scores = build("x @ y.mT", *nodes[:2])
        if stop.tensor(scores) is not None:
            template = "{at} the scores are {scores}, (..., queries, keys), and the mask {mask}."
            yield stop.sentence(template, scores=stop.tensor(scores), mask=mask)
            yield from mask_change(stop, build("x * y", scores, nodes[3]))


def mask_dtype(stop, name):
    """Yield a sentence on a mask of a wrong dtype for `nn.MultiheadAttention`; none if unknown. name: the argument."""
    node = stop.argument({"key_padding_mask": 3, "attn_mask": 5}[name], name)
    if stop.tensor(node) is not None:
        template = "{at} `{name}` holds `{dtype}`. It must be bool, and True hides: `{change}`."
        yield stop.sentence(template, name=name, dtype=stop.tensor(node).dtype, change=build("x.bool()", node))


def padding_shape(stop):
    """Yield a sentence on a `key_padding_mask` of a wrong shape for `nn.MultiheadAttention`; none if unknown."""
    keys, mask = stop.tensor(stop.argument(1, "key")), stop.tensor(stop.argument(3, "key_padding_mask"))
    module = stop.value(getattr(stop.node, "func", None))
    if mask is not None and keys is not None and keys.dim() == 3 and isinstance(module, nn.MultiheadAttention):
        size = tuple(keys.shape[:2] if module.batch_first else keys.shape[1::-1])
        template = "{at} `key_padding_mask` is {mask}, and must be {size}: a row for each sample, a place for each key."
        yield stop.sentence(template, mask=mask, size=size)


SHAPES = r"D attn_mask is torch.Size\(\[(?P<got>.*?)\]\), but should be (?P<needed>\(.*?\))"
ROWS = [
    (
        RuntimeError,
        r"Explicit attn_mask should not be set when is_causal",
        "{at} a mask and `is_causal=True` do not go together. Put the causal part into the mask, and leave out "
        "`is_causal`.",
    ),
    (RuntimeError, r"must match the size|batch2 tensor|attn_mask dtype|same dtype", fused),
    (
        RuntimeError,
        "2" + SHAPES,
        "{at} `attn_mask` is ({got}), and must be {needed}: a row for each query, a place for each key. True hides.",
    ),
    (
        RuntimeError,
        "3" + SHAPES,
        "{at} `attn_mask` is ({got}), and must be {needed}: a table for each sample and head. True hides.",
    ),
    (AssertionError, r"types of (?P<name>attn_mask|key_padding_mask) are", mask_dtype),
    (
        (AssertionError, RuntimeError),
        r"Expected key_padd|`key_padding_mask` to be|^For mask_type == \d mask shape",
        padding_shape,
    ),
    (
        AssertionError,
        r"expecting embedding dimension of (?P<wants>\d+), but got (?P<got>\d+)",
        "{at} this `nn.MultiheadAttention` was made for inputs of width {wants}, and gets {got}.",
    ),
    (
        RuntimeError,
        r"Need attn_mask if specifying the is_causal",
        "{at} `is_causal=True` is only a hint here: hand over the mask too, `attn_mask`, a bool of shape (queries, "
        "keys) in which True hides.",
    ),
]

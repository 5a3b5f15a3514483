"""Explanations for modules, parameters, gradients and PyTorch's own attention."""

import ast
import re

import torch
from torch import nn
from torch.nn import functional as F

from .broadcasting import mask_change
from .names import closest
from .safe_value import UNKNOWN
from .stopped import shape

QUIET = "`with torch.no_grad():`"


def parameter(stop, match):
    """Return an explanation of the assignment of a plain tensor to an attribute that holds a parameter; else None.

    stop: the Stop. match: not used.
    """
    if not (isinstance(stop.node, ast.Assign) and isinstance(stop.node.targets[0], ast.Attribute)):
        return None
    target, given = stop.node.targets[0], stop.tensor(stop.node.value)
    text, old = stop.text(target), stop.tensor(target)
    said = f"{stop.at} `{text}` is a parameter, and must stay one. Under {QUIET}, copy the numbers into it"
    if given is None or old is None:
        return f"{said}, with `{text}.copy_(…)`."
    if given.shape == old.shape:
        return f"{said}: `{text}.copy_({stop.text(stop.node.value)})`."
    met = f"It is {shape(old)}, and what comes is {shape(given)}"
    if given.dim() == 2 and given.mT.shape == old.shape:
        return f"{said}. {met}: `{text}.copy_({stop.text(ast.Attribute(stop.node.value, 'T'))})`."
    return f"{said}. {met}."


def in_place(stop, match):
    """Return an explanation, always a text, of a change of a parameter in place while gradients are recorded.

    stop: the Stop. match: not used.
    """
    turn = (copied(stop, match) or "").removeprefix(stop.at)
    return f"{stop.at} it changes a parameter in place while gradients are recorded. Put it under {QUIET}.{turn}"


def copied(stop, match):
    """Return an explanation of a `copy_` from a tensor of another shape; None for other calls and unknown tensors.

    stop: the Stop. match: not used.
    """
    if stop.called() != "copy_":
        return None
    to, node = stop.node.func.value, stop.argument(1, "src")
    old, given = stop.tensor(to), stop.tensor(node)
    if old is None or given is None or old.shape == given.shape:
        return None
    said = f"{stop.at} {shape(given)} is to be copied into {shape(old)}."
    turned = given.dim() == 2 and given.mT.shape == old.shape
    return f"{said} Turn it first: `{stop.text(ast.Attribute(node, 'T'))}`." if turned else said


def states(stop, match):
    """Return an explanation of a `load_state_dict` with other names or shapes than those of the module, or None.

    stop: the Stop. match: the `re.Match` in the error's message; its group "names" is "" if only shapes differ. None
    comes back if the message has no shapes that can be read.
    """
    if match["names"]:
        names = {
            kind: re.findall(r'"([^"]+)"', text)
            for kind, text in re.findall(
                r"(Missing|Unexpected) key\(s\) in state_dict: ((?:\"[^\"]+\",? ?)+)", stop.message
            )
        }
        wants, comes = names.get("Missing", []), names.get("Unexpected", [])
        parts = []
        if wants:
            parts.append(f"the module waits for {_few(wants)}")
        if comes:
            parts.append(f"{'what comes has' if wants else 'what comes also has'} {_few(comes)}")
        alike = [(name, close[0]) for name in wants if (close := closest(name, comes))][:1]
        rest = "".join(f" Is `{its}` its `{name}`?" for name, its in alike)
        return f"{stop.at} {', '.join(parts)}. The names of both must be the same.{rest}"
    sizes = re.search(r"size mismatch for ([\w.]+): .*?Size\((.*?)\).*?Size\((.*?)\)", stop.message)
    if not sizes:
        return None
    comes, wants = (tuple(int(size) for size in re.findall(r"\d+", text)) for text in sizes.group(2, 3))
    turned = " Turned, it fits: `.T`." if len(comes) == 2 and comes[::-1] == wants else ""
    return f"{stop.at} `{sizes[1]}` is {wants} in the module, and what comes is {comes}.{turned}"


def _few(names):
    """Return a text with the first four names as code, and how many more there are. names: a list of texts."""
    listed = ", ".join(f"`{name}`" for name in names[:4])
    return listed + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def no_states(stop, match):
    """Return an explanation of a `load_state_dict` that got a module in place of a state dict; else None.

    stop: the Stop. match: not used.
    """
    given = stop.value(stop.node.args[0]) if isinstance(stop.node, ast.Call) and stop.node.args else UNKNOWN
    if not isinstance(given, nn.Module):
        return None
    return f"{stop.at} it takes the parameters by their names: `{stop.text(stop.node.args[0])}.state_dict()`."


def no_super(stop, match):
    """Return an explanation, always a text, of an attribute set on a module before `super().__init__()`.

    stop, match: not used.
    """
    return (
        "`super().__init__()` is missing: it must be the first line of `__init__`, before anything is given to `self`."
    )


def full_super(stop, match):
    """Return an explanation of arguments in the call `super().__init__()` of a module; None if nn.Module did not stop.

    stop: the Stop. match: not used.
    """
    if not any(frame.f_code is nn.Module.__init__.__code__ for frame in stop.below):
        return None
    return f"{stop.at} `nn.Module` takes no arguments: write `super().__init__()`, with nothing in the last brackets."


def no_forward(stop, match):
    """Return an explanation of a call of an `nn.ModuleList` or `nn.ModuleDict`, which has no `forward`; else None.

    stop: the Stop. match: the `re.Match` in the error's message; its group "name" is that of the module's class.
    """
    if match["name"] not in ("ModuleList", "ModuleDict"):
        return None
    return f"{stop.at} a `{match['name']}` only holds modules. Call each of them, in a loop: `[part(x) for part in …]`."


def no_gradient(stop, match):
    """Return an explanation of a `backward` from a tensor that depends on nothing that requires gradients, as a text.

    stop: the Stop. match: not used; an explanation must take it, the `re.Match` in the error's message.
    """
    what = f"`{stop.text(stop.node.func.value)}`" if stop.called() == "backward" else "this"
    return (
        f"{stop.at} {what} hangs on nothing that requires gradients. Was it made under {QUIET}, with `detach` or "
        "`.item()`, or from numbers alone?"
    )


def second_time(stop, match):
    """Return an explanation, always a text, of a second `backward` through one graph.

    stop: the Stop. match: not used.
    """
    return f"{stop.at} a graph is gone after one `backward`. Compute the loss anew before each step."


def changed_since(stop, match):
    """Return an explanation, always a text, of an in-place change of a tensor that `backward` still needs.

    stop: the Stop. match: not used.
    """
    return (
        f"{stop.at} a tensor that the gradients need was changed in place after it was used. Look for `+=`, `x[...] =` "
        "or a method that ends in `_`, and make a new tensor instead."
    )


def many(stop, match):
    """Return an explanation, always a text, of a `backward` from a tensor of more than one number.

    stop: the Stop. match: not used.
    """
    tensor = stop.tensor(stop.node.func.value) if stop.called() == "backward" else None
    if tensor is None:
        return f"{stop.at} `backward` starts from a single number: take the `.sum()` or `.mean()` first."
    text = stop.text(stop.node.func.value)
    said = f"{stop.at} `backward` starts from a single number, and `{text}` is {shape(tensor)}"
    return f"{said}: `{text}.mean().backward()`."


def to_numpy(stop, match):
    """Return an explanation, always a text, of the conversion to NumPy of a tensor that requires gradients.

    stop: the Stop. match: not used.
    """
    if stop.called() == "numpy":
        text = stop.text(stop.node.func.value)
        return f"{stop.at} `{text}` carries gradients, which NumPy cannot keep: `{text}.detach().numpy()`."
    return f"{stop.at} a tensor that carries gradients goes into NumPy, which cannot keep them: `.detach()` it first."


def fused(stop, match):
    """Return what is wrong in a call of `F.scaled_dot_product_attention`: shapes, dtypes or mask; None if they all fit.

    stop: the Stop. match: not used; an explanation must take it, the `re.Match` in the error's message. None comes back
    also where another function stopped, and where the arguments' values are unknown.
    """
    if (
        stop.called() != "scaled_dot_product_attention"
        or stop.value(stop.node.func) is not F.scaled_dot_product_attention
    ):
        return None
    names = ("query", "key", "value", "attn_mask")
    nodes = [stop.argument(place, name) for place, name in enumerate(names)]
    queries, keys, values, mask = map(stop.tensor, nodes)
    if queries is None or keys is None or values is None:
        return None
    met = f"queries {shape(queries)}, keys {shape(keys)}, values {shape(values)}"
    kinds = {str(tensor.dtype) for tensor in (queries, keys, values)}
    if len(kinds) > 1:
        return f"{stop.at} queries, keys and values need one dtype, and here are {' and '.join(sorted(kinds))}."
    if queries.shape[-1] != keys.shape[-1]:
        return f"{stop.at} {met}. Queries and keys must be equally wide."
    if keys.shape[-2] != values.shape[-2]:
        return f"{stop.at} {met}. There must be a value for each key."
    if mask is None:
        return None
    if mask.dtype not in (torch.bool, queries.dtype):
        said = f"{stop.at} the mask holds `{mask.dtype}`. It must be bool, True where a query may attend"
        return f"{said}: `{stop.text(nodes[3])}.bool()`."
    scores = ast.BinOp(nodes[0], ast.MatMult(), ast.Attribute(nodes[1], "mT"))
    if stop.tensor(scores) is None:
        return None
    change = mask_change(stop, ast.BinOp(scores, ast.Mult(), nodes[3]))
    said = f"{stop.at} the scores are {shape(stop.tensor(scores))}, (..., queries, keys), and the mask {shape(mask)}."
    return f"{said} {change}".rstrip()


def both_masks(stop, match):
    """Return an explanation, always a text, of a call of PyTorch's attention with both a mask and `is_causal=True`.

    stop: the Stop. match: not used.
    """
    said = f"{stop.at} a mask and `is_causal=True` do not go together."
    return f"{said} Put the causal part into the mask, and leave out `is_causal`."


def attention_mask(stop, match):
    """Return an explanation of a mask of the wrong shape or dtype in a call of `nn.MultiheadAttention`, or None.

    stop: the Stop. match: the `re.Match` in the error's message; its groups, if any, are the shapes "got" and "needed"
    and the number of "axes", or in "dtype" the argument's name. None comes back where the values are not known.
    """
    named = {keyword.arg: keyword.value for keyword in getattr(stop.node, "keywords", [])}
    keys = stop.tensor(stop.argument(1, "key"))
    if match.groupdict().get("needed"):
        each = {"2": "a row for each query, a place for each key", "3": "a table for each sample and head"}
        said = f"{stop.at} `attn_mask` is ({match['got']}), and must be {match['needed']}"
        return f"{said}: {each[match['axes']]}. True hides."
    name = match.groupdict().get("dtype")
    if name and stop.tensor(named.get(name)) is not None:
        text = stop.text(named[name])
        said = f"{stop.at} `{name}` holds `{stop.tensor(named[name]).dtype}`. It must be bool, and True hides"
        return f"{said}: `{text}.bool()`."
    mask = stop.tensor(named.get("key_padding_mask"))
    module = stop.value(stop.node.func) if isinstance(stop.node, ast.Call) else None
    if mask is not None and keys is not None and keys.dim() == 3 and isinstance(module, nn.MultiheadAttention):
        size = tuple(keys.shape[:2]) if module.batch_first else tuple(keys.shape[1::-1])
        said = f"{stop.at} `key_padding_mask` is {shape(mask)}, and must be {size}"
        return f"{said}: a row for each sample, a place for each key."
    return None


def embedding(stop, match):
    """Return an explanation, always a text, of inputs of another width than an `nn.MultiheadAttention` was made for.

    stop: the Stop. match: the `re.Match` in the error's message; its groups "wants" and "got" are the two widths.
    """
    said = f"{stop.at} this `nn.MultiheadAttention` was made for inputs of width {match['wants']}"
    return f"{said}, and gets {match['got']}."


def causal_hint(stop, match):
    """Return an explanation, always a text, of an `nn.MultiheadAttention` that got `is_causal=True` without a mask.

    stop: the Stop. match: not used.
    """
    return (
        f"{stop.at} `is_causal=True` is only a hint here: hand over the mask too, `attn_mask`, a bool of shape "
        "(queries, keys) in which True hides."
    )


LEAF = r"leaf Variable that requires grad is being used in an in-place"
HOOKS = r"'\w+' object has no attribute '_(modules|parameters|buffers|\w*hooks\w*|compiled_call_impl)'"
ROWS = [
    (TypeError, r"cannot assign '[\w.]*Tensor' as parameter", parameter),
    (RuntimeError, LEAF, in_place),
    (RuntimeError, r"must match the size of tensor b|doesn't match the broadcast shape", copied),
    (RuntimeError, r"^Error\(s\) in loading state_dict.*(?P<names>Missing key|Unexpected key)", states),
    (RuntimeError, r"^Error\(s\) in loading state_dict(?P<names>)", states),
    (TypeError, r"Expected state_dict to be dict-like", no_states),
    (AttributeError, r"before Module.__init__\(\) call|" + HOOKS, no_super),
    (TypeError, r"__init__\(\) (takes 1 positional|got an unexpected)", full_super),
    (NotImplementedError, r'Module \[(?P<name>\w+)\] is missing the required "forward"', no_forward),
    (RuntimeError, r"does not require grad and does not have a grad_fn", no_gradient),
    (RuntimeError, r"backward through the graph a second time", second_time),
    (RuntimeError, r"modified by an inplace operation", changed_since),
    (RuntimeError, r"can be implicitly created only for scalar", many),
    (RuntimeError, r"Can't call numpy\(\) on Tensor that requires grad", to_numpy),
    (RuntimeError, r"Explicit attn_mask should not be set when is_causal", both_masks),
    (RuntimeError, r"must match the size|batch2 tensor|attn_mask dtype|same dtype", fused),
    (
        RuntimeError,
        r"(?P<axes>[23])D attn_mask is torch.Size\(\[(?P<got>.*?)\]\), but should be (?P<needed>\(.*?\))",
        attention_mask,
    ),
    (
        AssertionError,
        r"types of (?P<dtype>attn_mask|key_padding_mask) are|Expected key_padd|`key_padding_mask` to be",
        attention_mask,
    ),
    (RuntimeError, r"^For mask_type == \d mask shape", attention_mask),
    (AssertionError, r"expecting embedding dimension of (?P<wants>\d+), but got (?P<got>\d+)", embedding),
    (RuntimeError, r"Need attn_mask if specifying the is_causal", causal_hint),
]

"""Explanations for modules, parameters and gradients."""

import ast
import re

from torch import nn

from ..sentences import as_code
from .expressions import build
from .names import closest

KINDS = ("Missing", "Unexpected")


def parameter(stop):
    """Yield sentences on `self.x = tensor` where `self.x` holds a parameter; none for an assignment of another form."""
    target = stop.target()
    if not isinstance(target, ast.Attribute) or target is stop.node:
        return
    node, old, given = stop.node.value, stop.tensor(target), stop.tensor(stop.node.value)
    yield stop.sentence("{at} `{code}` is a parameter, and must stay one.", target)
    if given is None or old is None:
        yield stop.sentence("Under `with torch.no_grad():`, copy the numbers into it, with `{code}.copy_(…)`.", target)
    elif given.shape == old.shape:
        change = build("x.copy_(y)", target, node)
        yield stop.sentence("Under `with torch.no_grad():`, copy the numbers into it: `{code}`.", change)
    else:
        yield "Under `with torch.no_grad():`, copy the numbers into it."
        template = "It is {old}, and what comes is {given}."
        if _fits_turned(given, old):
            template = "It is {old}, and what comes is {given}: `{code}`."
        yield stop.sentence(template, build("x.copy_(y.T)", target, node), old=old, given=given)


def _fits_turned(given, old):
    """Return whether a tensor, `given`, is a table whose transpose has the shape of another tensor, `old`."""
    return given.dim() == 2 and given.mT.shape == old.shape


def in_place(stop):
    """Yield sentences on a change of a parameter in place while gradients are recorded; a `copy_` gets more."""
    yield stop.sentence("{at} it changes a parameter in place while gradients are recorded.")
    yield "Put it under `with torch.no_grad():`."
    yield from copied(stop, "{given} is to be copied into {old}.")


def copied(stop, template="{at} {given} is to be copied into {old}."):
    """Yield sentences on a `copy_` from a known tensor of another shape, else none. template: of the first sentence."""
    if stop.called() != "copy_":
        return
    node = stop.argument(1, "src")
    old, given = stop.tensor(stop.node.func.value), stop.tensor(node)
    if old is not None and given is not None and old.shape != given.shape:
        yield stop.sentence(template, given=given, old=old)
        if _fits_turned(given, old):
            yield stop.sentence("Turn it first: `{code}`.", build("x.T", node))


def state_names(stop):
    """Yield sentences on a `load_state_dict` with missing or unexpected names, which the error's message holds."""
    names = r" key\(s\) in state_dict: ((?:\"[^\"]+\",? ?)+)"
    wants, comes = (re.findall(r'"([^"]+)"', "".join(re.findall(kind + names, stop.message))) for kind in KINDS)
    template = "{at} the module waits for {wants}, what comes has {comes}."
    if not comes:
        template = "{at} the module waits for {wants}."
    elif not wants:
        template = "{at} what comes also has {comes}."
    yield stop.sentence(template, wants=_few(wants), comes=_few(comes))
    yield "The names of both must be the same."
    for given, name in [(given[0], name) for name in wants if (given := closest(name, comes))][:1]:
        yield stop.sentence("Is `{given}` its `{name}`?", given=given, name=name)


def _few(names):
    """Return a text with the first four names as code; it ends with "…" if there are more. names: a list of texts."""
    return as_code(names[:4]) + ", …" * (len(names) > 4)


def state_shapes(stop):
    """Yield sentences on a `load_state_dict` with a shape that differs, the first in the error's message; or none."""
    if sizes := re.search(r"size mismatch for ([\w.]+): .*?Size\((.*?)\).*?Size\((.*?)\)", stop.message):
        comes, wants = (tuple(int(size) for size in re.findall(r"\d+", text)) for text in sizes.group(2, 3))
        template = "{at} `{name}` is {wants} in the module, and what comes is {comes}."
        yield stop.sentence(template, name=sizes[1], wants=wants, comes=comes)
        if len(comes) == 2 and comes[::-1] == wants:
            yield "Turned, it fits: `.T`."


def no_states(stop):
    """Yield a sentence on a `load_state_dict` whose argument is a module, not a state dict; none for others."""
    node = stop.first(lambda value: isinstance(value, nn.Module), stop.arguments()[:1])
    if node is not None:
        yield stop.sentence("{at} it takes the parameters by their names: `{code}.state_dict()`.", node)


def full_super(stop):
    """Yield a sentence on arguments in a module's `super().__init__(…)`, if nn.Module.__init__ was running."""
    if any(frame.f_code is nn.Module.__init__.__code__ for frame in stop.below):
        yield stop.sentence(
            "{at} `nn.Module` takes no arguments: write `super().__init__()`, with nothing in the last brackets."
        )


def no_gradient(stop):
    """Yield sentences on a `backward` from a tensor that depends on nothing that requires gradients."""
    node = stop.node.func.value if stop.called() == "backward" else None
    template = "{at} `{code}` hangs on nothing that requires gradients."
    yield stop.sentence(template if node else "{at} this hangs on nothing that requires gradients.", node)
    yield "Was it made under `with torch.no_grad():`, with `detach` or `.item()`, or from numbers alone?"


def many(stop):
    """Yield a sentence on a `backward` from a tensor of more than one number."""
    tensor = stop.tensor(node := stop.node.func.value) if stop.called() == "backward" else None
    if tensor is None:
        yield stop.sentence("{at} `backward` starts from a single number: take the `.sum()` or `.mean()` first.")
    else:
        template = "{at} `backward` starts from a single number, and `{code}` is {tensor}: `{change}`."
        yield stop.sentence(template, node, tensor=tensor, change=build("x.mean().backward()", node))


def to_numpy(stop):
    """Yield a sentence on the conversion to NumPy of a tensor that requires gradients."""
    node = stop.node.func.value if stop.called() == "numpy" else None
    template = "{at} a tensor that carries gradients goes into NumPy, which cannot keep them: `.detach()` it first."
    if node:
        template = "{at} `{code}` carries gradients, which NumPy cannot keep: `{change}`."
    yield stop.sentence(template, node, change=node and build("x.detach().numpy()", node))


ROWS = [
    (TypeError, r"cannot assign '[\w.]*Tensor' as parameter", parameter),
    (RuntimeError, r"leaf Variable that requires grad is being used in an in-place", in_place),
    (RuntimeError, r"must match the size of tensor b|doesn't match the broadcast shape", copied),
    (RuntimeError, r"^Error\(s\) in loading state_dict.*(Missing key|Unexpected key)", state_names),
    (RuntimeError, r"^Error\(s\) in loading state_dict", state_shapes),
    (TypeError, r"Expected state_dict to be dict-like", no_states),
    (
        AttributeError,
        r"before Module.__init__\(\) call"
        r"|'\w+' object has no attribute '_(modules|parameters|buffers|\w*hooks\w*|compiled_call_impl)'",
        "`super().__init__()` is missing: it must be the first line of `__init__`, before anything is given to `self`.",
    ),
    (TypeError, r"__init__\(\) (takes 1 positional|got an unexpected)", full_super),
    (
        NotImplementedError,
        r'Module \[(?P<name>ModuleList|ModuleDict)\] is missing the required "forward"',
        "{at} a `{name}` only holds modules. Call each of them, in a loop: `[part(x) for part in …]`.",
    ),
    (RuntimeError, r"does not require grad and does not have a grad_fn", no_gradient),
    (
        RuntimeError,
        r"backward through the graph a second time",
        "{at} a graph is gone after one `backward`. Compute the loss anew before each step.",
    ),
    (
        RuntimeError,
        r"modified by an inplace operation",
        "{at} a tensor that the gradients need was changed in place after it was used. Look for `+=`, `x[...] =` or a "
        "method that ends in `_`, and make a new tensor instead.",
    ),
    (RuntimeError, r"can be implicitly created only for scalar", many),
    (RuntimeError, r"Can't call numpy\(\) on Tensor that requires grad", to_numpy),
]

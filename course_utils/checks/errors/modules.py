"""Explanations for modules, parameters and gradients."""

from torch import nn

from .expressions import build
from .stopped import StoppedCode


def no_gradient(stop: StoppedCode):
    """Yield two sentences for a learner who calls `backward` on a tensor that depends on nothing with gradients."""
    node = stop.node.func.value if stop.called() == "backward" else None
    template = "{at} `{code}` hangs on nothing that requires gradients."
    yield stop.sentence(template if node else "{at} this hangs on nothing that requires gradients.", node)
    yield "Was it made under `with torch.no_grad():`, with `detach` or `.item()`, or from numbers alone?"


def many(stop: StoppedCode):
    """Yield a sentence for a learner who calls `backward` on a tensor of more than one number."""
    tensor = stop.tensor(node := stop.node.func.value) if stop.called() == "backward" else None
    if tensor is None:
        yield stop.sentence("{at} `backward` starts from a single number: take the `.sum()` or `.mean()` first.")
    else:
        template = "{at} `backward` starts from a single number, and `{code}` is {tensor}: `{change}`."
        yield stop.sentence(template, node, tensor=tensor, change=build("x.mean().backward()", node))


def full_super(stop: StoppedCode):
    """Yield a sentence for a learner who passes arguments to a module's `super().__init__(…)`."""
    if any(frame.f_code is nn.Module.__init__.__code__ for frame in stop.below):
        yield stop.sentence(
            "{at} `nn.Module` takes no arguments: write `super().__init__()`, with nothing in the last brackets."
        )


ROWS = [
    (TypeError, r"__init__\(\) (takes 1 positional|got an unexpected)", full_super),
    (TypeError, r"cannot assign '[\w.]*Tensor' as parameter '(?P<name>\w+)'",
     "{at} `{name}` is a parameter, and must stay one. Under `with torch.no_grad():`, copy the numbers into it: "
     "`.copy_(…)`."),
    (RuntimeError, r"^Error\(s\) in loading state_dict[\s\S]*Missing key\(s\)[^\"]*\"(?P<name>[\w.]+)\"",
     "{at} the names of the two differ. The module waits for `{name}`, and what comes has nothing of that name."),
    (RuntimeError, r"leaf Variable that requires grad is being used in an in-place",
     "{at} it changes a parameter in place while gradients are recorded. Put it under `with torch.no_grad():`."),
    (AttributeError, r"before Module.__init__\(\) call"
     r"|'\w+' object has no attribute '_(modules|parameters|buffers|\w*hooks\w*|compiled_call_impl)'",
     "`super().__init__()` is missing: it must be the first line of `__init__`, before anything is given to `self`."),
    (NotImplementedError, r'Module \[(?P<name>ModuleList|ModuleDict)\] is missing the required "forward"',
     "{at} a `{name}` only holds modules. Call each of them, in a loop: `[part(x) for part in …]`."),
    (RuntimeError, r"does not require grad and does not have a grad_fn", no_gradient),
    (RuntimeError, r"backward through the graph a second time",
     "{at} a graph is gone after one `backward`. Compute the loss anew before each step."),
    (RuntimeError, r"modified by an inplace operation",
     "{at} a tensor that the gradients need was changed in place after it was used. Look for `+=`, `x[...] =` or a "
     "method that ends in `_`, and make a new tensor instead."),
    (RuntimeError, r"can be implicitly created only for scalar", many),
]  # fmt: skip

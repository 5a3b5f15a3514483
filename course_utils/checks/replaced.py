"""Put back functions of PyTorch that a learner's code has replaced by others."""

import contextlib
import operator
import types

import torch
from torch import nn

# The names of the methods that operators such as `@` call. The three that are left out belong to torch's own machinery.
OPERATORS = {name for name in dir(torch.Tensor) if name.startswith("__")} - set(dir(object))
OPERATORS -= {"__torch_function__", "__torch_dispatch__", "__weakref__"}
# All names with underscores that count: those that `object` has, too, are named one by one.
COUNTED = OPERATORS | {"__init__", "__call__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"}
# These follow torch's settings: which class `torch.Storage` is depends on the default dtype.
FOLLOW_SETTINGS = {"Storage"}
# The package that wraps functions of torch when it is first used, as by `torch.compile` and by an optimizer.
COMPILER = "torch._dynamo"


def _counts(name: str, value) -> bool:
    """Return whether an attribute of a class or module is to be put back if it was replaced.

    It is if it is a property or can be called, and has a public name, is an operator, or is __init__ or __call__.
    """
    if name in FOLLOW_SETTINGS or not (callable(value) or isinstance(value, property)):
        return False
    return not name.startswith("_") or name in COUNTED


USED = {"torch": torch, "nn": nn, "F": nn.functional, "torch.Tensor": torch.Tensor}
USED |= {f"nn.{name}": getattr(nn, name) for name in ("Module", "Linear", "Dropout", "Softmax", "ModuleList")}
TORCH = [  # (module or class that learners use, its name, its parts), read before any code of the learner's is run
    (owner, name, {key: part for key, part in vars(owner).items() if _counts(key, part)})
    for name, owner in USED.items()
]
LAST_SEEN = {}  # name -> all values that the module or class held when it was last put back


def put_back() -> list[str]:
    """Undo every replacement of a PyTorch function by other code; return their names, such as ["F.softmax"]."""
    replaced = []
    for owner, name, parts in TORCH:
        now, then = vars(owner), LAST_SEEN.get(name, ())
        if len(now) == len(then) and all(map(operator.is_, now.values(), then)):
            continue  # this comparison of all values is much faster than a check of each attribute
        parts |= {key: now[key] for key, part in parts.items() if key in now and _is_torchs_own(now[key], part)}
        different = [key for key, part in parts.items() if now.get(key) is not part]
        bases = owner.__mro__[1:] if isinstance(owner, type) else ()
        hiding = [key for key in now.keys() - parts.keys() if any(_counts(key, vars(base).get(key)) for base in bases)]
        for key in different:
            setattr(owner, key, parts[key])
        for key in hiding:
            delattr(owner, key)
        replaced += [f"{name}.{key}" for key in different + hiding]
        LAST_SEEN[name] = list(vars(owner).values())
    return replaced


def _is_torchs_own(value, part) -> bool:
    """Return whether torch itself has put a value in the place of `part`, a function or class of its own.

    Whose a function is, its globals say: a name and a module can be taken over, as `functools.wraps` does.
    """
    if type(value) is not types.FunctionType:
        return False
    module = f"{value.__globals__.get('__name__')}."
    return module.startswith(f"{COMPILER}.") or module.startswith("torch.") and vars(value).get("__wrapped__") is part


@contextlib.contextmanager
def torch_as_it_was():
    """Return a context manager that puts PyTorch's functions back at the start and the end of a `with` block.

    `as` gets the list of the names of those that had been replaced before.
    """
    try:
        yield put_back()
    finally:
        put_back()

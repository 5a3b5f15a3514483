"""Put back functions of PyTorch that a learner's code has replaced by others."""

import itertools
import operator
import types

import torch
from torch import nn

USED = {"torch": torch, "nn": nn, "F": nn.functional, "torch.Tensor": torch.Tensor}
USED |= {f"nn.{name}": getattr(nn, name) for name in ("Module", "Linear", "Dropout", "Softmax", "ModuleList")}


def _parts(owner) -> dict:
    """Return a dict from name to value of what a module has, or a class with its bases."""
    parts = {}
    for base in reversed(getattr(owner, "__mro__", [owner])):
        parts.update(vars(base))
    return parts


def _counts(name: str, part) -> bool:
    is_public = not name.startswith("_") or name.startswith("__")
    # which class `torch.Storage` is depends on the default dtype
    return is_public and (callable(part) or isinstance(part, property)) and name != "Storage"


# name of a module or class -> its parts, read before any code of the learner's is run
TORCH = {name: {key: part for key, part in _parts(owner).items() if _counts(key, part)} for name, owner in USED.items()}
SPACES = list(dict.fromkeys(space for owner in USED.values() for space in getattr(owner, "__mro__", [owner])))


def _values() -> list:
    return list(itertools.chain.from_iterable(vars(space).values() for space in SPACES))


IN_ORDER = _values()  # what SPACES held when nothing was replaced in them, so that this is seen at a glance


def put_back() -> list[str]:
    """Undo every replacement of a PyTorch function by other code; return their names, such as ["F.softmax"]."""
    replaced, now = [], _values()
    if len(now) == len(IN_ORDER) and all(map(operator.is_, now, IN_ORDER)):
        return replaced
    for name, parts in TORCH.items():
        now = _parts(USED[name])
        for key in [key for key, part in parts.items() if now.get(key) is not part and not _is_torchs(now.get(key))]:
            setattr(USED[name], key, parts[key])
            replaced.append(f"{name}.{key}")
    IN_ORDER[:] = _values()
    return replaced


def _is_torchs(value) -> bool:
    """Return whether a value is a function of a private module of torch, such as torch.compile puts in place.

    The module is read from its globals: a name can be taken over, as `functools.wraps` does.
    """
    return type(value) is types.FunctionType and str(value.__globals__.get("__name__")).startswith("torch._")

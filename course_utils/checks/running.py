"""Run a learner's code safely: under a time limit, with its output captured, and with torch's settings restored."""

import contextlib
import operator
import random
import warnings
from dataclasses import asdict, dataclass, field

import numpy as np
import torch
from torch import nn

from . import limits

MOST_PRINTED = 300  # characters that are kept of what an answer prints
SEED = 20240229  # unlikely to be the learner's, so that a call of manual_seed in the answer is noticed


class Printed:
    """An output stream that keeps the beginning of what is written, and counts its characters."""

    def __init__(self):
        self.start, self.length = "", 0

    def write(self, text: str) -> int:
        """Count the characters of a text, keep as many as still fit into MOST_PRINTED, and return its length."""
        self.start += text[: max(0, MOST_PRINTED - len(self.start))]
        self.length += len(text)
        return len(text)

    def flush(self) -> None:
        """Do nothing, since no text is buffered."""


@dataclass
class LimitedRun:
    """A record of a run: the function's result, or None if its time was up, and its side effects."""

    result: object = None
    timed_out: type[limits.TimeUp] | None = None  # which of the two limits was reached
    printed: Printed = field(default_factory=Printed)
    changed_settings: list = field(default_factory=list)  # names of changed settings and replaced functions of torch


def run_limited(function) -> LimitedRun:
    """Call a function without arguments under a time limit, and return the result with its side effects.

    It starts from a fixed seed, quietly; torch's settings and functions are restored afterwards. If the time is up, the
    record has it as `timed_out`, and nothing is raised; any other error of the function propagates.
    """
    run, before = LimitedRun(), {name: get() for name, (get, _) in SETTINGS.items()}
    torch.default_generator.manual_seed(SEED)  # torch.manual_seed would also look for GPUs, which takes a while
    try:
        with quiet(run.printed):
            run.result = limits.run(function, limits.SECONDS, limits.WALL_SECONDS)
    except limits.TimeUp as error:
        run.timed_out = type(error)
    finally:
        changed = {name for name, (get, _) in SETTINGS.items() if "random" in name or get() != before[name]}
        run.changed_settings = [name for name in SETTINGS if name in changed and "random" not in name]
        run.changed_settings += ["the seed of torch's random numbers"] if torch.initial_seed() != SEED else []
        run.changed_settings += restore_torch()
        for name in changed:  # not all: setting torch's default device slows torch down, even if it stays the same
            SETTINGS[name][1](before[name])
    return run


@contextlib.contextmanager
def quiet(printed: Printed):
    """Return a context manager in which stdout and stderr go to `printed`, and warnings are ignored."""
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _counts(name: str, value) -> bool:
    """Return whether an attribute of a class or module is to be restored if it was replaced.

    It is if it is a property or can be called, and has a public name, or is __init__.
    """
    return (callable(value) or isinstance(value, property)) and (not name.startswith("_") or name == "__init__")


USED = {"torch": torch, "nn": nn, "F": nn.functional, "torch.Tensor": torch.Tensor}
USED |= {f"nn.{name}": getattr(nn, name) for name in ("Module", "Linear", "Dropout", "Softmax", "ModuleList")}
TORCH = [  # (module or class that learners use, its name, its parts), read before any code of the learner's is run
    (owner, name, {key: part for key, part in vars(owner).items() if _counts(key, part)})
    for name, owner in USED.items()
]
LAST_SEEN = {}  # name -> all values that the module or class held when it was last restored


def restore_torch() -> list[str]:
    """Undo every replacement of a PyTorch function by other code; return their names, such as ["F.softmax"]."""
    replaced = []
    for owner, name, parts in TORCH:
        now, then = vars(owner), LAST_SEEN.get(name, ())
        if len(now) == len(then) and all(map(operator.is_, now.values(), then)):
            continue  # this comparison of all values is much faster than a check of each attribute
        different = [key for key, part in parts.items() if not _is_or_wraps(now.get(key), part)]
        bases = owner.__mro__[1:] if isinstance(owner, type) else ()
        hiding = [key for key in now.keys() - parts.keys() if any(_counts(key, vars(base).get(key)) for base in bases)]
        for key in different:
            setattr(owner, key, parts[key])
        for key in hiding:
            delattr(owner, key)
        replaced += [f"{name}.{key}" for key in different + hiding]
        LAST_SEEN[name] = list(vars(owner).values())
    return replaced


def _is_or_wraps(value, part) -> bool:
    """Return whether a value is `part`, a function or class of torch, or wraps it, as torch itself does with some."""
    return value is part or getattr(value, "__wrapped__", None) is part


@contextlib.contextmanager
def torch_as_it_was():
    """Return a context manager that restores PyTorch's functions at the start and the end of a `with` block.

    `as` gets the list of the names of those that had been replaced before.
    """
    try:
        yield restore_torch()
    finally:
        restore_torch()


SETTINGS = {  # name -> (function that reads the setting, function that sets it)
    "torch's random numbers": (torch.get_rng_state, torch.set_rng_state),
    "Python's random numbers": (random.getstate, random.setstate),
    "NumPy's random numbers": (np.random.get_state, np.random.set_state),
    "torch's default dtype": (torch.get_default_dtype, torch.set_default_dtype),
    "torch's default device": (torch.get_default_device, torch.set_default_device),
    "whether torch keeps gradients": (torch.is_grad_enabled, torch.set_grad_enabled),
    "torch's number of threads": (torch.get_num_threads, torch.set_num_threads),
    "how torch prints": (  # torch has a public function to set this, but none to read it
        lambda: asdict(torch._tensor_str.PRINT_OPTS),
        lambda options: torch.set_printoptions(**options),
    ),
}

"""Run a learner's code without harm: stopped in time, its prints kept short, torch's settings put back."""

import contextlib
import operator
import random
import warnings
from dataclasses import asdict, dataclass, field

import numpy as np
import torch
from torch import nn

from . import limits

SHOWN = 300  # characters of what an answer prints
SEED = 20240229  # unlikely to be the learner's, so that a manual_seed inside the answer shows


class Printed:
    """Takes what is printed, counts it, and keeps the beginning."""

    def __init__(self):
        self.start, self.length = "", 0

    def write(self, text):
        self.start += text[: max(0, SHOWN - len(self.start))]
        self.length += len(text)
        return len(text)

    def flush(self):
        """Nothing waits to be written."""


@dataclass
class Watched:
    """What came of a run: its result, or None when the time was up, and what it did besides."""

    result: object = None
    timed_out: type[limits.TimeUp] | None = None  # which of the two limits was reached
    printed: Printed = field(default_factory=Printed)
    changed_settings: list = field(default_factory=list)  # in words


def watched(function):
    """Run `function` under a time limit, and leave random numbers and torch's settings as they were."""
    run, before = Watched(), {name: get() for name, (get, _) in SETTINGS.items()}
    torch.default_generator.manual_seed(SEED)  # torch.manual_seed asks for graphics cards, which takes a while
    try:
        with quiet(run.printed):
            run.result = limits.limited(function, limits.SECONDS, limits.WALL_SECONDS)
    except limits.TimeUp as error:
        run.timed_out = type(error)
    finally:
        run.changed_settings = _changed(before) + put_torch_back()
        for name, (get, put_back) in SETTINGS.items():
            if "random" in name or get() != before[name]:  # to set torch's device, even to what it is, slows torch down
                put_back(before[name])
    return run


@contextlib.contextmanager
def quiet(printed):
    """Take what is printed, and let nothing warn."""
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _changed(before):
    """Returns, in words, which settings of torch were changed; merely drawing random numbers changes none."""
    found = [name for name, (get, _) in SETTINGS.items() if "random" not in name and get() != before[name]]
    return found + (["the seed of torch's random numbers"] if torch.initial_seed() != SEED else [])


def _print_options():
    return asdict(torch._tensor_str.PRINT_OPTS)  # torch has a way to set them, and none to read them


def _functions():
    """What PyTorch is made of, as far as learners use it, as (what, its name, its parts)."""
    parts = [(torch, "torch"), (nn, "nn"), (torch.nn.functional, "F"), (torch.Tensor, "torch.Tensor")]
    parts += [(getattr(nn, name), f"nn.{name}") for name in ("Module", "Linear", "Dropout", "Softmax", "ModuleList")]
    return [(what, name, {key: one for key, one in vars(what).items() if _counts(key, one)}) for what, name in parts]


def _counts(name, value):
    return (callable(value) or isinstance(value, property)) and (not name.startswith("_") or name == "__init__")


TORCH = _functions()  # before a learner's code has run
LAST_SEEN = {}  # name -> all that the module or class held when it was last put right


def put_torch_back():
    """Undo what replaced a function of PyTorch; returns the names of those."""
    found = []
    for what, name, parts in TORCH:
        if _is_as_last_seen(what, name):
            continue
        for key, one in parts.items():
            now = vars(what).get(key)
            if now is not one and getattr(now, "__wrapped__", None) is not one:  # torch wraps some of its own, late
                setattr(what, key, one)
                found.append(f"{name}.{key}")
        for key in _hiding(what, parts):
            delattr(what, key)
            found.append(f"{name}.{key}")
        LAST_SEEN[name] = list(vars(what).values())
    return found


def _is_as_last_seen(what, name):
    """Whether nothing was put in the place of anything: one look, where to ask of each of the parts takes a while."""
    now, then = vars(what), LAST_SEEN.get(name, ())
    return len(now) == len(then) and all(map(operator.is_, now.values(), then))


def _hiding(what, parts):
    """What was added to a class, and hides a thing of the class it is made from."""
    bases = what.__mro__[1:] if isinstance(what, type) else ()
    return [key for key in vars(what).keys() - parts.keys() if any(_counts(key, vars(one).get(key)) for one in bases)]


@contextlib.contextmanager
def torch_as_it_was():
    """PyTorch's own functions, whatever the notebook has put in their place; yields the names of those replaced."""
    yield put_torch_back()
    put_torch_back()


SETTINGS = {  # name -> (read, put back)
    "torch's random numbers": (torch.get_rng_state, torch.set_rng_state),
    "Python's random numbers": (random.getstate, random.setstate),
    "NumPy's random numbers": (np.random.get_state, np.random.set_state),
    "torch's default dtype": (torch.get_default_dtype, torch.set_default_dtype),
    "torch's default device": (torch.get_default_device, torch.set_default_device),
    "whether torch keeps gradients": (torch.is_grad_enabled, torch.set_grad_enabled),
    "torch's number of threads": (torch.get_num_threads, torch.set_num_threads),
    "how torch prints": (_print_options, lambda options: torch.set_printoptions(**options)),
}

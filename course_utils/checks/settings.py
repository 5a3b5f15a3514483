"""The settings of torch under which a check runs, whatever the notebook has set."""

import contextlib
import random
import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch

CPU = torch.device("cpu")
# A module that torch loads when something is first compiled, which takes a second: so it is not loaded here.
COMPILED_SOMETHING = "torch._dynamo.eval_frame"


class Setting(NamedTuple):
    """A setting that code can change for all code after it.

    name: in words, for a message. read, write: the functions that get it and set it. own: its value in a check.
    """

    name: str
    read: Callable
    write: Callable
    own: object


SETTINGS = (
    Setting("torch's default dtype", torch.get_default_dtype, torch.set_default_dtype, torch.float32),
    Setting("torch's default device", torch.get_default_device, torch.set_default_device, CPU),
    Setting("whether torch keeps gradients", torch.is_grad_enabled, torch.set_grad_enabled, True),
    Setting(
        "whether torch computes in a lower precision (autocast)",
        lambda: torch.is_autocast_enabled("cpu"),
        lambda enabled: torch.set_autocast_enabled("cpu", enabled),
        False,
    ),
    Setting(
        "whether torch uses deterministic algorithms",
        torch.get_deterministic_debug_mode,
        torch.set_deterministic_debug_mode,
        0,
    ),
    Setting(
        "whether torch looks for nan in gradients",
        lambda: (torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()),
        lambda modes: torch.autograd.set_detect_anomaly(*modes),
        (False, True),
    ),
    Setting(
        "the precision of torch's matrix products",
        torch.get_float32_matmul_precision,
        torch.set_float32_matmul_precision,
        "highest",
    ),
    # on several threads it depends on their speed which wrong index PyTorch names first
    Setting("torch's number of threads", torch.get_num_threads, torch.set_num_threads, 1),
)
PRINTING = "how torch prints"
RANDOM = (  # (function that reads the state of random numbers, function that sets it)
    (torch.get_rng_state, torch.set_rng_state),
    (random.getstate, random.setstate),
    (np.random.get_state, np.random.set_state),
)


@contextlib.contextmanager
def own(draws=True):
    """Return a context manager that gives each setting its value for a check, and the notebook's afterwards.

    `as` gets a list, to which the names of the settings that the block itself has changed are added at its end. Random
    numbers go on after the block as if it had drawn none. draws: False for a block inside of such a one, which sees to
    this for both, and takes half the time then.
    """
    random_numbers = RANDOM if draws else ()
    changed, states = [], [read() for read, _ in random_numbers]
    with contextlib.ExitStack() as modes:
        # The notebook may be in a block of one of these modes, which only another block interrupts. To compile what
        # `torch.compile` was called on takes longer than a check may; it runs as it was written instead.
        if torch.is_inference_mode_enabled():
            modes.enter_context(torch.inference_mode(False))
        if torch.get_default_device() != CPU:
            modes.enter_context(CPU)
        if COMPILED_SOMETHING in sys.modules:
            modes.enter_context(torch.compiler.set_stance("force_eager"))
        before, printing = [setting.read() for setting in SETTINGS], _printing()
        try:
            for setting, value in zip(SETTINGS, before, strict=True):
                # Nothing is set without need: a default device slows torch down, even if it is the one that torch has.
                if value != setting.own:
                    setting.write(setting.own)
            yield changed
        finally:
            after = [setting.read() for setting in SETTINGS]
            changed += [setting.name for setting, value in zip(SETTINGS, after, strict=True) if value != setting.own]
            changed += [PRINTING] if _printing() != printing else []
            for (_, write), state in zip(random_numbers, states, strict=True):
                write(state)
            for setting, value, last in zip(SETTINGS, before, after, strict=True):
                if last != value:
                    setting.write(value)
            if PRINTING in changed:
                torch.set_printoptions(**printing)


def _printing() -> dict:
    """Return torch's options for printing: it has a public function to set them, but none to read them."""
    return dict(vars(torch._tensor_str.PRINT_OPTS))

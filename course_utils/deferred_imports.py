"""Defer importing torch._dynamo and torch.distributed.tensor, together 70 MiB, until something uses them.

torch._dynamo traces programs for `torch.compile`. An optimizer imports it only to exclude its own methods from tracing,
which has no effect as long as nothing is compiled. `torch.testing.assert_close` imports torch.distributed.tensor only
to find out whether it was given a tensor that is distributed over several machines.
"""

import ctypes
import importlib
import sys
from types import ModuleType

import torch

NAME = "torch._dynamo"


def start(shell=None):
    """Defer importing torch._dynamo and torch.distributed.tensor in this process until something uses them.

    shell: the InteractiveShell of IPython, which from now on returns freed memory to the system after each cell (about
    12 MiB in 1 ms); or None, to defer the imports alone. What is already imported stays. A second call does nothing.
    """
    if NAME not in sys.modules:
        sys.modules[NAME] = torch._dynamo = Later(NAME)
    if "torch.distributed.tensor" not in sys.modules:
        torch.testing._comparison._HAS_DTENSOR = False  # assert_close then knows no distributed tensors
    if shell is not None:
        shell.events.register("post_run_cell", _give_back)  # a second call does not register it again


def _give_back(result) -> None:
    """Give memory that this process has freed back to the operating system; without glibc, do nothing."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (OSError, TypeError, AttributeError):  # not Linux, or a C library other than glibc
        pass


class Later(ModuleType):
    """A stand-in for torch._dynamo, replaced by the real module once it must do more than exclude functions."""

    def __init__(self, name):
        super().__init__(name)
        self._kept_out_of = []

    def disable(self, function=None, recursive=True, **options):
        """Return `function` itself, and remember it, if wrapping=False is the only one of `options`.

        PyTorch makes such calls for its own methods, and stores the result in an attribute of them. For any other
        call, also without a function, return what the real torch._dynamo.disable returns.
        """
        if function is None or options != {"wrapping": False}:
            return self._real().disable(function, recursive, **options)
        self._kept_out_of.append(function)
        return function

    def graph_break(self, msg=""):
        """Do nothing, and ignore msg: the real function ends a traced graph, and nothing is traced."""

    def __getattr__(self, name):
        """Return an attribute of the real torch._dynamo. Errors: AttributeError for "__…" names but __path__."""
        if name.startswith("__") and name != "__path__":  # tools ask every module in sys.modules for such attributes
            raise AttributeError(name)
        return getattr(self._real(), name)

    def _real(self):
        """Return the real torch._dynamo module; the first call imports it in place of this object in sys.modules."""
        if sys.modules.get(NAME) is self:
            del sys.modules[NAME]
            for function in self._kept_out_of:  # PyTorch calls the real `disable` for each at its next call
                vars(function).pop("__dynamo_disable", None)
        return importlib.import_module(NAME)

"""What PyTorch loads to compile programs and for many machines at once, 70 MiB, is loaded when it is asked for.

An optimizer tells torch._dynamo, which reads programs for `torch.compile`, to keep out of its own methods, and loads it
to tell it so. As long as nobody compiles, there is nothing to keep out of. `torch.testing.assert_close` looks whether
it was given a tensor that lies on several machines, and loads all that could make one.
"""

import ctypes
import importlib
import sys
from types import ModuleType

import torch

NAME = "torch._dynamo"


def start(shell=None):
    """Let torch._dynamo and tensors on several machines wait until they are asked for; nothing else changes.

    shell: IPython's. After each of its cells, memory that was used and is free goes back to the system: 1 ms, 12 MiB.
    """
    if NAME not in sys.modules:
        sys.modules[NAME] = torch._dynamo = Later(NAME)
    if "torch.distributed.tensor" not in sys.modules:
        torch.testing._comparison._HAS_DTENSOR = False  # whoever loads them by hand has no need of the comparison
    if shell is not None:
        shell.events.register("post_run_cell", _give_back)  # the second time, it is there already


def _give_back(result):
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (OSError, TypeError, AttributeError):  # another system than Linux, or another library of C
        pass


class Later(ModuleType):
    """Stands in for torch._dynamo; asked for anything but to keep out, it gives way to the real one."""

    def __init__(self, name):
        super().__init__(name)
        self._kept_out_of = []

    def disable(self, function=None, recursive=True, **options):
        """As PyTorch's own methods ask for it: returns the function, which PyTorch notes in an attribute of it."""
        if function is None or options != {"wrapping": False}:
            return self._real().disable(function, recursive, **options)
        self._kept_out_of.append(function)
        return function

    def graph_break(self, msg=""):
        """Says where the reading of a program is to end; none is read."""

    def __getattr__(self, name):
        if name.startswith("__") and name != "__path__":  # what is asked of every module, by whoever looks at them all
            raise AttributeError(name)
        return getattr(self._real(), name)

    def _real(self):
        if sys.modules.get(NAME) is self:
            del sys.modules[NAME]
            for function in self._kept_out_of:  # it is told anew, of each when it is called
                vars(function).pop("__dynamo_disable", None)
        return importlib.import_module(NAME)

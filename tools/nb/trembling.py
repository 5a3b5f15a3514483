"""Disturb torch's results by a few parts in ten million, as another processor or another release of torch does.

How far a number moves depends only on the number and a seed, so the same call gives the same result twice. What every
machine computes exactly stays as it is: sums of small whole numbers, halves, a softmax of equal scores.
"""

import torch
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes

SIZE = 3e-7  # the largest relative change; float32 rounds by 6e-8, and errors add up in sums
STEP = 1 / 4096  # its multiples are short in binary, so their sums are exact in any order

# Operations whose results differ between processors: sums, whose order is free, and functions, which are approximated.
# Named as in torch's dispatcher, without the underscore at the end of in-place operations.
SUMS = (
    "addbmm addmm addmv baddbmm bmm cumsum dot linalg_vector_norm logsumexp mean mm mv native_layer_norm std sum var "
    "_native_multi_head_attention _scaled_dot_product_flash_attention_for_cpu"
)
FUNCTIONS = "cos div erf exp gelu log pow rsqrt sigmoid sin special_entr sqrt tanh _log_softmax _softmax"
DISTURBED = {*SUMS.split(), *FUNCTIONS.split()}


class Trembling(TorchDispatchMode):
    """A torch dispatch mode that disturbs the float32 results of the operations in DISTURBED, in its thread."""

    def __init__(self, seed):
        super().__init__()
        self.seed = seed

    def __enter__(self):
        torch.Tensor.__new__ = _new
        return super().__enter__()

    def __exit__(self, *error):
        del torch.Tensor.__new__
        return super().__exit__(*error)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        """Run an operation and return its result, with its float32 tensors disturbed if it may round."""
        if func.overloadpacket.__name__.rstrip("_") not in DISTURBED:
            return func(*args, **(kwargs or {}))
        from_short = all(_is_short(tensor).all() for tensor in _floats(args))  # before a call that may overwrite args
        result = func(*args, **(kwargs or {}))
        for tensor in _floats([result]):
            exact = _is_short(tensor) if from_short else (tensor == 0) | ~tensor.isfinite()
            tensor.copy_(torch.where(exact, tensor, self._disturbed(tensor)))
        return result

    def _disturbed(self, tensor: torch.Tensor) -> torch.Tensor:
        """Return a copy of a float32 tensor with each number changed by up to SIZE, relative to itself."""
        bits = tensor.contiguous().view(torch.int32).to(torch.int64)
        mixed = (bits ^ (self.seed * 2654435769 % 2**31)) * 2654435761  # hash: similar numbers move differently
        return (tensor.double() * (1 + SIZE * ((mixed >> 7) % 65536 / 32768 - 1))).float()


def _new(*args, **kwargs):  # any arguments, since torch's compiler compares signatures
    """Return a new tensor of the class args[0], in place of torch.Tensor.__new__ while a Trembling is active.

    One of a subclass is made outside of all dispatch modes, since torch refuses it inside.
    """
    if args[0] is torch.Tensor:
        return torch._C.TensorBase.__new__(*args, **kwargs)
    with _disable_current_modes():
        return torch._C.TensorBase.__new__(*args, **kwargs)


def _floats(values):
    """Yield a detached view, on the same memory, of each float32 tensor among values, also in lists and tuples."""
    for value in values:
        if isinstance(value, list | tuple):
            yield from _floats(value)
        elif torch.is_tensor(value) and value.dtype == torch.float32:
            yield value.detach()


def _is_short(tensor: torch.Tensor) -> torch.Tensor:
    """Return a bool tensor of the same shape: whether each number is a multiple of STEP, infinite or nan."""
    return (tensor / STEP == (tensor / STEP).round()) | ~tensor.isfinite()

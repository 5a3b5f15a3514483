"""Disturb what torch computes by a few parts in ten million, as another processor or another release of torch does.

How much a number is moved follows from the number and a seed alone, so the same call gives the same result twice.
What every machine computes exactly stays as it is: sums of small whole numbers, halves, a softmax of equal scores.
"""

import torch
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes

SIZE = 3e-7  # the largest relative change; float32 rounds by 6e-8, and sums add that up
STEP = 1 / 4096  # multiples of it are short in binary: their sums are exact in any order

# Where processors differ: sums, whose order is free, and functions, which are approximated. As in torch's dispatcher,
# without the underscore with which the names of operations in place end.
SUMS = (
    "addbmm addmm addmv baddbmm bmm cumsum dot linalg_vector_norm logsumexp mean mm mv native_layer_norm std sum var "
    "_native_multi_head_attention _scaled_dot_product_flash_attention_for_cpu"
)
FUNCTIONS = "cos div erf exp gelu log pow rsqrt sigmoid sin special_entr sqrt tanh _log_softmax _softmax"
DISTURBED = {*SUMS.split(), *FUNCTIONS.split()}


def start(seed):
    """Disturb all that this thread computes from here on."""
    Trembling(seed).__enter__()


class Trembling(TorchDispatchMode):
    """While it is entered, results of DISTURBED operations in float32 are moved; seed: a whole number."""

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
        if func.overloadpacket.__name__.rstrip("_") not in DISTURBED:
            return func(*args, **(kwargs or {}))
        from_short = all(bool(_is_short(one).all()) for one in _floats(args))  # before the call, which may be in place
        result = func(*args, **(kwargs or {}))
        for one in _floats([result]):
            exact = _is_short(one) if from_short else (one == 0) | ~one.isfinite()
            one.copy_(torch.where(exact, one, self._moved(one)))
        return result

    def _moved(self, one):
        bits = one.contiguous().view(torch.int32).to(torch.int64)
        mixed = (bits ^ (self.seed * 2654435769 % 2**31)) * 2654435761  # so that neighbours move by unlike amounts
        return (one.double() * (1 + SIZE * ((mixed >> 7) % 65536 / 32768 - 1))).float()


def _new(*args, **kwargs):  # takes anything: torch's compiler compares this signature with its own
    """Make a tensor; one of a subclass, such as CausalBias, without the mode, under which torch refuses to make it."""
    if args[0] is torch.Tensor:
        return torch._C.TensorBase.__new__(*args, **kwargs)
    with _disable_current_modes():
        return torch._C.TensorBase.__new__(*args, **kwargs)


def _floats(values):
    """The tensors in float32 among the values and in lists of them."""
    for value in values:
        if isinstance(value, list | tuple):
            yield from _floats(value)
        elif torch.is_tensor(value) and value.dtype == torch.float32:
            yield value.detach()


def _is_short(one):
    return (one / STEP == (one / STEP).round()) | ~one.isfinite()

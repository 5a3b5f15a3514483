"""A guard around `F.scaled_dot_product_attention`, which checks too little on a CPU, and a counter of calls."""

import torch.nn.functional as F
from torch.overrides import TorchFunctionMode

from course_utils.checks import outcome


class AsManyKeysAsValues(TorchFunctionMode):
    """A torch function mode that refuses calls of PyTorch's attention with more keys than values, or fewer.

    The function is `F.scaled_dot_product_attention`, which takes them without an error, and reads memory behind the
    shorter of the two. Errors: Refused.
    """

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func is F.scaled_dot_product_attention:
            tensors = dict(zip(("query", "key", "value"), args, strict=False)) | (kwargs or {})
            num_keys, num_values = (tensors[name].shape[-2] for name in ("key", "value"))
            if num_keys != num_values:
                template = (
                    "`F.scaled_dot_product_attention` got {keys} keys and {values} values: only one of the two was "
                    "joined with the cache. Join both, and keep both."
                )
                raise outcome.Refused(template, keys=num_keys, values=num_values)
        return func(*args, **(kwargs or {}))


class Calls(TorchFunctionMode):
    """A torch function mode that counts, in `count`, how often one function of PyTorch, `function`, is called."""

    def __init__(self, function):
        super().__init__()
        self.function, self.count = function, 0

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.count += func is self.function
        return func(*args, **(kwargs or {}))

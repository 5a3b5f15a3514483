"""Random numbers for the inputs of a check."""

import torch


class Draw:
    """A source of random tensors that are the same on every run, whatever seed the learner sets."""

    def __init__(self, seed=7):
        self._generator = torch.Generator().manual_seed(seed)

    def __call__(self, *shape, dtype=torch.float32):
        """Return a random tensor with standard normal numbers. shape: its sizes, one argument for each axis.

        They suit a softmax: much smaller numbers would give nearly equal weights, much larger ones only zeros and ones.
        """
        return torch.randn(shape, generator=self._generator, dtype=torch.float64).to(dtype)

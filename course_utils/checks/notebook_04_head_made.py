"""Wrong answers to the causal head in what the class makes and keeps: its layers, its mask, its refusals."""

from torch import nn

from .. import attention
from . import notebook_04_head as right  # the module: an exercise named here would be counted twice
from .modules import MISSING
from .notebook_04_head_forward import attend

mistake = right.causal_attention.mistake


@mistake("heads-in-list", "Your layers lie in a Python list.")
class Listed(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.layers = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length))

    def forward(self, x):
        return attend(self, *(layer(x) for layer in self.layers))


@mistake("names", MISSING.format("`self.W_query`, `self.W_key`, `self.W_value`"))
class Renamed(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length))

    def forward(self, x):
        return attend(self, self.query(x), self.key(x), self.value(x))


@mistake("error-kind", "An `assert` raises an `AssertionError`, and can be switched off. Raise a `ValueError` instead.")
class Asserting(right.head()):
    def forward(self, x):
        assert x.shape[-2] <= len(self.mask), f"{x.shape[-2]} tokens are too many."
        return super().forward(x)


@mistake(
    "no-length-check",
    "A text longer than `context_length` gets no `ValueError`: your mask is cut to fit, or its size comes from the "
    "text. Compare `x.shape[-2]` with `context_length`, and `raise`.",
)
class AnyLength(right.head()):
    def forward(self, x):
        self.mask = attention.causal_mask(x.shape[-2])
        return super().forward(x)


@mistake("widths-swapped", "The widths have changed places: `nn.Linear(d_in, d_out)`, what comes in first.")
class Turned(right.head()):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__(d_out, d_in, context_length, dropout)


@mistake("extra-bias", "Your layers add a bias.")
class Biased(right.head()):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__(d_in, d_out, context_length, dropout)
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out) for _ in range(3))
        for layer in (self.W_query, self.W_key, self.W_value):
            nn.init.zeros_(layer.bias)


@mistake("extra-parameter", "The mask is a parameter: give it to `self.register_buffer` instead.")
class LearntMask(right.head()):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__(d_in, d_out, context_length, dropout)
        mask = self.mask
        del self.mask
        self.mask = nn.Parameter(mask, requires_grad=False)


@mistake("mask-not-buffer", "The mask is a plain tensor on `self`: it stays behind when the module moves.")
class PlainMask(right.head()):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__(d_in, d_out, context_length, dropout)
        mask = self.mask
        del self.mask
        self.mask = mask


@mistake("dropout-rate", "Another share is dropped than asked for: `nn.Dropout(dropout)`.")
class HalfDropped(right.head()):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__(d_in, d_out, context_length, 0.5)

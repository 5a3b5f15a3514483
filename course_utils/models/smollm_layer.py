"""The sizes of the language model in smollm.py, and one of its layers."""

from typing import NamedTuple

import torch.nn.functional as F
from torch import nn

from course_utils.attention import MultiHeadAttention


class Config(NamedTuple):
    """The sizes of a language model, by default those of SmolLM2-135M.

    num_heads query heads share key_heads heads of keys and values. width: numbers per token. base: the base of the
    rotary speeds. end_tokens: the ids after which nothing more is written.
    """

    num_layers: int = 30
    num_heads: int = 9
    key_heads: int = 3
    width: int = 576
    hidden_width: int = 1536
    vocab_size: int = 49152
    base: float = 100_000.0
    end_tokens: tuple[int, ...] = (0, 2)


class Layer(nn.Module):
    """One layer: attention and a gated feed-forward network, each behind a norm and with a residual path.

    config: a Config. rotate: as in MultiHeadAttention.
    """

    def __init__(self, config, rotate):
        super().__init__()
        width, hidden_width = config.width, config.hidden_width
        self.attention_norm = nn.RMSNorm(width, eps=1e-5)
        self.attention = MultiHeadAttention(
            width, width, config.num_heads, key_heads=config.key_heads, causal=True, out_bias=False, rotate=rotate
        )
        self.hidden_norm = nn.RMSNorm(width, eps=1e-5)
        self.gate = nn.Linear(width, hidden_width, bias=False)
        self.widen = nn.Linear(width, hidden_width, bias=False)
        self.narrow = nn.Linear(hidden_width, width, bias=False)

    def forward(self, x, **options):
        """Apply the layer to x (batch, num_tokens, width); return (a tensor of the same shape, the attention weights).

        options: passed on to the forward of the layer's attention, whose second result the weights are.
        """
        context_vecs, attn_weights = self.attention(self.attention_norm(x), **options)
        x = x + context_vecs
        h = self.hidden_norm(x)
        return x + self.narrow(F.silu(self.gate(h)) * self.widen(h)), attn_weights

"""A tiny transformer of attention alone, and the task that makes two of its heads work in a row."""

from typing import NamedTuple

import torch
from torch import nn

from course_utils.attention import MultiHeadAttention

VOCAB_SIZE, CONTEXT_LENGTH = 20, 30
SHORTEST, LONGEST = 6, 15  # tokens in a segment: each sequence of 31 tokens holds at least two


class RepeatBatch(NamedTuple):
    """inputs, targets (batch, num_tokens): the tokens, and the one that follows each. known: see repeat_batch."""

    inputs: torch.Tensor
    targets: torch.Tensor
    known: torch.Tensor


def repeat_batch(batch_size, num_tokens=CONTEXT_LENGTH):
    """Draw sequences that repeat a random segment over and over, from torch's global random numbers.

    A segment has 6 to 15 tokens, whole numbers from 0 to 19, no two alike. Returns a RepeatBatch: known (batch,
    num_tokens) is True where the token has stood there before, so that what follows it can be known.
    Errors: ValueError for sizes below 1. Used in watch_heads_learn.
    """
    _check_whole(batch_size=batch_size, num_tokens=num_tokens)
    lengths = torch.randint(SHORTEST, LONGEST + 1, (batch_size, 1))
    segments = torch.rand(batch_size, VOCAB_SIZE).argsort(dim=-1)  # (batch, vocab_size) each token once, shuffled
    places = torch.arange(num_tokens + 1)
    tokens = segments.gather(1, places % lengths)  # (batch, num_tokens + 1)
    return RepeatBatch(tokens[:, :-1], tokens[:, 1:], places[:-1] >= lengths)


class Layer(nn.Module):
    """Attention, and the path around it: what the heads deliver is added to what came in."""

    def __init__(self, width, num_heads):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.attention = MultiHeadAttention(width, width, num_heads, causal=True)

    def forward(self, x):
        """x: (..., num_tokens, width). Returns the same shape, and attn_weights (..., num_heads, tokens, tokens)."""
        context_vecs, attn_weights = self.attention(self.norm(x))
        return x + context_vecs, attn_weights


class InductionModel(nn.Module):
    """Layers of causal attention and nothing else between embedding and read-out: it guesses the next token.

    vocab_size: how many different tokens there are. context_length: the longest sequence. width: numbers for a token,
    divisible by num_heads. `model.layers[i].attention` is a MultiHeadAttention, whose heads can be silenced.
    Errors: ValueError for sizes below 1, or a width not divisible by num_heads. Trained in watch_heads_learn.
    """

    def __init__(self, vocab_size, *, context_length=CONTEXT_LENGTH, width=64, num_heads=4, num_layers=2):
        super().__init__()
        _check_whole(vocab_size=vocab_size, context_length=context_length, width=width, num_layers=num_layers)
        self.embedding = nn.Embedding(vocab_size, width)
        self.positions = nn.Embedding(context_length, width)
        self.layers = nn.ModuleList(Layer(width, num_heads) for _ in range(num_layers))
        self.norm = nn.LayerNorm(width)
        self.read_out = nn.Linear(width, vocab_size)

    def forward(self, tokens):
        """tokens: whole numbers (..., num_tokens), from 0 to vocab_size - 1.

        Returns logits (..., num_tokens, vocab_size), scores for the token that follows each, and attn_weights
        (..., num_layers, num_heads, num_tokens, num_tokens).
        Errors: ValueError for other tokens, none, or more than context_length.
        """
        self._check(tokens)
        x = self.embedding(tokens) + self.positions.weight[: tokens.shape[-1]]  # (..., num_tokens, width)
        attn_weights = []
        for layer in self.layers:
            x, weights = layer(x)  # weights: (..., num_heads, num_tokens, num_tokens)
            attn_weights.append(weights)
        return self.read_out(self.norm(x)), torch.stack(attn_weights, dim=-4)

    def _check(self, tokens):
        if not torch.is_tensor(tokens) or tokens.dtype != torch.long:
            found = tokens.dtype if torch.is_tensor(tokens) else type(tokens).__name__
            raise ValueError(f"tokens must be a tensor of whole numbers, torch.long, got {found}.")
        longest = self.positions.num_embeddings
        if tokens.dim() == 0 or not 1 <= tokens.shape[-1] <= longest:
            raise ValueError(f"the model reads 1 to {longest} tokens, got a tensor of shape {tuple(tokens.shape)}.")
        known = self.embedding.num_embeddings
        if tokens.numel() and not (0 <= tokens.min() and tokens.max() < known):
            raise ValueError(
                f"tokens must lie between 0 and {known - 1}, got {tokens.min().item()} to {tokens.max().item()}."
            )


def _check_whole(**sizes):
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            raise ValueError(f"{name} must be a whole number of at least 1, got {size!r}.")

"""A tiny attention-only transformer, and the task that makes two of its heads, one after the other, do induction."""

from typing import NamedTuple

import torch
from torch import nn

from course_utils.attention import MultiHeadAttention, _check_sizes

VOCAB_SIZE, CONTEXT_LENGTH = 20, 30
SHORTEST, LONGEST = 6, 15  # tokens in a segment: a sequence of 31 tokens (inputs and last target) holds at least two


class RepeatBatch(NamedTuple):
    """A batch of repeated segments, made by repeat_batch; each field has shape (batch, num_tokens).

    inputs: the tokens. targets: the token that follows each of them. known: bool, whether the token occurred before in
    its sequence, so that the token after it can be known.
    """

    inputs: torch.Tensor
    targets: torch.Tensor
    known: torch.Tensor


def repeat_batch(batch_size, num_tokens=CONTEXT_LENGTH):
    """Draw random sequences, each of which repeats one random segment over and over.

    A segment has 6 to 15 different tokens, whole numbers from 0 to 19. batch_size: the number of sequences.
    num_tokens: the length of inputs and targets. The numbers are drawn from torch's global random generator.
    Returns a RepeatBatch of tensors (batch_size, num_tokens): `inputs`; `targets`, the token that follows each; and
    `known`, True from the first repetition of the segment on.
    Errors: ValueError for sizes below 1. Used in watch_heads_learn.
    """
    _check_sizes(batch_size=batch_size, num_tokens=num_tokens)
    lengths = torch.randint(SHORTEST, LONGEST + 1, (batch_size, 1))
    segments = torch.rand(batch_size, VOCAB_SIZE).argsort(dim=-1)  # (batch, vocab_size), each row a permutation
    places = torch.arange(num_tokens + 1)
    tokens = segments.gather(1, places % lengths)  # (batch, num_tokens + 1)
    return RepeatBatch(tokens[:, :-1], tokens[:, 1:], places[:-1] >= lengths)


class Layer(nn.Module):
    """A transformer layer without a feed-forward network: layer norm and causal attention with a residual connection.

    width: numbers per token, divisible by num_heads, the number of heads.
    """

    def __init__(self, width, num_heads):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.attention = MultiHeadAttention(width, width, num_heads, causal=True)

    def forward(self, x):
        """Add the output of the heads to x.

        x: (..., num_tokens, width), which is not changed.
        Returns a tuple: a tensor of the same shape, and attn_weights (..., num_heads, num_tokens, num_tokens).
        """
        context_vecs, attn_weights = self.attention(self.norm(x))
        return x + context_vecs, attn_weights


class InductionModel(nn.Module):
    """A transformer that predicts the next token with layers of causal attention only, and no feed-forward networks.

    vocab_size: the number of different tokens. context_length: the most tokens in a sequence. width: numbers per token,
    divisible by num_heads. num_heads, num_layers: the heads of a layer, and the layers.
    `model.layers[i].attention` is a MultiHeadAttention, whose heads can be ablated.
    Errors: ValueError for sizes below 1, and for a width that is not divisible by num_heads.
    Trained in watch_heads_learn.
    """

    def __init__(self, vocab_size, *, context_length=CONTEXT_LENGTH, width=64, num_heads=4, num_layers=2):
        super().__init__()
        _check_sizes(vocab_size=vocab_size, context_length=context_length, width=width, num_layers=num_layers)
        self.embedding = nn.Embedding(vocab_size, width)
        self.positions = nn.Embedding(context_length, width)
        self.layers = nn.ModuleList(Layer(width, num_heads) for _ in range(num_layers))
        self.norm = nn.LayerNorm(width)
        self.read_out = nn.Linear(width, vocab_size)

    def forward(self, tokens):
        """Predict the token that follows each token.

        tokens: torch.long (..., num_tokens), from 0 to vocab_size - 1.
        Returns a tuple: logits (..., num_tokens, vocab_size), the scores of each possible next token, and attn_weights
        (..., num_layers, num_heads, num_tokens, num_tokens).
        Errors: ValueError for tokens of another type or out of range, for none, and for more than context_length.
        """
        self._check(tokens)
        x = self.embedding(tokens) + self.positions.weight[: tokens.shape[-1]]  # (..., num_tokens, width)
        attn_weights = []
        for layer in self.layers:
            x, weights = layer(x)  # weights: (..., num_heads, num_tokens, num_tokens)
            attn_weights.append(weights)
        return self.read_out(self.norm(x)), torch.stack(attn_weights, dim=-4)

    def _check(self, tokens):
        """Check that tokens are torch.long (..., num_tokens), not too many, of known ids. Errors: ValueError if not."""
        if not torch.is_tensor(tokens) or tokens.dtype != torch.long:
            received = tokens.dtype if torch.is_tensor(tokens) else type(tokens).__name__
            raise ValueError(f"tokens must be a tensor of whole numbers, torch.long, got {received}.")
        longest = self.positions.num_embeddings
        if tokens.dim() == 0 or not 1 <= tokens.shape[-1] <= longest:
            raise ValueError(f"the model reads 1 to {longest} tokens, got a tensor of shape {tuple(tokens.shape)}.")
        known = self.embedding.num_embeddings
        if tokens.numel() and not (0 <= tokens.min() and tokens.max() < known):
            raise ValueError(
                f"tokens must lie between 0 and {known - 1}, got {tokens.min().item()} to {tokens.max().item()}."
            )

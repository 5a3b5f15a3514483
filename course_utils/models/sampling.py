"""Choose the next token of a text from the scores that a language model gives."""

import math
from numbers import Real

import torch

from course_utils.attention import softmax


class Token(str):
    """A token that a model has written, as text, for printing and joining.

    id: its number in the vocabulary. logits: (vocab_size,), the scores from which it was chosen. attn_weights: where
    each head looked then, (num_layers, num_heads, num_keys), the weights of the token before it, or None.
    The text of a token that ends within a character is empty; the token that completes the character has all of it.
    """

    def __new__(cls, text, id, logits, attn_weights=None):
        token = super().__new__(cls, text)
        token.id, token.logits, token.attn_weights = id, logits, attn_weights
        return token


class Choice:
    """A way to choose a token: a function from logits (vocab_size,) to the id of a token, an int.

    temperature: 0 for the largest score (the first of equal ones); above that, an id is drawn from
    softmax(logits / temperature). top_k: draw from the k largest scores, or None for all. seed: of the drawing.
    Errors: ValueError for a temperature below 0 or not finite, a top_k below 1, and a seed that is no whole number.
    """

    def __init__(self, temperature=0.0, top_k=None, seed=0):
        if isinstance(temperature, bool) or not isinstance(temperature, Real) or not 0 <= temperature < math.inf:
            raise ValueError(f"temperature must be a number of at least 0, got {temperature!r}: 0 takes the likeliest.")
        if top_k is not None and (isinstance(top_k, bool) or not isinstance(top_k, int) or top_k < 1):
            raise ValueError(f"top_k must be a whole number of at least 1, or None for all tokens, got {top_k!r}.")
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise ValueError(f"seed must be a whole number, got {seed!r}.")
        self.temperature, self.top_k = temperature, top_k
        self.generator = torch.Generator().manual_seed(seed)

    def __call__(self, logits):
        """Return the id of the chosen token, an int. logits: (vocab_size,), the scores of all tokens."""
        if self.temperature == 0:
            return logits.argmax().item()
        scores, ids = logits.topk(min(self.top_k or len(logits), len(logits)))  # the largest first
        # In float64 and with 0 as the largest score, a temperature near 0 sends all others to -inf, and none to nan.
        probabilities = softmax((scores - scores[0]).double() / self.temperature)
        return ids[torch.multinomial(probabilities, 1, generator=self.generator)].item()

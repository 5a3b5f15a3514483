"""A substitute for MiniLM where its weights are missing: it knows the attention weights of six stored sentences."""

import re
from types import SimpleNamespace

import torch

from course_utils import data
from course_utils.attention import MultiHeadAttention
from course_utils.models.minilm import NUM_HEADS, NUM_LAYERS, WIDTH, Encoded, check_sentence, check_tokens, choose


class SixSentences:
    """A substitute for MiniLM that returns stored attention weights for the six sentences of start_here.

    For any other sentence it prints a message and returns nan. It has the interface of the model, so that a notebook
    written for the model runs to its end, with nan where only the model has the numbers: `.layers[i].attention` is a
    MultiHeadAttention of the right sizes with random weights. If a head of it is ablated, the attention weights of all
    later layers are nan. The hidden states are always nan.
    """

    def __init__(self):
        self._known = {sentence.text: sentence for sentence in data.load("sentence_pairs").values()}
        with torch.random.fork_rng(devices=[]):  # leave the caller's random generator as it is
            self.layers = [_layer() for _ in range(NUM_LAYERS)]

    def __call__(self, sentence, *, without=(), first_place=0, hidden=()):
        """Return an Encoded for a sentence, as MiniLM does.

        sentence, without, first_place, hidden: as in MiniLM.forward. The hidden_states are nan; so are all attention
        weights for a sentence that is not stored, which a printed message says, or if any of the last three changes the
        input, and those of the layers after an ablated head. Errors: ValueError as in MiniLM.forward.
        """
        check_sentence(sentence)
        if sentence in self._known:
            _, tokens, attn_weights = self._known[sentence]
        else:
            tokens, attn_weights = self._unknown(sentence)
        kept, mask = choose(len(tokens), without, first_place, hidden)
        tokens = [tokens[number] for number in kept]
        attn_weights = attn_weights[:, :, kept][..., kept]  # a copy, since the stored weights must not become nan
        first_unknown = 0 if without or first_place or mask is not None else self._first_ablated() + 1
        attn_weights[first_unknown:] = torch.nan
        return Encoded(tokens, attn_weights, torch.full((NUM_LAYERS + 1, len(tokens), WIDTH), torch.nan))

    def _unknown(self, sentence):
        """Print that a sentence is not stored; return its words, and nan as weights. Errors: those of check_tokens."""
        tokens = ["[CLS]", *re.findall(r"\w+|[^\w\s]", sentence.lower()), "[SEP]"]
        check_tokens(sentence, tokens)
        print("The model's weights are missing, and this is none of its six stored sentences: all numbers are nan.")
        return tokens, torch.full((NUM_LAYERS, NUM_HEADS, len(tokens), len(tokens)), torch.nan)

    def _first_ablated(self):
        """Return the index of the first layer in which a head is ablated, or of the last layer if there is none.

        A head is ablated if the output of out_proj does not depend on it.
        """
        one_each = torch.eye(NUM_HEADS).repeat_interleave(WIDTH // NUM_HEADS, dim=-1)  # row i: head i alone
        with torch.no_grad():
            for number, layer in enumerate(self.layers):
                out_proj = layer.attention.out_proj
                if (out_proj(one_each) == out_proj(torch.zeros(WIDTH))).all(dim=-1).any():
                    return number
        return NUM_LAYERS - 1


def _layer():
    """Return an object with `attention`, a frozen MultiHeadAttention of MiniLM's sizes with random weights."""
    attention = MultiHeadAttention(WIDTH, WIDTH, NUM_HEADS, qkv_bias=True)
    return SimpleNamespace(attention=attention.eval().requires_grad_(False))

"""What stands in for the real model where its weights are missing: six sentences that it once read, else nan."""

import re
from types import SimpleNamespace

import torch

from course_utils import data
from course_utils.attention import MultiHeadAttention
from course_utils.models.minilm import NUM_HEADS, NUM_LAYERS, WIDTH, Encoded, check_sentence, check_tokens, choose


class SixSentences:
    """Reads the six sentences of start_here as the model did; of anything else it says so, and gives nan.

    Called and taken apart like the model: `.layers[i].attention` is a MultiHeadAttention of the right sizes, whose own
    weights are random. Where a head of it is silenced, the attention of all later layers is unknown. Hidden states
    always are. So a page that was written for the model runs to its end, with nan for what only the model can tell.
    """

    def __init__(self):
        self._known = {sentence.text: sentence for sentence in data.load("sentence_pairs").values()}
        with torch.random.fork_rng(devices=[]):  # the reader's random numbers go on as if nothing had been drawn
            self.layers = [_layer() for _ in range(NUM_LAYERS)]

    def __call__(self, sentence, *, without=(), first_place=0, hidden=()):
        """sentence, without, first_place, hidden: as the model takes them. Returns an Encoded, as the model does.

        Nothing is known of a sentence that is read in another way than as it stands.
        Errors: ValueError where the model has one.
        """
        check_sentence(sentence)
        if sentence in self._known:
            _, tokens, attn_weights = self._known[sentence]
        else:
            tokens, attn_weights = self._unknown(sentence)
        kept, mask = choose(len(tokens), without, first_place, hidden)
        tokens = [tokens[number] for number in kept]
        attn_weights = attn_weights[:, :, kept][..., kept]  # a copy
        first_unknown = 0 if without or first_place or mask is not None else self._first_silenced() + 1
        attn_weights[first_unknown:] = torch.nan
        return Encoded(tokens, attn_weights, torch.full((NUM_LAYERS + 1, len(tokens), WIDTH), torch.nan))

    def _unknown(self, sentence):
        tokens = ["[CLS]", *re.findall(r"\w+|[^\w\s]", sentence.lower()), "[SEP]"]
        check_tokens(sentence, tokens)
        print("The model's weights are missing, and this is none of its six stored sentences: all numbers are nan.")
        return tokens, torch.full((NUM_LAYERS, NUM_HEADS, len(tokens), len(tokens)), torch.nan)

    def _first_silenced(self):
        """The first layer in which a head delivers nothing; the last layer where there is none."""
        one_each = torch.eye(NUM_HEADS).repeat_interleave(WIDTH // NUM_HEADS, dim=-1)  # a row: one head, and only it
        with torch.no_grad():
            for number, layer in enumerate(self.layers):
                out_proj = layer.attention.out_proj
                if (out_proj(one_each) == out_proj(torch.zeros(WIDTH))).all(dim=-1).any():
                    return number
        return NUM_LAYERS - 1


def _layer():
    attention = MultiHeadAttention(WIDTH, WIDTH, NUM_HEADS, qkv_bias=True)
    return SimpleNamespace(attention=attention.eval().requires_grad_(False))

"""The published encoder all-MiniLM-L6-v2, built on the course's own MultiHeadAttention."""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import nn

from course_utils import data
from course_utils.attention import MultiHeadAttention

NUM_LAYERS, NUM_HEADS, WIDTH, HIDDEN_WIDTH = 6, 12, 384, 1536
VOCAB_SIZE, MAX_TOKENS = 30522, 512

# Parts of the published parameter names -> their names in MiniLM. They are replaced in this order: `attention.output.`
# must come before `output.`, which is part of it.
OUR_NAMES = {
    "encoder.layer.": "layers.",
    "attention.self.query": "attention.W_query",
    "attention.self.key": "attention.W_key",
    "attention.self.value": "attention.W_value",
    "attention.output.dense": "attention.out_proj",
    "attention.output.LayerNorm": "attention_norm",
    "intermediate.dense": "widen",
    "output.dense": "narrow",
    "output.LayerNorm": "output_norm",
    "embeddings.LayerNorm": "embedding_norm",
    "embeddings.word_embeddings.weight": "word_embeddings",
    "embeddings.position_embeddings.weight": "position_embeddings",
    "embeddings.token_type_embeddings.weight": "token_type_embeddings",
}


class Encoded(NamedTuple):
    """The tokens, attention weights and hidden states that the model computes for a sentence.

    tokens: num_tokens strings, with [CLS] and [SEP]. attn_weights: (num_layers, num_heads, num_tokens, num_tokens).
    hidden_states: (num_layers + 1, num_tokens, width): the embeddings, then the output of each layer.
    """

    tokens: list[str]
    attn_weights: torch.Tensor
    hidden_states: torch.Tensor


class Layer(nn.Module):
    """One layer of the encoder: attention and a feed-forward network, each with a residual path and layer norm."""

    def __init__(self):
        super().__init__()
        self.attention = MultiHeadAttention(WIDTH, WIDTH, NUM_HEADS, qkv_bias=True)
        self.attention_norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.widen = nn.Linear(WIDTH, HIDDEN_WIDTH)
        self.narrow = nn.Linear(HIDDEN_WIDTH, WIDTH)
        self.output_norm = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, x, mask=None):
        """Apply the layer to the vectors of one sentence.

        x: (num_tokens, width). mask: bool (num_tokens, num_tokens), True = may attend, or None.
        Returns a tuple: a tensor of the same shape, and attn_weights (num_heads, num_tokens, num_tokens).
        """
        context_vecs, attn_weights = self.attention(x, mask=mask)
        x = self.attention_norm(x + context_vecs)
        return self.output_norm(x + self.narrow(F.gelu(self.widen(x)))), attn_weights


class MiniLM(nn.Module):
    """The encoder all-MiniLM-L6-v2; `load` returns one with the published weights. Used in real_heads.

    tokenizer: a tokenizers.Tokenizer for the model's vocabulary. `model.layers[i].attention` is a MultiHeadAttention.
    `load` freezes the parameters; call `requires_grad_()` on the model to compute gradients.
    """

    def __init__(self, tokenizer):
        super().__init__()
        self.tokenizer = tokenizer
        self.word_embeddings = nn.Parameter(torch.empty(VOCAB_SIZE, WIDTH))
        self.position_embeddings = nn.Parameter(torch.empty(MAX_TOKENS, WIDTH))
        self.token_type_embeddings = nn.Parameter(torch.empty(2, WIDTH))
        self.embedding_norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(NUM_LAYERS))

    def forward(self, sentence, *, without=(), first_place=0, hidden=()):
        """Read a sentence, and return an Encoded: its tokens, attn_weights and hidden_states.

        attn_weights: (num_layers, num_heads, num_tokens, num_tokens). hidden_states: (num_layers + 1, num_tokens,
        width). sentence: a str. The other parameters change the input, to find out what the model needs:
        without: the numbers of tokens to leave out, counted from 0, the number of [CLS]; later tokens move up.
        first_place: the position of the first token, from 0. hidden: the numbers of tokens that no token may attend
        to, not even they themselves.
        Errors: ValueError if the sentence is not a str, has no words, no valid Unicode or more than 512 tokens, for a
        position above 511, for the number of a token that does not exist, and if no token is left to attend to.
        """
        encoding = self._tokenize(sentence)
        kept, mask = choose(len(encoding.ids), without, first_place, hidden)
        x = self._embed(torch.tensor(encoding.ids)[kept], first_place)  # (num_tokens, width)
        hidden_states, attn_weights = [x], []
        for layer in self.layers:
            x, weights = layer(x, mask)  # weights: (num_heads, num_tokens, num_tokens)
            hidden_states.append(x)
            attn_weights.append(weights)
        tokens = [encoding.tokens[number] for number in kept]
        return Encoded(tokens, torch.stack(attn_weights), torch.stack(hidden_states))

    def _embed(self, ids, first_place):
        positions = self.position_embeddings[first_place : first_place + len(ids)]
        sentence_type = self.token_type_embeddings[0]  # the other row is for the second of two sentences
        return self.embedding_norm(self.word_embeddings[ids] + positions + sentence_type)

    def _tokenize(self, sentence):
        """Return the tokens of a sentence as a tokenizers.Encoding. Errors: those of forward on the sentence."""
        check_sentence(sentence)
        try:
            encoding = self.tokenizer.encode(sentence)
        except TypeError:  # the tokenizers library raises it for half of a surrogate pair
            raise ValueError(
                "the sentence holds characters that are no valid Unicode: retype or remove them."
            ) from None
        check_tokens(sentence, encoding.tokens)
        return encoding


def check_sentence(sentence) -> None:
    """Check that a sentence is a str. Errors: ValueError if it is not."""
    if not isinstance(sentence, str):
        raise ValueError(f"the model reads one sentence, a str, got {type(sentence).__name__}: call it per sentence.")


def check_tokens(sentence: str, tokens: list[str]) -> None:
    """Check that a sentence has words, and no more tokens than the model has positions.

    tokens: those of the sentence, with [CLS] and [SEP]. Errors: ValueError if there are only these two, and for more
    than 512 tokens.
    """
    if len(tokens) <= 2:
        raise ValueError(f"the sentence {sentence!r} has no words: give the model at least one.")
    if len(tokens) > MAX_TOKENS:
        raise ValueError(
            f"the sentence has {len(tokens)} tokens, with [CLS] and [SEP], and the model has positions for "
            f"{MAX_TOKENS}: shorten it."
        )


def choose(num_tokens, without, first_place, hidden):
    """Return the numbers of the tokens that are kept, and the mask between them: (list of int, bool tensor or None).

    num_tokens: the number of tokens in the sentence. without, first_place, hidden: as in MiniLM.forward. The mask is
    (num_kept, num_kept), True = may attend; it is None if no token is hidden. Errors: ValueError for the number of a
    token that does not exist, for positions out of range, and if no token is left to attend to.
    """
    for number in (*without, *hidden):
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < num_tokens:
            raise ValueError(f"the tokens are numbered from 0 to {num_tokens - 1}, got {number!r}.")
    kept = [number for number in range(num_tokens) if number not in without]
    open_keys = torch.tensor([number not in hidden for number in kept])
    if not open_keys.any():
        raise ValueError("no token is left to attend to: leave out or hide fewer.")
    last = first_place + len(kept) - 1
    if isinstance(first_place, bool) or not isinstance(first_place, int) or first_place < 0 or last >= MAX_TOKENS:
        raise ValueError(f"the places are 0 to {MAX_TOKENS - 1}, got {first_place!r} for the first of {len(kept)}.")
    return kept, None if open_keys.all() else open_keys.expand(len(kept), -1)


def load():
    """Load the model with its published weights, ready to read sentences: `load()("A short sentence.")`.

    Returns a MiniLM in eval mode with frozen parameters, so that its results keep no gradients.
    Errors: FileNotFoundError if the weights have not been fetched yet, ValueError if a file has changed.
    """
    weights = load_file(data.path("minilm/model.safetensors"))
    tokenizer = Tokenizer.from_file(str(data.path("minilm/tokenizer.json")))
    tokenizer.no_padding()  # tokenizer.json pads and truncates sentences to 128 tokens
    tokenizer.no_truncation()
    with torch.random.fork_rng(devices=[]):  # random initial weights must not advance the caller's generator
        model = MiniLM(tokenizer)
    model.load_state_dict(_in_our_names(weights), assign=True)
    return model.eval().requires_grad_(False)


def _in_our_names(weights: dict) -> dict:
    """Return the published weights with the names in MiniLM, without those that it does not use."""
    renamed = {}
    for name, tensor in weights.items():
        if name.startswith("pooler.") or name == "embeddings.position_ids":
            continue  # the pooler is not used; position_ids holds only the numbers 0 to 511
        for theirs, ours in OUR_NAMES.items():
            name = name.replace(theirs, ours)
        renamed[name] = tensor
    return renamed

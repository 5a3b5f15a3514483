"""The published language model SmolLM2-135M-Instruct, built on the course's own MultiHeadAttention."""

from numbers import Integral
from typing import NamedTuple

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import nn

from course_utils import data
from course_utils.attention import KeyValueCache, _check_sizes
from course_utils.models import smollm_files
from course_utils.models.exchange import check_added, check_takes_cache, exchanged, takes
from course_utils.models.rotary import Rotary
from course_utils.models.sampling import Choice, Token
from course_utils.models.smollm_layer import Config, Layer

MOST_READ, MOST_WRITTEN = 512, 2048  # tokens; weights of 30 layers take 283 MB at 512, a cache 94 MB at 2,048


class Reading(NamedTuple):
    """What the model computes for a text.

    tokens: num_tokens strings; a token that is only part of a character is spelled as in the vocabulary.
    attn_weights: (num_layers, num_heads, num_tokens, num_tokens). logits: (num_tokens, vocab_size): row i has the
    scores of each possible token after token i.
    """

    tokens: list[str]
    attn_weights: torch.Tensor
    logits: torch.Tensor


class SmolLM(nn.Module):
    """A language model of the family Llama; `load` returns SmolLM2-135M-Instruct. Used in a_language_model.

    tokenizer: a tokenizers.Tokenizer for the vocabulary. config: a Config. The parameters are as PyTorch initialises
    them, except `embedding`, which is not initialised.
    `model.layers[i].attention` is a MultiHeadAttention, whose heads can be ablated; `model.rotate` is its `rotate`.
    `load` freezes the parameters; call `requires_grad_()` on the model to compute gradients.
    """

    def __init__(self, tokenizer, config=Config()):  # noqa: B008 (a NamedTuple cannot change)
        super().__init__()
        self.tokenizer, self.config = tokenizer, config
        self.rotate = Rotary(config.width // config.num_heads, config.base, MOST_WRITTEN)
        self.embedding = nn.Parameter(torch.empty(config.vocab_size, config.width))  # the output table, too
        self.layers = nn.ModuleList(Layer(config, self.rotate) for _ in range(config.num_layers))
        self.norm = nn.RMSNorm(config.width, eps=1e-5)

    def forward(self, text):
        """Read a text, and return a Reading: its tokens, attn_weights and logits.

        attn_weights: (num_layers, num_heads, num_tokens, num_tokens). logits: (num_tokens, vocab_size).
        text: a str, or the ids of tokens, whole numbers in a list or a tensor (num_tokens,); at most 512 tokens.
        Errors: ValueError for anything else, for no token, and for more than 512, because of the memory that the
        weights take.
        """
        ids = self.ids(text)
        if len(ids) > MOST_READ:
            raise ValueError(
                f"the text has {len(ids)} tokens, and the model reads at most {MOST_READ} at once, whose attention "
                "weights take 283 MB: shorten it."
            )
        num_layers, num_heads = self.config.num_layers, self.config.num_heads
        attn_weights = torch.empty(num_layers, num_heads, len(ids), len(ids))
        x = F.embedding(torch.tensor([ids]), self.embedding)  # (1, num_tokens, width)
        for number, layer in enumerate(self.layers):
            x, weights = layer(x)  # weights: (1, num_heads, num_tokens, num_tokens)
            attn_weights[number] = weights[0]
        return Reading([self.label(each) for each in ids], attn_weights, F.linear(self.norm(x), self.embedding)[0])

    def ids(self, text):
        """Return the ids of a text's tokens, a list of whole numbers. text, errors: as in forward, at any length."""
        if isinstance(text, str):
            try:
                ids = self.tokenizer.encode(text).ids
            except TypeError:  # the tokenizers library raises it for half of a surrogate pair
                raise ValueError(
                    "the text holds characters that are no valid Unicode: retype or remove them."
                ) from None
        else:
            ids = _whole_numbers(text, self.config.vocab_size)
        if not ids:
            raise ValueError("the text is empty: give the model at least one token to begin with.")
        return ids

    def label(self, token_id):
        """Return the text of a token, a str, or its spelling in the vocabulary if it is only part of a character.

        token_id: a whole number.
        """
        text = self.tokenizer.decode([token_id], skip_special_tokens=False)
        return self.tokenizer.id_to_token(token_id) if "\ufffd" in text else text

    def write(self, text, num_new=30, temperature=0.0, top_k=None, seed=0, cache=True, need_weights=False):
        """Write a text on, token by token: `print(*model.write("Once upon a time"), sep="")`.

        text: as in forward, of at most 2,048 tokens together with the new ones. num_new: the most tokens to write;
        fewer if the model writes an end token, which is not yielded. temperature: 0 always takes the likeliest token;
        above that, tokens are drawn from softmax(logits / temperature). top_k: draw from the k likeliest tokens, or
        None for all. seed: of the drawing. cache: keep keys and values, or compute all tokens anew for each.
        need_weights: give each token its attn_weights.
        Returns a generator of Tokens, each as soon as it is chosen. The joined tokens are the new text.
        Errors: ValueError, before anything is computed, for a text as in forward and for numbers out of range.
        """
        ids, choice = self.ids(text), Choice(temperature, top_k, seed)
        _check_sizes(num_new=num_new)
        if len(ids) + num_new > MOST_WRITTEN:
            raise ValueError(
                f"{len(ids)} tokens and {num_new} new ones are more than {MOST_WRITTEN}, for which there is room: "
                "shorten the text, or write fewer."
            )
        caches = self._caches(len(ids) + num_new) if cache else None
        return self._write(ids, num_new, choice, caches, need_weights)

    def reader(self, most=MOST_WRITTEN):
        """Return a function read(ids) that reads a text piece by piece, each token once, with a cache.

        most: for how many tokens there is room, at most 2,048. read takes the tokens that come after all those it has
        read before, a text or ids as in forward, and returns the scores of the next token, (vocab_size,).
        Errors: ValueError for a `most` out of range; of read for no token, something that is no token, and more tokens
        than there is room for, before anything is computed.
        """
        if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= MOST_WRITTEN:
            raise ValueError(f"most must be a whole number from 1 to {MOST_WRITTEN}, got {most!r}.")
        caches = self._caches(most)

        def read(ids):
            ids, past = self.ids(ids), caches[0].num_tokens
            if past + len(ids) > most:
                raise ValueError(
                    f"{past} tokens have been read, and with {len(ids)} more they are more than {most}, for which "
                    "there is room: make a new reader, with more room."
                )
            return self._next(ids, caches, need_weights=False)[0]

        return read

    def _caches(self, most):
        for layer in self.layers:
            check_takes_cache(layer.attention)
        return [KeyValueCache(most) for _ in self.layers]

    def _write(self, ids, num_new, choice, caches, need_weights):
        """Yield each new token as a sampling.Token, until an end token, which is not yielded, or num_new of them."""
        unread, begun = ids, []  # begun: ids of tokens that are only part of a character so far
        for _ in range(num_new):
            logits, attn_weights = self._next(unread, caches, need_weights)
            chosen = choice(logits)
            if chosen in self.config.end_tokens:
                return
            unread = [*unread, chosen] if caches is None else [chosen]
            begun.append(chosen)
            text = self.tokenizer.decode(begun, skip_special_tokens=False)
            if text.endswith("\ufffd") and len(begun) < 4:  # a character has at most four bytes
                text = ""
            else:
                begun = []
            yield Token(text, chosen, logits, attn_weights)

    @torch.no_grad()
    def _next(self, ids, caches, need_weights):
        """Return (logits (vocab_size,), attn_weights (num_layers, num_heads, num_keys) or None) of the next token.

        ids: with caches, of the tokens that are not yet in them; they are added. Errors: those of `check_added`.
        """
        rows = []  # of the last token: in each layer, its weights (num_heads, num_keys)
        x = F.embedding(torch.tensor([ids]), self.embedding)  # (1, num_tokens, width)
        for number, layer in enumerate(self.layers):
            options = {"need_weights": need_weights} if takes(type(layer.attention), "need_weights") else {}
            if caches is None:
                x, weights = layer(x, **options)
            else:
                num_tokens = caches[number].num_tokens + len(ids)
                x, weights = layer(x, cache=caches[number], **options)
                check_added(layer.attention, caches[number], num_tokens)
            rows += [weights[0, :, -1]] if need_weights else []
        return F.linear(self.norm(x[0, -1]), self.embedding), torch.stack(rows) if need_weights else None

    def with_attention(self, make):
        """Return a copy of the model with another class of attention in all its layers; this model stays as it is.

        make: a function without arguments that builds a layer, `lambda: MyAttention(576, 576, 9)`: an nn.Module with
        W_query, W_key, W_value and out_proj, nn.Linear without bias, W_key and W_value for fewer heads. Its forward(x,
        cache=None) takes x (batch, num_tokens, width), and returns context_vecs of the same shape and attn_weights
        (batch, num_heads, num_tokens, num_tokens). Without cache in it, `write` needs cache=False. If it takes
        need_weights as well, `write` passes its own, and for False the weights may be None. The new layers share this
        model's weights, and are frozen and in eval mode. Errors: ValueError, which says what is missing and which shape
        does not fit.
        """
        model = _empty(self.tokenizer, self.config)
        model.load_state_dict(self.state_dict(), strict=False, assign=True)
        originals = [layer.attention for layer in model.layers]
        for layer, attention in zip(model.layers, exchanged(make, originals, self.config.width), strict=True):
            layer.attention = attention
        return model.eval().requires_grad_(False)


def load():
    """Load SmolLM2-135M-Instruct with its published weights: `print(*load().write("Once upon a time"), sep="")`.

    The first call after a download makes the files that are read here, which takes some seconds. The weights are mapped
    from the file into memory: all processes that have loaded them share one copy, and none can change the file.
    Returns a SmolLM in eval mode with frozen parameters, so that its results keep no gradients.
    Errors: FileNotFoundError if the weights have not been fetched yet, ValueError if a file has changed, OSError if the
    files cannot be written.
    """
    if not all((data.DATA / name).is_file() for name in (smollm_files.WEIGHTS, smollm_files.TOKENIZER)):
        smollm_files.make()
    weights = load_file(data.path(smollm_files.WEIGHTS))
    model = _empty(Tokenizer.from_file(str(data.path(smollm_files.TOKENIZER))), Config())
    model.load_state_dict(weights, assign=True)
    return model.eval().requires_grad_(False)


def _empty(tokenizer, config):
    """Return a SmolLM whose parameters have shapes and no memory, to be given weights; it draws no random numbers."""
    with torch.device("meta"):
        return SmolLM(tokenizer, config)


def _whole_numbers(ids, vocab_size):
    """Return ids of tokens as a list of int. Errors: ValueError unless they lie from 0 to vocab_size - 1."""
    ids = ids.tolist() if torch.is_tensor(ids) else ids
    if not isinstance(ids, list | tuple):
        raise ValueError(f"the model reads a text, a str, or a list of token ids, got {type(ids).__name__}.")
    for each in ids:
        if isinstance(each, bool) or not isinstance(each, Integral) or not 0 <= each < vocab_size:
            raise ValueError(f"the ids of tokens are whole numbers from 0 to {vocab_size - 1}, got {each!r}.")
    return list(map(int, ids))

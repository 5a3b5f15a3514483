"""A made-up language model: small and fast, its weights are random, and it needs no download."""

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from course_utils.models.smollm import SmolLM
from course_utils.models.smollm_layer import Config

CONFIG = Config(
    num_layers=2, num_heads=4, key_heads=2, width=16, hidden_width=24, vocab_size=258, base=100.0, end_tokens=(0, 1)
)


def language_model(seed=0, **changes):
    """Return a SmolLM with random weights, whose tokens are single bytes: what it writes means nothing.

    seed: of the weights; the caller's random numbers stay as they are. changes: fields of Config; by default 4 heads,
    which share 2 heads of keys and values, in each of 2 layers, with 16 numbers per token.
    It is in eval mode with frozen parameters, as `smollm.load` returns the published model. Used in a_language_model.
    """
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        model = SmolLM(_bytes(), CONFIG._replace(**changes))
        torch.nn.init.normal_(model.embedding, std=0.3)  # with 1, each token would foresee itself, whatever came before
    return model.eval().requires_grad_(False)


def _bytes():
    """Return a Tokenizer whose tokens are the two end tokens, with the ids 0 and 1, and the 256 bytes."""
    vocab = ["<|endoftext|>", "<|im_end|>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = Tokenizer(models.BPE(vocab={token: number for number, token in enumerate(vocab)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(vocab[:2])
    return tokenizer

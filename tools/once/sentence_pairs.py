"""Write data/sentence_pairs.safetensors: the real model's attention in six sentences, for the notebook start_here.

Run it by hand, `python tools/once/sentence_pairs.py`; then put the new size and SHA-256 into data/README.md.
"""

import hashlib
import json

import torch
from safetensors.torch import save_file

from course_utils import data
from course_utils.models import minilm

SENTENCES = {
    "weak": "The robot could not climb the hill because it was too weak.",
    "steep": "The robot could not climb the hill because it was too steep.",
    "sleepy": "The cat did not swim across the river because it was too sleepy.",
    "deep": "The cat did not swim across the river because it was too deep.",
    "wide": "The piano did not go through the door because it was too wide.",
    "narrow": "The piano did not go through the door because it was too narrow.",
}
NOUNS = {"weak": "robot hill", "sleepy": "cat river", "wide": "piano door"}
OTHER = {"weak": "steep", "sleepy": "deep", "wide": "narrow"}


def from_it(encoded, noun, layer=3, head=1):
    """Return the weight (0 to 1) that the token *it* gives to `noun`, another token, in one head.

    encoded: what the model returned for a sentence, a minilm.Encoded. layer, head: counted from 0.
    """
    return encoded.attn_weights[layer, head, encoded.tokens.index("it"), encoded.tokens.index(noun)].item()


def main():
    model = minilm.load()
    encoded = {word: model(text) for word, text in SENTENCES.items()}
    for word, other in OTHER.items():
        for noun in NOUNS[word].split():
            weights = from_it(encoded[word], noun), from_it(encoded[other], noun)
            print(f"it -> {noun}: {weights[0]:.2f} with {word}, {weights[1]:.2f} with {other}")
    tensors = {word: each.attn_weights.to(torch.float16) for word, each in encoded.items()}
    words = {word: {"text": text, "tokens": encoded[word].tokens} for word, text in SENTENCES.items()}
    target = data.DATA / "sentence_pairs.safetensors"
    save_file(tensors, target, metadata={"sentences": json.dumps(words)})  # one key, as several have no fixed order
    print(f"{target.name}: {target.stat().st_size:,} bytes, SHA-256 {hashlib.sha256(target.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()

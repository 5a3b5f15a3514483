"""Write the real model's attention in six sentences into data/, and the numbers of one head, for start_here.

The files are sentence_pairs.safetensors and head_numbers.safetensors. Run it by hand, `python
tools/once/sentence_pairs.py`; then put the new sizes and SHA-256 into data/README.md.
"""

import hashlib
import json

import torch
from safetensors.torch import save_file

from course_utils import data
from course_utils.models import head_numbers, minilm

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


LAYER, HEAD = 3, 1  # the head of start_here, counted from 0


def from_it(encoded, noun: str) -> float:
    """Return the weight (0 to 1) that the token *it* gives to `noun`, another token, in the head of start_here."""
    return encoded.attn_weights[LAYER, HEAD, encoded.tokens.index("it"), encoded.tokens.index(noun)].item()


def main():
    model = minilm.load()
    encoded = {word: model(text) for word, text in SENTENCES.items()}
    for word, other in OTHER.items():
        for noun in NOUNS[word].split():
            weights = from_it(encoded[word], noun), from_it(encoded[other], noun)
            print(f"it -> {noun}: {weights[0]:.2f} with {word}, {weights[1]:.2f} with {other}")
    tensors = {word: each.attn_weights.to(torch.float16) for word, each in encoded.items()}
    words = {word: {"text": text, "tokens": encoded[word].tokens} for word, text in SENTENCES.items()}
    save("sentence_pairs", tensors, {"sentences": words})
    save("head_numbers", numbers(model, encoded), {"words": [*SENTENCES]})


def numbers(model, encoded: dict) -> dict[str, torch.Tensor]:
    """Return name -> tensor of the numbers from which the head computes its weights in each sentence.

    They are float32, so that they give the weights, but for inputs and W_query, which are large and float16.
    """
    tensors = {}
    for word, number in zip(encoded, head_numbers.numbers_of(model, *encoded.values())(LAYER, HEAD), strict=True):
        parts = {name: part.contiguous() for name, part in number._asdict().items()}
        tensors |= {f"{word}.{name}": parts[name] for name in ("queries", "keys", "values")}
        tensors |= {f"{word}.inputs": parts["inputs"].half()}
        tensors |= {"W_query": parts["W_query"].half(), "bias": parts["bias"]}
    return tensors


def save(name: str, tensors: dict, about: dict):
    target = data.DATA / f"{name}.safetensors"
    metadata = {key: json.dumps(value) for key, value in about.items()}  # of one key, as several have no fixed order
    save_file(tensors, target, metadata=metadata)
    print(f"{target.name}: {target.stat().st_size:,} bytes, SHA-256 {hashlib.sha256(target.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()

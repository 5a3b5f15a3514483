"""Write tests/data/smollm_reference.safetensors: SmolLM2 as the `transformers` library computes it.

Run once, in an environment of its own, with the course's folder on its path:

    pip install torch==2.13.0 transformers==5.23.0 accelerate==1.15.0 gguf==0.19.0
    PYTHONPATH=. python tools/once/smollm_reference.py

The test needs none of that: it reads the file, and imports the texts and the choice of numbers from this module.
"""

import json
import random

import torch
from safetensors.torch import save_file

from course_utils import data
from course_utils.models import smollm_files

TARGET = data.DATA.parent / "tests" / "data" / "smollm_reference.safetensors"
NUM_TEXTS, NUM_NEW = 500, 30
PER_HEAD, PER_TOKEN = 8, 40  # how many weights of each head, and logits of each token, are kept

TEXTS = json.loads(TARGET.with_name("smollm_texts.json").read_text("utf-8"))
PIECES = TEXTS["pieces"]  # of which the 500 texts are put together
READ = TEXTS["read"]  # the texts whose logits and weights are compared, of 1 to about 200 tokens
BEGUN = TEXTS["begun"]  # the texts that are written on


def texts() -> list[str]:
    """Return 500 different texts: each of PIECES alone, and random pieces with and without spaces between them."""
    rng, found = random.Random(0), dict.fromkeys(PIECES)
    while len(found) < NUM_TEXTS:
        pieces = rng.choices(PIECES, k=rng.randint(2, 8))
        found["".join(piece + rng.choice(["", " ", " ", "\n", "  "]) for piece in pieces)] = None
    return list(found)


def picked(number: int, num_tokens: int, num_layers=30, num_heads=9, vocab_size=49152) -> tuple:
    """Return indices of the numbers of the text READ[number] that are kept: (indices of weights, indices of logits).

    The first, a tensor (num_layers, num_heads, PER_HEAD), is for attn_weights.flatten(2).gather(-1, ...), and picks
    keys that are not later than the query; the second, (num_tokens, PER_TOKEN), is for logits.gather(-1, ...).
    """
    generator = torch.Generator().manual_seed(number)
    of_queries = torch.randint(num_tokens, (num_layers, num_heads, PER_HEAD), generator=generator)
    of_keys = (torch.rand(of_queries.shape, generator=generator) * (of_queries + 1)).long()
    logits = torch.randint(vocab_size, (num_tokens, PER_TOKEN), generator=generator)
    return of_queries * num_tokens + of_keys, logits


def reference_model():
    """Return (model, tokenizer) of the `transformers` library, read from the published GGUF file."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    path = data.path(smollm_files.PUBLISHED)
    model = AutoModelForCausalLM.from_pretrained(
        path.parent, gguf_file=path.name, dtype=torch.float32, attn_implementation="eager"
    )
    return model.eval(), AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)


@torch.no_grad()
def main():
    model, tokenizer = reference_model()
    ids = [tokenizer(text)["input_ids"] for text in texts()]
    kept = {
        "lengths": torch.tensor([len(each) for each in ids], dtype=torch.int16),
        "ids": torch.tensor([each for text in ids for each in text], dtype=torch.int32).to(torch.uint16),
    }
    for number, text in enumerate(READ):
        output = model(tokenizer(text, return_tensors="pt")["input_ids"], output_attentions=True)
        attn_weights, logits = torch.cat(output.attentions), output.logits[0]
        of_weights, of_logits = picked(number, len(logits))
        kept[f"weights{number}"] = attn_weights.flatten(2).gather(-1, of_weights)
        kept[f"logits{number}"] = logits.gather(-1, of_logits)
        kept[f"largest{number}"] = logits.argmax(-1).to(torch.int32).to(torch.uint16)
    for number, text in enumerate(BEGUN):
        inputs = tokenizer(text, return_tensors="pt")
        written = model.generate(**inputs, do_sample=False, max_new_tokens=NUM_NEW)[0, inputs["input_ids"].shape[1] :]
        kept[f"written{number}"] = written.to(torch.int32).to(torch.uint16)
        print(repr(tokenizer.decode(written)))
    TARGET.parent.mkdir(exist_ok=True)
    save_file({name: tensor.contiguous() for name, tensor in kept.items()}, TARGET)
    print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes; {len(kept['ids']):,} tokens of {len(ids)} texts")


if __name__ == "__main__":
    main()

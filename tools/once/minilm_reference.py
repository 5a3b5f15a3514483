"""Write tests/data/minilm_reference.safetensors: hidden states as the `transformers` library computes them.

Run once, in an environment of its own that has `transformers` and `safetensors` beside the course's torch and
course_utils: `python tools/once/minilm_reference.py`. The test needs none of that: it reads the file, and imports
`picked` and the sentences from this module.
"""

import json

import torch
from safetensors.torch import load_file, save_file

from course_utils import data

TARGET = data.DATA.parent / "tests" / "data" / "minilm_reference.safetensors"
NUM_STATES, WIDTH = 7, 384  # the embeddings and six layers
PER_TOKEN = 6  # how many features of each state of each token are kept
SENTENCES = json.loads(TARGET.with_name("minilm_sentences.json").read_text("utf-8"))


def picked(sentence_number: int, num_tokens: int) -> torch.Tensor:
    """Return the indices of the kept features, for hidden_states.gather(-1, ...): int64, (7, num_tokens, 6)."""
    states = torch.arange(NUM_STATES)[:, None, None]
    tokens = torch.arange(num_tokens)[None, :, None]
    features = torch.arange(PER_TOKEN)[None, None, :]
    return (features + PER_TOKEN * tokens + 54 * states + 30 * sentence_number) % WIDTH


def reference_model():
    """Return (model, tokenizer) of the `transformers` library, loaded from the course's two files of MiniLM."""
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    shapes = {"num_hidden_layers": 6, "num_attention_heads": 12, "hidden_size": WIDTH, "intermediate_size": 4 * WIDTH}
    model = BertModel(BertConfig(**shapes, attn_implementation="eager")).eval()
    weights = load_file(data.path("minilm/model.safetensors"))
    weights.pop("embeddings.position_ids", None)
    model.load_state_dict(weights)
    return model, PreTrainedTokenizerFast(tokenizer_file=str(data.path("minilm/tokenizer.json")))


def main():
    model, tokenizer = reference_model()
    kept, seen = {}, torch.zeros(NUM_STATES, WIDTH, dtype=torch.bool)
    for number, sentence in enumerate(SENTENCES):
        ids = tokenizer(sentence, padding=False, truncation=False, return_tensors="pt")["input_ids"]
        with torch.no_grad():
            states = torch.cat(model(ids, output_hidden_states=True).hidden_states)  # (7, num_tokens, 384)
        index = picked(number, ids.shape[1])
        kept[f"{number:02}"] = states.gather(-1, index)  # (7, num_tokens, 6)
        seen.scatter_(1, index.flatten(1), True)
    assert seen.all(), "some features are never looked at"
    TARGET.parent.mkdir(exist_ok=True)
    save_file(kept, TARGET, metadata={"sentences": json.dumps(SENTENCES)})
    print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes, {len(SENTENCES)} sentences")


if __name__ == "__main__":
    main()

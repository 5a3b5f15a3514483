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

SENTENCES = [
    "Yes",
    "Attention!",
    "icy",
    "42",
    "?",
    "🙂",
    "a cold icy wind blew in",
    "The robot could not climb the hill because it was too weak.",
    "The robot could not climb the hill because it was too steep.",
    "The keys that the teacher left in the room are missing.",
    "The keys to the old cabinet near the window in the hall were lost last winter.",
    "Time flies like an arrow; fruit flies like a banana.",
    "She said: “I'll be there at 7:45 p.m. -- don't wait!”",
    "Water boils at 100 °C (212 °F) at sea level.",
    "In 1969, 3.5 million people watched; 600,000,000 more did so on television.",
    "π ≈ 3.14159265358979, e ≈ 2.71828, and √2 ≈ 1.41421.",
    "Is that so?! No... well, maybe: yes & no (50/50).",
    "def softmax(x): return x.exp() / x.exp().sum(-1, keepdim=True)",
    "https-like things, e-mail@like.things and #hashtags are split into many pieces",
    "Donaudampfschifffahrtsgesellschaftskapitän",
    "antidisestablishmentarianism and floccinaucinihilipilification",
    "Der Hund hat den Ball gefangen, obwohl es regnete.",
    "Le chat n'a pas traversé la rivière parce qu'elle était trop profonde.",
    "El viento frío entró por la ventana abierta de la cocina.",
    "Il robot non è riuscito a salire sulla collina: era troppo ripida.",
    "Кошка не смогла переплыть реку.",
    "猫は川を渡れなかった。",
    "机器人爬不上那座山。",
    "로봇은 언덕을 오를 수 없었다.",
    "القطة لم تعبر النهر",
    "बिल्ली नदी पार नहीं कर सकी।",
    "Η γάτα δεν πέρασε το ποτάμι.",
    "🐱 + 🌊 = 😱, said the 🤖",
    "👩‍🚀 and 👨‍👩‍👧‍👦 are several characters each; 🇨🇭 is two.",
    "naïve café, jalapeño, Ångström, Dvořák, Łódź, İstanbul",
    "NASA, UNESCO and the U.S.A. SHOUT, while e. e. cummings does not.",
    "tabs\tand\nnew lines   and      many spaces",
    "zero\u200bwidth and soft\u00adhyphens and a no-break\u00a0space",
    "[MASK] is a token that the model knows, and so is [UNK].",
    "the the the the the the the the",
    "a b c d e f g h i j k l m n o p q r s t u v w x y z",
    "0 1 1 2 3 5 8 13 21 34 55 89 144 233 377 610 987 1597 2584",
    "...",
    "(((((())))))",
    "Buffalo buffalo Buffalo buffalo buffalo buffalo Buffalo buffalo.",
    "The old man the boats, and the horse raced past the barn fell.",
    "Because it was late, and because nobody had thought of bringing a lamp, they walked home in the dark, one behind "
    "the other, counting their steps aloud, until the first of them, who had reached four hundred and twelve, stopped "
    "so suddenly that all the others, one after the other, ran into his back.",
    "A query asks, a key answers, and a value is what gets delivered: that is the whole idea, and everything that "
    "comes after it, from the scaling to the masks, from the many heads to the many layers, is there to make the idea "
    "train well, run fast, and look at only those words that it is allowed to see.",
    "First, take 250 g of flour, 3 eggs, 1/2 l of milk and a pinch of salt; second, whisk; third, wait 30 min.; "
    "fourth, melt 10 g of butter at 180 °C; fifth, pour, turn, and eat while hot (serves 4, or 2 who have walked 20 "
    "km).",
    "Numbers mix with words in 2026: the 1st, the 2nd, the 3rd, 4x4, 3D, B2B, H2O, CO₂, m², 10⁻⁹ and №5.",
]


def picked(sentence_number, num_tokens):
    """Return the indices of the features that are kept, a tensor for hidden_states.gather(-1, ...).

    sentence_number: an index into SENTENCES. The indices have the shape (7, num_tokens, 6), int64, and shift with the
    token, the layer and the sentence, so that every feature is kept somewhere.
    """
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
    compare(model, tokenizer)


def compare(model, tokenizer):
    """Print the largest difference between the course's model and the library's, over all SENTENCES.

    Compared are all features of the hidden states, and all attention weights. model, tokenizer: as `reference_model`
    returns them.
    """
    from course_utils.models import minilm

    ours, largest = minilm.load(), 0.0
    for sentence in SENTENCES:
        ids = tokenizer(sentence, padding=False, truncation=False, return_tensors="pt")["input_ids"]
        with torch.no_grad():
            output = model(ids, output_hidden_states=True, output_attentions=True)
        encoded = ours(sentence)
        for got, expected in zip(
            (encoded.hidden_states, encoded.attn_weights), (output.hidden_states, output.attentions), strict=True
        ):
            largest = max(largest, (got - torch.cat(expected)).abs().max().item())
    print(f"largest difference in hidden states and weights: {largest:.1e}")


if __name__ == "__main__":
    main()

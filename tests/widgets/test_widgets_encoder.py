"""Compare the attention and the encoder in JavaScript, in Node, with the course's own and with PyTorch's."""

import json
import random
import unicodedata
from pathlib import Path

import pytest
import torch
from node import run

from course_utils.attention import MultiHeadAttention, scaled_dot_product_attention, split_heads
from course_utils.models import minilm

pytestmark = pytest.mark.needs_node

CLOSE = {"atol": 1e-6, "rtol": 1e-5}
FLOATS = """const array = (numbers) => Float32Array.from(numbers);
const floats = (layer) => ({ ...layer, weight: array(layer.weight), bias: array(layer.bias) });
"""


def layer(linear):
    """Return an nn.Linear as linear.js takes it, with lists in place of arrays of float32."""
    d_out, d_in = linear.weight.shape
    return {"weight": linear.weight.flatten().tolist(), "bias": linear.bias.tolist(), "dIn": d_in, "dOut": d_out}


@pytest.mark.parametrize("num_tokens", range(1, 10))
def test_attention_is_the_class_of_the_course(num_tokens):
    torch.manual_seed(num_tokens)
    attention, inputs = MultiHeadAttention(10, 12, 3, qkv_bias=True), 3 * torch.randn(num_tokens, 10)
    names = ["W_query", "W_key", "W_value", "out_proj"]
    code = f"""{FLOATS}
for (const name in layers) layers[name] = floats(layers[name]);
const found = new MultiHeadAttention(layers, 3).forward(Float32Array.from(inputs));
for (const name in found) found[name] = Array.from(found[name]);
return found;"""
    layers = {name: layer(getattr(attention, name)) for name in names}
    found = run(code, "attention.js", layers=layers, inputs=inputs.flatten().tolist())
    with torch.no_grad():
        context_vecs, attn_weights = attention(inputs)
        queries, keys, values = (split_heads(getattr(attention, name)(inputs), 3) for name in names[:3])
        scores = queries @ keys.transpose(-2, -1) / 2
        assert torch.equal(scaled_dot_product_attention(queries, keys, values)[1], attn_weights)
    expected = {"queries": queries, "keys": keys, "values": values, "scores": scores, "weights": attn_weights}
    assert found.keys() == {*expected, "contextVecs"}
    for name, tensor in {**expected, "contextVecs": context_vecs}.items():
        got = torch.tensor(found[name], dtype=torch.float32).view(tensor.shape)
        torch.testing.assert_close(got, tensor, **CLOSE)


def odd_texts():
    """Yield 500 texts: sentences, cells of the notebooks, and characters from many scripts.

    The characters are at least as old as Unicode 3.2: the library and Node know different versions of the newest.
    """
    folder = Path(__file__).parents[1]
    yield from json.loads((folder / "data" / "minilm_sentences.json").read_text("utf-8"))
    prose = []
    for path in sorted((folder.parent / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        prose += ["".join(cell["source"]) for cell in cells]
    draw = random.Random(0)
    yield from draw.sample(prose, 250)
    blocks = [(0, 0x250), (0x250, 0x600), (0x900, 0x1200), (0x1E00, 0x2C00), (0x3040, 0x3200), (0x4E00, 0xA000),
              (0xAC00, 0xD7A4), (0xF900, 0xFFFE), (0x20000, 0x20100)]  # fmt: skip
    for number in range(200):
        first, last = blocks[number % len(blocks)]
        known = [code for code in range(first, last) if unicodedata.ucd_3_2_0.category(chr(code)) != "Cn"]
        yield "".join(draw.choice([" ", "", "a"]) + chr(draw.choice(known)) for _ in range(draw.randint(1, 30)))


@pytest.mark.needs_weights
def test_tokens_are_those_of_the_tokenizers_library():
    texts, model = list(odd_texts()), minilm.load()
    words = sorted(model.tokenizer.get_vocab(), key=model.tokenizer.get_vocab().get)
    code = "const cutter = new WordPiece(words);\nreturn texts.map((text) => cutter.encode(text));"
    found = run(code, "wordpiece.js", words=words, texts=texts)
    assert len(texts) == 500
    for text, got in zip(texts, found, strict=True):
        expected = model.tokenizer.encode(text)
        assert (got["tokens"], got["ids"]) == (expected.tokens, expected.ids), repr(text)

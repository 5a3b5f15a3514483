"""Test the views on models of Hugging Face's transformers, made from small configurations, and the page about them."""

import ast
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from course_utils import data, plots
from course_utils.models import minilm
from course_utils.widgets import HeadsView, SentenceView

pytestmark = pytest.mark.needs_transformers

PAGE = Path(__file__).parents[2] / "docs" / "own_model.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SIZES = {"vocab_size": 50, "num_hidden_layers": 3, "num_attention_heads": 4, "hidden_size": 32}
T5 = {"vocab_size": 50, "num_layers": 3, "num_decoder_layers": 2, "num_heads": 4, "d_model": 32, "d_kv": 8, "d_ff": 64}
FAMILIES = {
    "GPT2": SIZES,
    "Bert": SIZES | {"intermediate_size": 64},
    "Llama": SIZES | {"intermediate_size": 64, "num_key_value_heads": 2},
    "T5": T5,
}
IDS, TARGET = torch.arange(7)[None], torch.arange(5)[None]
TOKENS, TARGET_TOKENS = [f"q{i}" for i in range(7)], [f"t{i}" for i in range(5)]


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def made(family, implementation="eager", kind="AutoModel", **sizes):
    """Return a small model with random weights.

    family: a key of FAMILIES. kind: the name of a class that has from_config. sizes: of the configuration.
    """
    import transformers

    torch.manual_seed(0)
    config = getattr(transformers, f"{family}Config")(**FAMILIES[family] | sizes)
    return getattr(transformers, kind).from_config(config, attn_implementation=implementation).eval()


def cases(family, dtype):
    """Return what a model of a family returns: a list of (weights, tokens, key_tokens or None)."""
    model = made(family).to(dtype)
    if family != "T5":
        return [(model(IDS, output_attentions=True).attentions, TOKENS, None)]
    outputs = model(input_ids=IDS, decoder_input_ids=TARGET, output_attentions=True)
    return [
        (outputs.encoder_attentions, TOKENS, None),
        (outputs.decoder_attentions, TARGET_TOKENS, None),
        (outputs.cross_attentions, TARGET_TOKENS, TOKENS),
    ]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("family", FAMILIES)
def test_what_a_model_returns_is_shown(family, dtype):
    for weights, tokens, key_tokens in cases(family, dtype):
        expected = torch.cat(weights).detach().float()
        for view in (HeadsView(weights, tokens, key_tokens), SentenceView(weights, tokens, key_tokens)):
            np.testing.assert_array_equal(view._array, expected)
            assert view.to_html() and view.picture()
        figure = plots.attention_heatmap(weights[-1], tokens, key_tokens)
        drawn = [panel.collections[0].get_array().reshape(expected.shape[2:]) for panel in figure.axes[:-1]]
        np.testing.assert_array_equal(drawn, expected[-1])
        assert np.abs(view._array.sum(-1) - 1).max() < 0.01  # the view calls a sum "not 1" from 0.02 on


@pytest.mark.parametrize("implementation", ["sdpa", "eager"])
@pytest.mark.parametrize("family", ["GPT2", "Bert", "Llama"])
@pytest.mark.parametrize("show", [HeadsView, SentenceView, plots.attention_heatmap])
def test_without_weights_the_words_say_how_to_load_the_model(family, implementation, show):
    """The fused kernel returns an empty tuple, or None for each layer; a model that is not asked returns None."""
    asked = {"output_attentions": True} if implementation == "sdpa" else {}
    outputs = made(family, implementation)(IDS, **asked)
    for given in (outputs.attentions, outputs):
        with pytest.raises(ValueError, match=r'loaded with attn_implementation="eager".*output_attentions=True'):
            show(given, TOKENS)


def test_all_outputs_are_refused_with_the_names_of_their_weights():
    with pytest.raises(ValueError, match=r"\(BaseModelOutput\w*\): give \.attentions alone"):
        HeadsView(made("Bert")(IDS, output_attentions=True), TOKENS)
    outputs = made("T5")(input_ids=IDS, decoder_input_ids=TARGET, output_attentions=True)
    kinds = r"\.encoder_attentions or \.decoder_attentions or \.cross_attentions"
    with pytest.raises(ValueError, match=rf"\(Seq2SeqModelOutput\): give {kinds} alone"):
        HeadsView(outputs, TOKENS)
    parts = made("Bert")(IDS, output_attentions=True, return_dict=False)
    with pytest.raises(ValueError, match=r"all outputs of a model \(tuple\): give \[2\] alone"):
        HeadsView(parts, TOKENS)
    assert HeadsView(parts[2], TOKENS)


def test_a_text_that_was_written_is_shown_as_the_words_advise():
    model = made("Llama", kind="AutoModelForCausalLM")
    options = {"max_new_tokens": 3, "do_sample": False, "pad_token_id": 0, "eos_token_id": None}
    written = model.generate(IDS, return_dict_in_generate=True, output_attentions=True, **options)
    with pytest.raises(ValueError, match=r"as generate\(\) returns them"):
        HeadsView(written.attentions, TOKENS)
    assert HeadsView(written.attentions[0], TOKENS).shape == [3, 4, 7, 7]
    assert HeadsView(written.attentions[2], ["new"], [*range(9)]).shape == [3, 4, 1, 9]
    whole = model(written.sequences, output_attentions=True).attentions
    assert HeadsView(whole, [*range(10)]).shape == [3, 4, 10, 10]


def test_heads_with_shared_keys_have_weights_of_their_own_and_the_keys_of_their_group():
    """The page says which heads share keys. If the first heads of keys are 0, just their query heads become even."""
    model = made("Llama")
    with torch.no_grad():
        model.layers[0].self_attn.k_proj.weight[:8] = 0  # of the first of two heads of keys, 8 wide
    first = model(IDS, output_attentions=True).attentions[0][0]
    causal = torch.ones(7, 7).tril()
    is_even = [torch.allclose(head, causal / causal.sum(-1, keepdim=True)) for head in first]
    assert is_even == [True, True, False, False]


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a small GPT-2 and a byte-level tokenizer, which from_pretrained reads."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import PreTrainedTokenizerFast

    tokenizer = ByteLevelBPETokenizer()
    tokenizer.train_from_iterator(["the robot could not climb the hill"] * 3, vocab_size=300, show_progress=False)
    PreTrainedTokenizerFast(tokenizer_object=tokenizer._tokenizer).save_pretrained(tmp_path)
    made("GPT2", kind="AutoModelForCausalLM", vocab_size=300, num_hidden_layers=4).save_pretrained(tmp_path)
    return tmp_path


def run(block, names):
    """Run lines of code with these names, a dict, which gets new ones; return the values of the lines that have one."""
    values = []
    for part in ast.parse(block).body:
        source = ast.unparse(part)
        if isinstance(part, ast.Expr):
            values.append(eval(source, names))
        else:
            exec(source, names)
    return values


def run_with_folder(folder):
    """Run the first lines of the page on the model in a folder; return (their names, a dict; the view they show)."""
    lines, replaced = re.subn(r"(?m)^name = .*$", f"name = {str(folder)!r}", BLOCK.findall(PAGE.read_text("utf-8"))[0])
    assert replaced == 1 and len(list(filter(None, lines.splitlines()))) == 10
    names = {}
    [view] = run(lines, names)
    return names, view


def test_the_ten_lines_of_the_page_show_a_decoder(folder):
    names, view = run_with_folder(folder)
    assert isinstance(view, HeadsView) and view.shape[:2] == [4, 4] and "Ġrobot" in view.tokens
    _, more, cross, text, _ = BLOCK.findall(PAGE.read_text("utf-8"))
    arcs, *figures = run(more, names)
    assert isinstance(arcs, SentenceView) and [len(figure.axes) for figure in figures] == [5, 2]
    run(text, names)
    assert "".join(names["tokens"]) == names["text"] and " robot" in names["tokens"]
    assert HeadsView(names["outputs"].attentions, names["tokens"])
    names |= {"model": made("T5", vocab_size=300), "target_ids": TARGET, "target_tokens": TARGET_TOKENS}
    [view] = run(cross, names)
    assert view.shape == [2, 4, 5, len(names["tokens"])] and view.key_tokens == names["tokens"]


@pytest.mark.needs_weights
def test_the_lines_of_the_page_show_the_weights_that_the_course_computes(tmp_path):
    """The encoder of the page is the one of notebook 13, whose weights the course computes with its own attention."""
    from transformers import BertConfig

    sizes = {"hidden_size": 384, "num_hidden_layers": 6, "intermediate_size": 1536}
    BertConfig(num_attention_heads=12, **sizes).save_pretrained(tmp_path)
    for name in ("model.safetensors", "tokenizer.json"):
        shutil.copy(data.DATA / "minilm" / name, tmp_path)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "BertTokenizer"}))
    names, view = run_with_folder(tmp_path)
    read = minilm.load()(names["text"])
    assert view.tokens == read.tokens
    np.testing.assert_allclose(view._array, read.attn_weights, atol=1e-5)

"""Test SmolLM2 with its published weights: it computes what tools/once/smollm_reference.py stored of `transformers`."""

import shutil
import sys

import pytest
import torch
from once.smollm_reference import BEGUN, NUM_NEW, READ, TARGET, picked, texts
from safetensors.torch import load_file

from course_utils import data, measure
from course_utils.models import smollm, smollm_files

pytestmark = pytest.mark.needs_weights


@pytest.fixture(scope="module")
def model():
    with measure.one_thread():  # on a busy machine, threads waiting for each other cost seconds
        yield smollm.load()


@pytest.fixture(scope="module")
def reference():
    return load_file(TARGET)


def test_500_texts_have_the_tokens_of_transformers(model, reference):
    expected = reference["ids"].int().split(reference["lengths"].tolist())
    assert len(set(texts())) == len(expected) == 500
    for text, ids in zip(texts(), expected, strict=True):
        assert model.ids(text) == ids.tolist(), text
        if "\ufffd" not in text:
            assert model.tokenizer.decode(ids.tolist(), skip_special_tokens=False) == text


@pytest.mark.parametrize("number", range(len(READ)))
def test_weights_and_logits_are_those_of_transformers(model, reference, number):
    reading = model(READ[number])
    of_weights, of_logits = picked(number, len(reading.tokens))
    weights_off = (reading.attn_weights.flatten(2).gather(-1, of_weights) - reference[f"weights{number}"]).abs().max()
    logits_off = (reading.logits.gather(-1, of_logits) - reference[f"logits{number}"]).abs().max()
    assert weights_off <= 1e-5 and logits_off <= 1e-3
    assert reading.logits.argmax(-1).tolist() == reference[f"largest{number}"].int().tolist()


def test_the_reference_has_weights_of_every_head_and_logits_of_every_token(reference):
    assert [tuple(reference[f"weights{number}"].shape) for number in range(len(READ))] == [(30, 9, 8)] * len(READ)
    lengths = [len(reference[f"logits{number}"]) for number in range(len(READ))]
    assert min(lengths) == 1 and max(lengths) > 150
    for number, length in enumerate(lengths):
        of_weights, _ = picked(number, length)
        assert (of_weights % length <= of_weights // length).all()  # no key behind its query


@pytest.mark.parametrize("number", range(len(BEGUN)))
def test_it_would_write_what_transformers_writes(model, reference, number):
    """Read the stored text: the likeliest token after each one is the next, as `write` takes it without temperature."""
    written, begun = reference[f"written{number}"].int().tolist(), model.ids(BEGUN[number])
    likeliest = model([*begun, *written]).logits[len(begun) - 1 : -1].argmax(-1)
    assert likeliest.tolist() == written


def test_it_writes_until_the_end_token(model, reference):
    texts = {number: reference[f"written{number}"].int().tolist() for number in range(len(BEGUN))}
    number, expected = min(texts.items(), key=lambda pair: len(pair[1]))
    assert expected.pop() in model.config.end_tokens and not {*model.config.end_tokens} & {*expected}
    assert [token.id for token in model.write(BEGUN[number], NUM_NEW)] == expected


def test_what_is_loaded(model):
    assert sum(parameter.numel() for parameter in model.parameters()) == 134_515_008
    assert not model.training and not any(parameter.requires_grad for parameter in model.parameters())
    for layer in model.layers:
        assert (layer.attention.num_heads, layer.attention.key_heads) == (9, 3)
    assert model("The robot").tokens == ["The", " robot"]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self/smaps, which only Linux has")
def test_the_weights_are_mapped_from_the_file(model):
    path = str((data.DATA / smollm_files.WEIGHTS).resolve())
    with open("/proc/self/maps", encoding="utf-8") as file:
        mapped = [line.split() for line in file if line.rstrip().endswith(path)]
    assert mapped and all(rights.startswith("rw-p") or rights.startswith("r--p") for _, rights, *_ in mapped)


def test_a_model_that_is_loaded_again_shares_neither_changes_nor_random_numbers(model):
    before, state = model.norm.weight[0].item(), torch.get_rng_state()
    other = smollm.load()
    assert torch.equal(state, torch.get_rng_state())
    with torch.no_grad():
        other.norm.weight[0] = before + 1  # in this copy alone
    assert smollm.load().norm.weight[0].item() == model.norm.weight[0].item() == before


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Replace data/ by a folder with its README.md alone, and return the smollm/ in it."""
    shutil.copy(data.DATA / "README.md", tmp_path)
    monkeypatch.setattr(data, "DATA", tmp_path)
    (tmp_path / "smollm").mkdir()
    return tmp_path / "smollm"


@pytest.mark.parametrize("content", [b"", b"\x10\x00\x00\x00\x00\x00\x00\x00{}", b"another model" * 1000])
def test_weights_that_were_cut_or_changed_are_said_in_words(folder, content):
    for name in (smollm_files.WEIGHTS, smollm_files.TOKENIZER):
        (data.DATA / name).write_bytes(content)
    with pytest.raises(ValueError, match="data/smollm/model.safetensors was changed.*make data MODEL=smollm"):
        smollm.load()

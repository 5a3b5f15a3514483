"""Test that SmolLM's files are made from a GGUF file: a small one, written here, whose right numbers are known."""

import hashlib
import json

import numpy as np
import pytest
import torch
from gguf import GGMLQuantizationType, GGUFWriter, dequantize, quantize
from safetensors import safe_open
from tokenizers import Tokenizer

from course_utils import data, files
from course_utils.models import smollm_files

MATRICES = {  # the published names -> the names in SmolLM, and the shapes
    "token_embd.weight": ("embedding", (40, 64)),
    "output_norm.weight": ("norm.weight", (64,)),
    "blk.0.attn_norm.weight": ("layers.0.attention_norm.weight", (64,)),
    "blk.0.attn_q.weight": ("layers.0.attention.W_query.weight", (64, 64)),
    "blk.1.attn_k.weight": ("layers.1.attention.W_key.weight", (32, 64)),
    "blk.1.attn_v.weight": ("layers.1.attention.W_value.weight", (32, 64)),
    "blk.1.attn_output.weight": ("layers.1.attention.out_proj.weight", (64, 64)),
    "blk.1.ffn_norm.weight": ("layers.1.hidden_norm.weight", (64,)),
    "blk.1.ffn_gate.weight": ("layers.1.gate.weight", (96, 64)),
    "blk.1.ffn_up.weight": ("layers.1.widen.weight", (96, 64)),
    "blk.10.ffn_down.weight": ("layers.10.narrow.weight", (64, 96)),
}
WORDS = ["<|endoftext|>", "a", "b", "Ġ", "1", "2", "ab", "Ġab"]
MERGES = ["a b", "Ġ ab"]


@pytest.fixture
def numbers(tmp_path, monkeypatch):
    """Replace data/ by a folder with a small GGUF file in smollm/; return a dict, our name -> its numbers."""
    (tmp_path / "smollm").mkdir()
    monkeypatch.setattr(data, "DATA", tmp_path)
    writer, random, expected = GGUFWriter(tmp_path / smollm_files.PUBLISHED, "llama"), np.random.default_rng(0), {}
    for published, (ours, shape) in MATRICES.items():
        values = random.normal(size=shape).astype("f4")
        kind = GGMLQuantizationType.F32 if len(shape) == 1 else GGMLQuantizationType.Q4_1
        stored = values if len(shape) == 1 else quantize(values, kind)
        writer.add_tensor(published, stored, raw_dtype=kind)
        expected[ours] = torch.from_numpy(dequantize(stored, kind).reshape(shape).copy())
    writer.add_token_list(WORDS)
    writer.add_token_types([3, *[1] * (len(WORDS) - 1)])
    writer.add_token_merges(MERGES)
    for write in (writer.write_header_to_file, writer.write_kv_data_to_file, writer.write_tensors_to_file):
        write()
    writer.close()
    describe()
    return expected


# Write the checksums of the files in data/ into its README.md; a file that is missing gets one that fits nothing.
def describe():
    rows = []
    for name in (smollm_files.PUBLISHED, smollm_files.WEIGHTS, smollm_files.TOKENIZER):
        content = (data.DATA / name).read_bytes() if (data.DATA / name).exists() else b"missing"
        rows.append(f"| `{name}` | {hashlib.sha256(content).hexdigest()} |\n")
    (data.DATA / "README.md").write_text("".join(rows), "utf-8")


def left():
    return sorted(path.name for path in (data.DATA / "smollm").iterdir() if path.name != files.LOCK)


ALL = sorted(["SmolLM2-135M-Instruct.Q4_1.gguf", "model.safetensors", "tokenizer.json"])


def test_the_weights_have_our_names_and_the_numbers_of_gguf(numbers):
    smollm_files.make()
    assert left() == ALL
    with safe_open(data.DATA / smollm_files.WEIGHTS, "pt") as file:
        assert set(file.keys()) == numbers.keys()
        for name, values in numbers.items():
            assert torch.equal(file.get_tensor(name), values), name


def test_the_numbers_begin_at_a_multiple_of_64_bytes(numbers):
    smollm_files.make()
    content = (data.DATA / smollm_files.WEIGHTS).read_bytes()
    length = int.from_bytes(content[:8], "little")
    assert (8 + length) % 64 == 0
    ends = [tensor["data_offsets"][1] for tensor in json.loads(content[8 : 8 + length]).values()]
    assert ends == sorted(ends) and 8 + length + ends[-1] == len(content)


def test_the_tokenizer_splits_digits_and_knows_the_special_token(numbers):
    smollm_files.make()
    tokenizer = Tokenizer.from_file(str(data.DATA / smollm_files.TOKENIZER))
    assert tokenizer.encode("ab ab12<|endoftext|>").tokens == ["ab", "Ġab", "1", "2", "<|endoftext|>"]
    assert tokenizer.decode([6, 7, 4, 0], skip_special_tokens=False) == "ab ab1<|endoftext|>"
    assert tokenizer.decode([6, 0]) == "ab"


def test_right_files_are_kept_and_made_again_the_same(numbers, capsys):
    smollm_files.make()
    describe()
    before = {name: (data.DATA / "smollm" / name).stat().st_mtime_ns for name in ALL}
    capsys.readouterr()
    smollm_files.make()
    assert capsys.readouterr().out == ""
    assert before == {name: (data.DATA / "smollm" / name).stat().st_mtime_ns for name in ALL}
    (data.DATA / smollm_files.WEIGHTS).write_bytes(b"cut")
    smollm_files.make()
    assert data.is_right(smollm_files.WEIGHTS)  # the same to the byte
    assert "model.safetensors, once" in capsys.readouterr().out


@pytest.mark.parametrize("error, words", [
    (KeyboardInterrupt(), ""),
    (OSError(28, "No space left on device"), "No space left.*540 MB.*run `python -m course_utils.fetch smollm`"),
    (PermissionError(13, "Permission denied"), "Permission denied.*540 MB.*run `python -m course_utils.fetch smollm`"),
])  # fmt: skip
def test_what_breaks_off_leaves_no_half_of_a_file_and_a_folder_that_takes_none_is_said(
    numbers, monkeypatch, error, words
):
    import gguf

    def refuse(*args):
        raise error

    monkeypatch.setattr(gguf, "dequantize", refuse)
    with pytest.raises((OSError, KeyboardInterrupt), match=words):
        smollm_files.make()
    assert left() == [ALL[0], "tokenizer.json"]


def test_without_the_published_file_the_message_says_how_to_fetch_it(numbers):
    (data.DATA / smollm_files.PUBLISHED).unlink()
    with pytest.raises(
        FileNotFoundError, match="gguf is missing. Fetch the model's files .93 MB. with `make data MODEL="
    ):
        smollm_files.make()


def test_a_published_file_that_was_cut_is_refused(numbers):
    path = data.DATA / smollm_files.PUBLISHED
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ValueError, match="gguf was changed: its SHA-256 is not the one.*make data MODEL=smollm"):
        smollm_files.make()
    assert left() == [ALL[0]]

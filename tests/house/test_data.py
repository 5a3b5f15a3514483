"""Test that the files of data/ match its README, and that a missing, changed or unknown file raises a clear error."""

import hashlib
import re

import pytest
import torch
from once.sentence_pairs import from_it

from course_utils import data

TABLE = "| file | bytes | SHA-256 |\n|---|---|---|\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Replace data/ by a folder with one file of the repository and one of the model, both in its README; return it."""
    files = {"words.json": b"[]", "minilm/tokenizer.json": b"{}"}
    (tmp_path / "minilm").mkdir()
    rows = []
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
        rows.append(f"| `{name}` | {len(content)} | {hashlib.sha256(content).hexdigest()} |\n")
    (tmp_path / "README.md").write_text(TABLE + "".join(rows), "utf-8")
    monkeypatch.setattr(data, "DATA", tmp_path)
    return tmp_path


def test_six_tokens_are_the_table_of_the_course():
    tokens, inputs = data.load("six_tokens")
    assert tokens == ["a", "cold", "icy", "wind", "blew", "in"]
    expected = [".43 .15 .89", ".55 .87 .66", ".57 .85 .64", ".22 .58 .33", ".77 .25 .10", ".05 .80 .55"]
    expected = torch.tensor([[float(number) for number in row.split()] for row in expected])
    torch.testing.assert_close(inputs, expected, rtol=0, atol=0)


def test_sentence_pairs_have_tokens_and_weights():
    sentences = data.load("sentence_pairs")
    assert list(sentences) == ["weak", "steep", "sleepy", "deep", "wide", "narrow"]
    for word, (text, tokens, attn_weights) in sentences.items():
        assert text.endswith(f"it was too {word}.") and word in tokens
        assert (tokens[0], tokens[-1]) == ("[CLS]", "[SEP]")
        assert attn_weights.dtype == torch.float32
        assert attn_weights.shape == (6, 12, len(tokens), len(tokens))
        sums = attn_weights.sum(dim=-1)
        torch.testing.assert_close(sums, torch.ones_like(sums), rtol=0, atol=2e-3)


def test_digits_are_pictures_of_ten_kinds():
    pixels, digits = data.load("digits")
    assert (pixels.shape, pixels.dtype) == ((1797, 8, 8), torch.float32)
    assert (digits.shape, digits.dtype) == ((1797,), torch.int64)
    assert (pixels.min(), pixels.max()) == (0, 1) and torch.equal(pixels * 16, (pixels * 16).round())
    assert digits.bincount().tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]


@pytest.mark.parametrize(
    "noun, word, other, with_word, with_other",
    [
        ("robot", "weak", "steep", 0.53, 0.11),
        ("hill", "weak", "steep", 0.14, 0.55),
        ("cat", "sleepy", "deep", 0.58, 0.24),
        ("river", "sleepy", "deep", 0.22, 0.46),
        ("piano", "wide", "narrow", 0.63, 0.75),
    ],
)
def test_where_it_looks(noun, word, other, with_word, with_other):
    sentences = data.load("sentence_pairs")
    assert from_it(sentences[word], noun) == pytest.approx(with_word, abs=0.006)
    assert from_it(sentences[other], noun) == pytest.approx(with_other, abs=0.006)


def test_the_readme_describes_every_file():
    text = (data.DATA / "README.md").read_text("utf-8")
    for name in data._checksums():
        assert f"\n## {name}\n" in text, f"data/README.md says nothing about {name}"
        size = int(re.search(rf"^\| `{name}` \| ([\d,]+) ", text, re.MULTILINE)[1].replace(",", ""))
        file = data.DATA / name
        assert not file.exists() or file.stat().st_size == size


def test_path_finds_a_right_file(folder):
    assert data.path("words.json") == folder / "words.json"
    assert data.path("minilm/tokenizer.json").read_bytes() == b"{}"


@pytest.mark.parametrize(
    "name, step", [("words.json", "git checkout -- data/words.json"), ("minilm/tokenizer.json", "make data")]
)
def test_a_changed_and_a_missing_file_are_refused_with_the_next_step(folder, name, step):
    (folder / name).write_bytes(b"[1]")
    with pytest.raises(ValueError, match=f"data/{name} was changed.*SHA-256.*{step}"):
        data.path(name)
    (folder / name).unlink()
    with pytest.raises(FileNotFoundError, match=f"data/{name} is missing.*{step}"):
        data.path(name)


@pytest.mark.parametrize("name", ["word.json", "README.md", "../pyproject.toml", "", None])
def test_an_unknown_file_lists_those_there_are(folder, name):
    with pytest.raises(ValueError, match=r"no file .*words\.json, minilm/tokenizer\.json"):
        data.path(name)


def test_an_unknown_data_set_lists_those_there_are():
    with pytest.raises(ValueError, match="no data set 'six'.*six_tokens, sentence_pairs, head_numbers, digits"):
        data.load("six")


def test_without_the_table_nothing_is_trusted(folder):
    (folder / "README.md").unlink()
    with pytest.raises(FileNotFoundError, match=r"README\.md.*git checkout -- data"):
        data.path("words.json")

"""Read the files of data/, after a check of each against its SHA-256 in data/README.md.

Only JSON, safetensors and tokenizers are read: formats that cannot run code.
"""

import hashlib
import json
import re
from pathlib import Path
from typing import NamedTuple

import torch
import torch.nn.functional as F
from safetensors import safe_open

from course_utils.files import folder

DATA = folder("data")
FETCHED = {"minilm": "90 MB", "smollm": "93 MB"}  # folders that are not in git -> what a download takes


class Sentence(NamedTuple):
    """A sentence with the attention weights of a real model for it.

    text: the sentence. tokens: a list of num_tokens strs, with [CLS] and [SEP]. attn_weights: (layers, num_heads,
    num_tokens, num_tokens).
    """

    text: str
    tokens: list[str]
    attn_weights: torch.Tensor


class HeadNumbers(NamedTuple):
    """The numbers from which one attention head computes its weights for a sentence.

    inputs: (num_tokens, width), the vectors that the head is given. queries, keys, values: (num_tokens, head_dim).
    W_query: (head_dim, width), and bias: (head_dim,): queries = inputs @ W_query.T + bias.
    """

    inputs: torch.Tensor
    queries: torch.Tensor
    keys: torch.Tensor
    values: torch.Tensor
    W_query: torch.Tensor
    bias: torch.Tensor


class Digits(NamedTuple):
    """Handwritten digits: pixels (1797, 8, 8), from 0 for paper to 1 for ink; digits (1797,), the digit in each."""

    pixels: torch.Tensor
    digits: torch.Tensor


def path(name: str) -> Path:
    """Return the path of a file in data/, after a check of its SHA-256 against the table in data/README.md.

    name: as in that table, for example "six_tokens.json" or "minilm/model.safetensors".
    Errors: ValueError for a name not in the table or a changed file, FileNotFoundError for a missing one.
    """
    known = _checksums()
    if name not in known:
        raise ValueError(f"data/ has no file {name!r}. The files in the table of data/README.md: {', '.join(known)}.")
    if not (DATA / name).is_file():
        raise FileNotFoundError(f"data/{name} is missing. {_next_step(name)}")
    if not is_right(name):
        raise ValueError(f"data/{name} was changed: its SHA-256 is not the one in data/README.md. {_next_step(name)}")
    return DATA / name


def is_right(name: str, file: Path | None = None) -> bool:
    """Return whether a file exists and has the SHA-256 that the table of data/README.md gives for `name`.

    file: the file to check; by default, that of `name` in data/. Errors: KeyError for a name that is not in the table,
    if the file exists.
    """
    file = DATA / name if file is None else file
    if not file.is_file():
        return False
    with open(file, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest() == _checksums()[name]


def load(name):
    """Return one of the course's data sets, whose type depends on its name.

    name: one of these. "six_tokens": a tuple (tokens, inputs) of a list of six words, and their float32 embeddings of
    shape (6, 3). "sentence_pairs": a dict from the word that differs ("weak", "steep", "sleepy", "deep", "wide",
    "narrow") to a Sentence, whose attn_weights are float32, (6, 12, num_tokens, num_tokens); used in start_here.
    "head_numbers": a dict from the same words to the HeadNumbers of layer 3, head 1, in float32; used in start_here.
    "digits": Digits, with pixels as float32 and digits as int64; used in beyond_text. "written": a dict from a name
    ("robot") to a recording for `widgets.Writer`; used in a_language_model.
    Errors: ValueError for another name, and those of `path`.
    """
    readers = {
        "six_tokens": _six_tokens, "sentence_pairs": _sentence_pairs, "head_numbers": _head_numbers, "digits": _digits,
        "written": _written,
    }  # fmt: skip
    if name not in readers:
        raise ValueError(f"there is no data set {name!r}. Choose one of: {', '.join(readers)}.")
    return readers[name]()


class RetrievalBatch(NamedTuple):
    """A batch of examples of the retrieval task, with the shapes and dtypes that `retrieval_batch` returns.

    inputs: float32 (batch, 8, 16), five tokens that carry a payload, then three ("askers") that ask for one. targets:
    int64 (batch, 3), for each asker, the payload that it asks for, from 0 to 4.
    """

    inputs: torch.Tensor
    targets: torch.Tensor


def retrieval_batch(batch_size):
    """Draw a RetrievalBatch from torch's global random generator: inputs (batch_size, 8, 16), targets (batch_size, 3).

    An example has five tokens that carry a mark (one of ten, no two alike) and a payload (one of five), then three
    askers with the marks of three of these carriers, whose payloads are the targets. A token's 16 numbers: the mark,
    one-hot (10), the payload, one-hot (5; zeros for an asker), and 1 for an asker or else 0. Used in trainable_qkv and
    several_heads.
    """
    marks = torch.rand(batch_size, 10).argsort(dim=-1)[:, :5]  # (batch, 5), all different
    payloads = torch.randint(5, (batch_size, 5))
    asked = torch.rand(batch_size, 5).argsort(dim=-1)[:, :3]  # (batch, 3), indices of carriers
    carriers = torch.cat([F.one_hot(marks, 10), F.one_hot(payloads, 5), torch.zeros(batch_size, 5, 1)], dim=-1)
    askers = F.pad(F.pad(F.one_hot(marks.gather(1, asked), 10), (0, 5)), (0, 1), value=1)
    return RetrievalBatch(torch.cat([carriers, askers], dim=1).float(), payloads.gather(1, asked))


def two_marks_batch(batch_size):
    """Return a RetrievalBatch of batch_size random examples in which each asker has the marks of two carriers.

    inputs: (batch, 8, 26), as in retrieval_batch, followed by the asker's second mark, one-hot (zeros for a carrier).
    targets: (batch, 3, 2), the payload of the first mark, then that of the second. Drawn by torch's global random
    generator. Used in several_heads.
    """
    carried = retrieval_batch(batch_size).inputs[:, :5]  # (batch, 5, 16)
    asked = torch.rand(batch_size, 3, 5).argsort(dim=-1)[..., :2]  # (batch, 3, 2), indices of carriers
    examples = torch.arange(batch_size)[:, None, None]
    of_asked = carried[examples, asked]  # (batch, 3, 2, 16)
    first, second = of_asked[..., :10].unbind(dim=2)
    askers = torch.cat([F.pad(F.pad(first, (0, 5)), (0, 1), value=1), second], dim=-1)
    return RetrievalBatch(torch.cat([F.pad(carried, (0, 10)), askers], dim=1), of_asked[..., 10:15].argmax(dim=-1))


def retrieval_labels(inputs):
    """Return a label for each token of one example, as a list of eight strs.

    inputs: one example of a RetrievalBatch, (8, 16): "C:4" carries mark C and payload 4, "C?" asks for it. In the task
    with two marks, (8, 26): "CA?" asks for the payloads of C and of A, in this order.
    """
    names, letters = [], "ABCDEFGHIJ"
    for token in inputs.int().tolist():
        mark = letters[token[:10].index(1)]
        second = letters[token[16:].index(1)] if 1 in token[16:] else ""
        names.append(f"{mark}{second}?" if token[15] else f"{mark}:{token[10:15].index(1)}")
    return names


def _six_tokens():
    table = json.loads(path("six_tokens.json").read_text("utf-8"))
    return table["tokens"], torch.tensor(table["inputs"])


def _sentence_pairs():
    with safe_open(path("sentence_pairs.safetensors"), "pt") as file:
        sentences = json.loads(file.metadata()["sentences"]).items()
        return {word: Sentence(**words, attn_weights=file.get_tensor(word).float()) for word, words in sentences}


def _head_numbers():
    with safe_open(path("head_numbers.safetensors"), "pt") as file:
        shared = [file.get_tensor(name).float() for name in ("W_query", "bias")]
        words = json.loads(file.metadata()["words"])
        parts = {
            word: [file.get_tensor(f"{word}.{name}").float() for name in HeadNumbers._fields[:4]] for word in words
        }
        return {word: HeadNumbers(*tensors, *shared) for word, tensors in parts.items()}


def _digits():
    with safe_open(path("digits.safetensors"), "pt") as file:
        return Digits(file.get_tensor("pixels").float() / 16, file.get_tensor("digits").long())


def _written() -> dict:
    return json.loads(path("written.json").read_text("utf-8"))


def _checksums() -> dict[str, str]:
    """Return the table of data/README.md, file name -> SHA-256. Errors: FileNotFoundError without the file."""
    readme = DATA / "README.md"
    if not readme.is_file():
        raise FileNotFoundError(
            "data/README.md, which holds the checksums, is missing. Run `git checkout -- data` in the course's folder; "
            "if course_utils was installed from elsewhere, run `pip install -e .` there."
        )
    return dict(re.findall(r"^\| `([^`]+)`.*\b([0-9a-f]{64})\b", readme.read_text("utf-8"), re.MULTILINE))


def _next_step(name: str) -> str:
    """Return a sentence that says how to get the file `name` of data/ back."""
    folder = name.partition("/")[0]
    if folder in FETCHED:
        return (
            f"Fetch the model's files ({FETCHED[folder]}) with `make data MODEL={folder}` or "
            f"`python -m course_utils.fetch {folder}`."
        )
    return f"Bring it back with `git checkout -- data/{name}`."

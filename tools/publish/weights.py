"""Round the weights of MiniLM to 8 bits, and write them as scripts, which a page opened from a file can load, too.

A matrix is rounded in groups of 32 neighbours in a row: each number becomes a whole number of one byte, and the group
has one scale, by which they are multiplied. course_utils/widgets/encoder/weights.js reads what is written here.
"""

import base64
import hashlib
import json
import re
from pathlib import Path

import numpy as np
from nb.files import COURSE, write_atomically

from course_utils.files import read_json

GROUP = 32  # numbers that share a scale; one scale for a whole row is too coarse
CANDIDATES = np.linspace(0.9, 1, 11, dtype="f4")  # scales to try, as shares of the one that fits the largest number
SHARD = 6144  # word vectors in a script; the vocabulary begins with the frequent words
SOURCE = COURSE / "data" / "minilm"


def rounded(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a matrix in 8 bits: int8 (rows, columns), and scales, float32 (rows, columns / 32), storable in two bytes.

    matrix: float32 (rows, columns); columns are a multiple of 32.
    """
    groups = matrix.reshape(-1, GROUP)
    largest = np.abs(groups).max(-1, keepdims=True) / np.float32(127)
    best, whole, scales = np.full(largest.shape, np.inf, "f4"), np.zeros(groups.shape, "i1"), np.ones_like(largest)
    for share in CANDIDATES:
        scale = _in_two_bytes(np.where(largest > 0, largest, 1) * share)
        steps = np.clip(np.rint(groups / scale), -128, 127)
        error = np.square(steps * scale - groups).sum(-1, keepdims=True)
        is_better = error < best
        best, scales = np.minimum(best, error), np.where(is_better, scale, scales)
        np.copyto(whole, steps.astype("i1"), where=is_better)
    return whole.reshape(matrix.shape), scales.reshape(len(matrix), -1)


def _in_two_bytes(scales: np.ndarray) -> np.ndarray:
    """Return float32 scales, each rounded to a number whose lower two bytes are 0."""
    return ((scales.astype("<f4").view("<u4") + np.uint32(0x8000)) & np.uint32(0xFFFF0000)).view("<f4")


def write_scripts(folder: Path) -> dict[str, int]:
    """Write the model's scripts to a folder, unless those that it has were made from the same weights by this file.

    Return name of a script without `.js` -> its size in bytes: the vocabulary, what every sentence needs, then the word
    vectors; {} where data/minilm is not there.
    """
    files = (SOURCE / "tokenizer.json", SOURCE / "model.safetensors")
    if not all(file.exists() for file in files):
        return {}
    digests = [hashlib.sha256(file.read_bytes()).hexdigest() for file in (Path(__file__), *files)]
    listed = folder / "made.json"
    known = read_json(listed) or {}
    sizes = known.get("sizes", {})
    there = {file.stem: file.stat().st_size for file in folder.glob("*.js")}
    if known.get("from") != digests or not sizes.items() <= there.items():
        scripts = dict(_scripts())
        for name, script in scripts.items():
            write_atomically(folder / f"{name}.js", script)
        sizes = {name: len(script) for name, script in scripts.items()}
        write_atomically(listed, json.dumps({"from": digests, "sizes": sizes}).encode())
    return sizes


def _scripts():
    """Yield (name without `.js`, script as bytes) of MiniLM, in the order in which a page loads them."""
    from course_utils.models import minilm

    words = json.loads((SOURCE / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    yield "words", _call("words", sorted(words, key=words.get))
    weights = {name: tensor.numpy() for name, tensor in minilm.load().state_dict().items()}
    vectors = weights.pop("word_embeddings")
    parts = {}
    for name, array in weights.items():
        layer = re.match(r"layers\.\d+", name)
        parts.setdefault(layer[0] if layer else "embeddings", {})[name] = array
    for part, arrays in parts.items():
        yield part, _call(part, *_packed(arrays))
    for first in range(0, len(vectors), SHARD):
        part = f"vectors.{first}"
        yield part, _call(part, *_packed({"vectors": vectors[first : first + SHARD]}))


def _packed(weights: dict[str, np.ndarray]) -> tuple[dict, str]:
    """Return (name -> shape, 1 or 2 sizes, of some float32 arrays; the bytes of all of them in base64).

    All is little-endian: a vector as float32; a matrix as int8, row after row, then the upper two bytes of each scale.
    """
    data = []
    for array in weights.values():
        if array.ndim == 1:
            data.append(array.astype("<f4").tobytes())
        else:
            whole, scales = rounded(array)
            data += [whole.tobytes(), (scales.view("<u4") >> 16).astype("<u2").tobytes()]
    return {name: array.shape for name, array in weights.items()}, base64.b64encode(b"".join(data)).decode()


def _call(*arguments) -> bytes:
    return f"takeWeights({', '.join(map(json.dumps, arguments))});\n".encode()

"""Make the two files that SmolLM is loaded from, float32 weights and a tokenizer, from the published GGUF file, once.

The published file holds numbers of four and eight bits, which take seconds to read. The files made from it can be
mapped into memory, so that all processes on a machine share one copy.
"""

import json
import os
import struct
import sys
from pathlib import Path

from tqdm.auto import tqdm

from course_utils import data
from course_utils.files import temporary_folder

PUBLISHED = "smollm/SmolLM2-135M-Instruct.Q4_1.gguf"
WEIGHTS, TOKENIZER = "smollm/model.safetensors", "smollm/tokenizer.json"
SPECIAL = 3  # the GGUF type of a token that stands for no text, such as the end of a message

# The published names of a layer's parameters -> the names in SmolLM.
OUR_NAMES = {
    "attn_norm": "attention_norm",
    "attn_q": "attention.W_query",
    "attn_k": "attention.W_key",
    "attn_v": "attention.W_value",
    "attn_output": "attention.out_proj",
    "ffn_norm": "hidden_norm",
    "ffn_gate": "gate",
    "ffn_up": "widen",
    "ffn_down": "narrow",
}


def make():
    """Make data/smollm/model.safetensors (538 MB) and tokenizer.json from the GGUF file, with a progress bar.

    Files that are there and right are kept. An interruption leaves no half of a file.
    Errors: those of `data.path` if the GGUF file is missing or changed, OSError if data/smollm/ cannot be written to or
    the disk is full.
    """
    if not _wanted():
        return
    published = data.path(PUBLISHED)
    try:
        with temporary_folder(published.parent) as temp:
            if wanted := _wanted():  # again, since another process may have made them meanwhile
                _make(wanted, published, temp / "file")
    except OSError as error:
        raise OSError(
            f"data/smollm/ could not take the files ({error.strerror}). They need 540 MB on the disk, and a folder "
            "that you may write to. If it is not yours, ask who installed the course to run `python -m "
            "course_utils.fetch smollm`."
        ) from error


def _wanted() -> list[str]:
    return [name for name in (TOKENIZER, WEIGHTS) if not data.is_right(name)]


def _make(wanted: list[str], published: Path, temporary: Path):
    """Make the files `wanted` of data/ from the published one; print so. temporary: a free path on the same disk."""
    print(f"Making {' and '.join(f'data/{name}' for name in wanted)}, once: this takes some seconds ...", flush=True)
    from gguf import GGUFReader  # imported here, since only this function needs it

    reader = GGUFReader(published)
    for name in wanted:
        with open(temporary, "wb") as file:
            _write_tokenizer(reader, file) if name == TOKENIZER else _write_weights(reader, file)
        os.replace(temporary, data.DATA / name)


def _write_weights(reader, file):
    """Write all weights as float32 in the format safetensors, tensor by tensor, so that few are in memory at a time."""
    from gguf import dequantize

    tensors = {_our_name(tensor.name): tensor for tensor in reader.tensors}
    header, end = {}, 0
    for name, tensor in tensors.items():
        start, end = end, end + 4 * int(tensor.n_elements)
        shape = [int(size) for size in reversed(tensor.shape)]  # GGUF counts the axes from the last
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [start, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(8 + len(text)) % 64)  # the numbers then begin where vector instructions read fastest
    file.write(struct.pack("<Q", len(text)) + text)
    is_watched = sys.stderr.isatty() or "ipykernel" in sys.modules
    with tqdm(total=end, unit="B", unit_scale=True, leave=False, disable=not is_watched) as bar:
        for tensor in tensors.values():
            bar.update(file.write(dequantize(tensor.data, tensor.tensor_type).astype("<f4", copy=False).data))


def _our_name(published: str) -> str:
    """Return SmolLM's name for a parameter of the GGUF file: "norm.weight" for "output_norm.weight"; else KeyError."""
    if not published.startswith("blk."):
        return {"token_embd.weight": "embedding", "output_norm.weight": "norm.weight"}[published]
    _, layer, name, kind = published.split(".")
    return f"layers.{layer}.{OUR_NAMES[name]}.{kind}"


def _write_tokenizer(reader, file):
    """Write the tokenizer in the JSON format of the library tokenizers."""
    words, kinds, merges = (
        reader.fields[f"tokenizer.ggml.{name}"].contents() for name in ("tokens", "token_type", "merges")
    )
    options = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    special = [number for number, kind in enumerate(kinds) if kind == SPECIAL]
    pieces = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    tokenizer = {
        "version": "1.0",
        "added_tokens": [{"id": number, "content": words[number], **options} for number in special],
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True}, pieces]},
        "decoder": pieces,
        "model": {
            "type": "BPE",
            "vocab": {word: number for number, word in enumerate(words)},
            "merges": [merge.split(" ") for merge in merges],
        },
    }
    file.write(json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")).encode())

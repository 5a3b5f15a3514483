"""Make the part of a page in which the model reads a visitor's sentence: its script, its style and what it stores."""

import base64
import json
from pathlib import Path

from nb.files import write_atomically

from course_utils.files import read_json
from publish.words import ASSETS

LAYER, HEAD = 3, 1  # the attention head that the first notebook shows
START = "The robot could not climb the hill because it was too"
NOUNS = ("robot", "hill")
LAST_WORDS = """weak tired small old young heavy clumsy lazy scared hungry sleepy slow broken rusty fragile fast light
dirty wet hot soft smooth slippery icy rocky rough muddy sandy snowy windy dry narrow wide long high tall far dark cold
steep""".split()  # each is one token, so that all sentences are equally long
PAGES = ("00_start_here", "13_real_heads")  # the pages, beside the start page, on which it stands


def shared_files(model: Path, sizes: dict) -> dict[str, bytes]:
    """Return the content of "own.js" and "own.css", with which a page lets the model read a visitor's sentence.

    model: the folder into which weights.write_scripts wrote; a file there keeps `last_words`. sizes: what it returned.
    """
    if not sizes:
        return {}
    from course_utils import theme
    from course_utils.widgets.shared.modules import bundle

    folder = ASSETS / "own"
    palettes = {"weights": theme.table(theme.WEIGHTS_MAP), "signed": theme.table(theme.SIGNED_MAP)}
    given = {
        "sizes": sizes,
        "worker": f"{bundle('encoder_worker.js')}onmessage = ({{ data }}) => hear(data);\n"
        'const hear = modules["encoder_worker.js"].listener((...answer) => postMessage(...answer));\n',
        "palettes": {name: base64.b64encode(table).decode() for name, table in palettes.items()},
        "example": f"{START} steep.",
        "last": _kept_last_words(model),
        "layer": LAYER,
        "head": HEAD,
    }
    script = (
        f"var ownSentence = (() => {{\n{bundle('own.js', folder=folder)}"
        f'return (root) => modules["own.js"].start(root, {json.dumps(given)});\n}})();\n'
    )
    return {"own.js": script.encode(), "own.css": (folder / "own.css").read_bytes()}


def _kept_last_words(model: Path) -> dict:
    made_from = [*json.loads((model / "made.json").read_text("utf-8"))["from"], START, *LAST_WORDS]
    kept = model / "last_words.json"
    known = read_json(kept) or {}
    if known.get("from") != made_from:
        known = {"from": made_from, "last": last_words()}
        write_atomically(kept, json.dumps(known).encode())
    return known["last"]


def last_words() -> dict:
    """Return one head's weights for the sentence with each of LAST_WORDS at its end, for last_words.js.

    "weights" are packed, in base64; "place" and "it" are indices in "tokens".
    """
    from course_utils.models import minilm
    from course_utils.widgets.writer.written import encoded

    model = minilm.load()
    read = [model(f"{START} {word}.") for word in LAST_WORDS]
    packed = [encoded(sentence.attn_weights[LAYER, HEAD].numpy()) for sentence in read]
    tokens = read[0].tokens
    return {
        "tokens": tokens,
        "place": tokens.index(LAST_WORDS[0]),
        "it": tokens.index("it"),
        "words": LAST_WORDS,
        "weights": [base64.b64encode(data).decode() for data in packed],
        "nouns": NOUNS,
    }

"""Make text from students safe to show in a terminal, in a table and on a page."""

import re

JOINERS = "\u200c\u200d"  # zero-width joiners, with which Persian and Indic names are written
FORMULA = re.compile(r"(^|;\s*)(?=[=+\-@\t\r\n＝＋－＠])")  # some spreadsheets start a cell at a semicolon


def printable(text: str) -> str:
    r"""Return the text in one line, safe to show.

    Each run of white space, with its line breaks, becomes one space; at both ends, white space and joiners are removed.
    Control characters, characters for a reversed direction of writing, and lone surrogates become escapes such as
    `\x1b`; a UTF-8 file cannot hold a lone surrogate. Letters of all scripts stay.
    """
    text = " ".join(text.split()).strip(f" {JOINERS}")
    return "".join(char if char.isprintable() or char in JOINERS else ascii(char)[1:-1] for char in text)


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def harmless(text: str) -> str:
    """Return the text with an apostrophe before each formula that a spreadsheet would read in it."""
    return FORMULA.sub(r"\1'", text)


def distinct(names: dict[str, str], key) -> dict[str, str]:
    """Return a dict like `names`, with a number behind each value that collides with another: `anna`, `anna (2)`.

    key: a function of a value; values for which it returns the same collide, and no two that are returned do. An entry
    whose value equals its own key comes first, and keeps it.
    """
    wanted_keys, keys, result = {key(name) for name in names.values()}, set(), {}
    for original in sorted(names, key=lambda original: (original != names[original], original)):
        name, number = names[original], 1
        while key(name) in keys or (number > 1 and key(name) in wanted_keys):
            number += 1
            name = f"{names[original]} ({number})"
        keys.add(key(name))
        result[original] = name
    return result

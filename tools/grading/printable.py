"""Make text from students safe to show in a terminal, in a table and on a page."""

import re

JOINERS = "\u200c\u200d"  # zero-width joiners, with which Persian and Indic names are written
FORMULA = re.compile(r"(^|;\s*)(?=[=+\-@\t\r\n＝＋－＠])")  # some spreadsheets start a cell at a semicolon


def printable(text):
    """Return the text in one line, with an escape such as `\\x1b` for each character that cannot be shown.

    Letters of all scripts stay as they are. Escaped are control characters, characters that reverse the direction of
    writing, and lone surrogates, which no UTF-8 file can hold.
    """
    text = " ".join(text.split()).strip(f" {JOINERS}")
    return "".join(char if char.isprintable() or char in JOINERS else ascii(char)[1:-1] for char in text)


def cut(text, most):
    """Return the text; if it is longer than `most` characters, shortened to so many, the last of them an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def harmless(text):
    """Return the text with an apostrophe before each place that a spreadsheet would read as a formula."""
    return FORMULA.sub(r"\1'", text)


def distinct(names, key):
    """Return a dict like `names`, with numbers behind values so that no two have the same key: `anna`, `anna (2)`.

    names: a dict with texts as values. key: a function of a value, such as `str.casefold`; values with the same key
    count as the same. Entries whose value equals their name in the dict come first, so such a value is changed only if
    another such entry has the same key. No value gets a number that makes it equal to another one.
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

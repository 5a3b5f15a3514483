"""Make what comes from students safe to show, in a terminal, in a table and on a page."""

import re

JOINERS = "\u200c\u200d"  # invisible, and part of how Persian and Indic names are written
FORMULA = re.compile(r"(^|;\s*)(?=[=+\-@\t\r\n＝＋－＠])")  # some spreadsheets begin a new cell at a semicolon


def printable(text):
    """Return the text in one line, with an escape such as `\\x1b` for each character that cannot be shown.

    Letters of all scripts stay as they are. Escapes stand for control characters, for what turns the direction of
    writing round, and for halves of characters, which no file in UTF-8 can hold.
    """
    text = " ".join(text.split()).strip(f" {JOINERS}")
    return "".join(char if char.isprintable() or char in JOINERS else ascii(char)[1:-1] for char in text)


def cut(text, most):
    """Return the text, with an ellipsis for what goes beyond so many characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def harmless(text):
    """Return the text with an apostrophe before whatever a spreadsheet would take for a formula."""
    return FORMULA.sub(r"\1'", text)


def distinct(names, key):
    """Return a dict like `names`, its values changed so that no two have the same key: `anna`, `anna (2)`.

    What is the same as its own name in the dict keeps it; no number makes a name that another has.
    """
    wanted, taken, result = {key(name) for name in names.values()}, set(), {}
    for original in sorted(names, key=lambda original: (original != names[original], original)):
        name, number = names[original], 1
        while key(name) in taken or (number > 1 and key(name) in wanted):
            number += 1
            name = f"{names[original]} ({number})"
        taken.add(key(name))
        result[original] = name
    return result

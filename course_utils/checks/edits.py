"""A table of mistakes: each row is a small edit of a solution, written as the learner would have typed it.

    no-scale: The scores are not divided, so the weights come out too sharp. Divide them by the root of the width.
        / queries.shape[-1] ** 0.5 ->
    softmax-axis: Your softmax runs down the columns. A row belongs to one query: `dim=-1`.
        torch.softmax(…, dim=-1) -> torch.softmax(…, dim=-2)

A row is an id with its words, then its edits, which together make one wrong answer. `old -> new` changes the one place
where `old` stands, `old ->> new` every place. `…` stands for any text whose brackets close, and is carried over. `⏎` in
`new` begins a line; a long `new` goes on in a line that is indented once more. A line `or` begins another wrong answer
with the same id and words. A row without words is found by a behaviour, which has them; a row without edits gives its
words to the shared rows of that id. A row `=name` is no mistake: it is another right way to write the solution, in
which every mistake is known as well.
"""

import re
from typing import NamedTuple

HEAD = re.compile(r"(=?[a-z][a-z0-9-]*):(?: (.*))?")
EDIT = re.compile(r"(.+?) (->>?)(?: (.*))?")
HOLE = "…"
BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


class TableError(ValueError):
    """A table cannot be read, or one of its edits cannot be made; the words name the row."""


class Edit(NamedTuple):
    """`old` becomes `new`, in its one place or in every place."""

    old: str
    every: bool
    new: str


class Row(NamedTuple):
    """One wrong answer, or another right way, as it is written."""

    id: str
    words: str
    edits: tuple


class Place(NamedTuple):
    """A piece of the source and what stands there instead."""

    start: int
    end: int
    new: str


def rows(table):
    """Read a table into a list of Row. Errors: TableError."""
    found, head, words, edits, after_or = [], None, [], [], False
    for line in [*table.splitlines(), "end:"]:
        text, begins = line.strip(), HEAD.fullmatch(line)
        if begins or text == "or":
            if head and not edits and (after_or or text == "or" or not words):
                raise TableError(f"{head}: a row needs an edit, `old -> new`.")
            if head:
                found.append(Row(head, " ".join(words), tuple(edits)))
            edits, after_or = [], text == "or"
        if begins:
            head, words = begins[1], [begins[2]] if begins[2] else []
        elif text and text != "or":
            if head is None:
                raise TableError(f"`{text}` stands before the first row: begin one with `its-id: what is wrong.`")
            if edits and line.startswith(" " * 8):
                edits[-1] = edits[-1]._replace(new=f"{edits[-1].new} {text}".strip())
            elif edit := EDIT.fullmatch(text):
                edits.append(Edit(edit[1], edit[2] == "->>", edit[3] or ""))
            elif edits:
                raise TableError(f"{head}: `{text}` is no edit: write `old -> new`, or `or` before another answer.")
            else:
                words.append(text)
    return found


def places(source, row):
    """Where a row changes the source, as sorted Places.

    Errors: TableError where an edit does not fit, or fits twice.
    """
    found = []
    for edit in row.edits:
        spans = _matches(source, edit.old)
        if not spans:
            raise TableError(f"{row.id}: `{edit.old}` does not stand in the solution.")
        if len(spans) > 1 and not edit.every:
            raise TableError(
                f"{row.id}: `{edit.old}` stands {len(spans)} times in the solution. Make it longer, or write `->>`."
            )
        for pieces in spans:
            found += _replaced(source, row.id, edit, pieces)
    found.sort()
    if any(one.end > other.start for one, other in zip(found, found[1:], strict=False)):
        raise TableError(f"{row.id}: two of its edits change the same text.")
    return found


def apart(one, other):
    """Whether two lists of places change different pieces of the source."""
    return all(a.end <= b.start or b.end <= a.start for a in one for b in other)


def edited(source, places):
    """The source with its places changed."""
    for start, end, new in sorted(places, reverse=True):
        indent = re.match(r" *", source[source.rfind("\n", 0, start) + 1 :])[0]
        source = source[:start] + re.sub(" ?⏎ ?", "\n" + indent, new) + source[end:]
    return source


def _matches(source, old):
    """Every match of `old`, as a list of the (start, end) of its pieces of plain text, between which are the holes."""
    first, *others = old.split(HOLE)
    found = []
    for start in _starts(source, first):
        pieces = [(start, start + len(first))]
        for text in others:
            at = _after_hole(source, pieces[-1][1], text)
            if at is None:
                break
            pieces.append((at, at + len(text)))
        else:
            found.append(pieces)
    return found


def _starts(source, text):
    """Where the text stands, as a whole word where it begins with a letter: `keys` is no match in `my_keys`."""
    word = r"(?<!\w)" if text[:1].isalnum() or text[:1] == "_" else ""
    return [match.start() for match in re.finditer(word + re.escape(text), source)] if text else []


def _after_hole(source, start, text):
    """Where `text` begins after a hole at `start`; the hole is as short as it can be with its brackets closed."""
    depth = 0
    for at in range(start, len(source)):
        if depth == 0 and at > start and text and source.startswith(text, at):
            return at
        depth += BRACKETS.get(source[at], 0)
        if depth < 0:
            return None
    return None


def _replaced(source, id, edit, pieces):
    """The places of one match: with as many holes on both sides, what stands in the holes is left alone."""
    holes = [source[one[1] : other[0]] for one, other in zip(pieces, pieces[1:], strict=False)]
    new = edit.new.split(HOLE)
    if len(new) == len(pieces):
        return [Place(start, end, text) for (start, end), text in zip(pieces, new, strict=True)]
    if len(holes) != 1 and len(new) > 1:
        raise TableError(f"{id}: `{edit.old}` has {len(holes)} holes and `{edit.new}` has {len(new) - 1}.")
    return [Place(pieces[0][0], pieces[-1][1], (holes[0] if holes else "").join(new))]

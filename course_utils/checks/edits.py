"""Read and apply tables of mistakes: each row is a small edit of a solution, as the learner would have typed it.

A row is an id, the words that the learner reads, and edits, which together make one wrong answer:

    no-scale: The scores are not divided, so the weights come out too sharp. Divide by the root of the width.
        / queries.shape[-1] ** 0.5 ->
    softmax-axis: Your softmax runs down the columns. A row belongs to one query: `dim=-1`.
        torch.softmax(…, dim=-1) -> torch.softmax(…, dim=-2)

`old -> new` replaces the only `old`, `old ->> new` each. `…` matches any text whose brackets close, and carries it
over. `⏎` in `new` begins a line; a long `new` goes on in a line that is indented once more. A line `or` begins another
wrong answer with the same id and words. A row `=name` is another right way to write the solution, in which every
mistake is recognised, too. A row without words is a mistake that a behaviour finds and puts into words; where these
never vary, they stand in the row, and the behaviour yields `finding(exercise, id)`. A row without edits replaces the
words of the shared rows with the same id. For what no edit can express, an exercise has a second solution with a table
of its own (`also=`).
"""

import re
from typing import NamedTuple

HEAD = re.compile(r"(=?[a-z][a-z0-9-]*):(?: (.*))?")
EDIT = re.compile(r"(.+?) (->>?)(?: (.*))?")
HOLE = "…"
BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


class TableError(ValueError):
    """The error for a table that cannot be read, or an edit that cannot be applied; its message names the row."""


class Edit(NamedTuple):
    """A replacement of the text `old` by `new`: of every occurrence if `every` is True, else of the only one."""

    old: str
    every: bool
    new: str


class Row(NamedTuple):
    """A wrong answer of a table of mistakes, or another right way to write the solution, whose id begins with "=".

    words: the sentences for the learner, "" for none. edits: a tuple of Edit, () for a row that only replaces words.
    """

    id: str
    words: str
    edits: tuple


class Place(NamedTuple):
    """The piece `source[start:end]` of a source, and `new`, the text that takes its place."""

    start: int
    end: int
    new: str


def rows(table: str) -> list[Row]:
    """Parse a table of mistakes, in the format of this module's docstring; return a Row for each mistake and each `or`.

    Errors: TableError for a line that breaks the format.
    """
    blocks = []  # (id, lines of words, for each wrong answer a list of edits)
    for line in filter(str.strip, table.splitlines()):
        text = line.strip()
        if head := HEAD.fullmatch(line):
            blocks.append((head[1], [head[2]] if head[2] else [], [[]]))
            continue
        if not blocks:
            raise TableError(f"`{text}` stands before the first row: begin one with `its-id: what is wrong.`")
        id, words, answers = blocks[-1]
        edits = answers[-1]
        if text == "or":
            answers.append([])
        elif edits and line.startswith(" " * 8):
            edits[-1] = edits[-1]._replace(new=f"{edits[-1].new} {text}".strip())
        elif edit := EDIT.fullmatch(text):
            edits.append(Edit(edit[1], edit[2] == "->>", edit[3] or ""))
        elif answers == [[]]:
            words.append(text)
        else:
            raise TableError(f"{id}: `{text}` is no edit: write `old -> new`, or `or` before another answer.")
    for id, words, answers in blocks:
        if not all(answers) and (len(answers) > 1 or not words):
            raise TableError(f"{id}: a row needs an edit, `old -> new`.")
    return [Row(id, " ".join(words), tuple(edits)) for id, words, answers in blocks for edits in answers]


def places(source: str, row: Row) -> list[Place]:
    """Return where the edits of a Row change `source`, the solution's code, sorted.

    Errors: TableError if an edit matches nowhere, matches twice without `->>`, or has numbers of holes (`…`, for any
    text) in `old` and `new` that do not fit together, and if two edits change the same text.
    """
    changes = []
    for edit in row.edits:
        spans = _matches(source, edit.old)
        if not spans:
            raise TableError(f"{row.id}: `{edit.old}` does not stand in the solution.")
        if len(spans) > 1 and not edit.every:
            raise TableError(
                f"{row.id}: `{edit.old}` stands {len(spans)} times in the solution. Make it longer, or write `->>`."
            )
        for pieces in spans:
            changes += _replacements(source, row.id, edit, pieces)
    changes.sort()
    if any(before.end > after.start for before, after in zip(changes, changes[1:], strict=False)):
        raise TableError(f"{row.id}: two of its edits change the same text.")
    return changes


def apart(first: list[Place], second: list[Place]) -> bool:
    """Return whether two lists of Places do not overlap, so that the edits of both can be made; they may touch."""
    return all(a.end <= b.start or b.end <= a.start for a in first for b in second)


def edited(source: str, places: list[Place]) -> str:
    """Return source code with the text at each of `places`, which do not overlap, replaced by the new text.

    A `⏎` in the new text begins a line, indented like the line of the Place.
    """
    for start, end, new in sorted(places, reverse=True):
        indent = re.match(r" *", source[source.rfind("\n", 0, start) + 1 :])[0]
        source = source[:start] + re.sub(" ?⏎ ?", "\n" + indent, new) + source[end:]
    return source


def _matches(source: str, old: str) -> list[list[tuple]]:
    """Return every match of a text with holes, `…`: the (start, end) of each fixed text around the holes."""
    first, *rest = old.split(HOLE)
    matches = []
    word = r"(?<!\w)" if re.match(r"\w", first) else ""  # `keys` does not match in `my_keys`
    for begin in re.finditer(word + re.escape(first), source) if first else ():
        pieces = [begin.span()]
        for text in rest:
            at = _after_hole(source, pieces[-1][1], text)
            if at is None:
                break
            pieces.append((at, at + len(text)))
        else:
            matches.append(pieces)
    return matches


def _after_hole(source: str, start: int, text: str) -> int | None:
    """Return the offset of the first `text` after a hole: one character or more, with balanced brackets."""
    depth = 0
    for at in range(start, len(source)):
        if depth == 0 and at > start and text and source.startswith(text, at):
            return at
        depth += BRACKETS.get(source[at], 0)
        if depth < 0:
            return None
    return None


def _replacements(source: str, id: str, edit: Edit, pieces: list[tuple]) -> list[Place]:
    """Return the Places at which one match of an Edit changes the source.

    A hole is a `…` in `old` or `new`, and the pieces are what stands between. If `old` and `new` have equally many
    holes, only the pieces are replaced. If `old` has one hole, its text is copied into each hole of `new`. If `new` has
    none, it replaces the whole match. pieces: the match, as in `_matches`. Errors: TableError, which names the row's
    id, for other numbers of holes.
    """
    holes = [source[before[1] : after[0]] for before, after in zip(pieces, pieces[1:], strict=False)]
    new = edit.new.split(HOLE)
    if len(new) == len(pieces):
        return [Place(start, end, text) for (start, end), text in zip(pieces, new, strict=True)]
    if len(holes) != 1 and len(new) > 1:
        raise TableError(f"{id}: `{edit.old}` has {len(holes)} holes and `{edit.new}` has {len(new) - 1}.")
    return [Place(pieces[0][0], pieces[-1][1], (holes[0] if holes else "").join(new))]

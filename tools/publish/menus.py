"""Open some lines of an exercise's solution: each becomes a menu of ways to write it, one of them right.

The wrong ways come from the exercise's table of mistakes. No answer runs here: `reports` checks what can be chosen.
"""

import hashlib
import io
import itertools
import re
import subprocess
import sys
import tokenize
from collections import Counter
from typing import NamedTuple

from course_utils.checks.edits import edited, rows
from course_utils.lessons import shared

MOST_MENUS = 4
MOST_WAYS = 6
MOST_LINES = 4  # of the right code, in one menu
FORMAT = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", "120", "-"]
NEXT = "# next"  # between two sources
SHARED = [row.id for name, table in vars(shared).items() if name.isupper() for row in rows(table)]
COMMON = {id: place for place, id in reversed([*enumerate(SHARED)])}  # id -> where it first stands
BRACKETED = re.compile(r"(?<=[ (])\((\w+)\)(?=\.)")  # a name, which an edit left in brackets
LEAVES = re.compile(r"\b(return|yield|break)\b")


class Menu(NamedTuple):
    """A menu in place of some lines of the right code."""

    first: int  # index of the first line
    last: int  # index of the last line
    ways: tuple[str, ...]  # texts to choose from, indented as there; "" stands for no line
    ids: tuple[str, ...]  # of each way's mistake, or "" if right


class OpenCode(NamedTuple):
    """The solution of an exercise with open lines, under the name that the learner's answer has, `stub`.

    A choice is a tuple with the index of a way for each of the menus, from top to bottom.
    """

    stub: str
    lines: tuple[str, ...]
    menus: tuple[Menu, ...]

    def code(self, chosen: tuple[int, ...]) -> str:
        lines = list(self.lines)
        for menu, way in reversed(list(zip(self.menus, chosen, strict=True))):
            lines[menu.first : menu.last + 1] = [menu.ways[way]] if menu.ways[way] else []
        return "\n".join(lines) + "\n"

    def mistakes(self, chosen: tuple[int, ...]) -> list[str]:
        """Return the ids of the mistakes in a choice, one for each wrong way; [] if all ways are right."""
        return [menu.ids[way] for menu, way in zip(self.menus, chosen, strict=True) if menu.ids[way]]

    def choices(self) -> list[tuple[int, ...]]:
        """Return all choices with at most one mistake."""
        chosen = itertools.product(*(range(len(menu.ways)) for menu in self.menus))
        return [ways for ways in chosen if len(self.mistakes(ways)) <= 1]


class _Version(NamedTuple):
    """The code after the edits of a row of a table of mistakes."""

    id: str  # the row's
    lines: list[str]  # of this code, without comments
    first: int  # index of the first line of the right code that the edits change
    last: int  # index of the last one


def open_code(exercise) -> OpenCode:
    """Return the solution of an Exercise of `checks` with menus in place of the lines that most mistakes change."""
    form = exercise.forms[0]
    stands = re.compile(rf"\b{form.name}\b")
    sources = [form.source, *(edited(form.source, places) for _, places in form.rows)]
    right, *others = _formatted([_without_comments(stands.sub(exercise.stub, source)) for source in sources])
    versions = [
        _version(row.id, lines, right, form.source, places)
        for (row, places), lines in zip(form.rows, others, strict=True)
    ]
    versions = [version for version in versions if _is_plausible(version, right)]
    menus = [_menu(exercise.name, block, right, versions) for block in _blocks(versions, right)]
    return OpenCode(exercise.stub, tuple(stands.sub(exercise.stub, form.source).splitlines()), tuple(menus))


def _without_comments(source: str) -> str:
    """Return Python source without its comments; a line that held only a comment becomes empty."""
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
    return "\n".join(lines)


def _formatted(sources: list[str]) -> list[list[str]]:
    """Return the lines of each Python source as ruff formats it, so that spaces do not tell which is right."""
    joined = f"\n{NEXT}\n".join(sources)
    done = subprocess.run(FORMAT, input=joined, capture_output=True, text=True, encoding="utf-8", check=True)
    return [source.strip("\n").splitlines() for source in BRACKETED.sub(r"\1", done.stdout).split(NEXT)]


def _version(id: str, lines: list[str], right: list[str], source: str, places: list) -> _Version:
    """Return a _Version. lines, right: of the edited and of the right code. places: sorted, in the source."""
    first = source.count("\n", 0, places[0].start)
    last = source.count("\n", 0, max(places[-1].end - 1, places[-1].start))
    from_end = len(right) - 1 - _same(lines[::-1], right[::-1])
    return _Version(id, lines, min(first, _same(lines, right)), max(last, from_end))


def _same(some: list[str], others: list[str]) -> int:
    """Return the number of equal lines at the beginning of two lists of lines."""
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(some, others, strict=False)))


def _is_plausible(version: _Version, right: list[str]) -> bool:
    """Return whether a reader may take a version for the right lines: it is not far longer, nor does it end early."""
    block = version.first, version.last
    way, same = _text(version, block, right), "\n".join(right[version.first : version.last + 1])
    return bool(LEAVES.search(way)) <= bool(LEAVES.search(same)) and len(way) <= 1.5 * len(same) + 24


def _blocks(versions: list[_Version], right: list[str]) -> list[tuple[int, int]]:
    """Return the blocks of lines to replace by menus, (first, last), sorted: those with the most wrong ways a line."""
    worth = {}
    for first, last in {(version.first, version.last) for version in versions}:
        inside = _inside(versions, (first, last))
        wrong = {_text(version, (first, last), right) for version in inside if not version.id.startswith("=")}
        if last - first < MOST_LINES and wrong:
            worth[first, last] = min(len(wrong), MOST_WAYS - 1) - 1.5 * (last - first)
    chosen = []
    for first, last in sorted(worth, key=lambda block: (-worth[block], block)):
        if len(chosen) < MOST_MENUS and all(last < other[0] or other[1] < first for other in chosen):
            chosen.append((first, last))
    return sorted(chosen)


def _inside(versions: list[_Version], block: tuple[int, int]) -> list[_Version]:
    return [version for version in versions if block[0] <= version.first and version.last <= block[1]]


def _text(version: _Version, block: tuple[int, int], right: list[str]) -> str:
    """Return, as one text, the non-empty lines that a version has in place of a block, (first, last), of `right`."""
    first, last = block
    return "\n".join(filter(None, version.lines[first : len(version.lines) - (len(right) - 1 - last)]))


def _menu(name: str, block: tuple[int, int], right: list[str], versions: list[_Version]) -> Menu:
    """Return the menu that replaces a block, (first, last), of the lines `right`; it has at most MOST_WAYS ways.

    They are the right lines, at most one other right way, and wrong ones, by turns from the mistakes that many
    exercises share and from the exercise's own; their order does not tell which is right. name: the exercise's.
    """
    text = "\n".join(right[block[0] : block[1] + 1])
    ids, ranked, seen = {text: ""}, [], Counter()
    for version in _inside(versions, block):
        ids.setdefault(_text(version, block, right), version.id)
    for way in sorted(ids, key=lambda way: COMMON.get(ids[way], 0)):  # the exercise's own keep their order
        id, is_common = ids[way], ids[way] in COMMON
        ranked.append((seen[id], seen[is_common], not is_common, way))
        seen.update({id: 1, is_common: int(not seen[id])})
    ranked = [way for *_, way in sorted(ranked)]
    others = [way for way in ranked if ids[way].startswith("=")][:1]
    wrong = [way for way in ranked if ids[way] and not ids[way].startswith("=")]
    ways = [text, *others, *wrong][:MOST_WAYS]
    ways.sort(key=lambda way: hashlib.sha256(f"{name} {way}".encode()).digest())
    return Menu(*block, tuple(ways), tuple("" if way in others else ids[way] for way in ways))

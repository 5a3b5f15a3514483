"""A solution as it stands in its file, with the table of what goes wrong in it."""

import ast
import functools
import itertools
import sys
from dataclasses import dataclass
from pathlib import Path

from .edits import Row, TableError, apart, edited, places, rows


@dataclass(frozen=True, eq=False)  # one is another than its twin
class Mistake:
    """A wrong answer. words: what is wrong, then the line to change; "" where a behaviour says it."""

    id: str
    words: str
    answer: object


def definition(text, name):
    """The lines that define a name in Python code: its function, class or assignment.

    Errors: LookupError if there is none.
    """
    for node in ast.walk(ast.parse(text)):
        named = [getattr(node, "name", None)] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
        if isinstance(node, ast.Assign):
            named = [target.id for target in node.targets if isinstance(target, ast.Name)]
        if name in named:
            return "".join(text.splitlines(keepends=True)[node.lineno - 1 : node.end_lineno])
    raise LookupError(f"nothing defines {name}.")


class Form:
    """One way to write a solution, and its mistakes.

    module: where it stands. name: what it is called there. mistakes: its table; every row must fit. shared: tables of
    which the rows that fit are taken.
    """

    def __init__(self, module, name, mistakes="", shared=()):
        self._module, self._name, self._mistakes, self._shared = module, name, mistakes, shared

    @functools.cached_property
    def source(self):
        """The text of the definition."""
        return definition(Path(sys.modules[self._module].__file__).read_text("utf-8"), self._name)

    @functools.cached_property
    def _rows(self):
        """Every row with its places. Errors: TableError."""
        own = rows(self._mistakes)
        words = {row.id: row.words for row in own if not row.edits}
        found = [(row, places(self.source, row)) for row in own if row.edits]
        for table in self._shared:
            fitting = [(row, at) for row in rows(table) if (at := self._places_if_any(row))]
            if not fitting:
                raise TableError(f"no row of this shared table fits {self._name}: {table.strip().splitlines()[0]}")
            taken = {tuple(at) for _, at in found}
            found += [(row, at) for row, at in fitting if tuple(at) not in taken]
        if unused := words.keys() - {row.id for row, _ in found}:
            raise TableError(f"{', '.join(sorted(unused))}: words without an edit, and no shared row has this id.")
        return [(Row(row.id, words.get(row.id, row.words), row.edits), at) for row, at in found]

    def _places_if_any(self, row):
        try:
            return places(self.source, row)
        except TableError:
            return []

    @functools.cached_property
    def right_ways(self):
        """The places of each other right way; the first, of none, is the solution as it stands."""
        return [[], *(at for row, at in self._rows if row.id.startswith("="))]

    @functools.cached_property
    def bank(self):
        """A Mistake for each row, made when it is first asked for."""
        return [Mistake(row.id, row.words, self.answer(at, row.id)) for row, at in self._wrong]

    @functools.cached_property
    def _wrong(self):
        return [(row, at) for row, at in self._rows if not row.id.startswith("=")]

    def variants(self):
        """Yield (mistake, answer) for every mistake in every right way that leaves room for it."""
        for way in self.right_ways:
            for mistake, (row, at) in zip(self.bank, self._wrong, strict=True):
                if not way:
                    yield mistake, mistake.answer
                elif apart(at, way):
                    yield mistake, self.answer([*at, *way], row.id)

    def pairs(self, rank):
        """Yield (one, other, their places) for every two mistakes that change different places.

        rank: from each mistake that may be one of them to a number; pairs of high numbers come first.
        """
        here = [(m, at) for m, (_, at) in zip(self.bank, self._wrong, strict=True) if m.words and m in rank]
        pairs = itertools.combinations(here, 2)
        for (one, a), (other, b) in sorted(pairs, key=lambda pair: -sum(rank[mistake] for mistake, _ in pair)):
            if one.id != other.id and apart(a, b):
                yield one, other, [*a, *b]

    def answer(self, places, id="a right way"):
        """The solution with some places changed. Errors: TableError if that is no Python."""
        names = dict(vars(sys.modules[self._module]))
        try:
            exec(compile(edited(self.source, places), f"<{self._name}, {id}>", "exec"), names)
        except SyntaxError as error:
            words = f"{id}: after its edits {self._name} is no Python: {error.msg}, line {error.lineno}."
            raise TableError(words) from None
        return names[self._name]

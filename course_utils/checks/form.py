"""Forms: a form is the source code of a solution, with the table of mistakes that are made in it."""

import ast
import functools
import itertools
import sys
from dataclasses import dataclass
from pathlib import Path

import torch

from .edits import Place, Row, TableError, apart, edited, places, rows


@dataclass(frozen=True, eq=False)  # compare by identity, not by fields
class Mistake:
    """A known mistake: its id, its words ("" if a behaviour has the message), and a wrong answer that has it."""

    id: str
    words: str
    answer: object


def definition(text: str, name: str) -> str:
    """Return the source code, without decorators, of the first function, class or assignment that defines `name`.

    text: the source code to search. Errors: LookupError if nothing there defines the name.
    """
    for node in ast.walk(ast.parse(text)):
        named = [getattr(node, "name", None)] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
        if isinstance(node, ast.Assign):
            named = [target.id for target in node.targets if isinstance(target, ast.Name)]
        if name in named:
            return "".join(text.splitlines(keepends=True)[node.lineno - 1 : node.end_lineno])
    raise LookupError(f"nothing defines {name}.")


class Form:
    """One way to write a solution, with its mistakes.

    module: the name of the module that defines the solution. name: its name there. mistakes: its table, of which every
    row must fit. shared: tables from which the rows that fit are taken, at least one of each.
    """

    def __init__(self, module, name, mistakes="", shared=()):
        self.name, self._module, self._mistakes, self._shared = name, module, mistakes, shared

    @functools.cached_property
    def source(self) -> str:
        """Return the source code of the solution. Errors: LookupError if its module does not define it."""
        return definition(Path(sys.modules[self._module].__file__).read_text("utf-8"), self.name)

    @functools.cached_property
    def rows(self) -> list[tuple]:
        """Return (Row, list of Place) for each row of the tables that fits, and where it changes the solution.

        The rows of the form's own table come first, then the fitting ones of the shared tables, without those whose
        Places are those of an earlier row. Errors: TableError if a row of its own, or a whole shared table, does not
        fit, or if words without an edit have the id of no shared row.
        """
        own = rows(self._mistakes)
        words = {row.id: row.words for row in own if not row.edits}
        fitting = [(row, places(self.source, row)) for row in own if row.edits]
        for table in self._shared:
            shared = [(row, at) for row in rows(table) if (at := self._places_if_any(row))]
            if not shared:
                raise TableError(f"no row of this shared table fits {self.name}: {table.strip().splitlines()[0]}")
            taken = [at for _, at in fitting]
            fitting += [(row, at) for row, at in shared if at not in taken]
        if unused := words.keys() - {row.id for row, _ in fitting}:
            raise TableError(f"{', '.join(sorted(unused))}: words without an edit, and no shared row has this id.")
        return [(row._replace(words=words.get(row.id, row.words)), at) for row, at in fitting]

    def _places_if_any(self, row: Row) -> list[Place]:
        try:
            return places(self.source, row)
        except TableError:
            return []

    @functools.cached_property
    def right_variants(self) -> list[list[Place]]:
        """Return the edits for each right way to write the solution: first none, then those of each row named `=…`."""
        return [[], *(at for row, at in self.rows if row.id.startswith("="))]

    @functools.cached_property
    def bank(self) -> list[Mistake]:
        """Return each wrong answer of the tables; its `answer` is the edited solution."""
        return [mistake for mistake, _ in self._wrong]

    @functools.cached_property
    def _wrong(self) -> list[tuple]:
        """Return (Mistake, list of Place), one for each wrong answer of the tables. The Places are its edits."""
        rows = [(row, at) for row, at in self.rows if not row.id.startswith("=")]
        return [(Mistake(row.id, row.words, self.answer(at, row.id)), at) for row, at in rows]

    def wrong_answers(self):
        """Yield (Mistake, wrong answer) for each mistake in each right variant whose edits it does not overlap."""
        for variant in self.right_variants:
            for mistake, at in self._wrong:
                if not variant:
                    yield mistake, mistake.answer
                elif apart(at, variant):
                    yield mistake, self.answer([*at, *variant], mistake.id)

    def pairs(self, rank: dict[Mistake, float]):
        """Yield (Mistake, Mistake, list of the Places of both) for every two with words, and edits that do not overlap.

        Their ids differ. rank: as for `Exercise.pairs`.
        """
        here = [(mistake, at) for mistake, at in self._wrong if mistake.words and mistake in rank]
        pairs = itertools.combinations(here, 2)
        for (first, a), (second, b) in sorted(pairs, key=lambda pair: -sum(rank[mistake] for mistake, _ in pair)):
            if first.id != second.id and apart(a, b):
                yield first, second, [*a, *b]

    def answer(self, places: list[Place], id="a right way"):
        """Return the function, class or tensor that the solution defines after edits.

        id: of the row, for the message. Errors: TableError if the edited code is not valid Python.
        """
        try:
            return self.define(edited(self.source, places), self.name, id)
        except SyntaxError as error:
            raise TableError(
                f"{id}: after its edits {self.name} is no Python: {error.msg}, line {error.lineno}."
            ) from None

    def define(self, code: str, name: str, id: str):
        """Execute code in a copy of the globals of the solution's module, and torch; return what it defines as `name`.

        id: of the row that the code is from, for the name of its file. Errors: SyntaxError, those of the code, and
        KeyError if nothing is called `name` then.
        """
        names = {"torch": torch, **vars(sys.modules[self._module])}
        exec(compile(code, f"<{name}, {id}>", "exec"), names)
        return names[name]

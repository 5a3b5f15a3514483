"""Slice a notebook's code: find and run the statements that one answer depends on."""

import __future__

import ast
import asyncio
import contextlib
import inspect
import linecache
import symtable
from typing import NamedTuple

from nb import magics
from nb.format import code_cells

DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
TEXT_CELLS = {"markdown": "a Markdown cell", "raw": "a raw cell"}
IMPORTS = ast.Import | ast.ImportFrom
SETTERS = ("setattr", "delattr")  # and, by the custom of torch, every function whose name ends in "_"


class Statement(NamedTuple):
    """A statement at the top level of a code cell. cell: that cell's index among the code cells, from 0.

    binds, reads: the names that it assigns or imports, and the global names that it looks up. changes: the names whose
    objects it may change: it sets an attribute or an item, calls a method and drops its result, decorates with them, or
    hands them to a function such as `setattr` or `nn.init.zeros_`.
    """

    cell: int
    node: ast.stmt
    binds: frozenset
    reads: frozenset
    changes: frozenset


class Call(NamedTuple):
    """A call `checks.<name>(<argument>)` in a notebook. cell: the index of its code cell. place: of its Statement."""

    name: str
    argument: ast.expr
    cell: int
    place: int


class Code:
    """The parsed cells of a NotebookNode. A cell's index counts code cells only, from 0.

    calls: name of an exercise -> its last Call. broken: index of a cell that is not Python -> the parser's exception.
    """

    def __init__(self, notebook):
        self.statements, self.calls, self.broken, self._flags = [], {}, {}, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        for index, cell in enumerate(code_cells(notebook)):
            try:
                source, nodes = magics.parse(cell.source)
                statements = [Statement(index, part, *_names(part)) for node in nodes for part in _parts(node)]
            except Exception as error:  # whatever a cell has that cannot be read, the other cells can
                self.broken[index] = error
                continue
            linecache.cache[_file(index)] = (len(source), None, source.splitlines(keepends=True), _file(index))
            for place, statement in enumerate(statements, len(self.statements)):
                for call in filter(_is_check, ast.walk(statement.node)):
                    self.calls[call.func.attr] = Call(call.func.attr, call.args[0], index, place)
            self.statements += statements
        for node in (statement.node for statement in self.statements):
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":  # holds for all later cells
                self._flags |= getattr(getattr(__future__, node.names[0].name, None), "compiler_flag", 0)

    def needed(self, call: Call) -> list[tuple[Statement, bool]]:
        """Return, in order, the statements that act on a learner's answer, the argument of a Call, up to that Call.

        Each comes with whether the answer depends on it: it assigns a needed name, or changes the object of one that is
        not imported. Others are what else stands in a cell that assigns a name of the argument, unless it calls a
        check; what these need; and imports with a star.
        """
        _, reads, _ = _names(ast.Expr(call.argument))
        before = self.statements[: call.place + 1]
        imported = frozenset().union(*(part.binds for part in before if isinstance(part.node, IMPORTS)))
        cells = {part.cell for part in before if part.binds & (reads - imported)}
        beside = (part for part in before if part.cell in cells and not any(map(_is_check, ast.walk(part.node))))
        stars = (part for part in before if isinstance(part.node, ast.ImportFrom) and part.node.names[0].name == "*")
        others = {id(part) for part in (*beside, *stars)}

        def is_needed(statement, wanted):
            return statement.binds & wanted or statement.changes & (wanted - imported)

        needed = set(map(id, dependencies(before, reads, is_needed)))
        acting = dependencies(before, reads, lambda part, wanted: id(part) in needed | others or part.binds & wanted)
        return [(statement, id(statement) in needed) for statement in acting]

    def run(self, statements: list[Statement], names: dict):
        for statement in statements:
            self._run(ast.Module([statement.node], []), statement.cell, "exec", names)

    def value(self, call: Call, names: dict):
        return self._run(ast.Expression(call.argument), call.cell, "eval", names)

    def _run(self, node: ast.mod, cell: int, mode: str, names: dict):
        """Run a node with these globals, also one that awaits, and return its value."""
        code = compile(node, _file(cell), mode, self._flags, dont_inherit=True)
        value = eval(code, names)
        if not code.co_flags & inspect.CO_COROUTINE:
            return value
        try:
            return asyncio.run(value)
        finally:
            asyncio._set_running_loop(None)  # asyncio leaves it set if the time is up while the loop is closed


def set_aside(notebook) -> dict[str, str]:
    """Return name -> "a Markdown cell" or "a raw cell", for what cells that are not code would define if they were.

    `checks.<name>` is a name for each check that a cell would call.
    """
    names = {}
    for cell in (cell for cell in notebook.cells if cell.cell_type != "code"):
        with contextlib.suppress(Exception):  # it is text
            for node in magics.parse(cell.source)[1]:
                checked = {f"checks.{part.func.attr}" for part in ast.walk(node) if _is_check(part)}
                names |= dict.fromkeys(checked | _names(node)[0], TEXT_CELLS[cell.cell_type])
    return names


def _file(index: int) -> str:
    return f"<cell {index + 1}>"


def dependencies(statements: list[Statement], names, is_needed) -> list[Statement]:
    """Return, in order, the statements that `names` depend on, directly or through what these statements read.

    is_needed: a function of (Statement, set of the names wanted so far) that returns whether the Statement is taken.
    """
    wanted, chosen, size = set(names), set(), -1
    while size != len(chosen):  # until no statement is added
        size = len(chosen)
        for place, statement in enumerate(statements):
            if is_needed(statement, wanted):
                chosen.add(place)
                wanted |= statement.reads
    return [statements[place] for place in sorted(chosen)]


def _parts(node: ast.stmt) -> list[ast.stmt]:
    """Return a statement as a list: an import of several names becomes one of each, any other stays."""
    if not isinstance(node, IMPORTS):
        return [node]
    others = {"module": node.module, "level": node.level} if isinstance(node, ast.ImportFrom) else {}
    return [ast.copy_location(type(node)(names=[alias], **others), node) for alias in node.names]


def _is_check(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="checks")), args=[_]):
            return True
    return False


def _names(node: ast.stmt) -> tuple[frozenset, frozenset, frozenset]:
    """Return the names that a statement binds, reads and changes: see Statement."""
    table = symtable.symtable(ast.unparse(node), "cell", "exec")
    binds = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    return frozenset(binds), frozenset(_read_globals(table)), frozenset(_changes(node))


def _read_globals(table: symtable.SymbolTable):
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (table.get_type() == "module" or symbol.is_global()):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from _read_globals(inner)


def _changes(node: ast.stmt):
    """Yield the names whose objects a statement may change while it runs; a name may come several times."""
    if isinstance(node, DEFINITIONS):
        yield from (part.id for way in node.decorator_list for part in ast.walk(way) if isinstance(part, ast.Name))
        return
    for part in ast.walk(node):
        match part:
            case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
                yield from _root(part)
            case ast.Expr(ast.Call(ast.Name(name) | ast.Attribute(attr=name) as function, arguments)):
                yield from _root(function) if isinstance(function, ast.Attribute) else ()
                yield from _root(arguments[0]) if arguments and (name in SETTERS or name.endswith("_")) else ()


def _root(node: ast.expr):
    """Yield the name at the left end of an expression such as `a.b[0].c()`; nothing if there is none."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Name):
        yield node.id

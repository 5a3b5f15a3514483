"""Slice a notebook's code: find and run the statements that one answer depends on."""

import ast
import linecache
import symtable
from typing import NamedTuple

from IPython.core.inputtransformer2 import TransformerManager

from nb.format import code_cells


class Statement(NamedTuple):
    """A statement at the top level of a code cell. cell: that cell's index among the code cells, from 0.

    binds, reads: the names that it assigns or imports, and the global names that it looks up.
    """

    cell: int
    node: ast.stmt
    binds: frozenset
    reads: frozenset


class Call(NamedTuple):
    """A call `checks.<name>(<argument>)` in a notebook. cell: the index of its code cell."""

    name: str
    argument: ast.expr
    cell: int


class Code:
    """The parsed code cells of a NotebookNode. A cell's index counts code cells only, from 0.

    statements: all Statements, in order. calls: a dict, name of an exercise -> its last Call. broken: a dict, index of
    a cell that is not Python -> the exception of the parser.
    """

    def __init__(self, notebook):
        self.statements, self.calls, self.broken = [], {}, {}
        for index, cell in enumerate(code_cells(notebook)):
            source, name = TransformerManager().transform_cell(cell.source), _file(index)  # magics become Python
            linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
            try:
                nodes = [part for node in ast.parse(source).body for part in _parts(node)]
                self.statements += [Statement(index, node, *_names(node)) for node in nodes]
            except (SyntaxError, ValueError, RecursionError) as error:
                self.broken[index] = error
                continue
            for call in (part for node in nodes for part in ast.walk(node) if _is_check(part)):
                self.calls[call.func.attr] = Call(call.func.attr, call.args[0], index)

    def needed(self, call: Call) -> list[Statement]:
        """Return, in order, the statements that a learner's answer, the argument of a Call, depends on.

        They are the statements up to the call's cell that assign a needed name, of the argument or of another such
        statement; and every other statement, unless it calls a check, of an earlier cell that assigns a name of the
        argument.
        """
        _, reads = _names(ast.Expr(call.argument))
        before = [statement for statement in self.statements if statement.cell <= call.cell]
        answer_cells = {part.cell for part in before if part.binds & reads and part.cell < call.cell}

        def is_needed(statement, wanted):
            calls_a_check = any(map(_is_check, ast.walk(statement.node)))
            return statement.binds & wanted or (statement.cell in answer_cells and not calls_a_check)

        return dependencies(before, reads, is_needed)

    def run(self, statements: list[Statement], names: dict):
        """Run statements in order; any exception propagates. names: their globals, which are changed."""
        for statement in statements:
            exec(compile(ast.Module([statement.node], []), _file(statement.cell), "exec"), names)

    def value(self, call: Call, names: dict):
        """Return the value of a Call's argument, the learner's answer; any exception propagates. names: the globals."""
        return eval(compile(ast.Expression(call.argument), _file(call.cell), "eval"), names)


def _file(index: int) -> str:
    """Return the name that tracebacks give to the code cell at an index: "<cell 1>" for 0."""
    return f"<cell {index + 1}>"


def dependencies(statements: list[Statement], names, is_needed) -> list[Statement]:
    """Return, in order, the statements that `names` depend on, directly or through what these statements read.

    is_needed: a function of (Statement, set of the names wanted so far) that returns whether the Statement is taken;
    what it reads is then wanted, too. All are asked again, earlier and later ones, until none is added.
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
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return [node]
    others = {"module": node.module, "level": node.level} if isinstance(node, ast.ImportFrom) else {}
    return [ast.copy_location(type(node)(names=[alias], **others), node) for alias in node.names]


def _is_check(node: ast.AST) -> bool:
    """Return whether an AST node is a call `checks.<name>(…)` with one positional argument."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="checks")), args=[_]):
            return True
    return False


def _names(node: ast.stmt) -> tuple[frozenset, frozenset]:
    """Return (the names that a statement binds at the top level, the global names that it reads)."""
    table = symtable.symtable(ast.unparse(node), "cell", "exec")
    binds = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    return frozenset(binds), frozenset(_read_globals(table))


def _read_globals(table: symtable.SymbolTable):
    """Yield each global name that a symbol table, or a table inside it, reads; a name may come several times."""
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (table.get_type() == "module" or symbol.is_global()):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from _read_globals(inner)

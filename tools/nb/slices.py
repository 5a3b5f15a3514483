"""Slice a notebook's code: find and run the statements that one answer depends on."""

import ast
import linecache
import symtable
from typing import NamedTuple

from IPython.core.inputtransformer2 import TransformerManager

from nb.format import code_cells


class Statement(NamedTuple):
    """A statement at the top level of a cell, with the index of its code cell.

    binds, reads: frozensets of the names that it assigns or imports, and of the global names that it looks up.
    """

    cell: int
    node: ast.stmt
    binds: frozenset
    reads: frozenset


class Call(NamedTuple):
    """A call `checks.<name>(<argument>)`: the exercise's name, the argument as AST, the index of its code cell."""

    name: str
    argument: ast.expr
    cell: int


class Code:
    """The parsed code cells of a notebook. A cell's index counts code cells only, from 0.

    statements: a list of all Statements, in order. calls: a dict, name of an exercise -> its last Call. broken: a dict,
    index of a cell that is not Python -> the exception of the parser.
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

    def needed(self, call):
        """Return the Statements that the answer in a Call depends on, as a list in their order.

        They are the statements up to the call's cell that assign a name which is needed; and in the earlier cells that
        assign a name of the call's argument, all other statements but those with a call of a check.
        """
        _, reads = _names(ast.Expr(call.argument))
        before = [statement for statement in self.statements if statement.cell <= call.cell]
        answer_cells = {part.cell for part in before if part.binds & reads and part.cell < call.cell}

        def is_needed(statement, wanted):
            return statement.binds & wanted or (statement.cell in answer_cells and not _calls_a_check(statement.node))

        return dependencies(before, reads, is_needed)

    def run(self, statements, names):
        """Run a list of Statements in order; any exception propagates. names: their globals, a dict, changed."""
        for statement in statements:
            exec(compile(ast.Module([statement.node], []), _file(statement.cell), "exec"), names)

    def value(self, call, names):
        """Return the value of a Call's argument, the answer; any exception propagates. names: the globals, a dict."""
        return eval(compile(ast.Expression(call.argument), _file(call.cell), "eval"), names)


def _file(index):
    """Return the name that tracebacks give to the code cell at an index: "<cell 1>" for 0."""
    return f"<cell {index + 1}>"


def dependencies(statements, names, is_needed):
    """Return those Statements of a list that compute some names, and those that compute what these read, in order.

    statements: the list. names: the wanted names, strings. is_needed: a function of (Statement, set of the names wanted
    so far) that returns whether the Statement is taken; what it reads is then wanted, too. All Statements are asked
    again, earlier and later ones, until none is added.
    """
    wanted, chosen, size = set(names), set(), -1
    while size != len(chosen):  # until no statement is added
        size = len(chosen)
        for place, statement in enumerate(statements):
            if is_needed(statement, wanted):
                chosen.add(place)
                wanted |= statement.reads
    return [statements[place] for place in sorted(chosen)]


def _parts(node):
    """Return an AST statement as a list: an import of several names becomes one of each, any other stays."""
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return [node]
    others = {"module": node.module, "level": node.level} if isinstance(node, ast.ImportFrom) else {}
    return [ast.copy_location(type(node)(names=[alias], **others), node) for alias in node.names]


def _is_check(node):
    """Return whether an AST node is a call `checks.<name>(…)` with one positional argument."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="checks")), args=[_]):
            return True
    return False


def _calls_a_check(node):
    """Return whether an AST node is or contains a call `checks.<name>(…)` with one positional argument."""
    return any(map(_is_check, ast.walk(node)))


def _names(node):
    """Return two frozensets: the names that an AST statement binds at the top level, and the globals that it reads."""
    table = symtable.symtable(ast.unparse(node), "cell", "exec")
    binds = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    return frozenset(binds), frozenset(_read_globals(table))


def _read_globals(table):
    """Yield each global name that a symbol table of `symtable`, or a table inside it, reads."""
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (table.get_type() == "module" or symbol.is_global()):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from _read_globals(inner)

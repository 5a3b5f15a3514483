"""Slice a notebook's code: find and run the statements that one answer depends on."""

import ast
import linecache
import symtable
from typing import NamedTuple

from IPython.core.inputtransformer2 import TransformerManager


class Statement(NamedTuple):
    """A statement at the top level of a cell.

    cell: the index of its code cell. node: the statement. binds, reads: the names that it assigns, and those that it
    looks up, frozensets of strings.
    """

    cell: int
    node: ast.stmt
    binds: frozenset
    reads: frozenset


class Call(NamedTuple):
    """A call of a check, `checks.<name>(<argument>)`.

    name: of the exercise. argument: an AST expression. cell: the index of its code cell.
    """

    name: str
    argument: ast.expr
    cell: int


class Code:
    """The parsed code cells of a notebook. Code cells are counted from 0, other cells are not counted.

    statements: all Statements, in order. calls: name of an exercise -> its last Call. broken: index of a code cell ->
    the exception that parsing it raised. sources: index of a code cell -> its name in tracebacks.
    """

    def __init__(self, notebook):
        self.statements, self.calls, self.broken, self.sources = [], {}, {}, {}
        cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
        for index, source in enumerate(cells):
            self._read(index, TransformerManager().transform_cell(source))

    def _read(self, index, source):
        """Parse one code cell, and add its statements and the calls of checks in it.

        index: of the cell. source: its code, with IPython's magics made Python. A cell that cannot be parsed goes into
        `broken`.
        """
        name = self.sources[index] = f"<cell {index + 1}>"
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        try:
            nodes = [part for node in ast.parse(source).body for part in _parts(node)]
            self.statements += [Statement(index, node, *_names(node)) for node in nodes]
        except (SyntaxError, ValueError, RecursionError) as error:
            self.broken[index] = error
            return
        for node in nodes:
            for call in filter(_is_check, ast.walk(node)):
                self.calls[call.func.attr] = Call(call.func.attr, call.args[0], index)

    def needed(self, call):
        """Return the Statements that the answer in a Call depends on, as a list in their order.

        They are the statements, up to the call's cell, that assign a name which is needed; and all others in the cells
        that assign the answer, except calls of checks.
        """
        _, reads = _names(ast.Expr(call.argument))
        before = [statement for statement in self.statements if statement.cell <= call.cell]
        answer_cells = {part.cell for part in before if part.binds & reads and part.cell < call.cell}

        def is_needed(statement, wanted):
            return statement.binds & wanted or (statement.cell in answer_cells and not _calls_a_check(statement.node))

        return dependencies(before, reads, is_needed)

    def run(self, statements, names):
        """Run Statements with the dict `names` as their globals, which they change; their exceptions propagate."""
        for statement in statements:
            exec(compile(ast.Module([statement.node], []), self.sources[statement.cell], "exec"), names)

    def value(self, call, names):
        """Return the value of the answer that a Call hands to its check; what computing it raises propagates.

        names: the globals, a dict, as `run` has left them.
        """
        return eval(compile(ast.Expression(call.argument), self.sources[call.cell], "eval"), names)


def dependencies(statements, names, is_needed):
    """Return those of a list of Statements that compute some names, in their order, with all that these read.

    names: a set of strings. is_needed: a function of a Statement and the names wanted so far, which returns whether it
    is taken.
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
    """Return an AST statement as a list: an import of several names is split into one statement each, others are not.

    So an answer runs only the imports that it needs.
    """
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return [node]
    others = {"module": node.module, "level": node.level} if isinstance(node, ast.ImportFrom) else {}
    return [ast.copy_location(type(node)(names=[alias], **others), node) for alias in node.names]


def _is_check(node):
    """Return whether an AST node is a call of a check with one positional argument, as `checks.scores(my_scores)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="checks")), args=[_]):
            return True
    return False


def _calls_a_check(node):
    """Return whether an AST node is or contains a call of a check."""
    return any(map(_is_check, ast.walk(node)))


def _names(node):
    """Return two frozensets: the names that an AST statement binds at the top level, and the global names it reads.

    What is read in inner functions and classes counts, too.
    """
    table = symtable.symtable(ast.unparse(node), "cell", "exec")
    binds = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    return frozenset(binds), frozenset(_read_globals(table))


def _read_globals(table):
    """Yield the global names that a symbol table of `symtable`, and the tables inside it, read."""
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (table.get_type() == "module" or symbol.is_global()):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from _read_globals(inner)

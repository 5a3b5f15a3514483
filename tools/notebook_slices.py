"""Of a notebook's code, the part that one answer needs: the cell it stands in, and what that cell reads."""

import ast
import linecache
import symtable
from typing import NamedTuple

from IPython.core.inputtransformer2 import TransformerManager


class Statement(NamedTuple):
    """One statement at the top level of a cell. binds, reads: the names it gives a value, and those it looks up."""

    cell: int
    node: ast.stmt
    binds: frozenset
    reads: frozenset


class Call(NamedTuple):
    """One call of a check: `checks.<name>(<argument>)`, an expression, in a cell."""

    name: str
    argument: ast.expr
    cell: int


class Code:
    """The code cells of a notebook, each read as far as Python can read it; broken: cell -> what is wrong with it."""

    def __init__(self, notebook):
        self.statements, self.calls, self.broken, self.sources = [], {}, {}, {}
        cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
        for index, source in enumerate(cells):
            self._read(index, TransformerManager().transform_cell(source))

    def _read(self, index, source):
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
        """The statements, in their order, that give an answer its value; a list to be run one after the other."""
        binds, reads = _names(ast.Expr(call.argument))
        wanted, taken, size = set(reads), set(), -1
        before = [(place, one) for place, one in enumerate(self.statements) if one.cell <= call.cell]
        answer_cells = {one.cell for _, one in before if one.binds & wanted and one.cell < call.cell}
        while size != len(taken):  # until nothing more is needed
            size = len(taken)
            for place, one in before:
                if one.binds & wanted or (one.cell in answer_cells and not _calls_a_check(one.node)):
                    taken.add(place)
                    wanted |= one.reads
        return [self.statements[place] for place in sorted(taken)]

    def run(self, statements, names):
        """Run statements with `names` as their globals; whatever they raise comes through."""
        for one in statements:
            exec(compile(ast.Module([one.node], []), self.sources[one.cell], "exec"), names)

    def value(self, call, names):
        """The answer handed to a check."""
        return eval(compile(ast.Expression(call.argument), self.sources[call.cell], "eval"), names)


def _parts(node):
    """A line that imports several names is several: an answer that needs one of them shall not wait for the others."""
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return [node]
    others = {"module": node.module, "level": node.level} if isinstance(node, ast.ImportFrom) else {}
    return [ast.copy_location(type(node)(names=[one], **others), node) for one in node.names]


def _is_check(node):
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="checks")), args=[_]):
            return True
    return False


def _calls_a_check(node):
    return any(map(_is_check, ast.walk(node)))


def _names(node):
    """The names that a statement binds at the top level, and those that it reads there or in what it defines."""
    table = symtable.symtable(ast.unparse(node), "cell", "exec")
    binds = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    return frozenset(binds), frozenset(_read_globals(table))


def _read_globals(table):
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (table.get_type() == "module" or symbol.is_global()):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from _read_globals(inner)

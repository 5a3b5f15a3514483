"""Parse a cell as IPython does: its magics become calls of the shell, or the code that they run in the notebook."""

import ast
import getopt
import itertools

from IPython.core.inputtransformer2 import TransformerManager

# The magics whose code runs with the notebook's own variables -> the options that stand before that code. All others
# stay calls of `get_ipython()`: their text is a setting, a command of the system or another language.
RUN_CODE = {"time": "", "capture": "", "prun": "D:l:rs:T:q", "timeit": "n:r:tcp:qov:"}
ARGUMENTS = {"run_line_magic": 2, "run_cell_magic": 3}  # method of the shell -> number of its arguments


def parse(source: str) -> tuple[str, list[ast.stmt]]:
    """Return (Python source, its statements) of a cell's source. The line numbers are those of the cell.

    A magic of RUN_CODE is replaced by its code. Errors: those of IPython and ast.parse, most often a SyntaxError, for
    extreme lengths and depths also a RecursionError or a MemoryError.
    """
    empty = itertools.takewhile(lambda line: not line.strip(), source.splitlines())
    top = "\n" * len(list(empty))  # IPython drops the empty lines above the first one
    text = top + TransformerManager().transform_cell(source)
    statements = ast.parse(text).body
    if "run_cell_magic(" in text and len(statements) == 1:
        name, line, code = _magic(getattr(statements[0], "value", None), "run_cell_magic") or ("", "", "")
        if name in RUN_CODE:
            text, statements = parse(f"{top}{_code(name, line)}\n{code}")
            return text, _as_run(name, statements)
    if "run_line_magic(" in text:
        statements = _LineMagics().visit(ast.Module(statements, [])).body
    return text, statements


class _LineMagics(ast.NodeTransformer):
    """Replace each magic of a line that is in RUN_CODE by its code: `x = %time f()` becomes `x = f()`."""

    def visit_Expr(self, node):
        """Replace a magic that is a statement of its own by its statements."""
        statements = _code_of_line(node.value)
        return self.generic_visit(node) if statements is None else statements

    def visit_Call(self, node):
        """Replace a magic inside an expression by the expression that is its code."""
        match _code_of_line(node):
            case [ast.Expr(value)]:
                return value
        return self.generic_visit(node)


def _code_of_line(node: ast.expr) -> list[ast.stmt] | None:
    """Return the statements of a line's magic that is in RUN_CODE; None for any other expression, or if it has none."""
    name, line = _magic(node, "run_line_magic") or ("", "")
    if name not in RUN_CODE:
        return None
    try:
        statements = parse(_code(name, line))[1]
    except (SyntaxError, getopt.GetoptError):
        return None  # an error of this line when it runs, and of no other
    for statement in statements:
        ast.increment_lineno(statement, node.lineno - 1)
    return _as_run(name, statements) or None


def _magic(node: ast.AST | None, method: str) -> list[str] | None:
    """Return the arguments of a call `get_ipython().<method>("…", …)`; None for any other node."""
    match node:
        case ast.Call(ast.Attribute(attr=name), arguments) if name == method and len(arguments) == ARGUMENTS[name]:
            values = [getattr(argument, "value", None) for argument in arguments]
            return values if all(isinstance(value, str) for value in values) else None
    return None


def _code(name: str, line: str) -> str:
    """Return the code on the line of a magic, without the magic's options. Errors: GetoptError for a wrong option."""
    words = line.lstrip().split(" ")
    return "" if name == "capture" else " ".join(getopt.getopt(words, RUN_CODE[name], ["no-raise-error"])[1])


def _as_run(name: str, statements: list[ast.stmt]) -> list[ast.stmt]:
    """Return statements that have the effects of these under the magic `name`: under %timeit, no name stays bound."""
    if name != "timeit" or not statements:
        return statements
    once = ast.copy_location(ast.parse("class _: pass").body[0], statements[0])
    once.body = statements
    return [once]

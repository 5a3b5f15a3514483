"""Find the units of a code cell that are translated: comments, docstrings, and strings that are shown."""

import ast
import io
import math
import re
import tokenize
import unicodedata
from typing import NamedTuple

NAMES = {"caption", "label", "title", "titles", "xlabel", "ylabel"}  # arguments that are shown, in any call
# Functions whose positional arguments are shown.
CALLS = {"print": slice(None), "Predict": slice(1, 2), "progress": slice(1, 2)}
WIDTH = 95  # columns of a line of code
SIGNS = " ，。；：、？！）》”"  # none begins a line
# What stays in one line: an expression of an f-string, an escape, a word or one wide letter, and the signs behind it.
PIECE = re.compile(r"(?:\{\{|\}\}|\{(?:[^{}]|\{[^{}]*\})*\}|\\.|[!-[\]-z|~]+|[^ ])?" + f"[{SIGNS}]*", re.DOTALL)
LITERAL = re.compile(r"""(\w*)(\"{3}|'{3}|["'])((?:\\.|(?!\2).)*)\2""", re.DOTALL)  # prefix, quotes, inside


class Unit(NamedTuple):
    """A text of a code cell to be translated, which stands at source[start:end]; of a string, `text` is typed as there.

    is_bare: whether that place holds the text alone, without quotes. prefix: "f" for an f-string, else "".
    """

    start: int
    end: int
    text: str
    is_bare: bool
    prefix: str = ""


def units(source: str, by_hand=()) -> list[Unit]:
    """Return the units of a code cell: comments, docstrings, and strings that are shown by their place in a call.

    by_hand: other strings of the cell that are shown, such as the choices of a prediction: the value of a string, or
    the inside of an f-string as typed. Errors: SyntaxError; ValueError for a raw string or bytes.
    """
    found = [_string_unit(source, node, by_hand) for node in strings(ast.parse(source), by_hand)]
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and _says_something(text := token.string.lstrip("# ")):
            row, column = token.end
            end = _index(source, row, len(token.line[:column].encode()))
            found.append(Unit(end - len(text), end, text, True))
    return sorted(unit for unit in found if unit)


def translated(source: str, translate, by_hand=()) -> str:
    """Return the source of a code cell with its units translated; lines that get too long are broken."""
    for unit in reversed(units(source, by_hand)):
        text = translate(unit.text)
        if text != unit.text:
            before, after = source[: unit.start], source[unit.end :]
            indent = None if unit.is_bare else _indent(before)
            new = text if unit.is_bare else _literals(text, unit.prefix, _column(before), indent is not None)
            full = _width((before + new + after.partition("\n")[0]).rpartition("\n")[2]) > WIDTH
            if full and after.startswith(", ") and indent is not None:
                new, after = f"{new},\n{' ' * indent}", after[2:]
            source = before + new + after
    return source


def strings(tree: ast.AST, by_hand=()) -> list[ast.expr]:
    """Return the nodes that are string units; a string of several literals is one. by_hand: as for `units`."""
    shown = []
    wanted = {ast.dump(ast.parse(f'f"""{text}"""', mode="eval").body) for text in by_hand if "{" in text}
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", None))
            arguments = node.args[CALLS[name]] if name in CALLS else []
            arguments = [*arguments, *(keyword.value for keyword in node.keywords if keyword.arg in NAMES)]
            shown += [string for argument in arguments for string in _strings(argument)]
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            shown += _strings(node.value)
        elif isinstance(node, ast.Constant) and node.value in by_hand and id(node) not in inner:
            shown.append(node)
        elif isinstance(node, ast.JoinedStr) and ast.dump(node) in wanted:
            shown.append(node)
    return list({id(node): node for node in shown}.values())


def _strings(node: ast.expr) -> list[ast.expr]:
    """Return the string nodes in an argument: itself, or those in a list, tuple or conditional expression."""
    match node:
        case ast.JoinedStr() | ast.Constant(value=str()):
            return [node]
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [string for part in parts for string in _strings(part)]
        case ast.IfExp():
            return _strings(node.body) + _strings(node.orelse)
    return []


def _string_unit(source: str, node: ast.expr, by_hand) -> Unit | None:
    """Return the Unit of a string, of one or several literals; None if it has no words and is not in `by_hand`."""
    start = _index(source, node.lineno, node.col_offset)
    end = _index(source, node.end_lineno, node.end_col_offset)
    literals = [(prefix.lower(), inside) for prefix, _, inside in LITERAL.findall(source[start:end])]
    inside = "".join(body for _, body in literals)
    if inside not in by_hand and not _says_something(inside):
        return None
    if {prefix for prefix, _ in literals} - {"", "f"}:
        raise ValueError(f"{source[start:end]!r:.60} is a raw string or bytes: write it as a plain string.")
    if source[start:end].startswith('"""'):
        return Unit(start + 3, end - 3, source[start + 3 : end - 3], True)
    prefix = max(prefix for prefix, _ in literals)
    bodies = [body if mark or not prefix else body.replace("{", "{{").replace("}", "}}") for mark, body in literals]
    return Unit(start, end, "".join(bodies), False, prefix)


def _literals(text: str, prefix: str, column: int, may_break: bool) -> str:
    """Return the code of a string, in several literals below one another if it is too long from `column` on."""
    room = max(30, WIDTH - column - len(prefix) - 4) if may_break else math.inf
    lines = [""]
    for piece in PIECE.findall(text):
        if _width(lines[-1] + piece) > room or (_width(lines[-1]) > room - 12 and lines[-1][-1] in SIGNS[1:]):
            lines.append("")
        lines[-1] += piece
    return f"\n{' ' * column}".join(f'{prefix if "{" in line or "}" in line else ""}"{line}"' for line in lines if line)


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _column(before: str) -> int:
    return len(before.rpartition("\n")[2])


def _indent(before: str) -> int | None:
    """Return the column where a line continues after `before`, in its innermost open bracket; None if none is open."""
    depth, at = 0, len(before)
    while at and depth >= 0:
        at -= 1
        depth += (before[at] in ")]}") - (before[at] in "([{")
    if depth >= 0:
        return None
    inside = before[at + 1 :]
    return _column(before[: at + 1]) if inside[:1] != "\n" else len(inside) - len(inside.lstrip()) - 1


def _says_something(text: str) -> bool:
    """Return whether a text has a word of two letters outside brackets, unlike a shape such as `(2, 3) -> (3, 2)`."""
    depth, outside = 0, ""
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        outside += letter if not depth else " "
    return any(sum(letter.isalpha() for letter in word) > 1 for word in outside.split())


def _index(source: str, line: int, column: int) -> int:
    """Return the index in a source of a place as `ast` gives it: a line, from 1, and a column in bytes of UTF-8."""
    lines = source.split("\n")
    return sum(len(above) + 1 for above in lines[: line - 1]) + len(lines[line - 1].encode()[:column].decode())

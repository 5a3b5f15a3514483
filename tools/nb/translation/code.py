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


class Unit(NamedTuple):
    """A unit at source[start:end]. text: what is translated; of a string, its inside as typed. prefix: "f" or "".

    is_bare: the place holds the text alone, as of a comment and within three quotes, and not the quotes too.
    """

    start: int
    end: int
    text: str
    is_bare: bool
    prefix: str = ""


def units(source, by_hand=()):
    """Return the units of a code cell, the texts in it to be translated: a list of Unit in the order of the source.

    by_hand: other strings of the cell that are shown, such as the choices of a prediction: the value of a string, or
    the inside of an f-string as typed.
    """
    starts = _line_starts(source)
    found = [_string_unit(source, node, starts, by_hand) for node in strings(ast.parse(source), by_hand)]
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and _says_something(text := token.string.lstrip("# ")):
            start = starts[token.start[0] - 1] + token.start[1]
            end = start + len(token.string)
            found.append(Unit(end - len(text), end, text, True))
    return sorted(unit for unit in found if unit)


def translated(source, translate, by_hand=()):
    """Return the source of a code cell with its units, such as comments and shown strings, translated.

    translate: a function from a unit's text to its translation. by_hand: as for `units`.
    """
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


def strings(tree, by_hand=()):
    """Return a list of the string nodes of a syntax tree that are units: docstrings, shown strings, and others.

    The others are given by `by_hand`, as for `units`.
    """
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


def same_tree(source, other, by_hand=()):
    """Return whether two cells, texts, have the same syntax tree, apart from the texts of the units of the first.

    by_hand: as for `units`.
    """
    tree = ast.parse(source)
    return _same(tree, ast.parse(other), set(map(id, strings(tree, by_hand))))


def _same(one, other, units):
    """Return whether two parts of syntax trees are the same.

    units: the ids, as by id(), of string nodes in `one` whose text may differ; only expressions in them must be the
    same.
    """
    if id(one) in units and isinstance(one, ast.AST):
        return isinstance(other, ast.Constant | ast.JoinedStr) and _expressions(one) == _expressions(other)
    if isinstance(one, ast.AST):
        fields = [(getattr(one, name, None), getattr(other, name, None)) for name in one._fields]
        return type(one) is type(other) and all(_same(a, b, units) for a, b in fields)
    if isinstance(one, list):
        return len(one) == len(other) and all(_same(a, b, units) for a, b in zip(one, other, strict=True))
    return type(one) is type(other) and one == other


def _expressions(node):
    """Return the expressions in an f-string's node, with their formats, as a sorted list of texts."""
    return sorted(ast.dump(part) for part in getattr(node, "values", []) if isinstance(part, ast.FormattedValue))


def _strings(node):
    """Return a list of the string nodes in an argument: itself, or those in a list, tuple or conditional expression.

    node: the argument's `ast` node.
    """
    if isinstance(node, ast.JoinedStr) or isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node]
    parts = {ast.List: "elts", ast.Tuple: "elts", ast.IfExp: ("body", "orelse")}.get(type(node), ())
    inner = getattr(node, parts) if isinstance(parts, str) else [getattr(node, name) for name in parts]
    return [string for part in inner for string in _strings(part)]


def _string_unit(source, node, starts, by_hand):
    """Return the Unit of a string's `ast` node, or None if the string has no words and is not in `by_hand`.

    starts: where the lines begin in the source, from `_line_starts`. Literals that stand one after the other are one
    string. by_hand: as for `units`. Errors: ValueError for a raw string or bytes.
    """
    start, end = (_index(source, starts, node, which) for which in ("", "end_"))
    literals = _split(source[start:end])
    inside = "".join(body for _, body in literals)
    if inside not in by_hand and not _says_something(inside):
        return None
    if any(set(prefix.lower()) - {"f"} for prefix, _ in literals):
        raise ValueError(f"{source[start:end]!r:.60} is a raw string or bytes: write it as a plain string.")
    if source[start:end].startswith('"""'):
        return Unit(start + 3, end - 3, source[start + 3 : end - 3], True)
    prefix = "f" if any(prefix for prefix, _ in literals) else ""
    bodies = [body if mark or not prefix else body.replace("{", "{{").replace("}", "}}") for mark, body in literals]
    return Unit(start, end, "".join(bodies), False, prefix)


def _split(text):
    """Return a list of (prefix, inside), two texts, for each string literal in code that consists of such literals."""
    parts, start, depth = [], 0, 0
    lines = _line_starts(f"({text})")
    for token in tokenize.generate_tokens(io.StringIO(f"({text})").readline):
        kind = tokenize.tok_name[token.type]  # from Python 3.12 on, an f-string is several tokens
        if kind in ("STRING", "FSTRING_START") and not depth:
            start = lines[token.start[0] - 1] + token.start[1] - 1
        depth += {"FSTRING_START": 1, "FSTRING_END": -1}.get(kind, 0)
        if kind in ("STRING", "FSTRING_END") and not depth:
            parts.append(text[start : lines[token.end[0] - 1] + token.end[1] - 1])
    quoted = [(part, min(part.find(quote) for quote in "\"'" if quote in part)) for part in parts]
    sizes = [3 if part[at : at + 3] in ('"""', "'" * 3) else 1 for part, at in quoted]
    return [(part[:at], part[at + size : -size]) for (part, at), size in zip(quoted, sizes, strict=True)]


def _literals(text, prefix, column, may_break):
    """Return the code of a string with this text, in several literals below one another if it is too long for a line.

    prefix: "f" or "". column: the column in which it begins. may_break: whether it may be several literals.
    """
    room = max(30, WIDTH - column - len(prefix) - 4) if may_break else math.inf
    lines = [""]
    for piece in PIECE.findall(text):
        if _width(lines[-1] + piece) > room or (_width(lines[-1]) > room - 12 and lines[-1][-1] in SIGNS[1:]):
            lines.append("")
        lines[-1] += piece
    return f"\n{' ' * column}".join(f'{prefix if "{" in line or "}" in line else ""}"{line}"' for line in lines if line)


def _width(text):
    """Return the number of columns that a text takes; a wide letter, such as a Chinese one, takes two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _column(before):
    """Return the column, from 0, at which code continues after `before`, the code so far."""
    return len(before) - (before.rfind("\n") + 1)


def _indent(before):
    """Return the column at which a line continues inside the innermost bracket that is open at the end of `before`.

    Return None if no bracket is open there. before: the code so far.
    """
    depth, at = 0, len(before)
    while at and depth >= 0:
        at -= 1
        depth += (before[at] in ")]}") - (before[at] in "([{")
    if depth >= 0:
        return None
    inside = before[at + 1 :]
    return _column(before[: at + 1]) if inside[:1] != "\n" else len(inside) - len(inside.lstrip()) - 1


def _says_something(text):
    """Return whether a text has a word of two letters outside brackets, unlike a shape such as `(2, 3) -> (3, 2)`."""
    depth, outside = 0, ""
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        outside += letter if not depth else " "
    return any(sum(letter.isalpha() for letter in word) > 1 for word in outside.split())


def _line_starts(source):
    """Return a list of the indices in a text at which its lines begin."""
    starts = [0]
    for line in source.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _index(source, starts, node, which):
    """Return the index in the source at which an `ast` node begins, if `which` is "", or ends, if it is "end_".

    starts: from `_line_starts`. The `ast` module counts the bytes of a line, this counts characters.
    """
    line = getattr(node, f"{which}lineno") - 1
    start = starts[line]
    return start + len(source[start : starts[line + 1]].encode()[: getattr(node, f"{which}col_offset")].decode())

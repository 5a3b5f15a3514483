"""Put translations in the place of a notebook's texts, and mark what is still in English."""

import ast
import copy
from functools import cache

from course_utils import language
from course_utils.language import say
from nb.translation import code, markdown


def texts(cell):
    """Return the units of a notebook's cell, the texts in it to be translated, as a list.

    cell: of nbformat, or of its JSON.
    """
    source = _source(cell)
    if cell["cell_type"] == "markdown":
        return [source[start:end] for start, end in markdown.units(source)]
    return [unit.text for unit in code.units(source, _by_hand(cell))] if cell["cell_type"] == "code" else []


def translated(notebook, name):
    """Return a copy of a notebook in the current language, without outputs; in English it is a copy as it is.

    A paragraph without a translation stays in English, and a mark says so; in a notebook in which none has one, only a
    line below the title does. The notebook's `session.start()` gets the language. notebook: of nbformat, or its JSON.
    name: of its file, without folder and suffix.
    """
    notebook = copy.deepcopy(notebook)
    if language.current() == language.ENGLISH:
        return notebook
    table = _table(language.current(), name)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = _markdown(_source(cell), cell["id"], table)
        elif cell["cell_type"] == "code":
            translate = _lookup(cell["id"], table)
            source = code.translated(_source(cell), lambda text: translate(text) or text, _by_hand(cell))  # noqa: B023
            cell.update(source=_with_language(source), outputs=[], execution_count=None)
    if not table:
        first = notebook["cells"][0]
        first["source"] = f"{_source(first)}\n\n*{say('This page is not translated yet.')}*"
    return notebook


def _markdown(source, id, table):
    """Return a Markdown text with its units translated. id: of its cell. table: as from `_table`.

    A unit without a translation stays, behind a mark that says so, unless the table is empty.
    """
    translate = _lookup(id, table)
    for start, end in reversed(markdown.units(source)):
        text = source[start:end]
        mark = f"{say('[not translated]')} " if table else ""
        source = source[:start] + (translate(text) or mark + text) + source[end:]
    return source


def _lookup(id, table):
    """Return a function from a text of the cell `id` to its translation, or to None. table: as from `_table`."""
    return lambda text: table.get((id, text))


def _with_language(source):
    """Return the source of a code cell whose `session.start()` or `session.check()` gets the language as an argument.

    A call that has arguments stays as it is.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node) in ("session.start()", "session.check()"):
            lines = source.split("\n")
            line = lines[node.end_lineno - 1].encode()
            given = f'language="{language.current()}")'.encode()
            lines[node.end_lineno - 1] = (
                line[: node.end_col_offset - 1] + given + line[node.end_col_offset :]
            ).decode()
            return "\n".join(lines)
    return source


def _by_hand(cell):
    """Return a tuple of the strings that a cell's metadata list under "translate", as they are shown indirectly."""
    return tuple(cell["metadata"].get("translate", ()))


def _source(cell):
    """Return the source of a cell as one str; in JSON it may be a list of lines."""
    return "".join(cell["source"])


@cache
def _table(folder, name):
    """Return a dict, (cell id, text) -> translation, for a notebook, without what is missing or fuzzy.

    folder: the language, such as "zh". name: of the notebook's file, without suffix.
    """
    path = language.FOLDER / folder / "notebooks" / f"{name}.po"
    messages = language.messages(path) if path.exists() else []
    return {(one.context, one.id): one.string for one in messages if one.string and not one.fuzzy}

"""Put translations in the place of a notebook's texts, and mark what is still in English."""

import copy
import re
from functools import cache
from html import escape, unescape

from course_utils import language
from course_utils.language import say
from nb import outcomes
from nb.translation import code, markdown

STARTS = re.compile(r"\bsession\.(?:start|check)\((?=\))")  # a call without arguments
OF_A_PICTURE = re.compile(r'(?<= alt=")[^"]*(?=")|(?<=<figcaption><em>)[^<]*(?=</em>)')  # the words in its HTML


def texts(cell) -> list[str]:
    """Return the texts of the units of a cell; the words in the fold of an outcome are units as if they stood open."""
    source = _source(cell)
    if cell["cell_type"] == "markdown":
        return [part[start:end] for part in outcomes.parts(source) for start, end in markdown.units(part)]
    return [unit.text for unit in code.units(source, _by_hand(cell))] if cell["cell_type"] == "code" else []


def translated(notebook, name: str):
    """Return a copy of a notebook, of nbformat or its JSON, in the current language and without outputs.

    A paragraph without a translation stays in English behind a mark that says so; in a notebook in which none has one,
    only a line below the title does. If the current language is English, the copy is as the notebook is.
    """
    notebook = copy.deepcopy(notebook)
    if language.current() == language.ENGLISH:
        return notebook
    table = _table(language.current(), name)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            parts = [_markdown(part, cell["id"], table) for part in outcomes.parts(_source(cell))]
            cell["source"] = outcomes.folded(*parts)
        elif cell["cell_type"] == "code":
            translate = lambda text, id=cell["id"]: table.get((id, text), text)  # noqa: E731
            source = code.translated(_source(cell), translate, _by_hand(cell))
            source = STARTS.sub(rf'\g<0>language="{language.current()}"', source)
            cell.update(source=source, outputs=[], execution_count=None)
    if not table:
        first = notebook["cells"][0]
        first["source"] = f"{_source(first)}\n\n*{say('This page is not translated yet.')}*"
    return notebook


def in_words(outputs: list) -> list:
    """Return the pictures among a cell's outputs, JSON, with alt text and caption in the current language."""
    htmls = ["".join(output["data"]["text/html"]) for output in outputs if "text/html" in output.get("data", {})]
    spoken = lambda words: escape(language.translation(unescape(words[0])))  # noqa: E731
    data = [{"text/html": OF_A_PICTURE.sub(spoken, html)} for html in htmls]
    return [{"output_type": "display_data", "metadata": {}, "data": each} for each in data]


def _markdown(source: str, id: str, table: dict) -> str:
    """Return a Markdown text with its units translated, behind a mark where a translation is missing."""
    mark = f"{say('[not translated]')} " if table else ""
    for start, end in reversed(markdown.units(source)):
        text = source[start:end]
        source = source[:start] + table.get((id, text), mark + text) + source[end:]
    return source


def _by_hand(cell) -> tuple[str, ...]:
    return tuple(cell["metadata"].get("translate", ()))


def _source(cell) -> str:
    """Return the source of a cell as one str; in JSON it may be a list of lines."""
    return "".join(cell["source"])


@cache
def _table(folder: str, name: str) -> dict[tuple[str, str], str]:
    """Return (cell id, text) -> translation for a notebook's file `name`, without what is missing or fuzzy; cached."""
    path = language.path(folder, f"notebooks/{name[3:]}")
    messages = language.messages(path) if path.exists() else []
    return {(one.context, one.id): one.string for one in messages if one.string and not one.fuzzy}

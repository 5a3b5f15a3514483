"""Make the index that the web edition searches: the headings of all pages, and the words of the course."""

import html
import json
import re

from publish.markup import plain
from publish.words import say

GLOSSARY = "The words we use"  # the heading, in *Start here*, of the table of names; the words of the field follow it
FIELD = "Words of the field"
ROW = re.compile(r"^\|(?!-)(.+)\|$", re.MULTILINE)


def entries(entry, headings: list[tuple], notebook, english=None) -> list[list[str]]:
    """Return the entries of a page in the search index: [page, anchor, words, explanation].

    They are its title with its question, its headings down to level 3, and the rows of its glossary. headings: of
    `article`. english: the notebook in English, in which the glossary is found by its heading.
    """
    page = entry.file
    found = [[page, "", entry.title, plain(entry.question)]]
    found += [[page, anchor, html.unescape(words), ""] for level, anchor, words in headings if level < 4]
    for title in (GLOSSARY, FIELD):
        for cell, original in zip(notebook.cells, (english or notebook).cells, strict=True):
            if not re.match(f"#+ {title}$", original.source, re.MULTILINE):
                continue
            head, *rows = ([plain(part).strip() for part in row.split("|")] for row in ROW.findall(cell.source))
            found += [[page, title.replace(" ", "-"), words, _told(head, rest)] for words, *rest in rows]
    return found


def of_start_page() -> list[list[str]]:
    """Return the entries of the parts of the start page that are not about attention, as `entries` does."""
    lesson = say("Slides, talks, handouts, exercise sheets, and the guide for teachers")
    return [
        ["index", "teaching-with-it", say("Teaching with it"), lesson],
        ["index", "on-your-own-machine", say("On your own machine"), say("Download and install the course")],
        ["index", "licence", say("Licence"), say("The MIT License, and the whole course to download as a zip")],
    ]


def script(listed: list) -> bytes:
    """Return JavaScript that defines the array `courseIndex`: `listed`, the entries of all pages, from `entries`."""
    return f"var courseIndex = {json.dumps(listed, ensure_ascii=False, separators=(',', ':'))};\n".encode()


def _told(head: list[str], cells: list[str]) -> str:
    """Return the explanation in a row of a glossary's table. head: names of all columns. cells: without the first."""
    named = zip(head[1:], cells, strict=True)
    return say("; ").join(say("{name}: {cell}", name=name, cell=cell) for name, cell in named if cell)

"""Make the index that the web edition searches: headings and terms, by name, and every passage of the pages.

A passage is found by a look at each of them, some 8,000 in a few milliseconds. An index made in advance, as lunr and
minisearch make it, would be larger than the text itself, knows no Chinese without a list of words, and adds a step to
the build.
"""

import html
import json
import re

from bs4 import BeautifulSoup

from publish.markup import plain
from publish.words import say

GLOSSARY = "The words we use"  # the heading, in *Start here*, of the table of names; the words of the field follow it
FIELD = "Words of the field"
# What is left out before the parser sees it; the spans that colour code are most of a page.
SCRIPT = re.compile(r"<script\b.*?</script>|<svg\b.*?</svg>|<math\b.*?</math>|</?span\b[^>]*>", re.DOTALL)
NOT_READ = ".view, .anchor, nav, .paper, .lab, .ways, .number, .listing, style"
HEADINGS = ("h1", "h2", "h3", "h4")
CODE = "\t"
TERM = re.compile(r"[^\W\d_][^.:?!。：？！]{2,40}")
PASSAGES = [*HEADINGS, "p", "li", "tr", "figcaption", "pre", "summary", "legend"]
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


def passages(page: str, name: str) -> tuple[list[list], list[list[str]]]:
    """Return what can be read on a page of the web edition: (its passages, its terms).

    page: its HTML. name: the page's, without suffix. The passages are a list of [name, anchor, [a passage, …]], in
    order; anchor: the id nearest above. A passage is a paragraph, an item of a list, a row of a table, a caption, or a
    line of code, as plain text. What a view shows when it is used is left out. The terms are entries as of `entries`,
    each a word in bold with the passage that gives it.
    """
    text = BeautifulSoup(SCRIPT.sub("", page), "html.parser").find(id="text")
    for hidden in text.select(NOT_READ):
        hidden.decompose()
    found, terms, anchor = [[name, "", []]], [], ""
    for element in text.find_all(True):
        if (id := element.get("id")) and (element.name in HEADINGS or "prose" in element.get("class", ())):
            anchor = id
        if element.name not in PASSAGES or element.find(PASSAGES):
            continue
        if anchor != found[-1][1]:
            found.append([name, anchor, []])
        found[-1][2] += [words for words in _said(element) if len(words.strip()) > 1]
        if element.name in ("p", "li"):
            bold = [_joined(strong.get_text()) for strong in element.find_all("strong")]
            terms += [[name, anchor, words, _joined(element.get_text())] for words in bold if TERM.fullmatch(words)]
    return [part for part in found if part[2]], terms


def _said(element) -> list[str]:
    """Return the passages of an element; a line of code begins with CODE, and the cells of a row have a dot between."""
    if element.name == "pre":
        return [f"{CODE}{_joined(line)}" for line in element.get_text().splitlines()]
    if element.name == "tr":
        return [" · ".join(filter(None, (_joined(cell.get_text()) for cell in element.find_all(["td", "th"]))))]
    return [_joined(element.get_text())]


def of_start_page() -> list[list[str]]:
    """Return the entries of the parts of the start page that are not about attention, as `entries` does."""
    lesson = say("Slides, talks, handouts, exercise sheets, and the guide for teachers")
    return [
        ["index", "teaching-with-it", say("Teaching with it"), lesson],
        ["index", "on-your-own-machine", say("On your own machine"), say("Download and install the course")],
        ["index", "licence", say("Licence"), say("The MIT License, and the whole course to download as a zip")],
    ]


def script(names: list, texts: list) -> bytes:
    """Return JavaScript that defines `courseIndex`: `names`, from `entries`, and `texts`, from `passages`."""
    index = {"names": names, "texts": texts}
    return f"var courseIndex = {json.dumps(index, ensure_ascii=False, separators=(',', ':'))};\n".encode()


def _joined(text: str) -> str:
    return " ".join(text.split())


def _told(head: list[str], cells: list[str]) -> str:
    """Return the explanation in a row of a glossary's table. head: names of all columns. cells: without the first."""
    named = zip(head[1:], cells, strict=True)
    return say("; ").join(say("{name}: {cell}", name=name, cell=cell) for name, cell in named if cell)

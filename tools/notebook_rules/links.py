"""Rules about links and images in Markdown cells."""

import re
from urllib.parse import unquote, urlsplit

import mistune
from notebook_files import NotebookError
from notebook_format import read_notebook

from course_utils import course

from . import html

LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)|<a href=\"([^\"]+)\">([^<]+)</a>")
TYPED_LINK = re.compile(r"\[[^\]]+\]\([^)\s]+\)")
NUMBERED = re.compile(r"\b[Nn]otebooks? \d+")

_parse = mistune.create_markdown(renderer=None, plugins=["math", "table"])


def images_have_alt_text(notebook):
    """Check that every image in a Markdown cell has alt text."""
    for cell in notebook.markdown_cells:
        for token in _tokens(cell.source):
            if token["type"] == "image" and not _text(token).strip():
                yield cell, f"image without alt text: ![what it shows]({token['attrs']['url']})"
            if token["type"] in ("inline_html", "block_html") and html.images_without_alt(token["raw"]):
                yield cell, "<img> without alt text"


def lead_somewhere(notebook):
    """Check that every relative link leads to an existing file, and every anchor to a heading."""
    for cell in notebook.markdown_cells:
        for target in _targets(cell.source):
            if problem := _problem(notebook.path, target):
                yield cell, f"link to {target}: {problem}"


def are_links(notebook):
    """Check that no Markdown link is typed inside a block of HTML, such as a hint, where it stays plain text."""
    for cell in notebook.markdown_cells:
        for token in _tokens(cell.source):
            if token["type"] == "block_html" and (found := TYPED_LINK.search(token["raw"])):
                yield cell, f"{found[0]} stands in HTML, where it is no link: write <a href=…>, or the title in <em>"


def numbers_are_those_of_the_list(notebook):
    """Check that a notebook is named by a link, and with the number and the title that the course's list has."""
    for cell in notebook.markdown_cells:
        yield from ((cell, problem) for problem in misnumbered(cell.source))


def misnumbered(markdown):
    """Yield a message for each place where a text numbers a notebook without a link, or with a wrong number or title.

    A link leads to a notebook, `04_causal_masking.ipynb`, or to the presenter's page about it, `causal_masking.md`.
    """
    for words, target, other_target, other_words in LINK.findall(markdown):
        words, target = words or other_words, target or other_target
        one = _listed(target)
        number, _, title = words.partition(" · ")
        if one and title and (number, title) != (one.number.lstrip("0") or "0", one.title):
            yield f"link to {target}: its text must be {int(one.number)} · {one.title}, got {words!r}"
        elif one and any(int(found) != int(one.number) for found in re.findall(r"\d+", words)):
            yield f"link to {target}: it is notebook {int(one.number)}, got {words!r}"
    for found in NUMBERED.findall(LINK.sub("", markdown)):
        yield f"{found!r} without a link: write [notebook 4](04_causal_masking.ipynb), which is checked"


def _listed(target):
    """Return the course's Notebook that a link leads to, or None."""
    stem = unquote(urlsplit(target).path).rpartition("/")[2].removesuffix(".ipynb").removesuffix(".md")
    return next((one for one in course.notebooks() if stem in (one.file, one.topic)), None)


def _problem(source, target):
    """Return what is wrong with a link, in words, or None. source: the path of the notebook."""
    url = urlsplit(target)
    if url.scheme or url.netloc:
        return None  # links into the web are not checked
    if url.path.startswith("/"):
        return "write it relative to the notebook"
    path = source.parent / unquote(url.path) if url.path else source
    if not path.exists():
        return "no such file"
    if url.fragment and unquote(url.fragment) not in _anchors(path):
        return f"{path.name} has no such heading (an anchor is the heading with `-` for each space)"
    return None


def _anchors(path):
    """Return the anchors of a file: in a notebook JupyterLab's (`Your-turn`), in a .md file GitHub's (`your-turn`)."""
    if path.suffix == ".ipynb":
        try:
            cells = read_notebook(path).cells
        except NotebookError:
            return frozenset()
        return frozenset().union(*(_anchors_in(cell.source, _lab_id) for cell in cells if cell.cell_type == "markdown"))
    return _anchors_in(path.read_text(encoding="utf-8"), _github_id) if path.suffix == ".md" else frozenset()


def _anchors_in(markdown, heading_id):
    """Return the anchors in a Markdown text. heading_id: a function from a heading's words to its anchor."""
    tokens = list(_tokens(markdown))
    headings = {heading_id(_text(token)) for token in tokens if token["type"] == "heading"}
    return frozenset(headings.union(*(html.ids(token["raw"]) for token in tokens if token["type"].endswith("_html"))))


def _lab_id(heading):
    """Return JupyterLab's anchor of a heading."""
    return heading.replace(" ", "-")


def _github_id(heading):
    """Return GitHub's anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _targets(markdown):
    """Yield the targets of all links and images in a Markdown text."""
    for token in _tokens(markdown):
        if token["type"] in ("link", "image"):
            yield token["attrs"]["url"]
        elif token["type"].endswith("_html"):
            yield from html.targets(token["raw"])


def _tokens(markdown):
    """Yield all tokens of a Markdown text, nested ones too, as the dicts that mistune makes."""
    waiting = list(_parse(markdown))
    while waiting:
        token = waiting.pop(0)
        yield token
        waiting += token.get("children", [])


def _text(token):
    """Return the words of a token."""
    return token.get("raw", "") + "".join(_text(child) for child in token.get("children", []))

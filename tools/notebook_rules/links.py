"""Rules about links and images in Markdown cells."""

import re
from urllib.parse import unquote, urlsplit

import mistune
from notebook_files import NotebookError
from notebook_format import read_notebook

from . import html

_parse = mistune.create_markdown(renderer=None, plugins=["math", "table"])


def images_have_alt_text(notebook):
    """Every picture carries its sentence."""
    for cell in notebook.markdown_cells:
        for token in _tokens(cell.source):
            if token["type"] == "image" and not _text(token).strip():
                yield cell, f"image without alt text: ![what it shows]({token['attrs']['url']})"
            if token["type"] in ("inline_html", "block_html") and html.images_without_alt(token["raw"]):
                yield cell, "<img> without alt text"


def lead_somewhere(notebook):
    """Every relative link has a file, and every anchor a heading."""
    for cell in notebook.markdown_cells:
        for target in _targets(cell.source):
            if problem := _problem(notebook.path, target):
                yield cell, f"link to {target}: {problem}"


def _problem(source, target):
    """Returns what is wrong with the link, in words, or None."""
    url = urlsplit(target)
    if url.scheme or url.netloc:
        return None  # the web is not ours to check
    if url.path.startswith("/"):
        return "write it relative to the notebook"
    path = source.parent / unquote(url.path) if url.path else source
    if not path.exists():
        return "no such file"
    if url.fragment and unquote(url.fragment) not in _anchors(path):
        return f"{path.name} has no such heading (an anchor is the heading with `-` for each space)"
    return None


def _anchors(path):
    """The anchors of a notebook are JupyterLab's (`Your-turn`), those of a page GitHub's (`your-turn`)."""
    if path.suffix == ".ipynb":
        try:
            cells = read_notebook(path).cells
        except NotebookError:
            return frozenset()
        return frozenset().union(*(_anchors_in(cell.source, _lab_id) for cell in cells if cell.cell_type == "markdown"))
    return _anchors_in(path.read_text(encoding="utf-8"), _github_id) if path.suffix == ".md" else frozenset()


def _anchors_in(markdown, heading_id):
    tokens = list(_tokens(markdown))
    headings = {heading_id(_text(token)) for token in tokens if token["type"] == "heading"}
    return frozenset(headings.union(*(html.ids(token["raw"]) for token in tokens if token["type"].endswith("_html"))))


def _lab_id(heading):
    return heading.replace(" ", "-")


def _github_id(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _targets(markdown):
    for token in _tokens(markdown):
        if token["type"] in ("link", "image"):
            yield token["attrs"]["url"]
        elif token["type"].endswith("_html"):
            yield from html.targets(token["raw"])


def _tokens(markdown):
    """Yield the parts of a text, those inside others too."""
    waiting = list(_parse(markdown))
    while waiting:
        token = waiting.pop(0)
        yield token
        waiting += token.get("children", [])


def _text(token):
    return token.get("raw", "") + "".join(_text(child) for child in token.get("children", []))

"""Rules about links and images in Markdown cells."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup

from course_utils import course
from nb.files import NotebookError
from nb.format import read_notebook
from nb.rules.model import Cell, Notebook
from nb.translation.markdown import text_of, tokens

LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)|<a href=\"([^\"]+)\">([^<]+)</a>")
TYPED_LINK = re.compile(r"\[[^\]]+\]\([^)\s]+\)")
ATTRIBUTES = {"a": "href", "img": "src"}
NUMBERED = re.compile(r"\b[Nn]otebooks? \d+")


def images_have_alt_text(cell: Cell):
    """Yield a message for each image without alt text in a Markdown cell; a piece of HTML gives one at most."""
    for token in tokens(cell.source):
        if token["type"] == "image" and not text_of(token).strip():
            yield f"image without alt text: ![what it shows]({token['attrs']['url']})"
        if token["type"].endswith("_html") and has_image_without_alt(token["raw"]):
            yield '<img> without alt text: write alt="what it shows"'


def lead_somewhere(notebook: Notebook):
    """Yield (Cell, message) for each link or image whose file or heading does not exist; the web is not checked."""
    for cell in notebook.markdown_cells:
        for token in tokens(cell.source):
            targets = [token["attrs"]["url"]] if token["type"] in ("link", "image") else []
            for target in _targets(token["raw"]) if token["type"].endswith("_html") else targets:
                if problem := _problem(notebook.path, target):
                    yield cell, f"link to {target}: {problem}"


def are_links(cell: Cell):
    """Yield a message for each block of HTML in a Markdown cell with a Markdown link in it, shown as plain text."""
    for token in tokens(cell.source):
        if token["type"] == "block_html" and (link := TYPED_LINK.search(token["raw"])):
            yield f"{link[0]} stands in HTML, where it is no link: write <a href=…>, or the title in <em>"


def misnumbered(markdown: str, titles: dict[str, str] | None = None):
    """Yield a message for each place where a Markdown text numbers a notebook without a link, or wrongly.

    titles: file of a notebook without suffix -> its title, where that is not the English one of the list.
    """
    for words, target, other_target, other_words in LINK.findall(markdown):
        words, target = words or other_words, target or other_target
        notebook = _notebook_at(target)
        number, _, title = words.partition(" · ")
        known = (titles or {}).get(notebook.file, notebook.title) if notebook else ""
        if notebook and title and (number, title) != (notebook.number.lstrip("0") or "0", known):
            yield f"link to {target}: its text must be {int(notebook.number)} · {known}, got {words!r}"
        elif notebook and any(int(match) != int(notebook.number) for match in re.findall(r"\d+", words)):
            yield f"link to {target}: it is notebook {int(notebook.number)}, got {words!r}"
    for match in NUMBERED.findall(LINK.sub("", markdown)):
        yield f"{match!r} without a link: write [notebook 4](04_causal_masking.ipynb), which is checked"


def _notebook_at(target: str) -> course.Notebook | None:
    stem = unquote(urlsplit(target).path).removesuffix("/teaching.md").rpartition("/")[2].removesuffix(".ipynb")
    return next((notebook for notebook in course.notebooks() if stem in (notebook.file, notebook.topic)), None)


def _problem(source: Path, target: str) -> str | None:
    """Return what is wrong with a link from the notebook at `source`; None if it is right or not checked."""
    url = urlsplit(target)
    if url.scheme or url.netloc:
        return None  # links into the web are not checked
    if url.path.startswith("/"):
        return "write it relative to the notebook"
    path = source.parent / unquote(url.path) if url.path else source
    if not path.exists():
        return "no such file: write the path from the notebook's folder"
    if url.fragment and unquote(url.fragment) not in _anchors(path):
        return f"{path.name} has no such heading (an anchor is the heading with `-` for each space)"
    return None


def _anchors(path: Path) -> set[str]:
    """Return the anchors in a file: JupyterLab's in a notebook (`Your-turn`), GitHub's in a .md file (`your-turn`)."""
    if path.suffix == ".md":
        sources = [path.read_text("utf-8")]
    else:
        try:
            cells = read_notebook(path).cells if path.suffix == ".ipynb" else []
        except NotebookError:
            cells = []
        sources = [cell.source for cell in cells if cell.cell_type == "markdown"]
    found = set()
    for token in (token for source in sources for token in tokens(source)):
        if token["type"] == "heading":
            words = re.sub(r"[^\w\- ]", "", text_of(token).lower()) if path.suffix == ".md" else text_of(token)
            found.add(words.replace(" ", "-"))
        elif token["type"].endswith("_html"):
            found |= _ids(token["raw"])
    return found


def has_image_without_alt(text: str) -> bool:
    """Return whether a piece of HTML has an <img> whose alt text is missing or blank."""
    return "<img" in text and any(not image.get("alt", "").strip() for image in _soup(text)("img"))


def _targets(text: str) -> list[str]:
    return [tag[ATTRIBUTES[tag.name]] for tag in _soup(text)(["a", "img"]) if tag.get(ATTRIBUTES[tag.name])]


def _ids(text: str) -> set[str]:
    return {tag[key] for tag in _soup(text)(True) for key in ("id", "name") if tag.has_attr(key)}


def _soup(text):
    return BeautifulSoup(text, "html.parser")

"""Rules about links and images in Markdown cells."""

import re
from urllib.parse import unquote, urlsplit

import mistune

from course_utils import course
from nb.files import NotebookError
from nb.format import read_notebook
from nb.rules import html

LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)|<a href=\"([^\"]+)\">([^<]+)</a>")
TYPED_LINK = re.compile(r"\[[^\]]+\]\([^)\s]+\)")
NUMBERED = re.compile(r"\b[Nn]otebooks? \d+")

_parse = mistune.create_markdown(renderer=None, plugins=["math", "table"])


def images_have_alt_text(cell):
    """Yield a message for each image without alt text in a Markdown Cell; a piece of HTML gives one at most."""
    for token in _tokens(cell.source):
        if token["type"] == "image" and not _text(token).strip():
            yield f"image without alt text: ![what it shows]({token['attrs']['url']})"
        if token["type"].endswith("_html") and html.has_image_without_alt(token["raw"]):
            yield "<img> without alt text"


def lead_somewhere(notebook):
    """Yield (Cell, message) for each link or image in a Markdown cell whose file or heading does not exist.

    A path that begins with / is reported too; links into the web are not checked. notebook: a Notebook.
    """
    for cell in notebook.markdown_cells:
        for target in _targets(cell.source):
            if problem := _problem(notebook.path, target):
                yield cell, f"link to {target}: {problem}"


def are_links(cell):
    """Yield a message for each block of HTML in a Markdown Cell with a Markdown link in it, shown as plain text."""
    for token in _tokens(cell.source):
        if token["type"] == "block_html" and (link := TYPED_LINK.search(token["raw"])):
            yield f"{link[0]} stands in HTML, where it is no link: write <a href=…>, or the title in <em>"


def numbers_are_those_of_the_list(cell):
    """Yield the messages of `misnumbered` about a Markdown cell. cell: a Cell."""
    yield from misnumbered(cell.source)


def misnumbered(markdown, titles=None):
    """Yield a message for each place where a Markdown text numbers a notebook without a link, or wrongly.

    A link is wrong if its words have another number or title than the course's list has. It leads to a notebook,
    `04_causal_masking.ipynb`, or to the presenter's page about it, `causal_masking.md`; other links are ignored.
    titles: a dict, file of a notebook without ending -> its title, in another language than English.
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


def _notebook_at(target):
    """Return the course.Notebook to which a link target, a text, leads, or None."""
    stem = unquote(urlsplit(target).path).rpartition("/")[2].removesuffix(".ipynb").removesuffix(".md")
    return next((notebook for notebook in course.notebooks() if stem in (notebook.file, notebook.topic)), None)


def _problem(source, target):
    """Return in words what is wrong with a link from the notebook at the Path `source`; None if it leads somewhere."""
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
    """Return the anchors in the file at `path`, a frozenset of strings.

    The anchors of a notebook are JupyterLab's (`Your-turn`), those of a .md file are GitHub's (`your-turn`). Any other
    file, and a notebook that cannot be read, has none.
    """
    if path.suffix == ".ipynb":
        try:
            cells = read_notebook(path).cells
        except NotebookError:
            return frozenset()
        return frozenset().union(*(_anchors_in(cell.source, _lab_id) for cell in cells if cell.cell_type == "markdown"))
    return _anchors_in(path.read_text(encoding="utf-8"), _github_id) if path.suffix == ".md" else frozenset()


def _anchors_in(markdown, heading_id):
    """Return a frozenset of the anchors in Markdown: those in its HTML, and `heading_id(words)` of each heading."""
    tokens = list(_tokens(markdown))
    headings = {heading_id(_text(token)) for token in tokens if token["type"] == "heading"}
    return frozenset(headings.union(*(html.ids(token["raw"]) for token in tokens if token["type"].endswith("_html"))))


def _lab_id(heading):
    """Return JupyterLab's anchor for a heading with these words: "Your-turn" for "Your turn"."""
    return heading.replace(" ", "-")


def _github_id(heading):
    """Return GitHub's anchor for a heading with these words: "your-turn" for "Your turn"."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _targets(markdown):
    """Yield the target of each link and image in a Markdown text, also of those in its HTML, as a string."""
    for token in _tokens(markdown):
        if token["type"] in ("link", "image"):
            yield token["attrs"]["url"]
        elif token["type"].endswith("_html"):
            yield from html.targets(token["raw"])


def _tokens(markdown):
    """Yield all mistune tokens (dicts) of a Markdown text, breadth first: nested ones after those that hold them."""
    waiting = list(_parse(markdown))
    while waiting:
        token = waiting.pop(0)
        yield token
        waiting += token.get("children", [])


def _text(token):
    """Return the text of a mistune token and of all tokens inside it, as one string."""
    return token.get("raw", "") + "".join(_text(child) for child in token.get("children", []))

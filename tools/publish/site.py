"""Render the web edition: a start page and a page for each notebook, which need no server and no network."""

import base64
import hashlib
import html
import re
import tomllib
from pathlib import Path
from string import Template

from nb.files import COURSE

from course_utils import course
from publish import markup, views
from publish.article import PageRenderer, article
from publish.markup import inline, markdown, to_html

LAYER, HEAD = 3, 1  # the attention head that the first notebook shows
PICTURE = re.compile(r'src="data:image/(svg|png|jpeg)[+\w]*;base64,([^"]+)"')
ASSETS = Path(__file__).parent / "assets" / "site"
OF_THE_README = ("What you will be able to do", "Three ways through", "Teaching with it")
HOW_TO_INSTALL = """You need Python 3.11, 3.12 or 3.13 and `make`. In the course's folder:

```
make lab
```

The first call downloads about 1 GB and takes a minute or two. After that, no network is needed, and no graphics card
ever. Checks that say what went wrong, trainings and your own sentences need it; these pages do not.
"""


def address():
    """Return the repository's address in the web, as pyproject.toml has it, or None."""
    project = tomllib.loads((COURSE / "pyproject.toml").read_text("utf-8"))["project"]
    return project.get("urls", {}).get("Repository", "").rstrip("/") or None


def notebook_page(path, notebook, live):
    """Return the HTML page of a notebook in the web edition.

    path: of its file, a Path. notebook: as read from it. live: id of a cell -> list with the HTML of each of its views.
    """
    listed = course.notebooks()
    place = [entry.file for entry in listed].index(path.stem)
    entry, web = listed[place], address()
    text, headings = article(notebook, live, path.parent, web)
    neighbours = [listed[place - 1] if place else None, listed[place + 1] if place + 1 < len(listed) else None]
    return _template("page.html").substitute(
        title=html.escape(entry.title),
        number=int(entry.number),
        question=inline(entry.question),
        minutes=entry.minutes,
        objectives=_objectives(notebook.cells[0].source, path.parent, web),
        contents="".join(
            f'<li><a href="#{html.escape(anchor)}">{words}</a></li>\n'
            for level, anchor, words in headings
            if level == 2
        ),
        article=text,
        notebook=f"notebooks/{path.name}",
        elsewhere=_elsewhere(web, path.name),
        before=_neighbour(neighbours[0], "Previous", "prev"),
        after=_neighbour(neighbours[1], "Next", "next"),
    )


def start_page():
    """Return the HTML of the start page, which opens with the sentence of the first notebook as a live view."""
    parts = _parts((COURSE / "README.md").read_text("utf-8"))
    renderer = PageRenderer(COURSE, address())
    able, ways, teaching = (to_html(parts[name].split("![")[0], renderer) for name in OF_THE_README)
    return _template("start.html").substitute(
        sentence=_sentence(),
        able=able,
        ways=ways,
        teaching=teaching,
        install=markdown(HOW_TO_INSTALL),
        syllabus="".join(map(_entry, course.notebooks())),
    )


def with_pictures_beside(page):
    """Move a page's inline pictures to files of their own; return the pair (page, file name -> bytes of each picture).

    page: HTML. It then loads each picture when it comes into sight.
    """
    pictures = {}

    def put_beside(match):
        """Note a picture's bytes; return the HTML attributes that load it from its file. match: a match of PICTURE."""
        data = base64.b64decode(match[2])
        name = f"pictures/{hashlib.sha256(data).hexdigest()[:12]}.{match[1]}"
        pictures[name] = data
        return f'loading="lazy" src="{name}"'

    return PICTURE.sub(put_beside, page), pictures


def shared_files():
    """Return the files that all pages share: file name -> bytes."""
    own = {path.name: path.read_bytes() for path in ASSETS.iterdir() if path.suffix in (".js", ".css")}
    return own | markup.shared_files() | views.shared_files()


def _sentence():
    """Return the HTML of the live view on the start page."""
    from course_utils import data, widgets

    weak, steep = (data.load("sentence_pairs")[word] for word in ("weak", "steep"))
    weights = (sentence.attn_weights[LAYER, HEAD : HEAD + 1] for sentence in (weak, steep))
    return widgets.SentenceView(
        next(weights), weak.tokens, compare=next(weights), compare_tokens=steep.tokens, query=weak.tokens.index("it")
    ).to_shared_html()


def _entry(entry):
    """Return a notebook's line in the syllabus, as HTML. entry: a course.Notebook."""
    about = f"<strong>{html.escape(entry.title)}</strong><span>{inline(entry.question)}</span>"
    about += f"<small>{entry.minutes} min</small>"
    return f'<li><a href="{entry.file}.html"><b>{int(entry.number)}</b>{about}</a></li>\n'


def _parts(text):
    """Return the `##` parts of a Markdown text as a dict, heading -> text below it, without what comes before them."""
    pieces = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


def _objectives(source, folder, web):
    """Return the HTML of a title cell's objectives: without the title, the question and the line of minutes and links.

    source: the cell's Markdown. folder: of the notebook. web: the repository's address, to which links to files lead,
    or None: then such links become plain words.
    """
    words = re.sub(r"^(#|\*\*Time\*\*).*$", "", source, flags=re.MULTILINE)
    words = re.sub(r"^\*\*.*\*\*$", "", words, count=1, flags=re.MULTILINE)
    return to_html(words, PageRenderer(folder, web))


def _elsewhere(web, name):
    """Return HTML links that open a notebook in Binder and Codespaces, if the repository and their files exist.

    web: the repository's address, or None. name: of the notebook's file.
    """
    links, repository = [], web and re.fullmatch(r"https://github\.com/([^/]+/[^/]+)", web)
    if repository and (COURSE / "binder").is_dir():  # Binder's set-up makes copies without outputs
        links.append((f"https://mybinder.org/v2/gh/{repository[1]}/HEAD?labpath=work/{name}", "Open in Binder"))
    if repository and (COURSE / ".devcontainer").is_dir():
        links.append((f"https://codespaces.new/{repository[1]}", "Open in Codespaces"))
    return "".join(f'<a href="{url}">{words}</a>\n' for url, words in links)


def _neighbour(entry, words, rel):
    """Return an HTML link to the notebook before or after, or to the start page if there is none.

    entry: a course.Notebook, or None. words: such as "Next". rel: the link's `rel` attribute.
    """
    if entry is None:
        return '<a href="index.html" rel="up"><small>To the</small>Start page</a>'
    title = f"{int(entry.number)} · {html.escape(entry.title)}"
    return f'<a href="{entry.file}.html" rel="{rel}"><small>{words}</small>{title}</a>'


def _template(name):
    return Template((ASSETS / name).read_text("utf-8"))

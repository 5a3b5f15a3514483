"""Render the web edition: a start page and a page for each notebook, which need no server and no network."""

import base64
import hashlib
import re
import tomllib

from nb.files import COURSE

from course_utils import course
from publish import markup, views
from publish.article import PageRenderer, article
from publish.markup import inline, markdown, to_html

LAYER, HEAD = 3, 1  # the attention head that the first notebook shows
PICTURE = re.compile(r'src="data:image/(svg|png|jpeg)[+\w]*;base64,([^"]+)"')
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
    """Return the HTML page of the notebook at `path`.

    live: a dict, id of a cell -> list with the HTML of each of its views.
    """
    listed, web = [None, *course.notebooks(), None], address()
    place = next(place for place, entry in enumerate(listed) if entry and entry.file == path.stem)
    text, headings = article(notebook, live, path.parent, web)
    return markup.template("site/page.html").render(
        entry=listed[place],
        before=listed[place - 1],
        after=listed[place + 1],
        question=inline(listed[place].question),
        objectives=_objectives(notebook.cells[0].source, path.parent, web),
        contents=[(anchor, words) for level, anchor, words in headings if level == 2],
        article=text,
        elsewhere=_elsewhere(web, path.name),
    )


def start_page():
    """Return the HTML of the start page, which opens with the sentence of the first notebook as a live view."""
    parts = _parts((COURSE / "README.md").read_text("utf-8"))
    renderer = PageRenderer(COURSE, address())
    able, ways, teaching = (to_html(parts[name].split("![")[0], renderer) for name in OF_THE_README)
    return markup.template("site/start.html").render(
        sentence=_sentence(),
        able=able,
        ways=ways,
        teaching=teaching,
        install=markdown(HOW_TO_INSTALL),
        syllabus=[(entry, inline(entry.question)) for entry in course.notebooks()],
    )


def with_pictures_beside(page):
    """Return (HTML page that loads its pictures when they come into sight, dict file name -> bytes); write nothing."""
    pictures = {}

    def put_beside(match):
        """Add a picture's bytes to `pictures`; return the HTML attributes that load its file. match: of PICTURE."""
        data = base64.b64decode(match[2])
        name = f"pictures/{hashlib.sha256(data).hexdigest()[:12]}.{match[1]}"
        pictures[name] = data
        return f'loading="lazy" src="{name}"'

    return PICTURE.sub(put_beside, page), pictures


def shared_files():
    """Return a dict, file name -> bytes, of the files that all pages share."""
    return markup.shared_files("site") | views.shared_files()


def _sentence():
    """Return the HTML of the live view on the start page, a sentence of the first notebook."""
    from course_utils import data, widgets

    weak, steep = (data.load("sentence_pairs")[word] for word in ("weak", "steep"))
    weights, other = (sentence.attn_weights[LAYER, HEAD : HEAD + 1] for sentence in (weak, steep))
    compared = {"compare": other, "compare_tokens": steep.tokens}
    return widgets.SentenceView(weights, weak.tokens, query=weak.tokens.index("it"), **compared).to_shared_html()


def _parts(text):
    """Return a dict, heading -> text below it, of the `##` parts of a Markdown text."""
    pieces = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


def _objectives(source, folder, web):
    """Return the HTML of a title cell without the title, the question and the line of minutes and links.

    source: the cell's Markdown. folder: of the notebook. web: the repository's address, or None, as for PageRenderer.
    """
    words = re.sub(r"^(#|\*\*Time\*\*).*$", "", source, flags=re.MULTILINE)
    words = re.sub(r"^\*\*.*\*\*$", "", words, count=1, flags=re.MULTILINE)
    return to_html(words, PageRenderer(folder, web))


def _elsewhere(web, name):
    """Return HTML links that open a notebook in Binder and Codespaces; "" without a repository on GitHub.

    Each link is there only if the course has the files for it. web: the repository's address, or None. name: of the
    notebook's file.
    """
    links, repository = [], web and re.fullmatch(r"https://github\.com/([^/]+/[^/]+)", web)
    if repository and (COURSE / "binder").is_dir():  # Binder's set-up makes copies without outputs
        links.append((f"https://mybinder.org/v2/gh/{repository[1]}/HEAD?labpath=work/{name}", "Open in Binder"))
    if repository and (COURSE / ".devcontainer").is_dir():
        links.append((f"https://codespaces.new/{repository[1]}", "Open in Codespaces"))
    return "".join(f'<a href="{url}">{words}</a>\n' for url, words in links)

"""Render the web edition: a start page and a page for each notebook, which need no server and no network."""

import base64
import hashlib
import re
from pathlib import Path

from nb.files import COURSE

from course_utils import language
from publish import lines, markup, own, views, words
from publish.around import address
from publish.article import PageRenderer, article
from publish.markup import inline, markdown, plain, to_html
from publish.opening import opening, rounds
from publish.questions import is_view, questions, quiz_name, readable
from publish.words import say

DESCRIPTION = (
    "One other word at the end of a sentence, and a language model looks elsewhere. Seventeen notebooks build the "
    "attention that does it, by hand, in a loop, and as PyTorch does it."
)
LINE, MISTAKE = "causal_mask", "mask-lower"  # the exercise of the start page, and the mistake in it at first
PICTURE = re.compile(r'src="data:image/(svg|png|jpeg)[+\w]*;base64,([^"]+)"')
JOINED = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])\n *(?=[^\s#*|>-])")  # Chinese has no spaces between lines
OF_THE_README = ("What you will be able to do", "Three ways through", "Teaching with it")
NEEDED = "You need Python 3.11, 3.12 or 3.13 and `make`. In the course's folder:"
THEN = (
    "The first call downloads about 1 GB and takes a minute or two. After that, no network is needed, and no graphics "
    "card ever. Code of your own and trainings need it; these pages do not."
)


def notebook_page(
    path: Path, notebook, live: dict, around: dict, exercises=None, anchors=()
) -> tuple[str, list[tuple]]:
    """Return a notebook's page in the web edition: (HTML, its headings as (level, anchor, words)).

    live: id of a cell -> [HTML of each of its views]. around: of around.values. exercises: name -> what `reports.make`
    made; without it, exercises have no forms. anchors: as for `article`.
    """
    listed, web = [None, *words.notebooks(), None], address()
    place = next(place for place, entry in enumerate(listed) if entry and entry.file == path.stem)
    made = {name: exercises[name] for name in listed[place].exercises} if exercises else {}
    forms = {name: lines.form(name, exercise, path.stem) for name, exercise in made.items()}
    text, headings = article(notebook, live, path.parent, web, forms, anchors)
    page = markup.template("site/page.html").render(
        course=around,
        page=path.stem,
        title=say("{title}: the attention course", title=f"{int(listed[place].number)} · {listed[place].title}"),
        description=plain(listed[place].question),
        opening=opening(listed[place].topic, live),
        entry=listed[place],
        before=listed[place - 1],
        after=listed[place + 1],
        question=inline(listed[place].question),
        objectives=_objectives(notebook.cells[0].source, path.parent, web),
        contents=[(anchor, words) for level, anchor, words in headings if level == 2],
        article=text + (lines.packed(made) if made else ""),
        reads=path.stem in own.PAGES,
        elsewhere=_elsewhere(web, path.name),
    )
    return page, headings


def start_page(around: dict, steps: dict[str, int], exercises=None) -> str:
    """Return the HTML of the start page. around, exercises: as for `notebook_page`. steps: what `steps_of` returned."""
    renderer = PageRenderer(COURSE, address())
    able, ways, teaching = (to_html(part.split("![")[0], renderer) for part in _of_the_readme())
    line, page = "", next(one.file for one in words.notebooks() if LINE in one.exercises)
    if exercises:
        line = lines.form(LINE, exercises[LINE], page, (MISTAKE,)) + lines.packed({LINE: exercises[LINE]})
    option = f" LANGUAGE={words.folder(language.current()).rstrip('/')}" if words.root() else ""
    return markup.template("site/start.html").render(
        course=around,
        page="index",
        title=say("The attention course"),
        description=say(DESCRIPTION),
        steps=steps,
        rounds=rounds(),
        line=line,
        able=able,
        ways=ways,
        teaching=teaching,
        install=markdown(f"{say(NEEDED)}\n\n```\nmake lab{option}\n```\n\n{say(THEN)}"),
        syllabus=[(entry, inline(entry.question)) for entry in words.notebooks()],
    )


def steps_of(notebooks: dict) -> dict[str, int]:
    """Return file name of each notebook -> number of predictions, quiz questions and exercises on its page.

    notebooks: path -> NotebookNode of those to read; of the others, only the exercises count.
    """
    steps = {one.file: len(one.exercises) for one in words.notebooks()}
    for path, notebook in notebooks.items():
        cells = readable(notebook.cells)
        topics = filter(None, map(quiz_name, cells))
        steps[path.stem] += sum(map(is_view, cells)) + sum(len(questions(topic)) for topic in topics)
    return steps


def with_pictures_beside(page: str) -> tuple[str, dict[str, bytes]]:
    """Return (an HTML page whose pictures are in files of their own, these files: file name -> content); write nothing.

    The page loads a picture when it comes into sight. The files lie beside the English pages.
    """
    pictures = {}

    def put_beside(match):
        data = base64.b64decode(match[2])
        name = f"pictures/{hashlib.sha256(data).hexdigest()[:12]}.{match[1]}"
        pictures[name] = data
        return f'loading="lazy" src="{words.root()}{name}"'

    return PICTURE.sub(put_beside, page), pictures


def shared_files() -> dict[str, bytes]:
    return markup.shared_files("site") | views.shared_files() | {"LICENSE.txt": (COURSE / "LICENSE").read_bytes()}


def _of_the_readme() -> list[str]:
    """Return the texts below the headings OF_THE_README in the README of the current language."""
    here = COURSE / f"README.{words.folder(language.current()).rstrip('/')}.md"
    headings, *_ = _parts(COURSE / "README.md")
    _, texts = _parts(here if here.exists() else COURSE / "README.md")
    return [JOINED.sub("", texts[headings.index(name)]) for name in OF_THE_README]


def _parts(path: Path) -> tuple[list[str], list[str]]:
    """Return (headings without ##, texts below them) of the `##` parts of a Markdown file."""
    pieces = re.split(r"^## (.+)$", path.read_text("utf-8"), flags=re.MULTILINE)
    return pieces[1::2], pieces[2::2]


def _objectives(source: str, folder: Path, web: str | None) -> str:
    """Return the HTML of a title cell's Markdown without the title, the question and the line of minutes and links."""
    text = re.sub(rf"^(#|{re.escape(say('**Time**'))}).*$", "", source, flags=re.MULTILINE)
    text = re.sub(r"^\*\*.*\*\*$", "", text, count=1, flags=re.MULTILINE)
    return to_html(text, PageRenderer(folder, web))


def _elsewhere(web: str | None, name: str) -> str:
    """Return HTML links that open a notebook in Binder and Codespaces, if the course has a repository on GitHub."""
    links, repository = [], web and re.fullmatch(r"https://github\.com/([^/]+/[^/]+)", web)
    if repository and (COURSE / "binder").is_dir():  # Binder's set-up makes copies without outputs
        links.append((f"https://mybinder.org/v2/gh/{repository[1]}/HEAD?labpath=work/{name}", say("Open in Binder")))
    if repository and (COURSE / ".devcontainer").is_dir():
        links.append((f"https://codespaces.new/{repository[1]}", say("Open in Codespaces")))
    return "".join(f'<a href="{url}">{name}</a>\n' for url, name in links)

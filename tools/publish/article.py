"""Render a notebook as a web page: headings with anchors, long code folded, and answers to predictions hidden."""

import ast
import html
import re
from itertools import count, groupby
from operator import itemgetter
from pathlib import Path

from nb.format import tags

from publish.markup import OUTPUT_LINK, Renderer, code_block, tidy, to_html
from publish.outputs import as_html
from publish.paper import Paper, only, quiz, rooms, stub
from publish.questions import answering, asks, quiz_name, readable
from publish.words import say

FOLDED = {
    "setup": "Set-up, which imports {names}",
    "figure": "The code of this figure",
    "widget": "The code of this view",
}
REPLAYS = "note.textContent = "  # a line in the HTML of a view that calls the learner's own function
REPLAYED = (
    "<p class='lab'>Here it shows what was stored. <a href='index.html#on-your-own-machine'>In JupyterLab</a> it calls "
    "the function in its cell, which you can change.</p>\n"
)
IN_JUPYTERLAB = (
    "<p class='lab'>In JupyterLab, you write it all, and {call} tells you what is right, and what went wrong.</p>\n"
)
CHECK = re.compile(r"checks\.(\w+)\(")


class PageRenderer(Renderer):
    """A Markdown renderer for web pages: headings have anchors, and links lead to pages or into the repository.

    address, anchors: as for `article`. headings: [(level, anchor, HTML without tags)], and places: ids of elements for
    the search to lead to; both are filled while rendering.
    """

    def __init__(self, folder, address, anchors=()):
        super().__init__(folder)
        self.address, self.headings, self.anchors, self.places = address, [], iter(anchors), set()

    def place(self, cell) -> str:
        """Return an id for a part of an nbformat cell, to which the search leads; a cell can have several parts."""
        part = next(part for part in count(1) if f"{cell.id}.{part}" not in self.places)
        self.places.add(f"{cell.id}.{part}")
        return f"{cell.id}.{part}"

    def heading(self, text, level, **attributes):
        words = re.sub(r"<[^>]+>", "", text)
        anchor = html.unescape(words).replace(" ", "-")
        self.headings.append((level, anchor, words))
        mark = f'<a class="anchor" href="#{html.escape(anchor)}" aria-label="{say("Link to this part")}">#</a>'
        english = next(self.anchors, anchor)
        also = f'<span id="{html.escape(english)}"></span>' if english != anchor else ""
        return f'<h{level} id="{html.escape(anchor)}">{also}{text} {mark if level > 1 else ""}</h{level}>\n'

    def link(self, text, url, title=None):
        path, hash, anchor = url.partition("#")
        if "://" not in url and path.endswith(".ipynb"):
            url = f"{path.split('/')[-1].removesuffix('.ipynb')}.html{hash}{anchor}"
        elif "://" not in url and path:
            if not self.address:
                return text
            url = f"{self.address}/blob/HEAD/{path.lstrip('./')}{hash}{anchor}"
        return f'<a href="{html.escape(url)}">{text}</a>'


def article(notebook, views: dict, folder: Path, address=None, forms=None, anchors=()) -> tuple[str, list[tuple]]:
    """Return (HTML of a NotebookNode without its title cell, its headings as (level, anchor, words)).

    views: id of a cell -> [HTML of each of its live views]. address: the repository's, or None: then links to its files
    become words. forms: name of an exercise -> HTML that takes the place of its stub where scripts run. anchors: those
    of the English page's headings, in order, if this is another language.
    """
    renderer, paper, pieces = PageRenderer(folder, address, anchors), Paper(rooms(notebook.cells)), []
    summary = f'<span class="screen">{say("I have a guess: show what comes")}</span>'
    for answers, cells in groupby(answering(readable(notebook.cells[1:])), key=itemgetter(1)):
        text = "".join([_piece(cell, views, renderer, forms or {}, paper) for cell, _ in cells])
        pieces.append(_folded(only(paper.prediction()) + summary, text, "answer") if answers and text else text)
    return OUTPUT_LINK.sub(r'href="\1.html', "".join(pieces)), renderer.headings


def _piece(cell, views: dict, renderer: PageRenderer, forms: dict, paper: Paper) -> str:
    if cell.cell_type == "markdown":
        words = paper.words(cell, to_html(cell.source, renderer))
        return f'<div class="prose" id="{renderer.place(cell)}">\n{words}</div>\n'
    if topic := quiz_name(cell):
        from course_utils.quiz import view  # imported here, since it is slow

        return f'{quiz(topic)}<div class="view">{view(topic).to_shared_html()}</div>\n'
    if "check" in tags(cell):
        call = cell.source.splitlines()[-1]
        return forms.get(CHECK.match(call)[1], "") + say(IN_JUPYTERLAB, call=f"<code>{html.escape(call)}</code>")
    if "exercise" in tags(cell):
        return stub(cell.source, paper.rooms[cell.id])
    if "solution" in tags(cell):
        code = code_block(tidy(cell.source))
        return _folded(only(f"{paper.exercise()} · ") + say("A solution"), code + as_html(cell.outputs), "solution")
    return _code(cell) + _result(cell, views, paper)


def _code(cell) -> str:
    if asks(cell):
        return ""  # the view shows the question
    code = code_block(tidy(cell.source))
    tag = next((tag for tag in FOLDED if tag in tags(cell)), None)
    if not tag:
        return code
    imports = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = ", ".join(f"<code>{part.asname or part.name}</code>" for node in imports for part in node.names)
    return _folded(say(FOLDED[tag], names=names), code, "code-of")


def _result(cell, views: dict, paper: Paper) -> str:
    """Return the HTML of an nbformat cell's outputs; where it has live views, its outputs are for paper alone."""
    stored = paper.stored(cell)
    if cell.id not in views:
        return f'<div class="result">\n{stored}</div>\n' if stored else ""
    alive = "".join(f'<div class="view">{view}</div>\n' for view in views[cell.id])
    return f'<div class="paper">\n{stored}</div>\n{alive}' + (say(REPLAYED) if REPLAYS in alive else "")


def _folded(words: str, content: str, kind: str) -> str:
    return f'<details class="{kind}"><summary>{words}</summary>\n{content}</details>\n'

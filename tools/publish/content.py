"""Which cells of a notebook stand on which slide, and in which step."""

import ast
import html
import re
from dataclasses import dataclass, field

from publish.markup import code_block, markdown, plain
from publish.outputs import as_html
from publish.questions import called, questions

HEADING = re.compile(r"#{1,4} +(.+)")
PREDICT = "**Predict first.**"
DEFINES = re.compile(r"^(def|class) ", re.MULTILINE)


@dataclass
class Slide:
    """One slide: the id of its first cell, the title it stands under, and its cells as HTML in their steps."""

    key: str
    title: str
    notes: str
    html: list[str] = field(default_factory=list)
    step: int = 0

    def add(self, kind, content):
        self.html.append(f'<div class="cell {kind}" data-step="{self.step}">\n{content}</div>\n')


def columns(notebook, page, views, folder, with_solutions=False):
    """Return the slides of a notebook: a list of columns, each a list of slides from top to bottom.

    page: the presenter's notes. views: id of a cell -> the HTML of its live view. folder: where the notebook lies.
    """
    found, title = [], ""
    for cell, slide_type in _shown(notebook, with_solutions):
        if number := called(cell):
            found[-1][0].title == "Quiz" and found.pop()  # its words are about buttons that a slide has not
            found.append([_question(cell.id, *question) for question in questions(number)])
            continue
        heading = HEADING.match(cell.source) if cell.cell_type == "markdown" else None
        own = plain(heading[1]) if heading else title
        if not _is_prompt(cell):
            title = own  # what follows an exercise is about the same as before
        if slide_type in ("slide", "subslide") or not found:
            slide = Slide(cell.id, own, markdown(page.note(cell.id), folder))
            if slide_type == "subslide" and found:
                found[-1].append(slide)
            else:
                found.append([slide])
        _add(found[-1][-1], cell, slide_type, views, folder)
    return found


def _shown(notebook, with_solutions):
    """Yield each cell that stands in the deck, and its slide type; a solution stands below its prompt."""
    prompted = False
    for cell in notebook.cells:
        tags, slide_type = cell.metadata.get("tags", []), cell.metadata.get("slideshow", {}).get("slide_type")
        if _is_prompt(cell):
            prompted = slide_type != "skip"
        if "solution" in tags and with_solutions and prompted:
            yield cell, "subslide"
        elif called(cell):
            yield cell, "slide"
        elif slide_type != "skip" and cell.source.strip() and cell.cell_type != "raw":
            yield cell, slide_type


def _question(key, title, question, answer, notes):
    slide = Slide(key, title, notes)
    slide.add("prose", f"<h2>{title}</h2>\n{question}")
    slide.step += 1
    slide.add("prose", answer)
    return slide


def _is_prompt(cell):
    return cell.cell_type == "markdown" and "exercise" in cell.metadata.get("tags", [])


def _add(slide, cell, slide_type, views, folder):
    if slide_type == "fragment":
        slide.step += 1
    if cell.cell_type == "markdown":
        slide.add("prose", markdown(cell.source, folder))
    else:
        _add_code(slide, cell, views)
    if cell.cell_type == "markdown" and PREDICT in cell.source:
        slide.step += 1  # what follows waits until the room has answered


def _add_code(slide, cell, views):
    tags = cell.metadata.get("tags", [])
    if "solution" in tags:
        slide.add("prose", "<h3>A solution</h3>\n")
    if source := _source(cell, tags):
        slide.add("source", code_block(source))
    if cell.id in views:
        parts = "".join(f'<div class="view" data-prevent-swipe>{view}</div>\n' for view in views[cell.id])
        slide.add("result", parts)
    elif shown := as_html(cell.outputs):
        slide.add("result", shown)


def _source(cell, tags):
    """The code that is shown, with one blank line for two; None where the picture is what is to be seen.

    Of a view, the function that it calls is shown, and the call that draws it is not.
    """
    source = re.sub(r"\n{3,}", "\n\n", cell.source)
    if "figure" in tags:
        return None
    if "widget" in tags:
        last = ast.parse(source).body[-1]
        return "\n".join(source.splitlines()[: last.lineno - 1]) if DEFINES.search(source) else None
    return source


def slide_html(slide):
    """Return the slide as HTML, its notes hidden inside."""
    notes = f'<aside class="notes">{slide.notes}</aside>\n' if slide.notes else ""
    about = f'data-key="{slide.key}" data-title="{html.escape(slide.title)}"'
    return f'<section {about}>\n<div class="body">\n{"".join(slide.html)}</div>\n{notes}</section>\n'

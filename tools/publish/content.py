"""Distribute the cells of a notebook over slides, and within a slide over steps."""

import ast
import html
import re
from dataclasses import dataclass, field
from pathlib import Path

from nb import outcomes
from nb.format import tags
from nb.teaching import Page
from nbformat import NotebookNode

from publish.diagrams import DIAGRAM, PICTURE, growing
from publish.markup import OUTPUT_LINK, code_block, markdown, plain, tidy
from publish.outputs import as_html, is_progress
from publish.questions import asks, questions, quiz_name
from publish.words import say

HEADING = re.compile(r"#{1,4} +(.+)")
DEFINES = re.compile(r"^(def|class) ", re.MULTILINE)
APPENDIX = "Appendix"
APPENDIX_NOTE = (
    "<p>The talk ends here; the rest of the notebook follows. From any slide, <b>A</b> leads to what was left out "
    "there, and back.</p>"
)
SOLUTION_NOTE = "<p>One solution of several. <strong>Ask:</strong> whose differs?</p>"


@dataclass
class Slide:
    """A slide of a deck: the HTML of its cells, the presenter's notes, its planned minutes, its layout and place."""

    key: str  # the id of its first cell
    title: str  # the heading that it stands under
    notes: str  # the presenter's, as HTML
    layout: str = ""  # one of LAYOUTS in nb.rules.form, "cover", or "" to choose by content
    minutes: float = 0  # the planned time
    talk: bool = True  # whether it is in the talk, not in the appendix
    place: int = 0  # its index in the notebook's slides
    html: list[str] = field(default_factory=list)  # of each cell
    step: int = 0  # the current one, from 0, which `add` gives to new cells

    def add(self, kind: str, content: str):
        """Add HTML to the slide as a cell that appears in the current step. kind: CSS classes."""
        self.html.append(f'<div class="cell {kind}" data-step="{self.step}">\n{content}</div>\n')


@dataclass
class Deck:
    """What the slides of a notebook are made from: the notebook, its presenter's page, live views, two pictures."""

    notebook: NotebookNode
    page: Page  # the presenter's
    views: dict[str, list[str]]  # id of a cell -> [HTML of each of its live views]
    folder: Path  # of the notebook
    emblem: str = ""  # HTML with the picture for the cover
    before: str = ""  # HTML of the diagram that grows, as the notebook before leaves it

    def slide(self, key: str, title: str, notes="", layout="") -> Slide:
        """Return a new Slide, with what the presenter's page says about it. notes: HTML to add below the page's notes.

        Every slide is in the talk if the page marks none.
        """
        note = self.page.note_on(key)
        notes_html = "\n".join(filter(None, (note and markdown(note.text, self.folder), notes)))
        minutes, in_talk = (note.minutes or 0, note.talk) if note else (0, False)
        return Slide(key, title, notes_html, layout, minutes, in_talk or not self.page.in_talk())


def columns(deck: Deck, with_solutions=False) -> list[list[Slide]]:
    """Return the slides of a deck in columns: the talk of the presenter's page, a divider, the rest of the notebook."""
    whole = _whole(deck, with_solutions)
    for place, slide in enumerate(slide for column in whole for slide in column):
        slide.place = place
    talk, rest = ([[s for s in column if s.talk == chosen] for column in whole] for chosen in (True, False))
    talk, rest = [column for column in talk if column], [column for column in rest if column]
    if rest:
        words = say("Everything else in the notebook, in its order.")
        divider = Slide("appendix", say(APPENDIX), APPENDIX_NOTE, "statement", talk=False, place=-1)
        divider.add("prose", f"<h2>{say(APPENDIX)}</h2>\n<p>{words}</p>\n")
        rest.insert(0, [divider])
    return talk + rest


def _whole(deck: Deck, with_solutions: bool) -> list[list[Slide]]:
    columns, title = [_opening(deck)], ""
    for cell, slide_type in _cells_of_deck(deck.notebook, with_solutions):
        first, last = columns[-1][0], columns[-1][-1]
        if topic := quiz_name(cell):
            quiz = say("Quiz")
            if first.title == quiz:
                columns.pop()  # the quiz's heading slide, whose words are about buttons
            slides = _quiz(deck, first if first.title == quiz else Slide(cell.id, quiz, ""), topic)
            after_it = columns[-1][0].title == say("Recap")  # the recap has the quiz's answers
            columns.insert(len(columns) - after_it, slides)
            continue
        heading = HEADING.match(cell.source) if cell.cell_type == "markdown" else None
        own_title = plain(heading[1]) if heading else title
        if not _is_prompt(cell):
            title = own_title  # an exercise's own heading does not become the title of what follows
        if slide_type in ("slide", "subslide") or len(columns) == 1:
            slide = deck.slide(cell.id, own_title, layout=cell.metadata.get("slideshow", {}).get("layout", ""))
            if "solution" in tags(cell):
                slide.notes, slide.talk = SOLUTION_NOTE, last.talk
            if slide_type == "subslide" and len(columns) > 1:
                columns[-1].append(slide)
            else:
                columns.append([slide])
        _add(columns[-1][-1], cell, slide_type, deck)
    return columns


def _opening(deck: Deck) -> list[Slide]:
    cell = deck.notebook.cells[0]
    heading, *paragraphs = [part for part in cell.source.split("\n\n") if not part.startswith(say("**Time**"))]
    title = plain(heading.lstrip("# "))
    cover = deck.slide(cell.id, title, layout="cover")
    question = [part for part in paragraphs if part.startswith("**")]
    emblem = f"<figure>{PICTURE.search(deck.emblem)[0]}</figure>" if deck.emblem else ""
    cover.add("prose", markdown("\n\n".join([heading, *question]), deck.folder) + emblem)
    rest = [part for part in paragraphs if part not in question and not part.startswith(say("In this notebook"))]
    if not rest:
        return [cover]
    cover.minutes /= 2  # the note stands on both slides
    able = Slide(cell.id, title, cover.notes, minutes=cover.minutes, talk=cover.talk)
    able.add("prose", markdown("\n\n".join([f"## {say('You will be able to')}", *rest]), deck.folder))
    return [cover, able]


def _quiz(deck: Deck, heading: Slide, topic: str) -> list[Slide]:
    """Return a column: a slide for each question of the quiz `topic`. heading: the quiz's slide in the notebook."""
    slides, notes_html = [], heading.notes
    for place, (title, question, answer, notes) in enumerate(questions(topic), start=1):
        slide = deck.slide(f"{heading.key}-{place}", title, notes_html + notes)
        slide.add("prose", f"<h2>{title}</h2>\n{question}")
        slide.step += 1
        slide.add("prose", answer)
        slides.append(slide)
        notes_html = ""
    return slides


def _cells_of_deck(notebook, with_solutions: bool):
    """Yield (nbformat cell, slide type or None) for each cell in the deck; solutions, if wanted, are subslides.

    A quiz is always a slide, and a solution is there if its prompt is.
    """
    prompted = False
    for cell in notebook.cells[1:]:
        slide_type = cell.metadata.get("slideshow", {}).get("slide_type")
        if _is_prompt(cell):
            prompted = slide_type != "skip"
        if "solution" in tags(cell) and with_solutions and prompted:
            yield cell, "subslide"
        elif quiz_name(cell):
            yield cell, "slide"
        elif slide_type != "skip" and cell.source.strip() and cell.cell_type != "raw":
            yield cell, slide_type


def _is_prompt(cell):
    return cell.cell_type == "markdown" and "exercise" in tags(cell)


def _add(slide: Slide, cell, slide_type: str | None, deck: Deck):
    if slide_type == "fragment":
        slide.step += 1
    if cell.cell_type == "markdown":
        slide.add("prose", markdown(outcomes.opened(cell.source), deck.folder))
    else:
        _add_code(slide, cell, deck)
    if asks(cell):
        slide.step += 1  # what follows is a new step, for after the room has answered


def _add_code(slide: Slide, cell, deck: Deck):
    if "solution" in tags(cell):
        slide.add("prose", f"<h3>{say('A solution')}</h3>\n")
    parts = [("source", code_block(source))] if (source := _source(cell)) else []
    if cell.id in deck.views:
        kind = "view asks" if asks(cell) else "view"
        live = "".join(f'<div class="{kind}" data-prevent-swipe>{view}</div>\n' for view in deck.views[cell.id])
        parts.insert(0, ("result", live))  # what the room is to look at; the code explains it
    elif outputs := as_html([output for output in cell.outputs if not is_progress(output)]):
        grown = growing(deck.before, outputs) if deck.before and DIAGRAM.search(cell.source) else outputs
        parts.append(("result", grown))
    for kind, content in parts:
        slide.add(kind, content)


def _source(cell) -> str | None:
    """Return the code of an nbformat cell that a slide shows, or None: of a view, functions and classes above it."""
    source = tidy(cell.source)
    if "figure" in tags(cell):
        return None
    if "widget" in tags(cell):
        last = ast.parse(source).body[-1]
        return "\n".join(source.splitlines()[: last.lineno - 1]) if DEFINES.search(source) else None
    return source


def slide_html(slide: Slide) -> str:
    notes = f'<aside class="notes">{slide.notes}</aside>\n' if slide.notes else ""
    about = f'data-key="{slide.key}" data-title="{html.escape(slide.title)}" data-place="{slide.place}"'
    about += f' data-minutes="{slide.minutes}"' + (f' data-layout="{slide.layout}"' if slide.layout else "")
    about += " data-talk" if slide.talk else ""
    section = f'<section {about}>\n<div class="body">\n{"".join(slide.html)}</div>\n{notes}</section>\n'
    return OUTPUT_LINK.sub(r'href="\1.html', section)

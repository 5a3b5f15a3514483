"""Distribute the cells of a notebook over slides, and within a slide over steps."""

import ast
import html
import re
from dataclasses import dataclass, field

from publish.markup import code_block, markdown, plain
from publish.outputs import as_html, is_progress
from publish.questions import asks, called, questions

HEADING = re.compile(r"#{1,4} +(.+)")
DIAGRAM = re.compile(r"^plots\.flow\(", re.MULTILINE)
PICTURE = re.compile(r"<img[^>]*>")
DEFINES = re.compile(r"^(def|class) ", re.MULTILINE)
APPENDIX = "Appendix"
APPENDIX_NOTE = (
    "<p>The talk ends here; the rest of the notebook follows. From any slide, <b>A</b> leads to what was left out "
    "there, and back.</p>"
)
SOLUTION_NOTE = "<p>One solution of several. <strong>Ask:</strong> whose differs?</p>"


@dataclass
class Slide:
    """One slide of a deck.

    key: the id of its first cell. title: the heading that it stands under. notes: the presenter's, as HTML. layout: one
    of the layouts in nb.rules.form, "cover", or "" to choose by content. minutes: the planned time. talk: whether
    it is in the talk or in the appendix. place: its index in the notebook's slides. html: its cells, each with its
    step. step: the current step, which `add` gives to new cells.
    """

    key: str
    title: str
    notes: str
    layout: str = ""
    minutes: float = 0
    talk: bool = True
    place: int = 0
    html: list[str] = field(default_factory=list)
    step: int = 0

    def add(self, kind, content):
        """Add HTML to the slide as a cell in the current step. kind: a CSS class. content: HTML."""
        self.html.append(f'<div class="cell {kind}" data-step="{self.step}">\n{content}</div>\n')


@dataclass
class Deck:
    """What the slides of a notebook are made from.

    page: the presenter's page, a teaching.Page. views: id of a cell -> the HTML of each of its live views. folder: of
    the notebook. emblem: HTML with the picture for the cover, or "". before: HTML of the diagram that grows, as the
    notebook before leaves it, or "".
    """

    notebook: object
    page: object
    views: dict
    folder: object
    emblem: str = ""
    before: str = ""

    def slide(self, key, title, notes="", layout=""):
        """Return a new Slide, with the notes and minutes that the presenter's page has for the cell `key`.

        key: the id of the slide's first cell. title, layout: as in Slide. notes: HTML to add to the page's notes.
        """
        note = self.page.note_on(key)
        said = "\n".join(filter(None, (note and markdown(note.text, self.folder), notes)))
        minutes, chosen = (note.minutes or 0, note.talk) if note else (0, False)
        return Slide(key, title, said, layout, minutes, chosen or not self.page.in_talk())


def columns(deck, with_solutions=False):
    """Return the slides of a Deck: a list of columns, each a list of Slides from top to bottom.

    First comes the talk, as the presenter's page chooses it; then, behind a divider, the rest of the notebook.
    with_solutions: whether solutions get slides.
    """
    whole = _whole(deck, with_solutions)
    for place, slide in enumerate(slide for column in whole for slide in column):
        slide.place = place
    talk, rest = ([[s for s in column if s.talk == chosen] for column in whole] for chosen in (True, False))
    talk, rest = [column for column in talk if column], [column for column in rest if column]
    if rest:
        divider = Slide("appendix", APPENDIX, APPENDIX_NOTE, "statement", talk=False, place=-1)
        divider.add("prose", f"<h2>{APPENDIX}</h2>\n<p>Everything else in the notebook, in its order.</p>\n")
        rest.insert(0, [divider])
    return talk + rest


def _whole(deck, with_solutions):
    """Return all slides of a Deck in the notebook's order: a list of columns, each a list of Slides from top to bottom.

    with_solutions: whether solutions get slides.
    """
    found, title = [_opening(deck)], ""
    for cell, slide_type in _shown(deck.notebook, with_solutions):
        if number := called(cell):
            heading = found[-1][0] if found[-1][0].title == "Quiz" else None
            heading and found.pop()  # drop the quiz's heading slide, whose words are about buttons
            asked = _quiz(deck, heading or Slide(cell.id, "Quiz", ""), number)
            answers_it = found[-1][0].title == "Recap"  # so that the quiz comes before the recap, which has its answers
            found.insert(len(found) - answers_it, asked)
            continue
        heading = HEADING.match(cell.source) if cell.cell_type == "markdown" else None
        own = plain(heading[1]) if heading else title
        if not _is_prompt(cell):
            title = own  # an exercise's own heading does not become the title of what follows
        if slide_type in ("slide", "subslide") or len(found) == 1:
            slide = deck.slide(cell.id, own, layout=cell.metadata.get("slideshow", {}).get("layout", ""))
            if "solution" in cell.metadata.get("tags", []):
                slide.notes, slide.talk = SOLUTION_NOTE, found[-1][-1].talk
            if slide_type == "subslide" and len(found) > 1:
                found[-1].append(slide)
            else:
                found.append([slide])
        _add(found[-1][-1], cell, slide_type, deck)
    return found


def _opening(deck):
    """Return a column of one or two Slides: the cover, with title, question and picture, and the list of objectives.

    deck: the Deck. The second slide is left out if the title cell lists no objectives.
    """
    cell = deck.notebook.cells[0]
    heading, *paragraphs = [part for part in cell.source.split("\n\n") if not part.startswith("**Time**")]
    title = plain(heading.lstrip("# "))
    cover = deck.slide(cell.id, title, layout="cover")
    question = [part for part in paragraphs if part.startswith("**")]
    emblem = f"<figure>{PICTURE.search(deck.emblem)[0]}</figure>" if deck.emblem else ""
    cover.add("prose", markdown("\n\n".join([heading, *question]), deck.folder) + emblem)
    rest = [part for part in paragraphs if part not in question and not part.startswith("In this notebook")]
    if not rest:
        return [cover]
    cover.minutes /= 2  # the note stands on both slides
    able = Slide(cell.id, title, cover.notes, minutes=cover.minutes, talk=cover.talk)
    able.add("prose", markdown("\n\n".join(["## You will be able to", *rest]), deck.folder))
    return [cover, able]


def _quiz(deck, heading, topic):
    """Return a column of Slides, one for each question of a quiz, with the answer in a second step.

    deck: the Deck. heading: a Slide, whose key names the new ones and whose notes go to the first one. topic: the
    quiz's name.
    """
    slides, said = [], heading.notes
    for place, (title, question, answer, notes) in enumerate(questions(topic), start=1):
        slide = deck.slide(f"{heading.key}-{place}", title, said + notes)
        slide.add("prose", f"<h2>{title}</h2>\n{question}")
        slide.step += 1
        slide.add("prose", answer)
        slides.append(slide)
        said = ""
    return slides


def _shown(notebook, with_solutions):
    """Yield (cell, slide type) for each cell in the deck; a solution is a subslide below its prompt.

    notebook: an nbformat notebook; its title cell is left out. with_solutions: whether solutions are in the deck.
    """
    prompted = False
    for cell in notebook.cells[1:]:
        tags, slide_type = cell.metadata.get("tags", []), cell.metadata.get("slideshow", {}).get("slide_type")
        if _is_prompt(cell):
            prompted = slide_type != "skip"
        if "solution" in tags and with_solutions and prompted:
            yield cell, "subslide"
        elif called(cell):
            yield cell, "slide"
        elif slide_type != "skip" and cell.source.strip() and cell.cell_type != "raw":
            yield cell, slide_type


def _is_prompt(cell):
    return cell.cell_type == "markdown" and "exercise" in cell.metadata.get("tags", [])


def _add(slide, cell, slide_type, deck):
    """Add a cell to a slide: in a new step if it is a fragment, else in the current step.

    slide: a Slide, which is changed. slide_type: of the cell, in Jupyter's words. deck: the Deck, with the notebook's
    folder and live views. What follows a cell that asks for a prediction comes one step later.
    """
    if slide_type == "fragment":
        slide.step += 1
    if cell.cell_type == "markdown":
        slide.add("prose", markdown(cell.source, deck.folder))
    else:
        _add_code(slide, cell, deck)
    if asks(cell):
        slide.step += 1  # what follows is a new step, for after the room has answered


def _add_code(slide, cell, deck):
    """Add a code cell to a slide: its source, and its live views or stored outputs.

    slide: a Slide, which is changed. deck: the Deck, with the views and with the diagram of the notebook before.
    """
    tags = cell.metadata.get("tags", [])
    if "solution" in tags:
        slide.add("prose", "<h3>A solution</h3>\n")
    if source := _source(cell, tags):
        slide.add("source", code_block(source))
    if cell.id in deck.views:
        kind = "view asks" if asks(cell) else "view"
        parts = "".join(f'<div class="{kind}" data-prevent-swipe>{view}</div>\n' for view in deck.views[cell.id])
        slide.add("result", parts)
    elif shown := as_html([output for output in cell.outputs if not is_progress(output)]):
        slide.add("result", _growing(deck.before, shown) if deck.before and DIAGRAM.search(cell.source) else shown)


def _growing(before, after):
    """Return the diagram's HTML with two states: as the notebook before leaves it, and one step later as it is now.

    before, after: the HTML figures of these two, each with one picture.
    """
    earlier, now = (PICTURE.search(figure)[0] for figure in (before, after))
    first = earlier.replace("<img", '<img class="earlier" aria-hidden="true"')
    then = now.replace("<img", '<img class="now"')
    return after.replace(now, f'<div class="states">{first}{then}</div>', 1)


def diagram_of(notebook):
    """Return the HTML of the diagram that grows, as a notebook stores it; "" if the notebook does not draw it.

    The diagram grows from notebook to notebook: it is what the first call of `plots.flow` draws.
    """
    found = [cell for cell in notebook.cells if cell.cell_type == "code" and DIAGRAM.search(cell.source)]
    return as_html(found[0].outputs) if found else ""


def sentence_of(notebook):
    """Return the HTML of the first picture of a sentence that a notebook stores; "" if there is none."""
    pictures = (as_html(cell.outputs) for cell in notebook.cells if "widgets.SentenceView(" in cell.source)
    return next((PICTURE.search(one)[0] for one in pictures if PICTURE.search(one)), "")


def _source(cell, tags):
    """Return the code that a slide shows, without repeated blank lines; None if only the cell's result is shown.

    cell: a code cell. tags: the list of its tags. Of a view's cell, only what stands above the call that draws it is
    shown, and only if a function or class is defined there.
    """
    source = re.sub(r"\n{3,}", "\n\n", cell.source)
    if "figure" in tags:
        return None
    if "widget" in tags:
        last = ast.parse(source).body[-1]
        return "\n".join(source.splitlines()[: last.lineno - 1]) if DEFINES.search(source) else None
    return source


def slide_html(slide):
    """Return a slide as HTML, with its notes in a hidden element."""
    notes = f'<aside class="notes">{slide.notes}</aside>\n' if slide.notes else ""
    about = f'data-key="{slide.key}" data-title="{html.escape(slide.title)}" data-place="{slide.place}"'
    about += f' data-minutes="{slide.minutes}"' + (f' data-layout="{slide.layout}"' if slide.layout else "")
    about += " data-talk" if slide.talk else ""
    return f'<section {about}>\n<div class="body">\n{"".join(slide.html)}</div>\n{notes}</section>\n'

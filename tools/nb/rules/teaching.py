"""The rule about a lesson's teaching.md: the presenter's page must be complete, and its notes must fit the slides."""

import re
from collections import Counter

from nb import teaching
from nb.files import display_path
from nb.rules.minutes import FURTHER, TIME
from nb.rules.model import Notebook

STARTS_A_SLIDE = {"slide", "subslide"}
HEAD = "| part | full | short |"
ALONE = re.compile(r"[Rr]ead alone\b[^.]*?\b(\d+) minutes?\b")
BEYOND = re.compile(r"\*Further\*[^.]*?\b(\d+)\s+more\b")


def notes_fit_the_slides(notebook: Notebook):
    """Yield (None, message) for each fault in the presenter's page of a notebook of a course, or if it is missing."""
    folder = notebook.path.resolve().parent.parent / "lessons"
    name = re.fullmatch(r"(\d\d)_(\w+)", notebook.path.stem)
    if name is None or not folder.is_dir():
        return  # not a notebook of the course
    path = folder / name[2] / "teaching.md"
    if not path.exists():
        there = "what the presenter says stands there, in the form of another lesson's"
        yield None, f"has no {display_path(path)}: {there}"
        return
    page = teaching.parse(path.read_text(encoding="utf-8"))
    messages = [*_sections(page, int(name[1])), *_plan(page), *_alone(page, notebook), *_notes(page, notebook)]
    messages += _talk(page)
    for message in messages:
        yield None, f"{display_path(path)}: {message}"


def _sections(page: teaching.Page, number: int):
    if not re.match(rf"{number} · \S", page.title):
        yield f"the title must read `# {number} · Title: for the presenter`, got {page.title!r}"
    for name in teaching.SECTIONS:
        parts = [section for section in page.sections if section.title == name]
        if len(parts) != 1:
            yield f"needs the section `## {name}` once, has it {len(parts)} times"
        elif not parts[0].text and name != "Slides":
            yield f"line {parts[0].line}: the section `## {name}` is empty: another lesson's shows what belongs there"


def _plan(page: teaching.Page):
    """Yield a message if a page lacks its timing table, and for each lesson whose minutes do not add up."""
    rows = page.plan()
    if HEAD not in page.timing or len(rows) < 3 or rows[-1][0] != "together":
        yield f"`## Timing` needs a table `{HEAD}` in whole minutes, the last row `| **together** | 60 | 30 |`"
        return
    for column, lesson in enumerate(("full", "short"), 1):
        *parts, total = (row[column] for row in rows)
        if sum(parts) != total:
            adds = f"the {lesson} lesson adds up to {sum(parts)} minutes"
            yield f"`## Timing`: {adds}, its last row says {total}: make them agree"


def _alone(page: teaching.Page, notebook: Notebook):
    """Yield a message if `## Timing` says other minutes for reading alone, or for Further, than the notebook does."""
    said, title = ALONE.search(page.timing), TIME.search(notebook.cells[0].source if notebook.cells else "")
    if said and title and said[1] != title[1]:
        yield f"`## Timing`: read alone it takes {said[1]} minutes, and the title says {title[1]}: write the title's"
    more, headings = BEYOND.search(page.timing), (FURTHER.search(cell.source) for cell in notebook.markdown_cells)
    heading = next(filter(None, headings), None)
    if more and heading and more[1] != heading[1]:
        yield f"`## Timing`: Further takes {more[1]} more, and its heading says {heading[1]}: write the heading's"


def _notes(page: teaching.Page, notebook: Notebook):
    """Yield messages for notes that fit neither slide nor quiz, repeat or lack something, or are missing."""
    slide_types = {cell.id: cell.metadata.get("slideshow", {}).get("slide_type") for cell in notebook.cells}
    quiz = [f"{key}-" for key in slide_types if key.startswith("quiz-")]  # a question's key is this and a number
    times = Counter(note.key for note in page.notes)
    for note in page.notes:
        where = f"line {note.line} ({note.title!r})"
        if not note.key:
            yield f"{where}: the heading must end in the id of the slide's first cell: `### Title {{#cell-id}}`"
        elif any(note.key.removeprefix(key).isdecimal() for key in quiz):
            pass
        elif note.key not in slide_types:
            yield f"{where}: no cell of {notebook.path.name} has the id {note.key}: name the first cell of a slide"
        elif slide_types[note.key] not in STARTS_A_SLIDE:
            kind = slide_types[note.key]
            yield f"{where}: cell {note.key} starts no slide: its slide_type is {kind}; name the slide's first cell"
        elif times[note.key] > 1:
            yield f"{where}: {note.key} has {times[note.key]} notes, one is needed"
        if not note.text:
            yield f"{where}: the note is empty: write its minutes, `**2 min.**`, and what to say, ask or draw"
        elif note.minutes is None:
            yield f"{where}: the note must begin with its minutes: `**2 min.**`"
    silent = [key for key, kind in slide_types.items() if kind in STARTS_A_SLIDE and key not in times]
    for key in silent:
        yield f"the slide that starts with the cell {key} has no note: `### Title {{#{key}}}`"


def _talk(page: teaching.Page):
    """Yield a message if no slide is in the talk, or if it is longer than the short lesson, if that has minutes."""
    minutes, short = sum(note.minutes or 0 for note in page.notes if note.talk), page.minutes()[1]
    if not page.in_talk():
        yield "no slide is in the talk: mark those of the short lesson, `### Title {#cell-id .talk}`"
    elif 0 < short < minutes:
        yield f"the talk takes {minutes} minutes, more than the {short} of the short lesson: drop `.talk` from some"

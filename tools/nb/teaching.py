"""Parse docs/teaching/<topic>.md, the page for a notebook's presenter: what to say, ask and draw at each slide."""

import re
from dataclasses import dataclass, field

SECTIONS = ("Timing", "At the board", "Questions", "Exercises", "In half the time", "Slides")

HEADING = re.compile(r"(#{1,3}) +(.+?)(?: +\{#([^}\s]*)( \.talk)?\})? *")
TOGETHER = re.compile(r"^\| *together *\| *(\d+) *\| *(\d+) *\|", re.MULTILINE)
MINUTES = re.compile(r"\*\*(\d+) min")
FENCE = re.compile(r" {0,3}(```|~~~)")


@dataclass
class Part:
    """The text below one heading, up to the next: a section (two #), or the note on a slide (three #).

    title: the heading's words. line: the heading's number in the file, from 1. lines: the text below it.
    """

    title: str
    key: str | None  # of a note: the id of its slide's first cell
    line: int
    talk: bool = False  # of a note: whether its slide is in the talk, not in the appendix
    lines: list[str] = field(default_factory=list)

    @property
    def text(self):
        """The lines below the heading, as one string."""
        return "\n".join(self.lines).strip()

    @property
    def minutes(self):
        """The minutes planned for a slide, an int, if its note begins with them, as `**3 min`; else None."""
        match = MINUTES.match(self.text)
        return match and int(match[1])


@dataclass
class Page:
    """A presenter's page: its title, its sections, and the notes on the notebook's slides, in the order of the file."""

    title: str = ""
    sections: list[Part] = field(default_factory=list)
    notes: list[Part] = field(default_factory=list)

    def note_on(self, key):
        """Return the note on the slide whose first cell has the id `key`, as a Part, or None."""
        return next((note for note in self.notes if note.key == key), None)

    def in_talk(self):
        """Return the keys of the notes on slides in the talk, the ids of the slides' first cells, as a set."""
        return {note.key for note in self.notes if note.talk}

    def minutes(self):
        """Return (minutes of the full lesson, minutes of the short lesson), as planned; (0, 0) if there is no plan."""
        timing = "\n".join(section.text for section in self.sections if section.title == "Timing").replace("**", "")
        match = TOGETHER.search(timing)
        return (int(match[1]), int(match[2])) if match else (0, 0)


def parse(text):
    """Parse the Markdown of docs/teaching/<topic>.md into a Page. Headings inside a code fence are text."""
    page, part, fenced = Page(), Part("", None, 0), None
    for number, line in enumerate(text.splitlines(), start=1):
        if fence := FENCE.match(line):
            fenced = None if fenced == fence[1] else fenced or fence[1]
        heading = None if fenced else HEADING.fullmatch(line)
        if heading is None or (len(heading[1]) == 3 and not _in_slides(page)):
            part.lines.append(line)
        elif len(heading[1]) == 1:
            page.title = heading[2]
        else:
            part = Part(heading[2], heading[3], number, bool(heading[4]))
            (page.sections if len(heading[1]) == 2 else page.notes).append(part)
    return page


def _in_slides(page):
    """Return whether the last section of a Page is the one of the slides."""
    return bool(page.sections) and page.sections[-1].title == "Slides"

"""Parse docs/teaching/<topic>.md, the page for a notebook's presenter: what to say, ask and draw at each slide."""

import re
from dataclasses import dataclass, field

SECTIONS = ("Timing", "At the board", "Questions", "Exercises", "In half the time", "Slides")

HEADING = re.compile(r"(#{1,3}) +(.+?)(?: +\{#([^}\s]*)( \.talk)?\})? *")
ROW = re.compile(r"\|([^|]+)\|\s*(\d+|–)\s*\|\s*(\d+|–)\s*\|")  # of the timing table: part, full lesson, short lesson
MINUTES = re.compile(r"\*\*(\d+) min")
FENCE = re.compile(r" {0,3}(```|~~~)")


@dataclass
class Part:
    """The text below one heading, up to the next: a section (two #), or the note on a slide (three #).

    title: the heading's words. line: the heading's number in the file, from 1. lines: those of the text below it.
    """

    title: str
    key: str | None  # of a note: the id of its slide's first cell
    line: int
    talk: bool = False  # of a note: whether its slide is in the talk, not in the appendix
    lines: list[str] = field(default_factory=list)

    @property
    def text(self):
        """Return the lines below the heading, as one str without blank lines around it."""
        return "\n".join(self.lines).strip()

    @property
    def minutes(self):
        """Return the minutes planned for a slide, an int, if its note begins with them, as `**3 min`; else None."""
        match = MINUTES.match(self.text)
        return match and int(match[1])


@dataclass
class Page:
    """A presenter's page: its title, its sections, and the notes on the notebook's slides, in the order of the file."""

    title: str = ""
    sections: list[Part] = field(default_factory=list)
    notes: list[Part] = field(default_factory=list)

    def note_on(self, key):
        """Return the note, a Part, on the slide whose first cell has the id `key`; None if there is none."""
        return next((note for note in self.notes if note.key == key), None)

    def in_talk(self):
        """Return a set with the id of the first cell of each slide in the talk, whose note is marked `.talk`."""
        return {note.key for note in self.notes if note.talk}

    @property
    def timing(self):
        """Return the text of the section Timing, a str; "" if there is none."""
        return "\n".join(section.text for section in self.sections if section.title == "Timing")

    def plan(self):
        """Return the rows of the timing table, a list of (part, minutes of the full lesson, of the short lesson)."""
        rows = [ROW.fullmatch(line.strip().replace("**", "")) for line in self.timing.split("\n")]
        return [(row[1].strip(), *(int(cell.replace("–", "0")) for cell in row.groups()[1:])) for row in rows if row]

    def minutes(self):
        """Return (minutes of the full lesson, minutes of the short lesson) from the table's row "together".

        Without such a row, return (0, 0).
        """
        return next((tuple(minutes) for part, *minutes in self.plan() if part == "together"), (0, 0))


def parse(text):
    """Parse the page for the presenter, docs/teaching/<topic>.md, into a Page. text: its Markdown.

    Headings in a code fence are text. So are headings with three # before the section Slides; below it, each begins a
    note of `Page.notes`.
    """
    page, part, fenced = Page(), Part("", None, 0), None
    for number, line in enumerate(text.splitlines(), start=1):
        if fence := FENCE.match(line):
            fenced = None if fenced == fence[1] else fenced or fence[1]
        heading = None if fenced else HEADING.fullmatch(line)
        if heading is None or (len(heading[1]) == 3 and (not page.sections or page.sections[-1].title != "Slides")):
            part.lines.append(line)
        elif len(heading[1]) == 1:
            page.title = heading[2]
        else:
            part = Part(heading[2], heading[3], number, bool(heading[4]))
            (page.sections if len(heading[1]) == 2 else page.notes).append(part)
    return page

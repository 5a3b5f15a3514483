"""Parse lessons/<topic>/teaching.md, the page for a notebook's presenter: what to say, ask and draw at each slide."""

import re
from dataclasses import dataclass, field

SECTIONS = ("Timing", "At the board", "Questions", "Exercises", "In half the time", "Slides")

HEADING = re.compile(r"(#{1,3}) +(.+?)(?: +\{#([^}\s]*)( \.talk)?\})? *")
ROW = re.compile(r"\|([^|]+)\|\s*(\d+|–)\s*\|\s*(\d+|–)\s*\|")  # of the timing table: part, full lesson, short lesson
MINUTES = re.compile(r"\*\*(\d+) min")
FENCE = re.compile(r" {0,3}(```|~~~)")


@dataclass
class Part:
    """The text below one heading of a presenter's page: a section (##), or the note on a slide (###). line: from 1."""

    title: str
    key: str | None  # of a note: the id of its slide's first cell
    line: int
    talk: bool = False  # of a note: whether its slide is in the talk, not in the appendix
    lines: list[str] = field(default_factory=list)

    @property
    def text(self):
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

    def note_on(self, key: str) -> Part | None:
        return next((note for note in self.notes if note.key == key), None)

    def in_talk(self) -> set[str]:
        return {note.key for note in self.notes if note.talk}

    @property
    def timing(self):
        return "\n".join(section.text for section in self.sections if section.title == "Timing")

    def plan(self) -> list[tuple[str, int, int]]:
        """Return the rows of the timing table: (part of the lesson, minutes in the full lesson, in the short one)."""
        rows = [ROW.fullmatch(line.strip().replace("**", "")) for line in self.timing.split("\n")]
        return [(row[1].strip(), *(int(cell.replace("–", "0")) for cell in row.groups()[1:])) for row in rows if row]

    def minutes(self) -> tuple[int, int]:
        """Return the minutes of the full and the short lesson, from the table's row "together"; (0, 0) without it."""
        return next((tuple(minutes) for part, *minutes in self.plan() if part == "together"), (0, 0))


def parse(text: str) -> Page:
    """Parse the Markdown of a presenter's page, lessons/<topic>/teaching.md.

    Headings in a code fence are text. So are those with three # before the section Slides; below it, they are notes.
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

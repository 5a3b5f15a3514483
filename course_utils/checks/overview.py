"""Show how far a learner has come: exercises passed and tried, with links to them, quizzes and predictions."""

import html
from pathlib import Path
from typing import NamedTuple

from course_utils import course, language, progress

from . import copies, record
from .displayable import Displayable
from .panel import inline
from .sentences import say, sentence, shown

NOT_HERE = "Nothing is kept here. Progress is kept with your own copies, which `make lab` opens."
CELL = "text-align:left;padding:.2em .8em .2em 0;vertical-align:top"
LIST = "list-style:none;margin:.2em 0 .4em;padding:0 0 0 1.1em;line-height:1.5"


class Entry(NamedTuple):
    """An exercise in the overview.

    stub: the name that an answer has. passed: a bool. tries: how often it was checked until it passed. last_time: while
    it has not passed, a sentence on what the check said last, if it said anything. place: its copies.Place, if any.
    """

    stub: str
    passed: bool
    tries: int
    last_time: str | None
    place: copies.Place | None


class Overview(Displayable):
    """An overview of passed exercises, tries and what was said of them, answered quizzes and predictions.

    by_notebook: a dict from a notebook's number to its Exercises.
    """

    def __init__(self, by_notebook):
        file, state, notes = progress.path(), {"passed": []}, [NOT_HERE]
        try:
            state, notes = progress.read(file) if file else (state, notes)
        except OSError as error:
            template = "{file} cannot be read: {error}."
            notes = [sentence(template, file=progress.display_path(file), error=error.strerror)]
        self.answered = {topic: len(chosen) for topic, chosen in state.get("quizzes", {}).items()}
        notebooks = {one.number: one for one in course.notebooks()}
        having = [(notebooks[number], exercises) for number, exercises in by_notebook.items() if exercises]
        self.rows = {notebook: _entries(notebook, exercises, state) for notebook, exercises in having}
        passed = [entry.passed for entries in self.rows.values() for entry in entries]
        self.headline = sentence("{passed} of {all} exercises passed", passed=sum(passed), all=len(passed))
        made = len(state.get("predictions", {}))
        self.notes = notes + ([sentence("Predictions made: {number}.", number=made)] if made else [])
        self.notes += [sentence("Kept in {file}.", file=progress.display_path(file))] if file else []

    def _text(self):
        lines = [shown(self.headline)]
        for notebook, entries in self.rows.items():
            marks = (f"{'✓' if entry.passed else '○'} {entry.stub}{_tries(entry.tries)}" for entry in entries)
            lines.append("  ".join([notebook.number, *marks, *self._quiz(notebook)]))
            lines += [f"    {entry.stub}: {shown(entry.last_time)}" for entry in entries if entry.last_time]
        return "\n".join([*lines, *map(shown, self.notes)])

    def _html(self):
        rows = "".join(self._row(*row) for row in self.rows.items())
        caption = f"<caption style='text-align:left;font-weight:bold'>{shown(self.headline)}</caption>"
        notes = "".join(f"<p style='margin:.4em 0 0'>{html.escape(shown(note))}</p>" for note in self.notes)
        return f"<div><table style='margin:0'>{caption}{rows}</table>{notes}</div>"

    def _row(self, notebook: course.Notebook, entries: list[Entry]) -> str:
        """Return the row of a notebook as HTML; its exercises are in a fold, open while they are begun."""
        passed = sum(entry.passed for entry in entries)
        begun = passed < len(entries) and any(entry.passed or entry.tries for entry in entries)
        counts = [say("{passed} of {all} passed", passed=passed, all=len(entries)), *self._quiz(notebook)]
        lines = "".join(f"<li>{_line(entry)}</li>" for entry in entries)
        return (
            f"<tr style='background:none'><th scope='row' style='{CELL};width:30%'>{_link(notebook)}</th>"
            f"<td style='{CELL}'><details{' open' if begun else ''}><summary>{' · '.join(counts)}</summary>"
            f"<ul style='{LIST}'>{lines}</ul></details></td></tr>"
        )

    def _quiz(self, notebook: course.Notebook) -> list[str]:
        answered = self.answered.get(notebook.topic, 0)
        return [say("quiz: {number} answered", number=answered)] if answered else []


def _entries(notebook: course.Notebook, exercises: list, state: dict) -> list[Entry]:
    """Return an Entry for each Exercise of a notebook. state: the content of a progress file."""
    places = copies.places(Path(f"{notebook.file}.ipynb"))
    entries = []
    for exercise in exercises:
        name, passed = exercise.name, exercise.name in state["passed"]
        last_time = None if passed else record.last_time(state, name)
        tries = state.get("tries", {}).get(name, 0)
        entries.append(Entry(exercise.stub, passed, tries, last_time, places.get(name)))
    return entries


def _link(notebook: course.Notebook) -> str:
    title = f"{int(notebook.number)} · {html.escape(language.look_up(notebook.title))}"
    file = f"{notebook.file}.ipynb"
    return f"<a href='{file}'>{title}</a>" if Path(file).is_file() else title


def _line(entry: Entry) -> str:
    name = f"<code>{html.escape(entry.stub)}</code>"
    if entry.place:
        words = " · ".join(filter(None, [name, inline(entry.place.heading)]))
        name = f"<a href='{html.escape(entry.place.link)}'>{words}</a>"
    last_time = f"<p style='margin:0 0 0 1.2em'>{inline(shown(entry.last_time))}</p>" if entry.last_time else ""
    return f"{say('✓ passed' if entry.passed else '○ open')} {name}{_tries(entry.tries)}{last_time}"


def _tries(number: int) -> str:
    return "" if number == 0 else say(" (1 try)") if number == 1 else say(" ({number} tries)", number=number)

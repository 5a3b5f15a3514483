"""Which exercises a learner has passed: what is kept of a check, and how it is shown."""

import html
import sys

from course_utils import progress

from .shown import Shown

PUBLISHED = "This is the published notebook. Progress is kept with your own copies, which `make lab` opens."


def keep(exercise, answer, report):
    """Note a pass. The notebook's own solution does not count; a file that cannot be written is no error."""
    file = progress.path()
    if report.status != "passed" or file is None or _is_the_solution(exercise, answer):
        return
    try:
        kept, note = progress.read(file)
        if exercise.name not in kept["passed"]:
            progress.write(file, kept | {"passed": [*kept["passed"], exercise.name]})
    except OSError as error:
        note = f"Your progress could not be kept in {progress.shown(file)}: {error.strerror}."
    report.notes += [note] if note else []


class Overview(Shown):
    """Which exercises are passed, a row for each notebook that has some. by_notebook: its number to its exercises."""

    def __init__(self, by_notebook):
        file = progress.path()
        passed, note = _read_or_say(file) if file else ([], PUBLISHED)
        self.rows = [
            (number, [(one.stub, one.name in passed) for one in exercises])
            for number, exercises in by_notebook.items()
            if exercises
        ]
        self.notes = [words for words in (note, file and f"Kept in {progress.shown(file)}.") if words]

    def _text(self):
        lines = [_count(self.rows)]
        for number, exercises in self.rows:
            lines.append(f"{number}  " + "  ".join(f"{'✓' if done else '○'} {name}" for name, done in exercises))
        return "\n".join(lines + self.notes)

    def _html(self):
        cell = "text-align:left;padding:.2em .8em .2em 0;vertical-align:top"
        rows = "".join(
            f"<tr style='background:none'><th scope='row' style='{cell}'>{number}</th><td style='{cell}'>"
            f"{' · '.join(_mark(name, done) for name, done in exercises)}</td></tr>"
            for number, exercises in self.rows
        )
        caption = f"<caption style='text-align:left;font-weight:bold'>{_count(self.rows)}</caption>"
        notes = "".join(f"<p style='margin:.4em 0 0'>{html.escape(note)}</p>" for note in self.notes)
        return f"<div><table style='margin:0'>{caption}{rows}</table>{notes}</div>"


def _count(rows):
    done = [passed for _, exercises in rows for _, passed in exercises]
    return f"{sum(done)} of {len(done)} exercises passed"


def _mark(name, done):
    return f"{'✓ passed' if done else '○ open'} <code>{html.escape(name)}</code>"


def _read_or_say(file):
    try:
        kept, note = progress.read(file)
        return kept["passed"], note
    except OSError as error:
        return [], f"{progress.shown(file)} cannot be read: {error.strerror}."


def _is_the_solution(exercise, answer):
    """Whether the answer is known in the notebook as a solution: what was given away is not passed."""
    notebook = vars(sys.modules["__main__"])
    return any(value is answer and "solution" in name.lower() for name, value in list(notebook.items()))

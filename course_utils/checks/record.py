"""Which exercises a learner has passed: one small file beside the learner's notebooks, and how it is shown."""

import html
import json
import os
import sys
from pathlib import Path

from .shown import Shown

COURSE = Path(__file__).resolve().parents[2]
NAME = "progress.json"
PUBLISHED = "This is the published notebook. Progress is kept with your own copies, which `make lab` opens."


def path():
    """Where progress is kept: beside the learner's notebooks; None in the published ones, which are nobody's own.

    None as well where tests and tools run notebooks: they set COURSE_PROGRESS to off.
    """
    here = Path.cwd()
    if here == COURSE / "notebooks" or os.environ.get("COURSE_PROGRESS") == "off":
        return None
    return here / NAME if any(here.glob("*.ipynb")) else COURSE / "work" / NAME


def keep(exercise, answer, report):
    """Note a pass. The notebook's own solution does not count; a file that cannot be written is no error."""
    file = path()
    if report.status != "passed" or file is None or _is_the_solution(exercise, answer):
        return
    try:
        passed, note = read(file)
        if exercise.name not in passed:
            _write(file, [*passed, exercise.name])
    except OSError as error:
        note = f"Your progress could not be kept in {_shown(file)}: {error.strerror}."
    report.notes += [note] if note else []


def read(file):
    """Returns the names of the exercises passed, and a word about a damaged file, which is set aside.

    Errors: OSError if the file cannot be read, or a damaged one not be moved.
    """
    try:
        passed = json.loads(file.read_bytes())["passed"]
        if not isinstance(passed, list) or not all(isinstance(name, str) for name in passed):
            raise ValueError
        return list(dict.fromkeys(passed)), None
    except FileNotFoundError:
        return [], None
    except (ValueError, TypeError, KeyError, RecursionError):
        aside = file.with_name(file.name + ".damaged")
        os.replace(file, aside)
        return [], f"{_shown(file)} was damaged and is now {aside.name}. A new one is begun: run your checks again."


class Overview(Shown):
    """Which exercises of each notebook are passed. by_notebook: from the notebook's number to its exercises."""

    def __init__(self, by_notebook):
        file = path()
        passed, note = _read_or_say(file) if file else ([], PUBLISHED)
        self.rows = [
            (number, [(one.stub, one.name in passed) for one in exercises]) for number, exercises in by_notebook.items()
        ]
        self.notes = [words for words in (note, file and f"Kept in {_shown(file)}.") if words]

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
        return read(file)
    except OSError as error:
        return [], f"{_shown(file)} cannot be read: {error.strerror}."


def _is_the_solution(exercise, answer):
    """Whether the answer is known in the notebook as a solution: what was given away is not passed."""
    notebook = vars(sys.modules["__main__"])
    return any(value is answer and "solution" in name.lower() for name, value in list(notebook.items()))


def _shown(file):
    """The path as the learner would type it."""
    return file.relative_to(Path.cwd()).as_posix() if file.is_relative_to(Path.cwd()) else file.as_posix()


def _write(file, passed):
    """In one step, so that a reader, or a kernel that is stopped, never leaves half a file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        part.write_text(json.dumps({"passed": passed}, indent=1) + "\n", encoding="utf-8")
        os.replace(part, file)
    finally:
        part.unlink(missing_ok=True)

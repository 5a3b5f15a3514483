"""Record which exercises a learner has passed, and after how many tries, and show this as an overview."""

import html
import sys
import types

from course_utils import progress

from . import messages
from .displayable import Displayable
from .sentences import say, sentence, shown

NOT_HERE = "Nothing is kept here. Progress is kept with your own copies, which `make lab` opens."
TRIED = ("passed", "failed")


def keep(exercise, answer, report) -> None:
    """Record a try of an Exercise, and a pass, in the learner's progress file; add notes on the file to `report.notes`.

    Nothing is recorded if the exercise was passed before, for the notebook's own solution, which a note says, for an
    answer that was not attempted, or if there is no such file. report: the Report on the answer.
    """
    file, name = progress.path(), exercise.name
    if report.status not in TRIED or file is None:
        return
    if _is_the_notebooks(exercise, answer):
        report.notes += [sentence(messages.NOT_RECORDED, name=exercise.forms[0].name)]
        return
    try:
        _, notes = progress.change(file, lambda state: _with_a_try(state, name, report.status))
    except OSError as error:
        template = "Your progress could not be kept in {file}: {error}."
        notes = [sentence(template, file=progress.display_path(file), error=error.strerror)]
    report.notes += notes


def _with_a_try(state: dict, name: str, status: str) -> dict:
    """Return the progress with one more try of the exercise `name`, and a pass if `status` is "passed".

    If the exercise was passed before, return `state` as it is; never change it. state: has "passed", a list of names,
    and, from the first try on, "tries", a dict from names to numbers.
    """
    if name in state["passed"]:
        return state
    passed = [*state["passed"], name] if status == "passed" else state["passed"]
    tries = state.get("tries", {})
    return state | {"passed": passed, "tries": tries | {name: tries.get(name, 0) + 1}}


class Overview(Displayable):
    """An overview of passed exercises and tries. by_notebook: a dict from a notebook's number to its Exercises."""

    def __init__(self, by_notebook):
        file, state, notes = progress.path(), {"passed": []}, [NOT_HERE]
        try:
            state, notes = progress.read(file) if file else (state, notes)
        except OSError as error:
            template = "{file} cannot be read: {error}."
            notes = [sentence(template, file=progress.display_path(file), error=error.strerror)]
        passed, tries = state["passed"], state.get("tries", {})
        self.rows = [
            (number, [(exercise.stub, exercise.name in passed, tries.get(exercise.name, 0)) for exercise in exercises])
            for number, exercises in by_notebook.items()
            if exercises
        ]
        done = [passed for _, exercises in self.rows for _, passed, _ in exercises]
        self.headline = sentence("{passed} of {all} exercises passed", passed=sum(done), all=len(done))
        self.notes = notes + ([sentence("Kept in {file}.", file=progress.display_path(file))] if file else [])

    def _text(self):
        lines = [shown(self.headline)]
        for number, exercises in self.rows:
            marks = (f"{'✓' if done else '○'} {name}{_tries(tries)}" for name, done, tries in exercises)
            lines.append(f"{number}  " + "  ".join(marks))
        return "\n".join([*lines, *map(shown, self.notes)])

    def _html(self):
        cell = "text-align:left;padding:.2em .8em .2em 0;vertical-align:top"
        rows = ""
        for number, exercises in self.rows:
            marks = (
                f"{say('✓ passed' if done else '○ open')} <code>{html.escape(name)}</code>{_tries(tries)}"
                for name, done, tries in exercises
            )
            rows += f"<tr style='background:none'><th scope='row' style='{cell}'>{number}</th>"
            rows += f"<td style='{cell}'>{' · '.join(marks)}</td></tr>"
        caption = f"<caption style='text-align:left;font-weight:bold'>{shown(self.headline)}</caption>"
        notes = "".join(f"<p style='margin:.4em 0 0'>{html.escape(shown(note))}</p>" for note in self.notes)
        return f"<div><table style='margin:0'>{caption}{rows}</table>{notes}</div>"


def _tries(number: int) -> str:
    """Return a number of tries in words, such as " (2 tries)"; "" for 0."""
    return "" if number == 0 else say(" (1 try)") if number == 1 else say(" ({number} tries)", number=number)


def _is_the_notebooks(exercise, answer) -> bool:
    """Return whether an answer is what the notebook's solution cell defines, or cannot be told apart from that.

    A function or class keeps the name under which it was defined, whatever other names it has. A value has no name: it
    is the notebook's if the solution's variable in `__main__` holds that very object.
    """
    name, kind = exercise.forms[0].name, type(answer)
    if kind is types.FunctionType:
        return answer.__name__ == name
    if issubclass(kind, type):
        return vars(type)["__name__"].__get__(answer) == name  # the learner's metaclass may give another
    return vars(sys.modules["__main__"]).get(name) is answer

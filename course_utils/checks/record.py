"""Record which exercises a learner has passed, after how many tries, and what the check said last."""

import contextlib
import datetime
import sys
import types

from course_utils import progress

from . import messages
from .sentences import as_data, from_data, sentence

TRIED = ("passed", "failed")
LONGEST = 2000  # how many characters of a message are recorded; those of the course have 400 at most


def keep(exercise, answer, report) -> None:
    """Record a try of an Exercise, what the check said of it, and a pass, in the learner's progress file.

    Notes on the file are added to `report.notes`. Nothing is recorded if the exercise was passed before, for the
    notebook's own solution, which a note says, for an answer that was not attempted, or if there is no such file.
    report: the Report on the answer.
    """
    file, name = progress.path(), exercise.name
    if report.status not in TRIED or file is None:
        return
    if _is_the_notebooks(exercise, answer):
        report.notes += [sentence(messages.NOT_RECORDED, name=exercise.forms[0].name)]
        return
    try:
        _, notes = progress.change(file, lambda state: _with_a_try(state, name, report))
    except OSError as error:
        template = "Your progress could not be kept in {file}: {error}."
        notes = [sentence(template, file=progress.display_path(file), error=error.strerror)]
    report.notes += notes


def recall(exercise, report) -> None:
    """Add to the Report on an answer that was not attempted what the check said last, and notes on the progress file.

    Nothing is added if that is not recorded or cannot be read, or if the answer was attempted.
    """
    file = progress.path()
    if report.status in TRIED or file is None:
        return
    with contextlib.suppress(OSError):  # the next `keep` says so
        state, notes = progress.read(file)
        report.last_time = last_time(state, exercise.name)
        report.notes += notes


def last_time(state: dict, name: str) -> str | None:
    """Return a sentence on what the check said last of the exercise `name`, and when; None if that was not recorded."""
    said = state.get("reports", {}).get(name)
    try:
        return said and sentence(messages.LAST_TIME, day=said["day"], words=from_data(said["words"]))
    except ValueError:  # damaged words
        return None


def _with_a_try(state: dict, name: str, report) -> dict:
    """Return the progress with one more try, its Report, and a pass if it is one; as it is if it was passed before."""
    if name in state["passed"]:
        return state
    passed = [*state["passed"], name] if report.status == "passed" else state["passed"]
    tries, reports = state.get("tries", {}), state.get("reports", {})
    words = report.message if len(report.message) <= LONGEST else f"{report.message[:LONGEST]} …"
    said = {"day": datetime.date.today().isoformat(), "words": as_data(words)}
    tries = tries | {name: tries.get(name, 0) + 1}
    return state | {"passed": passed, "tries": tries, "reports": reports | {name: said}}


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

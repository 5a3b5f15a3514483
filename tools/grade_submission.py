"""Grade one notebook in a process of its own: read it from standard input, print the findings as lines of JSON.

The first line names the exercises that will be checked. Then comes one line for each exercise, so that findings
survive a crash. What the submission itself prints is discarded. No finding depends on where or when this runs.
"""

import os
import random
import re
import sys

import numpy as np
import torch
from grading import kernel
from grading.resource_limits import limit
from nb.files import NotebookError
from nb.format import parse_sources
from nb.processes import reporter
from nb.slices import Call, Code, set_aside

from course_utils import checks, course
from course_utils.checks import errors, limits, messages, panel

ALL_SECONDS = int(os.environ.get("GRADING_SECONDS", "60"))  # CPU seconds for one notebook
SECONDS = ALL_SECONDS // 6  # CPU seconds for the code that an answer needs; the check has its own limits
WALL_SECONDS = ALL_SECONDS  # wall-clock seconds for the code that an answer needs
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")  # memory addresses differ from run to run


def main(exercises: list[str]):
    """Grade the notebook on standard input, and print its findings to standard output, each as a line of JSON.

    The first is about the notebook: {"unreadable": why}, after which no other comes, or {"found": names of the
    exercises that the notebook checks, "broken": number of a cell -> why Python cannot read it, "aside": name of an
    exercise whose check stands in a cell that is no code -> words for that cell}. Each other one is about an exercise.
    exercises: the names of those to grade; if empty, all that the notebook checks.
    """
    send, folder = reporter(2), os.getcwd()
    data = sys.stdin.buffer.read()
    limit(ALL_SECONDS)
    try:
        notebook = parse_sources(data)
    except NotebookError as error:
        return send({"unreadable": f"The file {error}"})
    code, aside = Code(notebook), set_aside(notebook)
    listed = {name for notebook in course.notebooks() for name in notebook.exercises}
    calls = [call for name, call in code.calls.items() if name in listed and (not exercises or name in exercises)]
    broken = {f"{cell + 1}": _parse_error(why) for cell, why in code.broken.items()}
    found = [name for name in code.calls if name in listed]
    checks_aside = {name: aside[f"checks.{name}"] for name in listed if f"checks.{name}" in aside}
    send({"found": found, "broken": broken, "aside": checks_aside})
    spare = kernel.Allowance(SECONDS, WALL_SECONDS)  # for all that stands beside the answers of the notebook
    for call in calls:
        finding = _finding(getattr(checks, call.name), code, call, spare, aside)
        send({"exercise": call.name} | {key: _without_differences(value, folder) for key, value in finding.items()})


def _finding(exercise, code: Code, call: Call, spare: kernel.Allowance, aside: dict[str, str]) -> dict:
    """Run the code of a notebook that an answer needs, check the answer, and return the finding; never raise.

    The code runs in a new module `__main__`, with fixed random seeds. spare: the time for what the answer does not
    need.
    """
    names, missing = kernel.namespace(), []
    torch.manual_seed(0), random.seed(0), np.random.seed(0)
    own = kernel.Allowance(SECONDS, WALL_SECONDS)
    try:
        missing = kernel.run(code, call, names, own, spare, lambda error: _why(error, code, aside))
        answer = own.run(lambda: code.value(call, names))
        report = exercise.assess(answer)
    except limits.WallTimeUp:
        why = "it waits, or the computer was busy"
        return _failure(f"The code around the answer had not ended after {WALL_SECONDS} seconds by the clock: {why}.")
    except limits.TimeUp:
        return _failure(f"The code around the answer had not ended after {SECONDS} seconds of computing.")
    except BaseException as error:  # also SystemExit and KeyboardInterrupt: only this answer fails
        return _failure([*missing, _why(error, code, aside)][0])
    if missing and report.status != "passed":
        return _failure(missing[0])
    return {
        "status": report.status,
        "mistake": report.mistake or "",
        "also": list(report.named[1:]) if report.message.startswith(messages.FIRST) else [],  # FIRST: two mistakes
        "message": report.message,
        "tried": panel.tried(report) if report.status == "failed" else [],
        "hints": [hint for _, hint in report.hints],
    }


def _why(error: BaseException, code: Code, aside: dict[str, str]) -> str:
    """Return sentences on the exception with which the code around an answer stopped, and on what may cause it."""
    if issubclass(type(error), MemoryError):
        return "The code asked for more memory than there is."
    why = f"The code around the answer stopped with {errors.summary(error)[:300]}"
    if not issubclass(type(error), NameError):
        return why
    name = NameError.name.__get__(error)
    if isinstance(name, str) and name in aside:
        return f"`{name}` stands in {aside[name]}, which is not run: make it a code cell. {why}"
    broken = ((cell + 1, _parse_error(error)) for cell, error in code.broken.items())
    return " ".join([*(f"Python cannot read code cell {cell}: {reason}." for cell, reason in broken), why])


def _parse_error(error: Exception) -> str:
    line = getattr(error, "lineno", None)
    words = f"{getattr(error, 'msg', error)}" or type(error).__name__
    return words + (f", in line {line}" if line else "")


def _failure(message: str) -> dict:
    return {"status": "failed", "mistake": "", "message": message, "tried": [], "hints": []}


def _without_differences(value: str | list[str], folder: str) -> str | list[str]:
    """Return `value` without memory addresses and the path `folder`: so it depends on no place and no time."""
    if isinstance(value, list):
        return [_without_differences(text, folder) for text in value]
    return ADDRESS.sub("0x…", value.replace(folder, "."))


if __name__ == "__main__":
    main(sys.argv[1:])
    os._exit(0)  # no thread and no exit handler of the notebook's holds its place any longer

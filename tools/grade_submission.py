"""Grade one notebook in a process of its own: python tools/grade_submission.py NOTEBOOK, findings as lines of JSON.

The first line names the exercises that will be checked; then comes one line for each, so that what was found before a
crash is kept. What the submission prints goes nowhere.
"""

import json
import os
import sys
import types
from pathlib import Path

import torch
from notebook_files import NotebookError
from notebook_format import read_notebook
from notebook_slices import Code

from course_utils import checks
from course_utils.checks import running

MEMORY = 4 * 2**30  # bytes of data; torch and the checks need half of one
FILE_SIZE = 2**24  # bytes of any file that is written
SECONDS = 10  # for what stands around an answer; the check has a limit of its own


def main(path):
    """Print what is found about each exercise of a notebook."""
    report = _only_for_us()
    try:
        code = Code(read_notebook(Path(path)))
    except NotebookError as error:
        return report({"unreadable": f"The file {error}"})
    exercises = checks.all()
    calls = [call for name, call in code.calls.items() if name in exercises]
    report(
        {
            "found": [call.name for call in calls],
            "broken": {f"{cell + 1}": str(why) for cell, why in code.broken.items()},
        }
    )
    _limit()
    for call in calls:
        report({"exercise": call.name} | _graded(exercises[call.name], code, call))


def _graded(exercise, code, call):
    """Status, mistake and message for one answer; nothing that an answer does is raised."""
    sys.modules["__main__"] = notebook = types.ModuleType("__main__")
    torch.manual_seed(0)
    try:
        running.limited(lambda: code.run(code.needed(call), vars(notebook)), SECONDS)
        answer = running.limited(lambda: code.value(call, vars(notebook)), SECONDS)
        found = exercise.check(answer)
    except running.TimeUp:
        return _failed(f"The code around the answer had not ended after {SECONDS} seconds.")
    except MemoryError:
        return _failed("The code asked for more memory than there is.")
    except BaseException as error:  # also SystemExit and KeyboardInterrupt: this answer failed, the next is tried
        why = f"The code around the answer stopped with {type(error).__name__}: {str(error)[:300]}"
        return _failed(f"{why}{_unread(code)}" if isinstance(error, NameError) else why)
    return {"status": found.status, "mistake": found.mistake, "message": found.message}


def _unread(code):
    """Where a missing name may have gone: the cells that Python cannot read."""
    return "".join(f". Not readable: code cell {cell + 1}: {why}" for cell, why in code.broken.items())


def _failed(message):
    return {"status": "failed", "mistake": None, "message": message}


def _only_for_us():
    """Returns a function that writes to the standard output of before; from now on prints go nowhere."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return lambda finding: print(json.dumps(finding), file=channel, flush=True)


def _limit():
    """Where the system can, at most so much memory and so large a file; time is watched from outside."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_SIZE, FILE_SIZE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main(sys.argv[1])

"""What a learner has done: one small file beside the learner's notebooks. Nothing of it leaves the machine."""

import json
import os
from pathlib import Path

COURSE = Path(__file__).resolve().parents[1]
NAME = "progress.json"


def path():
    """Where progress is kept: beside the learner's notebooks; None in what is nobody's own: published ones, and builds.

    None as well where tests and tools run notebooks: they set COURSE_PROGRESS to off.
    """
    here = Path.cwd()
    nobodys = any(here.is_relative_to(COURSE / folder) for folder in ("notebooks", "build"))
    if nobodys or os.environ.get("COURSE_PROGRESS") == "off":
        return None
    return here / NAME if any(here.glob("*.ipynb")) else COURSE / "work" / NAME


def read(file):
    """Returns what is kept, and a word about a damaged file, which is set aside.

    What is kept: `passed`, the names of exercises in the order of their passing; `tries`, from the name of each that
    was tried to how often it was checked until it passed; `predictions`, from the name of each to the guess, the truth,
    and how far off it was. A file of before has no `tries`, and whatever else a file has stays in it.
    Errors: OSError if the file cannot be read, or a damaged one not be moved.
    """
    empty = {"passed": [], "predictions": {}}
    try:
        found = json.loads(file.read_bytes())
        kept = empty | found
        passed, tries, predictions = found["passed"], found.get("tries", {}), kept["predictions"]
        if not isinstance(passed, list) or not all(isinstance(name, str) for name in passed):
            raise ValueError
        if not isinstance(tries, dict) or not all(type(number) is int and number > 0 for number in tries.values()):
            raise ValueError
        if not isinstance(predictions, dict):
            raise ValueError
        return kept | {"passed": list(dict.fromkeys(passed))}, None
    except FileNotFoundError:
        return empty, None
    except (ValueError, TypeError, KeyError, RecursionError):
        aside = file.with_name(file.name + ".damaged")
        os.replace(file, aside)
        return empty, f"{shown(file)} was damaged and is now {aside.name}. A new one is begun: run your checks again."


def write(file, kept):
    """In one step, so that a reader, or a kernel that is stopped, never leaves half a file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        part.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        os.replace(part, file)
    finally:
        part.unlink(missing_ok=True)


def shown(file):
    """The path as the learner would type it."""
    return file.relative_to(Path.cwd()).as_posix() if file.is_relative_to(Path.cwd()) else file.as_posix()

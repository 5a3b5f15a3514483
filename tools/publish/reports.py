"""Make the report of the course's own check on each choice in the menus of an exercise, and keep it between builds."""

import ast
import json
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

from nb.files import COURSE
from nb.processes import ProcessPool

from course_utils import course, language, lessons
from course_utils.files import read_json
from publish import words
from publish.views import digest, replace

PACKAGE = COURSE / "course_utils"
ALL = (Path(__file__), Path(__file__).with_name("menus.py"), PACKAGE / "colour_maps.json")  # needed for every report


def collect(folder: Path, jobs: int) -> dict[str, dict]:
    """Return exercise -> what `make` returns, in the current language alone, for each exercise of the course.

    What the folder lacks, or has from another state of the course, is made in `jobs` processes.
    """
    topics = {name: notebook.topic for notebook in course.notebooks() for name in notebook.exercises}
    kept = {name: folder / f"{name}.{_state(topic, name)}.json" for name, topic in topics.items()}
    known = {name: read_json(path) for name, path in kept.items()}
    missing = [name for name, made in known.items() if made is None]
    if missing:
        # New processes, since a copy of a process in which torch has run may hang.
        with ProcessPool(min(jobs, len(missing)), "spawn") as pool:
            for name, made in zip(missing, pool.map(make, missing), strict=True):
                data = json.dumps(made).encode()
                replace(kept[name], data)
                known[name] = json.loads(data)
    return {name: spoken(made) for name, made in known.items()}


def spoken(made: dict) -> dict:
    """Return a copy of what `make` returned, with its reports in the current language alone."""
    return made | {"reports": {chosen: pages[language.current()] for chosen, pages in made["reports"].items()}}


def make(name: str) -> dict:
    """Return an exercise's solution with menus in place of some lines, and the reports on choices, as a dict for JSON.

    stub, lines: as in menus.OpenCode. menus: a dict for each menus.Menu. reports: a choice, the indices of its ways
    joined by commas -> the HTML of its report in each language, a dict; each choice with at most one wrong way is
    there. passed: a list of the choices that pass: those of right ways, and perhaps some in which a way mends another.
    Errors: ValueError if right ways do not pass.
    """
    from course_utils import checks  # imported here, since a build that knows all reports does without torch
    from publish.menus import open_code

    exercise = getattr(checks, name)
    code, reports, passed = open_code(exercise), {}, []
    for chosen in code.choices():
        report = exercise.check(exercise.forms[0].define(code.code(chosen), code.stub, name))
        key = ",".join(map(str, chosen))
        reports[key] = {code: _html(report, code) for code in words.editions()}
        if report.status == "passed":
            passed.append(key)
        elif not code.mistakes(chosen):
            raise ValueError(f"{name}: all ways of the choice {key} are right, and the check says: {report}")
    menus = [menu._asdict() for menu in code.menus]
    return code._asdict() | {"menus": menus, "reports": reports, "passed": passed}


def _html(report, code: str) -> str:
    before = language.current()
    language.use(code)
    html = report.html()
    language.use(before)
    return html


def _state(topic: str, name: str) -> str:
    """Return a digest of all that the reports on an exercise depend on: code, translations, Python, torch."""
    files, waiting = set(ALL), [lessons.FOLDER / topic / "exercises" / f"{name}.py"]
    while waiting:
        path = waiting.pop()
        if path not in files:
            files.add(path)
            waiting += _imported(path)
    names = ("checks", f"exercises/{topic}")
    catalogues = [language.path(code, name) for code in language.available() for name in names]
    files.update(path for path in catalogues if path.exists())
    return digest(sys.version, version("torch"), *map(_content, sorted(files)))


@cache
def _imported(path: Path) -> list[Path]:
    """Return the files of course_utils and lessons that a Python file imports by `from … import …`; cached."""
    files = []
    for node in ast.walk(ast.parse(_content(path))):
        if isinstance(node, ast.ImportFrom):
            folder, parts = path.parents[node.level - 1] if node.level else COURSE, (node.module or "").split(".")
            if parts[:2] == ["course_utils", "lessons"]:
                folder, parts = lessons.FOLDER, parts[2:]
            module = folder.joinpath(*parts)
            names = ["__init__", *(alias.name for alias in node.names)]
            places = [module.with_suffix(".py"), *(module / f"{name}.py" for name in names)]
            files += [place for place in places if place.is_file() and {PACKAGE, lessons.FOLDER} & {*place.parents}]
    return files


@cache
def _content(path: Path) -> bytes:
    return path.read_bytes()

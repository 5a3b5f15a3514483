"""Make an assignment: a notebook ("sheet") with some exercises of the course, and nothing in it that answers them."""

import ast
import difflib
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from nb.exercises import Place, find
from nb.files import COURSE, PUBLISHED, NotebookError, write_atomically
from nb.format import KERNELSPEC, code_cells, read_notebook, to_bytes
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_utils import checks, course
from grading.lead_up import given_code, lead_up
from grading.points import as_csv

ASSIGNMENTS = COURSE / "build" / "assignments"
NAMES_IN_TITLE = 3
MINUTES = re.compile(r"Your turn · (\d+) minutes?")

WHERE = (
    "**Put this file beside your copies of the notebooks**: into the folder `work` of the course, or, on a hub, into "
    "`attention-course`, with the button *Upload Files*. Leave it its name: `{file}`. Open it in JupyterLab."
)
WRITE = (
    "Write in place of the dots, run your cell, and run the check below it. It says what is wrong, as often as you "
    "ask. Leave the checks as they are."
)
HAND_IN = (
    "Choose *Kernel*, *Restart Kernel and Run All Cells*, save, and hand in **this file**, `{file}`. Your copies of "
    "the notebooks are yours and nobody looks at them: an answer that stands there alone is not seen."
)


class Part(NamedTuple):
    """One exercise of a sheet."""

    name: str
    place: Place
    lead_up: str  # what stands between the heading above it and its prompt, folded Markdown or ""
    given: str  # code that computes the tensors that it asks about, or ""


def write_assignment(words: list[str], name: str | None = None) -> tuple[Path, Path, list[str]]:
    """Write a sheet, a notebook of exercises to hand out, and its table of points; return (sheet, table, names).

    sheet, table: Paths in build/assignments/. words: as for `choose`. name: the sheet's, by default made from the
    words. Errors: NotebookError.
    """
    chosen = choose(words)
    stem = name or _default_name(words)
    if not re.fullmatch(r"\w[\w-]*", stem):
        raise NotebookError(f"A sheet cannot be called {stem!r}: take letters, digits, _ and - alone, as in week_2.")
    path = ASSIGNMENTS / f"assignment_{stem}.ipynb"
    points = path.with_suffix(".points.csv")
    write_atomically(path, to_bytes(sheet(chosen, name and name.replace("_", " "), path.name)))
    write_atomically(points, as_csv(dict.fromkeys(chosen, 1)))
    return path, points, chosen


def choose(words: list[str]) -> list[str]:
    """Return the names of the exercises that words mean, in the order of the course. Errors: NotebookError.

    A word is "causal_mask", "my_causal_mask", or "04" or "4" for all exercises of that notebook.
    """
    stubs = {exercise.stub: name for name, exercise in checks.all().items()}
    numbers = {notebook.number: notebook.exercises for notebook in course.notebooks()}
    wanted = set()
    for word in words:
        if word.isdecimal() and word.zfill(2) in numbers:
            wanted.update(numbers[word.zfill(2)])
        elif word in stubs or word in stubs.values():
            wanted.add(stubs.get(word, word))
        else:
            raise NotebookError(_unknown(word, stubs, numbers))
    return [name for name in stubs.values() if name in wanted]


def sheet(chosen: list[str], title: str | None, file: str):
    """Return the nbformat notebook to hand out, with the exercises of these names. file: the name that it will have."""
    places = {name: find(name) for name in chosen}
    parts = [Part(name, place, lead_up(name, place, chosen), given_code(place)) for name, place in places.items()]
    stubs = ", ".join(map(_stub, parts[:NAMES_IN_TITLE]))
    more = f" and {len(chosen) - NAMES_IN_TITLE} more" if len(chosen) > NAMES_IN_TITLE else ""
    cells = [
        new_markdown_cell(_front(title or stubs + more, parts, file), id="title"),
        _code("setup", _setup(dict.fromkeys(part.place.notebook for part in parts)), "setup"),
    ]
    for number, part in enumerate(parts, 1):
        cells += _cells(number, part)
    cells.append(new_markdown_cell(f"## Hand in\n\n{HAND_IN.format(file=file)}", id="hand-in"))
    return new_notebook(cells=cells, metadata={"kernelspec": KERNELSPEC})


def _default_name(words: list[str]) -> str:
    """Return a name for a sheet of the words that `choose` takes: "mix_shares", of many "mix_and_4_more"."""
    files = {notebook.number: notebook.file for notebook in course.notebooks()}
    names = list(dict.fromkeys(files.get(word.zfill(2)) or word.removeprefix("my_") for word in words))
    return "_".join(names) if len(names) <= NAMES_IN_TITLE else f"{names[0]}_and_{len(names) - 1}_more"


def _unknown(word: str, stubs: dict[str, str], numbers) -> str:
    known = [*stubs, *stubs.values()]
    near = dict.fromkeys(stubs.get(stub, stub) for stub in difflib.get_close_matches(word, known, 5))
    hint = f" Did you mean {', '.join(near)}?" if near else f" The exercises are: {', '.join(stubs)}."
    return f"There is no exercise and no notebook {word!r}.{hint} Notebooks go by number: {', '.join(numbers)}."


def _front(title: str, parts: list[Part], file: str) -> str:
    minutes = sum(int(MINUTES.search(part.place.cells[part.place.prompt].source)[1]) for part in parts)
    many = "One exercise" if len(parts) == 1 else f"{len(parts)} exercises"
    rows = [f"| {number} | {_stub(part)} | {_link(part.place.notebook)} |" for number, part in enumerate(parts, 1)]
    table = "\n".join(["| | exercise | from |", "|---|---|---|", *rows])
    steps = "\n".join(f"{place}. {words}" for place, words in enumerate((WHERE, WRITE, HAND_IN), 1)).format(file=file)
    return f"# Assignment: {title}\n\n{many}, {minutes} minutes.\n\n{steps}\n\n{table}"


def _stub(part: Part) -> str:
    return f"`{checks.all()[part.name].stub}`"


def _link(notebook: course.Notebook) -> str:
    return f"[{int(notebook.number)} · {notebook.title}]({notebook.file}.ipynb)"


def _setup(notebooks) -> str:
    """Return a set-up cell's source: all imports in the set-up cells of these notebooks, and session.start()."""
    pages = [read_notebook(PUBLISHED / f"{notebook.file}.ipynb") for notebook in notebooks]
    nodes = [node for page in pages for cell in code_cells(page, "setup") for node in ast.parse(cell.source).body]
    imports = "\n".join(ast.unparse(node) for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
    command = [sys.executable, "-m", "ruff", "check", "--select=I", "--fix", "--quiet", "-"]
    done = subprocess.run(command, input=imports, capture_output=True, text=True, check=True, cwd=COURSE)
    return f"{done.stdout.strip()}\n\nsession.start()"


def _cells(number: int, part: Part):
    place, above = part.place, part.lead_up and f"\n\n{part.lead_up}"
    where = f"From {_link(place.notebook)}, *{place.under}*."
    yield new_markdown_cell(f"## {number} · {_stub(part)}\n\n{where}{above}", id=f"{part.name}-from")
    prompt = place.cells[place.prompt].source
    yield new_markdown_cell(prompt, id=f"{part.name}-prompt", metadata={"tags": ["exercise"]})
    if part.given:
        yield _code(f"{part.name}-given", part.given)
    for nth, stub in enumerate(place.stubs):
        yield _code(f"{part.name}-answer" + (f"-{nth + 1}" if nth else ""), stub.source, "exercise")
    yield _code(f"{part.name}-check", place.cells[place.check].source, "check")


def _code(id: str, source: str, *tags: str):
    return new_code_cell(source, id=id, metadata={"tags": list(tags)} if tags else {})

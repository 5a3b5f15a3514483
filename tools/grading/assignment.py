"""Make an assignment: a notebook ("sheet") with some exercises of the course, and nothing in it that answers them."""

import ast
import difflib
import re
import sys
from dataclasses import dataclass

from nb.exercises import Place, find
from nb.files import COURSE, PUBLISHED, NotebookError, write_atomically
from nb.format import KERNELSPEC, read_notebook, tags, to_bytes
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


@dataclass(frozen=True)
class Part:
    """One exercise of a sheet: its name, and its Place in the course.

    lead_up: what stands between the heading above it and its prompt, folded Markdown or "". given: code that computes
    the tensors that it asks about, or "".
    """

    name: str
    place: Place
    lead_up: str
    given: str


def write_assignment(words, name=None):
    """Write a sheet and its table of points; return (Path, Path of the table, list of exercises' names).

    Both files go to build/assignments/. words: as for `choose`. name: the sheet's name, such as "week_2"; by default
    made from the words. Errors: NotebookError for a word that `choose` refuses, or a name with other signs than
    letters, digits, _ and -.
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


def choose(words):
    """Return the names of the exercises that the words mean, a list with each once, in the order of the course.

    words: texts such as "causal_mask", "my_causal_mask", or "04" or "4" for all exercises of that notebook. Errors:
    NotebookError for a word that is neither an exercise nor a notebook's number.
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


def sheet(chosen, title, file):
    """Return the notebook to hand out, an nbformat notebook with the chosen exercises; nothing is written.

    chosen: a list of exercises' names. title: of the sheet, or None for one made of the first stubs' names. file: the
    name of the file that it will be stored in.
    """
    places = {name: find(name) for name in chosen}
    parts = [Part(name, place, lead_up(name, place, chosen), given_code(place)) for name, place in places.items()]
    stubs = ", ".join(f"`{checks.all()[name].stub}`" for name in chosen[:NAMES_IN_TITLE])
    more = f" and {len(chosen) - NAMES_IN_TITLE} more" if len(chosen) > NAMES_IN_TITLE else ""
    cells = [
        new_markdown_cell(_front(title or f"{stubs}{more}", parts, file), id="title"),
        _code("setup", _setup(dict.fromkeys(part.place.notebook for part in parts)), "setup"),
    ]
    for number, part in enumerate(parts, 1):
        cells += _cells(number, part)
    cells.append(new_markdown_cell(f"## Hand in\n\n{HAND_IN.format(file=file)}", id="hand-in"))
    return new_notebook(cells=cells, metadata={"kernelspec": KERNELSPEC})


def _default_name(words):
    """Return a name for a sheet, a str made from the first three of the words that `choose` takes."""
    files = {notebook.number: notebook.file for notebook in course.notebooks()}
    names = list(dict.fromkeys(files.get(word.zfill(2)) or word.removeprefix("my_") for word in words))
    if len(names) > NAMES_IN_TITLE:
        return f"{names[0]}_and_{len(names) - 1}_more"
    return "_".join(names)


def _unknown(word, stubs, numbers):
    """Return the message for a word that is no exercise and no notebook, with at most five similar names.

    stubs: a dict, the name of a stub -> the exercise's name. numbers: those of all notebooks, texts.
    """
    known = [*stubs, *stubs.values()]
    near = dict.fromkeys(stubs.get(stub, stub) for stub in difflib.get_close_matches(word, known, 5))
    hint = f" Did you mean {', '.join(near)}?" if near else f" The exercises are: {', '.join(stubs)}."
    return f"There is no exercise and no notebook {word!r}.{hint} Notebooks go by number: {', '.join(numbers)}."


def _front(title, parts, file):
    """Return the title cell's Markdown, a str: what to do with the sheet, and a table of its exercises.

    title: of the sheet. parts: a list with a Part for each exercise. file: the name of the sheet's file.
    """
    minutes = sum(int(MINUTES.search(part.place.cells[part.place.prompt].source)[1]) for part in parts)
    many = "One exercise" if len(parts) == 1 else f"{len(parts)} exercises"
    rows = [f"| {number} | {_stub(part)} | {_link(part.place.notebook)} |" for number, part in enumerate(parts, 1)]
    table = "\n".join(["| | exercise | from |", "|---|---|---|", *rows])
    steps = "\n".join(f"{place}. {words}" for place, words in enumerate((WHERE, WRITE, HAND_IN), 1)).format(file=file)
    return f"# Assignment: {title}\n\n{many}, {minutes} minutes.\n\n{steps}\n\n{table}"


def _stub(part):
    """Return the name of a Part's stub as code in Markdown: `my_causal_mask`."""
    return f"`{checks.all()[part.name].stub}`"


def _link(notebook):
    """Return a Markdown link to a course.Notebook, with its number and title."""
    return f"[{int(notebook.number)} · {notebook.title}]({notebook.file}.ipynb)"


def _setup(notebooks):
    """Return the source of the set-up cell: all sorted imports of some notebooks' set-ups, and session.start().

    notebooks: NotebookNodes.
    """
    plain, by_module = set(), {}
    for notebook in notebooks:
        for cell in read_notebook(PUBLISHED / f"{notebook.file}.ipynb").cells:
            for node in ast.parse(cell.source).body if "setup" in tags(cell) else ():
                if isinstance(node, ast.Import):
                    plain.add(ast.unparse(node))
                elif isinstance(node, ast.ImportFrom):
                    by_module.setdefault(node.module, set()).update(alias.name for alias in node.names)
    froms = [f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(by_module.items())]
    groups = [[], [], []]  # standard library, third party, the course
    for line in [*sorted(plain), *froms]:
        top = re.split(r"[ .]", line)[1]
        groups[0 if top in sys.stdlib_module_names else 2 if top == "course_utils" else 1].append(line)
    return "\n\n".join(["\n".join(group) for group in groups if group] + ["session.start()"])


def _cells(number, part):
    """Yield the nbformat cells of a Part: where it is from, prompt, what is given, stubs and check.

    number: in the sheet, from 1.
    """
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


def _code(id, source, *tags):
    """Return a new nbformat code cell with this id, this source and these tags."""
    return new_code_cell(source, id=id, metadata={"tags": list(tags)} if tags else {})

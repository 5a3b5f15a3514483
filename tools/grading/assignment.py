"""Make an assignment: a notebook ("sheet") with some exercises of the course, and nothing in it that answers them."""

import ast
import difflib
import re
import sys
from dataclasses import dataclass

from nb.answers import given_away, marked
from nb.exercises import HEADING, Place, find, tags
from nb.files import COURSE, PUBLISHED, NotebookError, write_atomically
from nb.format import KERNELSPEC, read_notebook, to_bytes
from nb.slices import Code
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_utils import checks, course
from grading.points import as_csv

ASSIGNMENTS = COURSE / "build" / "assignments"
NAMES_IN_TITLE = 3
MINUTES = re.compile(r"Your turn · (\d+) minutes?")
IN_BACKTICKS = re.compile(r"`([A-Za-z_]\w*)`")
UNTOLD = {"exercise", "check", "solution", "widget"}  # cells that no lead-up contains

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

LEFT_OUT = new_markdown_cell("*A cell that answers an exercise of this sheet is left out here.*")

FOLDED = """<details><summary>What leads up to it there</summary>

<blockquote>

{told}

</blockquote>
</details>"""


@dataclass(frozen=True)
class Part:
    """One exercise of a sheet.

    name: of the exercise. place: its Place in the course. lead_up: the notebook's cells between the heading above it
    and its prompt. given: code that computes the tensors that it asks about, or "".
    """

    name: str
    place: Place
    lead_up: list
    given: str


def write_assignment(words, name=None):
    """Write a sheet and its table of points to build/assignments/; return both paths and the list of exercises.

    words: exercises, as "my_causal_mask" or "causal_mask", and numbers of notebooks, as "04", which stand for all their
    exercises. name: the sheet's name, such as "week_2"; by default made from the words.
    Errors: NotebookError for a word that is neither, or a name that is not made of letters, digits, _ and -.
    """
    chosen = choose(words)
    called = name or _called(words)
    if not re.fullmatch(r"\w[\w-]*", called):
        raise NotebookError(f"A sheet cannot be called {called!r}: take letters, digits, _ and - alone, as in week_2.")
    path = ASSIGNMENTS / f"assignment_{called}.ipynb"
    points = path.with_suffix(".points.csv")
    write_atomically(path, to_bytes(sheet(chosen, name and name.replace("_", " "), path.name)))
    write_atomically(points, as_csv(dict.fromkeys(chosen, 1)))
    return path, points, chosen


def choose(words):
    """Return the names of the exercises that the words mean, a list with each once, in the order of the course.

    words: strings such as "causal_mask", "my_causal_mask", or "04" for all exercises of that notebook. Errors:
    NotebookError for a word that is neither an exercise nor a notebook's number.
    """
    stubs = {exercise.stub: name for name, exercise in checks.all().items()}
    numbers = {one.number: one.exercises for one in course.notebooks()}
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
    """Return the notebook to hand out.

    chosen: names of exercises. title: of the sheet, or None for one made of the exercises' names. file: the name of the
    file that it will be stored in.
    """
    parts = [_part(name, chosen) for name in chosen]
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


def _called(words):
    """Return a name for a sheet without one, made from the words that choose its exercises, as `choose` takes them."""
    files = {one.number: one.file for one in course.notebooks()}
    names = list(dict.fromkeys(files.get(word.zfill(2)) or word.removeprefix("my_") for word in words))
    if len(names) > NAMES_IN_TITLE:
        return f"{names[0]}_and_{len(names) - 1}_more"
    return "_".join(names)


def _unknown(word, stubs, numbers):
    """Return the message for a word that is no exercise and no notebook, with the closest names.

    stubs: the name that a learner gives the answer -> the exercise's name. numbers: those of all notebooks, strings.
    """
    known = [*stubs, *stubs.values()]
    near = dict.fromkeys(stubs.get(one, one) for one in difflib.get_close_matches(word, known, 5))
    meant = f" Did you mean {', '.join(near)}?" if near else f" The exercises are: {', '.join(stubs)}."
    return f"There is no exercise and no notebook {word!r}.{meant} Notebooks go by number: {', '.join(numbers)}."


def _part(name, chosen):
    """Return one exercise of a sheet as a Part; in its lead-up, a note replaces each cell that answers the sheet.

    name: of the exercise. chosen: the names of all exercises of the sheet.
    """
    place = find(name)
    others = [one for one in chosen if one != name]
    lead_up = [
        LEFT_OUT if name in marked(cell) or any(given_away(cell, one) for one in others) else cell
        for cell in place.cells[place.heading : place.prompt]
        if not UNTOLD & set(tags(cell))
    ]
    return Part(name, place, lead_up, _given(place))


def _given(place):
    """Return the statements above an exercise that compute what its prompt asks about, as source. place: its Place.

    Only an exercise whose answer is a value needs them, since it is computed from the notebook's tensors; "" for
    others.
    """
    if not all(isinstance(node, ast.Assign) for stub in place.stubs for node in ast.parse(stub.source).body):
        return ""
    above = new_notebook(cells=place.cells[: place.prompt])
    sources = [cell.source for cell in above.cells if cell.cell_type == "code"]
    before = [one for one in Code(above).statements if not isinstance(one.node, ast.Import | ast.ImportFrom)]
    wanted, taken, size = set(IN_BACKTICKS.findall(place.cells[place.prompt].source)), set(), -1
    while size != len(taken):
        size = len(taken)
        for number, one in enumerate(before):
            if one.binds & wanted and not any(name.startswith("my_") for name in one.binds):
                taken.add(number)
                wanted |= one.reads
    pieces = (before[number] for number in sorted(taken))
    return "\n".join(ast.get_source_segment(sources[one.cell], one.node) for one in pieces)


def _front(title, parts, file):
    """Return the title cell's Markdown: what to do with the sheet, and a table of its exercises.

    title: of the sheet. parts: its Parts. file: the name of its file.
    """
    minutes = sum(int(MINUTES.search(part.place.cells[part.place.prompt].source)[1]) for part in parts)
    many = "One exercise" if len(parts) == 1 else f"{len(parts)} exercises"
    rows = [f"| {number} | {_stub(part)} | {_link(part.place.notebook)} |" for number, part in enumerate(parts, 1)]
    table = "\n".join(["| | exercise | from |", "|---|---|---|", *rows])
    steps = "\n".join(f"{place}. {words}" for place, words in enumerate((WHERE, WRITE, HAND_IN), 1)).format(file=file)
    return f"# Assignment: {title}\n\n{many}, {minutes} minutes.\n\n{steps}\n\n{table}"


def _stub(part):
    """Return the name that a learner gives the answer to a Part, such as my_causal_mask, as code in Markdown."""
    return f"`{checks.all()[part.name].stub}`"


def _link(notebook):
    """Return a Markdown link to a course.Notebook, with its number and title."""
    return f"[{int(notebook.number)} · {notebook.title}]({notebook.file}.ipynb)"


def _setup(notebooks):
    """Return the source of the set-up cell: all imports of these notebooks, sorted, and the start of the session.

    notebooks: those of course.Notebook from which the exercises are.
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
    """Yield the cells of one exercise: where it is from, the prompt, what is given, the stubs and the check.

    number: of the exercise in the sheet, from 1. part: its Part.
    """
    place, told = part.place, _told(part.lead_up)
    above = f"\n\n{FOLDED.format(told=told)}" if told else ""
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
    """Return a new code cell."""
    return new_code_cell(source, id=id, metadata={"tags": list(tags)} if tags else {})


def _told(cells):
    """Return cells of a notebook as one Markdown text, with their stored outputs, to be read and not run."""
    return "\n\n".join(filter(None, map(_as_text, cells)))


def _as_text(cell):
    """Return a cell as Markdown: its text without the heading, its figure's captions, or its code and its output."""
    if cell.cell_type == "markdown":
        return HEADING.sub("", cell.source, count=1).strip()
    if "figure" in tags(cell):
        return "\n\n".join(f"*Figure:* {words.strip()}" for words in _printed(cell))
    shown = "".join(words if words.endswith("\n") else f"{words}\n" for words in _printed(cell))
    return f"```python\n{cell.source}\n```" + (f"\n\nIt shows\n\n```text\n{shown}```" if shown else "")


def _printed(cell):
    """Return the texts that a code cell's stored outputs printed or showed, as a list, without empty ones."""
    found = (one.text if one.output_type == "stream" else one.get("data", {}).get("text/plain") for one in cell.outputs)
    return [words for words in found if words and words.strip()]

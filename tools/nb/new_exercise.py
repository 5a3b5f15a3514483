"""Make the files, the cells and the entries of a new exercise: a small one that works, to be changed into the real one.

What is left to write says TODO, and `check` names each such line.
"""

import importlib.util
import json
import keyword
import re

from nbformat.v4 import new_code_cell, new_markdown_cell

from course_utils import checks, course
from nb.exercises import ASKED
from nb.files import COURSE, PUBLISHED, NotebookError, display_path, write_atomically
from nb.format import clean, read_notebook, tags, to_bytes

EXERCISE = '''\
"""`my_NAME(x)`: TODO: say in a line what it computes."""

from course_utils.checks.exercise import Exercise


def NAME_solution(x):
    return 2 * x  # TODO: write a right answer, as it shall stand on the page; `run` copies it there


def cases(draw):
    # TODO: yield a label and the arguments, the simplest first, with axes of different lengths and no two tokens alike
    yield "25 tokens", draw(25, 4)
    yield "a single token", draw(1, 4)


# A row is an id, what the learner reads, and an edit of the solution; course_utils/checks/edits.py has the format.
MISTAKES = """
not-doubled: TODO: say what is wrong, and what to write instead.
    2 * x -> x
"""

exercise = Exercise(NAME_solution, cases, MISTAKES)
'''
PROMPT = """\
### Your turn · TODO minutes · ●○○

Write `my_NAME(x)`, which … TODO: say what it takes, with shapes, and what it returns.

<details><summary>Hint 1</summary>TODO: say how to begin.</details>
<details><summary>Hint 2</summary>TODO: name what to look up.</details>"""
STUB = "def my_NAME(x):\n    ..."
SLIDE, SKIP = {"slideshow": {"slide_type": "slide"}}, {"slideshow": {"slide_type": "skip"}}


def make(topic: str, name: str, after: str | None = None) -> list[str]:
    """Make an exercise in a lesson; return the paths of the files that were made or changed, as shown to a user.

    after: the id of the cell below which it stands; without it, it stands last, before the recap where the page has no
    part Further. Errors: NotebookError for an unknown topic or cell, and a name that is taken or cannot be one of a
    function.
    """
    pages = {page.topic: page for page in course.notebooks()}
    if topic not in pages:
        raise NotebookError(f"there is no lesson {topic!r}: use one of {', '.join(pages)}.")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise NotebookError(f"{name!r} cannot be a name of an exercise: use small letters, digits and _.")
    if taken := [page.topic for page in pages.values() if name in page.exercises]:
        raise NotebookError(f"there is an exercise {name} in {taken[0]}: choose another name.")
    if name in vars(checks) or importlib.util.find_spec(f"{checks.__name__}.{name}"):
        raise NotebookError(f"checks.{name} is a part of the checks themselves: choose another name.")
    folder, path = COURSE / "lessons" / topic, PUBLISHED / f"{pages[topic].file}.ipynb"
    if (file := folder / "exercises" / f"{name}.py").exists():
        raise NotebookError(f"{display_path(file)} is there already: choose another name.")
    notebook = read_notebook(path)
    place = _place(notebook.cells, after)
    notes = _with_note(folder / "teaching.md", notebook.cells[:place], name)
    notebook.cells[place:place] = _cells(name)
    names = [found for cell in notebook.cells if "check" in tags(cell) for found in ASKED.findall(cell.source)]
    files = {
        file: EXERCISE.replace("NAME", name),
        folder / "answers" / f"{name}.py": "",
        COURSE / "lessons" / "course.json": _list_with(topic, names),
        folder / "teaching.md": notes,
        path: to_bytes(clean(notebook)).decode(),
    }
    for file, text in files.items():
        write_atomically(file, text.encode())
    return list(map(display_path, files))


def _place(cells: list, after: str | None) -> int:
    ids = [cell.id for cell in cells]
    if after is not None:
        if after not in ids:
            where = "see the ids in the messages of `check`, or leave it out"
            raise NotebookError(f"the page has no cell {after!r}: {where}.")
        return ids.index(after) + 1
    begins = "**Next:**" if any(cell.source.startswith("## Further") for cell in cells) else ("## Recap", "## Quiz")
    return next((index for index, cell in enumerate(cells) if cell.source.startswith(begins)), len(cells))


def _cells(name: str) -> list:
    id, folded = name.replace("_", "-"), {"jupyter": {"source_hidden": True}}
    solution = re.search(r"^def \w+_solution.*?(?=\n\n\n)", EXERCISE, re.DOTALL | re.MULTILINE)[0]
    cells = [
        new_markdown_cell(PROMPT, metadata=SLIDE | {"tags": ["exercise"]}, id=f"{id}-prompt"),
        new_code_cell(STUB, metadata=SKIP | {"tags": ["exercise"]}, id=f"{id}-stub"),
        new_code_cell("checks.NAME(my_NAME)", metadata=SKIP | {"tags": ["check"]}, id=f"{id}-check"),
        new_code_cell(solution, metadata=SKIP | {"tags": ["solution"]} | folded, id=f"{id}-solution"),
    ]
    for cell in cells:
        cell.source = cell.source.replace("NAME", name)
    return cells


def _list_with(topic: str, names: list[str]) -> str:
    """Return the text of course.json with these names as the exercises of a lesson; all other text stays."""
    text = (COURSE / "lessons" / "course.json").read_text("utf-8")
    entry = rf'("file": "\d\d_{topic}".*?"exercises": )\[.*?\]'
    return re.sub(entry, lambda match: match[1] + json.dumps(names), text, count=1, flags=re.DOTALL)


def _with_note(path, above: list, name: str) -> str:
    """Return the text of a presenter's page with a heading for the exercise, below the note on the slide before it."""
    text, key = path.read_text("utf-8"), f"{name.replace('_', '-')}-prompt"
    note = f"### Your turn: {name.replace('_', ' ')} {{#{key}}}"
    before = [
        at.end() for cell in above for at in re.finditer(rf"^### .*\{{#{re.escape(cell.id)}[ }}]", text, re.MULTILINE)
    ]
    start = before[-1] if before else len(text)
    follows = re.search(r"^### ", text[start:], re.MULTILINE)
    end = start + follows.start() if follows else len(text)
    return "\n\n".join(filter(None, (text[:end].rstrip("\n"), note, text[end:]))).rstrip("\n") + "\n"

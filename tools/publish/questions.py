"""What a notebook asks: which cells ask for a prediction, and its quiz as slides."""

import json
import re

from nbformat import NotebookNode
from notebook_files import COURSE

from publish.markup import markdown

EXERCISE = {"exercise", "check", "solution"}
PREDICT = "**Predict first.**"
PREDICTION = re.compile(r"^widgets\.Predict\(", re.MULTILINE)
LINKS = ("**Next:**", "**Back to:**")
CALL = re.compile(r"quiz\.show\(['\"](\w+)['\"]\)")
LETTERS = "ABCDEFGH"
RIGHT = ' class="right"'  # seen as such once the answer is


def readable(cells):
    """Return the cells that mean something without a kernel: all but those for JupyterLab alone."""
    return [cell for cell in cells if "lab-only" not in cell.metadata.get("tags", [])]


def asks(cell):
    """Whether a cell asks for a prediction."""
    return PREDICT in cell.source if cell.cell_type == "markdown" else bool(PREDICTION.search(cell.source))


def answering(cells):
    """Yield (cell, whether it answers a prediction) for each cell.

    What follows a prediction answers it, up to the next prediction, or to the first heading or exercise below a result.
    A heading above the first result is cut in two: its line answers nothing, the words below it do. An exercise never
    does: what a learner needs for it is not hidden.
    """
    waits = shown = False  # whether a prediction waits for its answer, and a result has been shown since
    for cell in cells:
        if asks(cell):
            waits, shown = True, False
            yield cell, False
        elif EXERCISE & set(cell.metadata.get("tags", [])):
            waits = waits and not shown
            yield cell, False
        elif cell.cell_type == "markdown" and cell.source.startswith(("#", *LINKS)):
            waits = waits and not shown
            heading, _, words = cell.source.partition("\n") if waits else (cell.source, "", "")
            yield NotebookNode(cell, source=heading), False
            if words.strip():
                yield NotebookNode(cell, source=words), True
        else:
            yield cell, waits
            shown = shown or (waits and bool(cell.get("outputs")))


def called(cell):
    """Return the topic of the quiz that a cell shows, or None."""
    call = CALL.fullmatch(cell.source.strip()) if cell.cell_type == "code" else None
    return call and call[1]


def questions(topic, folder=COURSE / "data" / "quizzes"):
    """Return for each question of a quiz its title, question, answer and notes; all but the title are HTML."""
    found = json.loads((folder / f"{topic}.json").read_text("utf-8"))["questions"]
    return [
        (f"Quiz · {place} of {len(found)}", _question(question), _answer(question), _notes(question))
        for place, question in enumerate(found, start=1)
    ]


def _question(question):
    choices = "".join(
        f"<li{RIGHT if choice['right'] else ''}>{_inline(choice['text'])}</li>\n" for choice in question["choices"]
    )
    return f'{markdown(question["question"])}<ol type="A" class="choices">\n{choices}</ol>\n'


def _answer(question):
    return "".join(_reply(letter, choice, "✓ ") for letter, choice in _lettered(question) if choice["right"])


def _notes(question):
    return "".join(_reply(letter, choice) for letter, choice in _lettered(question) if not choice["right"])


def _lettered(question):
    return zip(LETTERS, question["choices"], strict=False)


def _reply(letter, choice, sign=""):
    return f"<p><strong>{sign}{letter}.</strong> {_inline(choice['feedback'])}</p>\n"


def _inline(text):
    return markdown(text).strip().removeprefix("<p>").removesuffix("</p>")

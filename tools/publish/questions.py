"""Find what a notebook asks: predictions with the cells that answer them, and its quiz."""

import json
import re

from nb.files import COURSE
from nb.format import tags
from nbformat import NotebookNode

from publish.markup import inline, markdown

EXERCISE = {"exercise", "check", "solution"}
PREDICT = "**Predict first.**"
PREDICTION = re.compile(r"^widgets\.Predict\(", re.MULTILINE)
LINKS = ("**Next:**", "**Back to:**")
CALL = re.compile(r"quiz\.show\(['\"](\w+)['\"]\)")
LETTERS = "ABCDEFGH"
RIGHT = ' class="right"'  # CSS shows it only when the answer is shown


def readable(cells):
    """Return the list of the cells that make sense without a kernel: all but those with the tag lab-only."""
    return [cell for cell in cells if "lab-only" not in tags(cell)]


def asks(cell):
    """Check whether a cell asks for a prediction: in words, or with a call of `widgets.Predict`."""
    return PREDICT in cell.source if cell.cell_type == "markdown" else bool(PREDICTION.search(cell.source))


def answering(cells):
    """Yield (cell, whether it answers a prediction) for each cell.

    What follows a prediction answers it, up to the next prediction, or to the first heading or exercise below a result.
    A cell that starts with a heading, above the first result, is split in two: the heading does not answer, the words
    below it do. An exercise never answers, since a learner needs to see it.
    """
    is_open = has_result = False  # whether a prediction is unanswered, and whether a result was shown since
    for cell in cells:
        if asks(cell):
            is_open, has_result = True, False
            yield cell, False
        elif EXERCISE & set(tags(cell)):
            is_open = is_open and not has_result
            yield cell, False
        elif cell.cell_type == "markdown" and cell.source.startswith(("#", *LINKS)):
            is_open = is_open and not has_result
            heading, _, words = cell.source.partition("\n") if is_open else (cell.source, "", "")
            yield NotebookNode(cell, source=heading), False
            if words.strip():
                yield NotebookNode(cell, source=words), True
        else:
            yield cell, is_open
            has_result = has_result or (is_open and bool(cell.get("outputs")))


def quiz_name(cell):
    """Return the name of the quiz that a cell shows with `quiz.show`, or None."""
    call = CALL.fullmatch(cell.source.strip()) if cell.cell_type == "code" else None
    return call and call[1]


def questions(topic, folder=COURSE / "data" / "quizzes"):
    """Return (title, question, answer, notes) for each question of a quiz; all but the title are HTML.

    topic: the quiz's name. folder: of the quizzes. notes: the replies to the wrong choices, for the presenter.
    """
    entries = json.loads((folder / f"{topic}.json").read_text("utf-8"))["questions"]
    return [
        (f"Quiz · {place} of {len(entries)}", _question(question), _answer(question), _notes(question))
        for place, question in enumerate(entries, start=1)
    ]


def _question(question):
    """Return a question and its choices as HTML. question: a dict from the quiz's file."""
    choices = "".join(
        f"<li{RIGHT if choice['right'] else ''}>{inline(choice['text'])}</li>\n" for choice in question["choices"]
    )
    return f'{markdown(question["question"])}<ol type="A" class="choices">\n{choices}</ol>\n'


def _answer(question):
    """Return the replies to the right choices as HTML. question: a dict from the quiz's file."""
    return "".join(_reply(letter, choice, "✓ ") for letter, choice in _lettered(question) if choice["right"])


def _notes(question):
    """Return the replies to the wrong choices as HTML. question: a dict from the quiz's file."""
    return "".join(_reply(letter, choice) for letter, choice in _lettered(question) if not choice["right"])


def _lettered(question):
    """Return an iterator over (letter, choice) for each choice of a question. question: a dict from the quiz's file."""
    return zip(LETTERS, question["choices"], strict=False)


def _reply(letter, choice, sign=""):
    """Return the reply to one choice as HTML.

    letter: the choice's, such as "A". choice: a dict from the quiz's file. sign: text to put before the letter.
    """
    return f"<p><strong>{sign}{letter}.</strong> {inline(choice['feedback'])}</p>\n"

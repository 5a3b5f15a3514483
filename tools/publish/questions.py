"""What a notebook asks: which cells ask for a prediction, and its quiz as slides."""

import json
import re

from notebook_files import COURSE

from publish.markup import markdown

PREDICT = "**Predict first.**"
CALL = re.compile(r"quiz\.show\(['\"](\w+)['\"]\)")
LETTERS = "ABCDEFGH"
RIGHT = ' class="right"'  # seen as such once the answer is


def asks(cell):
    """Whether a cell asks for a prediction."""
    return PREDICT in cell.source if cell.cell_type == "markdown" else cell.source.startswith("widgets.Predict(")


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

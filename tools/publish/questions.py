"""Find what a notebook asks: predictions with the cells that answer them, and its quiz."""

import json
import re
from pathlib import Path

from nb import outcomes
from nb.format import tags
from nbformat import NotebookNode

from course_utils import language, lessons
from publish.markup import inline, markdown
from publish.words import say

EXERCISE = {"exercise", "check", "solution"}
PREDICT = "**Predict first.**"
PREDICTION = re.compile(r"^widgets\.Predict\(", re.MULTILINE)
CALL = re.compile(r"quiz\.show\(['\"](\w+)['\"]\)")
LETTERS = "ABCDEFGH"
RIGHT = ' class="right"'  # CSS shows it only when the answer is shown


def readable(cells) -> list:
    """Return the nbformat cells that make sense without a kernel: all but those tagged lab-only."""
    return [cell for cell in cells if "lab-only" not in tags(cell)]


def is_view(cell) -> bool:
    """Return whether an nbformat cell shows a prediction as a view, by a call of `widgets.Predict`."""
    return cell.cell_type == "code" and bool(PREDICTION.search(cell.source))


def asks(cell) -> bool:
    """Return whether an nbformat cell asks for a prediction: in words (PREDICT), or by a call of `widgets.Predict`."""
    return say(PREDICT) in cell.source if cell.cell_type == "markdown" else is_view(cell)


def answering(cells):
    """Yield (cell, whether it answers a prediction) for each of some nbformat cells.

    What stands between a prediction and the last cell that it names answers it, but no heading, since the page's
    contents have it, and no exercise. Where only a part of a Markdown cell answers, it is yielded in parts. Its fold is
    opened.
    """
    last = None  # the id of the cell that ends the present answer
    for cell in cells:
        if asks(cell):
            last = (outcomes.named(cell) or [None])[-1]
            yield cell, False
            continue
        if cell.cell_type == "code":
            yield cell, last is not None and not EXERCISE & set(tags(cell))
        else:
            yield from ((NotebookNode(cell, source=words), answers) for words, answers in _words(cell, last))
        last = None if cell.id == last else last


def _words(cell, last: str | None):
    """Yield (words, whether they answer) for each part of an nbformat cell without code. last: as in `answering`."""
    before, told, after = outcomes.parts(cell.source)
    if last is None or EXERCISE & set(tags(cell)) or cell.cell_type == "raw":
        yield outcomes.opened(cell.source), False
        return
    if before.startswith("#"):
        heading, _, before = before.partition("\n")
        yield heading, False
    above, below = ((before, told), after) if cell.id == last else ((before, told, after), "")
    for words, answers in (("\n\n".join(filter(None, above)).strip(), True), (below, False)):
        if words:
            yield words, answers


def quiz_name(cell) -> str | None:
    """Return the name of the quiz that an nbformat cell shows, if it only calls `quiz.show("name")`; else None."""
    call = CALL.fullmatch(cell.source.strip()) if cell.cell_type == "code" else None
    return call and call[1]


def questions(topic: str, folder: Path = lessons.FOLDER) -> list[tuple[str, str, str, str]]:
    """Return (title, question, answer, notes) for each question of the quiz `topic`, in the current language.

    All but the title are HTML: the question with its choices, the replies to the right ones, and to the wrong ones.
    """
    entries = json.loads((folder / topic / "quiz.json").read_text("utf-8"))["questions"]
    return [
        (say("Quiz · {place} of {all}", place=place, all=len(entries)), *_parts(one["question"], one["choices"]))
        for place, one in enumerate(entries, start=1)
    ]


def _parts(question: str, choices: list[dict]) -> tuple[str, str, str]:
    """Return the HTML of (the question with its choices, the replies to right choices, those to wrong ones)."""
    listed, replies = "", {True: "", False: ""}
    for letter, choice in zip(LETTERS, choices, strict=False):
        right = choice["right"]
        text, reply = inline(_shown(choice["text"])), inline(_shown(choice["feedback"]))
        listed += f"<li{RIGHT if right else ''}>{text}</li>\n"
        replies[right] += f"<p><strong>{'✓ ' if right else ''}{letter}.</strong> {reply}</p>\n"
    return f'{markdown(_shown(question))}<ol type="A" class="choices">\n{listed}</ol>\n', replies[True], replies[False]


def _shown(text: str) -> str:
    return language.look_up(text, language.SENTENCES)

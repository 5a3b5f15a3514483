"""What a page has for paper alone: numbers, room for guesses and for code, a quiz to tick, and where answers are.

Its elements have the class `paper`: no screen shows them. print.css moves the answers, in their folds, to the end.
"""

import ast
import re
from dataclasses import dataclass

from nb.format import tags

from publish.markup import code_block, tidy
from publish.outputs import as_html
from publish.questions import RIGHT, asks, questions
from publish.words import say

FOLD = re.compile(r"<details><summary>(.*?)</summary>")
OPEN = re.compile(r"\.\.\.</span>(?=\n|</code>)")  # the end of a highlighted line that the learner is to write
LINE, FEWEST, MOST = 6, 2, 10  # millimetres for a handwritten line; the least and the most lines of room


@dataclass
class Paper:
    """What was numbered so far on a page, predictions and exercises."""

    rooms: dict  # as `rooms` returns them
    predictions: int = 0
    exercises: int = 0

    def prediction(self) -> str:
        return say("Prediction {number}", number=self.predictions)

    def exercise(self, number=None) -> str:
        """Return the label of the exercise whose prompt came last: "Your turn 3". number: HTML in place of the 3."""
        return say("Your turn {number}", number=number or self.exercises)

    def words(self, cell, text: str) -> str:
        """Return the HTML `text` of a Markdown cell, with a number and room to write if it asks for something."""
        if "exercise" in tags(cell):  # its folds go to the answers, as all do, and need its number there
            self.exercises += 1
            text = text.replace(f">{say('Your turn')}", f">{self.exercise(only(self.exercises))}", 1)
            return FOLD.sub(rf"<details><summary>{only(f'{self.exercise()} · ')}\1</summary>", text)
        text = FOLD.sub(rf'<p class="paper">{say("See the answers:")} <em>\1</em></p>\n\g<0>', text)
        if not asks(cell):
            return text
        self.predictions += 1
        return f'{text}<p class="paper guess">{self.prediction()} · {say("Your guess:")}</p>\n'

    def stored(self, cell) -> str:
        """Return the HTML of an nbformat code cell's outputs; a prediction in a view gets its number above it."""
        run_the_cell = f"<figcaption><em>{say('A picture of the view. Run the cell to use it.')}</em></figcaption>"
        outputs = as_html(cell.outputs).replace(run_the_cell, "")
        if not asks(cell):
            return outputs
        self.predictions += 1
        return f'<p class="paper asked">{self.prediction()}</p>\n{outputs}'


def only(words) -> str:
    """Return HTML for words, a str or a number, that stand on paper alone."""
    return f'<span class="paper">{words}</span>'


def stub(source: str, lines: int) -> str:
    """Return the HTML of an exercise's code, with room on paper below each `...`. lines: of its solution."""
    code = code_block(tidy(source))
    height = LINE * max(FEWEST, min(MOST, lines - source.count("\n"))) // max(1, len(OPEN.findall(code)))
    code = OPEN.sub(rf'\g<0><i class="paper room" style="height: {height}mm"></i>', code)
    return f'<div class="stub">{code}</div>\n'


def rooms(cells: list) -> dict[str, int]:
    """Return id of an exercise's code cell -> how many lines the first statement of its solution has, 0 without one."""
    found, lines = {}, 0
    for cell in reversed([cell for cell in cells if cell.cell_type == "code"]):
        if "solution" in tags(cell):
            first = ast.parse(cell.source).body[0]
            lines = first.end_lineno - first.lineno + 1
        elif "exercise" in tags(cell):
            found[cell.id], lines = lines, 0
    return found


def quiz(topic: str) -> str:
    """Return the HTML of the quiz `topic` for paper: questions with boxes to tick, and the replies for the end."""
    asked = "".join(f"<li>{question.replace(RIGHT, '')}</li>\n" for _, question, _, _ in questions(topic))
    replies = "".join(f"<li>{reply}</li>\n" for _, _, reply, _ in questions(topic))
    tick = say("Tick one choice of each question.")
    return (
        f'<div class="paper quiz">\n<p>{tick}</p>\n<ol>\n{asked}</ol>\n</div>\n'
        f'<div class="paper replies">\n<h3>{say("Quiz")}</h3>\n<ol>\n{replies}</ol>\n</div>\n'
    )

"""The rule about time: the minutes in the title must be those computed from words, code, exercises and views."""

import ast
import re

from nb import outcomes
from nb.prompts import HINTS
from nb.rules.model import Cell, Notebook
from nb.rules.predictions import PROMPT

# As three students took them, who kept a diary of six of the notebooks.
WORDS_A_MINUTE, SECONDS_A_LINE = 150, 6
A_VIEW, A_PREDICTION, THE_QUIZ = 1, 1, 4  # minutes
MOST = 75
NOT_READ = {"solution", "check", "setup", "figure"}
MARKS = re.compile(r"<[^>]*>|\]\([^)]*\)|[*_`#|$]")
EXERCISE = re.compile(r"Your turn · (\d+) minutes?")
FACTS = re.compile(
    r"^\*\*Time\*\*.*$", re.MULTILINE
)  # the line of a title with times and links, which nobody reads through
TIME = re.compile(r"\*\*Time\*\* (\d+) minutes?\b")
READING_ON = re.compile(r"\*\*Reading on\*\* (\d+) minutes?\b")
TO_READ_ON = ("### Words of the field", "### Read next")  # beside the lesson, as *Further* is
FURTHER = re.compile(r"^## Further\b(?: · (\d+) minutes?)?", re.MULTILINE)


def minutes(cells: list[Cell]) -> float:
    """Return the minutes that some cells take somebody who reads alone."""
    total = 0.0
    for cell in cells:
        if cell.is_code:
            lines = [line for line in cell.source.splitlines() if line.strip()]
            calls = [ast.unparse(node.func) for node in ast.walk(cell.tree) if isinstance(node, ast.Call)]
            total += A_VIEW * sum(call.startswith("widgets.") for call in calls)  # of which Predict is one
            total += THE_QUIZ * cell.source.startswith("quiz.show(")
            total += 0 if NOT_READ & set(cell.tags) else len(lines) * SECONDS_A_LINE / 60
        else:
            words = MARKS.sub(" ", HINTS.sub("", FACTS.sub("", outcomes.opened(cell.source)))).split()
            total += len(words) / WORDS_A_MINUTE + A_PREDICTION * len(PROMPT.findall(cell.source))
            total += sum(map(int, EXERCISE.findall(cell.source)))
    return total


def parts(notebook: Notebook) -> tuple[list[Cell], list[Cell], list[Cell]]:
    """Return the cells of the lesson, those of *Further*, and those with words and works to read on from."""
    start = next(
        (cell.number for cell in notebook.markdown_cells if FURTHER.search(cell.source)), len(notebook.cells) + 1
    )
    lesson, further, to_read = [], [], []
    for cell in notebook.cells:
        if cell.source.startswith(TO_READ_ON):
            to_read.append(cell)
        else:
            (further if cell.number >= start and not cell.source.startswith("quiz.show(") else lesson).append(cell)
    return lesson, further, to_read


def time_is_honest(notebook: Notebook):
    """Yield (Cell, message) for each stated time that is missing or wrong, and for a lesson of more than MOST minutes.

    A time is wrong if it differs from the computed one by more than a tenth, and by more than a minute.
    """
    if not notebook.cells or notebook.cells[0].is_code:
        return  # the rule form.title reports a missing title
    title = TIME.search(notebook.cells[0].source)
    if title is None:
        yield notebook.cells[0], "the title needs its line `**Time** 40 minutes`"
        return
    lesson, beyond, to_read = map(minutes, parts(notebook))
    if abs(int(title[1]) - lesson) > max(1, lesson / 10):
        takes = f"takes {lesson:.0f}, by its words, code, exercises and views"
        yield notebook.cells[0], f"says {title[1]} minutes, and {takes}: write `**Time** {lesson:.0f} minutes`"
    for page in notebook.listed:
        if page.minutes != title[1]:
            listed = f"and lessons/course.json says {page.minutes}"
            yield notebook.cells[0], f"says {title[1]} minutes, {listed}: write {title[1]} there, too"
    if round(lesson) > MOST:
        too_long = f"takes {lesson:.0f} minutes, {MOST} are the most"
        yield notebook.cells[0], f"{too_long}: move what is beyond below `## Further`"
    for cell in notebook.markdown_cells:
        if (heading := FURTHER.search(cell.source)) and abs(int(heading[1] or 0) - beyond) > max(1, beyond / 10):
            yield cell, f"says {heading[1]} minutes, and takes {beyond:.0f}: `## Further · {beyond:.0f} minutes`"
            return
    on, stated = round(beyond + to_read), READING_ON.search(notebook.cells[0].source)
    if abs((int(stated[1]) if stated else 0) - on) > max(1, on / 10):
        yield notebook.cells[0], f"one can read on for {on} minutes: write `**Reading on** {on} minutes` after the time"

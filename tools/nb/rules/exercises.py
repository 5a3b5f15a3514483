"""Rules about exercises: what each needs on its page and in its lesson's folder, in the order of writing."""

import re

from course_utils import checks, lessons
from nb import prompts
from nb.exercises import ASKED
from nb.rules.minutes import EXERCISE
from nb.rules.model import Notebook

DOTS = re.compile(r"^### .* · [●○]{3}$", re.MULTILINE)
RIGHT, WRONG = 3, 1  # answers at least; a tensor needs one right answer, since there is one only
ADD = "`.venv/bin/python tests/lessons/answer_files.py add FILE`"


def page_and_list_agree(notebook: Notebook):
    """Yield (None, message) if the checks on a page of the course are not those of the list, in the list's order."""
    for page in notebook.listed:
        asked = [name for cell in notebook.code_cells if "check" in cell.tags for name in ASKED.findall(cell.source)]
        if asked != list(page.exercises):
            yield None, f'asks {asked}: write these into lessons/course.json, as "exercises" of {page.file}'


def nothing_is_left_to_do(notebook: Notebook):
    """Yield (Cell or None, message) for each TODO in a cell, and in the files of the page's exercises."""
    for cell in notebook.cells:
        yield from ((cell, line.strip()) for line in cell.source.splitlines() if "TODO" in line)
    for page in notebook.listed:
        for name in page.exercises:
            for folder in ("exercises", "answers"):
                path = lessons.FOLDER / page.topic / folder / f"{name}.py"
                lines = path.read_text("utf-8").splitlines() if path.exists() else []
                for number, line in enumerate(lines, 1):
                    if "TODO" in line:
                        yield None, f"lessons/{page.topic}/{folder}/{name}.py, line {number}: {line.strip()}"


def prompts_are_whole(notebook: Notebook):
    """Yield (Cell, message) for each prompt that lacks minutes, dots or a hint, or asks what no check holds."""
    for page in notebook.listed:
        for name, cell in _prompts(notebook, page.exercises):
            if not EXERCISE.search(cell.source):
                needs = "what a first attempt takes with its mending, the median of three readers who did not write it"
                yield cell, f"says no minutes, {needs}: begin it with `### Your turn · 8 minutes · ●○○`"
            elif not DOTS.search(cell.source):
                yield cell, "says not how hard it is: end its heading in ` · ●○○`, with ●●● for homework"
            if "<details><summary>Hint" not in cell.source:
                yield cell, "has no hint: end it with lines like `<details><summary>Hint 1</summary>Draw it.</details>`"
            yield from ((cell, message) for message in prompts.faults(page.topic, name, cell.source))


def answers_are_filed(notebook: Notebook):
    """Yield (None, message) for each exercise with too few right or wrong answers in its lesson's answers/."""
    for page in notebook.listed:
        for name in page.exercises:
            path = lessons.FOLDER / page.topic / "answers" / f"{name}.py"
            text = path.read_text("utf-8") if path.exists() else ""
            right, wrong = (len(re.findall(rf"^# %% {kind}\b", text, re.MULTILINE)) for kind in ("right", "wrong"))
            needed = 1 if getattr(checks, name).kind == "value" else RIGHT
            if right < needed or wrong < WRONG:
                has = f"{name} has {right} right and {wrong} wrong answers, and needs {needed} and {WRONG}"
                heads = f"each below a line `# %% right {name}` or `# %% wrong {name}`"
                yield None, f"{has}: write them as learners would into a file, {heads}, and file them by {ADD}"


def _prompts(notebook: Notebook, names):
    """Yield (name, the Cell of its prompt) for each exercise of `names` that is asked: the last above its check."""
    prompt = None
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and "exercise" in cell.tags:
            prompt = cell
        if cell.is_code and "check" in cell.tags and prompt:
            yield from ((name, prompt) for name in ASKED.findall(cell.source) if name in names)

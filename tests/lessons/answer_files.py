"""Read, check and add to the files of answers: right ones in several ways, wrong ones with what the check says of them.

`lessons/<topic>/answers/<exercise>.py` is a list of cells, which stand as learners typed them:

    # %% right
    def my_masked_weights(attn_scores, mask):
        ...

    # %% wrong: all-masked-nan
    def my_masked_weights(attn_scores, mask):
        ...

After the colon stand the ids of the mistakes that the check names, joined by ` + `; if it names none, `-` and the
beginning of its message.

`python tests/lessons/answer_files.py add FILE` checks new answers and files those that differ from all that are there:
a right one that is written in another way, as long as there are fewer than four, and a wrong one of which the check
says something else. A wrong one whose mistake is named is filed only where the exercise has no wrong one: the rows of
its table are tested by themselves. In FILE, each head names the exercise as well: `# %% wrong masked_weights`. The
command prints which answers were not taken for what they are, and how many wrong ones were told in words.
"""

import ast
import functools
import itertools
import json
import linecache
import re
import sys
from pathlib import Path
from typing import NamedTuple

from course_utils import checks, course, lessons
from course_utils.checks import messages
from course_utils.checks.report import Report

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
LESSONS = lessons.FOLDER
HEAD = re.compile(r"# %% (wrong|right)(?: (\w+))?(?:: (.+))?")
RIGHT_WAYS = 4  # right answers that are filed of an exercise: each more takes time at every run of the tests
LENGTH = 60  # how many characters of a message are kept if the check names no mistake
NUMBER = itertools.count()
BARE = re.compile(
    r'- "(In the .+, the first difference|The .+ should have the shape|There is `-?(nan|inf)`'
    r"|It stops with|Here a `\w+` should be raised|The cell stops)"
)  # messages that say only that there is a fault, not where it comes from
TELLING = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp, ast.MatMult, ast.Pow)  # what tells right ways apart
AT_HAND = """
import copy
import math
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from course_utils import attention, data
from course_utils.attention import causal_mask, merge_heads, padding_mask, split_heads
"""  # names that learners use, whether their notebook imports them or not


class Answer(NamedTuple):
    """An answer to an exercise.

    kind: "wrong" or "right". exercise: its name. finding: what the check says of a wrong answer, as in the head; "" for
    a right one. code: the source, with its comments.
    """

    kind: str
    exercise: str
    finding: str
    code: str

    @property
    def text(self):
        """The answer as it stands in its exercise's file: its head line and its code."""
        finding = f": {self.finding}" if self.finding else ""
        return f"# %% {self.kind}{finding}\n{self.code.strip()}\n"


def path_of(exercise):
    """Return the Path of the file that holds the answers to an exercise. exercise: its name."""
    return LESSONS / _page_of(exercise).topic / "answers" / f"{exercise}.py"


def read(path):
    """Return the Answers in a file, a list; an exercise that no head names is that of the file's own name.

    Errors: ValueError for a line that begins with "# %%" and is no valid head.
    """
    answers = []
    for line in path.read_text("utf-8").splitlines(keepends=True):
        if line.startswith("# %%"):
            head = HEAD.fullmatch(line.rstrip())
            if not head:
                raise ValueError(f"{path}: {line.rstrip()!r} should be like '# %% wrong: no-scale'.")
            answers.append(Answer(head[1], head[2] or path.stem, head[3] or "", ""))
        elif answers:
            answers[-1] = answers[-1]._replace(code=answers[-1].code + line)
    return answers


def check(answer):
    """Run an answer's code as a notebook does, check what it defines, and return the Report.

    If the code itself raises, the Report says so.
    """
    exercise, file = getattr(checks, answer.exercise), f"<cell {next(NUMBER)}>"
    names = {**_imported(_page_of(answer.exercise).file), "__name__": "__main__"}
    linecache.cache[file] = (len(answer.code), None, answer.code.splitlines(keepends=True), file)  # as IPython does
    try:
        exec(compile(answer.code, file, "exec"), names)
    except Exception as error:
        return Report(exercise.stub, "failed", f"The cell stops before it can be checked: {type(error).__name__}")
    return exercise.check(names[exercise.stub])


def finding(answer, report):
    """Return what a head records of a Report: ids of mistakes, or the message's beginning, or "" for a pass."""
    if report.status == "passed":
        return ""
    if report.named:
        return " + ".join(report.named)
    message = " ".join(report.message.split())
    for case in getattr(checks, answer.exercise).inputs:
        message = message.removeprefix(messages.on(case.label, ""))  # the name of the input is no part of the finding
    return f'- "{message[:LENGTH]}"'


def is_explained(finding):
    """Return whether a finding says more than that an answer differs, has another shape, or raises."""
    return bool(finding) and not BARE.match(finding)


def add(source):
    """Check the answers of a file, and add each that is new to the file of its exercise; return a summary, a text.

    source: a Path. The summary shows each answer that the check does not take for what it is said to be: such a one is
    not filed. Short answers are taken first, so that they stand for longer ones.
    """
    answers = sorted(read(source), key=lambda answer: len(answer.code))
    taken_wrongly, num_wrong, num_explained, num_added = [], 0, 0, 0
    for answer in answers:
        report = check(answer)
        answer = answer._replace(finding=finding(answer, report))
        num_wrong += answer.kind == "wrong"
        num_explained += answer.kind == "wrong" and is_explained(answer.finding)
        if (answer.kind == "right") == (report.status == "passed"):
            num_added += _file(answer)
        else:
            taken_wrongly.append(f"{report.status}, and said to be {answer.kind}:\n{answer.text}")
    counts = f"{len(answers)} answers, {num_wrong} wrong; told in words: {num_explained}; added: {num_added}."
    return "\n".join([*taken_wrongly, counts])


def _file(answer):
    """Add an answer to the file of its exercise unless one like it stands there; return whether it was added."""
    path = path_of(answer.exercise)
    filed = read(path) if path.exists() else []
    if likeness(answer) in map(likeness, filed) or _is_tested_without(answer, filed):
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    filed = sorted([*filed, answer], key=lambda answer: (answer.kind, answer.finding))
    path.write_text("\n".join(answer.text for answer in filed), "utf-8")
    return True


def _is_tested_without(answer, filed):
    """Return whether the answers that are filed, and the generated ones, notice what this answer would notice."""
    alike = [other for other in filed if other.kind == answer.kind]
    if answer.kind == "right":
        return len(alike) >= RIGHT_WAYS
    return bool(alike) and not answer.finding.startswith("- ")


def likeness(answer):
    """Return what two answers have in common of which one is enough.

    For right ones that is the set of functions they call, with loops, products and powers; for wrong ones what the
    check says, without its numbers and code.
    """
    if answer.kind == "wrong":
        return answer.kind, re.sub(r"`[^`]*`?|[0-9.,]+", "", answer.finding)
    nodes = list(ast.walk(ast.parse(answer.code)))
    calls = {ast.unparse(node.func).rpartition(".")[2] for node in nodes if isinstance(node, ast.Call)}
    return answer.kind, calls | {type(node).__name__ for node in nodes if isinstance(node, TELLING)}


def _page_of(exercise):
    """Return the course.Notebook in which an exercise stands."""
    [page] = [notebook for notebook in course.notebooks() if exercise in notebook.exercises]
    return page


@functools.cache
def _imported(file):
    """Return a namespace (a dict) with what a notebook imports, and what learners import besides."""
    names, notebook = {}, json.loads((NOTEBOOKS / f"{file}.ipynb").read_text("utf-8"))
    sources = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    lines = [
        node for source in sources for node in ast.parse(source).body if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    exec(AT_HAND + "\n".join(map(ast.unparse, lines)), names)
    return names


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["add", source]:
            print(add(Path(source)))
        case _:
            sys.exit(__doc__)

"""Answers that readers of the pages wrote: cells, with what the check says of each.

    # %% wrong masked_weights: all-masked-nan
    # what the reader thought
    def my_masked_weights(attn_scores, mask):
        ...

After the colon stand the ids that are named, joined by ` + `; where none is, `-` and the beginning of the message.
A right answer has nothing there. `python tests/checks/readers.py write SOURCE TARGET` runs the answers of SOURCE, and
writes them to TARGET with what is said of them now.
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

from course_utils import checks, course
from course_utils.checks import words
from course_utils.checks.report import Report

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
HEAD = re.compile(r"# %% (wrong|right) (\w+)(?:: (.+))?")
SHOWN = 60  # characters of a message that comes without an id
NUMBER = itertools.count()
BARE = re.compile(
    r'- "(In (the|your) [\w ]+, the first difference|The [\w ]+ should have the shape|There is `-?(nan|inf)`'
    r"|It stops with|Here a `\w+` should be raised|The cell stops)"
)  # a fault alone, without a word on where it comes from
AT_HAND = """
import math
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from course_utils import attention, data
from course_utils.attention import causal_mask, merge_heads, padding_mask, split_heads
"""  # what readers reach for, whether their page imports it or not


class Cell(NamedTuple):
    """One answer. kind: "wrong" or "right". name: of the exercise. said: of a wrong one. code: with its comments."""

    kind: str
    name: str
    said: str
    code: str

    @property
    def text(self):
        """As it stands in a file."""
        said = f": {self.said}" if self.said else ""
        return f"# %% {self.kind} {self.name}{said}\n{self.code}"


def read(path):
    """The cells of a file, as a list. Errors: ValueError for a line that begins a cell and is no head."""
    cells = []
    for line in path.read_text("utf-8").splitlines(keepends=True):
        if line.startswith("# %%"):
            head = HEAD.fullmatch(line.rstrip())
            if not head:
                raise ValueError(f"{path}: {line.rstrip()!r} should be like '# %% wrong scores: no-scale'.")
            cells.append(Cell(head[1], head[2], head[3] or "", ""))
        elif cells:
            cells[-1] = cells[-1]._replace(code=cells[-1].code + line)
    return cells


def checked(cell):
    """Run a cell as a notebook does, and check what it leaves; returns a Report, of status "stopped" if it raises."""
    exercise, file, names = getattr(checks, cell.name), f"<cell {next(NUMBER)}>", _names(cell.name)
    linecache.cache[file] = (len(cell.code), None, cell.code.splitlines(keepends=True), file)  # as IPython does
    try:
        exec(compile(cell.code, file, "exec"), names)
    except Exception as error:
        return Report(exercise.stub, "stopped", f"The cell stops before it can be checked: {type(error).__name__}")
    return exercise.check(names[exercise.stub])


def said(cell, report):
    """What a check said, in the words of a head line: "" for a pass."""
    if report.status == "passed":
        return ""
    if report.named:
        return " + ".join(report.named)
    message = " ".join(report.message.split())
    for case in getattr(checks, cell.name).drawn:
        message = message.removeprefix(words.on(case.label, ""))  # which input it was tells nothing of what is said
    return f'- "{message[:SHOWN]}"'


def told(cell):
    """Whether a wrong answer is told more than that it differs, has another shape, or stops."""
    return bool(cell.said) and not BARE.match(cell.said)


def write(source, target):
    """Copy the cells of a file, each wrong one with what is said of it now; returns what came out, in words."""
    cells, found = [], []
    for cell in read(source):
        report = checked(cell)
        cells.append(cell._replace(said=said(cell, report)))
        if (cell.kind == "right") != (report.status == "passed"):
            found.append(f"{report.status}, and said to be {cell.kind}:\n{cells[-1].text}")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("".join(cell.text for cell in cells), "utf-8")
    wrong = [cell for cell in cells if cell.kind == "wrong"]
    found.append(f"{len(cells)} answers, {len(wrong)} of them wrong; told in words: {sum(map(told, wrong))}.")
    return "\n".join(found)


def _names(name):
    """What a notebook has imported when the reader comes to an exercise."""
    [file] = [one.file for one in course.notebooks() if name in one.exercises]
    return {**_imported(file), "__name__": "__main__"}


@functools.cache
def _imported(file):
    names, notebook = {}, json.loads((NOTEBOOKS / f"{file}.ipynb").read_text("utf-8"))
    sources = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    lines = [
        node for source in sources for node in ast.parse(source).body if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    exec(AT_HAND + "\n".join(map(ast.unparse, lines)), names)
    return names


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["write", source, target]:
            print(write(Path(source), Path(target)))
        case _:
            sys.exit(__doc__)

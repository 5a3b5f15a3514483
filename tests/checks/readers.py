"""Read, check and write files of answers that readers of the notebooks wrote.

Such a file is a list of cells; the head of each says what the check reports about it:

    # %% wrong masked_weights: all-masked-nan
    # what the reader thought
    def my_masked_weights(attn_scores, mask):
        ...

After the colon stand the ids of the mistakes that the check names, joined by ` + `; if it names none, `-` and the
beginning of its message. A right answer has nothing there. `python tests/checks/readers.py write SOURCE TARGET` checks
the answers of SOURCE, and writes them to TARGET with what the checks report now.
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
from course_utils.checks import messages
from course_utils.checks.report import Report

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
HEAD = re.compile(r"# %% (wrong|right) (\w+)(?:: (.+))?")
SHOWN = 60  # how many characters of a message are kept if the check names no mistake
NUMBER = itertools.count()
BARE = re.compile(
    r'- "(In (the|your) [\w ]+, the first difference|The [\w ]+ should have the shape|There is `-?(nan|inf)`'
    r"|It stops with|Here a `\w+` should be raised|The cell stops)"
)  # messages that say only that there is a fault, not where it comes from
AT_HAND = """
import math
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from course_utils import attention, data
from course_utils.attention import causal_mask, merge_heads, padding_mask, split_heads
"""  # names that readers use, whether their notebook imports them or not


class Cell(NamedTuple):
    """An answer of a reader.

    kind: "wrong" or "right". name: the exercise. said: what the check reports about a wrong answer, as in the head; ""
    for a right one. code: the source, with its comments.
    """

    kind: str
    name: str
    said: str
    code: str

    @property
    def text(self):
        """The cell as text: its head line and its code."""
        said = f": {self.said}" if self.said else ""
        return f"# %% {self.kind} {self.name}{said}\n{self.code}"


def read(path):
    """Return the Cells of a file, a list; raise ValueError for a line that begins with "# %%" and is no valid head."""
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
    """Run a cell as a notebook does, check the answer it defines, and return the Report.

    If the cell itself raises, the Report has the status "stopped".
    """
    exercise, file, names = getattr(checks, cell.name), f"<cell {next(NUMBER)}>", _names(cell.name)
    linecache.cache[file] = (len(cell.code), None, cell.code.splitlines(keepends=True), file)  # as IPython does
    try:
        exec(compile(cell.code, file, "exec"), names)
    except Exception as error:
        return Report(exercise.stub, "stopped", f"The cell stops before it can be checked: {type(error).__name__}")
    return exercise.check(names[exercise.stub])


def said(cell, report):
    """Return what a head line records of a Report: ids of mistakes, or the message's beginning, or "" for a pass."""
    if report.status == "passed":
        return ""
    if report.named:
        return " + ".join(report.named)
    message = " ".join(report.message.split())
    for case in getattr(checks, cell.name).drawn:
        message = message.removeprefix(messages.on(case.label, ""))  # the name of the input is no part of the diagnosis
    return f'- "{message[:SHOWN]}"'


def told(cell):
    """Return whether the check says more of a wrong answer than that it differs, has another shape, or raises."""
    return bool(cell.said) and not BARE.match(cell.said)


def write(source, target):
    """Copy the cells of a file, with what the checks report of them now; return a summary, a text of lines.

    source, target: Paths. The summary names each cell whose kind does not agree with its check.
    """
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
    """Return a namespace (a dict) with what the notebook of an exercise imports."""
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

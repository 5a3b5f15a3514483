"""Rules about predictions: each must look like one, and what stands below it must not give the answer away."""

import ast
import re

from nb import outcomes
from nb.rules.model import Cell, Notebook, called_name

# JupyterLab keeps these CSS properties, GitHub drops them; the live view `Predict` looks the same.
CALLOUT = '<div style="border-left: 5px solid #e8590c; background: rgba(232, 89, 12, 0.08); padding: 0.7em 1em 0.01em">'
PROMPT = re.compile(r"^\*\*Predict first\.\*\*", re.MULTILINE)
FRAMED = re.compile(re.escape(CALLOUT) + r"\n\n\*\*Predict first\.\*\* [^<]+\n\n</div>")
MEASURED = re.compile(r"\d\s*%|\.\d")
MOST_TOLD = 2  # paragraphs that are folded for one prediction
WITHIN = ("$$", "|", "```")  # formulas, tables and code stand within a paragraph
NO_ANSWER = {"exercise", "check", "solution", "lab-only"}


def stand_in_callouts(cell: Cell):
    """Yield a message if a Markdown cell has a *Predict first* that does not stand in the HTML of CALLOUT."""
    if len(PROMPT.findall(cell.source)) != len(FRAMED.findall(cell.source)):
        yield f"**Predict first.** must stand in a callout, between empty lines: {CALLOUT} … </div>"


def answers_wait(notebook: Notebook):
    """Yield (Cell, message) for each way in which code that is read before it is run tells how a prediction turns out.

    A caption of a figure is such code, too, unless its cell is folded.
    """
    for cell, is_first in _after_predictions(notebook):
        calls = [node for node in ast.walk(cell.tree) if isinstance(node, ast.Call)]
        asserts = any(called_name(call).startswith("assert") for call in calls)
        if asserts or any(isinstance(node, ast.Assert) for node in ast.walk(cell.tree)):
            yield cell, "an assertion stands below a prediction, and gives its answer away: move it further down"
        if is_first and _prints_what_is_known(calls):
            yield cell, "what is printed below a prediction stands in the code already: print what is computed"
        if any(keyword.arg == "caption" for call in calls for keyword in call.keywords):
            yield cell, "the caption of a figure below a prediction can be read before the figure: fold the cell"


def outcomes_are_folded(notebook: Notebook):
    """Yield (Cell, message) for each prediction that does not name what answers it, and each fault in a fold."""
    asking, known = [cell for cell in notebook.cells if _asks(cell)], set()
    ends = [*(cell.number - 1 for cell in asking[1:]), len(notebook.cells)]
    for cell, end in zip(asking, ends, strict=False):  # without a prediction there is an end all the same
        names = cell.metadata.get(outcomes.KEY)
        if not (names and isinstance(names, list) and all(isinstance(name, str) for name in names)):
            name = f'name the cells that answer it in its metadata: "{outcomes.KEY}": ["a-cell", …]'
            yield cell, f"{name}, since web pages hide what stands up to the last of them"
            continue
        known |= set(names)
        yield from ((cell, message) for message in _faults(names, notebook.cells[cell.number : end]))
    for cell in notebook.cells:
        is_folded = not cell.is_code and bool(outcomes.parts(cell.source)[1])
        if is_folded and cell.id not in known:
            nobody = f"no prediction names the cell under {outcomes.KEY!r}: do so"
            yield cell, f"{outcomes.SUMMARY!r} is folded, and {nobody}"
        if f"<summary>{outcomes.SUMMARY}</summary>" in cell.source and not is_folded:
            yield cell, f"{outcomes.SUMMARY!r} must stand so, between empty lines: {outcomes.folded('', '…', '')!r}"
        if outcomes.KEY in cell.metadata and cell not in asking:
            yield cell, f'"{outcomes.KEY}" belongs to a cell that asks for a prediction: move it there'


def _faults(names: list[str], below: list[Cell]):
    """Yield a message for each fault in the names of the cells that answer a prediction, among those below."""
    there = {cell.id: cell for cell in below if cell.id in names}
    for name in (name for name in names if name not in there):
        yield f"names {name!r}, which is no cell up to the next prediction: name one"
    if list(there) != [name for name in names if name in there]:
        yield f"names the cells that answer it in another order than they have: write {', '.join(there)}"
    results = [cell.number for cell in below if cell.is_code and cell.outputs and not NO_ANSWER & set(cell.tags)]
    for cell in there.values():
        if NO_ANSWER & set(cell.tags):
            yield f"names {cell.id!r}, which is an exercise, or on no web page: name a cell that readers see"
        elif cell.is_code and not cell.outputs:
            yield f"names {cell.id!r}, which shows nothing: name the cell with the result"
        elif not cell.is_code and not outcomes.parts(cell.source)[1]:
            yield f"names {cell.id!r}, in which no words are folded: write {outcomes.folded('', '…', '')!r}"
        elif not cell.is_code and not any(number < cell.number for number in results):
            yield f"names {cell.id!r}, above which stands no result: put the words below it"
    told = sum(_paragraphs(outcomes.parts(cell.source)[1]) for cell in there.values() if not cell.is_code)
    if told > MOST_TOLD:
        yield f"{told} paragraphs are folded for it, {MOST_TOLD} are the most: what does not tell it stands open"


def _paragraphs(text: str) -> int:
    """Return how many paragraphs a Markdown text has; one goes on below a formula, a table or code within it."""
    blocks = [block for block in text.split("\n\n") if not block.startswith("<details>")]
    within = [block.startswith(WITHIN) for block in blocks]
    return sum(not here and not above for above, here in zip([False, *within[:-1]], within, strict=True))


def _after_predictions(notebook: Notebook):
    """Yield (code Cell, whether it is the first) for what can be read between a prediction and its last answer."""
    asking = [place for place, cell in enumerate(notebook.cells) if _asks(cell)]
    for place, end in zip(asking, [*asking[1:], len(notebook.cells)], strict=False):  # without one there is an end, too
        names = notebook.cells[place].metadata.get(outcomes.KEY) or ()
        below = notebook.cells[place + 1 : end]
        last = max((number for number, cell in enumerate(below) if cell.id in names), default=-1)
        code = [(number, cell) for number, cell in enumerate(below) if cell.is_code]
        for number, cell in code:
            is_first = cell is code[0][1]
            is_read = not NO_ANSWER & set(cell.tags) and not cell.metadata.get("jupyter", {}).get("source_hidden")
            if is_read and (is_first or number <= last):
                yield cell, is_first


def _asks(cell: Cell):
    if not cell.is_code:
        return bool(PROMPT.search(cell.source))
    return any(called_name(node) == "Predict" for node in ast.walk(cell.tree) if isinstance(node, ast.Call))


def _prints_what_is_known(calls: list[ast.Call]) -> bool:
    """Return whether a print shows a typed number, also in a text ("12 %"), or all of them nothing but constants."""
    prints = [call.args for call in calls if called_name(call) == "print" and call.args]
    constants = [part for arguments in prints for argument in arguments for part in _constants(argument)]
    if any(isinstance(part, int | float) or isinstance(part, str) and MEASURED.search(part) for part in constants):
        return True
    return bool(prints) and all(isinstance(argument, ast.Constant) for arguments in prints for argument in arguments)


def _constants(argument: ast.expr) -> list:
    parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
    return [part.value for part in parts if isinstance(part, ast.Constant)]

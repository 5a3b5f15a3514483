"""Rules about predictions: each must look like one, and the code below it must not give the answer away."""

import ast
import re

from nb.rules.model import Cell, Notebook, called_name

# JupyterLab keeps these CSS properties, GitHub drops them; the live view `Predict` looks the same.
CALLOUT = '<div style="border-left: 5px solid #e8590c; background: rgba(232, 89, 12, 0.08); padding: 0.7em 1em 0.01em">'
PROMPT = re.compile(r"^\*\*Predict first\.\*\*", re.MULTILINE)
FRAMED = re.compile(re.escape(CALLOUT) + r"\n\n\*\*Predict first\.\*\* [^<]+\n\n</div>")
MEASURED = re.compile(r"\d\s*%|\.\d")


def stand_in_callouts(cell: Cell):
    """Yield a message if a Markdown cell has a *Predict first* that does not stand in the HTML of CALLOUT."""
    if len(PROMPT.findall(cell.source)) != len(FRAMED.findall(cell.source)):
        yield f"**Predict first.** must stand in a callout, between empty lines: {CALLOUT} … </div>"


def answers_wait(notebook: Notebook):
    """Yield (Cell, message) for each way in which a code cell next below a prediction gives its result away.

    Learners read this code before they run it. The ways: an assertion, a print of what stands in the code already, and
    a figure whose cell is not folded, since its caption can be read.
    """
    for cell in _after_predictions(notebook):
        calls = [node for node in ast.walk(cell.tree) if isinstance(node, ast.Call)]
        asserts = any(called_name(call).startswith("assert") for call in calls)
        if asserts or any(isinstance(node, ast.Assert) for node in ast.walk(cell.tree)):
            yield cell, "an assertion stands below a prediction, and gives its answer away: move it further down"
        if _prints_what_is_known(calls):
            yield cell, "what is printed below a prediction stands in the code already: print what is computed"
        if "figure" in cell.tags and not cell.metadata.get("jupyter", {}).get("source_hidden"):
            yield cell, "the caption of a figure below a prediction can be read before the figure: fold the cell"


def _after_predictions(notebook: Notebook):
    """Yield each code Cell that is the first below a prediction: *Predict first* in words, or a call of `Predict`."""
    waiting = False
    for cell in notebook.cells:
        if cell.is_code and waiting:
            yield cell
        if cell.is_code:
            waiting = any(called_name(node) == "Predict" for node in ast.walk(cell.tree) if isinstance(node, ast.Call))
        elif PROMPT.search(cell.source):
            waiting = True


def _prints_what_is_known(calls: list[ast.Call]) -> bool:
    """Return whether those calls of a cell that are prints give its result away.

    They do if one of them shows a number typed into the code, alone or in a text ("12 %", "0.5"), or if none of them
    shows anything but constants. Beside a computed value in any of them, words alone are fine, as in a table's head.
    """
    prints = [call.args for call in calls if called_name(call) == "print" and call.args]
    constants = [part for arguments in prints for argument in arguments for part in _constants(argument)]
    if any(isinstance(part, int | float) or isinstance(part, str) and MEASURED.search(part) for part in constants):
        return True
    return bool(prints) and all(isinstance(argument, ast.Constant) for arguments in prints for argument in arguments)


def _constants(argument: ast.expr) -> list:
    """Return the constant values in an argument of print: its own, or those of the parts of an f-string; else []."""
    parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
    return [part.value for part in parts if isinstance(part, ast.Constant)]

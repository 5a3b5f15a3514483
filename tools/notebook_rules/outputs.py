"""Rules about stored outputs: nbval compares only those that are there, so none may be missing."""

import ast
import re

from .html import images_without_alt
from .model import called

ALWAYS_SHOW = {"print", "display"}
# Calls that leave no output, since their value is None or is not of interest. Names that end in "_" count too.
SILENT_CALLS = {
    "append", "assert_close", "backward", "extend", "filterwarnings", "insert", "manual_seed", "simplefilter", "start",
    "step", "update", "zero_grad",
}  # fmt: skip
UNSTABLE = {
    "a memory address": re.compile(r"\b0x[0-9a-f]{6,}\b", re.IGNORECASE),
    "a random id": re.compile(r"\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})\b", re.IGNORECASE),
    "a path of one machine": re.compile(
        r"(?<![\w./:])/(?:Users|etc|home|mnt|opt|private|root|srv|tmp|usr|var|work|workspace)/"
        r"|\b[A-Z]:(?:\\\\|/|\\(?![nrt]))\w"  # C:\\Users, C:/Users, C:\Users; not the line break in "A:\nB"
    ),
}


def run_in_order(notebook):
    """Check that every code cell was run once, from top to bottom."""
    if notebook.code_cells and all(cell.execution_count is None for cell in notebook.code_cells):
        yield None, "was never run: store it with `run`"
        return
    for count, cell in enumerate(notebook.code_cells, 1):
        if cell.execution_count != count:
            was = "was not run" if cell.execution_count is None else f"was run as number {cell.execution_count}"
            yield cell, f"{was}, should be number {count}: store the notebook with `run`"


def present(notebook):
    """Check that a cell which shows something has an output: nbval passes a notebook that has lost all of them."""
    for cell in notebook.code_cells:
        if cell.execution_count and not cell.outputs and _shows(cell):
            yield cell, "shows something, but no output is stored: store it with `run`"


def no_errors(notebook):
    """Check that no traceback and no warning is stored; an error shown on purpose must be caught and printed."""
    for cell in notebook.code_cells:
        for output in cell.outputs:
            if output.output_type == "error":
                yield cell, f"a stored error ({output.ename}): catch it and print it, or mend the cell"
            if output.get("name") == "stderr":
                yield cell, f"a warning or other text on stderr is stored: {output.text.strip()[:60]!r}"


def images_have_alt_text(notebook):
    """Check that every image in an output has alt text."""
    for cell in notebook.code_cells:
        for output in cell.outputs:
            data, metadata = output.get("data", {}), output.get("metadata", {})
            for kind in data:
                if kind.startswith("image/") and kind != "image/svg+xml" and not _alt(metadata.get(kind)):
                    yield cell, f'{kind} without alt text: the output\'s metadata needs "{kind}": {{"alt": "…"}}'
            if "image/svg+xml" in data and not re.search(r"<title\b|aria-label", data["image/svg+xml"]):
                yield cell, "image/svg+xml without alt text: it needs a <title> or an aria-label"
            if images_without_alt(data.get("text/html", "")):
                yield cell, "text/html with an <img> without alt text"


def figures_are_there(notebook):
    """Check that a cell tagged figure has an image in its outputs."""
    for cell in notebook.code_cells:
        shown = [data for output in cell.outputs for data in output.get("data", {}).items()]
        if "figure" in cell.tags and not any(kind.startswith("image/") or "<img " in data for kind, data in shown):
            yield cell, "tagged figure, but no image is stored"


def the_same_everywhere(notebook):
    """Check that no text output holds an address, a random id or a path, which differ between runs and machines."""
    for cell in notebook.code_cells:
        for text in _texts(cell):
            for what, pattern in UNSTABLE.items():
                if found := pattern.search(text):
                    around = text[max(found.start() - 20, 0) : found.end() + 20]
                    yield cell, f"{what} in the output: {around!r}"


def _shows(cell):
    """Check whether a cell shows something: it prints or displays, or its last value is shown."""
    calls = (node for node in cell.module_level() if isinstance(node, ast.Call))
    return any(called(call) in ALWAYS_SHOW for call in calls) or _last_value_shows(cell.tree.body)


def _last_value_shows(body):
    """Check whether the last statement in a body is an expression whose value a notebook shows."""
    if not body or not isinstance(body[-1], ast.Expr):
        return False
    value = body[-1].value
    if isinstance(value, ast.Constant):
        return not isinstance(value.value, str | None)  # strings (such as docstrings) and None do not count
    name = called(value) if isinstance(value, ast.Call) else ""
    return name not in SILENT_CALLS and not name.endswith("_")


def _alt(image_metadata):
    """Return the alt text in an image's metadata, falsy if there is none."""
    return isinstance(image_metadata, dict) and str(image_metadata.get("alt") or "").strip()


def _texts(cell):
    """Yield the texts in a cell's outputs."""
    for output in cell.outputs:
        yield output.get("text", "")
        yield from (str(value) for kind, value in output.get("data", {}).items() if kind not in _BINARY)


_BINARY = {"image/png", "image/jpeg", "image/gif", "application/pdf"}

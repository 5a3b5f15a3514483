"""Rules about stored outputs: nbval compares only those that are there, so none may be missing."""

import ast
import re

from nb.rules.html import has_image_without_alt
from nb.rules.model import called_name

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
    """Yield (cell, message) for each code cell whose execution count is missing or is not its place among code cells.

    If no code cell was run, yield one (None, message) instead.
    """
    if notebook.code_cells and all(cell.execution_count is None for cell in notebook.code_cells):
        yield None, "was never run: store it with `run`"
        return
    for count, cell in enumerate(notebook.code_cells, 1):
        if cell.execution_count != count:
            was = "was not run" if cell.execution_count is None else f"was run as number {cell.execution_count}"
            yield cell, f"{was}, should be number {count}: store the notebook with `run`"


def present(notebook):
    """Yield (cell, message) for each code cell that was run and shows something, but has no stored output.

    nbval does not notice this: it passes a notebook that has lost all its outputs.
    """
    for cell in notebook.code_cells:
        if cell.execution_count and not cell.outputs and _shows(cell):
            yield cell, "shows something, but no output is stored: store it with `run`"


def no_errors(notebook):
    """Yield (cell, message) for each stored output that is an error or text on stderr, such as a warning.

    An error that is shown on purpose must be caught and printed.
    """
    for cell in notebook.code_cells:
        for output in cell.outputs:
            if output.output_type == "error":
                yield cell, f"a stored error ({output.ename}): catch it and print it, or mend the cell"
            if output.get("name") == "stderr":
                yield cell, f"a warning or other text on stderr is stored: {output.text.strip()[:60]!r}"


def images_have_alt_text(notebook):
    """Yield (cell, message) for each image in an output (PNG, SVG, <img>, …) that has no alt text.

    Several such <img> in one output give one message.
    """
    for cell in notebook.code_cells:
        for output in cell.outputs:
            data, metadata = output.get("data", {}), output.get("metadata", {})
            for kind in data:
                if kind.startswith("image/") and kind != "image/svg+xml" and not _alt(metadata.get(kind)):
                    yield cell, f'{kind} without alt text: the output\'s metadata needs "{kind}": {{"alt": "…"}}'
            if "image/svg+xml" in data and not re.search(r"<title\b|aria-label", data["image/svg+xml"]):
                yield cell, "image/svg+xml without alt text: it needs a <title> or an aria-label"
            if has_image_without_alt(data.get("text/html", "")):
                yield cell, "text/html with an <img> without alt text"


def figures_are_there(notebook):
    """Yield (cell, message) for each code cell tagged figure that has no image in its outputs."""
    for cell in notebook.code_cells:
        items = [data for output in cell.outputs for data in output.get("data", {}).items()]
        if "figure" in cell.tags and not any(kind.startswith("image/") or "<img " in data for kind, data in items):
            yield cell, "tagged figure, but no image is stored"


def the_same_everywhere(notebook):
    """Yield (cell, message) for each text in an output that holds a memory address, a random id or an absolute path.

    These differ between runs and machines. A text gives one message for each kind that it holds.
    """
    for cell in notebook.code_cells:
        for text in _texts(cell):
            for kind, pattern in UNSTABLE.items():
                if match := pattern.search(text):
                    context = text[max(match.start() - 20, 0) : match.end() + 20]
                    yield cell, f"{kind} in the output: {context!r}"


def _shows(cell):
    """Return whether a code cell should leave an output: it prints or displays, or its last value is shown."""
    calls = (node for node in cell.module_level() if isinstance(node, ast.Call))
    return any(called_name(call) in ALWAYS_SHOW for call in calls) or _last_value_shows(cell.tree.body)


def _last_value_shows(body):
    """Return whether the last statement is an expression whose value a notebook shows.

    body: a list of AST statements. String literals and None count as not shown, and so do calls of names that
    are in SILENT_CALLS or end in "_".
    """
    if not body or not isinstance(body[-1], ast.Expr):
        return False
    value = body[-1].value
    if isinstance(value, ast.Constant):
        return not isinstance(value.value, str | None)  # strings (such as docstrings) and None do not count
    name = called_name(value) if isinstance(value, ast.Call) else ""
    return name not in SILENT_CALLS and not name.endswith("_")


def _alt(image_metadata):
    """Return the alt text in an image's metadata, a dict; a falsy value if there is no alt text or no dict."""
    return isinstance(image_metadata, dict) and str(image_metadata.get("alt") or "").strip()


def _texts(cell):
    """Yield each text in a code cell's outputs: printed text, and data of every MIME type that is not in _BINARY."""
    for output in cell.outputs:
        yield output.get("text", "")
        yield from (str(value) for kind, value in output.get("data", {}).items() if kind not in _BINARY)


_BINARY = {"image/png", "image/jpeg", "image/gif", "application/pdf"}
